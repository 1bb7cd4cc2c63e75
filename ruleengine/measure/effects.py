"""What changes between two runs of the same games: lengths, scores, each seat's chance.

Games are compared one by one: number `i` of both runs has the same chance and the same choices for
as long as both go alike.  Differences are those of pairs, which is why few games tell much.  A game
that did not end in one of the runs is left out of both.
"""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from ruleengine.match import Ending
from ruleengine.measure.intervals import Interval, mean, paired_share, share
from ruleengine.tally import Row


@frozen
class Effect:
    """What a change does in some games.

    `parted` games are not the same to their end, `changed` ones have other winners or scores.
    `length` is in steps (answers and outcomes of chance), `score` the mean over the seats, `wins`
    has each seat's chance to win, draws left out; all as differences.  `before` and `after` are the
    means and shares themselves.
    """

    games: int
    parted: Interval
    changed: Interval
    unfinished: tuple[int, int]
    length: Interval | None
    score: Interval | None
    wins: tuple[Interval, ...]
    before: "Figures"
    after: "Figures"

    @property
    def sure(self) -> float:
        """How far some figure is sure to move at least: a chance, or the length or the score as a
        share of what they were; 0 where none is told apart from no change."""
        shares = [
            (self.length, self.before.length),
            (self.score, self.before.score or 1.0),
            *((one, 1.0) for one in self.wins),
        ]
        return max(
            (
                min(abs(figure.low), abs(figure.high)) / abs(usual or 1.0)
                for figure, usual in shares
                if figure is not None and figure.excludes_zero
            ),
            default=0.0,
        )


@frozen
class Figures:
    """Means and shares of one run."""

    length: float
    score: float | None
    wins: tuple[float, ...]
    draws: float


def comparisons(seats: int, scored: bool) -> int:
    """How many figures are looked at together for one change."""
    return 1 + scored + seats


def effect(
    old: Sequence[Row], new: Mapping[int, Row], parted: int, seats: int, alpha: float
) -> Effect:
    """That of a change: all games before, and those that parted after, by number.

    `alpha` is how likely each interval may miss.
    """
    pairs = [(row, new.get(row.game, row)) for row in old]
    both = [
        (one, other)
        for one, other in pairs
        if one.ending is Ending.FINISHED and other.ending is Ending.FINISHED
    ]
    changed = sum(_result(one) != _result(other) for one, other in pairs)
    gains = [
        _mean(b.scores) - _mean(a.scores)
        for a, b in both
        if a.scores is not None and b.scores is not None
    ]
    return Effect(
        len(pairs),
        share(parted, len(pairs), alpha),
        share(changed, len(pairs), alpha),
        (_unfinished(one for one, _ in pairs), _unfinished(other for _, other in pairs)),
        mean([float(_length(other) - _length(one)) for one, other in both], alpha),
        mean(gains, alpha),
        tuple(_seat(both, seat, alpha) for seat in range(seats)),
        figures([one for one, _ in both], seats),
        figures([other for _, other in both], seats),
    )


def figures(rows: Sequence[Row], seats: int) -> Figures:
    """Those of some finished games."""
    many = max(len(rows), 1)
    scores = [_mean(row.scores) for row in rows if row.scores is not None]
    return Figures(
        sum(map(_length, rows)) / many,
        sum(scores) / len(scores) if scores else None,
        tuple(sum(won(row, seat) for row in rows) / many for seat in range(seats)),
        sum(row.is_draw for row in rows) / many,
    )


def won(row: Row, seat: int) -> bool:
    """Whether a seat won a game, alone or with others, and somebody did not."""
    return seat in row.winners and not row.is_draw


def _seat(pairs: Sequence[tuple[Row, Row]], seat: int, alpha: float) -> Interval:
    gained = sum(won(other, seat) and not won(one, seat) for one, other in pairs)
    lost = sum(won(one, seat) and not won(other, seat) for one, other in pairs)
    return paired_share(gained, lost, len(pairs), alpha)


def _unfinished(rows: Iterable[Row]) -> int:
    return sum(row.ending is not Ending.FINISHED for row in rows)


def _result(row: Row) -> tuple[object, ...]:
    return row.ending, row.winners, row.is_draw, row.scores


def _length(row: Row) -> int:
    return row.decisions + row.draws


def _mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers)
