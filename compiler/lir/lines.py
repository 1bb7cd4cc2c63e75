"""Families of lines on a board: shapes laid at many places, tested all at once.

A line is a set of squares that is known before play.  Lines of one shape differ by where its first
square lies; conditions on lines give, for each shape, the squares where a line begins that holds.
"""

from collections.abc import Iterable

from attrs import define

from compiler.lir.build import EMPTY, any_of, both, either, flip, mask, shifted, some_bit
from compiler.lir.core import Expr


@define(eq=False)
class Family:
    """Lines, as masks, by shape: the shape with its first square at bit 0, and where it begins."""

    shapes: dict[int, int]

    @classmethod
    def of(cls, lines: Iterable[int]) -> "Family":
        """That of these lines; none may be empty."""
        shapes: dict[int, int] = {}
        for line in lines:
            low = (line & -line).bit_length() - 1
            shapes[line >> low] = shapes.get(line >> low, 0) | 1 << low
        return cls(shapes)

    def all(self) -> "Lines":
        """All of them."""
        return Lines({shape: mask(begins) for shape, begins in self.shapes.items()})

    def none(self) -> "Lines":
        """None of them."""
        return Lines(dict.fromkeys(self.shapes, EMPTY))

    def inside(self, squares: Expr) -> "Lines":
        """Those all of whose squares are among these."""
        return Lines(
            {
                shape: both(_laid(squares, shape), mask(begins))
                for shape, begins in self.shapes.items()
            }
        )

    def touching(self, squares: Expr) -> "Lines":
        """Those of which a square is among these."""
        found = {}
        for shape, begins in self.shapes.items():
            some: Expr = EMPTY
            for bit in _bits(shape):
                some = either(some, shifted(squares, -bit))
            found[shape] = both(some, mask(begins))
        return Lines(found)


@define(eq=False)
class Lines:
    """Some lines of a family: where they begin, by shape."""

    begins: dict[int, Expr]

    def both(self, other: "Lines") -> "Lines":
        """Those in both."""
        return Lines({shape: both(one, other.begins[shape]) for shape, one in self.begins.items()})

    def either(self, other: "Lines") -> "Lines":
        """Those in one of both."""
        return Lines(
            {shape: either(one, other.begins[shape]) for shape, one in self.begins.items()}
        )

    def others(self, family: Family) -> "Lines":
        """Those of the family that are not among these."""
        return Lines(
            {
                shape: both(flip(one), mask(family.shapes[shape]))
                for shape, one in self.begins.items()
            }
        )

    def some(self) -> Expr:
        """Whether there is one."""
        return any_of([some_bit(begins) for begins in self.begins.values()])


def _bits(shape: int) -> list[int]:
    return [bit for bit in range(shape.bit_length()) if shape >> bit & 1]


def _laid(squares: Expr, shape: int) -> Expr:
    """Where a shape fits: bit 0 of it lies on the bit that is set."""
    bits = _bits(shape)
    step = bits[1] if len(bits) > 1 else 0
    if bits == [step * at for at in range(4)]:
        twice = both(squares, shifted(squares, -step))
        return both(twice, shifted(twice, -2 * step))
    found = squares
    for bit in bits[1:]:
        found = both(found, shifted(squares, -bit))
    return found
