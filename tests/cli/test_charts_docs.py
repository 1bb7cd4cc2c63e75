"""Every example of `docs/charts.md` shows what happens."""

import re
from pathlib import Path
from shutil import copytree

import pytest

from tests.docs.reading import agrees, blocks, written

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "charts.md"


def test_console_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands write what stands below them, beside a copy of the rulebook they name."""
    copytree(ROOT / "specs" / "klink", tmp_path / "klink")
    monkeypatch.chdir(tmp_path)
    commands = blocks(PAGE.read_text(encoding="utf-8"))
    wrong = []
    for command, shown in commands:
        output = written(command)
        if not agrees(shown, output):
            wrong.append(f"$ {command}\n{output}")

    assert wrong == []
    assert len(commands) == 11


def test_python_blocks() -> None:
    """What is asserted there holds."""
    found = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    assert len(found) == 2

    exec(compile("".join(found), PAGE.name, "exec"), {})


def test_every_format_is_told() -> None:
    """The page names each ending that `flow` knows."""
    text = PAGE.read_text("utf-8")
    endings = ("svg", "png", "pdf", "html", "dot", "mmd", "json", "txt")

    assert [ending for ending in endings if f"`.{ending}`" not in text] == []
