"""The house rules of `docs/variants.md` are written, checked, drawn, tested and measured."""

import re
from pathlib import Path

import pytest

from compiler.pipeline import Spec
from ruleengine.game import open_spec
from tests.docs.reading import agrees, blocks, written

PAGE = Path(__file__).parents[2] / "docs" / "variants.md"
SECTIONS = [
    part
    for part in re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if "```rules" in part
]


def _rules(section: str) -> list[str]:
    return re.findall(r"^```rules\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def _heading(text: str) -> tuple[str, str]:
    """The file that a text belongs into, and which rulebook it is about."""
    variant = re.match(r'variant (\w+) "[^"]*" of (\w+)', text)
    if variant is not None:
        return f"{variant[1]}.rules", variant[2]
    return f"{text.split()[2]}-scenarios.rules", ""


QUICK = re.compile(r"rulewright (check|diff .* -o .*\.svg$)")
"""What takes no time worth speaking of."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "72")
    return tmp_path


def _wrong(section: str, commands: re.Pattern[str]) -> list[str]:
    """What is not as the page says, of some commands."""
    for text in _rules(section):
        Path(_heading(text)[0]).write_text(text, encoding="utf-8")
    wrong = []
    for command, shown in blocks(section):
        if commands.match(command):
            output = written(command)
            if not agrees(shown, output):
                wrong.append(f"$ {command}\n{output}")
    return wrong


@pytest.mark.parametrize(
    "section",
    [one for one in SECTIONS if one.startswith(("Jinx:", "Jinxx:"))],
    ids=lambda section: section.partition(":")[0],
)
def test_a_house_rule_is_checked_and_drawn(section: str, folder: Path) -> None:
    """What a reader does first, in an empty folder."""
    assert _wrong(section, QUICK) == []
    drawn = {path.name for path in folder.glob("*.svg")}
    assert drawn == {str(name) for name in re.findall(r"-o (\S+\.svg)", section)}


@pytest.mark.long
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.partition(":")[0])
def test_a_house_rule(section: str, folder: Path) -> None:
    """One rulebook after the other, in an empty folder, as a reader would do it."""
    assert _wrong(section, re.compile("")) == []
    assert any(path.suffix in (".svg", ".html") for path in folder.iterdir())


def test_every_rulebook_has_one_of_six_lines_at_most() -> None:
    """Five rulebooks, five house rules, none longer than six lines."""
    texts = [text for section in SECTIONS for text in _rules(section)]
    variants = {_heading(text)[1]: text.count("\n") for text in texts if _heading(text)[1]}

    assert set(variants) == {"jinks", "highjinks", "klink", "jinx", "jinxx"}
    assert max(variants.values()) <= 6


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.partition(":")[0])
def test_a_house_rule_compiles(section: str, tmp_path: Path) -> None:
    """Each variant of the page, with its scenarios beside it, fits its rulebook."""
    for text in _rules(section):
        (tmp_path / _heading(text)[0]).write_text(text, encoding="utf-8")
    name = _heading(_rules(section)[0])[0]

    assert isinstance(open_spec(str(tmp_path / name)), Spec)
