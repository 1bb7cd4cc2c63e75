"""`test`: scenarios, invariants, and what must hold in every game."""

import os
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import click
from attrs import evolve, frozen

from compiler.diagnostic import Report
from compiler.excerpt import Role
from compiler.render import entries, full
from ruleengine import library
from ruleengine.cli.options import FOUND, Whole, as_json, opened, seeded, specs
from ruleengine.cli.screen import JsonEntry, painter, progress, say, say_json
from ruleengine.processes import Workers
from ruleengine.testing import NODE_LIMIT, Outcome, Plan, Tested, begin_tests

GAMES = 60
"""Random games for each spec, unless said otherwise."""

_BRIEF = 5_000  # steps after which a game of a variant that was not asked for is given up
_LAST_MOVES = 4  # of a play that are shown with what broke in it
_MARKS = {Outcome.PASSED: ".", Outcome.FAILED: "F", Outcome.SKIPPED: "s"}


@frozen
class Suite:
    """The tests of one spec and how long they took; `report` says why there are none."""

    name: str
    tests: tuple[Tested, ...]
    report: Report | None
    seconds: float

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
    default=GAMES,
    show_default=True,
    metavar="N",
    help="Random games for each spec; at least one for every configuration, unless 0.",
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
    help="Steps after which a game is given up.",
)
@click.option("--no-variants", is_flag=True, help="Leave out the variants found for a spec.")
@click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where to write the record of every game in which something broke.",
)
@seeded
@as_json
def command(
    specs: tuple[str, ...],
    keyword: str,
    first: bool,
    games: int,
    jobs: int,
    node_limit: int,
    no_variants: bool,
    records: Path | None,
    seed: int,
    json_: bool,
) -> int:
    """Run scenarios, and play games in which nothing may go wrong.

    Scenarios are those in the files of a spec. Random games go through every number of players and
    every reading of a ruling: no token may be lost, no rule may break down, invariants hold, and
    the game ends. A spec is tested with the variants found for it. The exit code is 1 if anything
    fails.
    """
    whole = Plan(games, seed, jobs, node_limit)
    brief = Plan(min(games, 1), seed, 1, min(node_limit, _BRIEF), readings=False)
    plans = {name: whole if asked else brief for name, asked in _names(specs, no_variants).items()}
    suites = list(_suites(plans, keyword, first, jobs, quiet=json_))
    if records is not None:
        _write_records(suites, records)
    if json_:
        say_json([suite_entry(suite) for suite in suites])
    else:
        show_failures(suites)
        show_summary(suites)
    return FOUND if any(suite.failed for suite in suites) else 0


def _names(specs: tuple[str, ...], no_variants: bool) -> dict[str, bool]:
    """The specs to be tested, each with its variants behind it; and whether with all readings.

    Of a variant that was not asked for, one game is played for each number of players.
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
    plans: dict[str, Plan], keyword: str, first: bool, jobs: int, quiet: bool
) -> Iterator[Suite]:
    """Runs the tests of each spec, a mark for each test; the games of all of them begin at once."""
    total = sum(plan.games for plan in plans.values())
    with Workers(jobs) as workers, progress("games", total or None) as tell:
        telling = {name: evolve(plan, progress=tell) for name, plan in plans.items()}
        begun = [_Begun.of(name, keyword, plan, workers) for name, plan in telling.items()]
        for each in begun:
            suite = each.finish(first, quiet)
            yield suite
            if first and suite.failed:
                break


@frozen
class _Begun:
    """The tests of a spec whose games are being played, or why there are none."""

    name: str
    tests: Iterator[Tested] | Report
    seconds: float

    @classmethod
    def of(cls, name: str, keyword: str, plan: Plan, workers: Workers) -> "_Begun":
        """Compiles a spec and begins its games."""
        begun = perf_counter()
        spec = opened(name)
        if isinstance(spec, Report):
            return cls(name, spec, perf_counter() - begun)
        wanted = evolve(plan, wanted=lambda test: keyword in test)
        tests = begin_tests(spec, wanted, workers)
        return cls(name, tests, perf_counter() - begun)

    def finish(self, first: bool, quiet: bool) -> Suite:
        """Waits for all tests, or with `first` for one that fails."""
        if isinstance(self.tests, Report):
            return Suite(self.name, (), self.tests, self.seconds)
        begun = perf_counter()
        found: list[Tested] = []
        if not quiet:
            say(f"{self.name} ", end="")
        for test in self.tests:
            found.append(test)
            if not quiet:
                say(_MARKS[test.outcome], end="")
            if first and test.outcome is Outcome.FAILED:
                break
        if not quiet:
            say()
        return Suite(self.name, tuple(found), None, self.seconds + perf_counter() - begun)


# ---- what came of it


def show_failures(suites: list[Suite]) -> None:
    """What failed, where, and how to see it again."""
    paint = painter()
    for suite in suites:
        if suite.report is not None:
            say(full(suite.report, paint))
        for test in suite.tests:
            if test.outcome is Outcome.FAILED:
                say()
                say(paint(f"{test.place}: {test.name}" if test.place else test.name, Role.STRONG))
                _show_failure(test)


def _show_failure(test: Tested) -> None:
    cited = f"  @{' @'.join(test.clauses)}" if test.clauses else ""
    say(f"  {test.message}{cited}")
    if test.hint:
        say(f"  {test.hint}")
    finding = test.finding
    if finding is not None:
        settings = str(finding.configuration)
        moves = finding.record.partition("\n\n")[2].splitlines()
        how = "the play ends with" if moves else "before the first move"
        say(f"  game {finding.game} of seed {finding.seed}, {settings}; {how}")
        for line in moves[-_LAST_MOVES:]:
            say(f"    {line}")


def show_summary(suites: list[Suite]) -> None:
    """A line of figures."""
    counts = {outcome: sum(suite.count(outcome) for suite in suites) for outcome in Outcome}
    broken = sum(suite.report is not None for suite in suites)
    parts = [f"{count} {outcome.value}" for outcome, count in counts.items() if count]
    parts += [f"{broken} not compiled"] if broken else []
    for suite in suites:
        for test in suite.tests:
            if test.outcome is Outcome.PASSED and test.message:
                say(f"{suite.name}: {test.message}")
    seconds = sum(suite.seconds for suite in suites)
    failed = any(suite.failed for suite in suites)
    say()
    line = f"{', '.join(parts) or 'no tests'} in {seconds:.1f} s"
    say(painter()(line, Role.ERROR if failed else Role.STRONG))


def suite_entry(suite: Suite) -> JsonEntry:
    """A suite as programs read it."""
    return {
        "name": suite.name,
        "passed": suite.count(Outcome.PASSED),
        "failed": suite.count(Outcome.FAILED),
        "skipped": suite.count(Outcome.SKIPPED),
        "failures": [
            _failure_entry(test) for test in suite.tests if test.outcome is Outcome.FAILED
        ],
        "diagnostics": [] if suite.report is None else entries(suite.report),
        "seconds": round(suite.seconds, 6),
        "machine": "interpreter",
    }


def _failure_entry(test: Tested) -> JsonEntry:
    finding = test.finding
    return {
        "name": test.name,
        "sort": test.sort.value,
        "title": test.title,
        "message": test.message,
        "help": test.hint or None,
        "clauses": list(test.clauses),
        "place": test.place,
        "game": None if finding is None else finding.game,
        "seed": None if finding is None else finding.seed,
        "configuration": None if finding is None else str(finding.configuration),
        "record": None if finding is None else finding.record,
    }


def _write_records(suites: list[Suite], folder: Path) -> None:
    """A file for each game in which something broke."""
    folder.mkdir(parents=True, exist_ok=True)
    for suite in suites:
        for test in suite.tests:
            if test.finding is not None:
                name = f"{suite.name.replace('/', '_')}-{test.finding.game}.record"
                (folder / name).write_text(test.finding.record, encoding="utf-8")
