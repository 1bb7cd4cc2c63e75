"""The low-level form (LIR): functions over bounded whole numbers and one flat memory.

Small enough that a printer is a page: WebAssembly, Python and C say the same thing.  Control is
structured; there is no recursion; memory is bytes, little-endian, and every access is aligned to
its own width.

Three types of number.  `INT` is a signed 32-bit number that never overflows (bounds are proved
where it is made); `WORD` is an unsigned 32-bit number modulo 2**32; `MASK` is an unsigned 64-bit
number modulo 2**64.  A truth is an `INT`, 0 or 1.
"""

from enum import Enum
from typing import TypeAlias

from attrs import field, frozen


class _Sign(Enum):
    """A sign that tables are keyed by: found by what it is, which is quicker than by its name."""

    __hash__ = object.__hash__


class Kind(_Sign):
    """A type of number."""

    INT = "int"
    WORD = "word"
    MASK = "mask"


INT, WORD, MASK = Kind.INT, Kind.WORD, Kind.MASK


class Op(_Sign):
    """An operator on two numbers of one type; comparisons give an `INT`.

    `DIV` and `MOD` round down; the divisor is positive.  Shifts take their count as the right-hand
    side, of the same type, below the number of bits; `SHR` brings zeros in (of an `INT` that is not
    negative).  The left-hand side is evaluated first.
    """

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "//"
    MOD = "%"
    AND = "&"
    OR = "|"
    XOR = "^"
    SHL = "<<"
    SHR = ">>"
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="


COMPARISONS = frozenset({Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE})


class Un(_Sign):
    """An operator on one number."""

    NOT = "not"  # any type -> INT: whether it is zero
    FLIP = "~"  # MASK -> MASK, WORD -> WORD: every bit
    BITS = "bits"  # MASK -> INT: how many bits are set
    LOWEST = "lowest"  # MASK, not zero -> INT: the number of the lowest bit that is set
    HIGHEST = "highest"  # MASK, not zero -> INT: of the highest
    INT_TO_MASK = "int to mask"  # INT, not negative
    MASK_TO_INT = "mask to int"  # MASK below 2**31
    INT_TO_WORD = "int to word"  # INT, not negative
    WORD_TO_INT = "word to int"  # WORD below 2**31
    WORD_TO_MASK = "word to mask"
    MASK_TO_WORD = "mask to word"  # its low half


RESULT: dict[Un, Kind] = {
    Un.NOT: INT,
    Un.BITS: INT,
    Un.LOWEST: INT,
    Un.HIGHEST: INT,
    Un.INT_TO_MASK: MASK,
    Un.MASK_TO_INT: INT,
    Un.INT_TO_WORD: WORD,
    Un.WORD_TO_INT: INT,
    Un.WORD_TO_MASK: MASK,
    Un.MASK_TO_WORD: WORD,
}


# ---- expressions


@frozen
class Number:
    """A constant."""

    value: int
    kind: Kind = INT


@frozen
class Local:
    """A local variable or parameter of the function, by name; it has one type in a function."""

    name: str
    kind: Kind = INT


@frozen
class Load:
    """The number of `width` bytes (1, 2, 4 or 8) at `base + address`.

    Widths 1 and 2 give an `INT`, 8 a `MASK`, 4 what `kind` says, `INT` or `WORD`.  `address` is an
    `INT`, `None` if the place is fixed.  Neither `base` nor `address` is negative.
    """

    width: int
    base: int
    address: "Expr | None" = None
    kind: Kind = INT


@frozen
class Binary:
    """An operator on two numbers."""

    op: Op
    left: "Expr"
    right: "Expr"

    @property
    def kind(self) -> Kind:
        """The type of the result."""
        return INT if self.op in COMPARISONS else self.left.kind


@frozen
class Unary:
    """An operator on one number."""

    op: Un
    arg: "Expr"

    @property
    def kind(self) -> Kind:
        """The type of the result."""
        return RESULT.get(self.op, self.arg.kind)


@frozen
class Select:
    """`then` if `test`, of any type, is not zero, else `otherwise`; one of them is evaluated."""

    test: "Expr"
    then: "Expr"
    otherwise: "Expr"

    @property
    def kind(self) -> Kind:
        """The type of the result."""
        return self.then.kind


@frozen
class Call:
    """What a function returns; `kind` is the type of its result."""

    function: str
    args: tuple["Expr", ...]
    kind: Kind = INT


Expr: TypeAlias = Number | Local | Load | Binary | Unary | Select | Call


# ---- statements


@frozen
class Set:
    """Gives a local a value."""

    local: Local
    value: Expr


@frozen
class Store:
    """Writes the low `width` bytes of a number to `base + address`; 8 bytes are those of a `MASK`.

    The address is evaluated first.
    """

    width: int
    base: int
    address: Expr | None
    value: Expr


@frozen
class If:
    """One of two blocks: `then` if `test`, of any type, is not zero."""

    test: Expr
    then: "Block"
    otherwise: "Block" = ()


@frozen
class Loop:
    """Repeats its block until a `Break` or a `Return`; no loop in it has the same `name`."""

    name: str
    body: "Block"


@frozen
class Break:
    """Ends the enclosing loop of that name."""

    loop: str


@frozen
class Continue:
    """Begins the enclosing loop of that name again."""

    loop: str


@frozen
class Switch:
    """Runs `cases[number]`; `otherwise` for a number that has none.  Cases do not run on."""

    number: Expr
    cases: tuple["Block", ...]
    otherwise: "Block" = ()


@frozen
class Do:
    """Calls a function that returns nothing, or whose result nobody wants."""

    call: Call


@frozen
class Return:
    """Leaves the function."""

    value: Expr | None = None


@frozen
class Trap:
    """Leaves the machine: what must never happen has happened.  `code`, not negative, says what."""

    code: int


Stmt: TypeAlias = Set | Store | If | Loop | Break | Continue | Switch | Do | Return | Trap
Block: TypeAlias = tuple[Stmt, ...]


# ---- programs


@frozen
class Function:
    """A function; its locals are what it sets.  `result` is `None` if it returns nothing.

    Every way through a function with a result ends in a `Return` or `Trap`.  A local that is read
    before it is set is zero.  `note` is for people: which node of which phase this is.
    """

    name: str
    params: tuple[Local, ...]
    result: Kind | None
    body: Block
    exported: bool = False
    inline: bool = False
    note: str = field(default="", eq=False)


@frozen
class Data:
    """Bytes that memory has at first, from an address on."""

    address: int
    content: bytes


@frozen
class Program:
    """Functions in any order, and a memory of so many bytes, zero except for `data`."""

    name: str
    functions: tuple[Function, ...]
    data: tuple[Data, ...]
    memory: int
