"""`demo`: rulebooks checked, tested, drawn and played, and a page about them that opens offline."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

import click
from attrs import frozen

from compiler.diagnostic import Report
from compiler.flowchart.chart import pages
from compiler.pipeline import Compiled, Spec
from compiler.render import concise
from compiler.source import SourceSet
from ruleengine.checking import Checked, check
from ruleengine.cli.options import FOUND, SpecName, opened, refuse
from ruleengine.cli.screen import note, progress, say, say_table
from ruleengine.configurations import usual
from ruleengine.drawing import Form, drawn
from ruleengine.game import Instance
from ruleengine.processes import compiled_spec, spread
from ruleengine.report.page import Written, bound, written
from ruleengine.simulation import Simulation, simulate
from ruleengine.testing import Outcome, Plan, Sort, Tested, run_tests

RULEBOOKS: Final = ("jinx", "jinxx", "klink", "jinks", "highjinks")
"""What is shown if nobody names anything else."""

PAGE: Final = "report.html"
_FOLDER: Final = Path("rulewright-demo")
_GAMES: Final = 20
_SEED: Final = 2026


@frozen
class Task:
    """A spec to be shown, as values that another process can be sent."""

    sources: SourceSet
    charts: Path
    games: int


@frozen
class Shown:
    """What was found out about a spec, in words; `wrong` has a line for everything that failed.

    `chapter` is what the page tells of it, `None` if it cannot be played.
    """

    name: str
    title: str
    clauses: str
    configurations: int
    scenarios: str
    laws: str
    charts: int
    games: str
    length: str
    speed: str
    wrong: tuple[str, ...]
    notes: tuple[str, ...]
    chapter: Written | None = None


@click.command("demo", short_help="Check, test, draw and play the shipped rulebooks.")
@click.argument("specs", nargs=-1, type=SpecName(), metavar="[SPEC...]")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=_FOLDER,
    show_default=True,
    metavar="FOLDER",
    help="Where to write the page and the charts.",
)
@click.option(
    "-n",
    "--games",
    type=click.IntRange(1),
    default=_GAMES,
    show_default=True,
    metavar="N",
    help="Random games of each rulebook.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    metavar="N",
    help="How many processes work; as many as there are processors.",
)
def command(specs: tuple[str, ...], output: Path, games: int, jobs: int) -> int:
    """Check, test, draw and play the shipped rulebooks, or those named.

    Writes a page about them that opens without a network, and a chart of every phase. The exit code
    is 1 if anything is wrong with a rulebook.
    """
    begun = perf_counter()
    chosen = [_spec(name) for name in dict.fromkeys(specs or RULEBOOKS)]
    charts = output / "charts"
    try:
        charts.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"cannot write to `{output}`: {error.strerror}") from error
    order = sorted(range(len(chosen)), key=lambda at: -len(chosen[at].sources.base.text))
    tasks = [Task(chosen[at].sources, charts, games) for at in order]  # the longest ones first
    rows: dict[int, Shown] = {}
    with progress("rulebooks", len(tasks) + 1) as tell:
        for position, shown in spread(rehearse, tasks, jobs):
            rows[order[position]] = shown
            tell(1)
        found = [rows[position] for position in sorted(rows)]
        chapters = [shown.chapter for shown in found if shown.chapter is not None]
        (output / PAGE).write_text(bound(chapters), encoding="utf-8")
        tell(1)
    _show(found)
    say(f"page    {output / PAGE}")
    say(f"charts  {charts}{os.sep}")
    say(f"{perf_counter() - begun:.0f} seconds")
    return FOUND if any(shown.wrong for shown in found) else 0


def _spec(name: str) -> Spec:
    spec = opened(name)
    if isinstance(spec, Report):
        refuse(spec)
    return spec


def rehearse(task: Task) -> Shown:
    """Checks, tests, draws and plays one spec."""
    spec = compiled_spec(task.sources)
    checked = check(spec)
    made = spec.instantiate(next(usual(spec)))
    if isinstance(made, Report) or checked.report.has_errors:
        wrong = concise(checked.report).splitlines()
        return Shown(spec.name, spec.title, "", 0, "", "", 0, "", "", "", tuple(wrong), ())
    tested = tuple(run_tests(spec, Plan(1, _SEED, readings=False)))
    drawings = tuple(_draw(made, task.charts))
    begun = perf_counter()
    run = simulate(Instance.of(made), task.games, seed=_SEED)
    seconds = perf_counter() - begun
    failed = [f"{test.name}: {test.message}" for test in tested if test.outcome is Outcome.FAILED]
    failed += [f"game {game}: {error}" for error, game in run.errors.items()]
    return Shown(
        spec.name,
        spec.title,
        _clauses(checked),
        checked.configurations,
        _passed(tested, Sort.SCENARIO),
        _passed(tested, Sort.LAW, Sort.INVARIANT),
        sum(not trouble for trouble in drawings),
        f"{len(run.finished)} of {run.games}",
        _length(run),
        f"{run.games / seconds:.1f}",
        tuple(failed),
        tuple(dict.fromkeys(trouble for trouble in drawings if trouble)),
        written(spec, seed=_SEED),
    )


def _draw(compiled: Compiled, folder: Path) -> Iterator[str]:
    """Writes every page of the chart; for each what stood in the way, or nothing."""
    for drawing in pages(compiled.graph):
        picture = drawn(compiled, drawing, Form.SVG)
        if not isinstance(picture, bytes):
            yield str(picture)
            continue
        phases = {node.phase for node in drawing.nodes}
        part = f"-{phases.pop()}" if len(phases) == 1 else ""
        (folder / f"{compiled.spec.name}{part}.svg").write_bytes(picture)
        yield ""


# ---- in words


def _clauses(checked: Checked) -> str:
    covered = checked.coverage
    if covered is None:
        return "-"
    count = len(covered.mechanical)
    return f"{count - len(covered.uncited)} of {count}"


def _passed(tested: Sequence[Tested], *sorts: Sort) -> str:
    asked = [test for test in tested if test.sort in sorts and test.outcome is not Outcome.SKIPPED]
    passed = sum(test.outcome is Outcome.PASSED for test in asked)
    return f"{passed} of {len(asked)}" if asked else "-"


def _length(run: Simulation) -> str:
    spread_ = run.decisions
    return "-" if spread_ is None else f"{spread_.mean:.0f} ({spread_.min} to {spread_.max})"


def _show(found: Sequence[Shown]) -> None:
    """A table of figures, then what is wrong and what could not be drawn."""
    headers = (
        "rulebook",
        "clauses",
        "readings",
        "scenarios",
        "laws",
        "charts",
        "games",
        "decisions",
        "games/s",
    )
    rows = [
        (
            shown.name,
            shown.clauses,
            str(shown.configurations),
            shown.scenarios,
            shown.laws,
            str(shown.charts),
            shown.games,
            shown.length,
            shown.speed,
        )
        for shown in found
    ]
    say_table(headers, rows)
    say()
    for shown in found:
        for line in shown.wrong:
            say(f"wrong   {shown.name}: {line}")
        for line in shown.notes:
            note(f"{shown.name}: {line}")
