"""`test`: scenarios, invariants, claims, and what must hold in every game."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import shorten
from time import perf_counter
from typing import Final

import click
from attrs import evolve

from compiler.excerpt import Role
from compiler.render import entries, full
from ruleengine import library
from ruleengine.cli.options import FOUND, MOST_JOBS, Whole, as_json, seeded, specs
from ruleengine.cli.screen import JsonEntry, painter, progress, say, say_json
from ruleengine.coverage.misses import misses
from ruleengine.coverage.points import Sort as SortOfPoint
from ruleengine.processes import Workers
from ruleengine.testing.failing import failure
from ruleengine.testing.kept import FOLDER, Kept
from ruleengine.testing.plan import (
    NODE_LIMIT,
    STATES,
    STEPS,
    STOPS,
    Outcome,
    Plan,
    Searched,
    Tested,
)
from ruleengine.testing.suites import Asked, Suite, run_suites

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
_BRIEF_COMPARED: Final = 2
_MISSES: Final = 3  # of what no play came to that are told
_LISTED: Final = 3  # skipped for the same reason that are told one by one
_WIDTH: Final = 50
_MARKS: Final = {Outcome.PASSED: ".", Outcome.FAILED: "F", Outcome.SKIPPED: "s"}


@click.command("test", short_help="Run scenarios, and play games in which nothing may go wrong.")
@specs
@click.option(
    "-k",
    "keywords",
    multiple=True,
    metavar="WORDS",
    help="Only tests whose name has these words; may be said several times.",
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
    type=Whole(1, MOST_JOBS),
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
@click.option(
    "--inherit",
    is_flag=True,
    help="Of a variant, also play the scenarios of what it is laid over.",
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
    keywords: tuple[str, ...],
    first: bool,
    games: int | None,
    thorough: bool,
    jobs: int,
    node_limit: int,
    inherit: bool,
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
    begun = perf_counter()
    whole = Plan(
        games if games is not None else THOROUGH if thorough else GAMES,
        seed,
        jobs,
        node_limit,
        states=_THOROUGH_STATES if thorough else STATES if games != 0 else 0,
        mixed=_THOROUGH_MIXED if thorough else 0,
        watched=_THOROUGH_WATCHED if thorough else 0,
        stops=_THOROUGH_STOPS if thorough else STOPS if games != 0 else 0,
        alone=thorough,
        steps=None if thorough or games else STEPS,
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
        compared=_BRIEF_COMPARED,
    )
    kept = Kept(folder)
    whole = evolve(whole, keywords=keywords)
    brief = evolve(brief, keywords=keywords)
    asked = _asked(specs, no_variants, whole, brief, Asked("", whole, kept, first, inherit))
    try:
        suites = list(_suites(asked, jobs, json_))
    except library.UnknownSpec as unknown:
        raise click.UsageError(str(unknown)) from unknown
    if keywords and not any(suite.tests or suite.report for suite in suites):
        raise click.UsageError(f"no test has `{'` or `'.join(keywords)}` in its name")
    if json_:
        say_json([suite_entry(suite) for suite in suites])
    else:
        show_failures(suites, kept)
        show_summary(suites, perf_counter() - begun)
    return FOUND if any(suite.failed for suite in suites) else 0


def _asked(
    specs: tuple[str, ...], no_variants: bool, whole: Plan, brief: Plan, how: Asked
) -> dict[str, tuple[Asked, ...]]:
    """The specs to be tested, each with its variants behind it.

    Of a variant that was not asked for, there is one play for each number of players.
    """
    found: dict[str, tuple[Asked, ...]] = {}
    there = set(specs)
    for name in dict.fromkeys(specs):
        try:
            variants = () if no_variants else library.variants(name)
        except library.UnknownSpec as unknown:
            raise click.UsageError(str(unknown)) from unknown
        new = [variant for variant in variants if variant not in there]
        there.update(new)
        found[name] = (
            evolve(how, name=name, plan=whole),
            *(evolve(how, name=variant, plan=brief) for variant in new),
        )
    return found


def _suites(asked: dict[str, tuple[Asked, ...]], jobs: int, quiet: bool) -> Iterator[Suite]:
    """Runs the tests of each spec with its variants; a mark for each test as soon as it is known.

    With `-x` nothing is run behind a spec in which something fails.
    """
    total = sum(one.plan.games for several in asked.values() for one in several)
    with Workers(jobs) as workers, progress("plays", total or None) as tell:
        for whole, *others in asked.values():
            plan = evolve(whole.plan, progress=tell)
            mine = evolve(whole, plan=plan)
            if not quiet:
                say(f"{whole.name} ", end="")
            suites = run_suites(mine, tuple(others), workers, _marking(quiet))
            for number, suite in enumerate(suites):
                if number:
                    tell(suite.searched.plays if suite.searched is not None else 0)
                _show_marks(suite, number, quiet)
                for test in suite.tests:
                    whole.kept.update(test)
                yield suite
                if whole.stopping and suite.failed:
                    return


def _marking(quiet: bool) -> Callable[[Tested], None]:
    """Shows the mark of a test."""
    return (lambda _: None) if quiet else (lambda test: say(_MARKS[test.outcome], end=""))


def _show_marks(suite: Suite, number: int, quiet: bool) -> None:
    """The line of a suite; of the first the marks stand there already."""
    if not quiet:
        marks = "".join(_MARKS[test.outcome] for test in suite.tests) if number else ""
        say(f"{suite.name} {marks}" if number else "")


# ---- what came of it


def show_failures(suites: list[Suite], kept: Kept) -> None:
    """What failed, where, and how to see it again."""
    paint = painter()
    for suite in suites:
        for report in (suite.report, suite.astray):
            if report is not None and len(report):
                say(full(report, paint))
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


def show_summary(suites: list[Suite], seconds: float) -> None:
    """How far the search went, and a line of figures."""
    counts = {outcome: sum(suite.count(outcome) for suite in suites) for outcome in Outcome}
    broken = sum(suite.report is not None for suite in suites)
    parts = [f"{count} {outcome.value}" for outcome, count in counts.items() if count]
    parts += [f"{broken} not compiled"] if broken else []
    for suite in suites:
        if suite.searched is not None:
            say(f"{suite.name}: {_went(suite.searched)}")
            for line in (*_unended(suite), *_missed(suite.searched)):
                say(f"  {line}")
            if suite.searched.stayed:
                say(f"{suite.name}: played, not gone through: {suite.searched.stayed}")
        for line in _skipped(suite):
            say(f"{suite.name}: {line}")
    failed = any(suite.failed for suite in suites)
    say()
    line = f"{', '.join(parts) or 'no tests'} in {seconds:.1f} s"
    say(painter()(line, Role.ERROR if failed else Role.STRONG))


def _skipped(suite: Suite) -> Iterator[str]:
    """The tests that were skipped, those for the same reason together if they are many."""
    reasons: dict[str, list[Tested]] = {}
    for test in suite.tests:
        if test.outcome is Outcome.SKIPPED:
            reasons.setdefault(test.message, []).append(test)
    for message, tests in reasons.items():
        if len(tests) > _LISTED:
            yield f"skipped {len(tests)} laws, invariants and claims: {message}"
        else:
            yield from (f"skipped {one.sort.value} “{one.title}”: {message}" for one in tests)


def _unended(suite: Suite) -> Iterator[str]:
    """What it means that plays are without an end, and the command that shows one."""
    if suite.searched is not None and suite.searched.endless:
        yield (
            "without an end: given up at the limit of steps (`--node-limit`); watch one: "
            f"`rulewright play {suite.name} --bots all --seed 1`"
        )


def _missed(searched: Searched) -> Iterator[str]:
    """What no play came to, those first that plays came nearest to."""
    found = sorted(misses(searched.coverage), key=lambda miss: -miss.near)
    shown = [miss for miss in found if miss.near][:_MISSES]
    for miss in shown:
        yield f"not met: {miss.point.place}: {shorten(miss.text, _WIDTH)}: {miss.why}"
    if shown and len(found) > len(shown):
        yield f"and {len(found) - len(shown)} more, see `rulewright coverage --all`"


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
            "not_gone_through": searched.stayed or None,
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
