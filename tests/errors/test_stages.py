"""Each kind of finding about form, meaning and sight: on the guilty line, in words, and no other.

Beside each case stands what a person reads of it: `NAME.err`, approved with `--update-golden`.
"""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from compiler.check import errors as check_errors
from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.lower import errors as lower_errors
from compiler.lower.rehearsal import Rehearsal
from compiler.lower.scenarios import Reader
from compiler.pipeline import compile_sources
from compiler.render import full
from compiler.source import SourceFile, SourceSet
from compiler.syntax import errors as syntax_errors
from compiler.syntax.parse import MAX_ERRORS
from tests.conftest import Golden
from tests.errors.cases import HERE, MARK, cases, expected, found, kinds, name_of, parts

STAGES = ("syntax", "lower", "check")
CASES = cases(*STAGES)
PRELUDE = SourceFile(
    "prelude.rules", files("compiler").joinpath("prelude.rules").read_text(encoding="utf-8")
)
PLAYERS = re.compile(r"^-- players: (\d+)$", re.MULTILINE)


def findings(base: SourceFile, *variants: SourceFile) -> Report:
    """What is found in a rulebook and its scenarios: for all numbers of players, or for one."""
    spec = compile_sources(SourceSet(base, PRELUDE, variants=variants))
    if isinstance(spec, Report):
        return spec
    report = Report()
    report.extend(spec.report)
    asked = [int(number) for number in PLAYERS.findall(base.text)]
    for seats in asked or spec.seats() or (None,):
        made = spec.instantiate(Configuration(seats))
        report.extend(made if isinstance(made, Report) else made.report)
        if not isinstance(made, Report):
            reader = Reader(made.lowered.for_questions())
            for scenario in spec.scenarios:
                Rehearsal(reader).look(scenario)
            report.extend(reader.report)
    return report


def base_of(path: Path) -> SourceFile:
    """The rulebook of a case."""
    return parts(path, path.name)[0]


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_guilty_lines(path: Path) -> None:
    """Every mark of a case is found at its line, and nothing else is."""
    base = base_of(path)

    assert sorted(expected([base]).elements()) == sorted(found(findings(base)).elements())


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_marks_are_comments(path: Path) -> None:
    """Without its marks a case is told the same: nothing hangs on the end of a line."""
    base = base_of(path)
    plain = SourceFile(base.name, MARK.sub("", base.text))

    said = [(f.span.first, f.message, f.help) for f in findings(base)]

    assert [(f.span.first, f.message, f.help) for f in findings(plain)] == said


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_rendering(path: Path, golden: Golden) -> None:
    """What a person reads is what a person approved."""
    golden.check(f"../errors/{name_of(path)}.err", full(findings(base_of(path))))


def test_no_rendering_is_left_over() -> None:
    """Every approved rendering belongs to a case."""
    approved = {path.with_suffix("") for stage in STAGES for path in (HERE / stage).glob("*.err")}

    assert approved == {path.with_suffix("") for path in CASES}


@pytest.mark.parametrize("module", [syntax_errors, lower_errors, check_errors])
def test_every_kind_has_a_case(module: object) -> None:
    """No kind of finding goes without a case that shows it."""
    shown = {code for path in CASES for _, _, _, code in expected([base_of(path)])}

    assert kinds(module) - shown == set()


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_cases_are_short(path: Path) -> None:
    """A case is taken in at a glance, but for the one of a file with many errors."""
    most = 20 if path.stem != "rest-unread" else 20 + MAX_ERRORS

    assert len(path.read_text(encoding="utf-8").splitlines()) <= most
