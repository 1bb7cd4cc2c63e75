"""What a result is worth to each seat."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from ruleengine.stops import Result

Number: TypeAlias = Fraction | float
"""Exact where it is a fraction."""


def worths(result: Result, seats: int) -> tuple[Fraction, ...]:
    """The score of each seat; without scores, 1 for who wins alone and -1 for who loses.

    With more than two seats it is the share of the win: 1 / (number of winners), else 0.
    """
    if result.scores is not None:
        return tuple(map(Fraction, result.scores))
    if seats == 2:
        alone = Fraction(0 if result.draw or len(result.winners) != 1 else 1)
        return tuple(alone if seat in result.winners else -alone for seat in range(2))
    share = Fraction(1, len(result.winners)) if result.winners else Fraction()
    return tuple(share if seat in result.winners else Fraction() for seat in range(seats))


def is_zero_sum(payoffs: Sequence[Sequence[Fraction]]) -> bool:
    """Whether what one seat gets the others lose, at every end."""
    return all(sum(payoff) == 0 for payoff in payoffs)
