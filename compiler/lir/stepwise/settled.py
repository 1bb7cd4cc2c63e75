"""Which moves take the same tokens whatever chance says these are."""

from compiler.graph.core import (
    AllTokens,
    Apply,
    Contents,
    Move,
    Read,
    Shape,
    Term,
    Variable,
)
from compiler.graph.walk import whole
from compiler.lir.stepwise.plan import Plan, is_list
from compiler.ops import lists
from compiler.types import has_tokens


def is_settled(plan: Plan, move: Move) -> bool:
    """Whether a move takes tokens of one place as they lie there in order, however they turn out.

    Where they go, and how many of them, does not depend on what is hidden either.
    """
    others = [term for term in (move.count, move.place) if term is not None]
    return _lies_in_order(plan, move.tokens) and not any(map(_asks_tokens, others))


def _lies_in_order(plan: Plan, term: Term) -> bool:
    match term:
        case Read(Contents(), (where,)) if not is_list(where.type):
            shape = plan.shape(where)
            return shape in (Shape.PILE, Shape.LIST, Shape.ONE) and not _asks_tokens(where)
        case Apply(lists.TAKE | lists.TAKE_LAST, (number, listed)):
            return _lies_in_order(plan, listed) and not _asks_tokens(number)
        case Apply(lists.FIRST | lists.LAST | lists.REST, (listed,)):
            return _lies_in_order(plan, listed)
        case _:
            return False


def _asks_tokens(term: Term) -> bool:
    """Whether a term reads anything that depends on what tokens are, or how sets are ordered."""
    for part in whole(term):
        match part:
            case Read(Variable() as variable):
                if has_tokens(variable.type):
                    return True
            case Read(Contents() | AllTokens()):
                return True
            case Read():
                return True
            case _:
                pass
    return False
