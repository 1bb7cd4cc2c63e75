"""The examples, read from the texts beside this module.

A text says `== CODE`, some prose, `-- wrong` and an example, `-- right` and an example.  What goes
without saying is added to an example: a heading, numbers of players, a `start`.
"""

import re
from functools import cache
from importlib.resources import files
from typing import Final

from attrs import frozen

_ENTRY: Final = re.compile(r"^== (\S+)\n", re.MULTILINE)
_PARTS: Final = re.compile(r"^-- (wrong|right)\n", re.MULTILINE)
_FILE: Final = re.compile(r"^-- file: (\S+)\n", re.MULTILINE)
_WHOLE: Final = re.compile(r"^(?:rulebook |-- \(no )", re.MULTILINE)
_START: Final = re.compile(r"^start\b", re.MULTILINE)
_AND_SO_ON: Final = ", and so on"
_SO_MANY_MORE: Final = re.compile(r"^(.*)\n-- and so on\n", re.MULTILINE)
BASE: Final = "example.rules"
COMMAND: Final = "$ "
"""What an example begins with that is a command and no text."""


@frozen
class Example:
    """One of the two examples of a kind of finding, as it is shown."""

    text: str

    @property
    def command(self) -> str | None:
        """The command it is, if it is one."""
        return self.text.strip().removeprefix(COMMAND) if self.text.startswith(COMMAND) else None

    @property
    def files(self) -> dict[str, str]:
        """The whole files, by name, the rulebook first."""
        first, *others = _FILE.split(self.text)
        further = dict(zip(others[::2], others[1::2], strict=True))
        first = first.replace(_AND_SO_ON, ", 1" * 12_000)
        first = _SO_MANY_MORE.sub(lambda line: f"{line[1]}\n" * 25, first)
        return {BASE: _whole(first, "clauses.md" in further), **further}


@frozen
class Explanation:
    """What is said of a kind of finding: some prose, which may be empty, and two examples."""

    prose: str
    wrong: Example
    right: Example


def _whole(text: str, has_clauses: bool) -> str:
    """A rulebook that holds some lines."""
    if _WHOLE.search(text):
        return text
    table = '    clauses "clauses.md"\n' if has_clauses else ""
    end = "" if _START.search(text) else "start\n    end draw\n"
    return f'rulebook example "Example"\n{table}    seats 2\n{text}{end}'


@cache
def explanations() -> dict[str, Explanation]:
    """The explanations by code; `ValueError` for one that is told twice or lacks an example."""
    found: dict[str, Explanation] = {}
    for text in sorted(files("compiler.explained").iterdir(), key=lambda entry: entry.name):
        if text.name.endswith(".txt"):
            _, *entries = _ENTRY.split(text.read_text(encoding="utf-8"))
            for code, entry in zip(entries[::2], entries[1::2], strict=True):
                if code in found:
                    raise ValueError(f"`{code}` is explained twice")
                found[code] = _explanation(entry)
    return found


def _explanation(entry: str) -> Explanation:
    prose, *parts = _PARTS.split(entry)
    named = dict(zip(parts[::2], parts[1::2], strict=True))
    wrong, right = (named[name].rstrip() + "\n" for name in ("wrong", "right"))
    return Explanation(prose.strip(), Example(wrong), Example(right))
