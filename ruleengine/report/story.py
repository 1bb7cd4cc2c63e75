"""A seeded game move by move: what was done, what followed, and how the table then looked to each.

What a seat is told and shown is made from what it hears and from its view; the referee's side is
made from the table.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from attrs import define, evolve, field, frozen

from compiler.graph.core import Chance, Clauses, Pick, Roll
from ruleengine.game import Instance
from ruleengine.knowledge.known import Known, Teller
from ruleengine.knowledge.log import Observers
from ruleengine.knowledge.protocol import Chosen, Event, Picked, Rolled
from ruleengine.match import Match, Playing, random_players
from ruleengine.play.names import Names
from ruleengine.play.telling import Telling, Told, question
from ruleengine.record import Record, Recorder
from ruleengine.rng import CHANCE, stream
from ruleengine.stops import (
    ChanceStop,
    Choice,
    Decision,
    JointDecision,
    Odds,
    Outcome,
    Stop,
    Terminal,
)
from ruleengine.table import Table
from ruleengine.wording import result_words

SET_UP: Final = "Set-up"
THE_END: Final = "The end"


@frozen
class Line:
    """Something that followed a move: the step it is part of, and what each was told of it.

    `words` are those for each seat, then for the referee; empty for who hears nothing.  `minor` if
    it only says what a variable is now.
    """

    title: str
    clauses: Clauses
    words: tuple[str, ...]
    minor: bool = False


@frozen
class Moment:
    """One move of a game and all that followed until the next.

    `seat` is who moved; `None` for the beginning, chance and the end.  `words`, `answers` and
    `tables` are those of each seat, then the referee's; who hears nothing of the move has no words.
    An answer is what the record keeps, for those who know all of it.  `settled` is what chance
    settled out of sight, for the referee.
    """

    seat: int | None
    title: str
    clauses: Clauses
    words: tuple[str, ...]
    answers: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    settled: tuple[str, ...] = ()
    tables: tuple[Known, ...] = field(default=(), repr=False)

    @property
    def open(self) -> bool:
        """Whether it was the same to every seat and to the referee."""
        told = (self.words, self.answers, *(line.words for line in self.lines))
        return not self.settled and all(len(set(each)) < 2 for each in (*told, self.tables))


@frozen
class Story:
    """A whole game; the referee is the last viewer of each moment."""

    game: Instance
    seed: int
    number: int
    match: Match
    record: Record
    moments: tuple[Moment, ...]

    @property
    def open(self) -> bool:
        """Whether everybody knew everything all the time."""
        return all(moment.open for moment in self.moments)


def play(game: Instance, seed: int, number: int = 0) -> Story:
    """Game number `number` of a run, played at random and written down."""
    writing = _Writing.of(game)
    recorder = Recorder(game, seed, number)

    def watch(table: Table, stop: Stop, move: Choice | Outcome | None) -> None:
        recorder.watch(table, stop, move)
        writing.watch(table, stop, move)

    statics, sight = game.interpreter.statics, game.interpreter.sight
    telling = Telling(statics, sight, Names.of(statics, game.hearing.words))
    match = Playing(
        game,
        random_players(game, seed, number),
        stream(seed, number, CHANCE),
        observer=Observers((game.knowledge, _Hearing(telling, writing.tell))),
        watching=watch,
    ).to_the_end()
    return Story(game, seed, number, match, recorder.record, tuple(writing.moments))


@define(eq=False)
class _Hearing:
    """Passes on, event by event, what every seat and the referee are told of it."""

    telling: Telling
    tell: Callable[[Event, tuple[Told | None, ...]], None]

    def before(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """The event is about to happen."""
        self.telling.before(table, event, places)

    def after(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """The event has happened."""
        self.telling.after(table, event, places)
        *seats, _, referee = self.telling.take()
        self.tell(event, tuple(told[0] if told else None for told in (*seats, referee)))


@define(eq=False)
class _Writing:
    """Collects moments while a game is played."""

    game: Instance
    teller: Teller
    moments: list[Moment]
    _odds: str = ""  # of the dice or the pick that is about to be told
    _answers: tuple[str, ...] = ()  # of the choice that is about to be told

    @classmethod
    def of(cls, game: Instance) -> "_Writing":
        """A story that has not begun."""
        nothing = ("",) * (game.seats + 1)
        return cls(game, Teller.of(game.hearing.viewer), [Moment(None, SET_UP, (), nothing)])

    def watch(self, table: Table, stop: Stop, move: Choice | Outcome | None) -> None:
        """Notes at a stop how the table looks, and what the move is called."""
        self.moments[-1] = evolve(self.moments[-1], tables=self._tables(table))
        match stop:
            case Terminal(result=result):
                words = (result_words(result),) * (self.game.seats + 1)
                cited = self.game.graph.nodes[table.node].clauses
                tables = self.moments[-1].tables
                self.moments.append(Moment(None, THE_END, cited, words, tables=tables))
            case ChanceStop(outcomes=odds) if isinstance(move, Outcome):
                self._chance(table, odds, move)
            case Decision() | JointDecision() if isinstance(move, Choice):
                self._answers = self._called(table, stop, move)
            case _:
                raise ValueError("this cannot be done at this stop")

    def tell(self, event: Event, told: tuple[Told | None, ...]) -> None:
        """Begins a moment with a choice, dice or a pick; adds what follows to the last one."""
        words = tuple("" if one is None else one.text for one in told)
        heard = next((one for one in told if one is not None), None)
        if heard is None:
            return
        title = question(self.game.graph.nodes[event.node], self.game.graph)
        match event:
            case Chosen(seat=seat):
                said = tuple(_unnamed(text, seat) for text in words)
                self.moments.append(Moment(seat, "", heard.clauses, said, self._answers))
            case Rolled() | Picked() if self._odds:
                said = tuple(text.partition(": ")[2] for text in words)
                known = tuple(
                    f"{text} ({self._odds})" if text and text == said[-1] else text for text in said
                )
                self.moments.append(Moment(None, title, heard.clauses, known))
                self._odds = ""
            case _:
                now = self.moments[-1]
                line = Line(title, heard.clauses, words, heard.minor)
                self.moments[-1] = evolve(now, lines=(*now.lines, line))

    def _tables(self, table: Table) -> tuple[Known, ...]:
        """The table as each seat has it before it, then as the referee has."""
        viewer = self.game.hearing.viewer
        seats = range(self.game.seats)
        seen = (self.teller.seen(viewer.view(table, seat)) for seat in seats)
        return (*seen, self.teller.settled(table))

    def _chance(self, table: Table, odds: Odds, outcome: Outcome) -> None:
        """Notes what chance decides: dice and picks are told in a moment, other things are not."""
        share = f"{Fraction(outcome.weight, odds.total)}".replace("/", " in ")
        step = self.game.graph.nodes[outcome.node].step
        drawn = isinstance(step, Chance) and isinstance(step.distribution, Roll | Pick)
        if outcome.settles is None and drawn:
            self._odds = share
            return
        words = self.game.wording.outcome(odds, outcome)
        if outcome.settles is not None:
            place = table.place[outcome.settles]
            position = table.cells[place].index(outcome.settles) + 1
            words = f"{self.game.hearing.words.spot(place, position)} is {words}"
        now = self.moments[-1]
        self.moments[-1] = evolve(now, settled=(*now.settled, f"{words} ({share})"))

    def _called(
        self, table: Table, stop: Decision | JointDecision, choice: Choice
    ) -> tuple[str, ...]:
        """An answer as the record has it, for every seat that hears all of it and the referee."""
        sealed = isinstance(stop, JointDecision)
        choices = stop.of(choice.seat) if isinstance(stop, JointDecision) else stop.choices
        own = self.game.wording.choices(table, choices)[choice.index]
        hearing = self.game.hearing
        heard = hearing.choice(table, choice, choice.seat)
        knows = (
            seat == choice.seat or (not sealed and hearing.choice(table, choice, seat) == heard)
            for seat in range(self.game.seats)
        )
        return (*(own if each else "" for each in knows), own)


def _unnamed(text: str, seat: int) -> str:
    """What is told of a choice, without who made it."""
    name = chr(ord("A") + seat)
    return text.removeprefix(name).removeprefix(":").strip()
