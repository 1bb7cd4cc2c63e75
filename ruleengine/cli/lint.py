"""`lint`: what is in a rulebook to no purpose, and sentences that do not go together."""

from collections import defaultdict
from time import perf_counter

import click

from compiler.pipeline import Spec
from compiler.prose.lint import Remark, Sort, remarks
from compiler.resolve.citations import citings
from ruleengine.cli.options import FOUND, Whole, as_json, seeded, sound, specs
from ruleengine.cli.screen import JsonEntry, announce, say, say_json
from ruleengine.lint.vacuity import GAMES, Alarm, alarms


@click.command("lint", short_help="Ask about sentences, and about rules that do nothing.")
@specs
@click.option("--clauses", is_flag=True, help="Only the sentences of the rulebook.")
@click.option(
    "--games",
    type=Whole(0),
    default=GAMES,
    show_default=True,
    metavar="N",
    help="Random games of each configuration.",
)
@seeded
@as_json
def command(specs: tuple[str, ...], clauses: bool, games: int, seed: int, json_: bool) -> int:
    """Ask about sentences that do not go together, and about rules that do nothing.

    Sentences: two numbers for one quantity, `must` and `may` of one act, duplicates, terms that
    nothing explains, clauses that no rule tells apart. Rules: options that are never legal, guards
    that never decide, readings and parameters that change nothing, in the scenarios and in random
    games of every configuration. These are questions, not errors; the exit code is 1 if there are
    any.
    """
    found = False
    entries: list[JsonEntry] = []
    for name in dict.fromkeys(specs):
        spec = sound(name)
        begun = perf_counter()
        if not clauses:
            announce(f"{spec.name}: running scenarios and random games ...")
        asked = remarks_of(spec)
        idle = () if clauses else alarms(spec, games, seed)
        found |= bool(asked or idle)
        if json_:
            entries.append(lint_entry(spec, asked, idle, perf_counter() - begun))
        else:
            show_lint(spec, asked, idle)
    if json_:
        say_json(entries)
    return FOUND if found else 0


def remarks_of(spec: Spec) -> tuple[Remark, ...]:
    """What there is to ask about the sentences of a rulebook, if it has a table of them."""
    if spec.catalogue is None:
        return ()
    cited: dict[str, list[str]] = defaultdict(list)
    for citing in citings((spec.heading, *spec.declarations)):
        cited[citing.clause].append(str(citing.about.first.line))
    return remarks(spec.catalogue, cited, _words(spec))


def _words(spec: Spec) -> list[str]:
    """Names that the spec declares, their parts and plain plurals."""
    names = (getattr(getattr(one, "name", None), "text", "") for one in spec.declarations)
    parts = {part for name in names if isinstance(name, str) for part in (name, *name.split("_"))}
    return [*parts, *(f"{part}s" for part in parts)]


def show_lint(spec: Spec, asked: tuple[Remark, ...], idle: tuple[Alarm, ...]) -> None:
    """The questions, sentences first."""
    questions = "question" if len(asked) == 1 else "questions"
    say(f"{spec.name}: {len(asked)} {questions} on sentences, {len(idle)} on rules")
    for remark in asked:
        say(f"  {remark.sort.value}{_about(remark)}")
        for clause in remark.clauses:
            say(f"    {clause.id}  {clause.text}")
    for alarm in idle:
        cited = f"  @{' @'.join(alarm.clauses)}" if alarm.clauses else ""
        say(f"  {alarm.place}: {alarm.idle.value}: {alarm.words}{cited}")


def _about(remark: Remark) -> str:
    """What a remark is about; of clauses cited together the lines that cite them."""
    if not remark.about or remark.sort is not Sort.TOGETHER:
        return f": {remark.about}" if remark.about else ""
    return f": line{'s' if ',' in remark.about else ''} {remark.about}"


def lint_entry(
    spec: Spec, asked: tuple[Remark, ...], idle: tuple[Alarm, ...], seconds: float
) -> JsonEntry:
    """The questions as programs read them."""
    return {
        "name": spec.name,
        "sentences": [
            {
                "sort": remark.sort.name.lower(),
                "message": remark.sort.value,
                "about": remark.about or None,
                "clauses": {clause.id: clause.text for clause in remark.clauses},
            }
            for remark in asked
        ],
        "rules": [
            {
                "sort": alarm.idle.name.lower().replace("_", "-"),
                "message": alarm.idle.value,
                "about": alarm.words,
                "place": alarm.place,
                "clauses": list(alarm.clauses),
            }
            for alarm in idle
        ],
        "seconds": round(seconds, 6),
    }
