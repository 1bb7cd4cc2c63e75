"""Many games: how long they are, who wins them, and which do not end.

Every game has streams of its own, named by the seed and its number, so the games do not depend on
what plays them, on how many play at once, or in which order.  Bots that think by the clock are the
exception.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from attrs import field, frozen

from compiler.config import Configuration
from compiler.graph.values import seat_text
from compiler.pipeline import Spec
from compiler.source import SourceSet
from ruleengine.batch import Chunk, MachineName, choose, played, reference
from ruleengine.casting import Cast
from ruleengine.game import Instance, Setting, load
from ruleengine.match import NODE_LIMIT, Ending
from ruleengine.players.mind import Clock
from ruleengine.processes import compiled_game, spread
from ruleengine.tally import Row, Totals

_SHARES: Final = 8  # batches for each process, so that the last to finish is not far behind
_MOST: Final = 250  # games in a batch, so that progress shows

HOPELESS: Final = 10
"""How many games are played first: where none of so many comes to an end, no more are played."""


@frozen
class Spread:
    """Mean, least and greatest of some numbers."""

    mean: float
    min: int
    max: int


@frozen
class Simulation:
    """The games of one run: what they come to, and a row for each in the order of their numbers.

    There are no rows if only totals were asked for.  `machine` is what played them, `why` why it is
    not what one would have hoped for, if so.
    """

    name: str
    configuration: Configuration
    seats: int
    seed: int
    machine: MachineName
    why: str
    totals: Totals
    rows: tuple[Row, ...] = field(repr=False)
    cast: Cast | None = None  # the bots, if others than random ones played

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.totals.games

    @property
    def finished(self) -> tuple[Row, ...]:
        """The games that came to an end."""
        return tuple(row for row in self.rows if row.ending is Ending.FINISHED)

    @property
    def unfinished(self) -> Mapping[str, int]:
        """Why games did not end, and how many."""
        return self.totals.unfinished

    @property
    def errors(self) -> Mapping[str, int]:
        """What in the spec was at fault: each message, and the first game in which it came up."""
        return self.totals.errors

    @property
    def decisions(self) -> Spread | None:
        """How many decisions a finished game takes; `None` if there is none."""
        totals = self.totals
        if not totals.finished:
            return None
        return Spread(totals.decisions / totals.finished, totals.fewest, totals.most)

    @property
    def winners(self) -> Mapping[str, int]:
        """How often each seat won, alone or with others, draws left out."""
        return {seat_text(seat): wins for seat, wins in enumerate(self.totals.wins)}

    @property
    def draws(self) -> int:
        """How many games nobody won over anybody."""
        return self.totals.drawn

    @property
    def scores(self) -> Mapping[str, float]:
        """The mean score of each seat; empty in games without scores."""
        totals = self.totals
        if not totals.scored:
            return {}
        return {seat_text(seat): total / totals.scored for seat, total in enumerate(totals.scores)}


def simulate(
    game: str | Path | Spec | Instance,
    games: int = 100,
    *,
    seed: int = 0,
    players: int | None = None,
    rulings: Mapping[str, Setting] | None = None,
    machine: MachineName = "auto",
    jobs: int = 1,
    node_limit: int = NODE_LIMIT,
    keep_rows: bool = True,
    progress: Callable[[int], None] | None = None,
    given_up: Callable[[Totals], None] | None = None,
    cast: Cast | None = None,
    clock: Clock | None = None,
    **settings: Setting,
) -> Simulation:
    """Games between the bots of a cast, else between uniformly random players.

    `progress` is told how many more are done, `given_up` the totals so far whenever a game reached
    the limit of steps.  Where the first `HOPELESS` games do so, no more are played.  Bots play on
    the interpreter and think on whatever is fastest; those that think by time need a `clock`, and
    `NoStanding` is raised for those that judge by a score where there is none.

    They are the same whatever `machine` plays them: `auto` takes a compiled one if there is one for
    this game, else the interpreter; `NoMachine` is raised if one that is named cannot.  Without
    rows only totals are kept, which is right for millions of games.

    `jobs` is how many games are played at once, by threads on a compiled machine, else by
    processes; with these a script must begin its work under `if __name__ == "__main__":`, as Python
    asks of everybody who starts processes.
    """
    chosen = game if isinstance(game, Instance) else load(game, players, rulings, **settings)
    acting = None if cast is None or cast.is_random else cast
    if acting is not None:
        acting.makers(chosen, clock)  # what is wrong with them is said before anybody plays
    plays = choose(chosen, machine if acting is None else "interpreter")
    run = Run(seed, node_limit, keep_rows or acting is not None, acting, clock)
    totals = Totals.nothing(chosen.seats)
    kept: list[Row] = []
    numbers = range(games)
    for some in (numbers[:HOPELESS], numbers[HOPELESS:]):
        if not some or totals.limited == HOPELESS:
            break
        for chunk in _chunks(chosen, plays.name, run, some, jobs):
            totals += chunk.totals
            kept += chunk.rows
            if progress is not None:
                progress(chunk.totals.games)
            if chunk.totals.limited and given_up is not None:
                given_up(totals)
    kept.sort(key=lambda row: row.game)
    return Simulation(
        chosen.name,
        chosen.configuration,
        chosen.seats,
        seed,
        plays.name,
        plays.why,
        totals,
        tuple(kept),
        acting,
    )


@frozen
class Run:
    """Which games are played, when each is given up, whether a row is kept of each, and by whom."""

    seed: int
    node_limit: int
    rows: bool
    cast: Cast | None = None
    clock: Clock | None = None


@frozen
class Batch:
    """Some games of a run, as values that can be sent to another process."""

    sources: SourceSet
    configuration: Configuration
    machine: MachineName
    run: Run
    numbers: range


def play_batch(batch: Batch) -> Chunk:
    """The games of a batch."""
    game = compiled_game(batch.sources, batch.configuration)
    totals = Totals.nothing(game.seats)
    kept: list[Row] = []
    for chunk in _alone(game, batch.machine, batch.run, batch.numbers, 1):
        totals += chunk.totals
        kept += chunk.rows
    return Chunk(totals, tuple(kept), ())


def _chunks(
    game: Instance, machine: MachineName, run: Run, numbers: range, jobs: int
) -> Iterator[Chunk]:
    """Python plays one game at a time however many threads there are, so it takes processes."""
    if jobs == 1 or machine in ("wasm", "c"):
        yield from _alone(game, machine, run, numbers, jobs)
        return
    size = max(1, min(_MOST, -(-len(numbers) // (jobs * _SHARES))))
    tasks = [
        Batch(
            game.compiled.spec.sources,
            game.configuration,
            machine,
            run,
            numbers[first : first + size],
        )
        for first in range(0, len(numbers), size)
    ]
    for _, chunk in spread(play_batch, tasks, jobs):
        yield chunk


def _alone(
    game: Instance, machine: MachineName, run: Run, numbers: range, jobs: int
) -> Iterator[Chunk]:
    """Games that this process plays."""
    if machine != "interpreter":
        yield from played(game, machine, run.seed, numbers, run.node_limit, jobs, run.rows)
        return
    for number in numbers:
        if run.cast is None:
            row = reference(game, run.seed, number, run.node_limit)
        else:
            match = run.cast.match(game, run.seed, number, run.clock, node_limit=run.node_limit)
            row = Row.of(number, match)
        yield Chunk(Totals.of((row,), game.seats), (row,) if run.rows else (), ())
