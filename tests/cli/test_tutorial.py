"""The tutorial, done as it says: each file written, each command run, each answer as shown."""

from pathlib import Path

import pytest

from tests.docs.reading import ROOT, blocks, disagreements

PAGE = ROOT / "docs" / "tutorial.md"


def test_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other in one folder, as a reader would."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")

    assert disagreements(PAGE, tmp_path) == []
    assert len(blocks(PAGE.read_text(encoding="utf-8"))) == 16
