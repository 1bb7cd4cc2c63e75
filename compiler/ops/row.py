"""What an operator is: a name, a signature and a meaning; strict, total, blind to the state."""

from collections.abc import Callable
from typing import TypeAlias

from attrs import field, frozen

from compiler.types import Type

Value: TypeAlias = int | tuple["Value", ...] | None

Signature: TypeAlias = Callable[[tuple[Type, ...]], Type | None]
"""From argument types to the result type with its bounds; `None` if the arguments do not fit."""


class Undefined(Exception):
    """An argument for which an operator has no value: `none` where a number must be, `mod 0`."""


@frozen(eq=False)
class Op:
    """One operator: compared by identity.  `evaluate` is its meaning, once."""

    name: str
    signature: Signature = field(repr=False)
    evaluate: Callable[..., Value] = field(repr=False)
    symbol: str | None = None  # how it is written between its arguments, if it is


@frozen(eq=False)
class Lookup(Op):
    """A constant table read by its arguments: members of a family, squares, steps on a board.

    `table` is nested as deep as there are arguments; `lows` are the smallest keys.  What is outside
    is `none`.  `symbol` is `[]` for `hand[p]`, `.` for `s.column`, else it reads as a call.
    """

    table: tuple[Value, ...] = field(kw_only=True, repr=False)
    lows: tuple[int, ...] = field(kw_only=True, repr=False)


def lookup(
    name: str, table: tuple[Value, ...], lows: tuple[int, ...], result: Type, symbol: str | None
) -> Lookup:
    """The operator that reads a table."""

    def evaluate(*keys: Value) -> Value:
        found: Value = table
        for key, low in zip(keys, lows, strict=True):
            if not isinstance(key, int) or not isinstance(found, tuple):
                return None
            at = key - low
            if not 0 <= at < len(found):
                return None
            found = found[at]
        return found

    return Lookup(name, lambda _: result, evaluate, symbol, table=table, lows=lows)
