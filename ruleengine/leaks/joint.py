"""A joint decision that one seat has answered, gone on with alike in two situations.

A seat hears nothing of sealed picks until the last is in, so what it hears after its own answer
depends on how many others have answered.  Situations are compared from the same point: the picks
of all others are taken back in both, and then made, as the seat will hear them, alike.
"""

from typing import TypeAlias

from compiler.graph.core import Choose
from ruleengine.errors import RuleError
from ruleengine.leaks.onlooker import Onlooker
from ruleengine.rng import Stream
from ruleengine.stops import Choice, JointDecision
from ruleengine.table import Table

Picks: TypeAlias = tuple[Choice, ...]
"""The answers of seats to one decision, one after another."""


def unpicked(onlooker: Onlooker, table: Table, world: Table, seat: int) -> Table:
    """A copy of a table without the sealed picks of others.

    `world` is one that the seat imagines at the same stop: there others are still to choose.
    """
    copied = table.copy()
    sealed = onlooker.viewer.sealed_slots(table.node, table.in_trigger)
    for slot, picker in sealed.items():
        if picker != seat:
            copied.values[slot] = world.values[slot]
    return copied


def others_alike(
    onlooker: Onlooker, here: Table, there: Table, seat: int, numbers: Stream
) -> tuple[Picks, Picks]:
    """Answers of all the others in two situations that are the same to the ears of a seat.

    There are none at a decision of one, nor if somebody has no answer in common: what he then says
    is his to tell.  Who is asked in one situation only declines there, if he may: in the other he
    has no option, which sounds like declining.
    """
    one, other = _asked(onlooker, here), _asked(onlooker, there)
    picks: tuple[list[Choice], list[Choice]] = [], []
    for who in sorted({*one, *other} - {seat}):
        if who not in one or who not in other:
            picks[who in other].append(one.get(who, other.get(who, ()))[-1])
            continue
        mine = _by_words(onlooker, here, one[who], seat)
        yours = _by_words(onlooker, there, other[who], seat)
        common = [words for words in mine if words in yours]
        if not common:
            return (), ()
        words = common[numbers.below(len(common))]
        for side, fit in zip(picks, (mine[words], yours[words]), strict=True):
            side.append(fit[numbers.below(len(fit))])
    return tuple(picks[0]), tuple(picks[1])


def _asked(onlooker: Onlooker, table: Table) -> dict[int, Picks]:
    """The seats that a joint decision asks, each with its choices; nobody at other stops."""
    step = onlooker.game.graph.nodes[table.node].step
    if not isinstance(step, Choose) or not step.joint:
        return {}
    try:
        stop = onlooker.game.interpreter.advance(table.copy())
    except RuleError:
        return {}
    if not isinstance(stop, JointDecision):
        return {}
    return dict(zip(stop.seats, stop.choices, strict=True))


def _by_words(
    onlooker: Onlooker, table: Table, choices: Picks, observer: int
) -> dict[str, list[Choice]]:
    """Choices by what an observer hears of them."""
    found: dict[str, list[Choice]] = {}
    for choice in choices:
        found.setdefault(onlooker.hearing.choice(table, choice, observer), []).append(choice)
    return found
