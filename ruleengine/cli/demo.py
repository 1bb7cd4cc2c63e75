"""`demo`: rulebooks checked, tested, drawn and played, and a page about them that opens offline."""

import os
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from time import perf_counter
from typing import Final, assert_never

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
from ruleengine.scenario.suite import run_scenarios
from ruleengine.simulation import Simulation, simulate
from ruleengine.testing import Outcome, Plan, Sort, Tested, game_tests, scenario_test

RULEBOOKS: Final = ("jinx", "jinxx", "klink", "jinks", "highjinks")
"""What is shown if nobody names anything else."""

PAGE: Final = "report.html"
_FOLDER: Final = Path("rulewright-demo")
_GAMES: Final = 20
_SEED: Final = 2026


class Part(Enum):
    """What is done with a spec at a time: two parts, so that two processes share a long one."""

    ACT = "act"
    PLAY = "play"


@frozen
class Task:
    """A part of the work on a spec, as values that another process can be sent."""

    sources: SourceSet
    charts: Path
    games: int
    part: Part


@frozen
class Acted:
    """How the scenarios of a spec came out, and what the page tells of it.

    `wrong` has a line for everything that failed; `chapter` is `None` if the spec cannot be played.
    """

    scenarios: str
    wrong: tuple[str, ...]
    chapter: Written | None


@frozen
class Played:
    """What checks, random games and charts of a spec came to, in words."""

    name: str
    clauses: str
    configurations: int
    laws: str
    charts: int
    games: str
    length: str
    speed: str
    wrong: tuple[str, ...]
    notes: tuple[str, ...]


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
    sizes = [len(spec.sources.base.text) for spec in chosen]
    order = sorted(range(len(chosen)), key=lambda at: -sizes[at])  # the longest ones first
    tasks = [Task(chosen[at].sources, charts, games, part) for at in order for part in Part]
    acted: dict[int, Acted] = {}
    played: dict[int, Played] = {}
    with progress("rulebooks", len(tasks) + 1) as tell:
        for position, done in spread(work, tasks, jobs):
            at = order[position // len(Part)]
            if isinstance(done, Acted):
                acted[at] = done
            else:
                played[at] = done
            tell(1)
        found = [(acted[at], played[at]) for at in range(len(chosen))]
        chapters = [told.chapter for told, _ in found if told.chapter is not None]
        (output / PAGE).write_text(bound(chapters), encoding="utf-8")
        tell(1)
    _show(found)
    say(f"page    {output / PAGE}")
    say(f"charts  {charts}{os.sep}")
    say(f"{perf_counter() - begun:.0f} seconds")
    return FOUND if any(one.wrong or other.wrong for one, other in found) else 0


def _spec(name: str) -> Spec:
    spec = opened(name)
    if isinstance(spec, Report):
        refuse(spec)
    return spec


def work(task: Task) -> Acted | Played:
    """Does one part of the work on a spec."""
    spec = compiled_spec(task.sources)
    match task.part:
        case Part.ACT:
            return _act(spec)
        case Part.PLAY:
            return _play(spec, task)
        case _:
            assert_never(task.part)


def _act(spec: Spec) -> Acted:
    """Acts its scenarios out, and writes the chapter about it."""
    if isinstance(spec.instantiate(next(usual(spec))), Report):
        return Acted("-", (), None)
    ran = tuple(run_scenarios(spec))
    tested = [scenario_test(spec.name, one) for one in ran]
    return Acted(_passed(tested), tuple(_failed(tested)), written(spec, 1, _SEED, ran))


def _play(spec: Spec, task: Task) -> Played:
    """Checks, draws and plays it."""
    checked = check(spec)
    made = spec.instantiate(next(usual(spec)))
    if isinstance(made, Report) or checked.report.has_errors:
        wrong = concise(checked.report).splitlines()
        return Played(spec.name, "", 0, "", 0, "", "", "", tuple(wrong), ())
    tested = tuple(game_tests(spec, Plan(1, _SEED, readings=False)))
    drawings = tuple(_draw(made, task.charts))
    begun = perf_counter()
    run = simulate(Instance.of(made), task.games, seed=_SEED)
    seconds = perf_counter() - begun
    broken = [f"game {game}: {error}" for error, game in run.errors.items()]
    return Played(
        spec.name,
        _clauses(checked),
        checked.configurations,
        _passed([test for test in tested if test.sort is not Sort.CLAIM]),
        sum(not trouble for trouble in drawings),
        f"{len(run.finished)} of {run.games}",
        _length(run),
        f"{run.games / seconds:.1f}",
        (*_failed(tested), *broken),
        tuple(dict.fromkeys(trouble for trouble in drawings if trouble)),
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


def _passed(tested: Sequence[Tested]) -> str:
    asked = [test for test in tested if test.outcome is not Outcome.SKIPPED]
    passed = sum(test.outcome is Outcome.PASSED for test in asked)
    return f"{passed} of {len(asked)}" if asked else "-"


def _failed(tested: Sequence[Tested]) -> Iterator[str]:
    failed = (test for test in tested if test.outcome is Outcome.FAILED)
    return (f"{test.name}: {test.message}" for test in failed)


def _length(run: Simulation) -> str:
    spread_ = run.decisions
    return "-" if spread_ is None else f"{spread_.mean:.0f} ({spread_.min} to {spread_.max})"


def _show(found: Sequence[tuple[Acted, Played]]) -> None:
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
            played.name,
            played.clauses,
            str(played.configurations),
            acted.scenarios,
            played.laws,
            str(played.charts),
            played.games,
            played.length,
            played.speed,
        )
        for acted, played in found
    ]
    say_table(headers, rows)
    say()
    for acted, played in found:
        for line in (*acted.wrong, *played.wrong):
            say(f"wrong   {played.name}: {line}")
        for line in played.notes:
            note(f"{played.name}: {line}")
