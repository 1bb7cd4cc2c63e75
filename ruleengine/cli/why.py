"""`why`: whether an answer was legal at a point of a recorded game, and which rule says so."""

import click

from compiler.graph.values import seat_text
from ruleengine.cli.options import SpecName, Whole, as_json
from ruleengine.cli.pages import show, width
from ruleengine.cli.recorded import course_of, seat_of
from ruleengine.cli.screen import JsonEntry, say_json
from ruleengine.play.citing import Citing, where
from ruleengine.play.course import Course
from ruleengine.play.lines import Line, Look
from ruleengine.play.reasons import Reasons, Verdict


@click.command(
    "why",
    short_help="Say why an answer is legal or not at a point of a game.",
    context_settings={"ignore_unknown_options": True},  # an answer may begin with `-`
)
@click.argument("spec", type=SpecName(), metavar="SPEC")
@click.argument("record", type=click.Path(), metavar="RECORD")
@click.argument("answer", nargs=-1, required=True, metavar="ANSWER")
@click.option(
    "--at",
    type=Whole(1),
    metavar="N",
    help="Before step N, as `replay` numbers them.  [default: the last decision]",
)
@click.option("--seat", metavar="A", help="Whom to ask where several choose at once.")
@as_json
def command(
    spec: str, record: str, answer: tuple[str, ...], at: int | None, seat: str | None, json_: bool
) -> None:
    """Say why an answer is legal or not at a point of a recorded game.

    ANSWER is written as in the record, or shortened as at the prompt of `play`; of what is left out
    every way to fill it is looked at.
    """
    course = course_of(spec, record)
    who = _go_to(course, at, seat_of(course, seat))
    reasons = Reasons(course.game, Citing(course.game.compiled))
    table = course.now.table
    verdicts = reasons.verdicts(table, course.choices(who), who, " ".join(answer))
    step = len(course.moments)
    if not any(verdict.read for verdict in verdicts):
        told = verdicts[0]
        said = told.words.strip("`")
        raise click.UsageError(f"`{said}` is no answer at step {step}: {told.note}")
    if json_:
        say_json([_entry(course, step, who, verdicts)])
        return
    title = course.game.graph.nodes[table.node].title
    asked = f"Step {step}, {seat_text(who)}" + (f": {title}" if title else "")
    show((Line(asked, Look.ASKED), *reasons.lines(verdicts, width())))


def _go_to(course: Course, at: int | None, seat: int | None) -> int:
    """Goes back to a decision; the seat that is asked there."""
    decisions = [n for n, moment in enumerate(course.moments, 1) if moment.choice is not None]
    asked = [n - 1 for n in decisions] + ([len(course.moments)] if course.asked else [])
    if not asked:
        raise click.UsageError("nobody is asked anything in this record")
    step = asked[-1] if at is None else at
    if step not in asked:
        near = sorted(asked, key=lambda n: (abs(n - step), n))[:4]
        listed = ", ".join(map(str, sorted(near)))
        raise click.UsageError(f"nobody is asked at step {step}; decisions near it are {listed}")
    course.go_back(step - 1)
    if seat is None:
        return course.asked[0]
    if seat not in course.asked:
        letters = ", ".join(map(seat_text, course.asked))
        raise click.UsageError(f"at step {step} {letters} is asked, not {seat_text(seat)}")
    return seat


def _entry(course: Course, step: int, seat: int, verdicts: tuple[Verdict, ...]) -> JsonEntry:
    found = [
        {
            "answer": verdict.words,
            "legal": verdict.legal,
            "rules": [{"text": text, "at": where(span)} for text, span in verdict.rules],
            "values": list(verdict.values),
            "note": verdict.note,
            "clauses": list(verdict.clauses),
        }
        for verdict in verdicts
    ]
    return {
        "name": course.game.name,
        "step": step,
        "seat": seat_text(seat),
        "answers": found,
    }
