"""Words on charts are for people: no name of a spec as it is written there, on any chart."""

import re
from collections.abc import Iterator

import pytest

from compiler.flowchart.aid import aid
from compiler.flowchart.chart import chart
from compiler.flowchart.model import Chart, Level
from tests.flowchart.shipped import GAMES, compiled

CODE = re.compile(r"[\[\]{}=<>_]|\w\.\w|\w\(")
"""What is notation and not English: brackets of a list, signs, underscores, `a.rank`, `next(p)`."""


def words_of(drawn: Chart) -> Iterator[str]:
    """All that stands on a chart."""
    for node in drawn.nodes:
        yield from (node.label, node.sub, node.actor)
    for edge in drawn.edges:
        yield from (edge.label, edge.sub)
    for frame in drawn.clusters:
        yield from (frame.title, frame.note)
    for meaning in drawn.meanings:
        yield from (meaning.word, meaning.means)
    yield from drawn.notes


@pytest.mark.parametrize("game", GAMES)
def test_charts_speak_english(game: str) -> None:
    """On no level of any shipped game, whole or by phase, is there notation or an internal name."""
    graph = compiled(game).graph
    charts = [chart(graph, level) for level in Level]
    charts += [chart(graph, Level.STEPS, phase.name) for phase in graph.phases]

    assert [line for drawn in charts for line in words_of(drawn) if CODE.search(line)] == []


@pytest.mark.parametrize("game", GAMES)
def test_aids_speak_english(game: str) -> None:
    """Nor is there on any player aid."""
    found = aid(compiled(game).graph)
    lines = [
        line
        for section in found.sections
        for item in section.items
        for line in (item.head, *item.lines)
    ]

    assert [line for line in lines if CODE.search(line.replace(" > ", " "))] == []
