"""Which boxes a chart has, and what they say."""

from compiler.flowchart.chart import chart, lost_edges
from compiler.flowchart.model import Kind
from tests.flowchart.seen import arrows, kinds, only
from tests.flowchart.written import written


def test_a_named_step_is_one_box() -> None:
    """What a named step does stays inside its box, whatever loops and tests it needs."""
    graph = written("""
        start
            "Deal"
                shuffle deck
                for p in players
                    if score < 3
                        move top of deck to hand[p]
            end draw
    """)

    assert kinds(chart(graph)) == [("chance", "Deal"), ("end", "Draw")]


def test_a_named_step_that_asks_is_a_frame() -> None:
    """A named step with a decision among other steps is drawn as a frame around its boxes."""
    graph = written("""
        start
            "Trade"
                shuffle deck
                active chooses c in hand[active] "Which card?"
                move c to open
            end draw
    """)
    drawn = chart(graph)

    assert kinds(drawn) == [
        ("chance", "Shuffle deck"),
        ("decision", "Which card?"),
        ("step", "Move c to open"),
        ("end", "Draw"),
    ]
    assert [(frame.title, frame.parent) for frame in drawn.clusters] == [
        ("Start", None),
        ("Trade", "start"),
    ]
    (trade,) = [frame.id for frame in drawn.clusters if frame.title == "Trade"]
    assert [node.label for node in drawn.nodes if node.cluster == trade] == [
        "Shuffle deck",
        "Which card?",
        "Move c to open",
    ]


def test_unnamed_effects_share_a_box() -> None:
    """Effects that follow one another without a name are lines of one box."""
    graph = written("""
        start
            score = 3
            rounds += 1
            end draw
    """)

    assert kinds(chart(graph)) == [("step", "Set score to 3\nAdd 1 to rounds"), ("end", "Draw")]


def test_locals_are_bookkeeping() -> None:
    """Values kept for later make no box."""
    graph = written("""
        start
            let kept = score
            if kept < rounds "More rounds?"
                end winners players
            end draw
    """)

    assert kinds(chart(graph)) == [
        ("question", "More rounds?"),
        ("end", "Winners: everybody"),
        ("end", "Draw"),
    ]


def test_a_loop_of_effects_is_one_box() -> None:
    """An unnamed loop in which nothing is asked says what it goes through and does."""
    graph = written("""
        start
            for p in players
                move top of deck to hand[p]
            end draw
    """)

    assert kinds(chart(graph))[0] == (
        "step",
        "For each p in players:\nMove top of deck to p's hand",
    )


def test_a_loop_that_asks_is_a_test() -> None:
    """A loop with a decision is drawn with its way back and its way out."""
    graph = written("""
        start
            for p in players
                p chooses c in hand[p] "Which card?"
                move c to open
            end draw
    """)
    drawn = chart(graph)
    head = only(drawn, Kind.QUESTION)

    assert (head, "next one", "start.which_card") in arrows(drawn)
    assert (head, "done", only(drawn, Kind.END)) in arrows(drawn)
    assert (only(drawn, Kind.STEP), "", head) in arrows(drawn)


def test_an_endless_loop_over_players_shows_whose_turn_it_is() -> None:
    """The test of a loop over players is drawn though both its ways lead to the same question."""
    graph = written("""
        start
            repeat
                for p in players
                    p chooses "Stop?"
                        stop "Stop"
                            end winners [p]
                        go "Go on"
    """)

    assert kinds(chart(graph))[0] == ("question", "For each p in players")


def test_an_untitled_test_says_its_rule() -> None:
    """A test without a question of its own is written out."""
    graph = written("""
        start
            if score >= 5
                score = 0
            end draw
    """)

    assert kinds(chart(graph))[0] == ("question", "Score is at least 5?")


def test_a_test_without_effect_is_drawn_if_it_has_a_question() -> None:
    """A question of the author's stays; if nothing follows from it, its answers are one arrow."""
    graph = written("""
        start
            if score > rounds "More?"
                let less = rounds - 1
            end draw
    """)

    assert arrows(chart(graph))[-1] == ("start.more", "yes or no", "start.2")


def test_a_local_shows_where_a_test_asks_about_it() -> None:
    """What a test without a title asks about stands in a box where it is set."""
    graph = written("""
        start
            let kept = score + 1
            if kept < rounds
                end winners players
            end draw
    """)

    assert kinds(chart(graph)) == [
        ("step", "Set kept to score + 1"),
        ("question", "Kept is less than rounds?"),
        ("end", "Winners: everybody"),
        ("end", "Draw"),
    ]


def test_a_window_says_who_is_asked() -> None:
    """Who is asked first and next, what passing counts, and what can close the window where."""
    graph = written("""
        start
            score = 0 "Nothing yet"
            window actor in [active, next(active)] until over(passes) "Raise or pass"
                raise "Raise"
                    score += 1
                pass "Pass"
            end draw
        define over(passes: 0..9) =
            true when score >= 8
            passes is 2
    """)

    assert kinds(chart(graph)) == [
        ("step", "Nothing yet\nActive is asked first"),
        ("window", "Raise or pass"),
        ("step", "Add 1 to score\nSet passes in a row to 0"),
        ("question", "Over?"),
        ("step", "Add 1 to passes in a row"),
        ("question", "Over?"),
        ("end", "Draw"),
        ("step", "The other one is asked"),
    ]
    assert [chart(graph).node(id_).sub for id_ in ("start.over", "start.over_2")] == [
        "if score is at least 8",
        "if there are 2 passes in a row",
    ]


def test_tests_that_compare_the_same_are_one_question() -> None:
    """`if a > b ... elif a < b` is one box, whose arrows bear what is compared."""
    graph = written("""
        start
            if score > rounds "Which is more?"
                score = 1
            elif score < rounds
                rounds = 1
            end draw
    """)
    drawn = chart(graph)

    assert kinds(drawn)[0] == ("question", "Which is more?")
    assert [label for _, label, _ in arrows(drawn) if label] == [
        "score is more than rounds",
        "score is less than rounds",
        "otherwise",
    ]
    assert lost_edges(graph, drawn) == ()


def test_a_test_of_a_roll_has_odds() -> None:
    """What only depends on the dice just rolled bears how likely it is; nothing else does."""
    graph = written("""
        die cube: 1..6
        start
            roll cube
            if cube <= 2 "Low?"
                score = 1
            if cube > score "More?"
                end draw
            end winners players
    """)
    drawn = chart(graph)

    assert [(edge.label, edge.sub) for edge in drawn.edges if edge.label] == [
        ("yes", "1/3"),
        ("no", "2/3"),
        ("yes", ""),
        ("no", ""),
    ]
    (roll,) = [node for node in drawn.nodes if node.kind is Kind.CHANCE]
    assert roll.sub == "each of 1 ... 6: 1/6"


def test_what_only_another_reading_looks_at_is_no_box() -> None:
    """A variable for a ruling that is changed and never asked for shows on the full chart only."""
    graph = written("""
        var kept: 0..9 = 0    @SM-R1
        start
            move top of deck to open
            kept += 1
            rounds += 1
            end draw
    """)
    drawn = chart(graph)

    assert kinds(drawn) == [
        ("step", "Move top of deck to open\nAdd 1 to rounds"),
        ("end", "Draw"),
    ]
    assert not lost_edges(graph, drawn)
