"""Figures about a game in the terms of the field, each with what it means and how sure it is.

Length, completion, drawishness, advantage, drama, lead change, uncertainty and decisiveness follow
C. Browne, Automatic Generation and Evaluation of Recombination Games (PhD thesis, Queensland
University of Technology, 2008), with estimated chances of winning in the place of an evaluation.
All intervals hold with 95 %, each for itself; those of the seats hold all together.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import Final

from attrs import frozen

from compiler.graph.values import seat_text
from ruleengine.match import Ending
from ruleengine.measure.intervals import Interval, each, mean, share
from ruleengine.measure.watching import Watched
from ruleengine.players.rewards import Rewards, shared
from ruleengine.tally import Row, Totals

BROWNE: Final = "Browne 2008"


@frozen
class Figure:
    """One figure: what it is called and means, from how many games, and its interval.

    `interval` is `None` where there are too few games to tell.
    """

    key: str
    title: str
    meaning: str
    source: str
    games: int
    is_share: bool
    interval: Interval | None


# ---- seats


@frozen
class SeatShare:
    """The wins of a seat; a win together counts for each, a draw for nobody."""

    seat: str
    wins: int
    interval: Interval
    fair: float

    @property
    def is_fair(self) -> bool:
        """Whether the fair share is in the interval."""
        return self.interval.low <= self.fair <= self.interval.high


def seat_shares(totals: Totals) -> tuple[SeatShare, ...]:
    """How the games that somebody won are shared; fair is the same share of wins for all."""
    won = totals.finished - totals.drawn
    seats = len(totals.wins)
    fair = sum(totals.wins) / (seats * won) if won else 1 / max(seats, 1)
    return tuple(
        SeatShare(seat_text(seat), wins, share(wins, won, each(seats)), fair)
        for seat, wins in enumerate(totals.wins)
    )


def fair_words(shares: Sequence[SeatShare]) -> str:
    """What the fair share is, and why it is more than one for each seat where it is."""
    fair, seats = shares[0].fair, len(shares)
    if not is_shared(shares):
        return f"The fair share is {100 * fair:.0f} %: one of {seats}."
    return (
        f"The fair share is {100 * fair:.0f} %, more than one of {seats}: some games were won by "
        "several together, which counts as a win of each."
    )


def is_shared(shares: Sequence[SeatShare]) -> bool:
    """Whether there are so many wins together that the fair share shows it."""
    return round(100 * shares[0].fair) > round(100 / len(shares))


def seat_bias(shares: Sequence[SeatShare]) -> Interval:
    """How far the seat that is furthest from its fair share is from it."""
    value = max(abs(one.interval.value - one.fair) for one in shares)
    low = max(max(one.interval.low - one.fair, one.fair - one.interval.high, 0.0) for one in shares)
    high = max(
        max(one.interval.high - one.fair, one.fair - one.interval.low, 0.0) for one in shares
    )
    return Interval(value, low, high)


# ---- all figures


def figures(totals: Totals, rows: Sequence[Row], watched: Sequence[Watched]) -> tuple[Figure, ...]:
    """What can be said of some games; figures of moves are of those that were watched."""
    return (*_of_rows(totals, rows), *_of_moves(watched))


def length(done: Sequence[Row]) -> tuple[str, list[int]]:
    """In what the length of finished games is told, and how long each is.

    Where nobody ever decides anything they are as long as chance makes them.
    """
    if any(row.decisions for row in done) or not any(row.draws for row in done):
        return "decisions", [row.decisions for row in done]
    return "stops of chance (nobody decides)", [row.draws for row in done]


def _of_rows(totals: Totals, rows: Sequence[Row]) -> Iterator[Figure]:
    done = [row for row in rows if row.ending is Ending.FINISHED]
    what, lengths = length(done)
    yield _mean("length", "Length", f"{what} in a finished game", BROWNE, lengths)
    yield _mean(
        "chance",
        "Chance",
        "stops at which chance decides, in a finished game",
        "",
        [row.draws for row in done],
    )
    yield _share(
        "completion",
        "Completion",
        "games that come to an end within the limit",
        BROWNE,
        totals.finished,
        totals.games,
    )
    yield _share(
        "drawishness",
        "Drawishness",
        "finished games that nobody wins over anybody",
        BROWNE,
        totals.drawn,
        totals.finished,
    )
    won = totals.finished - totals.drawn
    if len(totals.wins) > 1:
        bias = seat_bias(seat_shares(totals)) if won else None
        yield Figure(
            "seat_bias",
            "Seat bias",
            "how far the seat furthest from its fair share of wins is from it",
            f"advantage in {BROWNE}",
            won,
            True,
            bias,
        )


def _of_moves(watched: Sequence[Watched]) -> Iterator[Figure]:
    asked = [game for game in watched if game.asked]
    yield _mean(
        "branching",
        "Branching",
        "legal answers at a decision, the mean of a game",
        "common in game tree search",
        [sum(one.answers for one in game.asked) / len(game.asked) for game in asked],
    )
    yield _mean(
        "forced",
        "Forced",
        "decisions of a game that leave one answer",
        "",
        [sum(one.answers == 1 for one in game.asked) / len(game.asked) for game in asked],
        is_share=True,
    )
    judged = [game for game in watched if len(game.chances) > 1 and _decided(game)]
    for key, title, meaning, is_share, of in _JUDGED:
        yield _mean(key, title, meaning, BROWNE, [of(game) for game in judged], is_share=is_share)


def _decided(game: Watched) -> bool:
    return bool(game.row.winners) and not game.row.is_draw and len(game.chances[0][1]) > 1


def _mean(
    key: str,
    title: str,
    meaning: str,
    source: str,
    values: Sequence[float],
    *,
    is_share: bool = False,
) -> Figure:
    found = mean(values)
    if found is not None and is_share:
        found = Interval(found.value, max(found.low, 0.0), min(found.high, 1.0))
    return Figure(key, title, meaning, source, len(values), is_share, found)


def _share(key: str, title: str, meaning: str, source: str, hits: int, games: int) -> Figure:
    return Figure(key, title, meaning, source, games, True, share(hits, games) if games else None)


# ---- who leads


def leader(game: Watched, chances: Rewards) -> int | None:
    """The seat that leads; nobody where the two best are within two standard errors."""
    best, second = sorted(chances, reverse=True)[:2]
    error = sqrt(max(best + second - (best - second) ** 2, 0.0) / max(game.playouts, 1))
    return chances.index(best) if best - second > 2 * error else None


def lead_changes(game: Watched) -> float:
    """How often the lead goes from one seat to another; moments that nobody leads are passed."""
    leads = [seat for _, chances in game.chances if (seat := leader(game, chances)) is not None]
    return float(sum(one != other for one, other in pairwise(leads)))


def drama(game: Watched) -> float:
    """How badly a winner stood: the mean root of how far it was behind the best, when behind."""
    behind = [
        sqrt(max(chances) - max(chances[seat] for seat in game.row.winners))
        for _, chances in game.chances
        if leader(game, chances) not in (None, *game.row.winners)
    ]
    return sum(behind) / len(behind) if behind else 0.0


def uncertainty(game: Watched) -> float:
    """How open a game is: how near the two best are to each other, the mean over its moments."""
    closeness = []
    for _, chances in game.chances:
        best, second = sorted(chances, reverse=True)[:2]
        closeness.append(1 - (best - second))
    return sum(closeness) / len(closeness)


def decision_point(game: Watched) -> float:
    """The part of a game that is over when a winner takes the lead for good; 1 if it never does."""
    last = 0.0
    total = max(game.row.decisions, 1)
    for (_, chances), (after, _) in zip(
        game.chances, (*game.chances[1:], (total, ())), strict=True
    ):
        if leader(game, chances) not in game.row.winners:
            last = after / total
    return last


def comeback(game: Watched) -> float:
    """1 if another seat led when the game was half over."""
    half = game.row.decisions / 2
    chances = min(game.chances, key=lambda moment: abs(moment[0] - half))[1]
    return float(leader(game, chances) not in (None, *game.row.winners))


_Of = Callable[[Watched], float]
_JUDGED: Final[tuple[tuple[str, str, str, bool, _Of], ...]] = (
    (
        "lead_changes",
        "Lead changes",
        "how often the lead passes to another seat",
        False,
        lead_changes,
    ),
    (
        "drama",
        "Drama",
        "how far a winner was behind while others led, as a root; 0 if never",
        True,
        drama,
    ),
    (
        "uncertainty",
        "Uncertainty",
        "how near the chances of the two best seats are, 1 if equal",
        True,
        uncertainty,
    ),
    (
        "decisiveness",
        "Decision point",
        "part of a game that is over when its winner leads for good",
        True,
        decision_point,
    ),
    ("comeback", "Comebacks", "games that another seat led at half time", True, comeback),
)


# ---- distributions


def histogram(values: Sequence[int], most: int = 24) -> tuple[tuple[int, int, int], ...]:
    """At most so many bins of equal width: from, up to and with, how many."""
    if not values:
        return ()
    low, high = min(values), max(values)
    width = -(-(high - low + 1) // most)
    bins = [0] * (-(-(high - low + 1) // width))
    for value in values:
        bins[(value - low) // width] += 1
    return tuple(
        (low + at * width, low + (at + 1) * width - 1, count) for at, count in enumerate(bins)
    )


@frozen
class OptionUse:
    """An option: decisions that offered it, how often it was taken, and that by tenths of games."""

    offered: int
    taken: int
    by_tenth: tuple[int, ...]


def option_use(watched: Sequence[Watched]) -> Mapping[str, OptionUse]:
    """How options were used in the games that were watched, in the order they came up."""
    offered: dict[str, int] = {}
    tenths: dict[str, list[int]] = {}
    for game in watched:
        for at, asked in enumerate(game.asked):
            for name in asked.offered:
                offered[name] = offered.get(name, 0) + 1
                tenths.setdefault(name, [0] * 10)
            tenths[asked.taken][at * 10 // len(game.asked)] += 1
    return {
        name: OptionUse(many, sum(tenths[name]), tuple(tenths[name]))
        for name, many in offered.items()
    }


def wins_of(rows: Sequence[Row], seats: int) -> tuple[float, ...]:
    """Wins by seat, those together shared among who won."""
    done = [row for row in rows if row.ending is Ending.FINISHED]
    parts = [shared(row.winners, seats) for row in done]
    return tuple(sum(part[seat] for part in parts) for seat in range(seats))
