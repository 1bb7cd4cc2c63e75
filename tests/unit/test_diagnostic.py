"""Diagnostics and reports: what is said, once, and in what order."""

import pytest
from attrs import frozen

from compiler.diagnostic import Error, Report, Severity, Warning_, unreadable
from compiler.source import Obstacle, SourceFile, Span, Unreadable

FILE = SourceFile("mix.rules", "zone deck\nzone hand\ndraw 2 from dekc\n")


@frozen
class UnknownZone(Error):
    """A name stands where a zone must, and no zone of that name is declared."""

    title = "unknown zone"
    label = "no zone is called `{name}`"
    hint = "did you mean `{nearest}`?"
    name: str
    nearest: str | None


@frozen
class NeverRead(Warning_):
    """Something is declared and nothing reads it."""

    title = "nothing reads `{name}`"
    name: str


@frozen
class Expected(Error):
    """Something else stands here."""

    title = "syntax error"
    label = "expected {words}, in any order {words:and}"
    hint = "write {words}"
    words: tuple[str, ...]


def at(text: str) -> Span:
    """Where a text first stands in the file."""
    start = FILE.text.index(text)
    return FILE.span(start, start + len(text))


def test_code_is_the_name_of_the_class() -> None:
    """A kind of finding is called by words, not by a number; so is its class."""
    assert UnknownZone.code == "unknown-zone"
    assert UnknownZone("dekc", None, span=at("dekc")).code == "unknown-zone"


def test_prose() -> None:
    """Title, label and hint speak of what was found."""
    found = UnknownZone("dekc", "deck", span=at("dekc"))

    assert found.headline == "unknown zone"
    assert found.remark == "no zone is called `dekc`"
    assert found.help == "did you mean `deck`?"
    assert found.message == "unknown zone: no zone is called `dekc`"


@pytest.mark.parametrize("nearest", [None, ""])
def test_nothing_to_suggest(nearest: str | None) -> None:
    """With nothing to suggest there is no hint."""
    assert UnknownZone("dekc", nearest, span=at("dekc")).help == ""


def test_title_alone() -> None:
    """A kind without label and hint says everything in its title."""
    found = NeverRead("hand", span=at("hand"))

    assert (found.remark, found.help) == ("", "")
    assert found.message == "nothing reads `hand`"


def test_braces_in_what_was_found() -> None:
    """What an author wrote is quoted, never taken for a template."""
    found = UnknownZone("{name}", "{span}", span=at("dekc"))

    assert found.remark == "no zone is called `{name}`"
    assert found.help == "did you mean `{span}`?"


@pytest.mark.parametrize(
    ("words", "either", "all_of"),
    [
        (("draw",), "draw", "draw"),
        (("draw", "move"), "draw or move", "draw and move"),
        (("draw", "move", "end"), "draw, move or end", "draw, move and end"),
    ],
)
def test_lists_in_words(words: tuple[str, ...], either: str, all_of: str) -> None:
    """Several values read as people list them."""
    found = Expected(words, span=at("dekc"))

    assert found.remark == f"expected {either}, in any order {all_of}"


def test_no_list_no_hint() -> None:
    """An empty list is nothing to suggest."""
    assert Expected((), span=at("dekc")).help == ""


def test_report_is_in_the_order_of_the_text() -> None:
    """Findings come in the order of the places, whatever stage found them first."""
    late = UnknownZone("dekc", None, span=at("dekc"))
    early = NeverRead("hand", span=at("hand"))

    assert list(Report.of(late, early)) == [early, late]


def test_report_says_everything_once() -> None:
    """Two stages that find the same thing are one finding; another place is another one."""
    first = UnknownZone("deck", "hand", span=at("deck"))
    again = UnknownZone("deck", "hand", span=at("deck"), notes=((at("hand"), "this one"),))
    elsewhere = UnknownZone("deck", "hand", span=at("dekc"))
    report = Report.of(first, again, elsewhere)

    assert list(report) == [first, elsewhere]
    assert len(report) == 2


def test_report_parts_errors_from_warnings() -> None:
    """An error leaves no game to play, a warning does."""
    error = UnknownZone("dekc", None, span=at("dekc"))
    warning = NeverRead("hand", span=at("hand"))
    report = Report.of(error, warning)

    assert (report.errors, report.warnings) == ((error,), (warning,))
    assert report.has_errors
    assert not Report.of(warning).has_errors
    assert (error.severity, warning.severity) == (Severity.ERROR, Severity.WARNING)


def test_reports_add_up() -> None:
    """A stage's report goes into the report of the whole."""
    error = UnknownZone("dekc", None, span=at("dekc"))
    warning = NeverRead("hand", span=at("hand"))
    whole = Report.of(error)
    whole.extend(Report.of(warning, error))

    assert list(whole) == [warning, error]


@pytest.mark.parametrize(
    ("obstacle", "message"),
    [
        (Obstacle.MISSING, "cannot read `x.rules`: there is no such file"),
        (Obstacle.FOLDER, "cannot read `x.rules`: it is a folder"),
        (Obstacle.REFUSED, "cannot read `x.rules`: the system refuses to open it"),
        (Obstacle.UTF_16, "not a UTF-8 text: it is encoded as UTF-16"),
        (Obstacle.NOT_UTF_8, "not a UTF-8 text: this byte belongs to no UTF-8 character"),
    ],
)
def test_unreadable(obstacle: Obstacle, message: str) -> None:
    """A file that cannot be read is a finding like any other."""
    assert unreadable(Unreadable.file("x.rules", obstacle)).message == message
