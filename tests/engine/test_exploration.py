"""All situations of small games, against figures that other programs gave."""

from fractions import Fraction
from pathlib import Path

import pytest

from ruleengine.batch import NoMachine
from ruleengine.exploration import explore
from tests.engine.games import COUNTER, ENDLESS, STUCK, THREES, written


def test_kuhn_poker() -> None:
    """Kuhn poker: 58 histories, 30 of them whole games; A wins 1/8 at random."""
    found = explore("kuhn")

    assert (found.histories, found.endings, found.decisions, found.chance) == (58, 30, 24, 4)
    assert found.expected is not None
    assert found.expected.scores == (Fraction(1, 8), Fraction(-1, 8))
    assert found.expected.decisions == Fraction(9, 4)


def test_falling_pieces(tmp_path: Path) -> None:
    """Three in a row on three by three with gravity has 694 positions, 189 of them final."""
    found = explore(written(tmp_path, THREES))

    assert (found.states, found.terminals) == (694, 189)
    assert found.results == {"A wins": 118, "B wins": 55, "a draw": 16}
    assert found.expected is not None
    value = found.expected.wins[0] - found.expected.wins[1]
    assert float(value) == pytest.approx(0.26920438957475995)
    assert float(found.expected.decisions) == pytest.approx(7.702932098765433)


def test_counting_down(tmp_path: Path) -> None:
    """Four to take, one or two at a time: five ways, and who is on turn makes two situations."""
    found = explore(written(tmp_path, COUNTER))

    assert found.endings == 5
    assert found.longest == 4
    assert found.results == {"A wins": 1, "B wins": 1}


def test_shared_wins_and_readings(tmp_path: Path) -> None:
    """Where the one who takes the last loses, the two others share the win."""
    path = written(tmp_path, COUNTER)
    found = explore(path, players=3, rulings={"last": "loses"}, heap=1)

    assert found.expected is not None
    assert found.expected.wins == (Fraction(0), Fraction(1), Fraction(1))
    assert found.expected.shares == (Fraction(0), Fraction(1, 2), Fraction(1, 2))


def test_situations_that_come_again(tmp_path: Path) -> None:
    """A game that can go round has no number of histories and no longest game."""
    found = explore(written(tmp_path, ENDLESS))

    assert found.complete
    assert (found.histories, found.endings, found.longest, found.expected) == (None,) * 4
    assert found.terminals > 0


def test_dead_ends_are_counted(tmp_path: Path) -> None:
    """A move after which a rule breaks down is a dead end with a message."""
    found = explore(written(tmp_path, STUCK))

    assert [end.depth for end in found.dead_ends] == [2]
    assert "2 is not 0..1" in found.dead_ends[0].error
    assert found.expected is None


def test_the_limit_breaks_off() -> None:
    """Beyond the limit what was found is said to be incomplete."""
    found = explore("tictactoe", limit=100)

    assert not found.complete
    assert found.states > 100
    assert (found.histories, found.expected) == (None, None)


def test_who_knows_what() -> None:
    """Whoever has looked at which card, situations with the same cards are one, unless asked."""
    path = Path(__file__).parents[1] / "knowledge" / "games" / "mini_klink_mixing.rules"
    asked, plain = explore(path, knowing=True), explore(path, machine="interpreter")

    assert (asked.decisions, asked.states, asked.cores) == (381, 590, 254)
    assert (plain.states, plain.cores) == (254, None)
    with pytest.raises(NoMachine, match="by who knows what"):
        explore("kuhn", knowing=True, machine="wasm")


def test_looking_ahead(tmp_path: Path) -> None:
    """With a limit to the depth sequences of moves are counted even where situations come again."""
    found = explore(written(tmp_path, ENDLESS), depth=3)

    assert (found.complete, found.histories) == (True, None)
    assert found.tree is not None
    assert found.tree.by_depth == (1, 2, 2, 2)
    assert found.tree.endings_by_depth == (0, 1, 1, 0)
