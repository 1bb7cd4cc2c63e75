"""The language in other people's tools: every text coloured, nothing lost, nothing in error."""

from pathlib import Path

import pytest
from pygments import highlight
from pygments.formatters import NullFormatter
from pygments.token import Comment, Error, Keyword, Name, Number, String

from compiler.pygments_lexer import RulesLexer
from compiler.syntax.tokens import Sort, tokens

ROOT = Path(__file__).parents[2]
FILES = [
    path
    for folder in ("specs", "tests/language")
    for path in sorted((ROOT / folder).rglob("*.rules"))
    if path.stat().st_size < 6000
]
BROKEN = [*sorted((ROOT / "tests/errors/syntax").glob("*.rules"))]


@pytest.mark.parametrize(
    "path", [*FILES, *BROKEN], ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_text_is_kept(path: Path) -> None:
    """The pieces of a file are the file, and none is an error, also where the file has mistakes."""
    text = path.read_text(encoding="utf-8")
    found = list(RulesLexer(stripnl=False, ensurenl=False).get_tokens(text))

    assert "".join(said for _, said in found) == text
    assert [said for kind, said in found if kind in Error] == []


@pytest.mark.parametrize("path", FILES[::4], ids=lambda path: path.stem)
def test_keywords(path: Path) -> None:
    """Words are keywords where the language reads them so."""
    text = path.read_text(encoding="utf-8")
    shown = [said for kind, said in RulesLexer().get_tokens(text) if kind is Keyword]

    assert shown == [text[t.start : t.end] for t in tokens(text) if t.sort is Sort.KEYWORD]


@pytest.mark.parametrize("sign", ["", "€"], ids=["sound", "with a mistake"])
def test_looks(sign: str) -> None:
    """Each kind of word has a look of its own, also beside a sign that belongs nowhere."""
    text = f'zone deck: pile of num, holds 3 "The deck" @KL-1.1  -- {sign}\nnote "A" {sign}\n'
    text = text.replace("zone", "enum a: b C\nzone")
    found = {said: kind for kind, said in RulesLexer().get_tokens(text)}

    assert found["zone"] is Keyword
    assert found["C"] is Name.Constant
    assert found["3"] is Number.Integer
    assert found['"The deck"'] is String.Double
    assert found["@KL-1.1"] is Name.Decorator
    assert found[f"-- {sign}".rstrip() + ("" if sign else " ")] is Comment.Single


def test_any_tool_can_write_it() -> None:
    """Pygments' own writers take it."""
    assert (
        highlight("start\n    end draw\n", RulesLexer(), NullFormatter()) == "start\n    end draw\n"
    )


def test_entry_point() -> None:
    """Pygments is told where to find it."""
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")

    assert 'rules = "compiler.pygments_lexer:RulesLexer"' in declared
