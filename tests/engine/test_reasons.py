"""Why an answer is not legal: the line that refuses it, with what it reads by name."""

from pathlib import Path

import pytest

from ruleengine import load
from ruleengine.game import Instance
from ruleengine.play.citing import Citing
from ruleengine.play.reasons import Reasons
from ruleengine.play.secrets import has_secrets
from tests.engine.games import written

RULES = """rulebook reasons "Reasons"
    seats 2
enum suit: clubs C, hearts H
card slip "Cards"
    rank: 1..4
    suit: suit
    written rank suit
piece man "Men"
    owner: player
    copies 2
zone deck: pile of slip, face up
zone hand per player: set of slip, face down, seen by holder
zone trick: list of slip, face up
board grid: 3 by 3 of one man
var money per player: 0..20 = 10
define men(p: player) = all s in squares(grid) where s.owner is p
define leaps(p: player, s: square) =
    all t in squares(grid) where t is empty and is_straight([s, t])
        and some u in between(s, t): u.owner is next(p)
define can_leap(p: player) = some s in men(p): leaps(p, s) is not empty
define led = first(all of trick).suit
define follows(p: player, c: slip) = c.suit is led or no d in hand[p]: d.suit is led

start
    move all c in slip where c.rank is 4 and c.suit is clubs to deck
    move all c in slip where c.rank is 3 and c.suit is clubs to trick
    move all c in slip where c.rank <= 2 to hand[A]
    move all c in slip where c.rank is 3 and c.suit is hearts to hand[B]
    move 1 of (all m in man where m.owner is A) to grid[1, 1]
    move 1 of (all m in man where m.owner is B) to grid[2, 1]
    money[B] = 12
    A chooses "What?"
        buy for n in 1..20 "Buy"
            when n <= money[A]
        turn_up "Turn up"
            when (top of deck).suit is hearts
        play c in hand[A] "Play"
            when follows(A, c)
        step from s in men(A), to t in neighbours(s) "Step"
            unless can_leap(A)
        hop from s in men(A), to t in leaps(B, s) "Hop"
        slide to t in row(grid, 1) "Slide"
            when every u in between(grid[1, 1], t): u is empty
        land on t in row(grid, 1) "Land"
            when t is empty
        lead "Lead"
            when no p in players: money[p] > money[A]
        peek "Peek"
            when hand[B] is empty
        stop "Stop"
    end draw
"""
TOLD = {
    "buy for 11": "n is 11; A's money is 10",
    "turn_up": "top of deck is 4C; suit of top of deck is clubs",
    "play 2H": "c is 2H; p is A; c's suit is hearts; led is clubs; d is 1C; d's suit is clubs",
    "step from grid[1, 1], to grid[1, 2]": "p is A; s is grid 1, 1; ... is grid 3, 1",
    "slide to grid[3, 1]": "u is grid 2, 1; grid 2, 1 holds B",
    "land on grid[2, 1]": "grid 2, 1 holds B",
    "lead": "p is B; B's money is 12; A's money is 10",
    "peek": "B's hand holds 1 face down",
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Instance:
    """A game in which most answers are refused."""
    return load(written(tmp_path_factory.mktemp("reasons"), RULES))


@pytest.mark.parametrize("asked", TOLD)
def test_what_a_rule_reads(asked: str, game: Instance) -> None:
    """The player's money, the card on top, the piece in the way: what decides is named."""
    state = game.start()
    table = game.table(state)
    choices = game.interpreter.options(table, 0)
    (verdict,) = Reasons(game, Citing(game.compiled)).verdicts(table, choices, 0, asked)
    before, _, behind = TOLD[asked].partition("... ")
    told = "; ".join(verdict.values)

    assert not verdict.legal
    assert (told.startswith(before), told.endswith(behind)) == (True, True), told


def test_half_an_answer(game: Instance) -> None:
    """Where what was named leaves nothing to choose, that is told, not that a word is missing."""
    nothing = game.why_not(game.start(), "hop from grid[1, 1]")
    more = game.why_not(game.start(), "step from grid[1, 1]")

    assert nothing.words.startswith("there is nothing for `to`")
    assert more.words == "`step` needs 2 more words"


DECK = """rulebook lots "Lots"
    seats 2
card lot "Lots"
    worth: 1..3
zone deck: pile of lot, face down
zone table: list of lot, face up
start
    move all of lot to deck
    shuffle deck
    move top of deck to table
    A chooses "Peek?"
        peek "Peek"
            reveal top of deck
        stop "Stop"
    end draw
"""


@pytest.mark.parametrize(
    ("peek", "secret"), [("reveal top of deck", False), ("show top of deck to A", True)]
)
def test_a_deck_is_no_secret_among_players(peek: str, secret: bool, tmp_path: Path) -> None:
    """What is face down for all, or shown to all, parts nobody from the others; a look does."""
    rules = written(tmp_path, DECK.replace("reveal top of deck", peek))

    assert has_secrets(load(rules).graph) is secret


def test_what_lies_hidden_is_not_told(game: Instance) -> None:
    """Of another's hand a reason gives the number at most, whatever way it is asked for."""
    reason = game.why_not(game.start(), "peek")

    assert "3H" not in str(reason)
    assert "1 face down" in reason.words


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("step from grid[1,1] to grid[1,3]", "step from grid[1, 1], to grid[1, 3]"),
        ("step from 1,1 to 1,2", "step from grid[1, 1], to grid[1, 2]"),
        ("step from grid[9,9] to grid[1,1]", "`grid[9, 9]` is no square"),
        ("step 1,1", "an answer is written `step from …, to …`"),
        ("99", "the numbers here are 1 to "),
    ],
)
def test_as_the_menu_shows(game: Instance, typed: str, told: str) -> None:
    """Answers are read as the menu shows them, and what cannot be read is named."""
    table = game.table(game.start())
    choices = game.interpreter.options(table, 0)
    (verdict,) = Reasons(game, Citing(game.compiled)).verdicts(table, choices, 0, typed)

    assert told in f"{verdict.words}: {verdict.note}"
