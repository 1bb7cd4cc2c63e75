"""`play`: a game in the terminal, people and bots in any seat."""

import secrets
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import Final

import click
from attrs import define, field

from compiler.config import Configuration
from compiler.source import Obstacle, SourceFile, Unreadable
from ruleengine.cli.bots import judged, scored
from ruleengine.cli.options import SpecName, Whole, chosen, configured, loaded
from ruleengine.cli.pages import show, width, wipe
from ruleengine.cli.recorded import game_of, refuse, resumed
from ruleengine.cli.screen import note, say
from ruleengine.cli.standing import standing
from ruleengine.game import Instance
from ruleengine.play.course import Course
from ruleengine.play.lines import Page
from ruleengine.play.seating import Seated, WrongSeat, seated
from ruleengine.play.session import Session
from ruleengine.play.shelf import ShelfError
from ruleengine.players import naming
from ruleengine.players.naming import UnknownBot
from ruleengine.record import RecordError

SUFFIX: Final = ".record"
INTERRUPTED: Final = 130
WRONG_USE: Final = 2
_SEEDS: Final = 1 << 32
_FIRST_LINE: Final = "rulewright record "


class Files:
    """Games kept in files; nothing is written over but other games."""

    def put(self, name: str, text: str) -> None:
        """Writes a record; refuses to replace anything else."""
        path = Path(name)
        if path.exists() and not path.is_file():
            what = Obstacle.FOLDER.value if path.is_dir() else "it is no file"
            raise ShelfError(f"{name} cannot be written: {what}")
        there = None if not path.exists() else SourceFile.read(path)
        if isinstance(there, Unreadable):
            raise ShelfError(f"{name} is there and is no record ({there.obstacle.value})")
        if there is not None and not there.text.startswith(_FIRST_LINE):
            raise ShelfError(f"{name} is there and is no record; choose another name")
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise ShelfError(f"{name} cannot be written: {error.strerror}") from error

    def get(self, name: str) -> str:
        """Reads a record."""
        text = SourceFile.read(Path(name), name)
        if isinstance(text, Unreadable):
            raise ShelfError(f"{name} cannot be read: {text.obstacle.value}")
        return text.text


@click.command("play", short_help="Play in the terminal, people and bots in any seat.")
@click.argument("spec", type=SpecName(), metavar="SPEC")
@click.option("--seat", "people", metavar="A,B", help="Where people sit.  [default: A]")
@click.option(
    "--bots",
    metavar="B,C=mcts:500|all|none",
    help="Where bots sit, and which: random, greedy, flat, mcts, ismcts.  [default: the others]",
)
@scored
@click.option(
    "--seed",
    type=Whole(0, 2**64 - 1),
    metavar="S",
    help="The same seed gives the same chance and bots.  [default: another each time]",
)
@click.option("--resume", type=click.Path(), metavar="FILE", help="Go on with a kept game.")
@click.option("--record", "kept", type=click.Path(), metavar="FILE", help="Where to keep the game.")
@configured
def command(
    spec: str,
    people: str | None,
    bots: str | None,
    score: str | None,
    seed: int | None,
    resume: str | None,
    kept: str | None,
    players: int | None,
    settings: tuple[str, ...],
) -> int:
    """Play in the terminal, people and bots in any seat.

    Answers are numbers or words; `help` at the prompt lists what else there is. People who share a
    screen hand it over. In a pipe, lines of the input are the answers. A game that is broken off is
    kept in a file, and --resume goes on with it.
    """
    if kept is not None and not Path(kept).absolute().parent.is_dir():
        folder = Path(kept).parent
        raise click.UsageError(f"`{kept}` cannot be written: there is no folder `{folder}`")
    record = None if resume is None else resumed(spec, resume)
    configuration = chosen(players, settings)
    if record is not None and resume is not None and configuration == Configuration():
        game = game_of(spec, resume, record)
    else:
        game = loaded(spec, configuration).game
    number = 0 if record is None else record.game
    sitting = _seated(game, people, bots)
    with judged():
        makers = naming.makers(game, sitting.bots, score, perf_counter)
    drawn = secrets.randbelow(_SEEDS) if seed is None else seed
    course = Course.begin(game, drawn, number, makers)
    session = Session.of(course, sitting.people, Files(), width())
    session.kept = kept or resume
    session.charts = standing
    if record is not None and resume is not None:
        try:
            session.take_up(record)
        except RecordError as error:
            refuse(resume, error)
    return _Table(spec, session, _who(people, bots, score)).play()


def _seated(game: Instance, people: str | None, bots: str | None) -> Seated:
    try:
        return seated(game.seats, people, bots)
    except (WrongSeat, UnknownBot) as wrong:
        raise click.UsageError(str(wrong)) from wrong


def _who(people: str | None, bots: str | None, score: str | None) -> str:
    """The options that seat people and bots as they are seated."""
    said = (("--seat", people), ("--bots", bots), ("--score", score))
    return "".join(f" {name} {quote(value)}" for name, value in said if value is not None)


@define(eq=False)
class _Table:
    """Plays a session until it is over, at a terminal or in a pipe."""

    spec: str
    session: Session
    who: str
    _heard: bool = field(default=False, init=False)  # a line was typed

    def play(self) -> int:
        """Plays; the exit code."""
        session = self.session
        try:
            show(session.begin().lines)
            while not session.over:
                self._show(session.feed(self._line()) if session.waits else session.go_on())
        except EOFError:
            say()
            nobody = not self._heard and bool(session.people) and not sys.stdin.isatty()
            if nobody:
                note(
                    "There is nobody at a terminal: pipe answers in, one on each line, or let "
                    "bots play with `--bots all`."
                )
            self._keep()
            return WRONG_USE if nobody else 0
        except KeyboardInterrupt:
            say()
            self._keep()
            return INTERRUPTED
        self._keep()
        return 0

    def _show(self, page: Page) -> None:
        if page.fresh:
            wipe()
        show(page.lines)

    def _line(self) -> str:
        """A line of input; in a pipe it is shown, so that what comes out can be read alone."""
        if sys.stdin.isatty() and sys.stdout.isatty():
            typed = input(self.session.prompt)
        else:
            click.echo(self.session.prompt, nl=False)
            read = sys.stdin.readline()
            if not read:
                raise EOFError
            typed = read.rstrip("\r\n")
            click.echo(typed)
        self._heard = True
        return typed

    # ---- what is left of a game

    def _keep(self) -> None:
        """Keeps the game and says where, unless there is nothing to lose."""
        session = self.session
        course = session.course
        if not session.people:
            say(f"The same game again: --seed {course.seed}")
        finished = bool(session.people) and course.result is not None
        if session.kept is None and not session.has_answers and not finished:
            return
        text = str(course.record)
        for name in _names(session.kept, course.game.name):
            try:
                session.shelf.put(name, text)
            except ShelfError as error:
                note(f"{error}.")
                continue
            self._kept(name)
            return
        note("The game could not be kept in a file; this is its record:")
        say(text)

    def _kept(self, name: str) -> None:
        say(f"Kept in {name}.")
        if self.session.course.result is None:
            say(f"Go on: rulewright play {quote(self.spec)} --resume {quote(name)}{self.who}")
        else:
            say(f"See it again: rulewright replay {quote(self.spec)} {quote(name)}")


def _names(kept: str | None, game: str) -> Sequence[str]:
    """Where to keep a game: where it was kept before, else a new file named after its rulebook."""
    free = next(f"{game}-{n}{SUFFIX}" for n in count(1) if not Path(f"{game}-{n}{SUFFIX}").exists())
    return (free,) if kept is None else (kept, free)
