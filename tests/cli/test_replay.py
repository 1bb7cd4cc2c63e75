"""`replay` and `why`: what a record tells, as words and drawn, and records that do not fit."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.piped import ROOT, kuhn, run


@pytest.fixture(autouse=True)
def _room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are kept in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")


# ---- broken records


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("A: raise", "a.record, line 9: `A: raise` does not fit\n  what fits here:\n    A: bet\n"),
        ("B: bet", "a.record, line 9: `B: bet` does not fit\n  what fits here:\n    A: bet\n"),
        ("chance Q", "a.record, line 9: `chance Q` does not fit\n"),
        ("nonsense", "a.record, line 9: `nonsense` is no line of a record\n"),
        ("end A wins", "a.record, line 9: `end A wins` does not fit\n"),
    ],
)
@pytest.mark.parametrize("command", ["replay", "play", "why"])
def test_a_line_that_does_not_fit(command: str, line: str, told: str) -> None:
    """The line is named, with what fits there; the code is 1."""
    text = Path(kuhn("bet")).read_text()
    Path("a.record").write_text(text.replace("A: bet", line))
    more = {"replay": ("kuhn", "a.record"), "play": ("kuhn", "--resume", "a.record")}
    done = run(command, *more.get(command, ("kuhn", "a.record", "bet")))

    assert done.exit_code == 1
    assert told in done.output


def test_a_record_of_another_game() -> None:
    """It is said which rulebook the record was made with."""
    path = kuhn("bet")
    done = run("replay", "tictactoe", path)

    assert done.exit_code == 1
    assert "a.record was made with `kuhn`; it is tried with `tictactoe`." in done.output
    assert (
        "a game of `kuhn`, not of `tictactoe`" in run("play", "tictactoe", "--resume", path).output
    )


def test_rules_that_have_changed_since() -> None:
    """A record whose lines all fit is told, with a word of warning."""
    text = Path(kuhn("bet", "call")).read_text()
    digest = text.split("hash ")[1].split()[0]
    Path("a.record").write_text(text.replace(digest, "0" * 16))
    done = run("replay", "kuhn", "a.record")

    assert done.exit_code == 0
    assert "The rules have changed since a.record was made; every line still fits." in done.output


def test_a_record_of_another_version() -> None:
    """It is said which version it is, and which can be read."""
    text = Path(kuhn("bet")).read_text()
    Path("a.record").write_text(text.replace("rulewright record 1", "rulewright record 7"))
    done = run("replay", "kuhn", "a.record")

    assert done.exit_code == 1
    assert "a record of version 7, and only version 1 can be read" in done.output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
def test_a_full_disk() -> None:
    """A game is shown if it cannot be kept; output that cannot be written is said in a line."""
    kept = run(
        "play", "kuhn", "--seed", "2", "--record", "/dev/full", typed="save /dev/full\nbet\n"
    )
    told = " ".join(kept.output.split())
    code = (
        "import sys; from ruleengine.cli import main; "
        "sys.argv[1:] = ['replay', 'kuhn', 'a.record']; main()"
    )
    kuhn("bet")
    with open("/dev/full", "wb") as full:
        process = subprocess.run(
            [sys.executable, "-c", code],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": ROOT},
            check=False,
        )

    assert "Not saved: /dev/full cannot be written: it is no file." in told
    assert "Kept in kuhn-1.record." in told
    assert process.returncode == 2
    assert process.stderr.decode() == (
        "Error: cannot go on with the output: No space left on device\n"
    )


# ---- replay and why


def test_replay_for_the_referee() -> None:
    """Every line of the record, numbered, with all that came of it."""
    done = run("replay", "kuhn", kuhn("bet", "call"))

    assert done.output == (
        "     J, Q, K from box to deck.\n"
        "     Shuffled: deck.\n"
        "1  chance Q\n"
        "     Q from deck to A's hand.\n"
        "2  chance K\n"
        "     K from deck to B's hand.\n"
        "3  A: bet\n"
        "     stake of A is 2.\n"
        "4  B: call\n"
        "     stake of B is 2.\n"
        "     payoff of B is 2.\n"
        "     payoff of A is -2.\n"
        "     The game is over.\n"
        "end B wins (-2 : 2)\n"
    )


def test_replay_for_a_seat() -> None:
    """Only what the seat observed, without numbers."""
    done = run("replay", "kuhn", kuhn("bet"), "--seat", "b")

    assert done.output == (
        "  J, Q, K from box to deck.\n"
        "  Shuffled: deck.\n"
        "  1 card from deck to A's hand.\n"
        "  1 card from deck to B's hand: K.\n"
        "A: Bet\n"
        "  stake of A is 2.\n"
        "here the record ends\n"
    )
    assert run("replay", "kuhn", "a.record", "--seat", "Z").exit_code == 2


def test_replay_as_json() -> None:
    """The steps with their numbers, words and clauses."""
    document = json.loads(run("replay", "kuhn", kuhn("bet", "call"), "--json").output)
    told = document["specs"][0]

    assert told["result"] == "B wins (-2 : 2)"
    assert [step["words"] for step in told["steps"]] == [
        "",
        "chance Q",
        "chance K",
        "A: bet",
        "B: call",
    ]


def test_why_at_a_step() -> None:
    """By default the last decision is asked about; `--at` goes to another."""
    path = kuhn("bet", "call")

    assert run("why", "kuhn", path, "fold").output == (
        "Step 4, B: Call or fold?\nYes: fold is legal, because nothing forbids it.\n"
    )
    assert run("why", "kuhn", path, "--at", "3", "fold").output == (
        "Step 3, A: Bet or check?\nNo: `fold` is not legal: the options here are bet and check\n"
    )
    wrong = run("why", "kuhn", path, "--at", "1", "fold")
    assert wrong.exit_code == 2
    assert "nobody is asked at step 1; decisions near it are 3, 4" in wrong.output


def test_why_cites_clauses() -> None:
    """The line that refuses, its values, its clauses; for programs too."""
    run("play", "klink", "--seed", "7", typed="1\n")
    done = run("why", "klink", "klink-1.record", "hand_on", "to", "C")
    document = json.loads(run("why", "klink", "klink-1.record", "hand_on to C", "--json").output)
    answer = document["specs"][0]["answers"][0]

    assert "  unless q is already asked" in done.output
    assert "KL-4.14" in done.output
    assert (answer["answer"], answer["legal"]) == ("hand_on to C", False)
    assert answer["clauses"] == ["KL-4.9", "KL-4.14", "KL-R7"]
    assert answer["values"] == ["q is C", "already asked is A and C"]


# ---- charts


def test_flow_at_the_prompt() -> None:
    """`flow` shows where the game stands, never the way there; with a file it draws."""
    typed = "flow\nflow a.dot\nflow a\nflow a.xyz\nbet\n"
    done = run("play", "kuhn", "--seed", "2", typed=typed)

    assert "decide  player p: {now} Bet or check?" in done.output
    assert "Drawn in a.dot." in done.output
    assert 'color="#b45309"' in Path("a.dot").read_text()
    assert "Say a file with an ending, as in `flow kuhn.html`." in done.output
    assert "Not drawn: `a.xyz` says no format" in done.output
    assert "gone along" not in done.output


def test_replay_draws_the_game() -> None:
    """`--flow` numbers the arrows that a record went along, to its end or so many steps."""
    path = kuhn("bet", "fold")
    assert run("replay", "kuhn", path, "--flow", "a.txt").exit_code == 0
    assert run("replay", "kuhn", path, "--flow", "b.txt", "--upto", "1").exit_code == 0

    assert "{4} Bet -> 4" in Path("a.txt").read_text()
    assert "{now}" in Path("b.txt").read_text()
    assert "         Bet -> 4" in Path("b.txt").read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--upto", "1"], "`--phase` and `--upto` go with `--flow FILE`"),
        (["--flow", "a.txt", "--seat", "A"], "`--flow` draws"),
        (["--flow", "a"], "is no file with an ending"),
        (["--flow", "a.txt", "--phase", "shodown"], "did you mean `showdown`?"),
    ],
)
def test_replay_refuses_odd_drawings(options: list[str], said: str) -> None:
    """What goes together with nothing is said so, and nothing is written."""
    done = run("replay", "kuhn", kuhn("bet", "fold"), *options)

    assert (done.exit_code, said in done.output) == (2, True)
    assert not Path("a.txt").exists()
