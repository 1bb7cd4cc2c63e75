"""What is asked of any text: findings with places, or a game; no traceback, and not for long."""

from pathlib import Path
from time import process_time
from typing import Final

from attrs import frozen

from compiler.config import Configuration
from compiler.diagnostic import Report, unreadable
from compiler.flowchart.chart import Level, chart
from compiler.flowchart.text import text
from compiler.format.layout import formatted
from compiler.pipeline import Spec, compile_sources
from compiler.render import Format, render
from compiler.source import SourceFile, SourceSet, Unreadable
from compiler.syntax import errors as syntax_errors
from compiler.syntax.parse import parse
from ruleengine.checking import check
from ruleengine.game import Instance
from ruleengine.match import random_match

NODES: Final = 500  # steps of a game
SECONDS: Final = 2.0  # that a text may take, of an idle processor's time
HANG: Final = 60.0  # what no text takes on however slow or busy a machine
_ROOT: Final = Path(__file__).parents[2]
PRELUDE: Final = SourceFile("prelude.rules", (_ROOT / "compiler/prelude.rules").read_text("utf-8"))


@frozen
class Tried:
    """How a text fared: what was found, the seconds it took, and whether it is a game."""

    report: Report
    seconds: float
    plays: bool


def tried(data: bytes, base: SourceSet | None = None) -> Tried:
    """Compiles bytes as the rulebook of some files, and writes down what is found in every form."""
    begun = process_time()
    report, plays = _compiled(data, base)
    for form in Format:
        render({"text": report}, form)
    for finding in report:
        assert 0 <= finding.span.start <= finding.span.end <= len(finding.span.file.text)
        assert finding.headline
    return Tried(report, process_time() - begun, plays)


def _compiled(data: bytes, base: SourceSet | None) -> tuple[Report, bool]:
    source = SourceFile.decode("text.rules", data)
    if isinstance(source, Unreadable):
        return Report.of(unreadable(source)), False
    spec = _read(source, base)
    if isinstance(spec, Report):
        assert spec.has_errors
        return spec, False
    made = spec.instantiate(Configuration())
    if isinstance(made, Report):
        assert made.has_errors
        return made, False
    return made.report, True


def _read(source: SourceFile, base: SourceSet | None) -> Spec | Report:
    sources = SourceSet(source, PRELUDE)
    if base is not None:
        sources = SourceSet(source, PRELUDE, base.catalogue, base.lock)
    return compile_sources(sources)


def played(data: bytes, base: SourceSet | None = None) -> None:
    """Looks at bytes that are a game as `check` does, draws it, plays it: a fault has a place."""
    source = SourceFile.decode("text.rules", data)
    spec = Report() if isinstance(source, Unreadable) else _read(source, base)
    if isinstance(spec, Report):
        return
    found = check(spec)
    made = spec.instantiate(Configuration())
    if found.report.has_errors or isinstance(made, Report):
        return
    for level in Level:
        assert text(chart(made.graph, level))
    match = random_match(Instance.of(made), 1, 1, node_limit=NODES)
    assert match.error is None or match.error.where is not None


def laid_out(data: bytes, found: Report) -> None:
    """Formats bytes that are a text of the language, whatever else was found in it.

    What comes of it is settled.
    """
    source = SourceFile.decode("text.rules", data)
    broken = any(type(finding).__module__ == syntax_errors.__name__ for finding in found.errors)
    if not isinstance(source, Unreadable) and not broken and not parse(source)[1].has_errors:
        once = formatted(source.text)
        assert formatted(once) == once
