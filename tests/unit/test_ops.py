"""Operators: what they give lies within the bounds that their signatures promise."""

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.lower.calls import BY_KEY, ON_BOARDS, ON_LISTS
from compiler.ops import lists, numbers
from compiler.ops.row import Op, Undefined, Value
from compiler.ops.table import BY_NAME, PRIMITIVES
from compiler.resolve.vocabulary import OPERATORS
from compiler.types import BOOL, Int, ListOf, Optional, Type, present

RANGES = st.tuples(st.integers(-40, 40), st.integers(0, 30)).map(lambda p: Int(p[0], p[0] + p[1]))
ARITHMETIC = (
    numbers.ADD,
    numbers.SUBTRACT,
    numbers.MULTIPLY,
    numbers.DIVIDE,
    numbers.MODULO,
)
COMPARING = (numbers.LESS, numbers.AT_MOST, numbers.MORE, numbers.AT_LEAST, lists.IS)
OF_LISTS = (lists.SUM, lists.MAX, lists.MIN, lists.COUNT, lists.FIRST, lists.LAST)


def value_of(data: st.DataObject, type_: Type) -> Value:
    """A value of a type of numbers or of lists of them."""
    match type_:
        case Int(low, high):
            return data.draw(st.integers(low, high))
        case ListOf(Int(low, high)):
            return tuple(data.draw(st.lists(st.integers(low, high), max_size=6)))
        case _:
            raise TypeError(type_)


def holds(type_: Type, value: Value) -> bool:
    """Whether a type of numbers or truths has a value."""
    if value is None:
        return isinstance(type_, Optional)
    bare = present(type_)
    if bare == BOOL:
        return isinstance(value, bool)
    return isinstance(bare, Int) and isinstance(value, int) and bare.low <= value <= bare.high


@pytest.mark.parametrize("op", [*ARITHMETIC, *COMPARING], ids=lambda op: op.name)
@given(data=st.data(), left=RANGES, right=RANGES)
def test_bounds_of_two(op: Op, data: st.DataObject, left: Int, right: Int) -> None:
    """The result of two numbers lies in the range inferred from theirs."""
    type_ = op.signature((left, right))
    a, b = value_of(data, left), value_of(data, right)
    assert type_ is not None
    if op in (numbers.DIVIDE, numbers.MODULO) and b == 0:
        with pytest.raises(Undefined):
            op.evaluate(a, b)
        return

    assert holds(type_, op.evaluate(a, b))


@pytest.mark.parametrize("op", [numbers.NEGATE, numbers.ABS], ids=lambda op: op.name)
@given(data=st.data(), range_=RANGES)
def test_bounds_of_one(op: Op, data: st.DataObject, range_: Int) -> None:
    """The result of one number lies in the range inferred from its own."""
    type_ = op.signature((range_,))
    assert type_ is not None

    assert holds(type_, op.evaluate(value_of(data, range_)))


@pytest.mark.parametrize("op", OF_LISTS, ids=lambda op: op.name)
@given(data=st.data(), range_=RANGES)
def test_bounds_of_lists(op: Op, data: st.DataObject, range_: Int) -> None:
    """What a list gives lies in the range inferred from its elements; of nothing it is `none`."""
    list_ = ListOf(range_)
    type_ = op.signature((list_,))
    assert type_ is not None

    assert holds(type_, op.evaluate(value_of(data, list_)))


@given(a=st.integers(-99, 99), b=st.integers(-9, 9).filter(bool))
def test_division_floors(a: int, b: int) -> None:
    """`div` and `mod` belong together: a is (a div b) * b + a mod b, the rest has b's sign."""
    quotient, rest = numbers.DIVIDE.evaluate(a, b), numbers.MODULO.evaluate(a, b)

    assert isinstance(quotient, int)
    assert isinstance(rest, int)
    assert quotient * b + rest == a
    assert rest == 0 or (rest > 0) == (b > 0)


@given(st.lists(st.integers(0, 5)), st.lists(st.integers(0, 5)))
def test_union_and_minus(a: list[int], b: list[int]) -> None:
    """`S + T` adds what S lacks, `S - T` keeps the order of S."""
    joined = lists.UNION.evaluate(tuple(a), tuple(b))
    left = lists.MINUS.evaluate(tuple(a), tuple(b))

    assert isinstance(joined, tuple)
    assert joined[: len(a)] == tuple(a)
    assert set(joined) == set(a) | set(b)
    assert left == tuple(x for x in a if x not in b)


def test_comparing_with_none() -> None:
    """`none` equals only `none`, and has no order."""
    assert lists.IS.evaluate(None, None) is True
    assert lists.IS.evaluate(None, 0) is False
    assert [op.evaluate(None, 3) for op in COMPARING[:-1]] == [False] * 4
    assert numbers.MORE.evaluate(3, None) is False


def test_arithmetic_with_none() -> None:
    """`none` is no number."""
    with pytest.raises(Undefined):
        numbers.ADD.evaluate(None, 1)


def test_names_are_unique() -> None:
    """Every operator is found under its name."""
    assert tuple(BY_NAME.values()) == PRIMITIVES


def test_names_that_rules_call() -> None:
    """What is called by name is what no definition may be called; `orders` is only a domain."""
    called = {*ON_LISTS, *ON_BOARDS, *BY_KEY, "abs", "after"}

    assert called | {"orders"} == OPERATORS


@pytest.mark.parametrize("family", [lists, numbers], ids=lambda module: module.__name__)
def test_no_operator_is_left_out_of_its_table(family: ModuleType) -> None:
    """Each row that a family declares stands in the one table of operators."""
    declared = [value for value in vars(family).values() if isinstance(value, Op)]

    assert [op.name for op in declared if op not in PRIMITIVES] == []
