"""What the end of a game is worth to each seat: shares of one win."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from ruleengine.stops import Result

Rewards: TypeAlias = tuple[float, ...]
"""A number from 0 to 1 for each seat."""

_BY_SCORE: Final = 0.1
"""How much of what is worth something is the score, where there are scores; the rest is winning."""


def rewards(result: Result | None, seats: int) -> Rewards:
    """One win, shared by all who won; by all seats if nobody is said to have won."""
    winners = () if result is None else result.winners
    return shared(winners, seats)


def shared(winners: tuple[int, ...], seats: int) -> Rewards:
    """One win, shared by these seats, by all if there are none."""
    if not winners:
        return (1 / seats,) * seats
    each = 1 / len(winners)
    return tuple(each if seat in winners else 0.0 for seat in range(seats))


def ended(result: Result | None, seats: int) -> Rewards:
    """What an end is worth to who thinks ahead; the same to all where a game came to none."""
    if result is None:
        return shared((), seats)
    return worth(result.winners, result.scores, seats)


def worth(winners: tuple[int, ...], scores: tuple[int, ...] | None, seats: int) -> Rewards:
    """What an end is worth to who thinks ahead: winning first, then by how much.

    Without scores a share of the win; with scores nine tenths of it, and a tenth by how far a seat
    is ahead of the best of the others, so that little is rather lost than much.
    """
    won = shared(winners, seats)
    if not scores:
        return won
    leads = margins(scores)
    return tuple(
        share * (1 - _BY_SCORE) + _BY_SCORE * (0.5 + lead / (2 + 2 * abs(lead)))
        for share, lead in zip(won, leads, strict=True)
    )


def mean(several: Sequence[Rewards]) -> Rewards:
    """What several ends are worth in the mean."""
    return tuple(sum(column) / len(several) for column in zip(*several, strict=True))


def margins(scores: Sequence[float]) -> tuple[float, ...]:
    """How far each seat is ahead of the best of the others; alone, its score."""
    if len(scores) < 2:
        return tuple(scores)
    return tuple(
        score - max(other for at, other in enumerate(scores) if at != seat)
        for seat, score in enumerate(scores)
    )
