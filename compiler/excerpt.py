"""Lines of source with marks under them.

    --> klink.rules:12:13
     |
  12 |     draw 2 from dekc
     |                 ^^^^ no zone is called `dekc`

A mark on several lines is drawn under its first and its last. Columns of the screen are not
columns of the file: a tab fills up to four cells, a Chinese character takes two, an accent none,
and a control character is shown by its picture, so that no text can move the terminal's cursor.
"""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import accumulate
from typing import Final, TypeAlias

from attrs import frozen

from compiler.source import SourceFile, Span

TAB_STOP: Final = 4
WIDTH: Final = 100
"""Cells of a source line that are shown; of a longer line, the part around its first mark."""
MARGIN: Final = 20
"""Cells kept before that mark."""
STRETCH: Final = 400
"""Characters of a line that are looked at before and behind that mark."""


class Role(Enum):
    """What a piece of text is for; the value is its look as ANSI terminals number it."""

    ERROR = "1;31"
    WARNING = "1;33"
    NOTE = "1;34"
    GUTTER = "34"
    HELP = "1;36"
    STRONG = "1"
    SOURCE = ""


Paint: TypeAlias = Callable[[str, Role], str]


def plain(text: str, _role: Role) -> str:
    """The text as it is."""
    return text


def ansi(text: str, role: Role) -> str:
    """The text in the look of its role, on a terminal; lines of a file as they are."""
    if role is Role.SOURCE:
        return text
    return f"\x1b[{role.value}m{text}\x1b[0m" if text else ""


@frozen
class Mark:
    """A stretch to underline, and what to say about it (perhaps nothing)."""

    span: Span
    text: str
    role: Role


@frozen
class _Stroke:
    """The part of a mark that lies in one line: characters `start` up to, not including, `end`."""

    line: int
    start: int
    end: int
    mark: Mark
    text: str


def draw(marks: Sequence[Mark], help_text: str, paint: Paint) -> str:
    """The lines that marks stand in, file by file, and a last line of help unless it is empty.

    The first mark is what it is all about, and is drawn with carets; the others with dashes.
    """
    strokes = {mark: _strokes(mark) for mark in marks}
    gutter = max(len(str(stroke.line)) for parts in strokes.values() for stroke in parts)
    margin = " " * gutter
    blank = f"{margin} {paint('|', Role.GUTTER)}"
    rows: list[str] = []
    for file in dict.fromkeys(mark.span.file for mark in marks):
        here = [mark for mark in marks if mark.span.file == file]
        if rows:
            rows.append(blank)
        arrow = ":::" if rows else "-->"
        rows.append(f"{margin}{paint(arrow, Role.GUTTER)} {visible(str(here[0].span))}")
        if file.text:
            rows.append(blank)
            parts = [stroke for mark in here for stroke in strokes[mark]]
            rows.extend(_excerpt(file, parts, marks[0], gutter, paint))
        else:
            rows.extend(_remark(margin, "note", mark.text, paint) for mark in here if mark.text)
    if help_text:
        if marks[-1].span.file.text:
            rows.append(blank)
        rows.append(_remark(margin, "help", help_text, paint))
    return "".join(f"{row}\n" for row in rows)


def _remark(margin: str, kind: str, text: str, paint: Paint) -> str:
    return f"{margin} {paint('=', Role.GUTTER)} {paint(f'{kind}:', Role.HELP)} {visible(text)}"


# --- from a mark to strokes ------------------------------------------------


def _strokes(mark: Mark) -> tuple[_Stroke, ...]:
    """One stroke, or two when the mark spans lines; its text stands at the last."""
    span = _without_closing_newlines(mark.span)
    first, beyond = span.first, span.beyond
    if first.line == beyond.line:
        return (_Stroke(first.line, first.column - 1, beyond.column - 1, mark, mark.text),)
    head, tail = span.file.line(first.line), span.file.line(beyond.line)
    indent = len(tail) - len(tail.lstrip())
    return (
        _Stroke(first.line, first.column - 1, len(head), mark, ""),
        _Stroke(beyond.line, min(indent, beyond.column - 1), beyond.column - 1, mark, mark.text),
    )


def _without_closing_newlines(span: Span) -> Span:
    """The same stretch up to its last visible line; a mark on a line's end stays there."""
    kept = span.text.rstrip("\n")
    return Span(span.file, span.start, span.start + len(kept))


# --- from strokes to rows --------------------------------------------------


def _excerpt(
    file: SourceFile, strokes: Iterable[_Stroke], main: Mark, gutter: int, paint: Paint
) -> Iterator[str]:
    """Each line that is struck, in the order of the file, with its strokes below it."""
    by_line: dict[int, list[_Stroke]] = {}
    for stroke in sorted(strokes, key=lambda stroke: stroke.line):
        by_line.setdefault(stroke.line, []).append(stroke)
    bar = paint("|", Role.GUTTER)
    previous = None
    for number, here in by_line.items():
        if previous is not None and number == previous + 2:
            between = paint(str(_Row.of(file.line(previous + 1), 0)).rstrip(), Role.SOURCE)
            yield f"{paint(str(previous + 1).rjust(gutter), Role.GUTTER)} {bar} {between}".rstrip()
        elif previous is not None and number > previous + 2:
            yield paint("...", Role.GUTTER)
        row = _Row.of(file.line(number), min(stroke.start for stroke in here))
        line = paint(str(row).rstrip(), Role.SOURCE)
        yield f"{paint(str(number).rjust(gutter), Role.GUTTER)} {bar} {line}".rstrip()
        for stroke in here:
            under = row.underline(stroke.start, stroke.end, "^" if stroke.mark is main else "-")
            indent = under[: -len(under.lstrip())]
            tail = f" {visible(stroke.text)}" if stroke.text else ""
            said = paint(f"{under.lstrip()}{tail}", stroke.mark.role)
            yield f"{' ' * gutter} {bar} {indent}{said}"
        previous = number


@frozen
class _Row:
    """A source line on the screen: the cells of each character, and which characters are shown.

    `edges[i]` is the cell where character `i` begins; the last edge is the width of the line.
    Characters are counted from the one at `skipped`: no more than a stretch of a line is looked at.
    """

    characters: tuple[str, ...]
    edges: tuple[int, ...]
    start: int
    end: int
    skipped: int

    @classmethod
    def of(cls, line: str, first_mark: int) -> "_Row":
        """All of a line, or as much as there is room for, around the character `first_mark`."""
        skipped = max(0, first_mark - STRETCH)
        stretch = line[skipped : first_mark + STRETCH]
        characters = tuple(_cells(stretch))
        usual = stretch.isascii() and stretch.isprintable()  # then each takes one cell
        edges = tuple(
            range(len(stretch) + 1) if usual else accumulate(map(_width, characters), initial=0)
        )
        if edges[-1] <= WIDTH:
            return cls(characters, edges, 0, len(characters), skipped)
        left = max(0, min(edges[first_mark - skipped] - MARGIN, edges[-1] - WIDTH))
        start = bisect_left(edges, left)
        end = bisect_right(edges, edges[start] + WIDTH) - 1
        return cls(characters, edges, start, end, skipped)

    def __str__(self) -> str:
        shown = "".join(self.characters[self.start : self.end])
        more = "…" if self.end < len(self.characters) else ""
        return f"{self._lead}{shown}{more}"

    @property
    def _lead(self) -> str:
        return "…" if self.start + self.skipped > 0 else ""

    def underline(self, start: int, end: int, sign: str) -> str:
        """Signs under the characters `start` up to `end`, at least one."""
        left = self.edges[min(max(start - self.skipped, self.start), self.end)]
        right = self.edges[min(max(end - self.skipped, self.start), self.end)]
        return " " * (left - self.edges[self.start] + len(self._lead)) + sign * max(1, right - left)


# --- characters ------------------------------------------------------------


def visible(text: str) -> str:
    """The text with pictures for its control characters."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_picture, text))


def _cells(line: str) -> Iterator[str]:
    """What the screen shows for each character of a line; a tab becomes its spaces."""
    if line.isascii() and line.isprintable():
        yield from line
        return
    column = 0
    for character in line:
        shown = _picture(character)
        if character == "\t":
            shown = " " * (TAB_STOP - column % TAB_STOP)
        column += _width(shown)
        yield shown


def _width(shown: str) -> int:
    return sum(map(_character_width, shown))


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _picture(character: str) -> str:
    if character < " ":
        return chr(0x2400 + ord(character))
    if character == "\x7f":
        return "\u2421"
    turns_direction = unicodedata.bidirectional(character) in _TURNS
    return (
        "\ufffd"
        if turns_direction or unicodedata.category(character) in ("Cc", "Cs")
        else character
    )


_TURNS: Final = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
