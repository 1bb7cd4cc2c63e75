"""How deep in loops the values of terms are decided, and which terms are worth keeping.

The member that a loop is at has the number of loops around it as its level; a term has the level
of the innermost member that it reads.
"""

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from compiler.graph.core import (
    Apply,
    Bound,
    Cond,
    Const,
    Contents,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    Read,
    Term,
    Variable,
)
from compiler.graph.walk import function_terms, subterms
from compiler.lir.stepwise.plan import is_list
from compiler.ops import lists
from compiler.types import Bool, Enum, Int, Player, Type, element

_FRESH: Final = -1
"""The index of a name that no spec binds."""

_MOST_VALUES: Final = 64
_MOST_WRITTEN: Final = 160
"""Terms of a function that is written out where it is called."""

Levels = Mapping[int, int]
"""How deep in loops the value of a bound name is decided, by index; 0 outside of all."""


def level(term: Term, levels: Levels) -> int:
    """How deep in loops the value of a term is decided."""
    inside = (part.index for part in subterms(term) if isinstance(part, Bound))
    return max((levels.get(index, 0) for index in inside), default=0)


def is_heavy(term: Term) -> bool:
    """Whether a term goes through a list, or makes one."""
    return any(_is_heavy(part) for part in subterms(term))


def _is_heavy(term: Term) -> bool:
    match term:
        case Fold():
            return True
        case Apply(Function() as called):
            return any(is_heavy(part) for part in function_terms(called))
        case Apply(lists.COUNT | lists.FIRST, (Read(Contents(), (where,)),)):
            return is_list(where.type)
        case Apply(lists.IN, (_, Const() | Apply(lists.RANGE))):
            return False
        case Apply(lists.RANGE):
            return False
        case Apply(_, args):
            return any(is_list(arg.type) for arg in args)
        case _:
            return False


def is_written_out(function: Function) -> bool:
    """Whether a function is written out within a loop, so that parts of it can be kept."""
    parts = function_terms(function)
    return any(map(is_heavy, parts)) and sum(map(_size, parts)) <= _MOST_WRITTEN


def _size(term: Term) -> int:
    total = 0
    for part in subterms(term):
        total += 1
        if isinstance(part, Apply) and isinstance(part.op, Function):
            total += sum(map(_size, function_terms(part.op)))
    return total


@frozen
class Tally:
    """Of which value how many members are, told from `wanted`, which changes more often."""

    members: Term
    bound: Bound
    of: Term
    others: tuple[Term, ...]  # what else a member must be
    wanted: Term
    low: int
    count: int
    level: int


def tally(term: Term, levels: Levels) -> Tally | None:
    """Whether some members, or how many, have a value: as a tally of all values."""
    match term:
        case Apply(lists.IN, (wanted, listed)) if not isinstance(listed, Const):
            inner = element(listed.type)
            if inner is None or not (is_heavy(listed) or _is_held(listed)):
                return None
            member = Bound("one", _FRESH, type=inner)
            return _tally(listed, member, member, wanted, (), levels)
        case Apply(lists.COUNT, (Fold(mode=FoldMode.FILTER) as fold,)):
            asked = [] if fold.where is None else conjuncts(fold.where)
        case Fold(mode=FoldMode.SOME) as fold:
            asked = [part for one in (fold.where, fold.body) if one for part in conjuncts(one)]
        case _:
            return None
    if fold.domain.mode is not DomainMode.MEMBERS:
        return None
    for at, part in enumerate(asked):
        others = (*asked[:at], *asked[at + 1 :])
        match part:
            case Apply(lists.IS, (left, right)):
                for of, wanted in ((left, right), (right, left)):
                    members = fold.domain.members
                    found = _tally(members, fold.bound, of, wanted, others, levels)
                    if found is not None:
                        return found
    return None


def _is_held(term: Term) -> bool:
    """Whether a term is a list that a variable holds."""
    return isinstance(term, Read) and isinstance(term.source, Variable)


def _tally(
    members: Term, bound: Bound, of: Term, wanted: Term, others: tuple[Term, ...], levels: Levels
) -> Tally | None:
    given, asked = ends(of.type), ends(wanted.type)
    if given is None or asked is None or given[1] - given[0] >= _MOST_VALUES:
        return None
    if bound.index in _names(wanted) or bound.index not in _names(of):
        return None
    without = {index: at for index, at in levels.items() if index != bound.index}
    least = max(level(part, without) for part in (members, of, *others))
    if least >= level(wanted, without):
        return None
    return Tally(members, bound, of, others, wanted, given[0], given[1] - given[0] + 1, least)


def _names(term: Term) -> set[int]:
    return {part.index for part in subterms(term) if isinstance(part, Bound)}


def ends(type_: Type) -> tuple[int, int] | None:
    """The least and the greatest number that stands for a value, which must be there."""
    match type_:
        case Int(low, high):
            return low, high
        case Enum(members=members):
            return 0, len(members) - 1
        case Player(seats):
            return 0, seats - 1
        case Bool():
            return 0, 1
        case _:
            return None


def conjuncts(term: Term) -> list[Term]:
    """What must all hold for a condition to hold."""
    match term:
        case Cond(test, then, Const(False)):
            return [*conjuncts(test), *conjuncts(then)]
        case _:
            return [term]
