"""`coverage`: which clauses and rules scenarios and plays come to, and what is never reached."""

import os
from pathlib import Path
from textwrap import shorten

import click

from compiler.excerpt import Role
from compiler.pipeline import Spec
from compiler.source import SourceFile, Unreadable
from ruleengine.cli.options import FOUND, MOST_JOBS, Whole, as_json, seeded, sound, specs
from ruleengine.cli.screen import JsonEntry, announce, note, painter, progress, say, say_json
from ruleengine.cli.writing import Target, write
from ruleengine.coverage.ledger import Coverage, UnreadableLedger, ledger_text, read_ledger
from ruleengine.coverage.misses import misses
from ruleengine.measure.coverage import Survey, survey
from ruleengine.record import rules_digest
from ruleengine.report.coverage import SHARES, page, said
from ruleengine.testing.plan import NODE_LIMIT, Plan

GAMES = 60
"""Plays of each spec, unless said otherwise."""

_WIDTH = 96


@click.command("coverage", short_help="Say which clauses and rules games come to.")
@specs
@click.option(
    "--games",
    type=Whole(0),
    default=GAMES,
    show_default=True,
    metavar="N",
    help="Plays of each spec, at least one of every configuration unless 0.",
)
@click.option("--no-scenarios", is_flag=True, help="Count plays only.")
@click.option(
    "-j",
    "--jobs",
    type=Whole(1, MOST_JOBS),
    default=os.cpu_count() or 1,
    metavar="N",
    help="How many processes play games; as many as there are processors.",
)
@click.option("--all", "every", is_flag=True, help="List every rule that was never come to.")
@click.option(
    "--merge",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Add what an earlier run came to; may be said several times.",
)
@click.option("--save", type=Target(), metavar="FILE", help="Write all of it to a file.")
@click.option(
    "--html",
    type=Target(),
    metavar="FILE",
    help="Write a page: clauses, chart and rules by heat.",
)
@seeded
@as_json
def command(
    specs: tuple[str, ...],
    games: int,
    no_scenarios: bool,
    jobs: int,
    every: bool,
    merge: tuple[Path, ...],
    save: Path | None,
    html: Path | None,
    seed: int,
    json_: bool,
) -> int:
    """Say which clauses and rules games come to.

    Counted are scenarios and plays through every number of players, every reading and the ends of
    every parameter. A clause is reached if a rule that cites it was in play: a step done, a test
    true, an option chosen, a guard that refused, a case used. The exit code is 1 if a mechanical
    clause is not reached, or a scenario fails.
    """
    names = tuple(dict.fromkeys(specs))
    if len(names) > 1 and (merge or save or html):
        raise click.UsageError("--merge, --save and --html are about one SPEC")
    plan = Plan(games, seed, jobs, NODE_LIMIT, states=Plan(0).states if games else 0)
    found = []
    for name in names:
        spec = sound(name)
        before = sum((_read(path, spec) for path in merge), Coverage.nothing())
        found.append(_surveyed(spec, plan, before, scenarios=not no_scenarios))
    for one in found:
        if save is not None:
            digest = rules_digest(one.spec.sources)
            write(save, ledger_text(one.coverage, one.spec.name, digest).encode())
        if html is not None:
            write(html, page(one).encode())
    if json_:
        say_json([_entry(one) for one in found])
    else:
        for one in found:
            _show(one, every)
    return FOUND if any(one.missed or one.failed for one in found) else 0


def _surveyed(spec: Spec, plan: Plan, before: Coverage, *, scenarios: bool) -> Survey:
    announce(f"{spec.name}: running scenarios and plays ...")
    with progress("plays", plan.games or None) as tell:
        played = Plan(plan.games, plan.seed, plan.jobs, states=plan.states, progress=tell)
        return survey(spec, played, scenarios=scenarios, before=before)


def _read(path: Path, spec: Spec) -> Coverage:
    """What an earlier run came to."""
    file = SourceFile.read(path)
    if isinstance(file, Unreadable):
        raise click.UsageError(f"`{path}` cannot be read: {file.obstacle.value}")
    try:
        return read_ledger(file.text, rules_digest(spec.sources))
    except UnreadableLedger as error:
        raise click.UsageError(f"`{path}` cannot be added: {error}") from error


# ---- what came of it


def _show(found: Survey, every: bool) -> None:
    say(painter()(f"{found.spec.name}: {said(found).removeprefix('From ')}", Role.STRONG))
    clauses = found.clauses
    shares = [(words, found.coverage.share(sort)) for sort, words in SHARES]
    if clauses is not None:
        shares.insert(0, ("mechanical clauses reached", clauses.share))
    for words, share in shares:
        if share.total:
            say(f"  {share!s:>12} {words} ({share.part:.1%})")
    for title in found.failed:
        note(f"{found.spec.name}: the scenario “{title}” fails; it is counted as far as it came")
    for missed in found.missed:
        say()
        say(painter()(f"{missed.clause} is not reached", Role.ERROR))
        say(f"  {shorten(missed.text, _WIDTH, placeholder=' ...')}")
        say(f"  {missed.why}")
    if every:
        say()
        for miss in misses(found.coverage):
            how = f" {miss.point.how}" if miss.point.how else ""
            say(f"{miss.point.place}: {miss.point.sort.value}{how}: {miss.text}")
            say(f"  {miss.why}")
    say()


def _entry(found: Survey) -> JsonEntry:
    clauses = found.clauses
    return {
        "name": found.spec.name,
        "clauses": {
            "mechanical": 0 if clauses is None else len(clauses.mechanical),
            "reached": 0 if clauses is None else len(clauses.reached),
            "unreached": [missed.clause for missed in found.missed],
        },
        "missed": [
            {
                "clause": missed.clause,
                "text": missed.text,
                "place": None if missed.miss is None else missed.miss.point.place,
                "why": missed.why if missed.miss is None else missed.miss.why,
            }
            for missed in found.missed
        ],
        **{
            sort.value: {"reached": share.reached, "total": share.total}
            for sort, _ in SHARES
            for share in (found.coverage.share(sort),)
        },
        "unreached": [
            {
                "place": miss.point.place,
                "sort": miss.point.sort.value,
                "how": miss.point.how,
                "text": miss.text,
                "why": miss.why,
            }
            for miss in misses(found.coverage)
        ],
        "scenarios": found.scenarios,
        "failing": list(found.failed),
        "plays": 0 if found.searched is None else found.searched.plays,
        "states": 0 if found.searched is None else found.searched.states,
    }
