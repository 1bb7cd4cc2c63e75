"""Which boxes a chart has, and which arrows lead from one to the next."""

import pytest

from compiler.flowchart.chart import chart, lost_edges, pages
from compiler.flowchart.model import Chart, EdgeKind, Kind
from compiler.flowchart.routes import Routes, closed
from compiler.graph.core import Graph
from tests.flowchart.written import written

Arrow = tuple[str, str, str]


def kinds(drawn: Chart) -> list[tuple[str, str]]:
    """The boxes of a chart: kind and words, beginnings left out."""
    return [(node.kind.value, node.label) for node in drawn.nodes if node.kind is not Kind.START]


def arrows(drawn: Chart) -> list[Arrow]:
    """The arrows of a chart, by ids, with their words."""
    return [(edge.source, edge.label, edge.target) for edge in drawn.edges]


def only(drawn: Chart, kind: Kind) -> str:
    """The id of the only box of a kind."""
    (found,) = [node.id for node in drawn.nodes if node.kind is kind]
    return found


# ---- boxes


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
        ("step", "move c to open"),
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
        "move c to open",
    ]


def test_unnamed_effects_share_a_box() -> None:
    """Effects that follow one another without a name are lines of one box."""
    graph = written("""
        start
            score = 3
            rounds += 1
            end draw
    """)

    assert kinds(chart(graph)) == [("step", "score = 3\nrounds += 1"), ("end", "Draw")]


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
        ("end", "Winners: players"),
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

    assert kinds(chart(graph))[0] == ("step", "For each p in players:\nmove top of deck to hand[p]")


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

    assert (head, "next p", "start.which_card") in arrows(drawn)
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

    assert kinds(chart(graph))[0] == ("question", "score >= 5?")


def test_a_test_without_effect_is_drawn_if_it_has_a_question() -> None:
    """A question of the author's stays; if nothing follows from it, its answers are one arrow."""
    graph = written("""
        start
            if score > rounds "More?"
                let less = rounds - 1
            end draw
    """)

    assert arrows(chart(graph))[-1] == ("start.more", "yes or no", "start.2")


# ---- decisions


CHOICE = """
    start
        -> turn
    phase turn "Turn"
        active chooses "Keep or pass?"
            keep "Keep"
                score = 1
            pass_on to q in players "Pass on"
                unless q is active
                active = q
                -> turn
            otherwise "Stuck"
                end draw
        end winners [active]
"""


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
    assert drawn.node("turn.keep_or_pass").actor == "active"


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
        "chosen",
        "declined",
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
    assert drawn.notes == ("Never open here: Special",)


def test_looking_stays_with_the_choice() -> None:
    """Being shown the card one chose is no box of its own; the box is marked as hidden."""
    graph = written("""
        start
            active chooses c in hand[next(active)] "Look at one"
            show c to active
            end draw
    """)
    box = chart(graph).node("start.look_at_one")

    assert (box.kind, box.sub, box.hidden) == (Kind.DECISION, "show c to active", True)


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


# ---- phases

PHASES = """
    start
        do deal(3)
        -> turn
    phase deal(n: 1..6) "Deal"
        for p in players
            move top n of deck to hand[p]
    phase turn "Turn"
        rounds += 1
        if rounds is 9 "Last round?"
            -> finish([active])
        do nothing
        active = next(active)
        -> turn
    phase nothing "Nothing"
        let kept = score
        if kept > 3
            leave nothing
    phase finish(best: set of player) "The end"
        end winners best
"""


def test_a_call_is_a_box_that_names_the_phase() -> None:
    """Running a phase and coming back is one box."""
    box = chart(written(PHASES)).node("start.deal")

    assert (box.kind, box.label, box.target) == (Kind.CALL, "Deal", "deal")


def test_a_jump_is_an_arrow_to_the_phase() -> None:
    """Going on as another phase leads to where that phase begins, with what it is given."""
    drawn = chart(written(PHASES))
    (end,) = [edge for edge in drawn.edges if edge.target == "finish.start"]

    assert (end.source, end.label, end.sub) == ("turn.last_round", "yes", "([active])")
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
    assert drawn.notes == ("Nothing to do here: Nothing",)


def test_a_phase_that_no_play_comes_to_says_so() -> None:
    """A phase is drawn even if nothing leads to it, and its beginning says that."""
    graph = written("""
        start
            end draw
        phase turn "Turn"
            rounds += 1
    """)

    assert chart(graph).node("turn.start").sub == "never reached in this configuration"
    assert chart(graph).node("start.start").sub == ""


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

    assert [call.sub for call in calls] == ["(active)", "(next(active))"]


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


# ---- nothing is lost


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
        expected = [at for at in range(len(node.next)) if not closed(node, at)]
        assert counted == (expected if node.next else counted[:1])


# ---- what a reader has to know


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
        ("step", "kept = score + 1"),
        ("question", "kept < rounds?"),
        ("end", "Winners: players"),
        ("end", "Draw"),
    ]


def test_a_window_says_who_is_asked() -> None:
    """Who is asked first and next, what passing counts, and when the window closes."""
    graph = written("""
        start
            window actor in [active, next(active)] until over(passes) "Raise or pass"
                raise "Raise"
                    score = 1
                pass "Pass"
            end draw
        define over(passes: 0..9) =
            true when score >= 8
            passes is 2
    """)

    assert kinds(chart(graph)) == [
        ("step", "actor = the first of [active, next(active)]"),
        ("window", "Raise or pass"),
        ("step", "score = 1\npasses = 0"),
        ("question", "score >= 8 or passes is 2?"),
        ("step", "passes += 1"),
        ("question", "score >= 8 or passes is 2?"),
        ("end", "Draw"),
        ("step", "actor = the next of [active, next(active)]"),
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
        "score > rounds",
        "score < rounds",
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
