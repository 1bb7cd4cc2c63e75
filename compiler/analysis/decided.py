"""Whether a test can come out in one way only, by the ranges of what it compares.

Nothing is known of a value but its type: `n > 9` is false of a number that goes from 0 to 9, and
`n is 1 and n is 2` of any number.
"""

from collections.abc import Callable, Mapping
from typing import Final

from compiler.analysis.situations import holds, situations
from compiler.graph.core import Apply, Cond, Const, Term
from compiler.graph.evaluate import NotConstant
from compiler.ops.lists import IS
from compiler.ops.numbers import AT_LEAST, AT_MOST, LESS, MORE, NOT
from compiler.ops.row import Op, Undefined
from compiler.types import Int

_MOST: Final = 400  # situations of a test that are tried

_Ends = tuple[int, int]


def _below(one: _Ends, other: _Ends) -> bool | None:
    """Whether numbers of a range are below those of another: all, none, or some."""
    if one[1] < other[0]:
        return True
    return False if one[0] >= other[1] else None


def _opposite(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


def _equal(one: _Ends, other: _Ends) -> bool | None:
    apart = _below(one, other) or _below(other, one)
    return False if apart else True if one == other and one[0] == one[1] else None


_COMPARING: Final[Mapping[Op, Callable[[_Ends, _Ends], bool | None]]] = {
    LESS: _below,
    MORE: lambda one, other: _below(other, one),
    AT_LEAST: lambda one, other: _opposite(_below(one, other)),
    AT_MOST: lambda one, other: _opposite(_below(other, one)),
    IS: _equal,
}


def decided(test: Term) -> bool | None:
    """What a test always gives; `None` if that cannot be told from types."""
    answer = _by_ranges(test)
    return _by_values(test) if answer is None else answer


def _by_values(test: Term) -> bool | None:
    """The same where all values of what it reads can be tried."""
    answers: set[bool] = set()
    try:
        for situation in situations((test,), _MOST):
            answers.add(holds(test, situation))
            if len(answers) > 1:
                return None
    except (NotConstant, Undefined):
        return None
    return answers.pop() if answers else None


def _by_ranges(test: Term) -> bool | None:
    match test:
        case Const(value):
            return bool(value)
        case Apply(op, (inner,)) if op is NOT:
            return _opposite(_by_ranges(inner))
        case Apply(op, (one, other)) if isinstance(op, Op) and op in _COMPARING:
            left, right = one.type, other.type
            if isinstance(left, Int) and isinstance(right, Int):
                return _COMPARING[op]((left.low, left.high), (right.low, right.high))
            return None
        case Cond(asked, then, otherwise):
            answer = _by_ranges(asked)
            if answer is not None:
                return _by_ranges(then if answer else otherwise)
            both = {_by_ranges(then), _by_ranges(otherwise)}
            return both.pop() if len(both) == 1 else None
        case _:
            return None
