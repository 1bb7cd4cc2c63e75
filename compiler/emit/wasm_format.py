"""The bytes of WebAssembly: numbers, sections, and the instructions that the printer uses."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from compiler.lir.core import INT, MASK, WORD, Kind, Op, Un

I32: Final = 0x7F
I64: Final = 0x7E
TYPE: Final[dict[Kind, int]] = {INT: I32, WORD: I32, MASK: I64}

UNREACHABLE: Final = 0x00
BLOCK: Final = 0x02
LOOP: Final = 0x03
IF: Final = 0x04
ELSE: Final = 0x05
END: Final = 0x0B
BR: Final = 0x0C
BR_IF: Final = 0x0D
BR_TABLE: Final = 0x0E
RETURN: Final = 0x0F
CALL: Final = 0x10
DROP: Final = 0x1A
SELECT: Final = 0x1B
GET: Final = 0x20
SET: Final = 0x21
TEE: Final = 0x22
NOTHING: Final = 0x40
"""The type of a block without result."""

I32_CONST: Final = 0x41
I64_CONST: Final = 0x42
I32_STORE: Final = 0x36
I32_EQZ: Final = 0x45
I64_EQZ: Final = 0x50
I32_ADD: Final = 0x6A
I32_SUB: Final = 0x6B
I32_MUL: Final = 0x6C
I32_DIV_S: Final = 0x6D
I32_REM_S: Final = 0x6F
I32_AND: Final = 0x71
I32_XOR: Final = 0x73
I32_SHR_S: Final = 0x75
I64_SUB: Final = 0x7D
I64_CLZ: Final = 0x79
I32_WRAP: Final = 0xA7
I64_EXTEND_U: Final = 0xAD

CONST: Final[dict[Kind, int]] = {INT: I32_CONST, WORD: I32_CONST, MASK: I64_CONST}
EQZ: Final[dict[Kind, int]] = {INT: I32_EQZ, WORD: I32_EQZ, MASK: I64_EQZ}

_SIGNED: Final[dict[Op, int]] = {
    Op.EQ: 0x46,
    Op.NE: 0x47,
    Op.LT: 0x48,
    Op.GT: 0x4A,
    Op.LE: 0x4C,
    Op.GE: 0x4E,
    Op.ADD: I32_ADD,
    Op.SUB: I32_SUB,
    Op.MUL: I32_MUL,
    Op.DIV: I32_DIV_S,
    Op.MOD: I32_REM_S,
    Op.AND: I32_AND,
    Op.OR: 0x72,
    Op.XOR: I32_XOR,
    Op.SHL: 0x74,
    Op.SHR: 0x76,
}
_UNSIGNED: Final[dict[Op, int]] = {
    **_SIGNED,
    Op.LT: 0x49,
    Op.GT: 0x4B,
    Op.LE: 0x4D,
    Op.GE: 0x4F,
    Op.DIV: 0x6E,
    Op.MOD: 0x70,
}
_UNSIGNED_64: Final[dict[Op, int]] = {
    # The instructions for 64 bits stand in the same order behind those for 32.
    op: code + (0x0B if code < 0x67 else 0x12)
    for op, code in _UNSIGNED.items()
}
BINARY: Final[dict[Kind, dict[Op, int]]] = {INT: _SIGNED, WORD: _UNSIGNED, MASK: _UNSIGNED_64}
"""The instruction of each operator. For `INT`, dividing rounds towards zero."""

UNARY: Final[dict[Un, bytes]] = {
    Un.BITS: bytes((0x7B, I32_WRAP)),
    Un.LOWEST: bytes((0x7A, I32_WRAP)),
    Un.INT_TO_MASK: bytes((I64_EXTEND_U,)),
    Un.WORD_TO_MASK: bytes((I64_EXTEND_U,)),
    Un.MASK_TO_INT: bytes((I32_WRAP,)),
    Un.MASK_TO_WORD: bytes((I32_WRAP,)),
    Un.INT_TO_WORD: b"",
    Un.WORD_TO_INT: b"",
}
"""The instructions of the operators whose argument comes first and needs nothing beside it."""

LOAD: Final[dict[int, bytes]] = {
    1: bytes((0x2D, 0)),
    2: bytes((0x2F, 1)),
    4: bytes((0x28, 2)),
    8: bytes((0x29, 3)),
}
"""By width: the instruction and the alignment, as a power of two."""

STORE: Final[dict[int, dict[int, bytes]]] = {
    I32: {1: bytes((0x3A, 0)), 2: bytes((0x3B, 1)), 4: bytes((I32_STORE, 2))},
    I64: {
        1: bytes((0x3C, 0)),
        2: bytes((0x3D, 1)),
        4: bytes((0x3E, 2)),
        8: bytes((0x37, 3)),
    },
}
"""By the type of the value and the width: the instruction and the alignment."""


def unsigned(number: int) -> bytes:
    """A number that is not negative, in as few groups of seven bits as it needs."""
    if number < 0x80:
        return _SMALL[number]
    groups = bytearray()
    while number >= 0x80:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    groups.append(number)
    return bytes(groups)


_SMALL: Final = tuple(bytes((number,)) for number in range(0x80))


def signed(number: int) -> bytes:
    """A number with its sign, in as few groups of seven bits as it needs."""
    groups = bytearray()
    while not -0x40 <= number < 0x40:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    groups.append(number & 0x7F)
    return bytes(groups)


@lru_cache(1024)
def constant(kind: Kind, value: int) -> bytes:
    """The instruction that gives a constant; large unsigned numbers are written as negative."""
    bits = 64 if kind is MASK else 32
    if value >= 1 << (bits - 1):
        value -= 1 << bits
    return bytes((CONST[kind],)) + signed(value)


def text(words: str) -> bytes:
    """A name."""
    raw = words.encode()
    return unsigned(len(raw)) + raw


def vector(items: Iterable[bytes]) -> bytes:
    """How many there are, then all of them."""
    found = list(items)
    return unsigned(len(found)) + b"".join(found)


def section(number: int, content: bytes) -> bytes:
    """A section of a module."""
    return bytes((number,)) + unsigned(len(content)) + content
