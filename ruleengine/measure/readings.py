"""One reading against another in the same games: the plain work behind the table of rulings.

Games are played on the compiled machine and leave traces.  Those of the usual reading are played
once, and it is noted which of them come to a step that the other reading changes; only those can go
otherwise under it, and only they are played again.  Where traces differ the machine makes the play
short, and the interpreter plays both readings side by side, up to the stop at which they part.

A game that is not compiled is played by the interpreter alone.  Tasks are plain values, so that
they can be done in any process.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from attrs import frozen

from compiler.analysis.pairing import entrances, pairing
from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.graph.core import Graph
from compiler.lir.traced import Compared
from compiler.source import SourceSet
from ruleengine.game import Instance
from ruleengine.match import Ending, random_match
from ruleengine.measure.lockstep import Drawing, Lockstep, Parting
from ruleengine.measure.shrinking import Shrinking
from ruleengine.measure.traced_play import found_by_trace
from ruleengine.measure.traces import Pair, Trace, Tracing, compared, mask_of
from ruleengine.processes import compiled_spec
from ruleengine.table import Table
from ruleengine.tally import Row

_STOPS: Final = 200_000  # stops after which two games are said not to part
_KNOWING: Final = 3  # games in which it is asked whether somebody knows something else
_KNOWING_STOPS: Final = 300  # stops of them at most
_KEPT: Final = 32  # usual games whose traces are kept: readings differ in what can be compared


@frozen
class Games:
    """Which games of a run are played, and after how many steps each is given up."""

    seed: int
    count: int
    node_limit: int


# ---- two readings


@frozen
class Against:
    """Games of two specs or configurations, played alike until they part."""

    old: tuple[SourceSet, Configuration]
    new: tuple[SourceSet, Configuration]
    games: Games
    shrink: int | None
    """Stops that may be played to shrink the shortest play; `None` if no play is wanted."""
    knowing: bool = True
    """Whether games that go alike are asked for what somebody knows."""


@frozen
class Knowing:
    """Games that go alike, and in how many of them somebody knows something else."""

    games: int
    parted: int


@frozen
class Parted:
    """What came of them.

    A row of each game under the old configuration, one under the new for each that parted, the
    stops it took until then, and the shortest play after which the two part.  `knowing` is asked
    only where no game parts.  `why` says why nothing was played.
    """

    before: tuple[Row, ...]
    rows: tuple[Row, ...]
    stops: Mapping[int, int]
    witness: Parting | None
    knowing: Knowing | None = None
    why: str = ""


def play_against(task: Against) -> Parted:
    """Plays games under both configurations; those that do not part have the row they had."""
    old, new = _game(*task.old), _game(*task.new)
    refused = [game for game in (old, new) if isinstance(game, str)]
    if isinstance(old, str) or isinstance(new, str):
        return Parted((), (), {}, None, None, refused[0])
    gates = _gates(old.graph, new.graph)
    ones, others = compared(old, new)
    usual = _tracing(*task.old, task.games)
    if usual is None:
        return _interpreted(task, old, new, gates)
    told = _usual(usual, task.games, _Named.of(ones))
    usual.tell(ones)
    before = tuple(trace.row for trace in told)
    mask = None if gates is None else mask_of(gates)
    touched = [
        trace
        for trace in told
        if mask is None or trace.seen & mask or trace.row.ending is not Ending.FINISHED
    ]
    if not touched:
        return Parted(before, (), {}, None)
    games = task.games
    tracing = Tracing.of(new, games.seed, games.node_limit, frozenset(), others)
    if tracing is None:
        return _interpreted(task, old, new, gates)
    rows: list[Row] = []
    stops: dict[int, int] = {}
    for trace, after in zip(touched, tracing.traces([t.row.game for t in touched]), strict=True):
        parted = trace.parts_from(after)
        if parted is not None:
            stops[after.row.game] = parted
            rows.append(after.row)
    if task.shrink is None or not (stops or task.knowing):
        return Parted(before, tuple(rows), stops, None)
    lockstep = Lockstep.of(old, new)
    if stops:
        found = found_by_trace(lockstep, Pair(usual, tracing), task.shrink, stops)
        return Parted(before, tuple(rows), stops, found)
    knowing, found = _knowing(lockstep, games.seed, [trace.row.game for trace in touched])
    return Parted(before, (), {}, _shrunk(lockstep, found, task.shrink), knowing)


@lru_cache(maxsize=4)
def _game(sources: SourceSet, configuration: Configuration) -> Instance | str:
    """A game, or why the rules refuse the configuration; compiled once in each process."""
    made = compiled_spec(sources).instantiate(configuration)
    return made.errors[0].message if isinstance(made, Report) else Instance.of(made)


def _gates(graph: Graph, other: Graph) -> frozenset[int] | None:
    """Nodes of which a game passes one before it may differ; `None` if it may from the start."""
    found = pairing(graph, other)
    return None if found.reason else entrances(graph, found.partings)


# ---- traces


@frozen
class _Named:
    """What is compared, by name: the same in every process."""

    places: tuple[int, ...]
    variables: tuple[str, ...]
    tokens: bool

    @classmethod
    def of(cls, what: Compared) -> "_Named":
        """The names of what is compared."""
        return cls(what.places, tuple(v.name for v in what.variables), what.tokens)

    def found(self, game: Instance) -> Compared:
        """The same of a game."""
        known = {variable.name: variable for variable in game.graph.variables}
        return Compared(self.places, tuple(known[name] for name in self.variables), self.tokens)


@lru_cache(maxsize=4)
def _tracing(sources: SourceSet, configuration: Configuration, games: Games) -> Tracing | None:
    """What plays games under one configuration; each of its nodes is watched."""
    game = _game(sources, configuration)
    if isinstance(game, str):
        return None
    nodes = frozenset(node.id for node in game.graph.nodes)
    return Tracing.of(game, games.seed, games.node_limit, nodes, Compared((), ()))


@lru_cache(maxsize=_KEPT)
def _usual(tracing: Tracing, games: Games, what: _Named) -> tuple[Trace, ...]:
    """The traces of all games under one configuration."""
    tracing.tell(what.found(tracing.game))
    return tuple(tracing.traces(range(games.count)))


# ---- plays


def _shrunk(lockstep: Lockstep, found: Parting | None, budget: int) -> Parting | None:
    return found if found is None or not budget else Shrinking(lockstep, found, budget).run()


def _knowing(
    lockstep: Lockstep, seed: int, numbers: Sequence[int]
) -> tuple[Knowing, Parting | None]:
    """Whether in some games that go alike somebody knows something else, and the first parting."""
    best: Parting | None = None
    played = parted = stops = 0
    for number in numbers[:_KNOWING]:
        drawing = Drawing.of(lockstep.old.game, seed, number)
        found = lockstep.play(drawing, _KNOWING_STOPS - stops)
        played += 1
        stops += lockstep.old.decisions + lockstep.old.draws
        if found is not None:
            parted += 1
            if best is None or len(found.play) < len(best.play):
                best = found
        if stops >= _KNOWING_STOPS:
            break
    return Knowing(played, parted), best


# ---- without a machine


def _interpreted(
    task: Against, old: Instance, new: Instance, gates: frozenset[int] | None
) -> Parted:
    """The same by the interpreter alone."""
    lockstep = Lockstep.of(old, new)
    rows: list[Row] = []
    stops: dict[int, int] = {}
    best: Parting | None = None
    before = _interpreted_usual(old, task.games, gates)
    for number in before.touched:
        drawing = Drawing.of(old, task.games.seed, number)
        taken = new.interpreter.taken
        parting = lockstep.play(drawing, _STOPS)
        if parting is None:
            continue
        stops[number] = len(parting.play)
        if best is None or len(parting.play) < len(best.play):
            best = parting
        limit = taken + task.games.node_limit
        rows.append(lockstep.new.to_the_end(drawing, number, taken, limit))
    witness = None
    if task.shrink is not None:
        witness = _shrunk(lockstep, best, task.shrink)
    return Parted(before.rows, tuple(rows), stops, witness)


@frozen
class _Before:
    """Games under the old configuration, and which of them may go otherwise under the new one."""

    rows: tuple[Row, ...]
    touched: tuple[int, ...]


def _interpreted_usual(game: Instance, games: Games, gates: frozenset[int] | None) -> _Before:
    """Those that come to a step by which they may differ, and those that do not end."""
    seen: set[int] = set()
    game = Instance.of(game.compiled)  # which is watched, and nothing else
    for node in sorted(gates or ()):
        game.interpreter.watch(node, _noting(seen, node))
    rows, touched = [], []
    for number in range(games.count):
        seen.clear()
        rows.append(
            Row.of(number, random_match(game, games.seed, number, node_limit=games.node_limit))
        )
        if gates is None or seen or rows[-1].ending is not Ending.FINISHED:
            touched.append(number)
    return _Before(tuple(rows), tuple(touched))


def _noting(seen: set[int], node: int) -> Callable[[Table], None]:
    def note(_: Table) -> None:
        seen.add(node)

    return note
