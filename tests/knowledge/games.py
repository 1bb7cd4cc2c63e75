"""The tiny games: compiled, with everything that looks at their tables."""

from functools import cache
from pathlib import Path

from attrs import frozen

from compiler.graph.core import Graph
from compiler.lower.instance import lower
from compiler.render import full
from compiler.source import SourceFile
from compiler.syntax import ast
from compiler.syntax.parse import parse
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
    packing: Packing

    @classmethod
    def of(cls, name: str, graph: Graph, *, eager: bool = False) -> "Game":
        """One graph."""
        machine = Interpreter.of(graph, eager=eager)
        hearing = Hearing.of(machine.terms, machine.sight)
        return cls(
            name,
            graph,
            machine,
            Knowledge.of(machine.terms, machine.sight),
            hearing,
            hearing.viewer,
            Worlds.of(machine.terms, machine.sight, hearing.viewer),
            Packing.of(machine.statics, machine.references),
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
def graph_of(name: str, seats: int) -> Graph:
    """The graph of a tiny game."""
    items: list[ast.Item] = []
    for path in (ROOT / "compiler" / "prelude.rules", FOLDER / f"{name}.rules"):
        source = SourceFile.read(path)
        assert isinstance(source, SourceFile)
        tree, report = parse(source)
        assert tree is not None, full(report)
        items += tree.items
    told = tuple(item for item in items if not isinstance(item, ast.Rulebook))
    lowered, report = lower(name, name, told, seats, {})
    assert lowered is not None, full(report)
    return lowered.graph


@cache
def game(name: str, seats: int = 2, *, eager: bool = False) -> Game:
    """A tiny game."""
    return Game.of(name, graph_of(name, seats), eager=eager)
