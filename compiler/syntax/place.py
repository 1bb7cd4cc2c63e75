"""Where a file breaks off, and what to type there instead."""

import re

from attrs import frozen

from compiler.diagnostic import Edit
from compiler.source import SourceFile, Span
from compiler.syntax.errors import UnexpectedWord

_BARE = re.compile(r'(?:"[^"\n]*"|[^"\n-]|-(?!-))*')


@frozen
class Place:
    """Where a file breaks off: the token there, and the kinds of tokens that could stand there."""

    source: SourceFile
    start: int
    end: int
    kind: str
    accepted: frozenset[str]

    @property
    def word(self) -> str:
        """What stands there."""
        return self.source.text[self.start : self.end]

    @property
    def before(self) -> str:
        """The line up to there."""
        return self.source.text[self.source.text.rfind("\n", 0, self.start) + 1 : self.start]

    @property
    def behind(self) -> str:
        """The line from behind it, without a comment."""
        rest = self.source.text[self.end :].split("\n", 1)[0]
        match = _BARE.match(rest)
        return match[0].strip() if match else ""

    @property
    def accepted_words(self) -> frozenset[str]:
        """The words of the language that could stand there."""
        return frozenset(kind.lower() for kind in self.accepted if kind.isalpha())

    @property
    def begins_line(self) -> bool:
        """Whether it is the first word of its line."""
        return not self.before.strip()

    @property
    def wants_name(self) -> bool:
        """Whether a name must stand there, and not just any value."""
        return "NAME" in self.accepted and "INT" not in self.accepted


@frozen
class Hint:
    """What to type instead of a stretch, and why, where that is known better than by grammar."""

    span: Span
    fix: str = ""
    reason: str = ""
    kind: type[UnexpectedWord] = UnexpectedWord
    edits: tuple[Edit, ...] = ()


def mended(span: Span, text: str) -> tuple[Edit, ...]:
    """The change of a stretch into a word, which keeps apart from the words around it."""
    whole = span.file.text
    if text[:1].isalnum() and whole[span.start - 1 : span.start].strip():
        text = f" {text}"
    if text[-1:].isalnum() and whole[span.end : span.end + 1].strip():
        text = f"{text} "
    return (Edit(span, text),)
