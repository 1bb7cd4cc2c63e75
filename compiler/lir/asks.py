"""What folds and conditions ask of the reader of terms, which in turn asks them."""

from typing import Protocol, TypeAlias

from compiler.graph.core import Bound, Term, Value
from compiler.graph.walk import subterms
from compiler.lir.contents import Contents
from compiler.lir.core import Expr
from compiler.lir.image import Image
from compiler.lir.reps import Rep, Unsupported
from compiler.lir.values import Values
from compiler.lir.writer import Writer
from compiler.ops.row import Op, Undefined

Env: TypeAlias = dict[int, Rep]
"""What bound names stand for, by index."""


class Asks(Protocol):
    """Evaluates terms in one environment."""

    @property
    def image(self) -> Image:
        """The state in memory."""

    @property
    def writer(self) -> Writer:
        """Where statements go."""

    @property
    def values(self) -> Values:
        """What variables hold."""

    @property
    def contents(self) -> Contents:
        """What lies in places."""

    @property
    def env(self) -> Env:
        """The environment."""

    def term(self, term: Term) -> Rep:
        """The value of a term."""

    def test(self, term: Term) -> Expr:
        """A condition."""

    def kept(self, rep: Rep) -> Rep:
        """A number or mask in a local, since it may be said more than once."""

    def within(self, env: Env) -> "Asks":
        """In another environment."""

    def probe(self, bound: Bound, value: Value, assumed: dict[int, int | None]) -> "Asks":
        """For one value of a bound name, and assuming what lies on some squares."""


def mentions(term: Term, bound: Bound) -> bool:
    """Whether a term reads a bound name of its environment."""
    return any(isinstance(part, Bound) and part.index == bound.index for part in subterms(term))


def evaluated(op: Op, keys: tuple[Value, ...]) -> Value:
    """What an operator makes of known values; `Unsupported` where it has no value."""
    try:
        return op.evaluate(*keys)
    except Undefined as undefined:
        raise Unsupported(f"`{op.name}`: {undefined}") from undefined


def number_of(value: Value) -> int:
    """A value that must be a number."""
    if not isinstance(value, int):
        raise Unsupported("what is no number")
    return value
