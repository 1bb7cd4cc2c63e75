"""Reports as people, editors and programs see them."""

import json
from collections.abc import Callable

import pytest
from attrs import frozen

from compiler.diagnostic import Diagnostic, Error, Report, Warning_, unreadable
from compiler.excerpt import WIDTH, ansi, visible
from compiler.render import Format, concise, full, github, render, summary
from compiler.source import Obstacle, SourceFile, Span, Unreadable

FILE = SourceFile(
    "klink.rules",
    "zone deck: pile\nzone hand per player\n\nphase turn\n    draw 2 from dekc\n    end\n",
)


@frozen
class UnknownZone(Error):
    """A name stands where a zone must, and no zone of that name is declared."""

    title = "unknown zone"
    label = "no zone is called `{name}`"
    hint = "did you mean `{nearest}`?"
    name: str
    nearest: str | None


@frozen
class EmptyPhase(Warning_):
    """A phase does nothing."""

    title = "this phase does nothing"


def at(text: str, file: SourceFile = FILE) -> Span:
    """Where a text first stands in a file."""
    start = file.text.index(text)
    return file.span(start, start + len(text))


def drawn(finding: Diagnostic) -> list[str]:
    """The rows below the line that names the place and the empty row after it."""
    return full(Report.of(finding)).splitlines()[3:]


def in_line(line: str, word: str) -> Diagnostic:
    """A finding about a word of a file of one line."""
    return EmptyPhase(span=at(word, SourceFile("a", line)))


def test_full() -> None:
    """A finding shows its place, its line, what is wrong there, and what to write instead."""
    report = Report.of(UnknownZone("dekc", "deck", span=at("dekc")))

    assert full(report) == (
        "error[unknown-zone]: unknown zone\n"
        " --> klink.rules:5:17\n"
        "  |\n"
        "5 |     draw 2 from dekc\n"
        "  |                 ^^^^ no zone is called `dekc`\n"
        "  |\n"
        "  = help: did you mean `deck`?\n"
    )


def test_two_findings() -> None:
    """An empty line parts two findings; one without label and hint is short."""
    report = Report.of(
        UnknownZone("dekc", None, span=at("dekc")), EmptyPhase(span=at("phase turn"))
    )

    assert full(report) == (
        "warning[empty-phase]: this phase does nothing\n"
        " --> klink.rules:4:1\n"
        "  |\n"
        "4 | phase turn\n"
        "  | ^^^^^^^^^^\n"
        "\n"
        "error[unknown-zone]: unknown zone\n"
        " --> klink.rules:5:17\n"
        "  |\n"
        "5 |     draw 2 from dekc\n"
        "  |                 ^^^^ no zone is called `dekc`\n"
    )


def test_notes() -> None:
    """Other places are shown with dashes: in the order of the file, then the other files."""
    other = SourceFile("blank.rules", "variant blank of klink\n")
    finding = UnknownZone(
        "dekc",
        "deck",
        span=at("dekc"),
        notes=((at("hand"), "there is this"), (at("blank", other), "asked for by this")),
    )

    assert full(Report.of(finding)) == (
        "error[unknown-zone]: unknown zone\n"
        " --> klink.rules:5:17\n"
        "  |\n"
        "2 | zone hand per player\n"
        "  |      ---- there is this\n"
        "...\n"
        "5 |     draw 2 from dekc\n"
        "  |                 ^^^^ no zone is called `dekc`\n"
        "  |\n"
        " ::: blank.rules:1:9\n"
        "  |\n"
        "1 | variant blank of klink\n"
        "  |         ----- asked for by this\n"
        "  |\n"
        "  = help: did you mean `deck`?\n"
    )


def test_note_in_the_same_line() -> None:
    """Two marks in one line stand below each other, the main one first."""
    finding = UnknownZone("dekc", None, span=at("dekc"), notes=((at("draw"), "to draw"),))

    assert drawn(finding) == [
        "5 |     draw 2 from dekc",
        "  |                 ^^^^ no zone is called `dekc`",
        "  |     ---- to draw",
    ]


def test_one_line_between_two_marks() -> None:
    """A single line between two marks is shown: dots would take as much room."""
    finding = EmptyPhase(span=at("zone hand"), notes=((at("phase"), ""),))

    assert drawn(finding) == [
        "2 | zone hand per player",
        "  | ^^^^^^^^^",
        "3 |",
        "4 | phase turn",
        "  | -----",
    ]


def test_several_lines() -> None:
    """A stretch of several lines is marked where it begins and where it ends."""
    body = at("phase turn\n    draw 2 from dekc\n    end\n")
    finding = UnknownZone("x", None, span=body)

    assert drawn(finding) == [
        "4 | phase turn",
        "  | ^^^^^^^^^^",
        "5 |     draw 2 from dekc",
        "6 |     end",
        "  |     ^^^ no zone is called `x`",
    ]


@pytest.mark.parametrize("length", [0, 1])
def test_end_of_a_line(length: int) -> None:
    """What is missing at the end of a line is marked by one caret behind it."""
    span = at("per player").after
    finding = EmptyPhase(span=FILE.span(span.start, span.start + length))

    assert drawn(finding) == ["2 | zone hand per player", "  |                     ^"]


def test_end_of_the_file() -> None:
    """The place behind the last line feed can be marked."""
    finding = EmptyPhase(span=FILE.span(len(FILE.text), len(FILE.text)))

    assert drawn(finding) == ["7 |", "  | ^"]


def test_gutter_is_as_wide_as_the_longest_number() -> None:
    """The bars of all lines stand below each other."""
    file = SourceFile("a", "one\n" * 8 + "nine\nten\n")
    finding = EmptyPhase(span=at("nine", file), notes=((at("ten", file), ""),))

    assert full(Report.of(finding)).splitlines()[1:] == [
        "  --> a:9:1",
        "   |",
        " 9 | nine",
        "   | ^^^^",
        "10 | ten",
        "   | ---",
    ]


@pytest.mark.parametrize(
    ("line", "shown", "under"),
    [
        ("\tdraw dekc", "1 |     draw dekc", "  |          ^^^^"),
        ("ab\tdekc", "1 | ab  dekc", "  |     ^^^^"),
        ("牌 dekc", "1 | 牌 dekc", "  |    ^^^^"),
        ("cafe\u0301 dekc", "1 | cafe\u0301 dekc", "  |      ^^^^"),
        ("\x1b[1m dekc", "1 | \u241b[1m dekc", "  |      ^^^^"),
        ("\u202edekc", "1 | \ufffddekc", "  |  ^^^^"),
    ],
    ids=["tab", "tab inside", "wide", "accent", "escape", "right to left"],
)
def test_carets_stand_under_what_is_seen(line: str, shown: str, under: str) -> None:
    """Carets stand under the word, whatever width the screen gives to what is before it."""
    assert drawn(in_line(line, "dekc")) == [shown, under]


def test_wide_word() -> None:
    """A word of wide characters has two carets for each of them."""
    assert drawn(in_line("a 牌山 b", "牌山")) == ["1 | a 牌山 b", "  |   ^^^^"]


@pytest.mark.parametrize("before", [0, 30, 200, 1000])
def test_long_line(before: int) -> None:
    """Of a very long line the part around the mark is shown, and dots where more follows."""
    line = "a " * before + "dekc" + " b" * 200
    shown, under = drawn(in_line(line, "dekc"))
    start = under.index("^")

    assert shown[start : start + 4] == "dekc"
    assert under.count("^") == 4
    assert len(shown) <= len("1 | ") + WIDTH + 2
    assert (shown[4] == "…") == (before > 10)
    assert shown[-1] == "…"


def test_long_line_up_to_its_end() -> None:
    """At the end of a very long line there are no dots behind."""
    shown, under = drawn(in_line("a " * 200 + "dekc", "dekc"))

    assert shown.endswith("a dekc")
    assert under.index("^") == shown.index("dekc")


def test_mark_out_of_sight() -> None:
    """A second mark too far away in a very long line still says what it has to say."""
    file = SourceFile("a", "dekc" + " b" * 300 + " far")
    finding = EmptyPhase(span=at("dekc", file), notes=((at("far", file), "this one"),))

    assert drawn(finding)[2].endswith("- this one")


def test_file_without_text() -> None:
    """Where there is no line to show, the reason stands alone."""
    report = Report.of(unreadable(Unreadable.file("u.rules", Obstacle.UTF_16)))

    assert full(report) == (
        "error[not-utf8]: not a UTF-8 text\n"
        " --> u.rules:1:1\n"
        "  = note: it is encoded as UTF-16\n"
        "  = help: save the file as UTF-8\n"
    )


def test_colours() -> None:
    """On a terminal the same text is painted; without its paint it is the plain one."""
    report = Report.of(UnknownZone("dekc", "deck", span=at("dekc"), notes=((at("hand"), "x"),)))
    painted = full(report, ansi)
    parts = painted.split("\x1b[")
    unpainted = parts[0] + "".join(part.partition("m")[2] for part in parts[1:])

    assert painted.startswith("\x1b[1;31merror[unknown-zone]\x1b[0m")
    assert unpainted == full(report)


def test_control_characters_are_shown() -> None:
    """No text can move the cursor: control characters have pictures."""
    assert visible("a\x1b\x00\n\x7f\x9b\u2066é") == "a\u241b\u2400\u240a\u2421\ufffd\ufffdé"


def test_concise() -> None:
    """A finding is one line that editors can jump from."""
    report = Report.of(UnknownZone("dekc", "deck", span=at("dekc")))

    assert concise(report) == (
        "klink.rules:5:17: error[unknown-zone]: unknown zone: no zone is called `dekc`\n"
    )


def test_github() -> None:
    """A finding is a workflow command; what would end it early is escaped."""
    file = SourceFile("a,b:c.rules", "100%")
    report = Report.of(UnknownZone("100%", "99", span=at("100%", file)))

    assert github(report) == (
        "::error file=a%2Cb%3Ac.rules,line=1,endLine=1,title=unknown-zone,col=1,endColumn=5"
        "::unknown zone: no zone is called `100%25`%0Ahelp: did you mean `99`?\n"
    )


def test_github_on_several_lines() -> None:
    """GitHub takes no columns for a stretch of several lines."""
    report = Report.of(EmptyPhase(span=at("phase turn\n    draw")))

    assert github(report) == (
        "::warning file=klink.rules,line=4,endLine=5,title=empty-phase::this phase does nothing\n"
    )


def test_json() -> None:
    """Programs get every finding, with places that count from 1, by the name of the spec."""
    finding = UnknownZone("dekc", "deck", span=at("dekc"), notes=((at("hand"), "there is this"),))
    reports = {"klink": Report.of(finding), "jinx": Report()}

    assert json.loads(render(reports, Format.JSON)) == {
        "schema_version": 1,
        "specs": [
            {
                "name": "klink",
                "diagnostics": [
                    {
                        "code": "unknown-zone",
                        "severity": "error",
                        "message": "unknown zone: no zone is called `dekc`",
                        "file": "klink.rules",
                        "line": 5,
                        "column": 17,
                        "end": {"line": 5, "column": 21},
                        "help": "did you mean `deck`?",
                        "notes": [
                            {
                                "message": "there is this",
                                "file": "klink.rules",
                                "line": 2,
                                "column": 6,
                                "end": {"line": 2, "column": 10},
                            }
                        ],
                        "fix": [],
                    }
                ],
            },
            {"name": "jinx", "diagnostics": []},
        ],
    }


def test_json_without_help() -> None:
    """Nothing to suggest is null."""
    reports = {"klink": Report.of(EmptyPhase(span=at("phase")))}
    document = json.loads(render(reports, Format.JSON))

    assert document["specs"][0]["diagnostics"][0]["help"] is None


@pytest.mark.parametrize(
    ("form", "one"), [(Format.CONCISE, concise), (Format.GITHUB, github)], ids=["concise", "github"]
)
def test_reports_of_several_specs(form: Format, one: Callable[[Report], str]) -> None:
    """Reports of several specs follow each other."""
    first = Report.of(EmptyPhase(span=at("phase")))
    second = Report.of(UnknownZone("dekc", None, span=at("dekc")))

    assert render({"a": first, "b": second}, form) == one(first) + one(second)


def test_full_reports_of_several_specs() -> None:
    """A spec in which nothing was found leaves no empty line."""
    first = Report.of(EmptyPhase(span=at("phase")))
    second = Report.of(UnknownZone("dekc", None, span=at("dekc")))

    assert render({"a": first, "b": Report(), "c": second}, Format.FULL) == (
        f"{full(first)}\n{full(second)}"
    )


@pytest.mark.parametrize(
    ("errors", "warnings", "words"),
    [
        (0, 0, "nothing to report"),
        (1, 0, "1 error"),
        (0, 2, "2 warnings"),
        (2, 1, "2 errors and 1 warning"),
    ],
)
def test_summary(errors: int, warnings: int, words: str) -> None:
    """How much was found, in words."""
    report = Report()
    report.extend(UnknownZone(f"z{i}", None, span=at("dekc")) for i in range(errors))
    report.extend(EmptyPhase(span=FILE.span(i, i)) for i in range(warnings))

    assert summary(report) == words
