"""A graph built by hand that has one of everything a state can hold.

Two classes: 64 single cards (so that the last one is bit 63), and chips with twins.  Two seats.
"""

from typing import TypeAlias

from attrs import evolve

from compiler.graph.core import (
    Assign,
    Bound,
    Branch,
    Call,
    Chance,
    Cond,
    Const,
    Contents,
    Die,
    End,
    Ending,
    FaceTarget,
    FlagTarget,
    Flow,
    Graph,
    Jump,
    Kind,
    Move,
    Node,
    Phase,
    Place,
    Read,
    Return,
    Roll,
    Shape,
    Shuffle,
    Step,
    Term,
    TokenClass,
    Trigger,
    Variable,
)
from compiler.types import (
    BOOL,
    SQUARE,
    Int,
    ListOf,
    Optional,
    PlaceOf,
    Player,
    SetOf,
    Token,
)

SEATS = 2

CARD = TokenClass(
    "card", "Cards", True, (), tuple(Kind((k,), 1, f"C{k}") for k in range(64)), ("bent",)
)
CHIP = TokenClass(
    "chip", "Chips", False, (), (Kind((), 1, "A"), Kind((), 2, "B"), Kind((), 3, "C"))
)
STONE = TokenClass("stone", "Stones", False, (), (Kind((), 5, "X"), Kind((), 4, "O")))

BOX, DECK, TABLE, HAND_A, HAND_B, PURSE, TOWER_1, TOWER_2, TOWER_3, SPOT, ASIDE = range(11)


def _places() -> tuple[Place, ...]:
    def seen_by(*seats: int) -> Term:
        return Const(seats, type=ListOf(Player(SEATS)))

    named = (
        Place(BOX, "box", (), "box", Shape.SET, None),
        Place(DECK, "deck", (), "deck", Shape.PILE, "card", face_up=False),
        Place(TABLE, "table", (), "table", Shape.SET, "card", flags=("tapped",)),
        Place(
            HAND_A, "hand", (0,), "hand[A]", Shape.SET, "card", face_up=False, viewers=seen_by(0)
        ),
        Place(
            HAND_B, "hand", (1,), "hand[B]", Shape.SET, "card", face_up=False, viewers=seen_by(1)
        ),
        Place(PURSE, "purse", (), "purse", Shape.SET, "chip"),
        *(
            Place(TOWER_1 + i, "tower", (i,), f"tower[{i + 1}]", Shape.PILE, "chip")
            for i in range(3)
        ),
        Place(SPOT, "spot", (), "spot", Shape.ONE, "card", face_up=False),
        Place(ASIDE, "aside", (), "aside", Shape.SET, "card", face_up=False),
    )
    squares = tuple(
        Place(
            11 + 2 * (row - 1) + column - 1,
            "grid",
            (column, row),
            f"grid[{column}, {row}]",
            Shape.ONE,
            "stone",
            square=(column, row),
        )
        for row in (1, 2)
        for column in (1, 2)
    )
    return (*named, *squares)


PLACES = _places()
GRID = tuple(place.index for place in PLACES if place.zone == "grid")

chip_list = Variable("chip_list", ListOf(Token("chip")), initial=())
card_set = Variable("card_set", SetOf(Token("card")), initial=())
chosen_chip = Variable("chosen_chip", Optional(Token("chip")))
score = Variable("score", Int(-300, 300), ((0, 1),), (Player(SEATS),), initial=0)
passed = Variable("passed", SetOf(Player(SEATS)), initial=())
target = Variable("target", Optional(SQUARE))
home = Variable("home", PlaceOf("chip"), initial=PURSE)
FACES = ((1,), (2,), (1, 3))
die = Die("die", ListOf(Int(1, 3)), faces=FACES)
players = Variable("players", SetOf(Player(SEATS)), initial=(0, 1))
ended = Variable("ended", BOOL, initial=False)
GAME = (chip_list, card_set, chosen_chip, score, passed, target, home, die, players, ended)
KEPT = GAME[:-1]

outer_local = Variable("kept", ListOf(Token("chip")), phase="start")
inner_param = Variable("wanted", Int(0, 9), phase="inner")
inner_local = Variable("taken", Optional(Token("chip")), phase="inner")
other_local = Variable("counted", Int(0, 9), phase="other")
TRUE = Const(True, type=BOOL)


def place(index: int) -> Term:
    """A term that names a place."""
    return Const(index, type=PlaceOf(PLACES[index].token_class or "card"))


def all_of(index: int) -> Term:
    """A term that gives the tokens of a place."""
    token_class = PLACES[index].token_class or "card"
    return Read(Contents(), (place(index),), type=ListOf(Token(token_class)))


def read(variable: Variable, *keys: int) -> Read:
    """A term that reads a variable."""
    return Read(variable, tuple(Const(key) for key in keys), type=variable.type)


def flow(way: Call | Jump | Return | End) -> Flow:
    """A flow step."""
    return Flow(way)


Line: TypeAlias = tuple[Step, tuple[int, ...], str]
"""A node: its step, its ways on and its phase."""

_LOCALS = {
    "start": (outer_local,),
    "inner": (inner_param, inner_local),
    "other": (other_local,),
}


def graph(*lines: Line, triggers: tuple[Trigger, ...] = ()) -> Graph:
    """A graph of these nodes; each phase begins at its first."""
    nodes = tuple(Node(at, *line) for at, line in enumerate(lines))
    phases = tuple(
        Phase(
            name,
            name.title(),
            (inner_param,) if name == "inner" else (),
            _LOCALS.get(name, ()),
            next(node.id for node in nodes if node.phase == name),
            is_trigger=any(trigger.phase == name for trigger in triggers),
        )
        for name in dict.fromkeys(node.phase for node in nodes)
    )
    return Graph(
        name="small",
        title="Small",
        seats=SEATS,
        classes=(CARD, CHIP, STONE),
        places=PLACES,
        variables=GAME,
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


def with_locals(made: Graph, phase: str, *variables: Variable) -> Graph:
    """The graph with other locals of a phase."""
    phases = tuple(
        evolve(old, locals=variables) if old.name == phase else old for old in made.phases
    )
    return evolve(made, phases=phases)


def with_viewers(made: Graph, index: int, viewers: Term) -> Graph:
    """The graph with others who see what lies face down in a place."""
    places = tuple(
        evolve(old, viewers=viewers) if old.index == index else old for old in made.places
    )
    return evolve(made, places=places)


def read_all(*variables: Variable) -> Branch:
    """A step that may read all these variables, whole."""
    test: Term = TRUE
    for variable in reversed(variables):
        test = Cond(Read(variable, tuple(Bound("key", 0) for _ in variable.keys)), TRUE, test)
    return Branch(test)


def everything() -> Graph:
    """A graph whose node 0 may still read every variable, and whose steps make all sub-bags.

    Node 0 (`start`) calls `inner`, node 5, which calls `other`, node 7; `alarm`, node 9, is a
    trigger that calls `other` too.
    """
    return graph(
        (flow(Call("inner")), (1,), "start"),
        (read_all(*KEPT, outer_local), (2, 2), "start"),
        (Move(all_of(DECK), place(ASIDE)), (3,), "start"),
        (Assign(FaceTarget(), (all_of(ASIDE),), Const(True)), (18,), "start"),
        (flow(End(Ending.DRAW, None)), (), "start"),
        (flow(Call("other")), (6,), "inner"),
        (read_all(inner_param, inner_local), (13, 13), "inner"),
        (read_all(other_local), (8, 8), "other"),
        (flow(Return()), (), "other"),
        (flow(Call("other")), (10,), "alarm"),
        (Assign(FlagTarget("tapped"), (all_of(TABLE),), TRUE), (11,), "alarm"),
        (Assign(FlagTarget("bent"), (all_of(TABLE),), TRUE), (12,), "alarm"),
        (flow(Return()), (), "alarm"),
        (Chance(Shuffle(place(DECK))), (14,), "inner"),
        (Chance(Roll(((die, (), FACES),))), (15,), "inner"),
        (Assign(FaceTarget(), (all_of(SPOT),), TRUE), (16,), "inner"),
        (Assign(outer_local, (), all_of(PURSE)), (17,), "inner"),
        (flow(Return()), (), "inner"),
        (Assign(card_set, (), all_of(DECK)), (4,), "start"),
        triggers=(Trigger(read(ended), "alarm", "Alarm"),),
    )
