"""What the compiler keeps for itself is told in words on the full charts."""

import re

import pytest

from compiler.flowchart.chart import Level, chart
from compiler.flowchart.offers import conditions
from compiler.graph.core import Choose
from compiler.graph.sentences import Sentences
from tests.flowchart.shipped import GAMES, compiled
from tests.flowchart.written import written

RULES = """
    var chosen: player or none
    var late: bool = false
    start
        for p in players where hand[p] is not empty
            move all of hand[p] to open
        together p in players "One each"
            p chooses c in hand[p]
            move c to open
        chosen = none
        late = true
        if late and chosen is none "Late?"
            end draw
        end winners [active]
"""

# "already asked" is a name that Klink's rules give themselves
KEPT = re.compile(
    r"\b(?!already )\w+ (left|asked) to\b|\bpicked to\b|\bwindow order\b"
    r"|\bto (none|true|false)$"
)


def test_loops_and_sealed_decisions_are_told() -> None:
    """A loop goes through its list; a sealed decision begins with who is asked."""
    labels = [box.label for box in chart(written(RULES), Level.FULL).nodes]

    for said in (
        "Go through all p in players where p's hand is not empty",
        "p is the next of them",
        "The others come later",
        "Asked: players",
        "A has not picked yet",
        "A has no c",
        "There is no chosen",
        "Late: yes",
    ):
        assert said in labels


@pytest.mark.parametrize("game", GAMES)
def test_no_name_of_the_compiler_is_on_a_chart(game: str) -> None:
    """Nothing says what the compiler calls what it keeps."""
    labels = [box.label for box in chart(compiled(game).graph, Level.FULL).nodes]

    assert [label for label in labels if KEPT.search(label)] == []


def test_what_another_condition_asks_for_too_is_not_told() -> None:
    """Who must have rolled twice has rolled once."""
    graph = written("""
        start
            active chooses "Roll?"
                stop "Stop"
                    when rounds >= 1
                    when rounds > 1
                    when score >= 1
                roll "Roll"
            end draw
    """)
    (choose,) = [node.step for node in graph.nodes if isinstance(node.step, Choose)]

    assert list(conditions(choose.options[0], Sentences(graph))) == [
        "if there are more than 1 round",
        "if score is at least 1",
    ]
