"""What can be laid over a chart: counts, a game, a difference, a selection."""

import pytest
from attrs import evolve

from compiler.flowchart import dot, overlay
from compiler.flowchart.chart import chart
from compiler.flowchart.model import Kind, Way
from compiler.flowchart.overlay import HEATS, Mark, Passages, Tone
from compiler.flowchart.text import text
from ruleengine.game import load
from ruleengine.tracing import played
from tests.flowchart.written import written

RULES = """
    start
        -> turn
    phase turn "Turn" @SM-2
        active chooses "Keep or pass?" @SM-2.1
            keep "Keep" @SM-2.2
                score = 1
            hand_on "Hand on"
                active = next(active)
        if score >= 5 "Five points?" @SM-3
            end winners [active]
        -> turn
"""


def way(label: str) -> Way:
    """The way that an arrow of the rules above begins with."""
    (found,) = [edge for edge in DRAWN.edges if edge.label == label]
    return found.ways[0]


GRAPH = written(RULES)
DRAWN = chart(GRAPH)


def test_counts_are_on_arrows_and_boxes() -> None:
    """A box was come to as often as the arrows that lead to it were gone along."""
    times = {way("Keep"): 3, way("Hand on"): 97}
    laid = overlay.heat(GRAPH, DRAWN, Passages({}, times), "Counts").overlay
    assert laid is not None
    badges = {
        edge.label: laid.arrows[at].badge for at, edge in enumerate(DRAWN.edges) if edge.label
    }

    assert badges == {"Keep": "3", "Hand on": "97", "yes": "0", "no": "0"}
    (kept,) = [node.id for node in DRAWN.nodes if node.label == "Set score to 1"]
    (handed,) = [
        node.id for node in DRAWN.nodes if node.label == "Active is now the player after active"
    ]
    assert laid.boxes[kept] == Mark(Tone.HEAT, "3", 1)
    assert laid.boxes[handed] == Mark(Tone.HEAT, "97", HEATS)


def test_a_beginning_counts_how_often_its_phase_began() -> None:
    """Where a phase begins stands how often its first node was come to."""
    entry = GRAPH.phase("turn").entry
    laid = overlay.heat(GRAPH, DRAWN, Passages({entry: 7}, {}), "Counts").overlay

    assert laid is not None
    assert laid.boxes["turn.start"].badge == "7"
    assert laid.boxes["turn.keep_or_pass"].badge == "7"


def test_the_scale_covers_every_count_once() -> None:
    """The legend of counts has no gap and no overlap, and ends with the greatest."""
    laid = overlay.heat(GRAPH, DRAWN, Passages({}, {way("Keep"): 12}), "Counts").overlay

    assert laid is not None
    assert [words for _, words in laid.legend] == ["never", "1-3", "4-5", "6-8", "9-10", "11-12"]


def test_a_game_is_numbered_along_its_arrows() -> None:
    """An arrow bears the numbers of the steps that went along it, also where a phase begins."""
    path = [way("Keep"), way("no"), way("Hand on"), way("no")]
    laid = overlay.trail(
        GRAPH, DRAWN, path, DRAWN.node("turn.keep_or_pass").nodes[0], "A game"
    ).overlay
    assert laid is not None
    badges = {
        edge.label: laid.arrows[at].badge
        for at, edge in enumerate(DRAWN.edges)
        if at in laid.arrows
    }

    assert badges == {"": "1, 4", "Keep": "2", "Hand on": "5", "no": "3, 6"}
    (first,) = [DRAWN.edges[at] for at in laid.arrows if not DRAWN.edges[at].label]
    assert (first.source, first.target) == ("turn.start", "turn.keep_or_pass")
    assert laid.boxes["turn.keep_or_pass"] == Mark(Tone.NOW, "now")
    assert "turn.five_points" in laid.boxes


def test_a_difference_tells_four_things_apart() -> None:
    """Added, removed, changed and rerouted have marks of their own, and all boxes are there."""
    new = written(
        RULES.replace("end winners [active]", "end draw")
        .replace('hand_on "Hand on"', 'swap "Swap"')
        .replace("score = 1", "score = 1\n                rounds = 2")
    )
    laid = overlay.difference((GRAPH, DRAWN), (new, chart(new)), "Difference")
    assert laid.overlay is not None
    boxes = {laid.chart.node(id_).label: mark.tone for id_, mark in laid.overlay.boxes.items()}
    arrows = {laid.chart.edges[at].label: mark.tone for at, mark in laid.overlay.arrows.items()}

    assert boxes == {"Set score to 1\nSet rounds to 2": Tone.CHANGED, "Draw": Tone.CHANGED}
    assert arrows == {"Swap": Tone.ADDED, "Hand on": Tone.REMOVED}
    badges = {mark.badge for mark, _ in laid.overlay.legend}
    assert badges == {"+", "-", "~", ">"}


def test_what_leads_elsewhere_is_rerouted() -> None:
    """An arrow that says the same and ends in another box leads elsewhere."""
    edges = [evolve(e, target="start.start") if e.label == "no" else e for e in DRAWN.edges]
    other = evolve(DRAWN, edges=tuple(edges))
    laid = overlay.difference((GRAPH, DRAWN), (GRAPH, other), "Difference").overlay

    assert laid is not None
    assert sorted(mark.tone.value for mark in laid.arrows.values()) == ["removed", "rerouted"]


def test_nothing_differs_from_itself() -> None:
    """Two charts of the same rules have no marks."""
    laid = overlay.difference((GRAPH, DRAWN), (written(RULES), DRAWN), "Difference").overlay

    assert laid is not None
    assert (laid.boxes, laid.arrows) == ({}, {})


def test_a_selection_means_a_clause_and_those_below() -> None:
    """`SM-2` selects `SM-2` and `SM-2.1`, not `SM-3`; the rest steps back."""
    laid = overlay.selection(DRAWN, ["SM-2"], "SM-2").overlay
    assert laid is not None
    chosen = [id_ for id_, mark in laid.boxes.items() if mark.tone is Tone.CHOSEN]

    assert chosen == ["turn.start", "turn.keep_or_pass"]
    assert laid.boxes["turn.five_points"].tone is Tone.ASIDE
    assert [DRAWN.edges[at].label for at, m in laid.arrows.items() if m.tone is Tone.CHOSEN] == [
        "Keep"
    ]


def test_marks_are_drawn_with_letters_and_lines() -> None:
    """A badge stands in its box and in the text, so that nothing rests on colour."""
    laid = overlay.trail(GRAPH, DRAWN, [way("Keep")], None, "A game")
    drawn = dot.draw(laid.chart, overlay=laid.overlay)

    assert "A game" in drawn
    assert 'penwidth="3"' in drawn or "penwidth=3" in drawn
    assert "{2} Keep" in text(laid.chart, laid.overlay)


@pytest.mark.parametrize("game", ["kuhn", "klink"])
def test_every_arrow_of_a_game_has_a_number(game: str) -> None:
    """Each box that a game came to has a numbered arrow that leads there, and one that leads on."""
    made = load(game)
    path = played(made, 1, seed=0).path
    came = {way.node for way in path}
    for phase in (None, *(one.name for one in made.graph.phases)):
        drawn = chart(made.graph, phase=phase)
        laid = overlay.trail(made.graph, drawn, path, None, "A game").overlay
        assert laid is not None
        numbered = [drawn.edges[at] for at in laid.arrows]
        reached = {edge.target for edge in numbered}
        visited = {box.id for box in drawn.nodes if came.intersection(box.nodes[:1])}
        begun = {f"{box.phase}.start" for box in drawn.nodes if box.id in visited}
        starts = {box.id for box in drawn.nodes if box.kind is Kind.START}

        assert visited <= reached
        assert begun & starts <= {edge.source for edge in numbered}
