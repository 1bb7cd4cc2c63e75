"""The page on adding to the language: what it runs holds, what it quotes stands in the code."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.docs.reading import ROOT, Block, agrees, blocks, fenced, written

PAGE: Final = ROOT / "docs" / "extending.md"
TEXT: Final = PAGE.read_text(encoding="utf-8")
QUOTES: Final = [block for block in fenced(TEXT) if block.title and "/" in block.title]


@pytest.mark.parametrize("quote", QUOTES, ids=lambda quote: quote.text.split("\n")[0])
def test_quotes(quote: Block) -> None:
    """The lines stand in the file so, one behind the other."""
    assert quote.title is not None
    assert quote.text in (ROOT / quote.title).read_text(encoding="utf-8")


def test_there_are_quotes() -> None:
    """Each rung of the ladder shows what it is made of."""
    assert len(QUOTES) == 9


def test_files_that_are_named() -> None:
    """Every file that the page sends its readers to is there."""
    named = re.findall(r"`((?:compiler|tests)/[\w/.]+)`", TEXT)

    assert [name for name in named if not (ROOT / name).exists()] == []
    assert len(named) > 10


def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules that the page shows are run, and hold."""
    monkeypatch.chdir(tmp_path)
    (rules,) = (block for block in fenced(TEXT) if block.title == "triads.rules")
    Path("triads.rules").write_text(rules.text, encoding="utf-8")
    ((command, shown),) = blocks(TEXT)

    assert agrees(shown, written(command))
