"""What must hold in every game of every spec, and how it is told that something does not."""

from enum import Enum
from typing import Final

from attrs import field, frozen

from compiler.config import Configuration
from compiler.graph.core import Clauses
from compiler.source import Span
from ruleengine.errors import RuleError


class Law(Enum):
    """What must hold in every game, in a few words."""

    COMPILES = "every configuration compiles"
    CONSERVATION = "no token is lost or made"
    BOUNDS = "every state fits its layout"
    RULES = "no rule breaks down and no decision is without an answer"
    WINNERS = "somebody wins, or draws"
    END = "some game ends"
    REPLAY = "a record leads to the same states"
    MACHINES = "compiled games are those of the reference"
    SEATS = "seats differ only by name where anybody may begin"
    LEAKS = "nobody can tell what he must not know"
    LAYOUT = "laid out anew it means the same"
    INVARIANT = "an invariant of the spec"
    CLAIM = "a claim of the spec"


LAWS: Final = tuple(law for law in Law if law not in (Law.INVARIANT, Law.CLAIM))
"""Those that no spec has to write down."""


class Broken(RuleError):
    """Something that must hold does not."""

    def __init__(
        self, law: Law, title: str, message: str, clauses: Clauses = (), span: Span | None = None
    ) -> None:
        super().__init__(message, span=span)
        self.law = law
        self.title = title
        self._clauses = clauses

    @property
    def clauses(self) -> Clauses:
        """What the invariant or claim cites."""
        return self._clauses


def as_broken(error: RuleError) -> Broken:
    """What broke, if it was no law of ours: a rule did."""
    if isinstance(error, Broken):
        return error
    return Broken(Law.RULES, Law.RULES.value, str(error), error.clauses, error.span)


@frozen
class Finding:
    """Something that broke: what, where in the spec, in which configuration, after which moves.

    `ranks` are the moves of the play that leads there; if `nearest`, no play is shorter.  `text` is
    the line of the spec at that place.
    """

    law: Law
    title: str
    message: str
    clauses: Clauses
    place: str | None
    configuration: Configuration
    ranks: tuple[int, ...] = field(repr=False, default=())
    nearest: bool = False
    text: str = ""

    @classmethod
    def of(
        cls,
        broken: Broken,
        configuration: Configuration,
        ranks: tuple[int, ...] = (),
        *,
        nearest: bool = False,
    ) -> "Finding":
        """That of something that broke."""
        return cls(
            broken.law,
            broken.title,
            broken.message,
            broken.clauses,
            None if broken.span is None else str(broken.span),
            configuration,
            ranks,
            nearest,
            "" if broken.span is None else broken.span.file.line(broken.span.first.line).strip(),
        )

    @property
    def key(self) -> tuple[Law, str]:
        """What broke: findings with the same key are one test's."""
        return self.law, self.title
