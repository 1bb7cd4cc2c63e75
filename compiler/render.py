"""A report as text: for people, for editors, for continuous integration, for programs.

Every function here is a function of its arguments: nothing is printed, and the terminal is not
looked at. Lines and columns count from 1; an end is the position after the last character.
"""

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, TypedDict, assert_never

from compiler.diagnostic import Diagnostic, Edit, Report, Severity
from compiler.excerpt import Mark, Paint, Role, draw, plain, visible
from compiler.source import Span

SCHEMA_VERSION: Final = 1
"""Version of every JSON document; it grows when a field changes its meaning or goes away."""


class Format(Enum):
    """The forms a report can take."""

    FULL = "full"
    CONCISE = "concise"
    JSON = "json"
    GITHUB = "github"


class PlaceEntry(TypedDict):
    """Line and column, both counted from 1."""

    line: int
    column: int


class NoteEntry(TypedDict):
    """Another place that matters to a finding."""

    message: str
    file: str
    line: int
    column: int
    end: PlaceEntry


class EditEntry(TypedDict):
    """A change of a text: what is to stand where the stretch was."""

    file: str
    line: int
    column: int
    end: PlaceEntry
    text: str


class DiagnosticEntry(TypedDict):
    """One finding as programs read it; `help` is null when there is nothing to suggest.

    `fix` holds the changes that `check --fix` makes.
    """

    code: str
    severity: str
    message: str
    file: str
    line: int
    column: int
    end: PlaceEntry
    help: str | None
    notes: list[NoteEntry]
    fix: list[EditEntry]


class SpecEntry(TypedDict):
    """One spec and what was found in it."""

    name: str
    diagnostics: list[DiagnosticEntry]


class Document(TypedDict):
    """What `json` writes."""

    schema_version: int
    specs: list[SpecEntry]


def render(reports: Mapping[str, Report], form: Format, paint: Paint = plain) -> str:
    """Reports, by the name of their spec, in one of the forms; only `full` is painted."""
    match form:
        case Format.FULL:
            return "\n".join(full(report, paint) for report in reports.values() if report)
        case Format.CONCISE:
            return "".join(concise(report) for report in reports.values())
        case Format.GITHUB:
            return "".join(github(report) for report in reports.values())
        case Format.JSON:
            return json.dumps(document(reports), indent=2, ensure_ascii=False) + "\n"
        case _:
            assert_never(form)


# --- for people ------------------------------------------------------------


def full(report: Report, paint: Paint = plain) -> str:
    """Every finding with the lines it is about, an empty line between two."""
    return "\n".join(_finding(found, paint) for found in report)


def concise(report: Report) -> str:
    """A line for each finding: file, line, column, severity, code, message."""
    return "".join(
        visible(f"{found.span}: {found.severity.value}[{found.code}]: {found.message}") + "\n"
        for found in report
    )


def summary(report: Report) -> str:
    """How much was found, in words: `2 errors and 1 warning`."""
    counts = ((len(report.errors), "error"), (len(report.warnings), "warning"))
    parts = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
    return " and ".join(parts) or "nothing to report"


def _finding(found: Diagnostic, paint: Paint) -> str:
    role = _role(found.severity)
    kind = paint(f"{found.severity.value}[{found.code}]", role)
    headline = paint(visible(f": {found.headline}"), Role.STRONG)
    marks = (
        Mark(found.span, found.remark, role),
        *(Mark(span, text, Role.NOTE) for span, text in found.notes),
    )
    return f"{kind}{headline}\n{draw(marks, found.help, paint)}"


def _role(severity: Severity) -> Role:
    match severity:
        case Severity.ERROR:
            return Role.ERROR
        case Severity.WARNING:
            return Role.WARNING
        case _:
            assert_never(severity)


# --- for programs ----------------------------------------------------------


def document(reports: Mapping[str, Report]) -> Document:
    """Reports, by the name of their spec, as data for JSON."""
    specs: list[SpecEntry] = [
        {"name": name, "diagnostics": entries(report)} for name, report in reports.items()
    ]
    return {"schema_version": SCHEMA_VERSION, "specs": specs}


def entries(report: Report) -> list[DiagnosticEntry]:
    """Every finding as data for JSON."""
    return [
        {
            "code": found.code,
            "severity": found.severity.value,
            "message": found.message,
            "file": found.span.file.name,
            "line": found.span.first.line,
            "column": found.span.first.column,
            "end": _end(found.span),
            "help": found.help or None,
            "notes": _notes(found.notes),
            "fix": _edits(found.edits),
        }
        for found in report
    ]


def _edits(edits: Sequence[Edit]) -> list[EditEntry]:
    return [
        {
            "file": edit.span.file.name,
            "line": edit.span.first.line,
            "column": edit.span.first.column,
            "end": _end(edit.span),
            "text": edit.text,
        }
        for edit in edits
    ]


def _notes(notes: Sequence[tuple[Span, str]]) -> list[NoteEntry]:
    return [
        {
            "message": text,
            "file": span.file.name,
            "line": span.first.line,
            "column": span.first.column,
            "end": _end(span),
        }
        for span, text in notes
    ]


def _end(span: Span) -> PlaceEntry:
    return {"line": span.beyond.line, "column": span.beyond.column}


# --- for continuous integration --------------------------------------------


def github(report: Report) -> str:
    """A workflow command for each finding, which GitHub shows beside the line."""
    return "".join(_workflow_command(found) for found in report)


def _workflow_command(found: Diagnostic) -> str:
    first, beyond = found.span.first, found.span.beyond
    properties = {
        "file": found.span.file.name,
        "line": str(first.line),
        "endLine": str(beyond.line),
        "title": found.code,
    }
    if first.line == beyond.line:  # columns are refused on a stretch of several lines
        properties |= {"col": str(first.column), "endColumn": str(beyond.column)}
    listed = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items())
    said = visible(found.message)
    if found.help:
        said += f"\nhelp: {visible(found.help)}"
    return f"::{found.severity.value} {listed}::{_escape(said)}\n"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
