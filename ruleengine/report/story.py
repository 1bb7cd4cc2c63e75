"""A seeded game move by move: what was done, what followed, and how the table then looked to each.

What a seat is told and shown is made from what it hears and from its view; the referee's side is
made from the table.
"""

from fractions import Fraction
from typing import Final

from attrs import define, evolve, field, frozen

from compiler.graph.core import Chance, Clauses, Pick, Roll
from ruleengine.game import Instance
from ruleengine.knowledge.known import Known, Teller
from ruleengine.knowledge.log import Observers
from ruleengine.knowledge.protocol import Event, Picked, Rolled
from ruleengine.match import Match, Playing, random_players
from ruleengine.record import Record, Recorder
from ruleengine.report.telling import Line, Telling
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
class Moment:
    """One move of a game and all that followed until the next.

    `seat` is who moved; `None` for the beginning, chance and the end.  `words` and `tables` are
    those of each seat, then the referee's; who hears nothing of the move has no words.  `settled`
    is what chance settled out of sight, for the referee.
    """

    seat: int | None
    title: str
    clauses: Clauses
    words: tuple[str, ...]
    lines: tuple[Line, ...] = ()
    settled: tuple[str, ...] = ()
    tables: tuple[Known, ...] = field(default=(), repr=False)

    @property
    def open(self) -> bool:
        """Whether it was the same to every seat and to the referee."""
        told = (self.words, *(line.words for line in self.lines))
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

    match = Playing(
        game,
        random_players(game, seed, number),
        stream(seed, number, CHANCE),
        observer=Observers((game.knowledge, Telling(game.hearing, writing.tell))),
        watching=watch,
    ).to_the_end()
    return Story(game, seed, number, match, recorder.record, tuple(writing.moments))


@define(eq=False)
class _Writing:
    """Collects moments while a game is played."""

    game: Instance
    teller: Teller
    moments: list[Moment]
    _odds: str = ""  # of the dice or the pick that is about to be told

    @classmethod
    def of(cls, game: Instance) -> "_Writing":
        """A story that has not begun."""
        nothing = ("",) * (game.seats + 1)
        return cls(game, Teller.of(game.hearing.viewer), [Moment(None, SET_UP, (), nothing)])

    def watch(self, table: Table, stop: Stop, move: Choice | Outcome | None) -> None:
        """Ends a moment at a stop, and begins the next if somebody moves."""
        self.moments[-1] = evolve(self.moments[-1], tables=self._tables(table))
        match stop:
            case Terminal(result=result):
                words = (result_words(result),) * (self.game.seats + 1)
                last = self.game.graph.nodes[table.node]
                self.moments.append(
                    Moment(None, THE_END, last.clauses, words, tables=self.moments[-1].tables)
                )
            case ChanceStop(outcomes=odds) if isinstance(move, Outcome):
                self._chance(table, odds, move)
            case Decision() | JointDecision() if isinstance(move, Choice):
                self.moments.append(self._move(table, stop, move))
            case _:
                raise ValueError("this cannot be done at this stop")

    def tell(self, line: Line, event: Event) -> None:
        """Adds what followed a move; dice and picks are moves of chance."""
        if isinstance(event, Rolled | Picked) and self._odds:
            words = tuple(_with(said, self._odds) for said in line.words)
            self.moments.append(Moment(None, line.title, line.clauses, words))
            self._odds = ""
        else:
            now = self.moments[-1]
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

    def _move(self, table: Table, stop: Decision | JointDecision, choice: Choice) -> Moment:
        """A seat's answer, in the words of each who hears of it."""
        joint = isinstance(stop, JointDecision)
        choices = stop.of(choice.seat) if isinstance(stop, JointDecision) else stop.choices
        own = self.game.wording.choices(table, choices)[choice.index]
        heard = self.game.hearing.choice(table, choice, choice.seat)
        words = [
            own if seat == choice.seat else self._heard(table, choice, seat, joint, (heard, own))
            for seat in range(self.game.seats)
        ]
        node = self.game.graph.nodes[choice.node]
        option = self.game.wording.option(choice)
        title = node.title if option is None else option.title or node.title
        clauses = (*node.clauses, *(() if option is None else option.clauses))
        return Moment(choice.seat, title, tuple(dict.fromkeys(clauses)), (*words, own))

    def _heard(
        self, table: Table, choice: Choice, seat: int, sealed: bool, told: tuple[str, str]
    ) -> str:
        """What another seat hears of an answer: the chooser's own words if it hears all of it."""
        if sealed:
            return ""
        heard, own = told
        other = self.game.hearing.choice(table, choice, seat)
        return own if other == heard else other.partition(": ")[2]


def _with(words: str, odds: str) -> str:
    """What chance decided with its odds, for those who know all of it."""
    return words if not words or "?" in words else f"{words} ({odds})"
