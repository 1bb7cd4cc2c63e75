"""A play as text: written, read, changed, played again, taken back."""

from pathlib import Path

import pytest

from ruleengine.game import IllegalAnswer, Instance, load
from ruleengine.match import random_match
from ruleengine.record import Play, Record, Recorder, RecordError, Replay, replay
from tests.engine.games import COUNTER, written

TEXT = """rulewright record 1
spec kuhn
players 2

chance K       -- the better card
chance Q
A: check

B:   bet
A: call
end A wins (2 : -2)
"""


@pytest.fixture(name="kuhn", scope="module")
def fixture_kuhn() -> Instance:
    """Kuhn poker: two chance stops, then at most three decisions."""
    return load("kuhn")


def _changed(text: str, old: str, new: str) -> Record:
    assert text.count(old) == 1
    return Record.parse(text.replace(old, new))


def _misfit(game: Instance, record: Record) -> RecordError:
    with pytest.raises(RecordError) as refused:
        replay(game, record)
    return refused.value


@pytest.mark.parametrize("name", ["kuhn", "tictactoe", "jinx", "jinxx", "jinks", "klink"])
def test_a_recorded_game_plays_again(name: str) -> None:
    """What is written down of a game is read back as it was, and leads to the same end."""
    game = load(name)
    recorder = Recorder(game, 5, 2)
    match = random_match(game, 5, 2, watching=recorder.watch)
    record = recorder.record
    again = replay(game, Record.parse(str(record)))

    assert again.record == record
    assert not again.changed
    assert len(again.states) == 1 + match.decisions + match.draws
    assert game.outcome(again.states[-1]) == match.result


def test_people_can_write_records(kuhn: Instance) -> None:
    """Spaces, blank lines and comments mean nothing, and neither hash nor seed is needed."""
    record = Record.parse(TEXT)
    again = replay(kuhn, record)

    assert record.seed is None
    assert isinstance(again, Replay)
    assert [str(step) for step in record.steps][-2:] == ["B: bet", "A: call"]


def test_an_unfinished_record_plays_as_far_as_it_goes(kuhn: Instance) -> None:
    """Without its last lines a record ends in the middle of the game."""
    record = Record.parse(TEXT.partition("B:")[0])

    assert kuhn.outcome(replay(kuhn, record).states[-1]) is None


def test_changed_rules_are_noticed(kuhn: Instance) -> None:
    """A record of other rules is played as long as every line fits, and it is said."""
    record = _changed(TEXT, "players 2", "players 2\nhash 0000000000000000")

    assert replay(kuhn, record).changed


@pytest.mark.parametrize(
    ("old", "new", "line", "fits"),
    [
        ("A: check", "A: fold", 7, ("A: bet", "A: check")),
        ("A: check", "B: check", 7, ("A: bet", "A: check")),
        ("chance Q", "chance K", 6, ("chance J", "chance Q")),
        ("chance Q\n", "", 6, ("chance J", "chance Q")),
        ("A wins (2 : -2)", "B wins (-2 : 2)", 11, ("end A wins (2 : -2)",)),
        ("A: call\n", "", 10, ("A: call", "A: fold")),
    ],
)
def test_a_line_that_does_not_fit_is_named(
    kuhn: Instance, old: str, new: str, line: int, fits: tuple[str, ...]
) -> None:
    """A record is refused at the first line that does not fit, with what does."""
    refused = _misfit(kuhn, _changed(TEXT, old, new))

    assert (refused.line, refused.fits) == (line, fits)
    assert str(refused).startswith(f"line {line}: ")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("rulewright record 1", "diary", 1),
        ("rulewright record 1", "rulewright record 99", 1),
        ("A: check", "A checks", 7),
        ("players 2", "players two", 3),
        ("chance Q", "spec kuhn", 6),
        ("end A wins (2 : -2)", "end A wins (2 : -2)\nA: call", 12),
    ],
)
def test_a_line_that_says_nothing_is_named(old: str, new: str, line: int) -> None:
    """A text that is no record is refused at the line where that shows."""
    with pytest.raises(RecordError) as refused:
        _changed(TEXT, old, new)

    assert refused.value.line == line


def test_settings_are_recorded(tmp_path: Path) -> None:
    """A record keeps the configuration it was played with, the number of players always."""
    path = written(tmp_path, COUNTER)
    play = Play.begin(load(path, rulings={"last": "loses"}, heap=1))
    play.choose("choose 1")
    text = str(play.record)

    assert "players 2\nset heap = 1\nset last = loses\n" in text
    assert text.endswith("\nA: choose 1\nend B wins\n")
    assert Record.parse(text) == play.record


def test_other_numbers_of_players_are_refused(tmp_path: Path) -> None:
    """A record of two players is not one of three."""
    path = written(tmp_path, COUNTER)
    record = Play.begin(load(path, players=3)).record

    assert "3 players" in str(_misfit(load(path), record))


def test_taking_back() -> None:
    """Taking back leads to the last decision; chance then comes out as it did before."""
    game = load("jinks")
    play = Play.begin(game, seed=4)
    before, steps = play.state, len(play.steps)
    assert not play.undo()
    play.choose(0)
    after = play.state
    play.choose(0)

    assert play.undo()
    assert play.state == after
    assert play.undo()
    assert (play.state, len(play.steps)) == (before, steps)
    play.choose(0)
    assert play.state == after
    assert bytes(play.state) == bytes(game.apply(game.start(seed=4), 0))


def test_a_play_without_a_seed_is_told_what_happens(kuhn: Instance) -> None:
    """Chance is said while a game is played by hand; an answer does not fit where it decides."""
    play = Play.begin(kuhn)
    with pytest.raises(IllegalAnswer):
        play.choose("bet")
    for card in ("K", "Q"):
        play.happen(card)
    with pytest.raises(IllegalAnswer):
        play.happen("J")
    for answer in ("check", "bet", "call"):
        play.choose(answer)

    assert play.record.steps == Record.parse(TEXT).steps
    assert play.record.result == "A wins (2 : -2)"
