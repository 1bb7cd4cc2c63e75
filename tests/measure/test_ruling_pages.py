"""The tables of rulings in the documentation are those of the rulebooks as they are."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from compiler.config import Configuration
from compiler.pipeline import Spec
from ruleengine.cli import group
from ruleengine.game import open_spec
from ruleengine.measure.rulings import asked_of

RULEBOOKS = ("jinx", "jinxx", "klink", "jinks", "highjinks")
FOLDER = Path(__file__).parents[2] / "docs" / "rulebooks"


def _page(name: str) -> str:
    return (FOLDER / f"{name}-rulings.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_reading_has_its_line(name: str) -> None:
    """No reading of a ruling is forgotten, none is told that is there no more."""
    spec = open_spec(name)
    assert isinstance(spec, Spec)
    lines = re.findall(r"^\| (\w+)[^|]* \| (\w+)[^|]* \| [^|]*\d", _page(name), re.MULTILINE)
    told = {(ruling, reading) for ruling, reading in lines}
    refused = set(re.findall(r"^\| (\w+)[^|]* \| (\w+)[^|]* \| not run", _page(name), re.MULTILINE))

    assert told | refused == {one.setting for one in asked_of(spec, Configuration())}


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_page_says_how_it_was_made(name: str) -> None:
    """The command and its number of games, which the text says too."""
    found = re.search(r"`rulewright rulings (\w+) -n (\d+)`", _page(name))
    assert found is not None

    assert found[1] == name
    assert f"\n{found[2]} random games of " in _page(name)


@pytest.mark.long
@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_page_is_what_its_command_writes(name: str) -> None:
    """Written again, not a figure differs."""
    found = re.search(r"`rulewright (rulings \w+ -n \d+)`", _page(name))
    assert found is not None
    written = CliRunner().invoke(group, [*found[1].split(), "--markdown"])

    assert (written.exit_code, written.stdout) == (0, _page(name))
