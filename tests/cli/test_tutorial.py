"""The tutorial, done as it says: each file written, each command run, each answer as shown."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_play_docs import agrees, written

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
_BLOCK = re.compile(r"^```(rules \S+|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def steps(page: str) -> Iterator[tuple[str, str, str]]:
    """What a reader does: `write` a file, or `run` a command, each with its text or its answer."""
    for kind, text in _BLOCK.findall(page):
        if kind == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                yield "run", command, shown
        else:
            yield "write", kind.removeprefix("rules "), text


def test_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other in one folder, as a reader would."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")
    wrong, count = [], 0
    for kind, name, text in steps(PAGE.read_text(encoding="utf-8")):
        if kind == "write":
            (tmp_path / name).write_text(text, encoding="utf-8")
            continue
        count += 1
        output = written(name)
        if not agrees(text, output):
            wrong.append(f"$ {name}\n{output}")

    assert wrong == []
    assert count == 15
