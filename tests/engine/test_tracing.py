"""Where games went in the graph."""

from itertools import pairwise

import pytest

from compiler.graph.core import End, Flow
from ruleengine import load
from ruleengine.match import random_match
from ruleengine.record import Record, Recorder
from ruleengine.tracing import played, recorded


@pytest.mark.parametrize("name", ["kuhn", "klink", "highjinks"])
def test_ways_follow_one_another(name: str) -> None:
    """Every step of a game goes one of its ways on, and what comes next lies there.

    Calls, jumps and returns lead to other phases, a step that sets off a trigger to that.
    """
    game = load(name)
    tracer = played(game, 1, 0)
    nodes = game.graph.nodes
    visited = [visit.node for visit in tracer.visits]
    wrong = [
        (node, then)
        for node, then in pairwise(visited)
        if not isinstance(nodes[node].step, Flow)
        and then not in nodes[node].next
        and not nodes[then].phase.startswith("whenever")
    ]
    going = [node for node in visited if nodes[node].next]

    assert wrong == []
    assert going == [way.node for way in tracer.path if nodes[way.node].next]


def test_decisions_are_those_of_the_match() -> None:
    """The tracer comes to a decision as often as somebody chooses."""
    game = load("kuhn")
    decisions = sum(random_match(game, 3, number).decisions for number in range(20))
    tracer = played(game, 20, 3)

    chosen = [visit for visit in tracer.visits if visit.picked is not None]
    assert len(chosen) == decisions


def test_every_game_begins_and_ends_once() -> None:
    """In the counts of some games, their beginning and their ends are come to once for each."""
    game = load("jinx")
    passages = played(game, 5, 1).passages
    ends = [
        node.id
        for node in game.graph.nodes
        if isinstance(node.step, Flow) and isinstance(node.step.way, End)
    ]

    assert sum(passages.nodes.get(node, 0) for node in ends) == 5
    assert passages.nodes[game.graph.start] == 5


@pytest.mark.parametrize("name", ["klink", "highjinks"])
def test_a_record_goes_where_its_game_went(name: str) -> None:
    """A recorded game, gone through again, comes to the same nodes; or to the first of them."""
    game = load(name)
    recorder = Recorder(game, 5, 0)
    random_match(game, 5, 0, watching=recorder.watch)
    record = Record.parse(str(recorder.record))
    whole, _ = recorded(game, record)
    part, stands = recorded(game, record, 10)

    visits, first = list(whole.visits), list(part.visits)
    assert visits == list(played(load(name), 1, 5).visits)
    assert first[:-1] == visits[: len(first) - 1]
    assert first[-1].node == visits[len(first) - 1].node == stands
