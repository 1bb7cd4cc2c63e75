"""Games over a range of settings: every number of players × every value of every setting.

Each point is one configuration; its games have the seed of the sweep and numbers of their own, so
that a row depends on nothing but its point and its number: not on who plays it, where, or when.
What has been played is kept in a store, and a sweep that was broken off goes on from there.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Final, Protocol

from attrs import evolve, frozen

from compiler.config import Configuration, Value
from compiler.diagnostic import Report
from compiler.pipeline import Spec
from compiler.source import SourceSet
from ruleengine.batch import choose
from ruleengine.match import NODE_LIMIT
from ruleengine.measure.store import Store
from ruleengine.processes import compiled_game, spread
from ruleengine.simulation import Batch, Run, play_batch
from ruleengine.tally import Row

CHUNK: Final = 100
"""Games in one task."""


@frozen
class Axis:
    """A setting and the values it takes."""

    name: str
    values: tuple[Value, ...]


@frozen
class Point:
    """One configuration of a sweep; `why` says why it is refused, if it is."""

    number: int
    configuration: Configuration
    why: str = ""

    @property
    def words(self) -> str:
        """The configuration in words."""
        return str(self.configuration)


@frozen
class Task:
    """Some games of one point, as values that can be sent anywhere."""

    point: int
    sources: SourceSet
    configuration: Configuration
    seed: int
    numbers: range
    node_limit: int


@frozen
class Plan:
    """Which games are played at each point."""

    games: int
    seed: int = 0
    node_limit: int = NODE_LIMIT


class Spreading(Protocol):
    """Does tasks somewhere and gives what came of them, in any order."""

    def __call__(
        self, work: Callable[[Task], tuple[Row, ...]], tasks: Sequence[Task]
    ) -> Iterator[tuple[int, tuple[Row, ...]]]:
        """The position of each task, and its rows."""


def here(jobs: int) -> Spreading:
    """On processes of this computer."""

    def spreading(
        work: Callable[[Task], tuple[Row, ...]], tasks: Sequence[Task]
    ) -> Iterator[tuple[int, tuple[Row, ...]]]:
        return spread(work, tasks, jobs)

    return spreading


def points(spec: Spec, players: Sequence[int], axes: Sequence[Axis]) -> tuple[Point, ...]:
    """Every combination, the last setting changing fastest; those that are refused say why."""
    found = []
    seats: Sequence[int | None] = players or (None,)
    for number, (many, values) in enumerate(product(seats, product(*(a.values for a in axes)))):
        settings = {axis.name: value for axis, value in zip(axes, values, strict=True)}
        configuration = Configuration(many, settings)
        made = spec.instantiate(configuration)
        if isinstance(made, Report):
            first = made.errors[0]
            why = f"{first.message}; {first.help}" if first.help else first.message
            found.append(Point(number, configuration, why))
        else:
            found.append(Point(number, evolve(configuration, players=made.seats)))
    return tuple(found)


def play_task(task: Task) -> tuple[Row, ...]:
    """The games of a task, by the fastest machine there is where it is played."""
    game = compiled_game(task.sources, task.configuration)
    run = Run(task.seed, task.node_limit, rows=True)
    machine = choose(game, "auto").name
    chunk = play_batch(Batch(task.sources, task.configuration, machine, run, task.numbers))
    return tuple(sorted(chunk.rows, key=lambda row: row.game))


def sweep(
    spec: Spec,
    found: Sequence[Point],
    plan: Plan,
    store: Store,
    spreading: Spreading,
    progress: Callable[[int], None] = lambda _: None,
) -> None:
    """Plays what the store has not got yet; `progress` is told how many more games are in it."""
    sources = evolve(spec.sources, scenarios=())  # games need none
    tasks = [
        Task(point.number, sources, point.configuration, plan.seed, numbers, plan.node_limit)
        for point in found
        if not point.why
        for numbers in _missing(store.played(point.words), plan.games)
    ]
    words = {point.number: point.words for point in found}
    for position, rows in spreading(play_task, tasks):
        store.add(words[tasks[position].point], rows)
        progress(len(rows))


def _missing(played: frozenset[int], games: int) -> Iterator[range]:
    """The numbers that are not there, in runs of at most `CHUNK`."""
    first = 0
    while first < games:
        last = min(first + CHUNK, games)
        run = [number for number in range(first, last) if number not in played]
        if run and len(run) == run[-1] - run[0] + 1:
            yield range(run[0], run[-1] + 1)
        else:
            yield from (range(number, number + 1) for number in run)
        first = last
