"""`replay`: a recorded game, step by step."""

import click

from ruleengine.cli.options import SpecName, as_json
from ruleengine.cli.pages import show, width
from ruleengine.cli.recorded import course_of, seat_of
from ruleengine.cli.screen import JsonEntry, say_json
from ruleengine.play.course import Course
from ruleengine.play.retelling import Retelling, retold


@click.command("replay", short_help="Tell a recorded game step by step, with clauses.")
@click.argument("spec", type=SpecName(), metavar="SPEC")
@click.argument("record", type=click.Path(), metavar="RECORD")
@click.option("--seat", metavar="A", help="Tell only what this seat may know.")
@click.option("--tables", is_flag=True, help="Show the table at each decision.")
@as_json
def command(spec: str, record: str, seat: str | None, tables: bool, json_: bool) -> None:
    """Tell a recorded game step by step, with clauses.

    Without --seat it is told as a referee sees it, numbered as in the record. A line that does not
    fit is named, with what fits there; the exit code is then 1.
    """
    course = course_of(spec, record)
    eyes = seat_of(course, seat)
    if json_:
        say_json([_entry(course, eyes)])
        return
    show(Retelling(course, eyes, width(), tables).lines())


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
