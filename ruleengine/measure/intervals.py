"""How sure a figure is: intervals for shares, means and paired differences.

All are two-sided.  Where many figures are looked at together, the chance that *any* interval misses
is what is held to; `each` divides it evenly among them (Bonferroni), whatever depends on what.
"""

from collections.abc import Sequence
from math import atan2, ceil, cos, pi, sin, sqrt
from statistics import NormalDist, fmean, variance
from typing import Final

from attrs import frozen

ALPHA: Final = 0.05
"""How likely any interval of one table may miss."""

_STEPS: Final = 60  # halvings, which is as exact as a float is


@frozen
class Interval:
    """A figure and the ends of its interval."""

    value: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether it is told apart from nothing at all."""
        return self.low > 0 or self.high < 0


def each(comparisons: int, alpha: float = ALPHA) -> float:
    """How likely each of several intervals may miss, so that any does with `alpha` at most."""
    return alpha / max(comparisons, 1)


def normal_quantile(alpha: float) -> float:
    """How many standard errors a two-sided interval reaches to each side."""
    return NormalDist().inv_cdf(1 - alpha / 2)


def share(hits: float, trials: int, alpha: float = ALPHA) -> Interval:
    """A share of independent trials, by E. B. Wilson (JASA 22, 1927)."""
    if not trials:
        return Interval(0.0, 0.0, 1.0)
    z = normal_quantile(alpha)
    at, spread = hits / trials, z * z / trials
    centre = (at + spread / 2) / (1 + spread)
    half = sqrt(at * (1 - at) * spread + spread * spread / 4) / (1 + spread)
    low = 0.0 if not hits else max(0.0, centre - half)
    high = 1.0 if hits == trials else min(1.0, centre + half)
    return Interval(at, low, high)


def mean(values: Sequence[float], alpha: float = ALPHA) -> Interval | None:
    """The mean of independent values, with Student's t; `None` for fewer than two."""
    if len(values) < 2:
        return None
    middle = fmean(values)
    half = student_quantile(alpha, len(values) - 1) * sqrt(variance(values) / len(values))
    return Interval(middle, middle - half, middle + half)


def paired_share(gained: int, lost: int, trials: int, alpha: float = ALPHA) -> Interval:
    """The change of a share between two runs of the same games.

    `gained` games are hits only in the second run, `lost` only in the first.  After A. Agresti and
    Y. Min (Statistics in Medicine 24, 2005): half a game is added to each of the four cells.
    """
    if not trials:
        return Interval(0.0, -1.0, 1.0)
    total = trials + 2
    middle = (gained - lost) / total
    error = sqrt(max(gained + lost + 1 - (gained - lost) ** 2 / total, 0.0)) / total
    half = normal_quantile(alpha) * error
    return Interval((gained - lost) / trials, max(-1.0, middle - half), min(1.0, middle + half))


def games_for_share(difference: float, at: float = 0.5, power: float = 0.8) -> int:
    """Games in each of two independent runs, to see a difference between shares near `at`."""
    spread = 2 * at * (1 - at)
    return _games(spread, difference, power)


def games_for_mean(difference: float, deviation: float, power: float = 0.8) -> int:
    """Games in each of two independent runs, to see a difference between means."""
    return _games(2 * deviation * deviation, difference, power)


def _games(spread: float, difference: float, power: float) -> int:
    z = normal_quantile(ALPHA) + NormalDist().inv_cdf(power)
    return max(2, ceil(spread * (z / difference) ** 2)) if difference else 0


# ---- Student's t


def student_quantile(alpha: float, freedom: int) -> float:
    """How many standard errors a two-sided interval of a mean reaches to each side."""
    low, high = 0.0, 1.0
    while student_tails(high, freedom) > alpha:
        low, high = high, 2 * high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tails(middle, freedom) > alpha else (low, middle)
    return high


def student_tails(t: float, freedom: int) -> float:
    """The chance that |T| exceeds `t`, by the finite sums of Abramowitz and Stegun, 26.7.3-4."""
    if freedom > _LARGE:  # T is normal then, in every digit that is shown
        return 2 * (1 - NormalDist().cdf(t))
    angle = atan2(t, sqrt(freedom))
    square = cos(angle) ** 2
    odd = freedom % 2
    term, total = (cos(angle), 0.0) if odd else (1.0, 0.0)
    for step in range(freedom // 2):
        total += term
        below = 2 * step + 1
        term *= square * ((below + 1) / (below + 2) if odd else below / (below + 1))
    inside = 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
    return 1 - inside


_LARGE: Final = 1000
