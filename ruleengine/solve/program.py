"""A linear program, as data."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from attrs import frozen


@frozen
class Program:
    """Maximize `aim` · x where `equal` rows give `equals`, `most` rows give 0 or less.

    Rows are sparse; x[i] may be negative only for i in `free`.
    """

    size: int
    aim: Mapping[int, Fraction]
    equal: Sequence[Mapping[int, Fraction]]
    equals: Sequence[Fraction]
    most: Sequence[Mapping[int, Fraction]]
    free: range
