"""What a page tells about one rulebook, gathered, and where on the page each thing stands.

A chapter is made in two halves, so that two processes can share the work: its text with what was
tested, and the games that were played.  Both know the same places.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from compiler.clauses import CatalogueRuling, Clause, Entry, Extra
from compiler.highlight import Listing, Look, listing
from compiler.markup import Markup, joined, tag
from compiler.pipeline import Spec
from compiler.source import SourceFile, Span
from ruleengine.checking import Coverage, coverage
from ruleengine.game import Instance, load
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import Unreadable

REMARKS: Final = ("Covers:", "Leaves out:", "Source:", "Readings:")
"""How paragraphs begin that say what a file of rules covers."""
_NOT_IN_ANCHORS: Final = re.compile(r"[^A-Za-z0-9_.-]+")


@frozen(eq=False)
class Places:
    """Where the things of one rulebook stand on the page, and what may be cited in it."""

    spec: Spec
    entries: Mapping[str, Entry]  # all that may be cited, by id

    @classmethod
    def of(cls, spec: Spec) -> "Places":
        """Those of a rulebook."""
        catalogue = spec.catalogue
        return cls(spec, {} if catalogue is None else {entry.id: entry for entry in catalogue})

    @property
    def anchor(self) -> str:
        """Where the chapter stands on the page; what is in it begins with the same word."""
        return _NOT_IN_ANCHORS.sub("-", self.spec.name)

    def place(self, name: str) -> str:
        """The anchor of a thing in this chapter."""
        return f"{self.anchor}-{_NOT_IN_ANCHORS.sub('-', name)}"

    @property
    def clause_texts(self) -> Mapping[str, str]:
        """What each id that may be cited stands for."""
        return {id_: entry_text(entry) for id_, entry in self.entries.items()}

    def chips(self, ids: Sequence[str]) -> Markup:
        """Cited ids in a row, as links to what they stand for; they belong into an `.at`."""
        return joined(_spaced(map(self._chip, ids)))

    def _chip(self, id_: str) -> Markup:
        known = id_ in self.entries
        return tag("a", id_, href=f"#{self.place(id_)}") if known else joined(id_)


@frozen(eq=False)
class Chapter(Places):
    """One rulebook under one configuration: its text, and what was tested."""

    game: Instance
    coverage: Coverage | None
    rules: tuple[Listing, ...]  # the rulebook, then the variants on it
    scenarios: tuple[Ran | Unreadable, ...]

    @classmethod
    def with_scenarios(cls, spec: Spec, scenarios: Sequence[Ran | Unreadable]) -> "Chapter":
        """That of a rulebook with its usual readings, whose scenarios have been run."""
        places = Places.of(spec)
        files = (spec.sources.base, *spec.sources.variants)
        return cls(
            spec,
            places.entries,
            load(spec),
            coverage(spec),
            tuple(map(listing, files)),
            tuple(scenarios),
        )

    @property
    def players(self) -> str:
        """The numbers of players as people say them: `2 to 4`."""
        seats = self.spec.seats()
        if len(seats) > 1 and seats == tuple(range(seats[0], seats[-1] + 1)):
            return f"{seats[0]} to {seats[-1]}"
        return " or ".join(map(str, seats))

    @property
    def preface(self) -> list[str]:
        """What the file of rules says of itself before its first line, in paragraphs."""
        paragraphs: list[str] = []
        for line in self.rules[0].lines:
            if not line or line[0].look is not Look.COMMENT:
                break
            words = " ".join(line[0].text.lstrip("- ").split())
            if paragraphs and not words.startswith(REMARKS):
                paragraphs[-1] += f" {words}"
            else:
                paragraphs.append(words)
        return [words.removeprefix(f"{self.spec.title}. ") for words in paragraphs]

    # ---- lines of the rules

    def lines_of(self, file: SourceFile) -> Listing | None:
        """The listing of one of the files of rules; `None` for another file."""
        return next((found for found in self.rules if found.source == file), None)

    def line_place(self, file: SourceFile, line: int) -> str:
        """The anchor of a line of the rules."""
        files = [found.source for found in self.rules]
        layer = files.index(file)
        return self.place(f"L{line}" if layer == 0 else f"V{layer}-L{line}")

    def address(self, span: Span) -> str:
        """A link to the line where something stands; to the chapter if it is no line of rules."""
        if self.lines_of(span.file) is None:
            return f"#{self.anchor}"
        return f"#{self.line_place(span.file, span.first.line)}"

    # ---- clauses

    def cited_in_rules(self, id_: str) -> tuple[Span, ...]:
        """Where rules cite an id."""
        return () if self.coverage is None else self.coverage.citations.rules.get(id_, ())

    @property
    def by_scenario(self) -> Mapping[str, tuple[int, ...]]:
        """The scenarios that cite each id, by number from 1."""
        found: dict[str, list[int]] = {}
        for number, scenario in enumerate(self.scenarios, 1):
            for id_ in scenario.clauses:
                found.setdefault(id_, []).append(number)
        return {id_: tuple(numbers) for id_, numbers in found.items()}


def entry_text(entry: Entry) -> str:
    """What a row of a table of clauses says."""
    match entry:
        case Clause() | Extra():
            return entry.text
        case CatalogueRuling():
            return entry.question


def prose(words: str) -> Markup:
    """A text of a table of clauses; what stands between backticks is code."""
    parts = words.split("`")
    if len(parts) % 2 == 0:
        return joined(words)
    return joined(tag("code", part) if at % 2 else part for at, part in enumerate(parts))


def _spaced(parts: Iterator[Markup]) -> Iterator[Markup | str]:
    for at, part in enumerate(parts):
        if at:
            yield " "
        yield part


def counted(number: int, noun: str) -> str:
    """A number of things: `1 clause`, `2 clauses`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
