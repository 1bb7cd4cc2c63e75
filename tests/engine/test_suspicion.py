"""Games that a machine suspects are told with the moves that lead to what breaks."""

from pathlib import Path

import pytest

from compiler.pipeline import Spec
from ruleengine.configurations import configurations
from ruleengine.game import load, open_spec
from ruleengine.match import NODE_LIMIT
from ruleengine.properties.laws import Law
from ruleengine.properties.looking import Looking
from ruleengine.properties.suspicion import suspected
from ruleengine.trail import Trail
from tests.engine.games import written
from tests.engine.test_watchful import UNLUCKY


def test_suspects_are_told_with_their_moves(tmp_path: Path) -> None:
    """What the machine stops at, the interpreter finds; the ranks lead to the broken invariant."""
    game = load(written(tmp_path, UNLUCKY))
    found = tuple(suspected(game, Looking.of(game), 3, 300, 1000))

    assert {(broken.law, broken.title) for broken, _ in found} == {
        (Law.INVARIANT, "Never two sixes")
    }
    for _, ranks in found:
        trail = Trail.begin(load(written(tmp_path, UNLUCKY)))
        for rank in ranks:
            trail.take(rank)
        assert sum(value == 6 for value in trail.table.values) == 2


def test_a_sound_game_is_not_suspected() -> None:
    """Thousands of games of tic-tac-toe break nothing."""
    game = load("tictactoe")

    assert tuple(suspected(game, Looking.of(game), 0, 2000, 1000)) == ()


ENDLESS = {("highjinks", "spent_counters", "face_up_only"), ("jinx", "captured", "lost_for_round")}
"""Readings with games that do not end: nobody need lose, or both have lost their pieces."""


@pytest.mark.long
@pytest.mark.parametrize("name", ["jinx", "jinxx", "klink", "jinks", "highjinks"])
def test_ten_thousand_games_break_nothing(name: str) -> None:
    """Ten thousand games, over all numbers of players and all readings, break nothing."""
    spec = open_spec(name)
    assert isinstance(spec, Spec)
    every = tuple(configurations(spec))
    games = -(-10_000 // len(every))
    for configuration in every:
        settings = {(name, *pair) for pair in configuration.values.items()}
        if not settings & ENDLESS:
            game = load(name, configuration.players, configuration.values)
            found = tuple(suspected(game, Looking.of(game), 11, games, NODE_LIMIT))
            assert (configuration, found) == (configuration, ())
