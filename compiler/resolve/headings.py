"""What a file is, and what a game must say before anything else."""

from collections.abc import Sequence
from typing import TypeAlias

from compiler.diagnostic import Report
from compiler.resolve.errors import Misplaced, NoHeading, NoSeats, NoStart, SaidTwice, TwoHeadings
from compiler.syntax import ast
from compiler.syntax.declared import Item, article, what

Heading: TypeAlias = ast.Rulebook | ast.ScenariosOf | ast.Variant
_HEADINGS = (ast.Rulebook, ast.ScenariosOf, ast.Variant)


def heading_of(file: ast.File) -> tuple[Heading | None, Report]:
    """What a file says it is; and what in it does not belong there."""
    report = Report()
    headings = [item for item in file.items if isinstance(item, _HEADINGS)]
    if not headings:
        at = file.items[0].span if file.items else file.span
        report.add(NoHeading(_stem(at.file.name), span=at))
        return None, report
    first = headings[0]
    for other in headings[1:]:
        notes = ((first.span, "said here"),)
        report.add(TwoHeadings(_called(first), span=other.span, notes=notes))
    if not isinstance(first, ast.Rulebook):
        for item in file.items:
            if not isinstance(item, _HEADINGS):
                _check_place(item, first, report)
    return first, report


def _stem(name: str) -> str:
    stem = name.rsplit("/", 1)[-1].removesuffix(".rules").replace("-", "_")
    return stem if stem.isidentifier() and stem.islower() else "NAME"


def _called(heading: Heading) -> str:
    match heading:
        case ast.Rulebook():
            return f"the rulebook `{heading.name.text}`"
        case ast.ScenariosOf():
            return f"scenarios of `{heading.name.text}`"
        case ast.Variant():
            return f"the variant `{heading.name.text}`"


def _check_place(item: Item, heading: Heading, report: Report) -> None:
    if isinstance(heading, ast.ScenariosOf) and isinstance(item, ast.Scenario):
        return
    is_variant = isinstance(heading, ast.Variant)
    fix = "indent it, so that it belongs to the variant" if is_variant else ""
    report.add(Misplaced(article(what(item)), _called(heading), fix, span=item.span))


def check_headings(items: Sequence[Item]) -> Report:
    """A game has one `rulebook` with one line `seats`, and one `start`."""
    report = Report()
    _once("start", [item for item in items if isinstance(item, ast.Start)], report)
    rulebooks = [item for item in items if isinstance(item, ast.Rulebook)]
    for other in rulebooks[1:]:
        notes = ((rulebooks[0].span, "said here"),)
        report.add(TwoHeadings(_called(rulebooks[0]), span=other.span, notes=notes))
    for rulebook in rulebooks[:1]:
        seats = [line for line in rulebook.lines if isinstance(line, ast.Seats)]
        _once("seats", seats, report)
        clauses = [line for line in rulebook.lines if isinstance(line, ast.ClausesFile)]
        for path in dict.fromkeys(line.path.text for line in clauses):
            _once("clauses", [line for line in clauses if line.path.text == path], report)
        if not seats:
            report.add(NoSeats(rulebook.name.text, span=rulebook.span))
        if not any(isinstance(item, ast.Start) for item in items):
            report.add(NoStart(rulebook.name.text, span=rulebook.span))
    return report


def _once(word: str, found: Sequence[ast.Node], report: Report) -> None:
    for other in found[1:]:
        report.add(SaidTwice(word, span=other.span, notes=((found[0].span, "the first one"),)))
