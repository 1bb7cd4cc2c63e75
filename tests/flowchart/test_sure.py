"""What is sure on the way to a step: no chart asks what was just settled."""

import pytest

from compiler.flowchart.chart import chart, each, few, tally
from compiler.flowchart.model import Kind, Level
from compiler.flowchart.routes import Routes
from ruleengine import library, load
from ruleengine.tracing import played
from tests.flowchart.seen import arrows
from tests.flowchart.shipped import GAMES
from tests.flowchart.written import written


def asked(rules: str, level: Level = Level.STEPS) -> list[str]:
    """The questions on the chart of some rules."""
    return [box.label for box in chart(written(rules), level).nodes if box.kind is Kind.QUESTION]


AFTER = """
    var told: bool = false
    start
        score = 0
        {between}
        if score is 0 "Nothing yet?"
            end draw
        end winners [active]
    phase other "Other"
        {inside}
    whenever rounds is 3 "Third round"
        told = not told
"""


@pytest.mark.parametrize(
    ("between", "inside", "questions"),
    [
        ("told = true", "told = false", []),
        ("rounds = 3", "told = false", []),
        ("do other", "told = false", []),
        ("do other", "score = 2", []),
        ("do other", "score += 1", ["Nothing yet?"]),
        ("do other", "score = 0", []),
        ("score += 1", "told = false", ["Nothing yet?"]),
    ],
)
def test_a_value_is_sure_until_it_may_change(
    between: str, inside: str, questions: list[str]
) -> None:
    """After a step that sets it, a test of the value is no question; a phase may change it."""
    rules = AFTER.format(between=between, inside=inside)
    rules += "" if "do other" in between else "\n    phase unused\n        do other\n"

    assert asked(rules) == questions


def test_where_ways_meet_only_what_both_say_is_sure() -> None:
    """A test that came out so on one of two ways is still asked where they meet."""
    rules = """
        start
            if rounds is 1 "First?"
                score = {first}
            else
                score = 2
            if score is 2 "Two?"
                end draw
            end winners [active]
    """

    assert asked(rules.format(first=1)) == ["First?", "Two?"]
    assert asked(rules.format(first=2)) == ["First?"]


def test_part_of_a_test_is_not_asked_again() -> None:
    """What an `or` still asks is told; what another test before has answered is not."""
    graph = written("""
        start
            if score is 1 "One?"
                end draw
            if score is 1 or rounds is 2 or rounds is 3
                end draw
            end winners [active]
    """)

    assert [box.label for box in chart(graph).nodes if box.kind is Kind.QUESTION] == [
        "One?",
        "There are 2 rounds or there are 3 rounds?",
    ]


def test_a_sure_answer_has_no_box() -> None:
    """A test that always comes out so leads on; `full` still has it, with the other way dotted."""
    rules = """
        start
            score = 3
            if score is 3 "Three?"
                "Cheer"
                    rounds = 1
            end draw
    """

    assert [arrow[:2] for arrow in arrows(chart(written(rules)))] == [
        ("start.start", ""),
        ("start.1", ""),
        ("start.cheer", ""),
    ]
    assert asked(rules, Level.FULL) == ["Three?"]


@pytest.mark.parametrize("game", GAMES)
def test_no_game_goes_what_is_called_impossible(game: str) -> None:
    """In random games, no way is gone that a chart leaves out as sure not to be."""
    loaded = load(game)
    routes = Routes(loaded.graph)
    gone = played(loaded, 10, seed=5).passages.ways

    assert [
        way
        for way, times in gone.items()
        if times
        and way.position < len(routes.nodes[way.node].next)
        and routes.closed(routes.nodes[way.node], way.position)
    ] == []


@pytest.mark.parametrize("stack", [one for name in GAMES for one in library.variants(name)])
def test_house_rules_draw_whole(stack: str) -> None:
    """Under a house rule, too, each page loses no way, whatever is sure there."""
    graph = load(stack).graph

    assert all(not tally(graph, page).lost for page in each(graph, Level.STEPS, few))
