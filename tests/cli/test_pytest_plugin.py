"""`pytest FOLDER` runs the rules in it."""

import subprocess
import sys
from pathlib import Path

import pytest

from ruleengine.pytest_plugin.collecting import brought
from tests.engine.games import COUNTER, UNFAIR, written
from tests.engine.test_testing import TOLD

ROOT = Path(__file__).parents[2]
WRONG = 'rulebook wrong "Wrong"\n    seats 2..2\nstart\n    x = 1\n'


def _pytest(folder: Path, *words: str, of: str = ".") -> str:
    """What pytest writes about a folder or file, the package's own settings left out."""
    command = [sys.executable, "-m", "pytest", "-p", "ruleengine.pytest_plugin", *words, of]
    done = subprocess.run(
        command,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two rulebooks, scenarios of one of them, and a file that does not compile."""
    for text in (COUNTER, UNFAIR, WRONG):
        written(tmp_path, text)
    (tmp_path / "counter-scenarios.rules").write_text(TOLD, encoding="utf-8")
    return tmp_path


def test_every_file_is_collected(folder: Path) -> None:
    """A test per scenario, law and invariant; failures tell lines of specs, none of ours.

    Run again with `--lf` only what failed is run, and the play that broke is known.
    """
    said = _pytest(folder, "-v")

    assert "counter-scenarios.rules::scenario: Two and two PASSED" in said
    assert "counter-scenarios.rules::scenario: A mistake FAILED" in said
    assert "counter.rules::law: no token is lost or made PASSED" in said
    assert "counter.rules::invariant: Nobody takes what is not there PASSED" in said
    assert "unfair.rules:14:5: unfair invariant" in said
    assert "  | count < 2\n" in said
    assert "    2  A: more\n" in said
    assert "wrong.rules::check FAILED" in said
    assert ".py:" not in said
    assert "4 failed, 23 passed" in said
    assert len(list((folder / ".rulewright" / "found").glob("*.record"))) == 2

    again = _pytest(folder, "--lf", "-x", "-k", "Counts")
    assert "1 failed" in again


def test_a_rulebook_brings_along_its_scenarios(folder: Path) -> None:
    """Whoever names a rulebook can pick its scenarios, though they stand in a file beside it."""
    said = _pytest(folder, "--collect-only", "-q", "-k", "scenario", of="counter.rules")

    assert [line for line in said.splitlines() if "::" in line] == [
        "counter-scenarios.rules::scenario: Two and two",
        "counter-scenarios.rules::scenario: A mistake",
    ]


def test_what_is_named_twice_is_brought_once(folder: Path) -> None:
    """Scenarios that are named themselves, or whose folder is, come by themselves."""
    rulebook, told = folder / "counter.rules", folder / "counter-scenarios.rules"

    assert list(brought([rulebook])) == [told]
    assert list(brought([rulebook, rulebook])) == [told]
    assert list(brought([told, rulebook])) == []
    assert list(brought([folder, rulebook])) == []


@pytest.mark.long
def test_several_processes(folder: Path) -> None:
    """With pytest-xdist the same tests come out the same."""
    assert "3 failed, 24 passed" in _pytest(folder, "-n", "2", "--dist", "loadfile")
