"""The layout of specs: settled, and nothing lost on the way to it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.format.layout import formatted
from compiler.format.rows import Part, rows
from compiler.graph.text import graph_text
from compiler.pipeline import compile_sources
from compiler.source import SourceFile
from compiler.syntax.parse import parse
from compiler.syntax.tokens import Sort, tokens
from compiler.syntax.walk import alike
from ruleengine import library
from ruleengine.rng import CHANCE, Stream, stream

ROOT = Path(__file__).parents[2]
FILES = [
    path
    for folder in ("specs", "tests/language", "tests/knowledge/games", "ruleengine/starter")
    for path in sorted((ROOT / folder).rglob("*.rules"))
]
LARGE = 1000  # characters, from which on a file is left to long runs
SIZED = [
    pytest.param(path, marks=pytest.mark.long if path.stat().st_size > LARGE else ())
    for path in FILES
]
CLASSICS = [path for path in FILES if path.parent.name == "classics"]


def name_of(path: Path) -> str:
    """A file as it is called in the repository."""
    return path.relative_to(ROOT).as_posix()


def read(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")


# ---- what changes


UNTIDY = """\


--Nim with words.
rulebook   little "Little"
  seats 2 .. 2 @LI-1
enum   suit :clubs C,hearts   H
param side:5..12=6 "Side" @LI-2   @LI-3
param n : 0 .. 9 = 3    "Number"
-- readings
ruling ends "When?"
  late "Late" default @LI-R1
    -- a note on the second
  soonest    "Soon"   @LI-R1
  never "Never"



card tile
    value: - 5..n   -- the lowest
    copies 2 where value in [ 1,2 ,
      n - 1 ] and not ( value is - 3 )   -- or more
zone deck : pile of tile , face down
start
  if count( deck )>3   -- many
    move top 2 of deck to box
      -- said below the move
  else
    -- nothing
    end winners [ A,B ]
  -> go_on( n )
phase go_on( k:0..9 )
      end scores[ k,- k ]
scenario "One" @LI-4
    A: bid (3)
    B: take[3]
    expect options bid ( 3 ) or
        take [ 3 ]
"""
TIDY = """\
-- Nim with words.
rulebook little "Little"
    seats 2..2                                                          @LI-1
enum suit: clubs C, hearts H
param side: 5..12 = 6 "Side"                                            @LI-2 @LI-3
param n: 0..9 = 3     "Number"
-- readings
ruling ends "When?"
    late "Late" default                                                 @LI-R1
    -- a note on the second
    soonest "Soon"                                                      @LI-R1
    never   "Never"

card tile
    value: -5..n  -- the lowest
    copies 2 where value in [1, 2,
      n - 1] and not (value is -3)  -- or more
zone deck: pile of tile, face down
start
    if count(deck) > 3  -- many
        move top 2 of deck to box
        -- said below the move
    else
        -- nothing
        end winners [A, B]
    -> go_on(n)
phase go_on(k: 0..9)
    end scores [k, -k]
scenario "One"                                                          @LI-4
    A: bid (3)
    B: take[3]
    expect options bid (3) or
        take [3]
"""


def test_untidy() -> None:
    """Indentation, spaces, columns and blank lines are settled; words and their lines stay."""
    assert formatted(UNTIDY) == TIDY


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_ends_of_lines(ends: str) -> None:
    """However lines ended, they end in a line feed."""
    text = SourceFile("text.rules", UNTIDY.replace("\n", ends)).text

    assert formatted(text) == TIDY


def test_last_line() -> None:
    """A text ends in one line feed, whether its last line had none or many follow."""
    assert formatted(TIDY.rstrip("\n")) == TIDY
    assert formatted(TIDY + "\n\n  \n") == TIDY


def test_only_comments_behind() -> None:
    """What is written behind the last line of the language is kept."""
    assert formatted(TIDY + "\n\n\n  -- The end\n") == TIDY + "\n-- The end\n"


def test_two_minuses() -> None:
    """A minus of a minus does not become a comment."""
    text = "define x = 3 - - -2\n"

    assert formatted(text) == text


# ---- what does not


@pytest.mark.parametrize("path", SIZED, ids=list(map(name_of, FILES)))
def test_nothing_is_lost(path: Path) -> None:
    """A formatted text has the same tree and comments, and is settled."""
    text = read(path)
    once = formatted(text)
    before, _ = parse(SourceFile("before.rules", text))
    after, found = parse(SourceFile("after.rules", once))

    assert [finding.message for finding in found] == []
    assert before is not None
    assert after is not None
    assert alike(before, after)
    assert comments(text) == comments(once)
    assert formatted(once) == once


def comments(text: str) -> list[str]:
    """What stands between tokens, without blanks."""
    found, at = "", 0
    for token in tokens(text if text.endswith("\n") else text + "\n"):
        if token.sort not in (Sort.LINE_END, Sort.DEEPER, Sort.BACK):
            found += text[at : token.start].replace(",", "")
            at = token.end if text[token.start] != "," else token.start + 1
    return (found + text[at:]).replace("--", "\n").split()


def wider(text: str, random: Stream) -> str:
    """More blanks between the tokens of a line."""
    return _between(text, lambda: " " * random.below(4))


def tabbed(text: str, random: Stream) -> str:
    """Tabs between the tokens of a line."""
    return _between(text, lambda: "\t" * random.below(2))


def _between(text: str, more: Callable[[], str]) -> str:
    said, at, line = "", 0, 0
    for token in tokens(text):
        if token.sort in (Sort.LINE_END, Sort.DEEPER, Sort.BACK):
            continue
        gap = text[at : token.start]
        opens = text[token.start] in "([" and not gap
        said += gap if "\n" in gap or token.first != line or opens else gap + more()
        line = token.last
        end = token.start + 1 if text[token.start] == "," else token.end
        said += text[token.start : end]
        at = end
    return said + text[at:]


def narrow(text: str, _random: Stream) -> str:
    """Blocks indented by one blank instead of four."""
    return _indented(text, 1)


def deep(text: str, _random: Stream) -> str:
    """Blocks indented by seven blanks."""
    return _indented(text, 7)


def _indented(text: str, by: int) -> str:
    """Blocks indented otherwise; what goes on a line moves with it."""
    said, moved = [], 0
    for row, line in zip(rows(text, tuple(tokens(text))), text.split("\n"), strict=False):
        if row.part is not Part.MORE:
            moved = row.depth * (by - 4)
        said.append(" " * (row.column + moved) + line.strip() if line else "")
    return "\n".join(said) + "\n"


def ragged(text: str, random: Stream) -> str:
    """Blanks at the ends of lines, and more empty lines where there is one."""
    said = []
    for line in text.splitlines():
        said.append(line + " " * random.below(3))
        if not line.strip():
            said += ["  "] * random.below(3)
    return "\n".join(said) + "\n\n"


def tight(text: str, _random: Stream) -> str:
    """No blanks around signs."""
    said, at, sign = "", 0, False
    for token in tokens(text):
        if token.sort in (Sort.LINE_END, Sort.DEEPER, Sort.BACK):
            continue
        gap = text[at : token.start]
        is_sign = token.sort is Sort.SIGN and text[token.start] in "=<>+*:,"
        said += gap.strip(" ") if (is_sign or sign) and "\n" not in gap else gap
        end = token.start + 1 if text[token.start] == "," else token.end
        said += text[token.start : end]
        at, sign = end, is_sign
    return said + text[at:]


@pytest.mark.parametrize("change", [wider, tabbed, narrow, deep, ragged, tight])
@pytest.mark.parametrize("path", CLASSICS[1::6], ids=name_of)
def test_generated_layouts(path: Path, change: Callable[[str, Stream], str]) -> None:
    """However the blanks of a spec are changed, it is formatted to the same."""
    text = formatted(read(path))
    changed = change(text, stream(7, len(text), CHANCE))

    assert changed != text or change is tabbed
    assert formatted(changed) == text


def graphs(sources: dict[str, str]) -> list[str]:
    """The graphs of specs whose files read as told, by the smallest number of players."""
    found = []
    for name, text in sources.items():
        read = library.read(name)
        assert not isinstance(read, Report)
        base = SourceFile(read.base.name, text)
        spec = compile_sources(type(read)(base, read.prelude, read.catalogue, read.lock))
        assert not isinstance(spec, Report)
        made = spec.instantiate(Configuration())
        assert not isinstance(made, Report)
        found.append(graph_text(made.graph))
    return found


@pytest.mark.parametrize(
    "name", ["tictactoe", "kuhn", "pig", pytest.param("klink", marks=pytest.mark.long)]
)
def test_same_game(name: str) -> None:
    """The graph of a spec is that of the same spec without its layout."""
    read_ = library.read(name)
    assert not isinstance(read_, Report)
    text = read_.base.text
    untidy = wider(narrow(text, stream(1, 1, CHANCE)), stream(1, 2, CHANCE))

    assert untidy != text
    assert graphs({name: formatted(untidy)}) == graphs({name: text})


@pytest.mark.parametrize("above", ["\n", "\n\n", "  \n", "-- C.\n", "\n-- C.\n\n", "\n  -- C.\n"])
@pytest.mark.parametrize("below", ["", "\n", "\n\n  \n", "-- C.", "\n  -- C.\n\n"])
def test_blank_lines_around_a_text(above: str, below: str) -> None:
    """Blank lines in front of all words go away; comments there stay."""
    laid = formatted(f'{above}rulebook r "R"\n    seats 2\nstart\n    end draw\n{below}')

    assert laid.count("-- C.") == (above + below).count("-- C.")
    assert laid[0] != "\n"
    assert formatted(laid) == laid
