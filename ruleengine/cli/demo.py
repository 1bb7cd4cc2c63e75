"""`demo`: rulebooks checked, tested, drawn and played, and a page about them that opens offline."""

import os
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from time import perf_counter
from typing import Final, assert_never

import click
from attrs import define, frozen

from compiler.diagnostic import Report
from compiler.flowchart.chart import pages
from compiler.pipeline import Compiled, Spec
from compiler.render import concise
from compiler.source import SourceSet
from ruleengine.checking import Checked, check
from ruleengine.cli.options import FOUND, MOST_JOBS, SpecName, Whole, opened, refuse
from ruleengine.cli.screen import note, progress, say, say_table
from ruleengine.cli.writing import refused
from ruleengine.configurations import usual
from ruleengine.drawing import Form, drawn
from ruleengine.game import Instance
from ruleengine.processes import compiled_spec, spread
from ruleengine.report.games import Games, retold
from ruleengine.report.page import Written, bound, written
from ruleengine.scenario.suite import run_scenarios
from ruleengine.simulation import Simulation, simulate
from ruleengine.testing.plan import Outcome, Plan, Sort, Tested
from ruleengine.testing.scenarios import scenario_test
from ruleengine.testing.suite import game_tests

RULEBOOKS: Final = ("jinx", "jinxx", "klink", "jinks", "highjinks")
"""What is shown if nobody names anything else."""

PAGE: Final = "report.html"
_FOLDER: Final = Path("rulewright-demo")
_GAMES: Final = 20
_SEED: Final = 2026
_NONE: Final = ("-",)


class Part(Enum):
    """What is done with a spec at a time: several parts, so that processes share a long one."""

    ACT = "act"
    PLAY = "play"
    CHECK = "check"


@frozen
class Task:
    """A part of the work on a spec, as values that another process can be sent."""

    sources: SourceSet
    charts: Path
    games: int
    part: Part


@frozen
class Acted:
    """How the scenarios of a spec came out, and what the page tells of it."""

    scenarios: str
    wrong: tuple[str, ...]
    text: Written


@frozen
class Played:
    """What laws, random games and charts of a spec came to, in words, and a game told."""

    laws: str
    charts: int
    games: str
    length: str
    speed: str
    wrong: tuple[str, ...]
    notes: tuple[str, ...]
    told: Games


@frozen
class Read:
    """What a check of all readings of a spec found."""

    clauses: str
    configurations: int
    wrong: tuple[str, ...]


@define
class Found:
    """All that is known of a spec; what has not been done, or cannot be, is `None`."""

    name: str
    acted: Acted | None = None
    played: Played | None = None
    read: Read | None = None

    def take(self, done: Acted | Played | Read | None) -> None:
        """Notes how a part came out."""
        match done:
            case Acted():
                self.acted = done
            case Played():
                self.played = done
            case Read():
                self.read = done
            case None:
                pass
            case _:
                assert_never(done)

    @property
    def wrong(self) -> tuple[str, ...]:
        """A line for everything that is wrong with it."""
        parts = (self.read, self.acted, self.played)
        return tuple(line for part in parts if part is not None for line in part.wrong)


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
    type=Whole(1),
    default=_GAMES,
    show_default=True,
    metavar="N",
    help="Random games of each rulebook.",
)
@click.option(
    "-j",
    "--jobs",
    type=Whole(1, MOST_JOBS),
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
        raise refused(output, error) from error
    sizes = [len(spec.sources.base.text) for spec in chosen]
    order = sorted(range(len(chosen)), key=lambda at: -sizes[at])  # the longest ones first
    tasks = [Task(chosen[at].sources, charts, games, part) for at in order for part in Part]
    found = [Found(spec.name) for spec in chosen]
    page = output / PAGE
    with progress("rulebooks", len(tasks) + 1) as tell:
        for position, done in spread(work, tasks, jobs):
            found[order[position // len(Part)]].take(done)
            tell(1)
        chapters = [
            (each.acted.text, each.played.told) for each in found if each.acted and each.played
        ]
        try:
            page.write_text(bound(chapters), encoding="utf-8")
        except OSError as error:
            raise refused(page, error) from error
        tell(1)
    _show(found)
    say(f"page    {page}  (open it in a browser; it needs no network)")
    say(f"charts  {charts}{os.sep}")
    say(f"{perf_counter() - begun:.0f} seconds")
    return FOUND if any(each.wrong for each in found) else 0


def _spec(name: str) -> Spec:
    spec = opened(name)
    if isinstance(spec, Report):
        refuse(spec)
    return spec


def work(task: Task) -> Acted | Played | Read | None:
    """Does one part of the work on a spec; nothing comes of one that cannot be played."""
    spec = compiled_spec(task.sources)
    if task.part is Part.CHECK:
        return _check(spec)
    made = spec.instantiate(next(usual(spec)))
    if isinstance(made, Report):
        return None
    return _act(spec) if task.part is Part.ACT else _play(spec, Instance.of(made), task)


def _check(spec: Spec) -> Read:
    """Checks every reading."""
    checked = check(spec)
    wrong = concise(checked.report).splitlines() if checked.report.has_errors else ()
    return Read(_clauses(checked), checked.configurations, tuple(wrong))


def _act(spec: Spec) -> Acted:
    """Acts its scenarios out, and writes the chapter about it."""
    ran = tuple(run_scenarios(spec))
    tested = [scenario_test(spec.name, one) for one in ran]
    return Acted(_passed(tested), tuple(_failed(tested)), written(spec, ran))


def _play(spec: Spec, game: Instance, task: Task) -> Played:
    """Draws it, plays it, and tells the shortest of the games."""
    tested = tuple(game_tests(spec, Plan(1, _SEED, readings=False, states=0)))
    drawings = tuple(_draw(game.compiled, task.charts))
    begun = perf_counter()
    run = simulate(game, task.games, seed=_SEED)
    seconds = perf_counter() - begun
    broken = [f"game {number}: {error}" for error, number in run.errors.items()]
    shortest = min(run.finished or run.rows, key=lambda row: row.decisions + row.draws)
    return Played(
        _passed([test for test in tested if test.sort is not Sort.CLAIM]),
        sum(not trouble for trouble in drawings),
        f"{len(run.finished)} of {run.games}",
        _length(run),
        f"{run.games / seconds:.1f}",
        (*_failed(tested), *broken),
        tuple(dict.fromkeys(trouble for trouble in drawings if trouble)),
        retold(spec, _SEED, [shortest.game]),
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


def _show(found: Sequence[Found]) -> None:
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
    say_table(headers, [_row(each) for each in found])
    say()
    for each in found:
        for line in each.wrong:
            say(f"wrong   {each.name}: {line}")
        for line in each.played.notes if each.played else ():
            note(f"{each.name}: {line}")


def _row(found: Found) -> tuple[str, ...]:
    """The figures of a spec; a dash for what could not be done."""
    read, acted, played = found.read, found.acted, found.played
    return (
        found.name,
        *((read.clauses, str(read.configurations)) if read else _NONE * 2),
        acted.scenarios if acted else "-",
        *(
            (played.laws, str(played.charts), played.games, played.length, played.speed)
            if played
            else _NONE * 5
        ),
    )
