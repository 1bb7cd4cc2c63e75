"""One reading against another in the same games: the plain work behind the table of rulings.

The games of the usual reading are played once, and it is noted which of them come to a step that
some other reading changes; only those can go otherwise under it, and only they are played again.
Both tasks are plain values, so that they can be done in any process.
"""

from collections.abc import Callable, Mapping
from typing import Final

from attrs import frozen

from compiler.analysis.pairing import entrances, pairing
from compiler.config import Configuration
from compiler.diagnostic import InternalError, Report
from compiler.graph.core import Graph
from compiler.pipeline import Compiled, Spec
from compiler.source import SourceSet
from ruleengine.game import Instance
from ruleengine.match import Ending, random_match
from ruleengine.measure.lockstep import Drawing, Lockstep, Parting
from ruleengine.measure.shrinking import Shrinking
from ruleengine.processes import compiled_spec
from ruleengine.table import Table
from ruleengine.tally import Row

_STOPS: Final = 200_000  # stops after which two games are said not to part


@frozen
class Games:
    """Which games of a run are played, and after how many steps each is given up."""

    seed: int
    numbers: tuple[int, ...]
    node_limit: int


@frozen
class Usual:
    """Games under one configuration; `others` are those that may change them."""

    sources: SourceSet
    configuration: Configuration
    others: tuple[Configuration, ...]
    games: Games


@frozen
class Played:
    """What came of them: a row for each, and for each other configuration the games it touches."""

    rows: tuple[Row, ...]
    touched: tuple[tuple[int, ...], ...]


def play_usual(task: Usual) -> Played:
    """Plays games and notes which of them come to a step that another configuration changes."""
    spec = compiled_spec(task.sources)
    game = Instance.of(_made(spec, task.configuration))
    gates = [_gates(game.graph, _made(spec, other).graph) for other in task.others]
    watched = frozenset[int]().union(*(gate for gate in gates if gate is not None))
    seen: set[int] = set()
    for node in sorted(watched):
        game.interpreter.watch(node, _noting(seen, node))
    rows, touched = [], [list[int]() for _ in gates]
    for number in task.games.numbers:
        seen.clear()
        match = random_match(game, task.games.seed, number, node_limit=task.games.node_limit)
        rows.append(Row.of(number, match))
        ended = match.ending is Ending.FINISHED
        for found, gate in zip(touched, gates, strict=True):
            if gate is None or seen & gate or not ended:
                found.append(number)
    return Played(tuple(rows), tuple(map(tuple, touched)))


def _gates(graph: Graph, other: Graph) -> frozenset[int] | None:
    """Nodes of which a game passes one before it may differ; `None` if it may from the start."""
    found = pairing(graph, other)
    return None if found.reason else entrances(graph, found.partings)


def _noting(seen: set[int], node: int) -> Callable[[Table], None]:
    def note(_: Table) -> None:
        seen.add(node)

    return note


def _made(spec: Spec, configuration: Configuration) -> Compiled:
    made = spec.instantiate(configuration)
    if isinstance(made, Report):
        raise InternalError("a game that was compiled does not compile again")
    return made


# ---- two readings


@frozen
class Against:
    """Games of two specs or configurations, played alike until they part."""

    old: tuple[SourceSet, Configuration]
    new: tuple[SourceSet, Configuration]
    games: Games
    shrink: int
    """Stops that may be played to shrink the shortest play."""


@frozen
class Parted:
    """What came of them: a row under the new configuration for each game that parted, the stops it
    took until then, and the shortest play after which the two part."""

    rows: tuple[Row, ...]
    stops: Mapping[int, int]
    witness: Parting | None


def play_against(task: Against) -> Parted:
    """Plays games under both configurations; those that do not part have the row they had."""
    old, new = (Instance.of(_made(compiled_spec(s), c)) for s, c in (task.old, task.new))
    lockstep = Lockstep.of(old, new)
    rows: list[Row] = []
    stops: dict[int, int] = {}
    best: Parting | None = None
    for number in task.games.numbers:
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
    if best is not None and task.shrink:
        best = Shrinking(lockstep, best, task.shrink).run()
    return Parted(tuple(rows), stops, best)
