"""`simulate` between bots: what it says, and what it answers to nonsense."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from ruleengine.cli import run


def said(capfd: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    """What a command writes, on both streams."""
    assert run(["simulate", *arguments]) == code
    return capfd.readouterr()


def entry(capfd: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """What a command says of its only spec."""
    return json.loads(said(capfd, *arguments, "--json")[0])["specs"][0]


def test_bots_have_wins_of_their_own(capfd: pytest.CaptureFixture[str]) -> None:
    """They rotate, so what a bot wins is not what a seat wins."""
    found = entry(capfd, "tictactoe", "-n", "4", "--bots", "mcts:60,random", "--rotate")
    strong, weak = found["bots"]

    assert (strong["bot"], weak["bot"]) == ("mcts:60", "random")
    assert strong["wins"] + weak["wins"] == strong["games"] == weak["games"] == 4
    assert strong["share"]["low"] <= strong["share"]["value"] <= strong["share"]["high"]
    assert (found["reproducible"], found["machine"]) == (True, "interpreter")


def test_the_last_bot_takes_the_seats_that_are_left(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """One who thinks against two who do not, a seat further in each game."""
    path = tmp_path / "games.csv"
    said(
        capfd,
        *("jinxx", "-n", "3", "--players", "3", "--bots", "flat:1:cut=1,random", "--rotate"),
        *("--score", "p.seat", "-o", str(path)),
    )
    rows = list(csv.DictReader(path.read_text().splitlines()))

    assert [[row[f"bot_{seat}"] == "random" for seat in "ABC"] for row in rows] == [
        [False, True, True],
        [True, True, False],
        [True, False, True],
    ]


def test_random_bots_play_the_games_of_nobody(capfd: pytest.CaptureFixture[str]) -> None:
    """A run of random bots is a run without bots, on the compiled machine."""
    one, other = (
        entry(capfd, "kuhn", "-n", "50", *bots) for bots in ((), ("--bots", "random,random"))
    )
    for found in (one, other):
        del found["seconds"], found["compile_seconds"]

    assert one == other


def test_lengths_scores_and_seats_have_intervals(capfd: pytest.CaptureFixture[str]) -> None:
    """Kuhn poker at random: two or three decisions, and A wins 9 of 16."""
    found = entry(capfd, "kuhn", "-n", "2000", "--seed", "3")
    seat = found["seats"]["A"]

    assert found["lengths"]["histogram"][0][0] == 2
    assert sum(count for _, _, count in found["lengths"]["histogram"]) == 2000
    assert seat["share"]["low"] < 9 / 16 < seat["share"]["high"]
    assert seat["share"]["low"] > seat["fair"] == 0.5
    mean = found["score_spread"]["A"]["mean"]
    assert mean["low"] < 1 / 8 < mean["high"]


def test_watched_games_tell_of_options_and_clauses(capfd: pytest.CaptureFixture[str]) -> None:
    """What was offered and what was taken, by tenths of the game; how often clauses came up."""
    found = entry(capfd, "klink", "-n", "2", "--watch", "1")
    check = found["options"]["Check 1 card"]

    assert found["watched"] == 1
    assert check["offered"] == check["taken"] == sum(check["by_tenth"]) > 0
    assert found["clauses"]["KL-2.1"] > 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("kuhn", "--bots", "mtcs:10"), "did you mean `mcts`?"),
        (("kuhn", "--bots", ""), "between its commas"),
        (("tictactoe", "--bots", "greedy"), "does not say how players stand"),
        (("kuhn", "--bots", "greedy", "--score", "gold[p]"), "nothing is called `gold`"),
        (("kuhn", "--rotate"), "are for --bots"),
        (("kuhn", "-n", "2", "-o", "/no/such/folder/x.csv"), "cannot write"),
    ],
)
def test_nonsense_is_answered(
    arguments: tuple[str, ...], told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """With a line that says what would do."""
    assert told in said(capfd, *arguments, code=2)[1]


def test_a_bot_without_a_seat_is_no_secret(capfd: pytest.CaptureFixture[str]) -> None:
    """More bots than seats are answered, since the last would not play."""
    told = said(capfd, "kuhn", "-n", "1", "--bots", "random,random,mcts:3", code=2)[1]

    assert "kuhn has 2 seats: nobody sits as mcts:3" in told
