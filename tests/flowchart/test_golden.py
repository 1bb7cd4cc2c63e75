"""The drawings of the rulebooks that come along are those a reader approved."""

import pytest

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.flowchart import dot
from compiler.flowchart.chart import chart
from compiler.pipeline import Compiled, Spec, compile_sources
from compiler.source import Span
from ruleengine import library
from tests.conftest import FOLDER, Golden

GAMES = library.names()


def file_of(span: Span) -> str:
    """The file of a place; its line would change with every line above it."""
    return span.file.name.rsplit("/", 1)[-1]


@pytest.mark.parametrize("game", GAMES)
def test_flowchart(game: str, golden: Golden) -> None:
    """A game's chart for the fewest players, every ruling at its default."""
    sources = library.read(game)
    assert not isinstance(sources, Report)
    spec = compile_sources(sources)
    assert isinstance(spec, Spec)
    compiled = spec.instantiate(Configuration())
    assert isinstance(compiled, Compiled)

    golden.check(
        f"{game}/flowchart.dot", dot.draw(chart(compiled.graph), dot.Links({}, address=file_of))
    )


def test_no_drawing_is_left_over() -> None:
    """Every approved drawing is one of a game that comes along."""
    assert sorted(path.parent.name for path in FOLDER.glob("*/flowchart.dot")) == sorted(GAMES)
