"""The value of a term that reads no state: what is known before play is folded with this.

A token stands here for its kind (an index), so that questions about printed attributes can be
answered for every kind of a class; `Lying` is such a kind of which the place is known too.
"""

from itertools import combinations, permutations
from typing import assert_never

from compiler.graph.core import (
    Apply,
    Attribute,
    Bound,
    Cond,
    Const,
    Domain,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    KindOf,
    PlaceOfToken,
    Read,
    Term,
    TokenClass,
    Value,
)
from compiler.ops.lists import elements
from compiler.ops.numbers import number


class NotConstant(Exception):
    """The term reads something that play changes."""


class Lying(int):
    """A kind that stands for a token of which it is known where it lies."""

    place: int

    def __new__(cls, kind: int, place: int) -> "Lying":
        """Of a kind, in a place."""
        found = super().__new__(cls, kind)
        found.place = place
        return found


Environment = dict[int, Value]


def evaluate(term: Term, bound: Environment, classes: dict[str, TokenClass]) -> Value:
    """The value of a term under values for its bound names; `NotConstant` if it reads the state.

    Raises `Undefined` where an operator does.
    """
    match term:
        case Const(value):
            return value
        case Bound(_, index):
            if index not in bound:
                raise NotConstant
            return bound[index]
        case Read(source, args):
            return _read(source, [evaluate(arg, bound, classes) for arg in args], classes)
        case Apply(op, args):
            values = [evaluate(arg, bound, classes) for arg in args]
            if isinstance(op, Function):
                return call(op, values, classes)
            return op.evaluate(*values)
        case Cond(test, then, otherwise):
            chosen = then if evaluate(test, bound, classes) else otherwise
            return evaluate(chosen, bound, classes)
        case Fold():
            return _fold(term, bound, classes)
        case _:
            assert_never(term)


def call(function: Function, values: list[Value], classes: dict[str, TokenClass]) -> Value:
    """A function of the spec applied to values."""
    bound = {param.index: value for param, value in zip(function.params, values, strict=True)}
    for case in function.cases:
        if case.when is None or evaluate(case.when, bound, classes):
            return evaluate(case.value, bound, classes)
    return None


def _read(source: object, args: list[Value], classes: dict[str, TokenClass]) -> Value:
    match source:
        case Attribute(token_class, _, position):
            kind = args[0]
            if not isinstance(kind, int):
                return None
            return classes[token_class].kinds[kind].values[position]
        case KindOf():
            return args[0]
        case PlaceOfToken() if isinstance(args[0], Lying):
            return args[0].place
        case _:
            raise NotConstant


def members(
    domain: Domain, bound: Environment, classes: dict[str, TokenClass]
) -> tuple[Value, ...]:
    """The members of a constant domain, in canonical order."""
    found = elements(evaluate(domain.members, bound, classes))
    match domain.mode:
        case DomainMode.MEMBERS:
            return found
        case DomainMode.ORDERS:
            return tuple(permutations(found))
        case DomainMode.SUBSETS:
            low = number(evaluate(domain.low, bound, classes)) if domain.low else 0
            high = number(evaluate(domain.high, bound, classes)) if domain.high else len(found)
            sizes = range(low, min(high, len(found)) + 1)
            return tuple(subset for size in sizes for subset in combinations(found, size))
        case _:
            assert_never(domain.mode)


def _fold(term: Fold, bound: Environment, classes: dict[str, TokenClass]) -> Value:
    out: list[Value] = []
    for value in members(term.domain, bound, classes):
        inner = {**bound, term.bound.index: value}
        if term.where is not None and not evaluate(term.where, inner, classes):
            continue
        if term.body is None:
            out.append(value)
            continue
        result = evaluate(term.body, inner, classes)
        if term.mode is FoldMode.SOME and result:
            return True
        if term.mode is FoldMode.EVERY and not result:
            return False
        out.append(result)
    match term.mode:
        case FoldMode.SOME:
            return False
        case FoldMode.EVERY:
            return True
        case FoldMode.FILTER | FoldMode.MAP:
            return tuple(out)
        case _:
            assert_never(term.mode)
