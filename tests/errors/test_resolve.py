"""Each kind of finding about names, flow, citations and variants: on the guilty line, and no other.

A case is a rulebook; a line `-- file: NAME` begins another file that goes with it, a variant or a
table of clauses.  A guilty line ends with `-- error: code` or `-- warning: code`.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

from compiler import clauses
from compiler.clauses import Catalogue, read_catalogue, read_lock
from compiler.diagnostic import Diagnostic, Report
from compiler.resolve import errors as resolve_errors
from compiler.resolve.citations import stale_citations
from compiler.resolve.headings import heading_of
from compiler.resolve.resolve import resolve
from compiler.source import SourceFile
from compiler.syntax.ast import File
from compiler.syntax.parse import parse
from compiler.variant import errors as variant_errors
from compiler.variant.merge import merge

HERE = Path(__file__).parent
CASES = sorted(
    path for stage in ("clauses", "resolve", "variant") for path in (HERE / stage).glob("*.rules")
)
MARK = re.compile(r"-- (error|warning): ([a-z-]+)")
NEXT = re.compile(r"^-- file: (\S+)$", re.MULTILINE)

Findings = Counter[tuple[str, int, str, str]]  # file, line, severity, code


def parts(path: Path) -> list[SourceFile]:
    """The files of a case, the rulebook first."""
    first, *others = NEXT.split(path.read_text(encoding="utf-8"))
    named = zip(others[::2], others[1::2], strict=True)
    return [SourceFile("base.rules", first), *(SourceFile(*part) for part in named)]


def expected(files: list[SourceFile]) -> Findings:
    """What the marks of a case say."""
    return Counter(
        (file.name, number, severity, code)
        for file in files
        for number in range(1, file.line_count + 1)
        for severity, code in MARK.findall(file.line(number))
    )


def tree(file: SourceFile, report: Report) -> File:
    """The tree of a file whose form is right."""
    found, problems = parse(file)
    assert [finding.message for finding in problems] == []
    assert found is not None
    report.extend(heading_of(found)[1])
    return found


def findings(files: list[SourceFile]) -> Report:
    """What is found in a case."""
    report = Report()
    base, *others = files
    catalogue: Catalogue | None = None
    for file in others:
        if file.name == "clauses.md":
            catalogue, found = read_catalogue(file)
            report.extend(found)
    book = tree(base, report)
    variants = [tree(file, report) for file in others if file.name.endswith(".rules")]
    items, found = merge(book, variants)
    report.extend(found)
    for file in others:
        if file.name == "clauses.lock" and catalogue is not None:
            confirmed, found = read_lock(file)
            report.extend(found)
            report.extend(stale_citations(items, catalogue, confirmed))
    if next(iter(report), None) is None or book.items[0].span.text.startswith("rulebook"):
        report.extend(resolve(items, catalogue)[1])
    return report


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_guilty_lines(path: Path) -> None:
    """Every mark of a case is found at its line, and nothing else is."""
    files = parts(path)
    found: Findings = Counter(
        (f.span.file.name, f.span.first.line, f.severity.value, f.code) for f in findings(files)
    )

    assert sorted(expected(files).elements()) == sorted(found.elements())


def kinds(module: object) -> set[str]:
    """The codes of the findings that a module declares."""
    return {
        kind.code
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, Diagnostic)
        and kind.__module__ == getattr(module, "__name__", "")
    }


@pytest.mark.parametrize("module", [clauses, resolve_errors, variant_errors])
def test_every_kind_has_a_case(module: object) -> None:
    """No kind of finding goes without a case that shows it."""
    shown = {code for path in CASES for _, _, _, code in expected(parts(path))}

    assert kinds(module) - shown == set()


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_prose_is_filled(path: Path) -> None:
    """Whatever is found can be said: no template is left open, no sentence empty."""
    for finding in findings(parts(path)):
        said = f"{finding.headline} {finding.remark} {finding.help}"

        assert finding.headline != ""
        assert re.search(r"\{\w", said) is None
