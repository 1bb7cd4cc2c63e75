"""Graphs of rulebooks, as written in a test or as shipped."""

from functools import cache
from pathlib import Path

from compiler.graph.core import Graph
from compiler.lower.declarations import Declarations
from compiler.lower.instance import lower
from compiler.render import full
from compiler.source import SourceFile
from compiler.syntax import ast
from compiler.syntax.parse import parse

ROOT = Path(__file__).parents[2]


def graph_of(text: str, seats: int = 2) -> Graph:
    """The graph of a rulebook."""
    return _lowered(SourceFile("test.rules", text), seats)


@cache
def shipped(path: str, seats: int) -> Graph:
    """The graph of a rulebook of this project, by its path below `specs`."""
    return _lowered(_read(ROOT / "specs" / path), seats)


def _read(path: Path) -> SourceFile:
    found = SourceFile.read(path)
    assert isinstance(found, SourceFile), path
    return found


def _lowered(base: SourceFile, seats: int) -> Graph:
    items: list[ast.Declaration] = []
    for source in (_read(ROOT / "compiler" / "prelude.rules"), base):
        tree, report = parse(source)
        assert tree is not None, full(report)
        headings = ast.Rulebook | ast.ScenariosOf | ast.Variant
        items += [item for item in tree.items if not isinstance(item, headings)]
    made, report = lower(base.name, "Test", Declarations(tuple(items)), seats, {})
    assert made is not None, full(report)
    return made.graph
