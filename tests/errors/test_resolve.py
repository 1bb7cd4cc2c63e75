"""Each kind of finding about names, flow, citations and variants: where it is, and no other."""

import re
from pathlib import Path

import pytest

from compiler import clauses
from compiler.clauses import Catalogue, read_catalogue, read_lock
from compiler.diagnostic import Report
from compiler.render import full
from compiler.resolve import errors as resolve_errors
from compiler.resolve.citations import stale_citations
from compiler.resolve.headings import heading_of
from compiler.resolve.resolve import resolve
from compiler.source import SourceFile
from compiler.syntax.ast import File
from compiler.syntax.parse import parse
from compiler.variant import errors as variant_errors
from compiler.variant.merge import merge
from tests.conftest import Golden
from tests.errors.cases import cases, expected, found, kinds, name_of, parts

CASES = cases("clauses", "resolve", "variant")


def tree(file: SourceFile, report: Report) -> File:
    """The tree of a file whose form is right."""
    made, problems = parse(file)
    assert [finding.message for finding in problems] == []
    assert made is not None
    report.extend(heading_of(made)[1])
    return made


def findings(files: list[SourceFile]) -> Report:
    """What is found in a case."""
    report = Report()
    base, *others = files
    catalogue: Catalogue | None = None
    tables = [file for file in others if file.name.endswith(".md")]
    if tables:
        catalogue, problems = read_catalogue(*tables)
        report.extend(problems)
    book = tree(base, report)
    variants = [tree(file, report) for file in others if file.name.endswith(".rules")]
    items, problems = merge(book, variants)
    report.extend(problems)
    for file in others:
        if file.name == "clauses.lock" and catalogue is not None:
            confirmed, problems = read_lock(file)
            report.extend(problems)
            report.extend(stale_citations(items, catalogue, confirmed))
    if next(iter(report), None) is None or book.items[0].span.text.startswith("rulebook"):
        report.extend(resolve(items, catalogue)[1])
    return report


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_guilty_lines(path: Path) -> None:
    """Every mark of a case is found at its line, and nothing else is."""
    files = parts(path)

    assert sorted(expected(files).elements()) == sorted(found(findings(files)).elements())


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_rendering(path: Path, golden: Golden) -> None:
    """What a person reads is what a person approved."""
    golden.check(f"../errors/{name_of(path)}.err", full(findings(parts(path))))


def test_no_rendering_is_left_over() -> None:
    """Every approved rendering belongs to a case."""
    folders = {path.parent for path in CASES}
    approved = {path.with_suffix("") for folder in folders for path in folder.glob("*.err")}

    assert approved == {path.with_suffix("") for path in CASES}


@pytest.mark.parametrize("module", [clauses, resolve_errors, variant_errors])
def test_every_kind_has_a_case(module: object) -> None:
    """No kind of finding goes without a case that shows it."""
    shown = {code for path in CASES for _, _, _, code in expected(parts(path))}

    assert kinds(module) - shown == set()


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_prose_is_filled(path: Path) -> None:
    """Whatever is found can be said: no template is left open, no sentence empty."""
    for finding in findings(parts(path)):
        said = f"{finding.headline} {finding.remark} {finding.help}"

        assert finding.headline != ""
        assert re.search(r"\{\w", said) is None
