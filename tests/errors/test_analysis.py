"""Each kind of finding that all graphs of a rulebook show: on the guilty line, and no other."""

from pathlib import Path

import pytest

from compiler.analysis import errors as analysis_errors
from compiler.diagnostic import Report
from compiler.pipeline import compile_sources
from compiler.render import full
from compiler.source import SourceSet
from ruleengine.checking import check
from tests.conftest import Golden
from tests.errors.cases import HERE, cases, expected, found, kinds, name_of, parts
from tests.errors.test_stages import PRELUDE

CASES = cases("analysis")


def findings(path: Path) -> Report:
    """All that `check` finds in a case."""
    return check(compile_sources(SourceSet(parts(path, path.name)[0], PRELUDE))).report


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_guilty_lines(path: Path, golden: Golden) -> None:
    """Every mark of a case is found at its line, nothing else is; a person approved the words."""
    report = findings(path)
    marked = expected(parts(path, path.name))

    assert sorted(marked.elements()) == sorted(found(report).elements())
    golden.check(f"../errors/{name_of(path)}.err", full(report))


def test_every_kind_has_a_case() -> None:
    """No kind of finding goes without a case that shows it."""
    shown = {code for path in CASES for _, _, _, code in expected(parts(path))}

    assert kinds(analysis_errors) - shown == set()


def test_no_rendering_is_left_over() -> None:
    """Every approved rendering belongs to a case."""
    approved = {path.with_suffix("") for path in (HERE / "analysis").glob("*.err")}

    assert approved == {path.with_suffix("") for path in CASES}
