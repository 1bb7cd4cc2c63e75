"""Which lists surely have each element once."""

from collections.abc import Iterator
from typing import Final

from compiler.graph.core import (
    AllTokens,
    Apply,
    Cond,
    Const,
    Contents,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    Read,
    Term,
    Value,
    Variable,
)
from compiler.lir.stepwise.plan import is_list
from compiler.ops import lists
from compiler.ops.row import Lookup

_KEEPING: Final = frozenset({lists.REST, lists.MOST, lists.LEAST, lists.AFTER})
_MAKING: Final = frozenset({lists.RANGE, lists.DISTINCT, lists.UNORDERED, lists.AS_SET, lists.JUST})


def is_unique(term: Term) -> bool:
    """Whether a list has each element once, as far as it can be told before play."""
    match term:
        case Const(tuple() as values):
            return len(set(values)) == len(values)
        case Read(Variable() | AllTokens()):
            return True  # a variable takes no other lists
        case Read(Contents(), (where,)):
            return not is_list(where.type) or is_unique(where)
        case Fold(mode=FoldMode.FILTER, domain=domain):
            return domain.mode is DomainMode.MEMBERS and is_unique(domain.members)
        case Apply(lists.UNION, (left, right)):
            return is_unique(left) and is_unique(right)
        case Apply(lists.MINUS, (left, _)):
            return is_unique(left)
        case Apply(op, args) if op in _KEEPING:
            return is_unique(args[0])
        case Apply(lists.TAKE | lists.TAKE_LAST, (_, listed)):
            return is_unique(listed)
        case Apply(Function() as called):
            return all(is_unique(case.value) for case in called.cases)
        case Apply(Lookup(table=table, lows=lows)):
            return all(map(_is_set, _leaves(table, len(lows))))
        case Cond(_, then, otherwise):
            return is_unique(then) and is_unique(otherwise)
        case Apply(op):
            return op in _MAKING
        case _:
            return False


def what_is_left(term: Term) -> Term:
    """A list without operators that leave it as it is, which readings of a rulebook may be."""
    match term:
        case Apply(lists.UNION, (left, Const(()))) | Apply(lists.UNION, (Const(()), left)):
            return what_is_left(left) if is_unique(left) else term
        case Apply(lists.MINUS, (left, Const(()))):
            return what_is_left(left)
        case _:
            return term


def _leaves(table: tuple[Value, ...], depth: int) -> Iterator[Value]:
    """What a nested table holds."""
    for value in table:
        if depth == 1:
            yield value
        elif isinstance(value, tuple):
            yield from _leaves(value, depth - 1)


def _is_set(value: Value) -> bool:
    return value is None or (isinstance(value, tuple) and len(set(value)) == len(value))
