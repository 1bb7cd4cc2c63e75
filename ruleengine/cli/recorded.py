"""Records by file name, and the games that they tell."""

from pathlib import Path
from typing import NoReturn

import click

from compiler.diagnostic import Report
from compiler.source import Obstacle, SourceFile, Unreadable
from ruleengine.cli.options import FOUND, loaded, opened
from ruleengine.cli.screen import note, say_json
from ruleengine.game import Instance
from ruleengine.play.course import Course
from ruleengine.record import Record, RecordError, rules_digest


def record_of(name: str) -> Record:
    """The record in a file; what is wrong with it is said and ends the command."""
    text = SourceFile.read(Path(name), name)
    if isinstance(text, Unreadable):
        line = text.span.first.line
        where = f" (in line {line})" if text.obstacle is Obstacle.NOT_UTF_8 else ""
        raise click.UsageError(f"`{name}` cannot be read: {text.obstacle.value}{where}")
    try:
        return Record.parse(text.text)
    except RecordError as error:
        refuse(name, error)


def resumed(spec: str, name: str) -> Record:
    """The record of a game of this rulebook that is to go on; another's ends the command."""
    record = record_of(name)
    found = opened(spec)
    if not isinstance(found, Report) and record.spec not in ("", found.name):
        raise click.UsageError(
            f"`{name}` is a game of `{record.spec}`, not of `{found.name}`; go on with it by "
            f"`rulewright play {record.spec} --resume {name}`"
        )
    return record


def game_of(spec: str, name: str, record: Record) -> Instance:
    """The game of a record; settings that the rulebook does not take end the command."""
    try:
        return loaded(spec, record.configuration).game
    except click.UsageError as error:
        raise click.UsageError(f"`{name}` is no game of this rulebook: {error.message}") from error


def course_of(spec: str, name: str) -> Course:
    """A recorded game, gone through to its end; a line that does not fit ends the command."""
    record = record_of(name)
    _tell_other_rulebook(spec, name, record)
    game = game_of(spec, name, record)
    course = Course.begin(game, record.seed or 0, record.game)
    try:
        course.follow(record)
    except RecordError as error:
        if course.now.fault is None or len(course.steps) < len(record.steps):
            refuse(name, error)
    if record.digest not in ("", rules_digest(game.compiled.spec.sources)):
        note(f"The rules have changed since {name} was made; every line still fits.")
    return course


def refuse(name: str, error: RecordError) -> NoReturn:
    """Says which line of a record does not fit, and what fits there; ends the command."""
    context = click.get_current_context(silent=True)
    if context is not None and context.params.get("json_"):
        misfit = {"line": error.line, "message": error.reason, "fits": list(error.fits)}
        say_json([{"name": name, "misfit": misfit}])
    else:
        note(f"{name}, {error}")
    raise click.exceptions.Exit(FOUND)


def _tell_other_rulebook(spec: str, name: str, record: Record) -> None:
    """Says so if a record was made with another rulebook than it is tried with."""
    found = opened(spec)
    if not isinstance(found, Report) and record.spec not in ("", found.name):
        note(f"{name} was made with `{record.spec}`; it is tried with `{found.name}`.")


def seat_of(course: Course, letter: str | None) -> int | None:
    """The seat of a letter; `None` for none."""
    if letter is None:
        return None
    seat = ord(letter.upper()) - ord("A") if len(letter) == 1 else -1
    if seat not in course.seats:
        letters = ", ".join(chr(ord("A") + one) for one in course.seats)
        raise click.UsageError(f"there is no seat `{letter}`: the seats are {letters}")
    return seat
