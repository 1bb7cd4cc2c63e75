"""What a chart does not tell: what is settled before play, forgotten, or only kept in range."""

import pytest

from compiler.flowchart.chart import chart, tally
from compiler.flowchart.model import Kind, Level
from compiler.graph.core import Graph
from compiler.graph.settled import unchanging
from tests.flowchart.seen import kinds
from tests.flowchart.shipped import compiled
from tests.flowchart.written import written


def boxes(graph: Graph) -> list[tuple[str, str]]:
    """Kinds and labels of the boxes of steps."""
    return kinds(chart(graph))


def test_what_a_phase_empties_is_not_told() -> None:
    """Forgetting what was is no step; a first value that says something is, and `full` has both."""
    graph = written("""
        var chosen: set of 1..6 = empty each turn
        var left: 0..3 = 2 each turn "Two to go"
        start
            -> turn
        phase turn "Turn"
            chosen += 3 "Take 3"
            left -= 1
            if left is 0 and 3 in chosen "Done?"
                end draw
            -> turn
    """)
    full = [node.label for node in chart(graph, Level.FULL).nodes]

    assert boxes(graph)[:2] == [
        ("step", "Two to go\nTake 3\nTake 1 from left"),
        ("question", "Done?"),
    ]
    assert "Set chosen to empty" in full
    assert not tally(graph, chart(graph)).lost


def test_a_range_is_no_rule() -> None:
    """What keeps a number in its range goes without saying; any other bound is a rule."""
    graph = written("""
        start
            score = min([9, score + 3])
            rounds = min([7, rounds + 3])
            end draw
    """)

    assert boxes(graph)[0] == (
        "step",
        "Add 3 to score\nSet rounds to the smaller of 7 and rounds + 3",
    )


def test_what_a_reading_settles_is_not_told() -> None:
    """A function that is always true, and one that only hands on, leave no words."""
    graph = written("""
        ruling strict "Are there limits?" @S-R1
            loose "No" default
            tight "Yes"
        define allowed(n: 0..9) = strict is loose or n < 3
        define kept(cards: list of number) = cards
        start
            active chooses "Which?"
                take c in kept(open) "Take"
                    when allowed(score)
                    move c to hand[active]
                stop "Stop"
            end draw
    """)
    option = next(edge for edge in chart(graph).edges if edge.label == "Take")

    assert option.sub == "c in open"


def test_a_variable_that_stays_as_it_is() -> None:
    """A variable for a ruling that this reading never changes is told nowhere."""
    graph = written("""
        var waiting: bool = false @S-R1
        start
            waiting = false
            move top of deck to open
            end draw
        whenever deck is empty and not waiting "No card left"
            score = 1
    """)
    begins = next(box for box in chart(graph).nodes if box.kind is Kind.TRIGGER)

    assert [variable.name for variable in unchanging(graph)] == ["waiting"]
    assert begins.sub == "whenever deck is empty"
    assert ("step", "Move top of deck to open") in boxes(graph)


def test_long_conditions_are_told_by_their_names() -> None:
    """A condition with a name of its own stands on its arrow, what it means below the chart."""
    graph = written("""
        define is_due(n: 0..9) =
            true when n is 3 and count(deck) > 2
            n > 5 and count(open) < 4
        start
            active chooses "Which?"
                take "Take"
                    when is_due(score)
                stop "Stop"
            end draw
    """)
    drawn = chart(graph, phase="start")
    option = next(edge for edge in drawn.edges if edge.label == "Take")

    assert option.sub == "if score is due"
    assert [meaning.word for meaning in drawn.meanings] == ["n is due"]


def test_going_round_is_said() -> None:
    """A loop that begins anew when all had their turn leads back to itself: again."""
    graph = written("""
        start
            repeat
                for p in players
                    p chooses "Go on?"
                        stay "Yes"
                        stop "No"
                            end draw
    """)

    drawn = chart(graph)
    (again,) = [edge for edge in drawn.edges if edge.label == "again"]

    assert again.source == again.target
    assert "done" not in [edge.label for edge in drawn.edges]


def test_what_a_local_keeps_is_told() -> None:
    """A word for what was worked out once is explained; a test that only asks it says what."""
    graph = written("""
        start
            let mine = all c in hand[active] where c.value > 3
            let many = count(mine) > 2
            if mine is not empty "Any good ones?"
                score = 1
            if many "Enough?"
                score = 2
            end draw
    """)

    assert [(one.word, one.means) for one in chart(graph, phase="start").meanings] == [
        ("Any good ones?", "Mine is not empty"),
        ("Enough?", "The number of mine is more than 2"),
        ("Mine", "all c in active's hand where c's value is more than 3"),
    ]


def test_what_otherwise_is_called() -> None:
    """Where nothing fits stands what the rules call that, and which clauses say so."""
    graph = written("""
        start
            active chooses c in hand[active] "Which card?"
                otherwise "No card left" @S-R1
                    end draw
            move c to open
            end winners [active]
    """)
    (edge,) = [one for one in chart(graph).edges if one.label == "nothing fits"]

    assert (edge.sub, edge.clauses) == ("No card left", ("S-R1",))


def test_a_sealed_decision_without_anybody() -> None:
    """A box for a sealed decision also says where it goes on if there is nobody to ask."""
    graph = written("""
        start
            together p in players where hand[p] is not empty "One each"
                p chooses c in hand[p]
                move c to open
            "Count them"
                score = count(open)
            end draw
    """)
    drawn = chart(graph)
    (asked,) = [box for box in drawn.nodes if box.kind is Kind.JOINT]
    labels = [edge.label for edge in drawn.edges if edge.source == asked.id]

    assert labels == ["", "nobody to ask"]
    assert not tally(graph, drawn).lost


def test_what_a_loop_goes_through_is_told() -> None:
    """A player of Jinxx falls out with two pieces: the chart says so below the loop that asks."""
    words = {told.word: told.means for told in chart(compiled("jinxx").graph).meanings}

    assert words["p falls out"] == "the number of p's pieces is at most 2"


EVERYBODY = """
    start
        together p in players "One each"
            p chooses c in hand[p]
            move c to open
        "Count them"
            score = count(open)
        end draw
"""
SOME = """
    start
        active chooses "Show, or not?"
            show "Show"
                when some q in players: hand[q] is not empty
                together p in players where hand[p] is not empty "One each"
                    p chooses c in hand[p]
                    move c to open
            leave_it "Leave it"
                rounds = 1
        end draw
"""


@pytest.mark.parametrize(
    ("rules", "labels"),
    [
        (EVERYBODY, [""]),
        (SOME, [""]),
        (SOME.replace("hand[q]", "deck"), ["", "nobody to ask"]),
        (EVERYBODY.replace("in players", "in seats_from(active)"), [""]),
        (EVERYBODY.replace("in players", "in players where score > 0"), ["", "nobody to ask"]),
        (
            EVERYBODY.replace("together", "eliminate active\n        together"),
            ["", "nobody to ask"],
        ),
    ],
)
def test_somebody_is_surely_asked(rules: str, labels: list[str]) -> None:
    """Where everybody is asked, or the option says that there is somebody, no arrow says nobody."""
    drawn = chart(written(rules))
    (sealed,) = [box.id for box in drawn.nodes if box.kind is Kind.JOINT]

    assert [edge.label for edge in drawn.edges if edge.source == sealed] == labels


def test_a_title_of_one_word_says_what_is_done() -> None:
    """One word names a step and does not tell it: what is done stands below; more words do tell."""
    graph = written("""
        start
            "Rest"
                score = 1
            "Take a rest"
                score = 2
            end draw
    """)

    assert [(box.label, box.sub) for box in chart(graph).nodes[1:3]] == [
        ("Rest", "Set score to 1"),
        ("Take a rest", ""),
    ]
