"""`demo`: a table of figures, charts, a page; what is wrong is said, and shows in the exit code."""

from pathlib import Path

import pytest

from ruleengine.cli import run

BROKEN = """rulebook broken "Broken"
    seats 1..1
var n: 0..9 = 0
start
    n = 1
    end draw
scenario "One is two"
    expect n is 2
"""


def test_page_and_charts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The page tells of every rulebook named; its folder is made, and said."""
    folder = tmp_path / "new" / "demo"

    assert run(["demo", "kuhn", "tictactoe", "-n", "2", "-j", "1", "-o", str(folder)]) == 0
    out = capfd.readouterr().out
    page = (folder / "report.html").read_text(encoding="utf-8")

    assert "2 of 2" in out
    assert str(folder / "report.html") in out
    assert [name for name in ("id=kuhn ", "id=tictactoe ") if name not in page] == []
    assert (folder / "charts" / "kuhn.svg").read_bytes().startswith(b"<?xml")


def test_scenario_that_fails(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A scenario that does not hold is told by name, the page is written, and 1 returned."""
    spec = tmp_path / "broken.rules"
    spec.write_text(BROKEN, encoding="utf-8")

    assert run(["demo", str(spec), "-n", "1", "-j", "1", "-o", str(tmp_path / "out")]) == 1
    assert 'wrong   broken: broken scenario "One is two"' in capfd.readouterr().out
    assert "failed" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_folder_that_cannot_be_made(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A file where the folder should be is said, as wrong use."""
    taken = tmp_path / "taken"
    taken.write_text("", encoding="utf-8")

    assert run(["demo", "kuhn", "-o", str(taken / "demo")]) == 2
    assert "cannot write" in capfd.readouterr().err


def test_page_that_cannot_be_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What stands in the way of the page is said, as wrong use."""
    (tmp_path / "report.html").mkdir()

    assert run(["demo", "kuhn", "-n", "1", "-j", "1", "-o", str(tmp_path)]) == 2
    assert "cannot write" in capfd.readouterr().err
