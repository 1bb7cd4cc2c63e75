"""Coloured pieces of rules: nothing is lost, words are keywords where they are read as such."""

import pytest

from compiler.excerpt import Role
from compiler.highlight import Block, Look, Piece, listing, lit
from compiler.source import SourceFile, SourceSet
from ruleengine import library
from tests.specs.shipped import ALL

RULES = """\
-- A comment.
rulebook tiny "Tiny"  -- another
    seats 2..2   @T-1.1

card card "A word that is a name where it stands second"
    value: 1..3,
        4
start
    if count(deck) < 2
        or 1 > 2
        end draw
    end draw
"""


def test_nothing_is_lost() -> None:
    """The pieces of all lines are the text."""
    lines = listing(SourceFile("tiny.rules", RULES)).lines
    assert "".join("".join(p.text for p in line) + "\n" for line in lines) == RULES


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_lost_of_shipped_rulebooks(name: str) -> None:
    """The same holds for every shipped rulebook and its scenarios."""
    sources = library.read(name)
    assert isinstance(sources, SourceSet)
    for source in (sources.base, *sources.scenarios):
        lines = listing(source).lines
        shown = "\n".join("".join(piece.text for piece in line) for line in lines)
        assert shown.rstrip("\n") == source.text.rstrip("\n")


def test_looks() -> None:
    """A keyword, a string, a comment, a citation; a keyword in the place of a name is a name."""
    lines = listing(SourceFile("tiny.rules", RULES)).lines
    assert lines[0] == (Piece("-- A comment.", Look.COMMENT),)
    assert lines[1] == (
        Piece("rulebook", Look.KEYWORD),
        Piece(" tiny ", Look.PLAIN),
        Piece('"Tiny"', Look.STRING),
        Piece("  ", Look.PLAIN),
        Piece("-- another", Look.COMMENT),
    )
    assert lines[2][-1] == Piece("@T-1.1", Look.CITATION)
    assert lines[4][:2] == (Piece("card", Look.KEYWORD), Piece(" card ", Look.PLAIN))


def test_blocks() -> None:
    """A line has below it what is deeper; a line that goes on is one with what it goes on."""
    found = listing(SourceFile("tiny.rules", RULES))
    assert found.block_at(2) == Block(2, 2, 3)
    assert found.block_at(5) == Block(5, 5, 7)
    assert found.block_at(7) == Block(6, 7, 7)
    assert found.block_at(8) == Block(8, 8, 12)
    assert found.block_at(10) == Block(9, 10, 11)
    assert found.block_at(4) == Block(4, 4, 4)


def test_on_a_terminal() -> None:
    """A line of a spec shows its keywords, codes and titles; what is no such line has one look."""
    line = 'roll cube "Roll" @EX-1.1'

    assert lit(line, Role.SOURCE) == (
        '\x1b[35mroll\x1b[0m cube \x1b[32m"Roll"\x1b[0m \x1b[34m@EX-1.1\x1b[0m'
    )
    assert lit(line, Role.ERROR) == f"\x1b[1;31m{line}\x1b[0m"


@pytest.mark.parametrize("name", ["tictactoe", "kuhn"])
def test_a_terminal_shows_all_of_a_line(name: str) -> None:
    """Without its colours every line, and every part of one, is the line."""
    sources = library.read(name)
    assert isinstance(sources, SourceSet)

    for line in sources.base.text.splitlines():
        for cut in (line, line[3:], line[:-3]):
            painted = lit(cut, Role.SOURCE).split("\x1b[")
            plain = painted[0] + "".join(part.partition("m")[2] for part in painted[1:])
            assert plain == cut
