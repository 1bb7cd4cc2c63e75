"""Many games: how long they are, who wins them, and which do not end.

Every game has streams of its own, named by the seed and its number, so the rows do not depend on
how many processes play them or in which order.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from attrs import field, frozen

from compiler.config import Configuration
from compiler.graph.values import seat_text
from compiler.pipeline import Spec
from compiler.source import SourceSet
from ruleengine.game import Instance, Setting, load
from ruleengine.match import NODE_LIMIT, Ending, Match, random_match
from ruleengine.processes import compiled_game, spread

_SHARES: Final = 8  # batches for each process, so that the last to finish is not far behind
_MOST: Final = 250  # games in a batch, so that progress shows


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
    def of(cls, number: int, match: Match) -> "Row":
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
class Spread:
    """Mean, least and greatest of some numbers."""

    mean: float
    min: int
    max: int


@frozen
class Simulation:
    """The games of one run, in the order of their numbers."""

    name: str
    configuration: Configuration
    seats: int
    seed: int
    rows: tuple[Row, ...] = field(repr=False)

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.rows)

    @property
    def finished(self) -> tuple[Row, ...]:
        """The games that came to an end."""
        return tuple(row for row in self.rows if row.ending is Ending.FINISHED)

    @property
    def unfinished(self) -> Mapping[str, int]:
        """Why games did not end, and how many."""
        reasons = (row.ending.value for row in self.rows if row.ending is not Ending.FINISHED)
        return dict(sorted(Counter(reasons).items()))

    @property
    def errors(self) -> Mapping[str, int]:
        """What in the spec was at fault: each message, and the first game in which it came up."""
        found: dict[str, int] = {}
        for row in self.rows:
            if row.error is not None:
                found.setdefault(row.error, row.game)
        return found

    @property
    def decisions(self) -> Spread | None:
        """How many decisions a finished game takes; `None` if there is none."""
        counts = [row.decisions for row in self.finished]
        if not counts:
            return None
        return Spread(sum(counts) / len(counts), min(counts), max(counts))

    @property
    def winners(self) -> Mapping[str, int]:
        """How often each seat won, alone or with others, draws left out."""
        wins = Counter(seat for row in self.finished if not row.is_draw for seat in row.winners)
        return {seat_text(seat): wins[seat] for seat in range(self.seats)}

    @property
    def draws(self) -> int:
        """How many games nobody won over anybody."""
        return sum(row.is_draw for row in self.finished)

    @property
    def scores(self) -> Mapping[str, float]:
        """The mean score of each seat; empty in games without scores."""
        scored = [row.scores for row in self.finished if row.scores is not None]
        if not scored:
            return {}
        return {
            seat_text(seat): sum(scores[seat] for scores in scored) / len(scored)
            for seat in range(self.seats)
        }


def simulate(
    game: str | Path | Spec | Instance,
    games: int = 100,
    *,
    seed: int = 0,
    players: int | None = None,
    rulings: Mapping[str, Setting] | None = None,
    jobs: int = 1,
    node_limit: int = NODE_LIMIT,
    progress: Callable[[int], None] | None = None,
    **settings: Setting,
) -> Simulation:
    """Games between uniformly random players; `progress` is told how many more are done.

    `jobs` is the number of processes.  With several, a script must begin its work under
    `if __name__ == "__main__":`, as Python asks of everybody who starts processes.
    """
    chosen = game if isinstance(game, Instance) else load(game, players, rulings, **settings)
    rows: list[Row] = []
    for batch in _batches(chosen, seed, games, jobs, node_limit):
        rows += batch
        if progress is not None:
            progress(len(batch))
    rows.sort(key=lambda row: row.game)
    return Simulation(chosen.name, chosen.configuration, chosen.seats, seed, tuple(rows))


@frozen
class Batch:
    """Some games of a run, as values that can be sent to another process."""

    sources: SourceSet
    configuration: Configuration
    seed: int
    numbers: range
    node_limit: int


def play_batch(batch: Batch) -> list[Row]:
    """The games of a batch."""
    game = compiled_game(batch.sources, batch.configuration)
    return [_row(game, batch.seed, number, batch.node_limit) for number in batch.numbers]


def _row(game: Instance, seed: int, number: int, node_limit: int) -> Row:
    return Row.of(number, random_match(game, seed, number, node_limit=node_limit))


def _batches(
    game: Instance, seed: int, games: int, jobs: int, node_limit: int
) -> Iterator[list[Row]]:
    if jobs == 1:
        for number in range(games):
            yield [_row(game, seed, number, node_limit)]
        return
    size = max(1, min(_MOST, -(-games // (jobs * _SHARES))))
    tasks = [
        Batch(
            game.compiled.spec.sources,
            game.configuration,
            seed,
            range(first, min(first + size, games)),
            node_limit,
        )
        for first in range(0, games, size)
    ]
    for _, rows in spread(play_batch, tasks, jobs):
        yield rows
