"""A play as ranks: of each answer among the legal ones, of each outcome among those of chance.

Ranks are small numbers, so whatever draws or shrinks numbers can draw and shrink plays; any numbers
at all are a play if each is taken modulo how many moves there are.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Self, TypeAlias

from attrs import define

from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.knowledge.protocol import Observer
from ruleengine.match import Move
from ruleengine.record import (
    Answered,
    Happened,
    Record,
    Recorder,
    RecordError,
    Step,
    replay,
)
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

Looking: TypeAlias = Callable[[Table, Stop], None]
"""Looks at the table at every stop that a game comes to; raises what is to end it."""


def choices(stop: Stop) -> tuple[Choice, ...]:
    """The answers that can be given at a stop; in a joint decision, by the first seat asked."""
    match stop:
        case Decision(choices=offered):
            return offered
        case JointDecision(choices=each):
            return each[0]
        case _:
            return ()


def moves(stop: Stop) -> Sequence[Move]:
    """What can be done at a stop: the answers, or the outcomes of chance."""
    return stop.outcomes if isinstance(stop, ChanceStop) else choices(stop)


@define(eq=False)
class Trail:
    """A game going on, and the ranks of the moves that led to where it stands.

    A move is on the trail before it is made: if it leads into a fault of the spec, it is the last.
    """

    game: Instance
    looking: Looking | None
    observer: Observer | None
    table: Table
    stop: Stop
    ranks: list[int]
    _first: int

    @classmethod
    def begin(
        cls,
        game: Instance,
        looking: Looking | None = None,
        observer: Observer | None = None,
        ranks: list[int] | None = None,
    ) -> Self:
        """A game at its first stop; `ranks` is the list that its moves are written to."""
        machine = game.interpreter
        first = machine.taken
        table = machine.start()
        stop = machine.advance(table, observer)
        trail = cls(game, looking, observer, table, stop, [] if ranks is None else ranks, first)
        trail._look()
        return trail

    @property
    def moves(self) -> Sequence[Move]:
        """What can be done now; nothing at the end."""
        return moves(self.stop)

    @property
    def nodes(self) -> int:
        """The steps taken so far."""
        return self.game.interpreter.taken - self._first

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return isinstance(self.stop, Terminal)

    def take(self, rank: int) -> None:
        """Makes the move of that rank, and goes on to the next stop."""
        machine, move = self.game.interpreter, self.moves[rank]
        self.ranks.append(rank)
        if isinstance(move, Outcome):
            machine.draw(self.table, move, self.observer)
        else:
            machine.choose(self.table, move, self.observer)
        self.stop = machine.advance(self.table, self.observer)
        self._look()

    def _look(self) -> None:
        if self.looking is not None:
            self.looking(self.table, self.stop)


def record_of(game: Instance, ranks: Sequence[int]) -> Record:
    """The play of these ranks as a record, up to where the rules break down if they do."""
    recorder = Recorder(game, None, 0)
    try:
        trail = Trail.begin(game)
        for rank in ranks:
            recorder.watch(trail.table, trail.stop, trail.moves[rank])
            trail.take(rank)
        if trail.is_over:
            recorder.watch(trail.table, trail.stop, None)
    except RuleError:
        pass  # the last move is written down
    return recorder.record


def ranks_of(game: Instance, record: Record) -> tuple[int, ...]:
    """The ranks of the moves of a record, up to where the rules break down if they do.

    `RecordError` names the line that does not fit.
    """
    ranks: list[int] = []
    with suppress(RuleError):
        trail = Trail.begin(game, ranks=ranks)
        for step in record.steps:
            move = _meant(game, trail, step)
            if move is None:
                replay(game, record)  # which says what fits there
                raise RecordError(step.line, f"`{step}` does not fit")
            trail.take(move)
    return tuple(ranks)


def _meant(game: Instance, trail: Trail, step: Step) -> int | None:
    match step, trail.stop:
        case Happened(words), ChanceStop(outcomes=odds):
            outcome = game.wording.find_outcome(odds, words)
            return None if outcome is None else odds.index(outcome)
        case Answered(seat, words), Decision() | JointDecision():
            found = game.answers.find(trail.table, choices(trail.stop), words)
            return None if found is None or found.seat != seat else found.index
        case _:
            return None
