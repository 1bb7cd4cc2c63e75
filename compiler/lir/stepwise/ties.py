"""What the members of a set must have in common, read off the conditions on the set.

Where a set is wanted only if something of its members is the same, or follows one another, members
that cannot stand together are not tried together.  Anything else is simply tried.
"""

from typing import Final

from attrs import frozen

from compiler.graph.core import (
    Apply,
    Bound,
    Cond,
    Const,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    Term,
)
from compiler.graph.walk import subterms
from compiler.lir.core import Expr
from compiler.lir.stepwise.asks import Asks
from compiler.lir.stepwise.code import Code
from compiler.lir.stepwise.growing import Growing
from compiler.lir.stepwise.levels import ends
from compiler.lir.stepwise.lists import elements, size
from compiler.lir.stepwise.plan import may_be_none
from compiler.ops import lists

_BITS: Final = 64


@frozen
class Tie:
    """Something of each member, the same for all, or `in_a_row` without gap or repetition."""

    of: Term
    bound: Bound
    in_a_row: bool
    alone: bool  # the term has no other names

    @property
    def span(self) -> tuple[int, int] | None:
        """What the values lie between, if each can have a bit of its own."""
        span = ends(self.of.type)
        return None if span is None or span[1] - span[0] >= _BITS else span


@frozen
class Keyed:
    """That of each member, as a list."""

    keys: Expr
    in_a_row: bool
    span: tuple[int, int] | None = None  # what the keys lie between, where that is little

    @property
    def is_far(self) -> bool:
        """Whether what stands in a row is not told by a mask for each key."""
        return self.in_a_row and self.span is None

    @classmethod
    def of(cls, reader: Asks, members: Expr, tie: Tie) -> "Keyed":
        """Reads it of all members."""
        code: Code = reader.code
        keys = Growing.of(code, size(members))
        with elements(code, members) as (each, one):
            inner = reader.binding(each, tie.bound, each.keep(one))
            keys.push(each, each.keep(inner.term(tie.of)))
        return cls(keys.done(code), tie.in_a_row, tie.span)


def ties(conditions: list[Term], index: int) -> list[Tie]:
    """Those of the set that is called `Bound` number `index`."""
    found = []
    for condition in conditions:
        for part in _conjuncts(condition):
            tie = _tie(part, index, within=False)
            if tie is not None:
                found.append(tie)
    return found


def is_tied(condition: Term, index: int, known: list[Tie]) -> bool:
    """Whether a condition says nothing but what some ties say of a set.

    What may be `none` is not known to be the same, or to follow anything.
    """
    parts = _conjuncts(condition)
    told = [_tie(part, index, within=False) for part in parts]
    return all(tie in known and not may_be_none(tie.of.type) for tie in told if tie) and all(told)


def _conjuncts(term: Term) -> list[Term]:
    match term:
        case Cond(test, then, Const(False)):
            return [*_conjuncts(test), *_conjuncts(then)]
        case _:
            return [term]


def _tie(term: Term, index: int, within: bool) -> Tie | None:
    match term:
        case Apply(Function() as called, (Bound(index=given),)) if given == index:
            only = len(called.cases) == 1
            return _tie(called.cases[0].value, 0, within=True) if only else None
        case Apply(op, (Fold(mode=FoldMode.MAP, where=None, body=Fold()),)):
            return None
        case Apply(op, (Fold(mode=FoldMode.MAP, where=None) as fold,)) if op in (
            lists.SAME,
            lists.CONSECUTIVE,
        ):
            return _of_members(fold, index, within, in_a_row=op is lists.CONSECUTIVE)
        case _:
            return None


def _of_members(fold: Fold, index: int, within: bool, in_a_row: bool) -> Tie | None:
    domain = fold.domain
    over_set = isinstance(domain.members, Bound) and domain.members.index == index
    body = fold.bound if fold.body is None else fold.body
    names = {part.index for part in subterms(body) if isinstance(part, Bound)}
    if domain.mode is not DomainMode.MEMBERS or not over_set or index in names:
        return None
    alone = names <= {fold.bound.index}
    return Tie(body, fold.bound, in_a_row, alone) if alone or not within else None
