"""The drawings of the rulebooks that come along are those a reader approved."""

import pytest

from compiler.flowchart import dot
from compiler.flowchart.chart import chart
from compiler.source import Span
from tests.conftest import FOLDER, Golden
from tests.flowchart.shipped import GAMES, compiled


def file_of(span: Span) -> str:
    """The file of a place; its line would change with every line above it."""
    return span.file.name.rsplit("/", 1)[-1]


@pytest.mark.parametrize("game", GAMES)
def test_flowchart(game: str, golden: Golden) -> None:
    """A game's chart for the fewest players, every ruling at its default."""
    drawn = chart(compiled(game).graph)

    golden.check(f"{game}/flowchart.dot", dot.draw(drawn, dot.Links({}, address=file_of)))


def test_no_drawing_is_left_over() -> None:
    """Every approved drawing is one of a game that comes along."""
    assert sorted(path.parent.name for path in FOLDER.glob("*/flowchart.dot")) == sorted(GAMES)
