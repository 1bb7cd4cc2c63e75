"""Makes low-level expressions, folding what is known: what one writes, not how it is spelled.

A test that is known leaves no test, adding nothing leaves no sum.  Everything here is pure.
"""

from collections.abc import Callable
from functools import reduce

from compiler.lir.core import (
    COMPARISONS,
    INT,
    MASK,
    Binary,
    Expr,
    Kind,
    Local,
    Number,
    Op,
    Select,
    Un,
    Unary,
)
from compiler.lir.walk import operands

WORD_MASK = (1 << 64) - 1
YES, NO = Number(1), Number(0)
EMPTY = Number(0, MASK)


def num(value: int) -> Number:
    """A whole number."""
    return Number(int(value))


def mask(value: int) -> Number:
    """A set of bits."""
    return Number(value & WORD_MASK, MASK)


def is_cheap(expr: Expr) -> bool:
    """Whether saying it twice costs nothing worth a local."""
    return isinstance(expr, Number | Local)


_MEANING: dict[Op, Callable[[int, int], int]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.DIV: lambda a, b: a // b,
    Op.MOD: lambda a, b: a % b,
    Op.AND: lambda a, b: a & b,
    Op.OR: lambda a, b: a | b,
    Op.XOR: lambda a, b: a ^ b,
    Op.SHL: lambda a, b: a << b,
    Op.SHR: lambda a, b: a >> b,
    Op.EQ: lambda a, b: int(a == b),
    Op.NE: lambda a, b: int(a != b),
    Op.LT: lambda a, b: int(a < b),
    Op.LE: lambda a, b: int(a <= b),
    Op.GT: lambda a, b: int(a > b),
    Op.GE: lambda a, b: int(a >= b),
}

_NEUTRAL = {Op.ADD: 0, Op.SUB: 0, Op.OR: 0, Op.XOR: 0, Op.SHL: 0, Op.SHR: 0, Op.MUL: 1, Op.DIV: 1}
_OPPOSITE = {
    Op.EQ: Op.NE,
    Op.NE: Op.EQ,
    Op.LT: Op.GE,
    Op.GE: Op.LT,
    Op.GT: Op.LE,
    Op.LE: Op.GT,
}


def binary(op: Op, left: Expr, right: Expr) -> Expr:
    """An operator on two numbers of one type."""
    by_zero = op in (Op.DIV, Op.MOD) and right == num(0)
    if isinstance(left, Number) and isinstance(right, Number) and not by_zero:
        return _number(_MEANING[op](left.value, right.value), Binary(op, left, right).kind)
    if isinstance(right, Number):
        if _NEUTRAL.get(op) == right.value:
            return left
        if op in (Op.AND, Op.MUL) and right.value == 0:
            return right
        if op is Op.AND and right.kind is MASK and right.value == WORD_MASK:
            return left
    if isinstance(left, Number):
        if op in (Op.ADD, Op.OR, Op.XOR) and left.value == 0:
            return right
        if op is Op.MUL and left.value == 1:
            return right
        if op in (Op.AND, Op.MUL, Op.SHL, Op.SHR) and left.value == 0:
            return left
    if op is Op.AND and left == right:
        return left
    return Binary(op, left, right)


def _number(value: int, kind: Kind) -> Number:
    if kind is MASK:
        value &= WORD_MASK
    elif kind is not INT:
        value &= (1 << 32) - 1
    return Number(value, kind)


def unary(op: Un, arg: Expr) -> Expr:
    """An operator on one number."""
    if isinstance(arg, Number):
        known = _unary_value(op, arg)
        if known is not None:
            return _number(known, Unary(op, arg).kind)
    if op is Un.NOT and isinstance(arg, Binary) and arg.op in COMPARISONS:
        return Binary(_OPPOSITE[arg.op], arg.left, arg.right)
    if op is Un.FLIP and isinstance(arg, Unary) and arg.op is Un.FLIP:
        return arg.arg
    return Unary(op, arg)


def _unary_value(op: Un, arg: Number) -> int | None:
    value = arg.value
    match op:
        case Un.NOT:
            return int(value == 0)
        case Un.FLIP:
            return ~value
        case Un.BITS:
            return value.bit_count()
        case Un.LOWEST:
            return (value & -value).bit_length() - 1 if value else None
        case Un.HIGHEST:
            return value.bit_length() - 1 if value else None
        case _:
            return value


def add(left: Expr, right: Expr) -> Expr:
    """The sum; constants are gathered on the right."""
    if isinstance(left, Number) and not isinstance(right, Number):
        left, right = right, left
    if isinstance(right, Number) and isinstance(left, Binary) and isinstance(left.right, Number):
        if left.op is Op.ADD:
            return add(left.left, _number(left.right.value + right.value, right.kind))
        if left.op is Op.SUB:
            return add(left.left, _number(right.value - left.right.value, right.kind))
    return binary(Op.ADD, left, right)


def sub(left: Expr, right: Expr) -> Expr:
    """The difference."""
    if isinstance(right, Number) and right.kind is INT:
        return add(left, num(-right.value))
    return binary(Op.SUB, left, right)


def both(left: Expr, right: Expr) -> Expr:
    """Bits in both; of truths, whether both hold."""
    if left == YES and right.kind is INT:
        return right
    if right == YES and left.kind is INT and _is_truth(left):
        return left
    return binary(Op.AND, left, right)


def either(left: Expr, right: Expr) -> Expr:
    """Bits in one or both; of truths, whether one holds."""
    if YES in (left, right) and left.kind is INT:
        return YES
    return binary(Op.OR, left, right)


def _is_truth(expr: Expr) -> bool:
    """Whether an expression is surely 0 or 1."""
    match expr:
        case Number(value):
            return value in (0, 1)
        case Binary(op, left, right):
            if op in COMPARISONS:
                return True
            return op in (Op.AND, Op.OR) and _is_truth(left) and _is_truth(right)
        case Unary(op):
            return op is Un.NOT
        case Select(_, then, otherwise):
            return _is_truth(then) and _is_truth(otherwise)
        case Local(name):
            return name.startswith("is_")
        case _:
            return False


def flip(expr: Expr) -> Expr:
    """The other bits."""
    return unary(Un.FLIP, expr)


def negate(expr: Expr) -> Expr:
    """Whether a truth does not hold, or bits are empty."""
    return unary(Un.NOT, expr)


def without(left: Expr, right: Expr) -> Expr:
    """Bits of the first that are not in the second."""
    return both(left, flip(right))


def compare(op: Op, left: Expr, right: Expr) -> Expr:
    """A comparison."""
    if left == right and not isinstance(left, Number):
        return num(op in (Op.EQ, Op.LE, Op.GE))
    return binary(op, left, right)


def equal(left: Expr, right: Expr) -> Expr:
    """Whether two numbers are one."""
    return compare(Op.EQ, left, right)


def some_bit(expr: Expr) -> Expr:
    """Whether any bit is set."""
    return binary(Op.NE, expr, EMPTY)


def bit_count(expr: Expr) -> Expr:
    """How many bits are set."""
    return unary(Un.BITS, expr)


def lowest(expr: Expr) -> Expr:
    """The number of the lowest bit; there must be one."""
    return unary(Un.LOWEST, expr)


def to_mask(expr: Expr) -> Expr:
    """An `INT` that is not negative as a `MASK`."""
    return unary(Un.INT_TO_MASK, expr)


def to_int(expr: Expr) -> Expr:
    """A small `MASK` as an `INT`."""
    return unary(Un.MASK_TO_INT, expr)


def single(bit: Expr) -> Expr:
    """The mask with one bit, whose number is an `INT`."""
    if isinstance(bit, Number):
        return mask(1 << bit.value)
    return binary(Op.SHL, mask(1), to_mask(bit))


def has_bit(expr: Expr, bit: Expr) -> Expr:
    """Whether a bit is set, as a truth."""
    if isinstance(bit, Number):
        return some_bit(both(expr, mask(1 << bit.value)))
    return to_int(both(binary(Op.SHR, expr, to_mask(bit)), mask(1)))


def shifted(expr: Expr, by: int) -> Expr:
    """Every bit `by` places up, or down if negative."""
    if by >= 0:
        return binary(Op.SHL, expr, mask(by)) if by < 64 else EMPTY
    return binary(Op.SHR, expr, mask(-by)) if by > -64 else EMPTY


def choice(test: Expr, then: Expr, otherwise: Expr) -> Expr:
    """`then` if the test holds, else `otherwise`."""
    if isinstance(test, Number):
        return then if test.value else otherwise
    if then == otherwise:
        return then
    if then == YES and otherwise == NO and _is_truth(test):
        return test
    if then == NO and otherwise == YES:
        return negate(test)
    return Select(test, then, otherwise)


def total(parts: list[Expr], kind: Kind = INT) -> Expr:
    """The sum of all; 0 of none."""
    first: Expr = Number(0, kind)
    return reduce(add, parts, first)


def _expr(number: Expr) -> Expr:
    """A number where any expression may stand."""
    return number


def any_of(parts: list[Expr]) -> Expr:
    """Whether one of these truths holds."""
    return reduce(either, parts, _expr(NO))


def all_of(parts: list[Expr]) -> Expr:
    """Whether all of these truths hold."""
    return reduce(both, parts, _expr(YES))


def union(parts: list[Expr]) -> Expr:
    """The bits of all."""
    return reduce(either, parts, _expr(EMPTY))


def has_locals(expr: Expr) -> bool:
    """Whether an expression means something only where its locals have been set."""
    match expr:
        case Local():
            return True
        case Number():
            return False
        case _:
            return any(map(has_locals, operands(expr)))
