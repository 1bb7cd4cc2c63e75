"""What surely does not count is left out before play; what chance decides is settled at once."""

from compiler.graph.core import Apply, Bound, Cond, Const, Contents, Move, Read, Term
from compiler.lir.stepwise.settled import is_settled
from compiler.lir.stepwise.sparing import surely
from compiler.ops import lists
from compiler.types import Int
from ruleengine.batch import lowered
from ruleengine.game import load

NUMBER = Bound("n", 0, type=Int(1, 3))
OPEN = Apply(lists.COUNT, (Read(Contents(), (Const(1),)),))
"""What only play shows."""


def both(left: Term, right: Term) -> Term:
    """Whether two conditions hold, as graphs say it."""
    return Cond(left, right, Const(False))


def is_one() -> Term:
    """Whether the number is 1."""
    return Apply(lists.IS, (NUMBER, Const(1)))


def test_what_is_printed_decides() -> None:
    """A condition surely fails where its first part does, whatever the table is like."""
    assert surely(both(is_one(), OPEN), {0: 2}, {}) is False
    assert surely(both(is_one(), OPEN), {0: 1}, {}) is None
    assert surely(both(is_one(), is_one()), {0: 1}, {}) is True


def test_what_comes_first_is_asked_first() -> None:
    """Where something before it is open, nothing is sure: to find that out may be a fault."""
    assert surely(both(OPEN, is_one()), {0: 2}, {}) is None


def test_cards_from_a_pile_are_settled() -> None:
    """In Jinks a move takes what lies on a stack, or what was chosen, which may lie anywhere."""
    graph = load("jinks").graph
    plan = lowered(load("jinks")).stepwise.plan
    settled = [
        node.phase
        for node in graph.nodes
        if isinstance(node.step, Move) and is_settled(plan, node.step)
    ]

    assert settled == ["new_round", "luck_draw"]
