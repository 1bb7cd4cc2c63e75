"""One game from its beginning to its end, between players and chance."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final, TypeAlias, assert_never

from attrs import define, field, frozen

from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.knowledge.protocol import Observer
from ruleengine.players.protocol import Maker, Player, Turn
from ruleengine.players.uniform import Uniform
from ruleengine.rng import CHANCE, Stream, stream
from ruleengine.stops import (
    ChanceStop,
    Choice,
    Decision,
    JointDecision,
    Outcome,
    Result,
    Stop,
    Terminal,
)
from ruleengine.table import Table

NODE_LIMIT: Final = 200_000
"""Nodes that a game may visit before it is given up as unfinished: some thousands of decisions."""

Move: TypeAlias = Choice | Outcome
"""What is done at a stop: an answer, or what chance decided."""

Watching: TypeAlias = Callable[[Table, Stop, Move | None], None]
"""Told of every stop: the table as it stands, and what is done about it; `None` at the end."""


class Ending(Enum):
    """Why a game is over."""

    FINISHED = "finished"
    NODE_LIMIT = "node-limit"
    RULE_ERROR = "rule-error"


@frozen
class Match:
    """A game that was played: how it ended, and how long it was.

    `decisions` and `draws` count the stops at which a seat chose and chance decided, `nodes` all
    steps.  `error` says what in the spec was at fault.
    """

    ending: Ending
    result: Result | None
    decisions: int
    draws: int
    nodes: int
    error: RuleError | None = None


@define(eq=False)
class Playing:
    """A game going on, between these players in the order of their seats."""

    game: Instance
    players: Sequence[Player]
    chance: Stream
    node_limit: int = NODE_LIMIT
    observer: Observer | None = None
    watching: Watching | None = None
    _decisions: int = field(default=0, init=False)
    _draws: int = field(default=0, init=False)
    _beside: int = field(default=0, init=False)  # steps of the machine that were only thought

    def to_the_end(self) -> Match:
        """Plays the game.  A fault of the spec ends it."""
        machine = self.game.interpreter
        result, error = None, None
        self._beside = machine.taken
        try:
            table = machine.start()
            stop = machine.advance(table, self.observer)
            while not isinstance(stop, Terminal):
                if machine.taken - self._beside > self.node_limit:
                    return self._over(Ending.NODE_LIMIT)
                self._go_on(table, stop)
                stop = machine.advance(table, self.observer)
            self._tell(table, stop, None)
            result = stop.result
        except RuleError as fault:
            error = fault
        ending = Ending.FINISHED if error is None else Ending.RULE_ERROR
        return self._over(ending, result, error)

    def _over(
        self, ending: Ending, result: Result | None = None, error: RuleError | None = None
    ) -> Match:
        nodes = self.game.interpreter.taken - self._beside
        return Match(ending, result, self._decisions, self._draws, nodes, error)

    def _go_on(self, table: Table, stop: ChanceStop | Decision | JointDecision) -> None:
        """Answers a stop."""
        machine = self.game.interpreter
        match stop:
            case ChanceStop(outcomes=odds):
                outcome = odds.drawn(self.chance.below(odds.total))
                self._draws += 1
                self._tell(table, stop, outcome)
                machine.draw(table, outcome, self.observer)
                return
            case Decision(seat=seat, choices=choices):
                asked = Turn(self.game, seat, choices, table)
            case JointDecision(seats=seats, choices=choices_by_seat):
                asked = Turn(self.game, seats[0], choices_by_seat[0], table)
            case _:
                assert_never(stop)
        before = machine.taken
        choice = asked.choices[self.players[asked.seat].pick(asked)]
        self._beside += machine.taken - before
        self._decisions += 1
        self._tell(table, stop, choice)
        machine.choose(table, choice, self.observer)

    def _tell(self, table: Table, stop: Stop, move: Move | None) -> None:
        if self.watching is not None:
            before = self.game.interpreter.taken
            self.watching(table, stop, move)
            self._beside += self.game.interpreter.taken - before


def random_players(game: Instance, seed: int, number: int) -> tuple[Player, ...]:
    """Uniformly random players for game number `number` of a run, each with his own stream."""
    return _seated((Uniform,) * game.seats, seed, number)


def _seated(makers: Sequence[Maker], seed: int, number: int) -> tuple[Player, ...]:
    return tuple(make(stream(seed, number, seat)) for seat, make in enumerate(makers))


def played_by(
    game: Instance,
    makers: Sequence[Maker],
    seed: int,
    number: int,
    *,
    node_limit: int = NODE_LIMIT,
    watching: Watching | None = None,
) -> Match:
    """Game number `number` of a run between these players, in the order of their seats.

    What seats know is kept for those who look at their view.
    """
    looks = any(make is not Uniform for make in makers)
    playing = Playing(
        game,
        _seated(makers, seed, number),
        stream(seed, number, CHANCE),
        node_limit,
        game.knowledge if looks else None,
        watching,
    )
    return playing.to_the_end()


def random_match(
    game: Instance,
    seed: int,
    number: int,
    *,
    node_limit: int = NODE_LIMIT,
    watching: Watching | None = None,
) -> Match:
    """Game number `number` of a run, played at random: the same whenever and wherever."""
    makers = (Uniform,) * game.seats
    return played_by(game, makers, seed, number, node_limit=node_limit, watching=watching)
