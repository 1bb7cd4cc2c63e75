"""What the compiler has to say about a text: diagnostics, and the report that collects them.

A diagnostic is a class in the `errors.py` of the stage that finds it. Its fields hold what was
found, as plain values; its prose is written once, as templates over those fields. This module
knows no stage, and it does not know how a report is shown.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from string import Formatter
from typing import ClassVar, Final

from attrs import define, field, fields, frozen

from compiler.shown import Shown
from compiler.source import Obstacle, Span, Unreadable

LONGEST: Final = 400
"""Characters of one field that a message shows."""


class Severity(Enum):
    """How much a finding weighs: an error leaves no game to play, a warning does."""

    ERROR = "error"
    WARNING = "warning"


class InternalError(Exception):
    """A promise that this code makes to itself is broken; never the author's fault."""


class _Prose(Formatter):
    """Fills templates: a tuple reads `a, b or c`, and `{names:and}` makes it `a, b and c`."""

    def format_field(self, value: object, format_spec: str) -> str:
        if not isinstance(value, tuple):
            return _short(str(super().format_field(value, format_spec)))
        *firsts, last = map(_short, map(str, value))
        return f"{', '.join(firsts)} {format_spec or 'or'} {last}" if firsts else last


def _short(text: str) -> str:
    """What an author wrote, as much of it as anybody reads in a message."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


_PROSE = _Prose()


def _has_something_to_say(template: str, values: Mapping[str, object]) -> bool:
    """Whether a template is written at all and no field that it names is empty."""
    names = [name for _, name, _, _ in _PROSE.parse(template) if name is not None]
    return template != "" and all(values[name] not in (None, "", ()) for name in names)


def _kebab_case(class_name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", class_name.rstrip("_")).lower()


@frozen
class Edit:
    """A change of the text that mends what was found: `text` in the place of a stretch."""

    span: Span
    text: str


@frozen(eq=False, repr=False)
class Diagnostic(Shown):
    """One finding about one place.

    `title` names the kind of finding; `label` says what is wrong here, in lower case and without
    a full stop; `hint` is something to type. Each is a template over the fields of the class. A
    label or hint that names an empty field is not shown: with nothing to suggest there is no hint.
    `notes` point at other places that matter, each with a label of its own.  `edits` are made by
    `check --fix`: there are some only where nothing else can have been meant.
    """

    severity: ClassVar[Severity]
    code: ClassVar[str]
    title: ClassVar[str]
    label: ClassVar[str] = ""
    hint: ClassVar[str] = ""
    span: Span = field(kw_only=True)
    notes: tuple[tuple[Span, str], ...] = field(default=(), kw_only=True)
    edits: tuple[Edit, ...] = field(default=(), kw_only=True)

    def __init_subclass__(cls) -> None:
        """Name the kind after its class: `UnknownZone` has the code `unknown-zone`."""
        super().__init_subclass__()
        cls.code = _kebab_case(cls.__name__)

    @property
    def headline(self) -> str:
        """The kind of finding, in words."""
        return self._fill(self.title)

    @property
    def remark(self) -> str:
        """What is wrong at this place; empty when the headline says it all."""
        return self._fill(self.label)

    @property
    def help(self) -> str:
        """What to do about it; empty when there is nothing to suggest."""
        return self._fill(self.hint)

    @property
    def message(self) -> str:
        """Headline and remark in one line."""
        return ": ".join(part for part in (self.headline, self.remark) if part)

    def _fill(self, template: str) -> str:
        values = {slot.name: getattr(self, slot.name) for slot in fields(type(self))}
        if not _has_something_to_say(template, values):
            return ""
        return _PROSE.vformat(template, (), values)


@frozen(eq=False, repr=False)
class Error(Diagnostic):
    """A finding that leaves no game to play."""

    severity = Severity.ERROR


@frozen(eq=False, repr=False)
class Warning_(Diagnostic):
    """A finding that an author should look at; the game can be played."""

    severity = Severity.WARNING


@frozen(eq=False, repr=False)
class UnreadableFile(Error):
    """A file that a game needs is missing, is a folder, or may not be opened."""

    title = "cannot read `{name}`"
    label = "{reason}"
    name: str
    reason: str


@frozen(eq=False, repr=False)
class NotUtf8(Error):
    """A file holds something else than UTF-8 text, for example UTF-16 or a picture."""

    title = "not a UTF-8 text"
    label = "{reason}"
    hint = "save the file as UTF-8"
    reason: str


@frozen(eq=False, repr=False)
class ScenariosElsewhere(Warning_):
    """A file of scenarios beside a rulebook or variant that names another one: none is played."""

    title = "these scenarios are not played"
    label = "they are said to be of `{of}`, and lie beside `{name}`"
    hint = "write `scenarios of {name}`"
    of: str
    name: str


def unreadable(file: Unreadable) -> Error:
    """The diagnostic for a file that could not be read."""
    match file.obstacle:
        case Obstacle.UTF_16 | Obstacle.NOT_UTF_8:
            return NotUtf8(file.obstacle.value, span=file.span)
        case Obstacle.MISSING | Obstacle.FOLDER | Obstacle.REFUSED:
            return UnreadableFile(file.span.file.name, file.obstacle.value, span=file.span)


def _place(found: Diagnostic) -> tuple[str, int, int, str, str]:
    return (found.span.file.name, found.span.start, found.span.end, found.code, found.message)


@define
class Report:
    """What was found, in the order of the places, each thing once.

    Two findings are the same when code, place and message are; the first one is kept.
    """

    _found: dict[tuple[str, Span, str], Diagnostic] = field(factory=dict, init=False)
    _told: set[tuple[str, Span]] = field(factory=set, init=False, repr=False)

    @classmethod
    def of(cls, *findings: Diagnostic) -> "Report":
        """A report of just these."""
        report = cls()
        report.extend(findings)
        return report

    def add(self, finding: Diagnostic) -> None:
        """Put one finding in."""
        self._found.setdefault((finding.code, finding.span, finding.message), finding)
        self._told.add((finding.code, finding.span))

    def tells(self, code: str, span: Span) -> bool:
        """Whether something of a kind was found at a place."""
        return (code, span) in self._told

    def extend(self, findings: Iterable[Diagnostic]) -> None:
        """Put several in; another report will do."""
        for finding in findings:
            self.add(finding)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(self._found.values(), key=_place))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings that leave no game to play."""
        return tuple(found for found in self if found.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The findings that leave a game to play."""
        return tuple(found for found in self if found.severity is Severity.WARNING)

    @property
    def has_errors(self) -> bool:
        """Whether anything found leaves no game to play."""
        return any(found.severity is Severity.ERROR for found in self._found.values())
