"""The guides, done as they say: files written, commands typed, programs run, answers as shown."""

from pathlib import Path
from shutil import copytree
from typing import Final

import pytest

from tests.docs.reading import ROOT, disagreements

LONG: Final = {
    "lawyers": (
        "rulewright check",
        "rulewright coverage",
        "rulewright rulings",
        "rulewright test mine",
    )
}
"""What takes seconds by itself, and is left to the long run."""


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as a reader has it who downloaded the project, to work in."""
    copytree(ROOT / "specs" / "klink", tmp_path / "specs" / "klink")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.mark.parametrize("name", ["adapters", "cookbook", "lawyers"])
def test_a_guide(name: str, clone: Path) -> None:
    """Everything on the page but what takes long."""
    assert disagreements(ROOT / "docs" / f"{name}.md", clone, LONG.get(name, ())) == []


@pytest.mark.long
@pytest.mark.parametrize("name", LONG)
def test_a_whole_guide(name: str, clone: Path) -> None:
    """Everything on the page."""
    assert disagreements(ROOT / "docs" / f"{name}.md", clone) == []
