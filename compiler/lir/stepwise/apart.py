"""Which lists of tokens surely have none in common: they lie in different places."""

from compiler.graph.core import (
    Apply,
    Const,
    Contents,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    Read,
    Term,
    Value,
)
from compiler.lir.stepwise.plan import is_list, may_be_none
from compiler.ops import lists
from compiler.ops.row import Lookup


def are_apart(left: Term, right: Term) -> bool:
    """Whether two lists of tokens have none in common, whatever happens."""
    here, there = _places(left), _places(right)
    return here is not None and there is not None and not here & there


def joined_places(term: Term) -> tuple[Term, ...] | None:
    """The places whose tokens a list has one after the other, if they are all different ones."""
    match term:
        case Read(Contents(), (where,)) if not is_list(where.type) and not may_be_none(where.type):
            return (where,)
        case Apply(lists.UNION, (left, right)) if are_apart(left, right):
            first, last = joined_places(left), joined_places(right)
            return None if first is None or last is None else first + last
        case _:
            return None


def _places(term: Term) -> frozenset[int] | None:
    """Where the tokens of a list can be; `None` if that is not known."""
    match term:
        case Read(Contents(), (where,)):
            return _among(where)
        case Fold(mode=FoldMode.FILTER, domain=domain) if domain.mode is DomainMode.MEMBERS:
            return _places(domain.members)
        case Apply(lists.UNION, (left, right)):
            here, there = _places(left), _places(right)
            return None if here is None or there is None else here | there
        case Apply(Function() as called) if len(called.cases) == 1:
            return _places(called.cases[0].value)
        case _:
            return None


def _among(where: Term) -> frozenset[int] | None:
    """The values of a place, or of a list of places."""
    match where:
        case Const(value):
            return frozenset(_scalars(value))
        case Apply(Lookup(table=table)):
            return frozenset(_scalars(table))
        case _:
            return None


def _scalars(value: Value) -> list[int]:
    if isinstance(value, tuple):
        return [one for row in value for one in _scalars(row)]
    return [] if value is None else [int(value)]
