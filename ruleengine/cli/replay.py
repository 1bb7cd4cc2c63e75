"""`replay`: a recorded game, step by step."""

from pathlib import Path

import click

from ruleengine.cli.forms import form_of, is_folder, named_phase, put, refuse_unseen
from ruleengine.cli.options import FOUND, SpecName, Whole, as_json
from ruleengine.cli.overlays import trail
from ruleengine.cli.pages import show, width
from ruleengine.cli.recorded import course_of, seat_of
from ruleengine.cli.screen import JsonEntry, say, say_json
from ruleengine.drawing import shown
from ruleengine.play.course import Course
from ruleengine.play.retelling import Retelling, retold


@click.command("replay", short_help="Tell a recorded game step by step, with clauses.")
@click.argument("spec", type=SpecName(), metavar="SPEC")
@click.argument("record", type=click.Path(), metavar="RECORD")
@click.option("--seat", metavar="A", help="Tell only what this seat may know.")
@click.option("--tables", is_flag=True, help="Show the table at each decision.")
@click.option(
    "--flow",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw where the game went instead: numbered arrows; the ending says the format.",
)
@click.option(
    "--phase", metavar="PHASE", help="With --flow: draw this phase only, by its name or title."
)
@click.option("--upto", type=Whole(0), metavar="N", help="With --flow: its first N steps.")
@as_json
def command(
    spec: str,
    record: str,
    seat: str | None,
    tables: bool,
    flow: Path | None,
    phase: str | None,
    upto: int | None,
    json_: bool,
) -> int:
    """Tell a recorded game step by step, with clauses.

    Without --seat it is told as a referee sees it, numbered as in the record. A line that does not
    fit is named, with what fits there; the exit code is then 1.
    """
    _refuse_odd(flow, phase, upto, (seat is not None, tables, json_))
    course = course_of(spec, record)
    if flow is not None:
        return _drawn(course, record, flow, phase, upto)
    eyes = seat_of(course, seat)
    if json_:
        say_json([_entry(course, eyes)])
    else:
        show(Retelling(course, eyes, width(), tables).lines())
    return 0


def _refuse_odd(
    flow: Path | None, phase: str | None, upto: int | None, telling: tuple[bool, ...]
) -> None:
    """Refuses options that say nothing together: a drawing shows all of a game, to anybody."""
    if flow is None and (phase is not None or upto is not None):
        raise click.UsageError("`--phase` and `--upto` go with `--flow FILE`")
    if flow is not None and any(telling):
        raise click.UsageError("`--flow` draws; `--seat`, `--tables` and `--json` tell")


def _drawn(course: Course, name: str, flow: Path, phase: str | None, upto: int | None) -> int:
    """Writes the chart with the ways that the game went."""
    form = form_of(flow, None)
    if is_folder(flow):
        raise click.UsageError(f"`{flow}` is no file with an ending, as `game.html` is")
    refuse_unseen(form, ("--trace",))
    phase = named_phase(course.game.graph, phase)
    lay = trail(course.game, course.record, name, upto)
    if put(shown(course.game.compiled, form, lay, phase=phase), flow):
        return FOUND
    say(str(flow))
    return 0


def _entry(course: Course, seat: int | None) -> JsonEntry:
    steps = [
        {
            **({} if step.number is None else {"step": step.number}),
            "words": step.words,
            "clauses": list(step.clauses),
            "told": [{"text": told.text, "clauses": list(told.clauses)} for told in step.told],
        }
        for step in retold(course, seat)
    ]
    eyes = None if seat is None else chr(ord("A") + seat)
    return {"name": course.game.name, "seat": eyes, "steps": steps, "result": course.result}
