"""What the end of a game is worth to each seat: shares of one win."""

from typing import TypeAlias

from ruleengine.stops import Result

Rewards: TypeAlias = tuple[float, ...]
"""A number from 0 to 1 for each seat."""


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
