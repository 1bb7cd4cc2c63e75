"""Terms that ask the same thing under other names, and terms with parts put in place of others."""

from collections.abc import Callable, Mapping
from typing import TypeAlias, assert_never

from attrs import evolve, fields

from compiler.graph.core import (
    Apply,
    Bound,
    Cond,
    Const,
    Domain,
    Fold,
    FoldMode,
    Option,
    Read,
    Term,
)
from compiler.graph.walk import TERMS
from compiler.lir.stepwise.levels import conjuncts

_Names = Mapping[int, int]
"""What a bound name of the one term is called in the other, by index."""

_NO_NAMES: _Names = {}

Instead: TypeAlias = Callable[[Term], Term | None]
"""What stands in place of a term, if anything does."""


def is_alike(one: object, other: object, names: _Names = _NO_NAMES) -> bool:
    """Whether two terms, or parts of them, are the same once names that they bind are changed."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Bound) and isinstance(other, Bound):
        return names.get(one.index, one.index) == other.index
    if isinstance(one, Fold) and isinstance(other, Fold):
        inner = {**names, one.bound.index: other.bound.index}
        return (
            one.mode is other.mode
            and is_alike(one.domain, other.domain, names)
            and is_alike((one.where, one.body), (other.where, other.body), inner)
        )
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(is_alike(a, b, names) for a, b in pairs)
    if isinstance(one, (*TERMS, Domain)):
        slots = (slot.name for slot in fields(type(one)) if slot.eq)
        return all(is_alike(getattr(one, s), getattr(other, s), names) for s in slots)
    return one == other


def asks_for(term: Term, option: Option) -> bool:
    """Whether a term is the question whether an option can be taken in some way."""
    names: dict[int, int] = {}
    inner: Term | None = term
    for slot in option.slots:
        if not isinstance(inner, Fold) or inner.mode is not FoldMode.SOME:
            return False
        if not is_alike(inner.domain, slot.domain, names):
            return False
        names[inner.bound.index] = slot.bound.index
        if not is_alike(inner.where, slot.where, names):
            return False
        inner = inner.body
    asked = [] if inner is None or inner == Const(True) else conjuncts(inner)
    guards = [part for guard in option.guards for part in conjuncts(guard.holds)]
    return is_alike(tuple(asked), tuple(guards), names)


def replaced(term: Term, instead: Instead) -> Term:
    """A term with something else for the parts that have it; functions stay as they are."""
    found = instead(term)
    if found is not None:
        return found
    match term:
        case Read(args=args) | Apply(args=args):
            return evolve(term, args=tuple(replaced(arg, instead) for arg in args))
        case Cond(test, then, otherwise):
            test, then, otherwise = (replaced(p, instead) for p in (test, then, otherwise))
            return evolve(term, test=test, then=then, otherwise=otherwise)
        case Fold(domain=domain, where=where, body=body):
            domain = evolve(
                domain,
                members=replaced(domain.members, instead),
                low=_replaced(domain.low, instead),
                high=_replaced(domain.high, instead),
            )
            where, body = _replaced(where, instead), _replaced(body, instead)
            return evolve(term, domain=domain, where=where, body=body)
        case Const() | Bound():
            return term
        case _:
            assert_never(term)


def _replaced(term: Term | None, instead: Instead) -> Term | None:
    return None if term is None else replaced(term, instead)
