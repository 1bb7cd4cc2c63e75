"""Numbers and order: arithmetic is exact, division floors, comparing with `none` is false."""

from compiler.ops.row import Op, Undefined, Value
from compiler.types import BOOL, Bool, Int, Nothing, Type, fits, present

LIMIT = 2**31 - 1  # widest bound of any number


def number(value: Value) -> int:
    """The value as a number; `Undefined` for `none`."""
    if not isinstance(value, int):
        raise Undefined("`none` where a number must be")
    return value


def _int(type_: Type) -> Int | None:
    type_ = present(type_)
    if isinstance(type_, Nothing):
        return Int(-LIMIT, LIMIT)
    return type_ if isinstance(type_, Int) else None


def bounded(low: int, high: int) -> Int:
    """A range cut to what a slot can hold."""
    return Int(max(low, -LIMIT), min(high, LIMIT))


def _corners(*ends: int) -> Int:
    return bounded(min(ends), max(ends))


def _add(types: tuple[Type, ...]) -> Type | None:
    a, b = map(_int, types)
    return a and b and bounded(a.low + b.low, a.high + b.high)


def _sub(types: tuple[Type, ...]) -> Type | None:
    a, b = map(_int, types)
    return a and b and bounded(a.low - b.high, a.high - b.low)


def _mul(types: tuple[Type, ...]) -> Type | None:
    a, b = map(_int, types)
    if a is None or b is None:
        return None
    return _corners(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high)


def _div(types: tuple[Type, ...]) -> Type | None:
    a, b = map(_int, types)
    if a is None or b is None:
        return None
    if b.low <= 0 <= b.high:
        widest = max(abs(a.low), abs(a.high))
        return bounded(-widest, widest)
    return _corners(a.low // b.low, a.low // b.high, a.high // b.low, a.high // b.high)


def _mod(types: tuple[Type, ...]) -> Type | None:
    a, b = map(_int, types)
    if a is None or b is None:
        return None
    return bounded(min(0, b.low + 1), max(0, b.high - 1))


def _neg(types: tuple[Type, ...]) -> Type | None:
    a = _int(types[0])
    return a and bounded(-a.high, -a.low)


def _abs(types: tuple[Type, ...]) -> Type | None:
    a = _int(types[0])
    if a is None:
        return None
    low = 0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
    return bounded(low, max(abs(a.low), abs(a.high)))


def _ordered(types: tuple[Type, ...]) -> Type | None:
    a, b = present(types[0]), present(types[1])
    return BOOL if fits(a, b) and not isinstance(a, Bool) else None


def _not(types: tuple[Type, ...]) -> Type | None:
    return BOOL if isinstance(present(types[0]), Bool | Nothing) else None


def divide(a: Value, b: Value) -> int:
    """Floor division; `Undefined` by 0."""
    if number(b) == 0:
        raise Undefined("division by 0")
    return number(a) // number(b)


def modulo(a: Value, b: Value) -> int:
    """What floor division leaves; `Undefined` by 0."""
    if number(b) == 0:
        raise Undefined("`mod` by 0")
    return number(a) % number(b)


def _less(a: Value, b: Value) -> bool:
    return isinstance(a, int) and isinstance(b, int) and a < b


def _at_most(a: Value, b: Value) -> bool:
    return isinstance(a, int) and isinstance(b, int) and a <= b


ADD = Op("add", _add, lambda a, b: number(a) + number(b), "+")
SUBTRACT = Op("subtract", _sub, lambda a, b: number(a) - number(b), "-")
MULTIPLY = Op("multiply", _mul, lambda a, b: number(a) * number(b), "*")
DIVIDE = Op("divide", _div, divide, "div")
MODULO = Op("modulo", _mod, modulo, "mod")
NEGATE = Op("negate", _neg, lambda a: -number(a))
ABS = Op("abs", _abs, lambda a: abs(number(a)))
LESS = Op("less", _ordered, _less, "<")
AT_MOST = Op("at_most", _ordered, _at_most, "<=")
MORE = Op("more", _ordered, lambda a, b: _less(b, a), ">")
AT_LEAST = Op("at_least", _ordered, lambda a, b: _at_most(b, a), ">=")
NOT = Op("not", _not, lambda a: not a)

NUMBERS = (
    ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO, NEGATE, ABS, LESS, AT_MOST, MORE, AT_LEAST, NOT,
)  # fmt: skip
