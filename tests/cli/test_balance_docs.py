"""Every console block of `docs/balance.md` shows what its commands write."""

from pathlib import Path

import pytest

from tests.docs.reading import blocks, disagreements

PAGE = Path(__file__).parents[2] / "docs" / "balance.md"


def test_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are written and commands typed one after the other in one folder, as a reader would."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")

    assert disagreements(PAGE, tmp_path) == []
    assert len(blocks(PAGE.read_text(encoding="utf-8"))) == 6
