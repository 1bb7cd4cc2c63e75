"""Text on drawings: letters that every renderer has, lines of even length, short clause ids."""

import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from compiler.flowchart.model import Chart

_LETTERS = {
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{MINUS SIGN}": "-",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{BULLET}": "-",
    "\N{RIGHTWARDS ARROW}": "->",
    "\N{LEFTWARDS ARROW}": "<-",
    "\N{GREATER-THAN OR EQUAL TO}": ">=",
    "\N{LESS-THAN OR EQUAL TO}": "<=",
    "\N{NOT EQUAL TO}": "<>",
    "\N{EURO SIGN}": "EUR",
}


def latin(text: str) -> str:
    """The text in Latin-1: other letters without their marks, else `?`."""
    if text.isascii() and text.isprintable():
        return text
    kept: list[str] = []
    for letter in text:
        if letter in _LETTERS:
            kept.append(_LETTERS[letter])
        elif letter.isprintable() and ord(letter) < 256:
            kept.append(letter)
        elif letter.isspace():
            kept.append(" ")
        else:
            plain = unicodedata.normalize("NFKD", letter)[:1]
            kept.append(plain if plain.isascii() and plain.isprintable() else "?")
    return "".join(kept)


def wrapped(text: str, letters: int) -> list[str]:
    """The lines of a text, each at most so many letters if its words allow."""
    lines: list[str] = []
    for line in text.splitlines():
        lines += _balanced(line, letters)
    return lines


@lru_cache(maxsize=4096)
def _balanced(line: str, letters: int) -> tuple[str, ...]:
    """A line broken into as few as needed, about equally long."""
    lines = textwrap.wrap(line, letters, break_long_words=False, break_on_hyphens=False)
    for narrower in range(letters - 1, 0, -1):
        tried = textwrap.wrap(line, narrower, break_long_words=False, break_on_hyphens=False)
        if len(tried) > len(lines):
            break
        lines = tried
    return tuple(lines)


def own_letters(ids: Iterable[str]) -> str:
    """What most clause ids begin with, up to the dash: the game's own letters, left out."""
    counts = Counter(id_.partition("-")[0] for id_ in ids if "-" in id_)
    return f"{counts.most_common(1)[0][0]}-" if counts else ""


def cited_on(chart: Chart) -> Iterator[str]:
    """The clauses that a chart cites, as often as it does."""
    for cluster in chart.clusters:
        yield from cluster.clauses
    for node in chart.nodes:
        yield from node.clauses
    for edge in chart.edges:
        yield from edge.clauses
