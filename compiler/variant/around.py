"""Which names stand around what changed between two rulebooks: on the changed lines, on those above
them, and on those that lead there.

A setting that is not among them decides nothing about the changed lines; one that is, may.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define, field

from compiler.variant.changes import Lines, Written, differing, heads, lines_of

_TITLE: Final = re.compile(r'"[^"\n]*"')
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_OTHERWISE: Final = ("elif ", "else")
_FLOWING: Final = ("phase", "define")  # declarations whose lines are reached by their names


def around(old: Written, new: Written) -> frozenset[str]:
    """The names, those on which a defined one of them hangs included."""
    before, after = lines_of(old), lines_of(new)
    found: set[str] = set()
    for lines, others in ((before, after), (after, before)):
        search = _Search(lines)
        for key, here in lines.items():
            there = others.get(key, ())
            for at in differing(here, there):
                search.take(key, at)
        found |= search.names()
    return frozenset(found)


@define(eq=False)
class _Search:
    """Takes lines, and finds what leads to them; each line once."""

    lines: Lines
    _found: set[str] = field(factory=set)
    _seen: set[tuple[tuple[str, str, int], int]] = field(factory=set)
    _reached: set[str] = field(factory=set)

    def take(self, key: tuple[str, str, int], at: int) -> None:
        """Takes a line with what stands above it, and the lines that lead to its declaration."""
        waiting = [(key, at)]
        while waiting:
            (kind, name, number), here = waiting.pop()
            if ((kind, name, number), here) in self._seen:
                continue
            self._seen.add(((kind, name, number), here))
            lines = self.lines[kind, name, number]
            for line in (here, *_conditions(lines, here)):
                self._found.update(_names(lines[line]))
            if kind in _FLOWING and name not in self._reached:
                self._reached.add(name)
                waiting += self._naming(name)

    def _naming(self, name: str) -> Iterator[tuple[tuple[str, str, int], int]]:
        """The lines that name something."""
        for key, lines in self.lines.items():
            for at, line in enumerate(lines):
                if name in _names(line):
                    yield key, at

    def names(self) -> frozenset[str]:
        """All names that were found; what a define of them reads is among them."""
        waiting = list(self._found)
        while waiting:
            name = waiting.pop()
            for line in self.lines.get(("define", name, 0), ()):
                further = _names(line) - self._found
                self._found |= further
                waiting += further
        return frozenset(self._found)


def _conditions(lines: Sequence[str], at: int) -> Iterator[int]:
    """The lines above a line that decide whether it is come to: `else` hangs on its `if`."""
    for head in heads(lines, at):
        yield head
        here, margin = head, _margin(lines[head])
        while lines[here].lstrip().startswith(_OTHERWISE) and here:
            here -= 1
            while here and _margin(lines[here]) > margin:
                here -= 1
            yield here


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _names(line: str) -> set[str]:
    return set(_NAME.findall(_TITLE.sub("", line.split(" @", 1)[0])))
