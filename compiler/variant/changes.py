"""What changed between two rulebooks: declaration by declaration, line by line, with the clauses.

Both are compared as they are written out, variants laid over.  Where only blanks or comments moved
nothing has changed.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from enum import Enum
from typing import Final, TypeAlias

from attrs import frozen

from compiler.syntax import ast
from compiler.syntax.declared import Item, name_of, title_of, what
from compiler.variant.expanded import printed

Key: TypeAlias = tuple[str, str, int]
"""A declaration: what it is, its name or title, which of several such."""

Lines: TypeAlias = dict[Key, tuple[str, ...]]
"""The lines of every declaration, as they are written out."""


class Sort(Enum):
    """What happened to a declaration."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    CITED = "cited otherwise"


@frozen
class Change:
    """A declaration that is not the same in both: lines that went, lines that came.

    `under` are the lines within it that the first of them stands under.  `clauses` are those cited
    on these lines or, where a line cites none, on the nearest it stands under; and those that it
    cites no more.
    """

    sort: Sort
    what: str
    name: str
    under: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    clauses: tuple[str, ...]


@frozen
class Written:
    """The merged declarations of a rulebook, and the trees they were merged from."""

    items: Sequence[Item]
    files: Sequence[ast.File]


def changes(old: Written, new: Written) -> tuple[Change, ...]:
    """What changed, in the order of the old rulebook, what was added at the end."""
    before, after = lines_of(old), lines_of(new)
    _leave_answers(old, before, after)
    _leave_answers(new, after, before)
    found = [_change(key, lines, after.get(key, ())) for key, lines in before.items()]
    found += [_change(key, (), lines) for key, lines in after.items() if key not in before]
    return tuple(change for change in found if change is not None)


def lines_of(written: Written) -> Lines:
    """The lines of every declaration, comments and blanks left out."""
    found: Lines = {}
    for item, text in zip(written.items, printed(written.items, written.files), strict=True):
        name = name_of(item) or title_of(item)
        called = name.text if name is not None else ""
        number = 0
        while (what(item), called, number) in found:
            number += 1
        lines = (line.rstrip() for line in _COMMENTS.sub(_kept, text).split("\n"))
        found[what(item), called, number] = tuple(line for line in lines if line)
    return found


def _leave_answers(written: Written, lines: Lines, others: Lines) -> None:
    """Leaves out the notes by which a variant answers for the clauses whose rules it takes away.

    What such a note cites besides, because the variant's heading does, stays.
    """
    known = {clause for one in others.values() for clause in _clauses(one)}
    for item in written.items:
        if isinstance(item, ast.NoteDecl) and not item.span.text.startswith("note"):
            key = what(item), item.title.text, 0
            fresh = [clause for clause in _clauses(lines.pop(key, ())) if clause not in known]
            if fresh:
                said = f'note "{item.title.text}"'
                lines[key] = (" ".join((said, *(f"{_CITE}{one}" for one in fresh))),)


_COMMENTS: Final = re.compile(r'"[^"\n]*"|--[^\n]*')


def _kept(found: re.Match[str]) -> str:
    """A title as it is; nothing for a comment."""
    return found[0] if found[0].startswith('"') else ""


def _change(key: Key, old: tuple[str, ...], new: tuple[str, ...]) -> Change | None:
    kind, name, _ = key
    gone, come = _differing([*map(_plain, old)], [*map(_plain, new)])
    if not gone:
        come = [at for at in come if not new[at].startswith(_TABLE)]
    if not gone and not come:
        cited = [sorted(_clauses(lines)) for lines in (old, new)]
        if cited[0] == cited[1]:
            return None
        apart = tuple(sorted(set(cited[0]) ^ set(cited[1])))
        return Change(Sort.CITED, kind, name, (), (), (), apart)
    sort = Sort.CHANGED if old and new else Sort.ADDED if new else Sort.REMOVED
    cites = [_cited(old, at) for at in gone] + [_cited(new, at) for at in come]
    if sort is Sort.CHANGED:
        cites.append([clause for clause in _clauses(old) if clause not in _clauses(new)])
    clauses = dict.fromkeys(clause for found in cites for clause in found)
    lines = [_plain(old[at]) for at in gone], [_plain(new[at]) for at in come]
    above = _heads(new, come) or _heads(old, gone)
    return Change(sort, kind, name, above, tuple(lines[0]), tuple(lines[1]), tuple(clauses))


def _heads(lines: Sequence[str], at: Sequence[int]) -> tuple[str, ...]:
    """The lines that the first of some stands under, the outermost left out."""
    found = [_plain(lines[above]).strip() for above in heads(lines, at[0])] if at else []
    return tuple(reversed(found[:-1]))


def heads(lines: Sequence[str], at: int) -> Iterator[int]:
    """The positions of the lines that a line stands under, the nearest first."""
    above = _above(lines, at)
    while above is not None:
        yield above
        above = _above(lines, above)


def _cited(lines: Sequence[str], at: int) -> list[str]:
    """The clauses of a line; if it has none, of the nearest it stands under that has."""
    here: int | None = at
    while here is not None:
        found = _clauses([lines[here]])
        if found:
            return found
        here = _above(lines, here)
    return []


def _above(lines: Sequence[str], at: int) -> int | None:
    """The line that a line stands under."""
    margin = _margin(lines[at])
    return next((i for i in range(at - 1, -1, -1) if _margin(lines[i]) < margin), None)


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def differing(lines: Sequence[str], others: Sequence[str]) -> list[int]:
    """The positions of lines of a declaration that another does not have; citations aside."""
    return _differing([*map(_plain, lines)], [*map(_plain, others)])[0]


def _differing(old: list[str], new: list[str]) -> tuple[list[int], list[int]]:
    """The positions of lines that only one of both has."""
    gone: list[int] = []
    come: list[int] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += range(a, b)
            come += range(c, d)
    return gone, come


_CITE: Final = "@"
_TABLE: Final = "    clauses "  # a table more, such as variants bring, changes no line of the rules


def _plain(line: str) -> str:
    """A line without its citations."""
    return " ".join(_indented(line.split(f" {_CITE}", 1)[0]))


def _indented(line: str) -> list[str]:
    stripped = line.lstrip()
    words = stripped.split()
    margin = line[: len(line) - len(stripped)]
    return [margin + words[0], *words[1:]] if words else []


def _clauses(lines: Sequence[str]) -> list[str]:
    """The ids cited on some lines."""
    return [
        word.removeprefix(_CITE)
        for line in lines
        for word in line.split()
        if word.startswith(_CITE)
    ]
