"""Machines that watch over invariants suspect the games that break one, and no others."""

from pathlib import Path

import pytest

from ruleengine import library
from ruleengine.batch import lowered
from ruleengine.compiled.make import Which
from ruleengine.compiled.watchful import Watchful
from ruleengine.game import load
from ruleengine.match import NODE_LIMIT
from tests.engine.games import written

UNLUCKY = """rulebook unlucky "Two dice that may show doubles"
    seats 2..2
die red : 1..6
die blue : 1..6
invariant "Never two sixes"
    not (red is 6 and blue is 6)
start
    roll red, blue
    A chooses "Go on?"
        go "On"
            end winners A
"""


@pytest.mark.parametrize("which", ["wasm", "python"])
def test_games_that_break_an_invariant_are_suspect(which: Which, tmp_path: Path) -> None:
    """About every 36th game shows two sixes, and those are named."""
    game = load(written(tmp_path, UNLUCKY))
    suspects = Watchful.of(lowered(game), 3, NODE_LIMIT, which).suspects(range(720))

    assert 8 < len(suspects) < 40
    assert suspects == Watchful.of(lowered(game), 3, NODE_LIMIT).suspects(range(720))


@pytest.mark.parametrize("name", library.names())
def test_nothing_is_suspect(name: str) -> None:
    """No check fails and no invariant is broken in games of the shipped rulebooks."""
    assert Watchful.of(lowered(load(name)), 1, NODE_LIMIT).suspects(range(100)) == ()
