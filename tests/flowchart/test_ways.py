"""No way of the graph is lost on a chart."""

import pytest

from compiler.flowchart.chart import chart, lost_edges
from compiler.flowchart.model import Chart, Kind
from compiler.flowchart.routes import Routes
from compiler.graph.core import Graph
from tests.flowchart.seen import CHOICE, PHASES
from tests.flowchart.written import written


@pytest.mark.parametrize("rules", [CHOICE, PHASES], ids=["choice", "phases"])
def test_no_way_is_lost(rules: str) -> None:
    """Every way of the graph lies in a box or along an arrow."""
    graph = written(rules)

    assert lost_edges(graph, chart(graph)) == ()


def test_a_missing_arrow_is_found() -> None:
    """A chart without one of its arrows has lost the ways that went along it."""
    graph = written(CHOICE)
    drawn = chart(graph)
    gone = drawn.edges[2]
    less = Chart(
        drawn.title,
        drawn.subtitle,
        drawn.nodes,
        tuple(edge for edge in drawn.edges if edge is not gone),
        drawn.clusters,
    )

    assert lost_edges(graph, less) == gone.ways


@pytest.mark.parametrize("rules", [CHOICE, PHASES], ids=["choice", "phases"])
def test_arrows_join_the_boxes_their_ways_join(rules: str) -> None:
    """The first way along an arrow begins in its box; one of them ends in the next box."""
    graph = written(rules)
    drawn = chart(graph)
    routes = Routes(graph)
    for edge in drawn.edges:
        source, target = drawn.node(edge.source), drawn.node(edge.target)
        ends = [landing for way in edge.ways for w, landing in routes.ways(way.node) if w == way]
        assert source.kind in (Kind.START, Kind.TRIGGER) or edge.ways[0].node in source.nodes
        if target.kind in (Kind.START, Kind.TRIGGER):
            assert target.phase in ends
        elif edge.ways:
            assert not set(ends).isdisjoint(target.nodes)


def test_all_ways_but_closed_options_are_counted() -> None:
    """The ways that must be drawn are those of the nodes, apart from options that never open."""
    graph: Graph = written(CHOICE)
    routes = Routes(graph)

    for node in graph.nodes:
        counted = [way.position for way, _ in routes.ways(node.id)]
        expected = [at for at in range(len(node.next)) if not routes.closed(node, at)]
        assert counted == (expected if node.next else counted[:1])


ELSE = """
    start
        active chooses "What?"
            keep c in hand[active] "Keep"
                move c to open
            pass "Pass"
                unless can keep{more}
                score = 0
            otherwise "Nothing can be done"
                score = 1
        end draw
"""


@pytest.mark.parametrize(
    ("more", "drawn"),
    [("", ["Keep", "Pass"]), (" or score > 3", ["Keep", "Pass", "nothing fits"])],
)
def test_what_never_comes_is_not_drawn(more: str, drawn: list[str]) -> None:
    """Where one option is open exactly when another is not, something always fits."""
    found = chart(written(ELSE.replace("{more}", more)))

    assert [edge.label for edge in found.edges if edge.source == "start.what"] == drawn
