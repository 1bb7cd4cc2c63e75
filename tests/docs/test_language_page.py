"""The page on the language: its examples run, and leave no word of the language out."""

import re
from pathlib import Path
from typing import Final

import pytest

from compiler.resolve.vocabulary import OPERATORS
from compiler.syntax.words import ALWAYS_WORDS, LINE_WORDS, PAIRS
from tests.docs.reading import ROOT, disagreements, fenced

PAGE: Final = ROOT / "docs" / "language.md"


def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every example is a rulebook whose scenarios come out."""
    monkeypatch.chdir(tmp_path)

    assert disagreements(PAGE, tmp_path) == []


@pytest.mark.parametrize("words", [LINE_WORDS, ALWAYS_WORDS, PAIRS, OPERATORS], ids=len)
def test_every_word_occurs_in_an_example(words: frozenset[str]) -> None:
    """Each keyword and each operator that is called by name is shown in its place."""
    page = PAGE.read_text(encoding="utf-8")
    rules = [block.text for block in fenced(page) if (block.title or "").endswith(".rules")]
    bare = re.sub(r'--.*|"[^"]*"', "", "\n".join(rules))

    assert sorted(set(words) - set(re.findall(r"[a-z_]+", bare))) == []
