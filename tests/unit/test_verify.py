"""A graph that breaks a promise is refused, and the place is named."""

import pytest
from attrs import evolve

from compiler.diagnostic import InternalError
from compiler.graph.core import (
    Assign,
    Bound,
    Branch,
    Call,
    Choose,
    Const,
    Domain,
    DomainMode,
    End,
    Ending,
    FaceTarget,
    Fold,
    FoldMode,
    Graph,
    Guard,
    Jump,
    Move,
    Option,
    Read,
    Return,
    Slot,
    Step,
    Variable,
)
from compiler.graph.verify import verify
from compiler.types import BOOL, Int, ListOf, Player, Token, Type
from tests.unit import small_graph as small
from tests.unit.lowered import shipped
from tests.unit.small_graph import all_of, flow, graph, place, read

STOP = flow(End(Ending.DRAW, None))
SEAT = Const(0, type=Player(2))
NUMBER = Const(1, type=Int(1, 1))


def one(step: Step, *ways: int, phase: str = "start") -> Graph:
    """A graph of one step and the end."""
    return graph((step, ways, phase), (STOP, (), phase))


def choice(*options: Option) -> Choose:
    """A decision of A."""
    return Choose(SEAT, options)


@pytest.mark.parametrize(
    "made",
    [
        one(Assign(small.score, (SEAT,), NUMBER), 1),
        one(Branch(small.TRUE), 1, 1),
        one(Move(all_of(small.DECK), place(small.ASIDE)), 1),
        one(choice(Option("go", (), (Guard(small.TRUE),))), 1),
        graph(
            (Assign(small.inner_param, (), NUMBER), (1,), "start"),
            (flow(Call("inner")), (2,), "start"),
            (STOP, (), "start"),
            (Branch(small.TRUE), (4, 4), "inner"),
            (flow(Return()), (), "inner"),
        ),
    ],
)
def test_a_sound_graph_is_accepted(made: Graph) -> None:
    """Assignments, branches, moves, decisions and calls as lowering makes them pass."""
    verify(made)


@pytest.mark.parametrize("path", ["klink/klink.rules", "jinxx/jinxx.rules", "classics/kuhn.rules"])
def test_a_lowered_rulebook_is_accepted(path: str) -> None:
    """What the compiler makes of a rulebook keeps all promises."""
    verify(shipped(path, 2 if "kuhn" in path else 4))


stranger = Variable("stranger", BOOL)
x = Bound("x", 0, type=Int(0, 9))
SOME = Domain(DomainMode.MEMBERS, Const((1, 2), type=ListOf(Int(1, 2))))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (one(Branch(small.TRUE), 1), "has 1 ways on, not 2"),
        (one(choice(Option("go", (), ())), 1, 1), "has 2 ways on, not 1"),
        (one(Branch(small.TRUE), 1, 7), "leads to node 7"),
        (graph((Branch(small.TRUE), (1, 1), "start"), (STOP, (), "other")), "out of its phase"),
        (one(Branch(read(stranger)), 1, 1), "reads stranger"),
        (one(Assign(stranger, (), small.TRUE), 1), "gives stranger a value"),
        (one(Branch(Read(small.other_local, type=BOOL)), 1, 1), "reads counted of elsewhere"),
        (one(Assign(small.score, (), NUMBER), 1), "0 keys for score"),
        (one(flow(Call("nowhere")), 1), "no phase is called nowhere"),
        (one(flow(Jump("nowhere"))), "no phase is called nowhere"),
        (one(Branch(x), 1, 1), "nothing is called x here"),
        (one(Branch(NUMBER), 1, 1), "1..1 where bool must be"),
        (one(Assign(small.target, (), NUMBER), 1), "1..1 where square or none must be"),
        (one(Move(SEAT, place(small.ASIDE)), 1), "player where tokens must be"),
        (one(Move(all_of(small.DECK), SEAT), 1), "player where a place must be"),
        (one(choice(Option("go", (), ()), Option("go", (), ())), 1, 1), "two options of one name"),
        (
            graph((STOP, (), "start"), (STOP, (), "start")),
            "nothing leads to node 1",
        ),
    ],
)
def test_a_broken_promise_is_named(made: Graph, said: str) -> None:
    """What is wrong, and where, stands in the error."""
    with pytest.raises(InternalError, match=said):
        verify(made)


def test_a_name_is_known_inside_its_fold_only() -> None:
    """The name of a quantifier's element means nothing behind the quantifier."""
    inside = Fold(FoldMode.SOME, x, SOME, None, small.TRUE, type=BOOL)
    where = Fold(FoldMode.SOME, x, Domain(DomainMode.MEMBERS, x), None, small.TRUE, type=BOOL)

    verify(one(Branch(inside), 1, 1))
    with pytest.raises(InternalError, match="nothing is called x"):
        verify(one(Branch(where), 1, 1))


def test_a_later_slot_may_read_an_earlier_one() -> None:
    """Slots come from left to right: the second knows the first, not the other way round."""
    first = Slot(x, SOME, None, small.other_local)
    second = Slot(
        Bound("y", 1),
        Domain(DomainMode.MEMBERS, evolve(x, type=Int(0, 9))),
        None,
        small.other_local,
    )

    verify(one(choice(Option("go", (first, second), ())), 1, phase="other"))
    with pytest.raises(InternalError, match="nothing is called x"):
        verify(one(choice(Option("go", (second, first), ())), 1, phase="other"))


@pytest.mark.parametrize(("type_", "fine"), [(Token("card"), True), (Int(0, 3), False)], ids=str)
def test_only_tokens_have_faces(type_: Type, fine: bool) -> None:
    """Numbers cannot be turned over."""
    step = Assign(FaceTarget(), (Const(None, type=type_),), small.TRUE)

    if fine:
        verify(one(step, 1))
        return
    with pytest.raises(InternalError, match="where tokens must be"):
        verify(one(step, 1))


def test_a_place_stands_at_its_index() -> None:
    """Places are numbered as they are listed."""
    made = one(Branch(small.TRUE), 1, 1)
    swapped = (made.places[0], made.places[2], made.places[1], *made.places[3:])

    with pytest.raises(InternalError, match="is place 1, not 2"):
        verify(evolve(made, places=swapped))
