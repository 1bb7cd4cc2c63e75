"""Who sits where in a game at one table."""

import pytest
from click.testing import CliRunner

from ruleengine.cli import group
from ruleengine.play.seating import WrongSeat, seated
from ruleengine.players.naming import bot

MCTS, RANDOM = bot("mcts:20"), bot("random")


@pytest.mark.parametrize(
    ("people", "bots", "sit", "named"),
    [
        (None, None, (0,), (RANDOM, RANDOM, RANDOM)),
        (None, "mcts:20", (0,), (MCTS, MCTS, MCTS)),
        (None, "B=mcts:20", (0, 2), (RANDOM, MCTS, RANDOM)),
        (None, "B=mcts:20,C", (0,), (RANDOM, MCTS, RANDOM)),
        (None, "all=mcts:20", (), (MCTS, MCTS, MCTS)),
        ("B", "mcts:20", (1,), (MCTS, MCTS, MCTS)),
        (None, "none", (0, 1, 2), (RANDOM, RANDOM, RANDOM)),
    ],
)
def test_bots_by_seat(
    people: str | None, bots: str | None, sit: tuple[int, ...], named: tuple[object, ...]
) -> None:
    """A bot's name alone says what bots are; behind a seat it says who sits there."""
    found = seated(3, people, bots)

    assert (found.people, found.bots) == (sit, named)


def test_a_seat_that_is_not_there() -> None:
    """Three seats have no D."""
    with pytest.raises(WrongSeat, match="no seat `D`"):
        seated(3, None, "D=mcts:20")


def test_bots_play_the_same_game_again() -> None:
    """Thinking bots among themselves: one seed, one game."""
    said = ("play", "tictactoe", "--bots", "A=mcts:20,B=flat:20", "--seed", "4")
    first, second = (CliRunner().invoke(group, said).output for _ in range(2))

    assert first == second
    assert "all of them bots" in first
