"""What is known of a value while a graph is lowered: all of it, a number, a mask, a guarded list.

A term is evaluated as far as it is known before play; what is left is low-level expressions.  So a
representation says how a value is kept at that point, not what type it has.
"""

from typing import Final, TypeAlias

from attrs import field, frozen

from compiler.diagnostic import InternalError
from compiler.graph.core import Value
from compiler.graph.parts import Bag, Board, Rows
from compiler.lir.build import NO, YES, both, equal, negate, num
from compiler.lir.core import Expr
from compiler.ops.row import Value as OpValue

UNDEFINED, SHORT, FULL, NOWHERE, UNFIT, DEAD_END, NO_MEMBER = range(1, 8)
"""Traps: an operator without a value; too few tokens to move, no room for them, nowhere to move
them to; a value outside its bounds; a decision without an answer; a member that is not there."""

NONE: Final = -(2**31)
"""The `INT` that stands for `none` where a number may be missing."""


class Unsupported(Exception):
    """Something that is not lowered yet; the reference interpreter plays the game instead."""


class TooMuch(Unsupported):
    """Lowering would take longer than playing is worth."""


class Fails(Exception):
    """A step that surely fails when it is come to: the trap it ends in."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@frozen
class Universe:
    """Values that can be members of a mask, ascending, each with its bit; bits ascend too."""

    values: tuple[Value, ...]
    bits: tuple[int, ...]
    _bit: dict[Value, int] = field(init=False, repr=False, eq=False)

    @_bit.default
    def _numbered(self) -> dict[Value, int]:
        return dict(zip(self.values, self.bits, strict=True))

    @classmethod
    def of(cls, values: tuple[Value, ...]) -> "Universe":
        """Value number i has bit i; `Unsupported` for more than a word has."""
        if len(values) > 64:
            raise Unsupported(f"a set of up to {len(values)} values")
        return cls(values, tuple(range(len(values))))

    @property
    def full(self) -> int:
        """All of them."""
        return sum(1 << bit for bit in self.bits)

    def mask(self, values: tuple[Value, ...]) -> int:
        """The mask of these."""
        return sum(1 << self._bit[value] for value in values)

    def bit(self, value: Value) -> int | None:
        """The bit of a value, `None` if it is none of them."""
        return self._bit.get(value)

    def holds(self, values: tuple[Value, ...]) -> bool:
        """Whether these are members in ascending order, so that a mask says all of them."""
        bits = [self._bit.get(value, -1) for value in values]
        return all(a < b for a, b in zip([-1, *bits], bits, strict=False))


@frozen
class Known:
    """A value known before play."""

    value: OpValue


@frozen
class Num:
    """A number from `low` to `high`; if `none`, it may be `NONE` instead."""

    expr: Expr
    low: int
    high: int
    none: bool = False


@frozen
class Bits:
    """A list or set whose elements ascend: those members of a universe whose bit is set."""

    expr: Expr
    universe: Universe


@frozen
class Item:
    """An element that is there if `when` holds."""

    value: "Rep"
    when: Expr = YES


@frozen
class Items:
    """A list with a bounded number of elements, some of which may be missing."""

    items: tuple[Item, ...]


@frozen
class OnBoard:
    """A token on a square of a bitboard."""

    board: Board
    bit: Expr


@frozen
class InBag:
    """One of the tokens of a kind in a bag."""

    bag: Bag
    kind: int


@frozen
class InRow:
    """The token in a cell of a run of cells, counted from the first."""

    rows: Rows
    cell: Expr


Source: TypeAlias = OnBoard | InBag | InRow


@frozen
class Token:
    """A token: its kind, where it is, and how it is taken from there; `none` unless `there`."""

    token_class: str
    kind: "Known | Num"
    place: "Known | Num"
    source: Source
    there: Expr = YES


@frozen
class Group:
    """So many tokens of one kind in one bag."""

    token: Token
    count: Expr


@frozen
class Heap:
    """Tokens of sets: groups of those that nothing tells apart, in canonical order."""

    groups: tuple[Group, ...]


@frozen
class Run:
    """The tokens of a pile or list: the first, and how many there are."""

    first: Token
    length: Expr


@frozen
class Spread:
    """Tokens on a board, in the order of the squares: for each kind, the squares where they are."""

    board: Board
    squares: tuple[Expr, ...]


@frozen
class Parts:
    """Tokens of several places, one after the other."""

    parts: tuple["Rep", ...]


Rep: TypeAlias = Known | Num | Bits | Items | Token | Heap | Run | Spread | Parts


def exists(when: Expr) -> bool:
    """Whether an element may be there at all."""
    return when != NO


def present(rep: Rep) -> Expr:
    """Whether a value is not `none`."""
    match rep:
        case Known(value):
            return num(value is not None)
        case Num(expr, none=True):
            return negate(is_none(expr))
        case _:
            return YES


def is_none(expr: Expr) -> Expr:
    """Whether a number is missing."""
    return equal(expr, num(NONE))


def under(when: Expr, items: Items) -> tuple[Item, ...]:
    """Elements that are there only if `when` holds too."""
    return tuple(
        Item(item.value, both(when, item.when)) for item in items.items if exists(item.when)
    )


def known(rep: Rep) -> OpValue:
    """The value of what is known."""
    if not isinstance(rep, Known):
        raise InternalError("a value is asked for that is not known before play")
    return rep.value
