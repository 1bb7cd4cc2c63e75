"""Games watched from move to move: what was offered and taken, and who was winning on the way.

Games of bots are played twice: first by those who play them, then again with the same answers on
an interpreter that counts, so that nobody's thinking is counted.  Random ones are played on the
fastest machine first, which says how long they are.  At some moments, evenly spread, each seat's
chance of winning is estimated by playing on at random; all of it is the referee's view.
"""

from collections.abc import Callable, Iterator
from typing import Final, Self

from attrs import define, field, frozen

from compiler.graph.core import Choose
from ruleengine.casting import Cast
from ruleengine.coverage.counting import Meter, metered_game
from ruleengine.coverage.ledger import Coverage
from ruleengine.game import Instance
from ruleengine.match import NODE_LIMIT, Ending, Match, Move, played_by
from ruleengine.match import Watching as MatchWatching
from ruleengine.players.mind import Clock, Mind
from ruleengine.players.playouts import asked
from ruleengine.players.protocol import Maker, Turn
from ruleengine.players.rewards import Rewards
from ruleengine.players.uniform import Uniform
from ruleengine.rng import Stream
from ruleengine.simulation import simulate
from ruleengine.stops import Choice, Decision, JointDecision, Stop
from ruleengine.table import Table
from ruleengine.tally import Row

MOMENTS: Final = 10
"""Moments of a game at which chances are estimated."""

PLAYOUTS: Final = 64
"""Playouts for one estimate where they are compiled."""

_FEWEST, _MOST = 4, 12  # playouts for one estimate by the interpreter
_NODES: Final = 60_000  # that it may go through for one game

DECLINED: Final = "decline"


@frozen
class Asked:
    """One decision: who, how many legal answers, the options among them and the one taken."""

    seat: int
    answers: int
    offered: tuple[str, ...]
    taken: str


@frozen
class Watched:
    """One finished game: its row, its decisions, and chances at moments.

    `chances` are the number of decisions before, and each seat's share of wins in the playouts.
    """

    row: Row
    asked: tuple[Asked, ...]
    chances: tuple[tuple[int, Rewards], ...]
    playouts: int


@frozen
class Watching:
    """Some games of a run watched, and which rules they came to."""

    games: tuple[Watched, ...]
    coverage: Coverage

    def __add__(self, other: "Watching") -> "Watching":
        both = sorted((*self.games, *other.games), key=lambda game: game.row.game)
        return Watching(tuple(both), self.coverage + other.coverage)


def watch(
    game: Instance,
    games: int,
    *,
    seed: int = 0,
    cast: Cast | None = None,
    clock: Clock | None = None,
    chances: bool = True,
    node_limit: int = NODE_LIMIT,
    progress: Callable[[int], None] | None = None,
) -> Watching:
    """The first games of a run, watched; those that do not end are left out."""
    acting = None if cast is None or cast.is_random else cast
    watcher = _Watcher.of(game, acting, seed, clock, node_limit)
    if acting is None:
        run = simulate(game, games, seed=seed, node_limit=node_limit)
        watcher.rows.update((row.game, row) for row in run.rows)
    found = []
    for number in range(games):
        one = watcher.watched(number, chances)
        if one is not None:
            found.append(one)
        if progress is not None:
            progress(1)
    return Watching(tuple(found), watcher.coverage)


@define(eq=False)
class _Watcher:
    """Plays and watches the games of one run."""

    game: Instance
    cast: Cast | None
    seed: int
    clock: Clock | None
    node_limit: int
    _counted: Instance
    _meter: Meter
    rows: dict[int, Row] = field(factory=dict, init=False)  # of random games

    @classmethod
    def of(
        cls, game: Instance, cast: Cast | None, seed: int, clock: Clock | None, node_limit: int
    ) -> Self:
        """That of a run."""
        return cls(game, cast, seed, clock, node_limit, *metered_game(game.compiled))

    @property
    def coverage(self) -> Coverage:
        """What the games came to so far."""
        return self._meter.coverage

    def watched(self, number: int, chances: bool) -> Watched | None:
        """One game; `None` if it does not end.

        It is known before how long it is: random games from the machine, others were played.
        """
        if number in self.rows:
            row = self.rows[number]
            makers: tuple[Maker, ...] = (Uniform,) * self.game.seats
        else:
            picks: list[int] = []

            def note(_table: Table, _stop: Stop, move: Move | None) -> None:
                if isinstance(move, Choice):
                    picks.append(move.index)

            row = Row.of(number, self._played(number, note))
            makers = (_Scripted(iter(picks)).take,) * self.game.seats
        if row.ending is not Ending.FINISHED:
            return None
        moments = frozenset(_spread(row.decisions)) if chances else frozenset()
        sight = _Sight(self.game, number, moments, _playouts(self.game, row.nodes))
        played_by(self._counted, makers, self.seed, number, watching=sight.look)
        return Watched(row, tuple(sight.asked), tuple(sight.chances), sight.playouts)

    def _played(self, number: int, note: MatchWatching) -> Match:
        assert self.cast is not None
        return self.cast.match(
            self.game, self.seed, number, self.clock, node_limit=self.node_limit, watching=note
        )


def _spread(decisions: int) -> Iterator[int]:
    """The moments, as numbers of decisions before."""
    for at in range(MOMENTS):
        yield at * decisions // MOMENTS


def _playouts(game: Instance, nodes: int) -> int:
    """Playouts for one estimate in a game of so many nodes."""
    if Mind.of(game).playouts.machine != "interpreter":
        return PLAYOUTS
    return max(_FEWEST, min(_MOST, 2 * _NODES // (MOMENTS * max(nodes, 1))))


@define(eq=False)
class _Scripted:
    """Gives the answers that were given before."""

    picks: Iterator[int]

    def take(self, _stream: Stream) -> Self:
        """The same for every seat: answers come in the order of the game."""
        return self

    def pick(self, turn: Turn) -> int:
        """The rank of the answer."""
        del turn
        return next(self.picks)


@define(eq=False)
class _Sight:
    """Looks at every stop of one game."""

    game: Instance
    number: int
    moments: frozenset[int]
    playouts: int
    asked: list[Asked] = field(factory=list, init=False)
    chances: list[tuple[int, Rewards]] = field(factory=list, init=False)

    def look(self, table: Table, stop: Stop, move: Move | None) -> None:
        """Is told of every stop and what is done there."""
        if not isinstance(stop, Decision | JointDecision) or not isinstance(move, Choice):
            return
        at = len(self.asked)
        if at in self.moments:
            self.chances.append((at, self._chances(table, stop, at)))
        seat, choices = asked(stop)
        step = self.game.graph.nodes[stop.node].step
        assert isinstance(step, Choose)
        offered = {_name(step, choice): None for choice in choices}
        self.asked.append(Asked(seat, len(choices), tuple(offered), _name(step, move)))

    def _chances(self, table: Table, stop: Stop, at: int) -> Rewards:
        playouts = Mind.of(self.game).playouts
        first = (self.number << 20 | at) << 10
        return playouts.wins(table.copy(), stop, first, self.playouts)


def _name(step: Choose, choice: Choice) -> str:
    """The option of an answer: its title where it has one, else the word for it."""
    if choice.option is None:
        return DECLINED
    option = step.options[choice.option]
    return option.title or option.name
