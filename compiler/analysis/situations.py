"""Situations in which a test is asked: what the variables hold that it reads, all or none tried."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Final, TypeAlias

from compiler.graph.core import Apply, Cond, Const, Read, Term, Value, Variable
from compiler.graph.evaluate import NotConstant
from compiler.graph.walk import subterms
from compiler.ops.row import Op
from compiler.types import Bool, Enum, Int, Player, Type

_LONGEST: Final = 1_000  # values of a type that is tried

Slot: TypeAlias = tuple[Variable, tuple[Term, ...]]
"""A variable, or a member of a family."""

Situation: TypeAlias = dict[Slot, Value]


def situations(terms: Sequence[Term], most: int) -> Iterator[Situation]:
    """All situations for some terms; none at all if there are more than so many."""
    slots = [*dict.fromkeys(slot for term in terms for slot in slots_of(term))]
    domains = [values_of(variable.type) for variable, _ in slots]
    if 0 < prod(map(len, domains)) <= most:
        for values in product(*domains):
            yield dict(zip(slots, values, strict=True))


def slots_of(term: Term) -> Iterator[Slot]:
    """The variables that a condition reads, each member of a family by itself."""
    for part in subterms(term):
        if isinstance(part, Read) and isinstance(part.source, Variable):
            yield part.source, part.args


def values_of(type_: Type) -> tuple[Value, ...]:
    """The values of a type of few; none of others."""
    match type_:
        case Int(low, high) if high - low < _LONGEST:
            return tuple(range(low, high + 1))
        case Bool():
            return (0, 1)
        case Enum(members=members):
            return tuple(range(len(members)))
        case Player(seats):
            return tuple(range(seats))
        case _:
            return ()


def holds(term: Term, situation: Situation) -> bool:
    """Whether a test is true in a situation; `NotConstant` if that does not tell."""
    return bool(_value(term, situation))


def _value(term: Term, situation: Situation) -> Value:
    """The value of a term in a situation; `NotConstant` if it asks for more than that tells."""
    match term:
        case Const(value):
            return value
        case Read(Variable() as variable, args):
            if not all(isinstance(arg, Const) for arg in args):
                raise NotConstant
            return situation[variable, args]
        case Apply(Op() as op, args):
            return op.evaluate(*[_value(arg, situation) for arg in args])
        case Cond(test, then, otherwise):
            return _value(then if _value(test, situation) else otherwise, situation)
        case _:
            raise NotConstant
