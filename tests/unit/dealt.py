"""A table with all cards in one deck, and steps that draw from it."""

from compiler.graph.core import (
    Chance,
    Move,
    Shuffle,
    Step,
    Term,
    Trigger,
    Variable,
)
from compiler.ops import lists
from compiler.types import Optional
from ruleengine.interpreter import Interpreter
from ruleengine.table import Table
from tests.unit import tabletop as t
from tests.unit.tabletop import DECK

n, m = t.number("n", None), t.number("m", None)
card = Variable("card", Optional(t.CARD))
several = Variable("several", t.CARDS, initial=())
SHUFFLE = Chance(Shuffle(t.place(DECK)))
LOCAL: dict[str, tuple[Variable, ...]] = {"start": (card, several)}


def first(tokens: Term) -> Term:
    """The first of some tokens."""
    return t.apply(lists.FIRST, tokens, type_=Optional(t.CARD))


def draw(where: int) -> Move:
    """Moves the top card of the deck."""
    return Move(first(t.all_of(DECK)), t.place(where))


def back(where: int) -> Move:
    """Puts all cards of a place back onto the deck."""
    return Move(t.all_of(where), t.place(DECK))


def at(
    *steps: t.Line | Step,
    deck: tuple[int, ...] = (1, 2, 3, 4),
    eager: bool = False,
    variables: tuple[Variable, ...] = (n, m),
    triggers: tuple[Trigger, ...] = (),
) -> tuple[Interpreter, Table]:
    """A table with all cards in the deck, as listed, at the beginning."""
    graph = t.graph(
        *steps, deck=t.cards(*deck), variables=variables, local=LOCAL, triggers=triggers
    )
    interpreter = Interpreter.of(graph, eager=eager)
    table = interpreter.start()
    t.put(interpreter, table, DECK, *map(str, deck))
    return interpreter, table


def take(interpreter: Interpreter, table: Table, label: str) -> None:
    """Runs to a chance stop and lets it come out so."""
    stop = t.chance(interpreter.advance(table))
    (outcome,) = [each for each in stop.outcomes if each.label == label]
    interpreter.draw(table, outcome)
