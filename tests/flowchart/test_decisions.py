"""Decisions: who is asked, and an arrow for each option."""

from compiler.flowchart.chart import chart
from compiler.flowchart.model import EdgeKind, Kind
from tests.flowchart.seen import CHOICE
from tests.flowchart.written import written


def test_options_are_arrows() -> None:
    """A decision has an arrow for each option, and one for when none is legal."""
    drawn = chart(written(CHOICE), phase="turn")

    assert [
        (edge.kind, edge.label) for edge in drawn.edges if edge.source == "turn.keep_or_pass"
    ] == [
        (EdgeKind.OPTION, "Keep"),
        (EdgeKind.OPTION, "Pass on"),
        (EdgeKind.ANSWER, "nothing fits"),
    ]
    assert drawn.node("turn.keep_or_pass").actor == "active player"


def test_a_choice_that_may_be_declined_has_two_arrows() -> None:
    """`may choose` shows both what was chosen and that nothing was."""
    graph = written("""
        start
            active may choose c in hand[active] "Give a card?"
            if c is not none "Given?"
                move c to open
            end draw
    """)

    assert [edge.label for edge in chart(graph).edges if edge.source == "start.give_a_card"] == [
        "Give a card",
        "Do not give a card",
    ]


def test_an_option_that_is_never_open_is_left_out() -> None:
    """A guard that is known to fail before play takes the option off the chart; a note says so."""
    graph = written("""
        start
            active chooses "Which?"
                plain "Plain"
                    score = 1
                special "Special"
                    when 1 > 2
                    score = 2
            end draw
    """)
    drawn = chart(graph)

    assert [edge.label for edge in drawn.edges if edge.source == "start.which"] == ["Plain"]
    assert drawn.notes == ("With these players and readings never possible: “Special”",)


def test_looking_stays_with_the_choice() -> None:
    """Being shown the card one chose is no box of its own; the box is marked as hidden."""
    graph = written("""
        start
            active chooses c in hand[next(active)] "Look at one"
            show c to active
            end draw
    """)
    box = chart(graph).node("start.look_at_one")

    assert (box.kind, box.sub, box.hidden) == (Kind.DECISION, "Show c to active", True)


def test_a_sealed_choice_names_all_who_are_asked() -> None:
    """A joint decision is one box, of its own kind."""
    graph = written("""
        start
            together p in players
                p chooses c in hand[p] "Pass one"
                move c to hand[next(p)]
            end draw
    """)
    box = chart(graph).node("start.pass_one")

    assert (box.kind, box.actor) == (Kind.JOINT, "each p in players")


def test_a_window_is_a_kind_of_decision() -> None:
    """Where players answer one another until all pass, the box says so."""
    graph = written("""
        start
            window p in [first(players), last(players)] until passes is 2 "Add or pass"
                add "Add"
                    rounds += 1
            end draw
    """)

    assert chart(graph).node("start.add_or_pass").kind is Kind.WINDOW


def test_a_guard_that_asks_for_a_sibling_names_it() -> None:
    """`can` is said with the title of the option, not with all that this one asks."""
    graph = written("""
        start
            active chooses "Play"
                give c in hand[active] "Give a card"
                    when c.value > score
                    move c to open
                rest "Rest"
                    unless can give
            end draw
    """)
    (rest,) = [edge for edge in chart(graph).edges if edge.label == "Rest"]

    assert rest.sub == 'unless "Give a card" is possible'
