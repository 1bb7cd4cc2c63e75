"""A recorded game told again: to the referee every line of the record, to a seat what it observed.

The referee's steps are numbered as they stand in the record.  A seat's are not: how often chance
decides behind its back is not for it to know.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define, evolve, frozen

from compiler.graph.core import Clauses
from ruleengine.play.course import Course, Moment
from ruleengine.play.faces import Faces
from ruleengine.play.lines import Line, Look, paragraph
from ruleengine.play.scene import Scene
from ruleengine.play.telling import Told, merged
from ruleengine.record import Answered
from ruleengine.sight import Sight
from ruleengine.stops import Decision, JointDecision
from ruleengine.table import UNRESOLVED, Table

_CHANCE: Final = "chance "


@frozen
class Retold:
    """A step: its number (`None` in a seat's eyes), what was done, and what came of it."""

    number: int | None
    words: str
    clauses: Clauses
    told: tuple[Told, ...]
    moment: int


def retold(course: Course, seat: int | None) -> tuple[Retold, ...]:
    """The steps of a game as the referee, or a seat, knows them."""
    moments = enumerate(course.moments)
    if seat is None:
        return tuple(_to_referee(course, at, moment) for at, moment in moments)
    steps = (_to_seat(seat, at, moment) for at, moment in moments)
    return tuple(step for step in steps if step.words or step.told)


def _to_referee(course: Course, at: int, moment: Moment) -> Retold:
    told = moment.told[course.referee]
    words = "" if moment.step is None else str(moment.step)
    if isinstance(moment.step, Answered) and told:
        return Retold(at, words, told[0].clauses, told[1:], at)
    return Retold(at, words, (), told, at)


def _to_seat(seat: int, at: int, moment: Moment) -> Retold:
    told = moment.told[seat]
    if isinstance(moment.step, Answered) and told:
        return Retold(None, told[0].text, told[0].clauses, told[1:], at)
    return Retold(None, "", (), told, at)


@define(eq=False)
class _AllSeeing(Sight):
    """The referee's eyes: every face that is settled, every variable."""

    def sees(self, table: Table, token: int) -> int:
        """Everybody, if the token has a face."""
        settled = table.kind[token] != UNRESOLVED
        return self.observers(self.statics.everyone) if settled else 0

    def readers(self, table: Table, slot: int) -> int:  # noqa: ARG002
        """Everybody."""
        return self.statics.everyone


def _gathered(steps: Sequence[Retold]) -> Iterator[Retold]:
    """Chance that nothing follows at once, as when many cards come up, as one step."""
    waiting: list[Retold] = []
    for step in steps:
        chance = step.words.startswith(_CHANCE)
        if waiting and not (chance or not step.words):
            yield _one(waiting)
            waiting = []
        waiting.append(step)
        if step.told or not chance:
            yield _one(waiting)
            waiting = []
    if waiting:
        yield _one(waiting)


def _one(steps: Sequence[Retold]) -> Retold:
    """Steps as one, told with the last of them."""
    if len(steps) == 1:
        return steps[0]
    words = ", ".join(step.words.removeprefix(_CHANCE) for step in steps)
    return evolve(steps[-1], number=steps[0].number, words=f"{_CHANCE}{words}")


# ---- as lines


@frozen
class Retelling:
    """A game told in a width, with the table at each decision if `tables` are wanted.

    Of more than `last` steps only the last are told, if it is said how many.
    """

    course: Course
    seat: int | None
    width: int
    tables: bool = False
    last: int | None = None

    def lines(self) -> Iterator[Line]:
        """All of it, and how it ended."""
        steps = list(_gathered(retold(self.course, self.seat)))
        digits = len(str(len(self.course.moments)))
        if self.last is not None and len(steps) > self.last:
            yield Line(f"... {len(steps) - self.last} steps before that", Look.NOTE)
            steps = steps[-self.last :]
        for step in steps:
            yield from self._step(step, digits)
            if self.tables and self._is_asked(step.moment):
                yield from self._table(step.moment)
        result, fault = self.course.result, self.course.now.fault
        end = f"end {result}" if result is not None else "here the record ends"
        yield Line(end if fault is None else f"here the rules break down: {fault}", Look.TITLE)

    def _step(self, step: Retold, digits: int) -> Iterator[Line]:
        number = "" if step.number is None else str(step.number)
        margin = f"{number.rjust(digits)}  " if self.seat is None else ""
        inset = " " * len(margin)
        if step.words:
            yield from self._cited(step.words, step.clauses, margin, inset + "  ", Look.ASKED)
        for told in merged(step.told):
            text = f"{told.text}."
            yield from self._cited(text, told.clauses, f"{inset}  ", f"{inset}    ", Look.HAPPENED)

    def _cited(
        self, text: str, clauses: Clauses, first: str, rest: str, look: Look
    ) -> Iterator[Line]:
        cited = "".join(f" @{clause}" for clause in clauses)
        for line in paragraph(f"{text}{' ' if cited else ''}{cited}", self.width, first, rest):
            yield Line(line, look)

    def _is_asked(self, at: int) -> bool:
        """Whether somebody whose eyes these are has to choose at a moment."""
        stop = self.course.moments[at].stop
        match stop:
            case Decision(seat=asked):
                return self.seat in (None, asked)
            case JointDecision(seats=asked):
                return self.seat is None or self.seat in asked
            case _:
                return False

    def _table(self, at: int) -> Iterator[Line]:
        course, viewer = self.course, self.course.game.hearing.viewer
        table = course.moments[at].table
        if self.seat is None:
            viewer = evolve(viewer, sight=_AllSeeing.of(course.game.interpreter.terms))
        view = viewer.view(table, course.public if self.seat is None else self.seat)
        faces = Faces(course.names, view)
        scene = Scene(course.names, faces, self.width, lambda s: "you" if s == self.seat else "")
        yield Line("")
        yield from scene.lines()
        yield Line("")
