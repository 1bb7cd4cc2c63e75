"""Charts counted against their graphs: nothing is lost on any level."""

import pytest
from attrs import evolve

from compiler.flowchart.chart import chart, lost_edges, tally
from compiler.flowchart.model import EdgeKind, Kind, Level
from compiler.flowchart.tally import ways_of
from compiler.graph.core import Graph
from tests.flowchart.test_games import graph
from tests.flowchart.written import written

__all__ = ["graph"]

RULES = """
    start
        -> turn
    phase turn "Turn"
        active chooses "Keep or pass?"
            keep "Keep"
                score = 1
            hand_on "Hand on"
                when 1 > 2
                active = next(active)
        if score >= 5 "Five points?"
            end winners [active]
        -> turn
"""


@pytest.mark.parametrize("level", Level)
def test_every_way_is_in_one_place(graph: Graph, level: Level) -> None:
    """Ways along arrows, inside boxes, shut and elsewhere are all there are."""
    counted = tally(graph, chart(graph, level))
    parts = (counted.along, counted.inside, counted.shut, counted.elsewhere, counted.lost)

    assert sum(map(len, parts)) == ways_of(graph)
    assert len({way for part in parts for way in part}) == ways_of(graph)
    assert counted.lost == ()


def test_the_full_chart_is_the_graph(graph: Graph) -> None:
    """Level `full` has a box for each node of the graph and an arrow for each way."""
    drawn = chart(graph, Level.FULL)
    inner = [box for box in drawn.nodes if box.kind not in (Kind.START, Kind.TRIGGER)]

    assert sorted(node for box in inner for node in box.nodes) == [node.id for node in graph.nodes]
    assert all(len(box.nodes) == 1 for box in inner)
    assert sum(len(edge.ways) for edge in drawn.edges) == ways_of(graph)
    assert len(drawn.edges) == ways_of(graph) + len(drawn.nodes) - len(inner)


def test_the_full_chart_of_each_phase(graph: Graph) -> None:
    """Phases drawn one by one have together every way of the graph."""
    each = [chart(graph, Level.FULL, phase.name) for phase in graph.phases]

    assert sum(len(edge.ways) for drawn in each for edge in drawn.edges) == ways_of(graph)


def test_what_is_never_open_is_dotted_at_full() -> None:
    """An option that this configuration shuts is there at `full`, and said to be shut."""
    drawn = chart(written(RULES), Level.FULL)

    assert [edge.label for edge in drawn.edges if edge.kind is EdgeKind.SHUT] == ["Hand on"]
    assert [edge.label for edge in chart(written(RULES)).edges if edge.label == "Hand on"] == []


def test_a_lost_way_is_found() -> None:
    """A chart without one of its arrows is told from a whole one."""
    graph = written(RULES)
    whole = chart(graph)
    (gone,) = [edge for edge in whole.edges if edge.label == "Keep"]
    torn = evolve(whole, edges=tuple(edge for edge in whole.edges if edge is not gone))

    assert lost_edges(graph, torn) == gone.ways
    assert "1 lost" in str(tally(graph, torn))
