"""A text as rows: what each of its lines holds, and which block it belongs to.

Nothing is judged here.  A row has the tokens that begin on its line and the comment at its end.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final

from attrs import define, evolve, frozen

from compiler.syntax.tokens import Lexed, Sort

TAB: Final = 4  # a tab fills up to this many columns
_COMMENT: Final = re.compile(r"--[^\n]*")


class Part(Enum):
    """What a line is to the language."""

    HEAD = "head"  # a line of the language begins here
    MORE = "more"  # it goes on here
    COMMENT = "comment"
    BLANK = "blank"


@frozen
class Piece:
    """A token as it is written, and whether a blank stood before it."""

    sort: Sort
    text: str
    spaced: bool


@frozen
class Row:
    """One line of a text.

    `depth` is how many blocks are around it, `column` where its first character stood.  `asks` says
    that it tells answers or what is expected of them: there words may be followed by brackets that
    are no part of them.
    """

    part: Part
    depth: int
    column: int
    pieces: tuple[Piece, ...] = ()
    comment: str = ""
    asks: bool = False

    @property
    def cites(self) -> int:
        """How many citations stand at its end."""
        count = 0
        for piece in reversed(self.pieces):
            if piece.sort is not Sort.CITATION:
                break
            count += 1
        return count


def rows(text: str, found: Sequence[Lexed]) -> tuple[Row, ...]:
    """The rows of a text that ends in a line feed, and has these tokens."""
    lines = text.split("\n")[:-1]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    placed = _placed(found, text)
    made = [_row(line, starts[at], placed.get(at + 1)) for at, line in enumerate(lines)]
    return _with_comments_in_blocks(_asking(made))


@define
class _Line:
    """The tokens that begin on a line."""

    depth: int
    begins: bool
    tokens: list[Lexed]


def _placed(found: Sequence[Lexed], text: str) -> dict[int, _Line]:
    """The tokens by the line on which they begin."""
    placed: dict[int, _Line] = {}
    depth, begins = 0, True
    for token in found:
        match token.sort:
            case Sort.DEEPER:
                depth += 1
            case Sort.BACK:
                depth -= 1
            case Sort.LINE_END:
                begins = True
            case _:
                number = token.first
                line = placed.setdefault(number, _Line(depth, begins, []))
                line.tokens.append(_short(token, text))
                begins = False
    return placed


def _short(token: Lexed, text: str) -> Lexed:
    """A comma takes the line break and the comment behind it with it: those are not its own."""
    if text[token.start] == "," and token.sort is Sort.SIGN:
        return evolve(token, end=token.start + 1)
    return token


def _row(line: str, start: int, placed: _Line | None) -> Row:
    column = len(line.expandtabs(TAB)) - len(line.expandtabs(TAB).lstrip(" "))
    if placed is None:
        said = line.strip()
        return Row(Part.COMMENT if said else Part.BLANK, 0, column, (), _comment(said))
    end = placed.tokens[-1].end - start
    comment = _COMMENT.search(line, end)
    return Row(
        Part.HEAD if placed.begins else Part.MORE,
        placed.depth,
        column,
        tuple(_pieces(line, start, placed.tokens)),
        _comment(comment[0]) if comment else "",
    )


def _pieces(line: str, start: int, found: Sequence[Lexed]) -> Iterator[Piece]:
    before = 0
    for token in found:
        begin, end = token.start - start, token.end - start
        yield Piece(token.sort, line[begin:end], begin > before)
        before = end


def _comment(text: str) -> str:
    """A comment as written, without blanks behind it and with one before its words."""
    said = text.rstrip()
    bare = said.removeprefix("--")
    return f"-- {bare}" if bare and bare[0] not in " -" else said


def _asking(found: Sequence[Row]) -> list[Row]:
    """The rows, with those marked that tell answers or expectations, and what stands below them."""
    marked: list[Row] = []
    around: int | None = None  # the depth of the line under which everything asks
    inside = False
    for row in found:
        if row.part is Part.HEAD:
            if around is not None and row.depth <= around:
                around = None
            words = [piece.text for piece in row.pieces[:2]]
            answers = row.pieces[0].sort is Sort.CODE and words[1:] == [":"]
            inside = answers or words[0] in ("expect", "options") or around is not None
            if words == ["expect", "options"] and around is None:
                around = row.depth
        marked.append(evolve(row, asks=inside))
    return marked


def _with_comments_in_blocks(found: Sequence[Row]) -> tuple[Row, ...]:
    """The rows, with comments in a block: the one whose column they stand in, else the next."""
    placed: list[Row] = []
    below: Row | None = None
    for row in reversed(found):
        if row.part in (Part.HEAD, Part.MORE):
            below = row
        placed.append(row if below is None else evolve(row, depth=below.depth))
    placed.reverse()
    columns: list[int] = []  # where the blocks around the last line begin
    for at, row in enumerate(placed):
        if row.part is Part.HEAD:
            columns[row.depth :] = [row.column]
        elif row.part is Part.COMMENT:
            placed[at] = evolve(row, depth=_depth_of(row, columns))
    return tuple(placed)


def _depth_of(row: Row, columns: Sequence[int]) -> int:
    """How deep a comment belongs: below the line above it as far as it is indented like that."""
    if row.column in columns:
        return max(row.depth, columns.index(row.column)) if row.column else row.depth
    deeper = columns and row.column > columns[-1]
    return max(row.depth, len(columns) - 1) if deeper else row.depth
