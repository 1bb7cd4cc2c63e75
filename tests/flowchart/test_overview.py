"""The chart with one box for each phase."""

import pytest

from compiler.flowchart.chart import chart, lost_edges, pages
from compiler.flowchart.model import Kind, Level
from compiler.flowchart.text import text
from compiler.graph.core import Call, Flow, Graph
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
                do deal
            hand_on "Hand on"
                active = next(active)
        if score >= 5 "Five points?"
            end winners [active]
        -> turn
    phase deal "Deal"
        move top of deck to open
"""


def test_an_arrow_is_named_by_what_settles_it() -> None:
    """The test or option after which a phase is sure to follow stands on the arrow to it."""
    drawn = chart(written(RULES), Level.OVERVIEW)

    assert [(edge.source, edge.label, edge.sub, edge.target) for edge in drawn.edges] == [
        ("start.start", "", "", "turn.start"),
        ("turn.start", "Five points? yes", "", "turn.6"),
        ("turn.start", "Five points? no", "", "turn.start"),
        ("turn.start", "Keep", "then back", "deal.start"),
    ]


def test_an_overview_as_text() -> None:
    """Each phase is a line, with where it leads below it."""
    assert text(chart(written(RULES), Level.OVERVIEW)) == (
        "Small: overview, 2 players\n"
        "\n"
        "Start\n"
        "    -> Turn\n"
        "\n"
        "Turn\n"
        "    Five points? yes -> The active player wins\n"
        "    Five points? no -> Turn\n"
        "    Keep -> Deal [then back]\n"
        "\n"
        "Deal\n"
    )


def test_the_overview_of_one_phase_ends_in_exits() -> None:
    """Of one phase, the arrows to others end in boxes that name them."""
    drawn = chart(written(RULES), Level.OVERVIEW, phase="start")

    assert [(node.kind, node.label) for node in drawn.nodes] == [
        (Kind.START, "Start"),
        (Kind.EXIT, "Turn"),
    ]


def test_no_way_is_lost(graph: Graph) -> None:
    """Every way of the graph lies in a phase or along an arrow."""
    assert lost_edges(graph, chart(graph, Level.OVERVIEW)) == ()


def test_every_call_is_drawn(graph: Graph) -> None:
    """Every phase that is run and that does something has an arrow from where it is run."""
    drawn = chart(graph, Level.OVERVIEW)
    phases = {node.phase for node in drawn.nodes}
    called = {
        (node.phase, node.step.way.phase)
        for node in graph.nodes
        if isinstance(node.step, Flow) and isinstance(node.step.way, Call)
    }
    boxes = {node.id: node for node in drawn.nodes}
    arrows = {
        (boxes[edge.source].phase, boxes[edge.target].phase)
        for edge in drawn.edges
        if edge.sub == "then back"
    }

    assert arrows <= called
    assert {target for _, target in called if target in phases} == {t for _, t in arrows}


@pytest.mark.parametrize("rules", [RULES])
def test_an_overview_is_one_page(rules: str) -> None:
    """However large the game, its phases are on one page."""
    assert pages(written(rules), Level.OVERVIEW) == (chart(written(rules), Level.OVERVIEW),)


def test_many_names_are_counted_once_each() -> None:
    """An arrow names what leads there up to three lines; the rest is counted, from any box."""
    options = "".join(
        f"""
            option{number} "Option {number}"
                do deal(1)
"""
        for number in range(1, 6)
    )
    rules = f"""
    start
        active chooses "Which?"{options}
            other "Other"
                do deal(score)
            skip "Skip"
                score = 0
        end draw
    phase deal(x: 0..9) "Deal"
        move top of deck to open
"""
    drawn = chart(written(rules), Level.OVERVIEW)
    (label,) = [edge.label for edge in drawn.edges if edge.sub == "then back"]

    assert label.splitlines() == ["Option 1", "Option 2", "and 4 more"]
