"""Lines of a screen and what each is for; a page of them; words laid out in a given width."""

from collections.abc import Iterable, Sequence
from enum import Enum
from textwrap import wrap

from attrs import frozen

GAP = 2
"""Blanks between things that stand side by side."""


class Look(Enum):
    """What a line is for: terminals may colour it, pipes show it as it is."""

    PLAIN = "plain"
    TITLE = "title"
    HAPPENED = "happened"
    TABLE = "table"
    ASKED = "asked"
    OPTION = "option"
    NOTE = "note"
    WRONG = "wrong"


@frozen
class Line:
    """One line of text, without colours and without a line end."""

    text: str
    look: Look = Look.PLAIN


@frozen
class Page:
    """What is shown next; `fresh` if nothing that stood there before may be seen any more."""

    lines: tuple[Line, ...] = ()
    fresh: bool = False

    @property
    def text(self) -> str:
        """All lines as they are, each with its end."""
        return "".join(f"{line.text}\n" for line in self.lines)


def lines(look: Look, texts: Iterable[str]) -> tuple[Line, ...]:
    """Texts as lines that are all for the same."""
    return tuple(Line(text, look) for text in texts)


def paragraph(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """A text in lines of at most `width`: the first begins with `first`, the others with `rest`."""
    found = wrap(
        text,
        max(width, len(rest) + 10),
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
    )
    return found or [first.rstrip()]


def row(label: str, words: Sequence[str], width: int, indent: int, column: int) -> list[str]:
    """A label, then words that are never broken, from column `column` on."""
    line = f"{' ' * indent}{label}".ljust(column)
    found = []
    for word in words:
        if len(line) > column and len(line) + len(word) > width:
            found.append(line.rstrip())
            line = " " * column
        line += word + " " * GAP
    return [*found, line.rstrip()]


def columns(entries: Sequence[str], width: int, indent: int) -> list[str]:
    """Short entries in columns, read line by line; long ones each on a line of its own."""
    longest = max(map(len, entries), default=0) + GAP
    across = max(1, (width - indent + GAP) // longest)
    found = []
    for start in range(0, len(entries), across):
        cells = (entry.ljust(longest) for entry in entries[start : start + across])
        found.append((" " * indent + "".join(cells)).rstrip())
    return found


def counted(words: Sequence[str], least: int = 4) -> list[str]:
    """Words with runs of at least so many equal ones told as a number: `[?] ×61`."""
    found: list[str] = []
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and words[end] == words[at]:
            end += 1
        run = end - at
        found += [f"{words[at]} ×{run}"] if run >= least else [words[at]] * run
        at = end
    return found
