"""The page on exploring does as it says."""

from pathlib import Path

import pytest

from tests.docs.reading import ROOT, disagreements


def test_exploring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands and programs of the page answer as shown."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    assert disagreements(ROOT / "docs" / "exploring.md", tmp_path) == []
