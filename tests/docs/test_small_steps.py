"""The page's rules of small steps are the machine's: what a step changes, and where it goes on."""

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Final

import pytest

from compiler.graph.core import Branch, Call, Flow, Jump, Leave, Node, Return
from ruleengine import load
from ruleengine.game import Instance
from ruleengine.knowledge.protocol import Observer
from ruleengine.match import random_match
from ruleengine.table import Table
from tests.docs.reading import ROOT

PAGE: Final = ROOT / "docs" / "semantics.md"
PARTS: Final = {
    "places": ("place", "cells"),
    "tokens": ("kind", "face", "flags"),
    "pools": ("pool", "pools"),
    "slots": ("values",),
    "stack": ("stack",),
    "triggers": ("fired", "held", "in_trigger"),
}
"""The parts of the state that rules read, and where the machine keeps them."""

BELL: Final = str(ROOT / "tests" / "language" / "bell.rules")
GAMES: Final = (("klink", 3), ("jinx", 2), ("jinks", 1), ("highjinks", 1), (BELL, 4))


def said() -> dict[str, frozenset[str]]:
    """By kind of step, the parts that it may change, as the page's table has it."""
    text = PAGE.read_text(encoding="utf-8")
    table = re.search(
        r"^\| kind of step \| may change \|.*\n\| ---.*\n((?:\|.*\n)+)", text, re.MULTILINE
    )
    assert table is not None
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", table[1], re.MULTILINE)
    return {step: frozenset(set(re.findall(r"\w+", parts)) & set(PARTS)) for step, parts in rows}


def watched(game: Instance, told: Callable[[Node, Table, Table, int], None]) -> None:
    """Lets automatic steps of a game be seen: the state before, after, and the node to go to."""
    functions = game.interpreter._functions
    for node in game.graph.nodes:
        function = functions[node.id]
        if function is None:
            continue

        def seen(
            table: Table,
            observer: Observer | None,
            node: Node = node,
            step: Callable[[Table, Observer | None], int] = function,
        ) -> int:
            before = table.copy()
            then = step(table, observer)
            told(node, before, table, then)
            return then

        functions[node.id] = seen


@pytest.fixture(scope="module")
def changes() -> dict[str, set[str]]:
    """What steps of games at random changed; that each went where its rule says is asserted."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, games in GAMES:
        game = load(name)

        def told(node: Node, before: Table, after: Table, then: int, game: Instance = game) -> None:
            parts = found[type(node.step).__name__]
            for part, fields in PARTS.items():
                if any(getattr(before, one) != getattr(after, one) for one in fields):
                    parts.add(part)
            assert goes_on(game, node, before, after, then), node

        watched(game, told)
        for number in range(games):
            random_match(game, 1, number, node_limit=2_000)
    return found


def goes_on(game: Instance, node: Node, before: Table, after: Table, then: int) -> bool:
    """Whether a step went where the rule of its kind says."""
    if after.in_trigger != before.in_trigger or after.stack[len(before.stack) :][:1] < [0]:
        return True  # a trigger begins or ends: the rule of triggers
    match node.step:
        case Flow(Call(phase)):
            return (then, after.stack) == (game.graph.phase(phase).entry, [*before.stack, node.id])
        case Flow(Jump(phase)):
            return (then, after.stack) == (game.graph.phase(phase).entry, before.stack)
        case Flow(Return()):
            return after.stack == before.stack[:-1]
        case Flow(Leave()):
            return after.stack == before.stack[: len(after.stack)]
        case Branch():
            return then in node.next and after.stack == before.stack
        case _:
            return then == node.next[0] and after.stack == before.stack


def test_what_steps_change(changes: dict[str, set[str]]) -> None:
    """A step changes what its row names, and each part that is named is changed by some step."""
    assert {step: sorted(parts) for step, parts in changes.items() if step != "Chance"} == {
        step: sorted(parts) for step, parts in said().items()
    }
