"""How large the value of an expression can be, as far as its form tells."""

from typing import Final, assert_never

from compiler.lir.core import (
    COMPARISONS,
    INT,
    MASK,
    WORD,
    Binary,
    Call,
    Expr,
    Kind,
    Load,
    Local,
    Number,
    Op,
    Select,
    Un,
    Unary,
)

LARGEST: Final[dict[Kind, int]] = {INT: 2**31 - 1, WORD: 2**32 - 1, MASK: 2**64 - 1}
"""The largest number of each type."""

_FEW: Final[dict[Un, int]] = {Un.NOT: 1, Un.BITS: 64, Un.LOWEST: 63, Un.HIGHEST: 63}


def largest(expr: Expr) -> int | None:
    """No value of the expression is larger; `None` if it may be negative."""
    match expr:
        case Number(value):
            return value if value >= 0 else None
        case Local() | Call():
            return _any(expr.kind)
        case Load(width):
            return 256**width - 1 if width < 4 else _any(expr.kind)
        case Unary(op, arg):
            return _largest_of_unary(op, arg, expr.kind)
        case Binary():
            return _largest_of_binary(expr)
        case Select(_, then, otherwise):
            ways = largest(then), largest(otherwise)
            return None if ways[0] is None or ways[1] is None else max(ways[0], ways[1])
        case _:
            assert_never(expr)


def _any(kind: Kind) -> int | None:
    return None if kind is INT else LARGEST[kind]


def _largest_of_unary(op: Un, arg: Expr, kind: Kind) -> int | None:
    if op in _FEW:
        return _FEW[op]
    if op is Un.FLIP:
        return LARGEST[kind]
    inner = largest(arg)
    # What is turned into another type fits there, except for a mask that is cut to a word.
    return LARGEST[kind] if inner is None else min(inner, LARGEST[kind])


def _largest_of_binary(expr: Binary) -> int | None:
    op, kind = expr.op, expr.kind
    if op in COMPARISONS:
        return 1
    left, right = largest(expr.left), largest(expr.right)
    if op is Op.AND:
        known = [bound for bound in (left, right) if bound is not None]
        return min(known) if known else None
    if op is Op.MOD:
        return None if right is None else max(right - 1, 0)
    if op is Op.SUB:
        return _any(kind)
    if left is None or right is None:
        return None
    if op is Op.DIV:
        return left
    if op is Op.SHR:
        return left >> expr.right.value if isinstance(expr.right, Number) else left
    return min(_grown(op, left, right), LARGEST[kind])


def may_wrap(expr: Binary) -> bool:
    """Whether the value of an operator, of numbers in their bounds, may need more bits."""
    if expr.op in (Op.AND, Op.OR, Op.XOR, Op.SHR, Op.DIV, Op.MOD) or expr.op in COMPARISONS:
        return False
    left, right = largest(expr.left), largest(expr.right)
    if expr.op is Op.SUB or left is None or right is None:
        return True
    return _grown(expr.op, left, right) > LARGEST[expr.kind]


def _grown(op: Op, left: int, right: int) -> int:
    """The bound of an operator that makes larger numbers, were there no limit."""
    if op is Op.ADD:
        return left + right
    if op is Op.MUL:
        return left * right
    if op is Op.SHL:
        return left << min(right, 64)
    return (1 << max(left.bit_length(), right.bit_length())) - 1
