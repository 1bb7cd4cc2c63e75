"""What the players' number and the readings make impossible: left out, or grey on request."""

import pytest

from compiler.config import Configuration
from compiler.flowchart.chart import chart, lost_edges
from compiler.flowchart.model import Level
from compiler.flowchart.overlay import Mark, Overlay, Tone, impossible
from compiler.graph.core import Graph
from compiler.pipeline import Compiled, Spec, compile_sources
from compiler.source import SourceFile, SourceSet
from tests.flowchart.shipped import GAMES, spec_of
from tests.flowchart.written import ROOT

RULES = """
rulebook small "Small"
    seats 2
ruling redraw "May one redraw?"
    kept "No" default
    drawn "Yes"
var score: 0..9 = 0
start
    if redraw is drawn "Redraw?"
        score = 1
    players[1] chooses "Which?"
        plain "Plain"
            score = 2
        special "Special"
            when redraw is drawn
            score = 3
    if redraw is drawn
        score = 4
    end draw
"""


def small() -> Spec:
    """The spec of these rules."""
    prelude = SourceFile("prelude.rules", (ROOT / "compiler" / "prelude.rules").read_text("utf-8"))
    spec = compile_sources(SourceSet(SourceFile("small.rules", RULES.lstrip()), prelude))
    assert isinstance(spec, Spec)
    return spec


def whole(spec: Spec, *settings: str) -> Graph:
    """The graph with what its configuration makes impossible."""
    configuration, _ = Configuration.parse(settings, None)
    made = spec.to_draw(configuration)
    assert isinstance(made, Compiled)
    return made.graph


def greyed(graph: Graph) -> tuple[set[str], set[str]]:
    """The words of the boxes and arrows that are grey."""
    laid = impossible(chart(graph, shut=True))
    assert isinstance(laid.overlay, Overlay)
    assert set(laid.overlay.boxes.values()) <= {Mark(Tone.SHUT, "x")}
    boxes = {node.label for node in laid.chart.nodes if node.id in laid.overlay.boxes}
    return boxes, {laid.chart.edges[at].label for at in laid.overlay.arrows}


def test_another_reading_is_left_out() -> None:
    """Without being asked for, what a reading makes impossible is not in the graph at all."""
    made = small().instantiate(Configuration())
    assert isinstance(made, Compiled)

    assert [node.label for node in chart(made.graph).nodes] == [
        "Start",
        "Which?",
        "Set score to 2",
        "Draw",
    ]


def test_another_reading_is_grey() -> None:
    """On request it is drawn grey; a test without a title is named after its line."""
    spec = small()

    assert greyed(whole(spec)) == (
        {"Set score to 1", "Set score to 3", "Set score to 4"},
        {"yes", "Special", ""},
    )
    assert greyed(whole(spec, "redraw=drawn")) == (set(), {"no"})
    assert "Redraw is drawn?" in [node.label for node in chart(whole(spec), shut=True).nodes]


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_drawn_so(game: str, level: Level) -> None:
    """No shipped game loses a way, or comes to nothing, with its impossible branches."""
    graph = whole(spec_of(game))
    laid = impossible(chart(graph, level, shut=True))

    assert lost_edges(graph, laid.chart) == ()
    assert isinstance(laid.overlay, Overlay)
    assert laid.chart.nodes[0].id not in laid.overlay.boxes
