"""`test`: scenarios, invariants, claims, and what must hold in every game."""

import os
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Final

import click
from attrs import evolve, frozen

from compiler.diagnostic import Report
from compiler.excerpt import Role
from compiler.render import entries, full
from ruleengine import library
from ruleengine.cli.options import FOUND, Whole, as_json, opened, seeded, specs
from ruleengine.cli.screen import JsonEntry, painter, progress, say, say_json
from ruleengine.coverage.points import Sort as SortOfPoint
from ruleengine.processes import Workers
from ruleengine.testing.kept import FOLDER, Kept
from ruleengine.testing.plan import NODE_LIMIT, STATES, STOPS, Outcome, Plan, Searched, Tested
from ruleengine.testing.story import failure
from ruleengine.testing.suite import Running, begin_tests

GAMES: Final = 60
"""Plays of each spec, unless said otherwise."""

THOROUGH: Final = 2_000
"""Plays of each spec with `--thorough`, unless said otherwise."""

_THOROUGH_STATES: Final = 100_000
_THOROUGH_MIXED: Final = 100
_THOROUGH_WATCHED: Final = 200  # of each configuration; enough for 10,000 of a large rulebook
_BRIEF: Final = 5_000  # steps after which a play of a variant that was not asked for is given up
_THOROUGH_STOPS: Final = 1_000
_BRIEF_STOPS: Final = 8
_MARKS: Final = {Outcome.PASSED: ".", Outcome.FAILED: "F", Outcome.SKIPPED: "s"}


@frozen
class Suite:
    """The tests of one spec and how long they took; `report` says why there are none."""

    name: str
    tests: tuple[Tested, ...]
    report: Report | None
    searched: Searched | None
    seconds: float
    first: float | None  # seconds until the first test was decided

    def count(self, outcome: Outcome) -> int:
        """How many tests came out so."""
        return sum(test.outcome is outcome for test in self.tests)

    @property
    def failed(self) -> bool:
        """Whether anything is wrong."""
        return self.report is not None or self.count(Outcome.FAILED) > 0


@click.command("test", short_help="Run scenarios, and play games in which nothing may go wrong.")
@specs
@click.option(
    "-k", "keyword", default="", metavar="WORDS", help="Only tests whose name has these words."
)
@click.option("-x", "first", is_flag=True, help="Stop at the first failure.")
@click.option(
    "--games",
    type=Whole(0),
    metavar="N",
    help=f"Plays of each spec, at least one of every configuration unless 0.  [default: {GAMES}]",
)
@click.option(
    "--thorough",
    is_flag=True,
    help=f"Go on: {THOROUGH:,} plays, mixed configurations, {_THOROUGH_STATES:,} situations.",
)
@click.option(
    "-j",
    "--jobs",
    type=Whole(1),
    default=os.cpu_count() or 1,
    metavar="N",
    help="How many processes play games; as many as there are processors.",
)
@click.option(
    "--node-limit",
    type=Whole(1),
    default=NODE_LIMIT,
    show_default=True,
    metavar="N",
    help="Steps after which a play is given up.",
)
@click.option("--no-variants", is_flag=True, help="Leave out the variants found for a spec.")
@click.option(
    "--records",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=FOLDER,
    show_default=True,
    metavar="FOLDER",
    help="Where plays in which something breaks are kept, to be tried first the next time.",
)
@seeded
@as_json
def command(
    specs: tuple[str, ...],
    keyword: str,
    first: bool,
    games: int | None,
    thorough: bool,
    jobs: int,
    node_limit: int,
    no_variants: bool,
    folder: Path,
    seed: int,
    json_: bool,
) -> int:
    """Run scenarios, and play games in which nothing may go wrong.

    Scenarios are those in the files of a spec. Plays go through every number of players, every
    reading of a ruling and the ends of every parameter: no token may be lost, no rule may break
    down, invariants and claims hold, games end. Of a small game every situation is looked at
    instead. A spec is tested with the variants found for it. The exit code is 1 if anything fails.
    """
    whole = Plan(
        games if games is not None else THOROUGH if thorough else GAMES,
        seed,
        jobs,
        node_limit,
        states=_THOROUGH_STATES if thorough else STATES if games != 0 else 0,
        mixed=_THOROUGH_MIXED if thorough else 0,
        watched=_THOROUGH_WATCHED if thorough else 0,
        stops=_THOROUGH_STOPS if thorough else STOPS if games != 0 else 0,
    )
    brief = evolve(
        whole,
        games=min(whole.games, 1),
        jobs=1,
        node_limit=min(node_limit, _BRIEF),
        readings=False,
        states=0,
        mixed=0,
        watched=0,
        stops=min(whole.stops, _BRIEF_STOPS),
    )
    plans = {name: whole if asked else brief for name, asked in _names(specs, no_variants).items()}
    kept = Kept(folder)
    suites = list(_suites(plans, keyword, first, jobs, kept, quiet=json_))
    if json_:
        say_json([suite_entry(suite) for suite in suites])
    else:
        show_failures(suites, kept)
        show_summary(suites)
    return FOUND if any(suite.failed for suite in suites) else 0


def _names(specs: tuple[str, ...], no_variants: bool) -> dict[str, bool]:
    """The specs to be tested, each with its variants behind it; and whether with all readings.

    Of a variant that was not asked for, there is one play for each number of players.
    """
    found: dict[str, bool] = {}
    for name in specs:
        found[name] = True
        try:
            variants = () if no_variants else library.variants(name)
        except library.UnknownSpec as unknown:
            raise click.UsageError(str(unknown)) from unknown
        for variant in variants:
            found.setdefault(variant, False)
    return found


def _suites(
    plans: dict[str, Plan], keyword: str, first: bool, jobs: int, kept: Kept, quiet: bool
) -> Iterator[Suite]:
    """Runs the tests of each spec, a mark for each test; the games of all of them begin at once."""
    total = sum(plan.games for plan in plans.values())
    with Workers(jobs) as workers, progress("plays", total or None) as tell:
        telling = {name: evolve(plan, progress=tell) for name, plan in plans.items()}
        begun = [_Begun.of(name, keyword, plan, workers, kept) for name, plan in telling.items()]
        for each in begun:
            suite = each.finish(first, quiet, kept)
            yield suite
            if first and suite.failed:
                break


@frozen
class _Begun:
    """The tests of a spec whose games are being played, or why there are none."""

    name: str
    tests: Running | Report
    seconds: float

    @classmethod
    def of(cls, name: str, keyword: str, plan: Plan, workers: Workers, kept: Kept) -> "_Begun":
        """Compiles a spec and begins its games."""
        begun = perf_counter()
        spec = opened(name)
        if isinstance(spec, Report):
            return cls(name, spec, perf_counter() - begun)
        wanted = evolve(plan, wanted=lambda test: keyword in test, known=kept.known(spec.name))
        tests = begin_tests(spec, wanted, workers)
        return cls(name, tests, perf_counter() - begun)

    def finish(self, first: bool, quiet: bool, kept: Kept) -> Suite:
        """Waits for all tests, or with `first` for one that fails."""
        if isinstance(self.tests, Report):
            return Suite(self.name, (), self.tests, None, self.seconds, None)
        begun = perf_counter()
        decided: float | None = None
        found: list[Tested] = []
        if not quiet:
            say(f"{self.name} ", end="")
        for test in self.tests:
            found.append(test)
            kept.update(test)
            if decided is None:
                decided = self.seconds + perf_counter() - begun
            if not quiet:
                say(_MARKS[test.outcome], end="")
            if first and test.outcome is Outcome.FAILED:
                break
        if not quiet:
            say()
        seconds = self.seconds + perf_counter() - begun
        return Suite(self.name, tuple(found), None, self.tests.searched, seconds, decided)


# ---- what came of it


def show_failures(suites: list[Suite], kept: Kept) -> None:
    """What failed, where, and how to see it again."""
    paint = painter()
    for suite in suites:
        if suite.report is not None:
            say(full(suite.report, paint))
        for test in suite.tests:
            if test.outcome is Outcome.FAILED:
                say()
                for line in failure(test):
                    say(paint(line, Role.STRONG) if not line.startswith(" ") else line)
                for line in _to_see(suite.name, test, kept):
                    say(line)


def _to_see(spec: str, test: Tested, kept: Kept) -> Iterator[str]:
    """The commands that show a play again."""
    example = test.counterexample
    path = kept.path(test)
    if example is None or not path.is_file():
        return
    players = f"--players {example.record.configuration.players}"
    settings = "".join(f" --set {n}={v}" for n, v in example.record.configuration.pairs)
    yield f"  tell it:  rulewright replay {spec} {path}"
    yield f"  draw it:  rulewright flow {spec} {players}{settings} --trace {path} -o broken.svg"
    yield f"  test it:  {kept.scenario_path(test)}"


def show_summary(suites: list[Suite]) -> None:
    """How far the search went, and a line of figures."""
    counts = {outcome: sum(suite.count(outcome) for suite in suites) for outcome in Outcome}
    broken = sum(suite.report is not None for suite in suites)
    parts = [f"{count} {outcome.value}" for outcome, count in counts.items() if count]
    parts += [f"{broken} not compiled"] if broken else []
    for suite in suites:
        if suite.searched is not None:
            say(f"{suite.name}: {_went(suite.searched)}")
        for test in suite.tests:
            if test.outcome is Outcome.SKIPPED:
                say(f"{suite.name}: skipped {test.sort.value} “{test.title}”: {test.message}")
    seconds = sum(suite.seconds for suite in suites)
    failed = any(suite.failed for suite in suites)
    say()
    line = f"{', '.join(parts) or 'no tests'} in {seconds:.1f} s"
    say(painter()(line, Role.ERROR if failed else Role.STRONG))


def _went(searched: Searched) -> str:
    """How far a search went."""
    seen = searched.coverage
    parts = [
        f"{seen.share(sort)} {words}"
        for sort, words in ((SortOfPoint.STEP, "steps"), (SortOfPoint.OPTION, "options"))
        if seen.share(sort).total
    ]
    endless = f"; {searched.endless} without an end" if searched.endless else ""
    came = f"; {', '.join(parts)} came up" if parts else ""
    return f"{searched}{endless}{came}"


def suite_entry(suite: Suite) -> JsonEntry:
    """A suite as programs read it."""
    searched = suite.searched
    return {
        "name": suite.name,
        "passed": suite.count(Outcome.PASSED),
        "failed": suite.count(Outcome.FAILED),
        "skipped": suite.count(Outcome.SKIPPED),
        "failures": [
            _failure_entry(test) for test in suite.tests if test.outcome is Outcome.FAILED
        ],
        "tests": [_test_entry(test) for test in suite.tests],
        "searched": None
        if searched is None
        else {
            "configurations": searched.configurations,
            "gone_through": searched.whole,
            "states": searched.states,
            "plays": searched.plays,
            "endless": searched.endless,
        },
        "diagnostics": [] if suite.report is None else entries(suite.report),
        "seconds": round(suite.seconds, 6),
        "first_verdict_seconds": None if suite.first is None else round(suite.first, 6),
        "machine": "interpreter",
    }


def _test_entry(test: Tested) -> JsonEntry:
    return {
        "sort": test.sort.value,
        "title": test.title,
        "outcome": test.outcome.value,
        "message": test.message,
    }


def _failure_entry(test: Tested) -> JsonEntry:
    example = test.counterexample
    return {
        "name": test.name,
        "sort": test.sort.value,
        "title": test.title,
        "message": test.message,
        "help": test.hint or None,
        "clauses": list(test.clauses),
        "place": test.place,
        "configuration": None if example is None else str(example.finding.configuration),
        "moves": None if example is None else len(example.finding.ranks),
        "story": None if example is None else list(example.story),
        "record": None if example is None else str(example.record),
        "scenario": None if example is None else example.scenario,
    }
