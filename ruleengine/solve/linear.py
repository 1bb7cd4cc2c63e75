"""Linear equations and linear programs: by fractions while few, by SciPy where many.

SciPy is not needed to play or to test rulebooks, so it is imported when there is something for it
to do, and what is said when it is missing names the extra that brings it.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from ruleengine.solve.program import Program
from ruleengine.solve.worth import Number

EXACT_CYCLE: Final = 150
"""Equations that hang together up to which they are solved by fractions."""

Row = Mapping[int, Number]


class NeedsNumbers(Exception):
    """Something can only be found with a library that is not installed."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} needs SciPy, which is not installed: `pip install 'rulewright[solve]'`"
        )


def solved(rows: Sequence[Row], sides: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """The x with x[i] = sides[i] + sum of rows[i][j] * x[j], one column for each of the sides.

    Exact if all numbers are fractions and there are few equations.  The equations must have one
    solution, as those of a chain that leaves its states with probability one have.
    """
    exact = all(isinstance(n, Fraction) for row in rows for n in row.values()) and all(
        isinstance(n, Fraction) for side in sides for n in side
    )
    if exact and len(rows) <= EXACT_CYCLE:
        return _by_fractions(rows, sides)
    return _by_scipy(rows, sides)


def _by_fractions(rows: Sequence[Row], sides: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """Gauss's elimination on sparse rows, from the last unknown to the first."""
    left = [{j: Fraction(-n) for j, n in row.items()} for row in rows]
    right = [[Fraction(n) for n in side] for side in sides]
    for i, row in enumerate(left):
        row[i] = row.get(i, Fraction()) + 1
    for k in reversed(range(len(left))):
        pivot = left[k].pop(k)
        left[k] = {j: n / pivot for j, n in left[k].items()}
        right[k] = [n / pivot for n in right[k]]
        for i in range(k):
            factor = left[i].pop(k, None)
            if factor:
                for j, n in left[k].items():
                    left[i][j] = left[i].get(j, Fraction()) - factor * n
                right[i] = [a - factor * b for a, b in zip(right[i], right[k], strict=True)]
    for k, row in enumerate(left):  # what is left of a row names earlier unknowns only
        for j, n in row.items():
            right[k] = [a - n * b for a, b in zip(right[k], right[j], strict=True)]
    return [list(side) for side in right]


def _by_scipy(rows: Sequence[Row], sides: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """A sparse factorization."""
    try:
        from ruleengine.solve import scipy_door
    except ImportError as error:
        raise NeedsNumbers(f"a game of {len(rows)} situations that come again") from error
    return [list(row) for row in scipy_door.solved(rows, sides)]


def maximized(program: Program) -> tuple[list[float], list[float]]:
    """The best x, and how much each of the `most` rows costs."""
    try:
        from ruleengine.solve import scipy_door
    except ImportError as error:
        raise NeedsNumbers("a game with hidden cards") from error
    return scipy_door.maximized(program)
