"""What lowering makes of lines, masks and tables is what they mean."""

from hypothesis import given
from hypothesis import strategies as st

from compiler.lir.build import mask, num, total
from compiler.lir.core import INT, MASK, Expr, Function, Local, Program, Return
from compiler.lir.image import Tables
from compiler.lir.lines import Family
from compiler.lir.reps import Bits, Known, Num, Universe
from compiler.lir.scalars import arithmetic, ordered, scalar, tabulated, truth
from compiler.lir.selection import member, nth_bit
from compiler.lir.writer import Names, Writer
from compiler.ops import numbers
from tests.lir.evaluator import Evaluator

SQUARES = Local("squares", MASK)
INDEX = Local("index")


def meaning(
    expr: Expr, writer: Writer | None = None, tables: Tables | None = None, **args: int
) -> int:
    """The value of an expression, in a function of its own."""
    params = tuple(Local(name, MASK if name == "squares" else INT) for name in args)
    before = () if writer is None else writer.block
    function = Function("f", params, expr.kind, (*before, Return(expr)), exported=True)
    data = () if tables is None else tables.data
    end = 8 if tables is None else max(8, tables.end)
    program = Program("test", (function, nth_bit()), data, end)
    return Evaluator.of(program).call("f", *args.values())


lines = st.lists(st.integers(1, 2**16 - 1), min_size=1, max_size=12, unique=True)
boards = st.integers(0, 2**16 - 1)


@given(lines, boards)
def test_a_line_is_inside_if_all_its_squares_are(found: list[int], squares: int) -> None:
    """Shapes laid over the board find a line exactly where one is."""
    held = Family.of(found).inside(SQUARES).some()

    assert any(line & squares == line for line in found) == meaning(held, squares=squares)


@given(lines, boards, boards)
def test_conditions_on_lines_are_joined(found: list[int], squares: int, touched: int) -> None:
    """A line inside one set that touches another, and one that does not."""
    family = Family.of(found)
    inside, touching = family.inside(SQUARES), family.touching(mask(touched))
    through = inside.both(touching).some()
    past = inside.both(touching.others(family)).some()

    assert any(line & squares == line and line & touched for line in found) == meaning(
        through, squares=squares
    )
    assert any(line & squares == line and not line & touched for line in found) == meaning(
        past, squares=squares
    )


universes = st.one_of(
    st.integers(1, 40).map(lambda count: Universe.of(tuple(range(5, 5 + count)))),
    st.lists(st.integers(0, 63), min_size=1, max_size=40, unique=True).map(
        lambda bits: Universe(tuple(range(len(bits))), tuple(sorted(bits)))
    ),
)


@given(universes, st.data())
def test_the_member_at_an_index(universe: Universe, data: st.DataObject) -> None:
    """By a table, by ranks or by halving: the same member."""
    chosen = data.draw(st.lists(st.sampled_from(universe.values), min_size=1, unique=True))
    inside = sorted(value for value in chosen if isinstance(value, int))
    index = data.draw(st.integers(0, len(inside) - 1))
    writer, tables = Writer(Names()), Tables(8)
    found = member(writer, tables, Bits(SQUARES, universe), INDEX)

    squares = universe.mask(tuple(inside))
    given_back = meaning(scalar(found).expr, writer, tables, squares=squares, index=index)
    assert inside[index] == given_back


@given(st.integers(-9, 9), st.integers(0, 12), st.data())
def test_numbers_are_compared_by_their_bounds_or_by_value(
    low: int, wide: int, data: st.DataObject
) -> None:
    """What bounds decide is known; the rest is asked when it is played."""
    value, other = data.draw(st.integers(low, low + wide)), data.draw(st.integers(-9, 9))
    number = Num(INDEX, low, low + wide)

    assert (value < other) == meaning(
        truth(ordered(numbers.LESS, number, Known(other))), index=value
    )
    assert (value >= other) == meaning(
        truth(ordered(numbers.AT_LEAST, number, Known(other))), index=value
    )
    assert value * other == meaning(
        scalar(arithmetic(numbers.MULTIPLY, number, Known(other))).expr, index=value
    )


@given(st.lists(st.integers(-300, 70_000), min_size=1, max_size=20), st.data())
def test_a_table_says_what_was_put_in(row: list[int], data: st.DataObject) -> None:
    """Of any width, also where it can be said without a table."""
    at = data.draw(st.integers(0, len(row) - 1))
    tables = Tables(8)

    assert row[at] == meaning(tables.numbers(tuple(row), INDEX), None, tables, index=at)


def test_a_function_of_two_numbers_becomes_a_table() -> None:
    """The last number changes fastest; `none` has a row of its own."""
    tables = Tables(8)
    one = Num(Local("one"), 1, 3)
    two = Num(Local("two"), 0, 2)
    found = tabulated(tables, [one, two], lambda keys: _product(keys), None)

    assert [[a * b % 5 for b in range(3)] for a in (1, 2, 3)] == [
        [meaning(scalar(found).expr, None, tables, one=a, two=b) for b in range(3)]
        for a in (1, 2, 3)
    ]


def _product(keys: tuple[object, ...]) -> int:
    one, two = (key for key in keys if isinstance(key, int))
    return one * two % 5


def test_what_is_known_needs_no_expression() -> None:
    """A sum of constants is one."""
    assert total([num(2), num(3)]) == num(5)
    assert ordered(numbers.LESS, Num(INDEX, 0, 3), Known(7)) == Known(True)
