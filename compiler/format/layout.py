"""The layout of a whole text.

A block is indented by four spaces.  A line that goes on keeps its distance to the one it goes on
from.  Citations stand in one column; titles of readings and of constants in a row stand below each
other.  Lines are never broken and never joined.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import frozen

from compiler.diagnostic import InternalError, Report
from compiler.format.rows import Part, Row, rows
from compiler.format.spacing import spaced
from compiler.source import SourceFile
from compiler.syntax.parse import parse
from compiler.syntax.tokens import Lexed, Sort, tokens

INDENT: Final = 4
CITATIONS: Final = 72  # the column in which citations begin, counted from 0
COMMENTS: Final = 2  # blanks between a line and its comment
_UNSEEN: Final = frozenset({Sort.LINE_END})
_CONSTANTS: Final = frozenset({"param", "given"})
_OPEN_QUESTIONS: Final = frozenset({"ruling", "gap"})


def laid_out(source: SourceFile) -> str | Report:
    """A file in the layout of the language, or what is wrong with its form."""
    _, found = parse(source)
    return found if found.has_errors else formatted(source.text)


def formatted(text: str) -> str:
    """A text in the layout of the language; it must be one that can be read without errors.

    Its tokens are those of the text; what is formatted already comes back as it is.
    """
    whole = text if text.endswith("\n") else text + "\n"
    found = tuple(tokens(whole))
    lines = _with_comments(tuple(_laid(rows(whole, found))))
    laid = "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"
    if laid != whole and _words(laid, tokens(laid)) != _words(whole, found):
        raise InternalError("formatting keeps every word of a text")
    return laid


def _words(text: str, found: Iterable[Lexed]) -> list[tuple[Sort, str]]:
    """What is read of a text with these tokens: their words, line breaks and blocks among them.

    The end of a line above the first word is none of that.
    """
    words: list[tuple[Sort, str]] = []
    for token in found:
        if token.sort in _UNSEEN and not words:
            continue
        said = "" if token.sort in _UNSEEN else text[token.start : token.end]
        words.append((token.sort, "," if said.startswith(",") else said.strip()))
    return words


@frozen
class _Line:
    """A line as it will stand, its comment apart."""

    text: str
    comment: str = ""


def _laid(found: Sequence[Row]) -> Iterator[_Line]:
    titles = _title_columns(found)
    head = Row(Part.HEAD, 0, 0)
    above = Part.BLANK  # no blank line at the beginning
    for at, row in enumerate(found):
        if row.part is Part.HEAD:
            head = row
        if row.part is not Part.BLANK or above is not Part.BLANK:
            yield _line(row, head, titles.get(at))
        above = row.part


def _line(row: Row, head: Row, title: int | None) -> _Line:
    margin = " " * _margin(row, head)
    if row.part is Part.COMMENT:
        return _Line(margin + row.comment)
    if row.part is Part.BLANK:
        return _Line("")
    return _Line(margin + _with_citations(row, title, len(margin)), row.comment)


def _with_comments(lines: Sequence[_Line]) -> Iterator[str]:
    """The lines; comments at the ends of lines that follow each other begin in one column."""
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].comment:
            end += 1
        column = max((len(line.text) for line in lines[at:end]), default=0) + COMMENTS
        yield from (line.text.ljust(column) + line.comment for line in lines[at:end])
        if end < len(lines):
            yield lines[end].text
        at = end + 1


def _margin(row: Row, head: Row) -> int:
    """How far a row is indented."""
    if row.part is not Part.MORE:
        return INDENT * row.depth
    return INDENT * head.depth + max(1, row.column - head.column)


def _with_citations(row: Row, title: int | None, margin: int) -> str:
    """The words of a row, its title and its citations each in its column."""
    body = row.pieces[: len(row.pieces) - row.cites]
    cites = row.pieces[len(body) :]
    text = spaced(body, row.asks)
    if title is not None:
        at = _title_at(row)
        before = spaced(body[:at], row.asks)
        text = f"{before.ljust(title - margin)} {spaced(body[at:], row.asks)}"
    if not cites:
        return text
    cited = " ".join(piece.text for piece in cites)
    gap = max(CITATIONS - margin, len(text) + 1 if text else 0)
    return text.ljust(gap) + cited


# ---- titles below each other


@frozen
class _Titled:
    """A row whose title belongs in a column: what it stands in a row with, and how wide it is."""

    kind: tuple[str, int]
    width: int


def _title_columns(found: Sequence[Row]) -> dict[int, int]:
    """The columns of titles, by the rows that have one of their own."""
    columns: dict[int, int] = {}
    run: list[tuple[int, _Titled]] = []
    for at, titled in [*enumerate(_titled(found)), (len(found), None)]:
        if run and (titled is None or titled.kind != run[-1][1].kind):
            widest = max(row.width for _, row in run)
            columns.update((place, widest) for place, _ in run)
            run = []
        if titled is not None:
            run.append((at, titled))
    return columns


def _titled(found: Sequence[Row]) -> Iterator[_Titled | None]:
    heads: list[str] = []  # the first words of the lines around
    for at, row in enumerate(found):
        if row.part is not Part.HEAD:
            yield None
            continue
        first = row.pieces[0].text
        heads[row.depth :] = [first]
        goes_on = at + 1 < len(found) and found[at + 1].part is Part.MORE
        reading = row.depth > 0 and heads[row.depth - 1] in _OPEN_QUESTIONS
        kind = "reading" if reading else "constant" if first in _CONSTANTS else ""
        title = _title_at(row)
        if not kind or goes_on or title >= len(row.pieces):
            yield None
            continue
        before = spaced(row.pieces[:title], row.asks)
        yield _Titled((kind, row.depth), INDENT * row.depth + len(before))


def _title_at(row: Row) -> int:
    """The place of a row's title among its pieces; behind them if it has none."""
    places = (at for at, piece in enumerate(row.pieces) if piece.sort is Sort.STRING)
    return next(places, len(row.pieces))
