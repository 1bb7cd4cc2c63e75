"""Phases inside another: what only one step runs is drawn where it is run."""

import pytest

from compiler.flowchart.chart import Level, chart, each, few, phases, tally
from compiler.flowchart.model import Chart, Kind
from compiler.flowchart.overlay import Passages, heat
from compiler.flowchart.text import text
from compiler.graph.core import Graph
from ruleengine import load
from ruleengine.tracing import played
from tests.flowchart.seen import arrows
from tests.flowchart.shipped import GAMES, compiled
from tests.flowchart.written import written

TURN = """
    start
        -> turn
    phase turn "Turn"
        do half
        "Pass the dice"
            active = next(active)
        -> turn
    phase half "Half"
        do fight(active)
        if rounds is 3 "Tired?"
            end draw
        "Rest"
            score = 1
    phase fight(who: player) "Fight"
        "Strike"
            rounds += 1
        if score is 2 "Parried?"
            who chooses "What now?"
                strike "Strike back"
                    do pay
                flee "Flee"
                    do pay
                    leave half
        "Bow"
            score = 3
    phase pay "Pay"
        "Pay the price"
            score = 0
        "Take a receipt"
            rounds = 0
"""


def inner(drawn: Chart) -> list[str]:
    """The phases that stand inside another."""
    return [frame.id for frame in drawn.clusters if frame.is_phase and frame.parent is not None]


def test_a_phase_stands_where_it_is_run() -> None:
    """It begins in place of the box that runs it, and where it is over the caller goes on."""
    drawn = chart(written(TURN), phase="turn", inside=few)

    assert inner(drawn) == ["half", "fight"]
    assert drawn.node("fight.start").sub == "who is active"
    assert arrows(drawn)[1:] == [
        ("turn.start", "", "half.start"),
        ("half.start", "", "fight.start"),
        ("fight.start", "", "fight.strike"),
        ("fight.strike", "", "fight.parried"),
        ("fight.parried", "yes", "fight.what_now"),
        ("fight.parried", "no", "fight.bow"),
        ("fight.what_now", "Strike back", "fight.pay"),
        ("fight.what_now", "Flee", "fight.pay_2"),
        ("fight.pay", "", "fight.bow"),
        ("fight.pay_2", "", "turn.pass_the_dice"),
        ("fight.bow", "", "half.tired"),
        ("half.tired", "yes", "half.3"),
        ("half.tired", "no", "half.rest"),
        ("half.rest", "", "turn.pass_the_dice"),
        ("turn.pass_the_dice", "", "turn.pass_the_dice.to_turn"),
    ]


def test_what_several_boxes_run_stays_apart() -> None:
    """A phase that two boxes run, or that others go on as, is a box that names it."""
    drawn = chart(written(TURN), phase="turn", inside=few)

    assert [box.target for box in drawn.nodes if box.kind is Kind.CALL] == ["pay", "pay"]
    assert inner(chart(written(TURN), phase="start", inside=few)) == []


def test_without_room_nothing_stands_inside() -> None:
    """A phase goes inside while what was asked for holds; else its box only names it."""
    drawn = chart(written(TURN), phase="turn", inside=lambda one: len(one.nodes) < 5)

    assert inner(drawn) == []
    assert drawn.node("turn.half").kind is Kind.CALL


def test_a_phase_in_one_step_is_told_in_its_box() -> None:
    """What only does one thing, or asks at once, is told below the name of what is run."""
    graph = written("""
        start
            do rest
            do menu
            do menu
            end draw
        phase rest "Rest"
            "Sleep"
                score = 1
        phase menu "Menu"
            active chooses "What?"
                eat "Eat"
                    score = 2
                drink "Drink"
                    score = 3
    """)

    assert [box.sub for box in chart(graph, phase="start", inside=few).nodes[1:4]] == [
        "Set score to 1",
        "Eat, Drink",
        "Eat, Drink",
    ]


def test_text_tells_phases_inside_further_in() -> None:
    """As text, a phase inside stands further in, and all boxes are numbered in one row."""
    lines = text(chart(written(TURN), phase="turn", inside=few)).splitlines()

    assert lines[2:8] == [
        "Turn",
        "  from Start",
        "  Half",
        "    Fight  (who is active)",
        "        1  step    Strike [Add 1 to rounds]",
        "        2  test    Parried?",
    ]
    assert "   10  step    Pass the dice -> Turn" in lines


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_is_on_one_page(game: str) -> None:
    """The pages of a game show each phase that is drawn once, and lose no way of it."""
    graph = compiled(game).graph
    found = each(graph, Level.STEPS, few)

    assert sorted(
        frame.id for page in found for frame in page.clusters if frame.is_phase
    ) == sorted(phases(chart(graph)))
    assert all(not tally(graph, page).lost for page in found)
    assert all(len(page.nodes) == len({box.id for box in page.nodes}) for page in found)


def counts(graph: Graph, passages: Passages, page: Chart) -> dict[str, str]:
    """What stands on each step, test and decision after some games."""
    laid = heat(graph, page, passages, "").overlay
    assert laid is not None
    shown = {box.id for box in page.nodes if box.kind not in (Kind.RETURN, Kind.EXIT, Kind.CALL)}
    return {id_: mark.badge for id_, mark in laid.boxes.items() if id_ in shown}


@pytest.mark.parametrize("game", ["jinx", "jinks", "klink"])
def test_counts_are_the_same_inside(game: str) -> None:
    """How often a step was come to does not depend on whose page it is drawn on."""
    loaded = load(game)
    passages = played(loaded, 5, seed=1).passages
    alone: dict[str, str] = {}
    for phase in phases(chart(loaded.graph)):
        alone |= counts(loaded.graph, passages, chart(loaded.graph, phase=phase))

    for page in each(loaded.graph, Level.STEPS, few):
        assert all(
            alone[id_] == times for id_, times in counts(loaded.graph, passages, page).items()
        )


def test_what_never_comes_back_stays_apart() -> None:
    """A phase that ends the one which runs it is no part of that one's course."""
    graph = written("""
        start
            do round
            end draw
        phase round "Round"
            if rounds is 3 "Lost?"
                do give_up
            "Go on"
                score = 1
        phase give_up "Give up"
            if score is 2 "Twice?"
                "Bow twice"
                    score = 3
            "Bow"
                rounds = 0
            leave round
    """)
    drawn = chart(graph, phase="start", inside=few)

    assert inner(drawn) == ["round"]
    assert not tally(graph, drawn).lost
