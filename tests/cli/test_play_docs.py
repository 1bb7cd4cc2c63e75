"""Every console block of `docs/play.md` shows what its commands write."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from ruleengine.cli import group

PAGE = Path(__file__).parents[2] / "docs" / "play.md"
ANYTHING = "..."


def blocks(page: str) -> list[tuple[str, str]]:
    """The commands of a page, each with what is shown below it."""
    found: list[tuple[str, str]] = []
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def written(command: str) -> str:
    """What a command writes: `rulewright …`, perhaps with lines piped in by `printf`."""
    words = shlex.split(command)
    typed = None
    if words[0] == "printf":
        typed = words[1].replace("\\n", "\n")
        words = words[words.index("|") + 1 :]
    assert words[0] == "rulewright"
    return CliRunner().invoke(group, words[1:], input=typed).output


def agrees(shown: str, output: str) -> bool:
    """Whether output is what is shown.

    `...` stands for any lines, at the end of a line for any words; numbers of lines of specs move.
    """
    pattern = ""
    for line in _unnumbered(shown).splitlines():
        if line == ANYTHING:
            pattern += r"(?:.*\n)*?"
        elif line.endswith(ANYTHING):
            pattern += re.escape(line.removesuffix(ANYTHING)) + r".*\n"
        else:
            pattern += re.escape(line) + r"\n"
    return re.fullmatch(pattern, _unnumbered(output)) is not None


def _unnumbered(text: str) -> str:
    return re.sub(r"(\.rules):\d+", r"\1:N", text)


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


@pytest.mark.parametrize(
    ("shown", "output", "fits"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nb\n", "a\nb\n", True),
        ("a ...\n", "a 12\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n...\nx\n", "a\nb\n", False),
    ],
)
def test_what_dots_stand_for(shown: str, output: str, fits: bool) -> None:
    """Dots stand for what is left out, and for nothing else."""
    assert agrees(shown, output) is fits
