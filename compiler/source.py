"""Source files and places in them.

A place is a pair of offsets into a text; lines and columns are looked up when somebody asks.
Lines and columns count from 1, and a column counts characters, not bytes and not screen cells.
This module knows nothing of the language and nothing of errors: a file that cannot be read comes
back as a value that says why.
"""

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Self

from attrs import field, frozen


@frozen(order=True)
class Position:
    """A place as people count it: line 1, column 1 is the first character of a file."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


def _with_unix_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@frozen
class SourceFile:
    """A text with a name to show people; its lines end in a line feed, whatever they ended in."""

    name: str
    text: str = field(converter=_with_unix_newlines, repr=False)

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        return (0, *(found.end() for found in re.finditer("\n", self.text)))

    @classmethod
    def read(cls, path: Path, name: str | None = None) -> "SourceFile | Unreadable":
        """The file at `path`, called `name`, or what stands in the way.

        A byte order mark is dropped.
        """
        shown = path.as_posix() if name is None else name
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return Unreadable.file(shown, Obstacle.MISSING)
        except IsADirectoryError:
            return Unreadable.file(shown, Obstacle.FOLDER)
        except (OSError, ValueError):  # the latter for a name that no file can have
            return Unreadable.file(shown, Obstacle.REFUSED)
        return cls.decode(shown, data)

    @classmethod
    def decode(cls, name: str, data: bytes) -> "SourceFile | Unreadable":
        """The text that UTF-8 bytes spell, or the first place where they spell none."""
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return Unreadable.file(name, Obstacle.UTF_16)
        body = data.removeprefix(codecs.BOM_UTF8)
        try:
            return cls(name, body.decode("utf-8"))
        except UnicodeDecodeError as error:
            shown = cls(name, body.decode("utf-8", errors="replace"))
            at = len(_with_unix_newlines(body[: error.start].decode("utf-8")))
            return Unreadable(Span(shown, at, at + 1), Obstacle.NOT_UTF_8)

    @property
    def line_count(self) -> int:
        """Number of lines; the one after a closing line feed counts, as in an editor."""
        return len(self._line_starts)

    def line(self, number: int) -> str:
        """The text of a line, without its line feed."""
        start = self._line_starts[number - 1]
        end = self._line_starts[number] - 1 if number < self.line_count else len(self.text)
        return self.text[start:end]

    def position(self, offset: int) -> Position:
        """Line and column of an offset; the end of the text has a position too."""
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def offset(self, position: Position) -> int:
        """The offset at a position: the inverse of `position`."""
        return self._line_starts[position.line - 1] + position.column - 1

    def span(self, start: int, end: int) -> "Span":
        """The characters from offset `start` up to, not including, offset `end`."""
        return Span(self, start, end)


@frozen
class Span:
    """A stretch of one file, from offset `start` up to, not including, `end`; it may be empty."""

    file: SourceFile
    start: int
    end: int

    def __attrs_post_init__(self) -> None:
        if not 0 <= self.start <= self.end <= len(self.file.text):
            raise ValueError(f"no stretch {self.start}..{self.end} in {self.file.name}")

    def __str__(self) -> str:
        return f"{self.file.name}:{self.first}"

    @property
    def text(self) -> str:
        """What stands there."""
        return self.file.text[self.start : self.end]

    @property
    def first(self) -> Position:
        """Where it begins."""
        return self.file.position(self.start)

    @property
    def beyond(self) -> Position:
        """Where it has ended: the position after its last character."""
        return self.file.position(self.end)

    @property
    def after(self) -> Self:
        """The empty stretch behind it, where something missing should have stood."""
        return type(self)(self.file, self.end, self.end)

    def join(self, other: Self) -> Self:
        """The shortest stretch that holds both; `ValueError` when they lie in different files."""
        if self.file != other.file:
            raise ValueError(f"{self} and {other} lie in different files")
        return type(self)(self.file, min(self.start, other.start), max(self.end, other.end))


class Obstacle(Enum):
    """Why a file has no text for us; the value says it to people."""

    MISSING = "there is no such file"
    FOLDER = "it is a folder"
    REFUSED = "the system refuses to open it"
    UTF_16 = "it is encoded as UTF-16"
    NOT_UTF_8 = "this byte belongs to no UTF-8 character"


@frozen
class Unreadable:
    """A file that could not be read: where it broke off (its beginning, if at once), and why."""

    span: Span
    obstacle: Obstacle

    @classmethod
    def file(cls, name: str, obstacle: Obstacle) -> Self:
        """A file of which nothing could be read."""
        return cls(Span(SourceFile(name, ""), 0, 0), obstacle)


@frozen
class SourceSet:
    """Everything one compilation reads: a rulebook, what it stands on, and what is laid over it.

    `variants` are stacked in order, the first nearest to the rulebook. `catalogue` is the table of
    clauses and `lock` the hashes confirmed for them; a rulebook that cites no clauses has neither.
    `tables` are further tables of clauses, such as variants bring.  `astray` are files of scenarios
    that seem to be meant for it and name something else: they are not played.
    """

    base: SourceFile
    prelude: SourceFile
    catalogue: SourceFile | None = None
    lock: SourceFile | None = None
    variants: tuple[SourceFile, ...] = ()
    scenarios: tuple[SourceFile, ...] = ()
    tables: tuple[SourceFile, ...] = ()
    astray: tuple[SourceFile, ...] = ()

    def __iter__(self) -> Iterator[SourceFile]:
        """Every file that is played, in the order in which they are read."""
        yield self.prelude
        if self.catalogue is not None:
            yield self.catalogue
        if self.lock is not None:
            yield self.lock
        yield from self.tables
        yield self.base
        yield from self.variants
        yield from self.scenarios
