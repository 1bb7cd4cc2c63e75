"""Which names can matter to what a declaration comes to, and to those who use it.

A declaration comes to the same in every game that differs from another only in what it does not ask
for: neither itself, nor what it names, nor what that names in turn.  Where a phase goes on as
another, only the heading of that one counts: what is given to it.  What is watched at any time
always counts.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import define, field

from compiler.syntax import ast
from compiler.syntax.ast import Node

_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_GOTO: Final = re.compile(r"->\s*(\w+)")
_SILENT: Final = re.compile(r'"[^"\n]*"|@\S+|--[^\n]*')
_DOING: Final = (ast.Start, ast.PhaseDecl, ast.Whenever)
_TELLING: Final = (ast.InvariantDecl, ast.ClaimDecl, ast.NoteDecl)


@define(eq=False)
class Asked:
    """The declarations of a rulebook, by what they name."""

    items: Sequence[tuple[Node, str]]  # each with its text
    _named: dict[str, int] = field(factory=dict, init=False)
    _words: list[frozenset[str]] = field(factory=list, init=False)
    _goes: list[frozenset[str]] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        for at, (item, text) in enumerate(self.items):
            plain = _SILENT.sub(" ", text)
            name = getattr(item, "name", None)
            if isinstance(name, ast.Word):
                self._named[name.text] = at
            self._goes.append(frozenset(_GOTO.findall(plain)))
            self._words.append(frozenset(_WORD.findall(_GOTO.sub(" ", plain))))

    def by(self, item: Node) -> frozenset[str]:
        """All names that matter to a declaration."""
        begun = next(at for at, (one, _) in enumerate(self.items) if one is item)
        always = (at for at, (one, _) in enumerate(self.items) if isinstance(one, ast.Whenever))
        waiting = [*self._users(begun), *always]
        seen = set(waiting)
        found: set[str] = set()
        while waiting:
            at = waiting.pop()
            found |= self._words[at]
            for goal in self._goes[at]:
                found |= self._heading(goal)
            further = [one for one in self._at(found) if one not in seen]
            seen.update(further)
            waiting += further
        return frozenset(found)

    def _at(self, names: Iterable[str]) -> Iterator[int]:
        return (self._named[name] for name in names if name in self._named)

    def _heading(self, phase: str) -> frozenset[str]:
        at = self._named.get(phase)
        if at is None:
            return frozenset()
        heading = self.items[at][1].partition("\n")[0]
        return frozenset(_WORD.findall(_SILENT.sub(" ", heading))) - {phase}

    def _users(self, begun: int) -> list[int]:
        """A declaration, and the phases that use it, directly or through what others declare."""
        found = [begun]
        for at in found:
            item = self.items[at][0]
            name = getattr(item, "name", None)
            if isinstance(item, _DOING) or not isinstance(name, ast.Word):
                continue
            for user, words in enumerate(self._words):
                telling = isinstance(self.items[user][0], _TELLING)
                if name.text in words and user not in found and not telling:
                    found.append(user)
        return found
