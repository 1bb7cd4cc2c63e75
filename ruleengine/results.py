"""What the end of a game means: winners, scores, ranking, draw."""

from typing import assert_never

from compiler.graph.core import Ending, Value
from ruleengine.errors import Fault
from ruleengine.stops import Result

Seats = tuple[int, ...]


def result_of(ending: Ending, value: Value, still_in: Seats, seats: int) -> Result:
    """The result an `end` says; `still_in` share a draw."""
    match ending:
        case Ending.WINNERS:
            return _groups(_named(value), seats)
        case Ending.SCORES:
            return _by_score(_numbers(value, seats))
        case Ending.RANKING:
            return _ranked(value, seats)
        case Ending.DRAW:
            behind = tuple(seat for seat in range(seats) if seat not in still_in)
            return Result(still_in, None, _without_empty(still_in, behind), True)
        case _:
            assert_never(ending)


def told_result(winners: int, draw: bool, scores: Seats, seats: int) -> Result:
    """The result that a mask of winners, whether it is a draw, and scores, if any, are.

    How those are ranked who have not won is not told.
    """
    if scores:
        return _by_score(scores)
    first = tuple(seat for seat in range(seats) if winners >> seat & 1)
    behind = tuple(seat for seat in range(seats) if seat not in first)
    return Result(first, None, _without_empty(first, behind), draw)


def _groups(winners: Seats, seats: int) -> Result:
    losers = tuple(seat for seat in range(seats) if seat not in winners)
    return Result(
        winners, None, _without_empty(winners, losers), draw=not losers and len(winners) > 1
    )


def _by_score(scores: tuple[int, ...]) -> Result:
    ranking = tuple(
        tuple(seat for seat, score in enumerate(scores) if score == level)
        for level in sorted(set(scores), reverse=True)
    )
    return Result(ranking[0], scores, ranking, draw=len(ranking) == 1 and len(scores) > 1)


def _ranked(value: Value, seats: int) -> Result:
    groups = tuple(_named(group) for group in (value if isinstance(value, tuple) else ()))
    placed = [seat for group in groups for seat in group]
    if len(set(placed)) < len(placed):
        raise Fault("a ranking names a player twice")
    behind = tuple(seat for seat in range(seats) if seat not in placed)
    ranking = _without_empty(*groups, behind)
    return Result(ranking[0], None, ranking, draw=len(ranking) == 1 and seats > 1)


def _without_empty(*groups: Seats) -> tuple[Seats, ...]:
    return tuple(group for group in groups if group)


def _named(value: Value) -> Seats:
    """The seats a value names, ascending."""
    if value is None:
        raise Fault("`none` where players must be named")
    listed = value if isinstance(value, tuple) else (value,)
    return tuple(sorted({seat for seat in listed if isinstance(seat, int)}))


def _numbers(value: Value, seats: int) -> tuple[int, ...]:
    scores = tuple(n for n in (value if isinstance(value, tuple) else ()) if isinstance(n, int))
    if len(scores) != seats:
        raise Fault("every player must have a score")
    return scores
