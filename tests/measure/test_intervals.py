"""Intervals: against published figures, and by how often they hold what they should."""

from math import comb

import pytest

from ruleengine.measure.intervals import (
    each,
    games_for_mean,
    games_for_share,
    mean,
    paired_share,
    share,
    student_quantile,
)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (5, 2.5706), (10, 2.2281), (29, 2.0452), (2000, 1.96)],
)
def test_student(freedom: int, quantile: float) -> None:
    """The quantiles are those of the printed tables."""
    assert student_quantile(0.05, freedom) == pytest.approx(quantile, abs=2e-3)


@pytest.mark.parametrize("chance", [0.1, 0.25, 0.5, 0.8])
def test_a_share_is_covered(chance: float) -> None:
    """In 40 trials, Wilson's interval holds the true share about 95 times in 100."""
    covered = sum(
        comb(40, hits) * chance**hits * (1 - chance) ** (40 - hits)
        for hits in range(41)
        if share(hits, 40).low <= chance <= share(hits, 40).high
    )

    assert covered == pytest.approx(0.95, abs=0.03)


def test_nothing_seen_is_not_nothing() -> None:
    """Without a hit the share may still be above 0; without a trial it may be anything."""
    assert share(0, 100).high == pytest.approx(0.037, abs=1e-3)
    assert (share(0, 0).low, share(0, 0).high) == (0, 1)
    assert paired_share(0, 0, 100).high == pytest.approx(0.019, abs=1e-3)


def test_a_paired_share_moves_by_what_was_gained() -> None:
    """30 games won only now and 10 won only before, of 100, are told apart from no change."""
    change = paired_share(30, 10, 100)

    assert (change.value, change.excludes_zero) == (0.2, True)
    assert not paired_share(11, 10, 100).excludes_zero


def test_many_figures_widen_each_interval() -> None:
    """What is sure alone may not be among a hundred."""
    assert paired_share(20, 8, 100).excludes_zero
    assert not paired_share(20, 8, 100, each(100)).excludes_zero


def test_a_mean() -> None:
    """Of 1, 2, 3 the mean is 2, give or take 4.3027 times the standard error."""
    found = mean([1, 2, 3])
    assert found is not None
    assert found.high - found.value == pytest.approx(4.3027 / 3**0.5, abs=1e-3)
    assert mean([1]) is None


def test_how_many_games_are_needed() -> None:
    """A twentieth near one half takes some 1,600 games each; half of that four times as many."""
    assert games_for_share(0.05) == 1570
    assert games_for_share(0.025) == pytest.approx(4 * 1570, abs=4)
    assert games_for_mean(1, deviation=5) == 393
