"""Rulebooks that break down before or behind their first stop: every command says so, and ends."""

from pathlib import Path

import pytest

from ruleengine.cli import run
from ruleengine.game import load
from ruleengine.leaks.search import find_leaks

HEAD = """rulebook broken "Broken"
    seats 2
card flower
    hue: 1..2
    copies 4
zone deck: pile of flower, face down
zone hand per player: set of flower, face down, seen by holder
die cube: 1..6
var n: 0..9 = 0
start
"""
BROKEN = {
    "taking": """
    shuffle deck
    for p in players
        move top 1 of deck to hand[p]
    A chooses _c in hand[A] "Which?"
    end draw
""",
    "circling": """
    move all of flower to deck
    repeat
        n = 1 - n
    until n > 5
    A chooses _c in hand[A] "Which?"
    end draw
""",
    "asking": """
    A chooses _c in hand[A] "Which?"
    end draw
""",
    "after a die": """
    roll cube
    n = 5 * cube + 5
    A chooses "Which?"
        go "Go"
            end scores [n, 0]
""",
    "after an answer": """
    move all of flower to deck
    A chooses "Which?"
        go "Go"
            repeat
                n = 1 - n
            until n > 5
    end draw
""",
}
COMMANDS = (
    ("test", "--games", "5"),
    ("test", "--games", "5"),  # what broke before is tried first
    ("simulate", "--games", "3"),
    ("explore",),
    ("explore", "--machine", "interpreter"),
    ("explore", "--perft", "3"),
    ("solve",),
    ("leaks",),
    ("coverage", "--games", "3"),
)


@pytest.mark.parametrize("steps", BROKEN.values(), ids=BROKEN)
def test_every_command_ends(
    steps: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Nothing goes on for ever, and nothing is lost in a traceback."""
    monkeypatch.chdir(tmp_path)
    Path("broken.rules").write_text(HEAD + steps.lstrip("\n"), encoding="utf-8")

    for command, *options in COMMANDS:
        assert run([command, "broken.rules", *options]) in (0, 1), command
        assert "Traceback" not in capfd.readouterr().err


def test_no_leak_is_looked_for_twice(tmp_path: Path) -> None:
    """Nothing is drawn before the first stop: a game that breaks down there is begun once."""
    path = tmp_path / "broken.rules"
    path.write_text(HEAD + BROKEN["taking"].lstrip("\n"), encoding="utf-8")
    begun: list[int] = []

    looked = find_leaks(load(path, 2), progress=begun.append)

    assert looked.stops == 0
    assert begun == []
