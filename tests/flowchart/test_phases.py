"""Phases: run and come back from, gone on as, drawn alone."""

import pytest

from compiler.flowchart.chart import chart, pages
from compiler.flowchart.model import Kind
from tests.flowchart.seen import PHASES
from tests.flowchart.written import written


def test_a_call_is_a_box_that_names_the_phase() -> None:
    """Running a phase and coming back is one box."""
    box = chart(written(PHASES)).node("start.deal")

    assert (box.kind, box.label, box.target) == (Kind.CALL, "Deal", "deal")


def test_a_jump_is_an_arrow_to_the_phase() -> None:
    """Going on as another phase leads to where that phase begins, with what it is given."""
    drawn = chart(written(PHASES))
    (end,) = [edge for edge in drawn.edges if edge.target == "finish.start"]

    assert (end.source, end.label, end.sub) == ("turn.last_round", "yes", "(best: active)")
    assert [edge.source for edge in drawn.edges if edge.target == "turn.start"] == [
        "start.deal",
        "turn.3",
    ]


def test_one_phase_ends_in_exits() -> None:
    """Where one phase is drawn, arrows to others end in boxes that name them."""
    drawn = chart(written(PHASES), phase="turn")

    assert [(node.label, node.target) for node in drawn.nodes if node.kind is Kind.EXIT] == [
        ("The end", "finish"),
        ("Turn", "turn"),
    ]


def test_a_phase_without_work_is_left_out() -> None:
    """A phase that does nothing in this configuration has no frame and no call; a note names it."""
    drawn = chart(written(PHASES))

    assert [frame.id for frame in drawn.clusters] == ["start", "deal", "turn", "finish"]
    assert drawn.notes == ("With these players and readings nothing is done in: “Nothing”",)


def test_a_phase_that_no_play_comes_to_says_so() -> None:
    """A phase that nothing leads to is only named; drawn alone, its beginning says that."""
    graph = written("""
        start
            end draw
        phase turn "Turn"
            rounds += 1
    """)

    whole = chart(graph)

    assert [frame.id for frame in whole.clusters] == ["start"]
    assert whole.notes == ("With these players and readings no game comes to: “Turn”",)
    assert (
        chart(graph, phase="turn").node("turn.start").sub == "never reached in this configuration"
    )
    assert chart(graph, phase="start").node("start.start").sub == ""
    assert [frame.id for frame in chart(graph, shut=True).clusters] == ["start", "turn"]


def test_what_comes_to_the_same_is_one_box() -> None:
    """Two branches that end in the same step share its box; other arguments keep calls apart."""
    graph = written("""
        start
            active chooses "Which?"
                low "Low"
                    score = 1
                    do deal(active)
                high "High"
                    score = 2
                    do deal(active)
                other "Other"
                    do deal(next(active))
            end draw
        phase deal(p: player) "Deal"
            move top of deck to hand[p]
    """)
    calls = [node for node in chart(graph).nodes if node.kind is Kind.CALL]

    assert [call.sub for call in calls] == ["(active)", "(the player after active)"]


def test_a_trigger_begins_with_its_condition() -> None:
    """The block of a `whenever` is a frame that begins with what sets it off."""
    graph = written("""
        start
            -> turn
        phase turn "Turn"
            move top of deck to open
            -> turn
        whenever deck is empty "Deck empty"
            end draw
    """)
    (trigger,) = [node for node in chart(graph).nodes if node.kind is Kind.TRIGGER]

    assert (trigger.label, trigger.sub) == ("Deck empty", "whenever deck is empty")


def test_an_unknown_phase_is_refused() -> None:
    """There is no chart of a phase that the game does not have."""
    with pytest.raises(KeyError, match="nowhere"):
        chart(written(PHASES), phase="nowhere")


def test_a_small_game_is_one_page() -> None:
    """A game that fits a page is drawn whole; a larger one has a page for each phase."""
    large = "start\n    -> turn_1\n" + "".join(
        f"""
phase turn_{n} "Turn {n}"
    active chooses "Which?"
        low "Low"
            score = 1
        high "High"
            score = 2
        none_ "None"
            score = 3
    -> turn_{n % 9 + 1}
"""
        for n in range(1, 10)
    )

    assert len(pages(written(PHASES))) == 1
    assert [page.subtitle.split(",")[0] for page in pages(written(large))] == [
        "Start",
        *(f"Turn {n}" for n in range(1, 10)),
    ]
