"""Small graphs built by hand: a deck of number cards, two seats, and a list of steps in order.

A node without ways on goes to the next one; the last goes to the end, which ends in a draw.
"""

from collections.abc import Sequence

from attrs import evolve, frozen

from compiler.graph.core import (
    Apply,
    Attribute,
    Bound,
    Branch,
    Choose,
    Const,
    Contents,
    Domain,
    DomainMode,
    End,
    Ending,
    Flow,
    Fold,
    FoldMode,
    Function,
    Graph,
    Guard,
    Kind,
    Node,
    Option,
    Phase,
    Place,
    Read,
    Shape,
    Slot,
    Step,
    Term,
    TokenAttribute,
    TokenClass,
    Trigger,
    Value,
    Variable,
)
from compiler.ops.row import Op
from compiler.types import BOOL, Int, ListOf, PlaceOf, Player, SetOf, Token, Type
from ruleengine.interpreter import Interpreter
from ruleengine.stops import ChanceStop, Decision, Stop
from ruleengine.table import Table

SEATS = 2
PLAYER = Player(SEATS)
CARD = Token("card")
CARDS = SetOf(CARD)
NUMBER = Int(0, 99)

BOX, DECK, HAND_A, HAND_B, ROW, OPEN, ASIDE, SPOT, BAG = range(9)

A, B = 0, 1


def cards(*values: int, sticky: tuple[str, ...] = ()) -> TokenClass:
    """Cards with these numbers; a number that comes twice has two copies."""
    kinds = tuple(Kind((v,), values.count(v), str(v)) for v in dict.fromkeys(values))
    attributes = (TokenAttribute("value", Int(0, 20)),)
    return TokenClass("card", "Cards", True, attributes, kinds, sticky)


PIECE = TokenClass(
    "piece", "Pieces", False, (TokenAttribute("value", Int(0, 20)),), (Kind((0,), 3, "P"),)
)


def seen_by(*seats: int) -> Term:
    """The seats that see a place."""
    return Const(seats, type=ListOf(PLAYER))


PLACES = (
    Place(BOX, "box", (), "box", Shape.SET, None),
    Place(DECK, "deck", (), "deck", Shape.PILE, "card", face_up=False),
    Place(
        HAND_A,
        "hand",
        (A,),
        "hand[A]",
        Shape.SET,
        "card",
        face_up=False,
        viewers=seen_by(A),
        holder=A,
    ),
    Place(
        HAND_B,
        "hand",
        (B,),
        "hand[B]",
        Shape.SET,
        "card",
        face_up=False,
        viewers=seen_by(B),
        holder=B,
    ),
    Place(ROW, "row", (), "row", Shape.LIST, "card", face_up=False),
    Place(OPEN, "open", (), "open", Shape.SET, "card", flags=("tapped",)),
    Place(ASIDE, "aside", (), "aside", Shape.SET, "card", face_up=False),
    Place(SPOT, "spot", (), "spot", Shape.ONE, "card"),
    Place(BAG, "bag", (), "bag", Shape.SET, "piece", capacity=2),
)

players = Variable("players", SetOf(PLAYER), initial=(A, B))
ended = Variable("ended", BOOL, initial=False)


def number(name: str, initial: int | None = 0, low: int = 0, high: int = 99) -> Variable:
    """A number of the game."""
    return Variable(name, Int(low, high), initial=initial)


def const(value: Value, type_: Type = NUMBER) -> Term:
    """A constant."""
    return Const(value, type=type_)


def place(index: int) -> Term:
    """A place, named."""
    return const(index, PlaceOf(PLACES[index].token_class or "card"))


def all_of(*places: int) -> Term:
    """The tokens of one place, or of several."""
    if len(places) == 1:
        return Read(Contents(), (place(places[0]),), type=CARDS)
    return Read(Contents(), (const(places, ListOf(PlaceOf("card"))),), type=CARDS)


def apply(op: Op | Function, *args: Term, type_: Type = NUMBER) -> Term:
    """An operator applied."""
    return Apply(op, args, type=type_)


def read(variable: Variable, *keys: Term) -> Term:
    """What a variable holds."""
    return Read(variable, keys, type=variable.type)


def value_of(token: Term) -> Term:
    """The number on a card."""
    return Read(Attribute("card", "value", 0), (token,), type=Int(0, 20))


def values_of(tokens: Term, index: int = 9) -> Term:
    """The numbers on cards."""
    bound = Bound("c", index, type=CARD)
    domain = Domain(DomainMode.MEMBERS, tokens)
    return Fold(FoldMode.MAP, bound, domain, None, value_of(bound), type=ListOf(Int(0, 20)))


def slot(
    local: Variable,
    members: Term,
    mode: DomainMode = DomainMode.MEMBERS,
    where: Term | None = None,
    index: int = 0,
    low: int | None = None,
    high: int | None = None,
) -> Slot:
    """A slot that keeps its value in `local`; its bound name has that index."""
    domain = Domain(
        mode,
        members,
        None if low is None else const(low),
        None if high is None else const(high),
    )
    return Slot(Bound("x", index, type=local.type), domain, where, local)


def option(name: str, *slots: Slot, guards: Sequence[Guard] = ()) -> Option:
    """An option."""
    return Option(name, slots, tuple(guards))


def choose(actor: int, *options: Option, optional: bool = False, otherwise: bool = False) -> Choose:
    """A decision of one seat."""
    return Choose(const(actor, PLAYER), options, optional, otherwise)


END = Flow(End(Ending.DRAW, None))


@frozen
class Line:
    """A step with its ways on; none: the next line."""

    step: Step
    next: tuple[int, ...] = ()
    phase: str = "start"


def line(step: Step, *following: int, phase: str = "start") -> Line:
    """A line of a graph."""
    return Line(step, following, phase)


def graph(
    *lines: Line | Step,
    variables: tuple[Variable, ...] = (),
    local: dict[str, tuple[Variable, ...]] | None = None,
    params: dict[str, tuple[Variable, ...]] | None = None,
    triggers: tuple[Trigger, ...] = (),
    deck: TokenClass | None = None,
    places: tuple[Place, ...] = PLACES,
) -> Graph:
    """A graph of these lines; each phase begins at its first, the game at the first of all."""
    listed = [each if isinstance(each, Line) else Line(each) for each in lines]
    listed.append(Line(END))
    nodes = tuple(
        Node(at, each.step, each.next or _onwards(at, each.step, len(listed)), each.phase)
        for at, each in enumerate(listed)
    )
    owned = local or {}
    given = params or {}
    phases = tuple(
        Phase(
            name,
            name.title(),
            given.get(name, ()),
            (*given.get(name, ()), *owned.get(name, ())),
            next(node.id for node in nodes if node.phase == name),
            is_trigger=any(trigger.phase == name for trigger in triggers),
        )
        for name in dict.fromkeys(node.phase for node in nodes)
    )
    return Graph(
        name="hand",
        title="By hand",
        seats=SEATS,
        classes=(deck or cards(1, 2, 3, 4), PIECE),
        places=places,
        variables=(*variables, players, ended),
        functions=(),
        phases=phases,
        nodes=nodes,
        named=(),
        triggers=triggers,
        invariants=(),
        claims=(),
        start=0,
        players=players,
        ended=ended,
    )


def _onwards(at: int, step: Step, count: int) -> tuple[int, ...]:
    if isinstance(step, Flow) and at == count - 1:
        return ()
    if isinstance(step, Choose) and not step.joint:
        return (at + 1,) * (len(step.options) + step.optional + step.has_otherwise)
    return (at + 1, at + 1) if isinstance(step, Branch) else (at + 1,)


def with_viewers(index: int, viewers: Term) -> tuple[Place, ...]:
    """The places, one of them seen by others."""
    return tuple(evolve(each, viewers=viewers) if each.index == index else each for each in PLACES)


def slot_of(interpreter: Interpreter, variable: Variable) -> int:
    """The slot of a variable without keys."""
    return interpreter.statics.offset(variable)


def holds(interpreter: Interpreter, table: Table, variable: Variable) -> Value:
    """What a variable without keys holds."""
    return table.values[slot_of(interpreter, variable)]


def put(interpreter: Interpreter, table: Table, where: int, *words: str) -> list[int]:
    """Moves cards of these words from the box to a place, first on top; their handles."""
    graph_ = interpreter.graph
    found = []
    for word in words:
        for token in table.cells[BOX]:
            class_ = graph_.classes[interpreter.statics.token_class[token]]
            if class_.kinds[table.kind[token]].word == word:
                table.cells[BOX].remove(token)
                table.cells[where].append(token)
                table.place[token] = where
                table.face[token] = graph_.places[where].face_up or not class_.is_card
                found.append(token)
                break
    return found


def words(interpreter: Interpreter, table: Table, where: int) -> list[str]:
    """The words of the tokens of a place, top first; `?` for those without a kind."""
    out = []
    for token in table.cells[where]:
        class_ = interpreter.graph.classes[interpreter.statics.token_class[token]]
        kind = table.kind[token]
        out.append("?" if kind < 0 else class_.kinds[kind].word)
    return out


def decision(stop: Stop) -> Decision:
    """The stop, which is a decision."""
    assert isinstance(stop, Decision)
    return stop


def chance(stop: Stop) -> ChanceStop:
    """The stop, which is one of chance."""
    assert isinstance(stop, ChanceStop)
    return stop


def odds(stop: Stop) -> dict[str, int]:
    """The outcomes of a chance stop by label, with weights, in their order."""
    return {outcome.label: outcome.weight for outcome in chance(stop).outcomes}
