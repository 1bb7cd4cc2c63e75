"""A game going on: every moment it has been through, what everybody was told, and how to go back.

Chance and bots draw from streams of their own, once at each stop that is theirs, whoever answers it
in the end: a game that is taken back, saved or resumed goes on as if nothing had been in between,
and a game of bots alone is the one that a simulation plays.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from attrs import define, evolve, field, frozen

from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.knowledge.log import Observers
from ruleengine.knowledge.view import View
from ruleengine.match import NODE_LIMIT
from ruleengine.play.names import Names
from ruleengine.play.telling import Telling, Told
from ruleengine.players.protocol import Maker, Turn
from ruleengine.players.uniform import Uniform
from ruleengine.record import Answered, Happened, Record, RecordError, Step, replay
from ruleengine.rng import CHANCE, Stream, StreamState, stream
from ruleengine.stops import (
    ChanceStop,
    Choice,
    Decision,
    JointDecision,
    Outcome,
    Stop,
    Terminal,
)
from ruleengine.table import Table
from ruleengine.wording import result_words

Streams: TypeAlias = tuple[StreamState, ...]
"""Where the streams have got to: that of chance, then those of the seats."""

TOO_LONG: Final = "this game has gone on for so many steps that it is given up"


@frozen(eq=False)
class Moment:
    """The table at a stop, how it came to it, and what that told everybody.

    `stop` is `None` where the rules break down; `fault` says how.  `choice` and `step` are the
    answer or outcome that led here; the beginning has neither.
    """

    table: Table
    stop: Stop | None
    fault: RuleError | None
    told: tuple[tuple[Told, ...], ...]
    streams: Streams
    nodes: int
    step: Step | None = None
    choice: Choice | None = None


@define(eq=False)
class Course:
    """All moments of one game so far; the last one is now."""

    game: Instance
    names: Names
    seed: int
    number: int
    bots: tuple[Maker, ...]  # who answers at each seat where nobody else does
    moments: list[Moment]
    _telling: Telling = field(repr=False)
    _observers: Observers = field(repr=False)

    @classmethod
    def begin(
        cls, game: Instance, seed: int, number: int = 0, bots: Sequence[Maker] = ()
    ) -> "Course":
        """A game at its first stop; its bots are random ones unless they are said, seat by seat."""
        machine = game.interpreter
        names = Names.of(machine.statics, game.hearing.words)
        telling = Telling(machine.statics, machine.sight, names)
        observers = Observers((game.knowledge, telling))
        makers = tuple(bots) or (Uniform,) * game.seats
        course = cls(game, names, seed, number, makers, [], telling, observers)
        streams = (stream(seed, number, CHANCE), *(stream(seed, number, s) for s in course.seats))
        course._arrive(machine.start(), tuple(source.state for source in streams), 0)
        return course

    # ---- where it stands

    @property
    def seats(self) -> range:
        """The seats, from 0."""
        return range(self.game.seats)

    @property
    def public(self) -> int:
        """The observer who is told what everybody is told."""
        return self.game.seats

    @property
    def referee(self) -> int:
        """The observer who is told everything."""
        return self.game.seats + 1

    @property
    def now(self) -> Moment:
        """The last moment."""
        return self.moments[-1]

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that still have to answer here, in order."""
        match self.now.stop:
            case Decision(seat=seat):
                return (seat,)
            case JointDecision(seats=seats):
                return tuple(sorted(seats))
            case _:
                return ()

    def choices(self, seat: int) -> tuple[Choice, ...]:
        """The legal answers of a seat that is asked."""
        return choices_of(self.now.stop, seat)

    def view(self, seat: int) -> View:
        """What a seat, or the public, may know now."""
        return self.game.hearing.viewer.view(self.now.table, seat)

    def told(self, observer: int, since: int = 0) -> tuple[Told, ...]:
        """What an observer was told on the way to the moments from number `since` on."""
        return tuple(told for moment in self.moments[since:] for told in moment.told[observer])

    @property
    def steps(self) -> tuple[Step, ...]:
        """The answers and outcomes so far."""
        return tuple(moment.step for moment in self.moments if moment.step is not None)

    @property
    def result(self) -> str | None:
        """How it ended, `None` while it goes on."""
        stop = self.now.stop
        return result_words(stop.result) if isinstance(stop, Terminal) else None

    @property
    def record(self) -> Record:
        """The game so far as it can be kept."""
        empty = Record.of(self.game, self.seed, self.number)
        return evolve(empty, steps=self.steps, result=self.result)

    # ---- going on

    def choose(self, choice: Choice) -> None:
        """Gives an answer that is offered now."""
        self._choose(choice, self._drawn(1 + choice.seat, len(self.choices(choice.seat)))[1])

    def let_bot_choose(self, seat: int) -> None:
        """Lets the bot of a seat that is asked give its answer."""
        source = Stream.at(self.now.streams[1 + seat])
        choices = self.choices(seat)
        turn = Turn(self.game, seat, choices, self.now.table)
        picked = self.bots[seat](source).pick(turn)
        self._choose(choices[picked], self._moved_on(1 + seat, source))

    def draw(self) -> None:
        """Lets chance decide here."""
        odds = self._chance().outcomes
        number, streams = self._drawn(0, odds.total)
        self._happen(odds.drawn(number), streams)

    def happen(self, outcome: Outcome) -> None:
        """Lets chance have decided so."""
        self._happen(outcome, self._drawn(0, self._chance().outcomes.total)[1])

    def follow(self, record: Record) -> None:
        """Goes through a whole record; `RecordError` names the line that does not fit."""
        for step in record.steps:
            if not self._follow(step):
                replay(self.game, record)  # which says what fits there
                raise RecordError(step.line, f"`{step}` does not fit")
            if self.now.fault is not None:
                raise RecordError(step.line, f"here the rules break down: {self.now.fault}")
        if record.result not in (None, self.result):
            replay(self.game, record)

    def go_back(self, moment: int) -> None:
        """Makes an earlier moment the last one."""
        del self.moments[moment + 1 :]

    def _follow(self, step: Step) -> bool:
        """Takes one step of a record; whether it fits."""
        match step, self.now.stop:
            case Answered(seat, words), Decision() | JointDecision():
                found = self.game.answers.find(self.now.table, self.choices(seat), words)
                if found is not None:
                    self.choose(found)
                return found is not None
            case Happened(words), ChanceStop(outcomes=odds):
                outcome = self.game.wording.find_outcome(odds, words)
                if outcome is not None:
                    self.happen(outcome)
                return outcome is not None
            case _:
                return False

    def _chance(self) -> ChanceStop:
        if not isinstance(self.now.stop, ChanceStop):
            raise ValueError("chance decides nothing here")
        return self.now.stop

    def _choose(self, choice: Choice, streams: Streams) -> None:
        choices = self.choices(choice.seat)
        words = self.game.wording.choices(self.now.table, choices)[choice.index]
        table = self.now.table.copy()

        def act() -> None:
            self.game.interpreter.choose(table, choice, self._observers)

        self._arrive(table, streams, self.now.nodes, act, Answered(choice.seat, words), choice)

    def _happen(self, outcome: Outcome, streams: Streams) -> None:
        words = self.game.wording.outcome(self._chance().outcomes, outcome)
        table = self.now.table.copy()

        def act() -> None:
            self.game.interpreter.draw(table, outcome, self._observers)

        self._arrive(table, streams, self.now.nodes, act, Happened(words))

    def _arrive(
        self,
        table: Table,
        streams: Streams,
        nodes: int,
        act: Callable[[], None] | None = None,
        step: Step | None = None,
        choice: Choice | None = None,
    ) -> None:
        """Runs to the next stop and adds the moment; nothing is added if it is interrupted."""
        machine = self.game.interpreter
        self._telling.take()
        taken = machine.taken
        stop, fault = None, None
        try:
            if act is not None:
                act()
            stop = machine.advance(table, self._observers)
        except RuleError as error:
            fault = error
        nodes += machine.taken - taken
        if nodes > NODE_LIMIT and not isinstance(stop, Terminal):
            stop, fault = None, RuleError(TOO_LONG)
        told = self._telling.take()
        self.moments.append(Moment(table, stop, fault, told, streams, nodes, step, choice))

    # ---- streams

    def _drawn(self, which: int, below: int) -> tuple[int, Streams]:
        source = Stream.at(self.now.streams[which])
        return source.below(below), self._moved_on(which, source)

    def _moved_on(self, which: int, source: Stream) -> Streams:
        streams = list(self.now.streams)
        streams[which] = source.state
        return tuple(streams)


def choices_of(stop: Stop | None, seat: int) -> tuple[Choice, ...]:
    """The legal answers of a seat at a stop; none if it is not asked."""
    match stop:
        case Decision(seat=asked, choices=choices) if asked == seat:
            return choices
        case JointDecision(seats=seats) if seat in seats:
            return stop.of(seat)
        case _:
            return ()
