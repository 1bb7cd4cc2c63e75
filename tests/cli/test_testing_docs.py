"""Every console block of `docs/testing.md` shows what its commands write."""

import re
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from ruleengine.cli import run
from ruleengine.strategies import GameMachine
from tests.docs.reading import agrees, blocks

PAGE = Path(__file__).parents[2] / "docs" / "testing.md"


def test_console_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """One after the other in one folder, beside the rulebook that the page shows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    page = PAGE.read_text(encoding="utf-8")
    (rules,) = re.findall(r"^```rules\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    Path("bog.rules").write_text(rules, encoding="utf-8")
    wrong = []
    commands = blocks(page)
    for command, shown in commands:
        run(command.split()[1:])
        output = capfd.readouterr().out
        if not agrees(shown, output):
            wrong.append(f"$ {command}\n{output}")

    assert wrong == []
    assert len(commands) == 4


def test_python_blocks() -> None:
    """The property that the page shows holds, and so does its model of a game."""
    page = PAGE.read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for code in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(compile(code, str(PAGE), "exec"), names)
    test, model = names["test_the_heaps_are_empty_in_the_end"], names["Counted"]

    assert callable(test)
    test()
    assert isinstance(model, type)
    assert issubclass(model, GameMachine)
    few = settings(max_examples=10, stateful_step_count=8, deadline=None)
    run_state_machine_as_test(model, settings=few)
