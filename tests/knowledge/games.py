"""The tiny games: compiled, with everything that looks at their tables."""

from functools import cache, cached_property
from pathlib import Path

from attrs import evolve, frozen

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.graph.core import Graph
from compiler.pipeline import Compiled, compile_sources
from compiler.render import full
from compiler.source import SourceFile, SourceSet
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.events import Knowledge
from ruleengine.knowledge.hearing import Hearing
from ruleengine.knowledge.log import Log, Observers
from ruleengine.knowledge.view import View, Viewer
from ruleengine.knowledge.world import Worlds
from ruleengine.packing import Packing
from ruleengine.stops import Choice
from ruleengine.table import Table

FOLDER = Path(__file__).parent / "games"
ROOT = Path(__file__).parents[2]


@frozen(eq=False)
class Game:
    """A graph, played lazily or eagerly, and all that can be asked about its tables."""

    name: str
    graph: Graph
    machine: Interpreter
    knowledge: Knowledge
    hearing: Hearing
    viewer: Viewer
    worlds: Worlds

    @classmethod
    def of(cls, name: str, graph: Graph, *, eager: bool = False) -> "Game":
        """One graph."""
        machine = Interpreter.of(graph, eager=eager)
        hearing = _marked(Hearing.of(machine.terms, machine.sight))
        return cls(
            name,
            graph,
            machine,
            Knowledge.of(machine.terms, machine.sight),
            hearing,
            hearing.viewer,
            Worlds.of(machine.terms, machine.sight, hearing.viewer),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.graph.seats

    @property
    def observers(self) -> range:
        """The seats, then the public."""
        return range(self.graph.seats + 1)

    @cached_property
    def packing(self) -> Packing:
        """Makes states of tables."""
        return Packing.of(self.machine.statics, self.machine.references)

    def watching(self, log: Log) -> Observers:
        """Keeps knowledge and a log."""
        return Observers((self.knowledge, log))

    def view(self, table: Table, observer: int) -> View:
        """What an observer may know."""
        return self.viewer.view(table, observer)

    def option(self, table: Table, choice: Choice) -> str:
        """A choice as its seat would say it."""
        return self.hearing.choice(table, choice, choice.seat)


@cache
def compiled(name: str, *settings: str) -> Compiled | Report:
    """A tiny game with some settings, each `NAME=VALUE`, or what is wrong with it."""
    prelude, base = (
        SourceFile.read(path)
        for path in (ROOT / "compiler" / "prelude.rules", FOLDER / f"{name}.rules")
    )
    assert isinstance(prelude, SourceFile)
    assert isinstance(base, SourceFile)
    spec = compile_sources(SourceSet(base=base, prelude=prelude))
    configuration, report = Configuration.parse(settings)
    assert not report.has_errors, full(report)
    return spec if isinstance(spec, Report) else spec.instantiate(configuration)


def graph_of(name: str, *settings: str) -> Graph:
    """The graph of a tiny game."""
    found = compiled(name, *settings)
    assert not isinstance(found, Report), full(found)
    return found.graph


def _marked(hearing: Hearing) -> Hearing:
    """The same words, but faces between angle brackets, so that they can be found in logs."""
    sorts = tuple(
        tuple(f"<{hearing.words.sort(at, sort)}>" for sort in range(hearing.statics.sorts(at)))
        for at in range(len(hearing.statics.graph.classes))
    )
    words = evolve(hearing.words, sorts=sorts)
    return evolve(hearing, words=words, viewer=evolve(hearing.viewer, words=words))


@cache
def game(name: str, *settings: str, eager: bool = False) -> Game:
    """A tiny game with some settings, each `NAME=VALUE`."""
    return Game.of(name, graph_of(name, *settings), eager=eager)
