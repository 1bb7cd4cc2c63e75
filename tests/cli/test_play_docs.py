"""Every console block of `docs/play.md` shows what its commands write."""

from pathlib import Path

import pytest

from tests.docs.reading import agrees, blocks, written

PAGE = Path(__file__).parents[2] / "docs" / "play.md"


def test_console_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other in one folder, as a reader would run them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")
    wrong = []
    commands = blocks(PAGE.read_text(encoding="utf-8"))
    for command, shown in commands:
        output = written(command)
        if not agrees(shown, output):
            wrong.append(f"$ {command}\n{output}")

    assert wrong == []
    assert len(commands) == 11
