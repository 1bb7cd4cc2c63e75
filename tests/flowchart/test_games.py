"""The charts of the rulebooks that come along: nothing of the rules is lost in them."""

import pytest

from compiler.flowchart import dot, svg
from compiler.flowchart.chart import chart, lost_edges, pages
from compiler.flowchart.model import Kind
from compiler.graph.core import Graph
from tests.flowchart.shipped import GAMES, compiled


@pytest.fixture(scope="module", params=GAMES)
def graph(request: pytest.FixtureRequest) -> Graph:
    """The graph of a game for the fewest players it allows, every ruling at its default."""
    return compiled(request.param).graph


def test_no_way_is_lost(graph: Graph) -> None:
    """Every way of every phase lies in a box or along an arrow."""
    assert lost_edges(graph, chart(graph)) == ()


def test_no_way_is_lost_where_one_phase_is_drawn(graph: Graph) -> None:
    """Nor is one in the charts of single phases."""
    for phase in graph.phases:
        assert lost_edges(graph, chart(graph, phase=phase.name)) == ()


def test_every_box_is_come_to(graph: Graph) -> None:
    """Each box but the beginnings has an arrow that leads to it, and its own id."""
    drawn = chart(graph)
    ends = {edge.target for edge in drawn.edges}
    ids = [node.id for node in drawn.nodes]

    assert len(ids) == len(set(ids))
    assert [
        node.id
        for node in drawn.nodes
        if node.id not in ends and node.kind not in (Kind.START, Kind.TRIGGER)
    ] == []


def test_boxes_say_something(graph: Graph) -> None:
    """Only beginnings and ends of phases are without words."""
    silent = {node.kind for node in chart(graph).nodes if not node.label}

    assert silent <= {Kind.START, Kind.RETURN}


@pytest.mark.skipif(not svg.renderers(svg.Format.SVG), reason="no renderer is installed here")
def test_pictures_have_every_arrow(graph: Graph) -> None:
    """The pages for print are drawn whole."""
    for page in pages(graph):
        assert isinstance(svg.render(dot.ladder(page), len(page.edges)), bytes)
