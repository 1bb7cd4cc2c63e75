"""`check --confirm`: what was compared with its rules is remembered by its text."""

import json
from pathlib import Path

import pytest

from ruleengine.cli import run

RULES = """rulebook small "Small"
    clauses "clauses.md"
    seats 2                                                             @SM-1.1
start
    end draw                                                            @SM-1.2
"""
TABLE = """| id | kind | text |
| --- | --- | --- |
| SM-1.1 | M | Two may play. |
| SM-1.2 | M | Everybody wins. |
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A rulebook with a table of clauses."""
    (tmp_path / "clauses.md").write_text(TABLE)
    (tmp_path / "small.rules").write_text(RULES)
    return tmp_path / "small.rules"


def codes(path: Path, capfd: pytest.CaptureFixture[str]) -> list[str]:
    """What a check finds, by code and line."""
    capfd.readouterr()
    run(["check", "--json", str(path)])
    (entry,) = json.loads(capfd.readouterr().out)["specs"]
    return [f"{found['code']} {found['line']}" for found in entry["diagnostics"]]


def test_confirm(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A clause that changes is stale until it is confirmed, and so is no other."""
    assert run(["check", "--confirm", "all", str(path)]) == 0
    assert codes(path, capfd) == []

    table = path.with_name("clauses.md")
    table.write_text(TABLE.replace("Two may", "Two must").replace("Everybody", "Nobody"))
    assert codes(path, capfd) == ["stale-citation 3", "stale-citation 5"]

    assert run(["check", "--confirm", "SM-1.1", str(path)]) == 0
    assert codes(path, capfd) == ["stale-citation 5"]


def test_unknown(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What is no clause cannot be confirmed, nor can anything of a rulebook without a table."""
    assert run(["check", "--confirm", "SM-9.9", str(path)]) == 2
    assert "has no `SM-9.9`" in capfd.readouterr().err
    assert run(["check", "--confirm", "all", "nim"]) == 2
    assert "nim has no table of clauses" in capfd.readouterr().err
