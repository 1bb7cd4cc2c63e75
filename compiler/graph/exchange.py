"""Terms with parts of them exchanged for others."""

from collections.abc import Callable
from typing import Any

from attrs import evolve, fields

from compiler.graph.core import Bound, Domain, Term
from compiler.graph.walk import TERMS


def replaced(term: Term, instead: Callable[[Term], Term | None]) -> Term:
    """A term with those inside it exchanged for which there is something else."""
    other = instead(term)
    if other is not None:
        return other
    changed: dict[str, Any] = {}
    for field in fields(type(term)):
        value = getattr(term, field.name)
        new = _within(value, instead)
        if new is not value:
            changed[field.name] = new
    made: Term = evolve(term, **changed) if changed else term
    return made


def _within(value: object, instead: Callable[[Term], Term | None]) -> object:
    if isinstance(value, TERMS):
        return replaced(value, instead)
    if isinstance(value, tuple):
        parts = tuple(_within(part, instead) for part in value)
        same = all(new is old for new, old in zip(parts, value, strict=True))
        return value if same else parts
    if isinstance(value, Domain):
        return _domain(value, instead)
    return value


def _domain(domain: Domain, instead: Callable[[Term], Term | None]) -> Domain:
    sizes = [None if one is None else replaced(one, instead) for one in (domain.low, domain.high)]
    members = replaced(domain.members, instead)
    if members is domain.members and sizes == [domain.low, domain.high]:
        return domain
    return evolve(domain, members=members, low=sizes[0], high=sizes[1])


def given(args: tuple[Term, ...]) -> Callable[[Term], Term | None]:
    """What stands for the names that a function is given."""

    def instead(term: Term) -> Term | None:
        return args[term.index] if isinstance(term, Bound) and term.index < len(args) else None

    return instead


def for_name(index: int, one: Term) -> Callable[[Term], Term | None]:
    """What stands for a name that a fold goes through."""

    def instead(term: Term) -> Term | None:
        return one if isinstance(term, Bound) and term.index == index else None

    return instead
