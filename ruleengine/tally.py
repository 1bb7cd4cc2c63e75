"""What is kept of many games: a row for each, or only what they come to together."""

from collections.abc import Iterable, Mapping
from typing import Self

from attrs import evolve, field, frozen

from ruleengine.match import Ending, Match


@frozen
class Row:
    """One game of a run.  Of a game that did not end, winners and scores are empty."""

    game: int
    ending: Ending
    decisions: int
    draws: int
    nodes: int
    winners: tuple[int, ...]
    is_draw: bool
    scores: tuple[int, ...] | None
    error: str | None

    @classmethod
    def of(cls, number: int, match: Match) -> Self:
        """That of a match."""
        result = match.result
        return cls(
            number,
            match.ending,
            match.decisions,
            match.draws,
            match.nodes,
            () if result is None else result.winners,
            result is not None and result.draw,
            None if result is None else result.scores,
            None if match.error is None else str(match.error),
        )


@frozen
class Totals:
    """Many games together: whole numbers, so that it does not matter in which order they are added.

    Decisions, draws of chance, nodes, wins and scores are those of finished games.  `fewest` and
    `most` decisions are 0 if none is finished.  `drawn` games nobody won over anybody; they are in
    no seat's `wins`.  `scores` are sums over the `scored` games.
    """

    finished: int
    decisions: int
    draws: int
    nodes: int
    fewest: int
    most: int
    drawn: int
    wins: tuple[int, ...]
    scored: int
    scores: tuple[int, ...]
    unfinished: Mapping[str, int] = field(factory=dict)  # by why they did not end
    errors: Mapping[str, int] = field(factory=dict)  # by message, the first game it came up in

    @classmethod
    def nothing(cls, seats: int) -> Self:
        """No game at all."""
        zeros = (0,) * seats
        return cls(0, 0, 0, 0, 0, 0, 0, zeros, 0, zeros)

    @classmethod
    def of(cls, rows: Iterable[Row], seats: int) -> Self:
        """Those of some games, in any order."""
        rows = list(rows)
        done = [row for row in rows if row.ending is Ending.FINISHED]
        scored = [row.scores for row in done if row.scores is not None]
        reasons = [row.ending.value for row in rows if row.ending is not Ending.FINISHED]
        told = sorted((row.game, row.error) for row in rows if row.error is not None)
        errors: dict[str, int] = {}
        for game, error in told:
            errors.setdefault(error, game)
        return cls(
            len(done),
            sum(row.decisions for row in done),
            sum(row.draws for row in done),
            sum(row.nodes for row in done),
            min((row.decisions for row in done), default=0),
            max((row.decisions for row in done), default=0),
            sum(row.is_draw for row in done),
            tuple(
                sum(seat in row.winners for row in done if not row.is_draw) for seat in range(seats)
            ),
            len(scored),
            tuple(sum(scores[seat] for scores in scored) for seat in range(seats)),
            {reason: reasons.count(reason) for reason in sorted(set(reasons))},
            errors,
        )

    @property
    def games(self) -> int:
        """How many games there are, finished or not."""
        return self.finished + sum(self.unfinished.values())

    @property
    def limited(self) -> int:
        """How many games were given up at the limit of steps."""
        return self.unfinished.get(Ending.NODE_LIMIT.value, 0)

    def __add__(self, other: Self) -> Self:
        """Those of all games of both."""
        if not self.finished or not other.finished:
            fewest = self.fewest or other.fewest
        else:
            fewest = min(self.fewest, other.fewest)
        return evolve(
            self,
            finished=self.finished + other.finished,
            decisions=self.decisions + other.decisions,
            draws=self.draws + other.draws,
            nodes=self.nodes + other.nodes,
            fewest=fewest,
            most=max(self.most, other.most),
            drawn=self.drawn + other.drawn,
            wins=_sums(self.wins, other.wins),
            scored=self.scored + other.scored,
            scores=_sums(self.scores, other.scores),
            unfinished=_counts(self.unfinished, other.unfinished),
            errors=_firsts(self.errors, other.errors),
        )


def _sums(ones: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(one + other for one, other in zip(ones, others, strict=True))


def _counts(ones: Mapping[str, int], others: Mapping[str, int]) -> dict[str, int]:
    return {word: ones.get(word, 0) + others.get(word, 0) for word in sorted({*ones, *others})}


def _firsts(ones: Mapping[str, int], others: Mapping[str, int]) -> dict[str, int]:
    """The first game of each message, in the order of the games."""
    both = sorted((game, message) for told in (ones, others) for message, game in told.items())
    found: dict[str, int] = {}
    for game, message in both:
        found.setdefault(message, game)
    return found
