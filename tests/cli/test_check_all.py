"""`check --all`: every error of form of a file, however many there are."""

from pathlib import Path

import pytest

from compiler.syntax.parse import MAX_ERRORS
from ruleengine.cli import run

MANY = 60


def test_all_are_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Without it the first are told, and how to see the rest; with it each is, once."""
    path = tmp_path / "many.rules"
    lines = "".join(f"    n == {number}\n" for number in range(MANY))
    path.write_text(f'rulebook many "Many"\n    seats 2\nstart\n{lines}    end draw\n', "utf-8")

    assert run(["check", str(path)]) == 1
    first = capfd.readouterr().out
    assert run(["check", str(path), "--all"]) == 1
    every = capfd.readouterr().out

    assert first.count("error[") == MAX_ERRORS
    assert "`--all` tells those below, too" in first.splitlines()[-1]
    assert every.count("error[") == MANY
    assert "rest-unread" not in every
    assert every.splitlines()[-1].endswith(f"{MANY} errors")
