"""Numbers, truths and small tables: what operators on scalars make of what is known of them."""

from collections.abc import Callable, Sequence
from itertools import product

from compiler.graph.core import Value
from compiler.lir.build import (
    NO,
    YES,
    add,
    any_of,
    binary,
    both,
    choice,
    compare,
    equal,
    mask,
    negate,
    num,
    sub,
)
from compiler.lir.core import Expr, Op
from compiler.lir.image import Tables
from compiler.lir.reps import NONE, Bits, Known, Num, Rep, Universe, Unsupported, is_none, present
from compiler.ops import lists, numbers
from compiler.ops.row import Op as Operator

_LARGEST_TABLE = 4096

ORDER = {
    numbers.LESS: Op.LT,
    numbers.AT_MOST: Op.LE,
    numbers.MORE: Op.GT,
    numbers.AT_LEAST: Op.GE,
}

ARITHMETIC = (
    numbers.ADD,
    numbers.SUBTRACT,
    numbers.MULTIPLY,
    numbers.DIVIDE,
    numbers.MODULO,
)


def scalar(rep: Rep) -> Num:
    """A number as an expression; `none` is `NONE`."""
    match rep:
        case Num():
            return rep
        case Known(None):
            return Num(num(NONE), NONE, NONE, True)
        case Known(int() as value):
            return Num(num(value), int(value), int(value))
        case _:
            raise Unsupported(f"{type(rep).__name__} where a number is needed")


def truth(rep: Rep) -> Expr:
    """A condition as an expression; `none` does not hold."""
    match rep:
        case Known(value):
            return num(bool(value))
        case Num(expr, none=True):
            return equal(expr, num(1))
        case Num(expr):
            return expr
        case _:
            raise Unsupported("a condition that is no truth")


def as_truth(expr: Expr) -> Rep:
    """The value of a condition."""
    if expr in (YES, NO):
        return Known(expr == YES)
    return Num(expr, 0, 1)


def sure(rep: Rep) -> bool:
    """Whether a number is surely there."""
    return not (isinstance(rep, Num) and rep.none) and rep != Known(None)


def arithmetic(op: Operator, left: Rep, right: Rep) -> Rep:
    """Sums, differences, products, and division by what is known and positive."""
    a, b = scalar(left), scalar(right)
    if a.none or b.none:
        raise Unsupported("arithmetic with what may be none")
    if op is numbers.ADD:
        return _ranged(add(a.expr, b.expr), a.low + b.low, a.high + b.high)
    if op is numbers.SUBTRACT:
        return _ranged(sub(a.expr, b.expr), a.low - b.high, a.high - b.low)
    if op is numbers.MULTIPLY:
        ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        return _ranged(binary(Op.MUL, a.expr, b.expr), min(ends), max(ends))
    if b.low < 1:
        raise Unsupported("division by what may be nothing or less")
    if op is numbers.DIVIDE:
        ends = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
        return _ranged(binary(Op.DIV, a.expr, b.expr), min(ends), max(ends))
    return _ranged(binary(Op.MOD, a.expr, b.expr), 0, b.high - 1)


def _ranged(expr: Expr, low: int, high: int) -> Rep:
    if low < -numbers.LIMIT or high > numbers.LIMIT:
        raise Unsupported("numbers of more than 31 bits")
    return Num(expr, low, high)


def ordered(op: Operator, left: Rep, right: Rep) -> Rep:
    """A comparison of size; with `none` it does not hold."""
    a, b = scalar(left), scalar(right)
    test = compare(ORDER[op], a.expr, b.expr)
    known = _by_range(op, a, b)
    if known is not None and not a.none and not b.none:
        return Known(known)
    return as_truth(both(both(present(left), present(right)), test))


def _by_range(op: Operator, a: Num, b: Num) -> bool | None:
    """What the bounds alone decide."""
    if op in (numbers.MORE, numbers.AT_LEAST):
        op = numbers.LESS if op is numbers.MORE else numbers.AT_MOST
        a, b = b, a
    if op is numbers.LESS:
        return True if a.high < b.low else False if a.low >= b.high else None
    return True if a.high <= b.low else False if a.low > b.high else None


def identical(left: Rep, right: Rep) -> Rep:
    """Whether two scalars are the same, `none` being one of them."""
    a, b = scalar(left), scalar(right)
    if (a.low > b.high or b.low > a.high) and not (a.none and b.none):
        return Known(False)
    return as_truth(equal(a.expr, b.expr))


def merged(test: Expr, then: Rep, otherwise: Rep) -> Rep | None:
    """One of two values; `None` if they cannot be kept alike."""
    if then == otherwise:
        return then
    match then, otherwise:
        case (Bits(a, ours), Bits(b, theirs)) if ours == theirs:
            return Bits(choice(test, a, b), ours)
        case (Known(tuple() as members), Bits(b, theirs)) if theirs.holds(members):
            return Bits(choice(test, _mask(theirs, members), b), theirs)
        case (Bits(a, ours), Known(tuple() as members)) if ours.holds(members):
            return Bits(choice(test, a, _mask(ours, members)), ours)
        case (Known(None | int()) | Num(), Known(None | int()) | Num()):
            one, two = scalar(then), scalar(otherwise)
            there = [number for number in (one, two) if number.low != NONE]
            return Num(
                choice(test, one.expr, two.expr),
                min(number.low for number in there),
                max(number.high for number in there),
                one.none or two.none,
            )
        case _:
            return None


def _mask(universe: Universe, members: tuple[Value, ...]) -> Expr:
    return mask(universe.mask(members))


# ---- tables


def tabulated(
    tables: Tables,
    args: Sequence[Rep],
    evaluate: Callable[[tuple[Value, ...]], Value],
    universe: Universe | None,
) -> Rep:
    """A function of numbers with few values: its results as a table."""
    ranges = [_range(arg) for arg in args]
    size = 1
    for values in ranges:
        size *= len(values)
    if size > _LARGEST_TABLE:
        raise Unsupported("an operator on too many values for a table")
    results = [evaluate(keys) for keys in product(*ranges)]
    if all(result == results[0] for result in results):
        return Known(results[0])
    index: Expr = num(0)
    for arg, values in zip(args, ranges, strict=True):
        index = add(binary(Op.MUL, index, num(len(values))), _index(arg))
    if all(result is None or isinstance(result, int) for result in results):
        found = [NONE if result is None else int(result) for result in _scalars(results)]
        there = [number for number in found if number != NONE]
        expr = tables.numbers(tuple(found), index)
        return Num(expr, min(there), max(there), len(there) < len(found))
    if universe is not None and all(
        isinstance(result, tuple) and universe.holds(result) for result in results
    ):
        masks = tuple(universe.mask(result) for result in results if isinstance(result, tuple))
        return Bits(tables.masks(masks, index), universe)
    raise Unsupported("lists that depend on the play")


def _scalars(results: list[Value]) -> list[int | None]:
    return [result if isinstance(result, int) else None for result in results]


def _range(rep: Rep) -> tuple[Value, ...]:
    match rep:
        case Known(value):
            return (value,)
        case Num(_, low, high, none):
            numbered: tuple[Value, ...] = tuple(range(low, high + 1))
            return (*numbered, None) if none else numbered
        case _:
            raise Unsupported("a table over what is no number")


def _index(rep: Rep) -> Expr:
    match rep:
        case Num(expr, low, high, none):
            at = sub(expr, num(low))
            return choice(is_none(expr), num(high - low + 1), at) if none else at
        case _:
            return num(0)


def member(value: Rep, members: tuple[Value, ...]) -> Rep:
    """Whether a scalar is one of these known values."""
    found = scalar(value)
    return as_truth(
        any_of([equal(found.expr, num(NONE if m is None else _number(m))) for m in members])
    )


def _number(value: Value) -> int:
    if not isinstance(value, int):
        raise Unsupported("lists of lists")
    return value


def negated(value: Rep) -> Rep:
    """Whether a condition does not hold."""
    return as_truth(negate(truth(value)))


IDENTITY = (lists.IS, lists.SAME_MEMBERS)
