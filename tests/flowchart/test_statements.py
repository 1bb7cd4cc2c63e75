"""Statements of rules in English: what is missing, how much there is, what is alike."""

import pytest

from compiler.graph.core import Branch
from compiler.graph.words import PlainWords
from tests.flowchart.written import written

ASKED = {
    "deck is empty": "deck is empty",
    "hand[active] is not empty": "active's hand is not empty",
    "discards is empty": "there are no discards",
    "winner is none": "there is no winner",
    "winner is not none": "there is a winner",
    "doomed is not empty": "somebody is doomed",
    "active not in doomed": "active is not doomed",
    "players is empty": "nobody is left",
    "count(players) is 1": "1 player is left",
    "count(deck) < 2": "there are fewer than 2 in deck",
    "count(discards) >= 2": "there are at least 2 discards",
    "marks[active] is 3": "active has 3 marks",
    "not marks[active] > 3": "active has at most 3 marks",
    "score > 3": "score is more than 3",
    "rolls < score": "there are fewer rolls than score",
    "not redeemed[active]": "active is not redeemed",
    "first_turn[active]": "it is active's first turn",
    "some c in number: c in deck": "some c in number where c is in deck",
    "score in chosen": "score is among chosen",
    "same(c.value for c in discards)": "all of discards have the same value",
    "not same(c.value for c in discards)": "not all of discards have the same value",
    "consecutive(c.value for c in discards)": "the values of discards are in a row",
    "max(c.value for c in discards) is 3": "the largest value in discards is 3",
    "sum(c.value for c in discards) is 3": "the sum of the values in discards is 3",
    "count(distinct(c.value for c in discards)) is 3": (
        "the number of different values in discards is 3"
    ),
}


@pytest.mark.parametrize("asked", ASKED)
def test_statements(asked: str) -> None:
    """What a test asks is told as a player would ask it."""
    graph = written(f"""
        zone discards: set of number, face up
        var winner: player or none = none
        var doomed: set of player = empty
        var chosen: set of 1..9 = empty
        var marks per player: 0..9 = 0
        var rolls: 0..9 = 0
        var redeemed per player: bool = false
        var first_turn per player: bool = true
        start
            winner = active
            doomed += active
            chosen += 3
            marks[active] += 1
            rolls += 1
            redeemed[active] = true
            first_turn[active] = false
            eliminate active
            if {asked} "Asked?"
                end draw
            end winners [active]
    """)
    (test,) = [
        node.step.test
        for node in graph.nodes
        if isinstance(node.step, Branch) and node.title == "Asked?"
    ]

    assert PlainWords(graph).text(test) == ASKED[asked]
