"""Every situation that a game can come to, and what that says exactly.

Situations are told apart by the core of their bytes: who knows what makes no difference to what can
happen.  The size of a game grows fast with its freedom; where there are more situations than the
limit allows, what was found is reported as incomplete.

Expectations are those of play in which every seat picks each legal answer equally likely.  They are
exact fractions, found where no situation can come again (elsewhere they would be limits).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Final, assert_never

from attrs import define, field, frozen

from compiler.config import Configuration
from compiler.pipeline import Spec
from ruleengine.errors import RuleError
from ruleengine.game import Instance, Setting, load
from ruleengine.stops import ChanceStop, Decision, JointDecision, Result, Terminal
from ruleengine.table import Table
from ruleengine.wording import result_words

STATE_LIMIT: Final = 1_000_000
"""Situations after which an exploration breaks off."""

EXACT_LIMIT: Final = 50_000
"""Situations up to which exact expectations are worked out."""

_TELL: Final = 200  # situations between two words on progress


@frozen
class DeadEnd:
    """A move after which the game cannot go on: how many moves end there, and what is wrong."""

    depth: int
    error: str
    clauses: tuple[str, ...]


@frozen
class Expected:
    """What uniformly random play comes to, exactly.

    `wins` has for each seat the probability that it wins and the game is no draw; `shares` the mean
    of 1 / (number of winners) for a winner, those of a draw being everybody who draws.
    """

    wins: tuple[Fraction, ...]
    draw: Fraction
    shares: tuple[Fraction, ...]
    scores: tuple[Fraction, ...] | None
    decisions: Fraction


@frozen
class Tree:
    """The game tree: every sequence of moves, the empty one included; chance moves count.

    `by_depth` and `endings_by_depth` count sequences, and those that end the game, by their length;
    `decisions` and `chance` those after which a seat or chance moves; `endings` whole games by
    their result.  Where the depth is limited, what follows the longest sequences is not looked at.
    """

    by_depth: tuple[int, ...]
    endings_by_depth: tuple[int, ...]
    decisions: int
    chance: int
    endings: Mapping[Result, int]


@frozen
class Exploration:
    """What was found.

    `decisions`, `chance` and `terminals` count the situations of each sort; `dead_ends` are the
    moves into a fault of the spec.  `by_depth` counts situations by the number of moves (answers
    and outcomes) on the shortest way there.  `histories` counts the sequences of moves, the empty
    one included, and `endings` those that end the game; they and `longest`, the moves of the
    longest game, are `None` if a situation can come again or not all were found.  `tree` is there
    also if all was found up to a limit of the depth.
    """

    name: str
    configuration: Configuration
    seats: int
    complete: bool
    by_depth: tuple[int, ...]
    decisions: int
    chance: int
    terminals: int
    dead_ends: tuple[DeadEnd, ...]
    results: Mapping[str, int]
    histories: int | None
    endings: int | None
    longest: int | None
    expected: Expected | None
    tree: Tree | None

    @property
    def states(self) -> int:
        """All situations."""
        return sum(self.by_depth)

    @property
    def depth(self) -> int:
        """Moves to the farthest situation, by the shortest way."""
        return len(self.by_depth) - 1


def explore(
    game: str | Path | Spec | Instance,
    *,
    players: int | None = None,
    rulings: Mapping[str, Setting] | None = None,
    limit: int = STATE_LIMIT,
    depth: int | None = None,
    progress: Callable[[int], None] | None = None,
    **settings: Setting,
) -> Exploration:
    """All situations of a game, or those at most `depth` moves away.

    `progress` is told how many more were looked at.
    """
    chosen = game if isinstance(game, Instance) else load(game, players, rulings, **settings)
    walk = Walk(chosen, limit, depth)
    walk.run(progress)
    return walk.found()


# ---- walking


@frozen
class Spot:
    """One situation: where each move leads, with its weight; the seat that moves, `None` for
    chance; and the result if it is an end."""

    next: tuple[int, ...]
    weights: tuple[int, ...]
    seat: int | None
    result: Result | None = None

    @property
    def asks(self) -> bool:
        """Whether a seat moves here."""
        return self.seat is not None


_DEAD = Spot((), (), None)
_Moving = Callable[[Table], None]


@define(eq=False)
class Walk:
    """Finds situations in the order of their distance, numbering them as they are found.

    It ends beyond `limit` situations, and `reach` moves away.
    """

    game: Instance
    limit: int = STATE_LIMIT
    reach: int | None = None
    spots: list[Spot] = field(factory=list, init=False)
    depths: list[int] = field(factory=list, init=False)
    dead_ends: dict[int, DeadEnd] = field(factory=dict, init=False)
    complete: bool = field(default=True, init=False)
    _number: dict[bytes, int] = field(factory=dict, init=False)
    _cores: list[bytes] = field(factory=list, init=False)

    def run(self, progress: Callable[[int], None] | None = None) -> None:
        """Walks until there is nothing left, or the limit is reached."""
        self._reach(self.game.interpreter.start(), 0)
        while len(self.spots) < len(self.depths) and self.complete:
            if self.depths[len(self.spots)] == self.reach:
                self.complete = False
                break
            self.spots.append(self._look(len(self.spots)))
            if progress is not None and len(self.spots) % _TELL == 0:
                progress(_TELL)
        if progress is not None:
            progress(len(self.spots) % _TELL)

    def found(self) -> Exploration:
        """What a finished walk says."""
        return _Sums(self).exploration()

    def _reach(self, table: Table, depth: int, move: _Moving | None = None) -> int:
        """The number of the situation at the next stop, after a move."""
        packing = self.game.packing
        try:
            if move is not None:
                move(table)
            self.game.interpreter.advance(table)
        except RuleError as error:  # this is nowhere: every move into a fault counts
            self.dead_ends[len(self.depths)] = DeadEnd(depth, str(error), error.clauses)
            return self._add(b"", depth)
        core = packing.pack(table)[: packing.core_size]
        number = self._number.get(core)
        if number is None:
            number = self._number[core] = self._add(core, depth)
        return number

    def _add(self, core: bytes, depth: int) -> int:
        self._cores.append(core)
        self.depths.append(depth)
        self.complete = len(self.depths) <= self.limit
        return len(self.depths) - 1

    def _look(self, at: int) -> Spot:
        """Makes every move there is."""
        if at in self.dead_ends:
            return _DEAD
        packing, machine = self.game.packing, self.game.interpreter
        core, depth = self._cores[at], self.depths[at] + 1
        table = packing.unpack(core + bytes(packing.size - len(core)))
        stop = machine.advance(table)
        match stop:
            case ChanceStop(outcomes=odds):
                return Spot(
                    tuple(
                        self._reach(table.copy(), depth, partial(machine.draw, outcome=outcome))
                        for outcome in odds
                    ),
                    tuple(outcome.weight for outcome in odds),
                    None,
                )
            case Decision(seat=seat, choices=choices):
                asked, offered = seat, choices
            case JointDecision(seats=seats, choices=by_seat):
                asked, offered = seats[0], by_seat[0]
            case Terminal(result=result):
                return Spot((), (), None, result)
            case _:
                assert_never(stop)
        there = [
            self._reach(table.copy(), depth, partial(machine.choose, choice=choice))
            for choice in offered
        ]
        return Spot(tuple(there), (1,) * len(there), asked)


# ---- what it comes to


@define(eq=False)
class _Sums:
    """What a finished walk says."""

    walk: Walk

    def exploration(self) -> Exploration:
        """Everything that was found."""
        walk = self.walk
        spots = walk.spots
        ends = [spot.result for spot in spots if spot.result is not None]
        order = self._in_order() if walk.complete else None
        paths = None if order is None else self._paths(order)
        exact = order is not None and len(order) <= EXACT_LIMIT and not walk.dead_ends
        dead = set(walk.dead_ends)
        return Exploration(
            walk.game.name,
            walk.game.configuration,
            walk.game.seats,
            walk.complete,
            tuple(count for _, count in sorted(Counter(walk.depths).items())),
            sum(spot.asks for spot in spots),
            sum(bool(spot.next) and not spot.asks for spot in spots),
            len(ends),
            tuple(walk.dead_ends.values()),
            dict(sorted(Counter(map(result_words, ends)).items())),
            None if paths is None else sum(paths),
            None
            if paths is None
            else sum(
                paths[at] for at, spot in enumerate(spots) if not spot.next and at not in dead
            ),
            None if order is None else self._longest(order),
            self._expected(order) if order is not None and exact else None,
            self._tree() if order is not None or self._is_cut else None,
        )

    @property
    def _is_cut(self) -> bool:
        """Whether everything was found up to the limit of the depth."""
        return len(self.walk.depths) <= self.walk.limit and self.walk.reach is not None

    def _tree(self) -> Tree:
        """Sequences of moves, layer by layer; those that lead to one situation go on together."""
        spots = self.walk.spots
        by_depth: list[int] = []
        endings_by_depth: list[int] = []
        endings: Counter[Result] = Counter()
        asks = draws = 0
        layer = Counter({0: 1})
        while layer:
            by_depth.append(layer.total())
            endings_by_depth.append(0)
            following: Counter[int] = Counter()
            cut = len(by_depth) - 1 == self.walk.reach
            for at, ways in layer.items() if not cut else ():
                spot = spots[at]
                for there in spot.next:
                    following[there] += ways
                asks += ways * spot.asks
                draws += ways * (bool(spot.next) and not spot.asks)
                if spot.result is not None:
                    endings_by_depth[-1] += ways
                    endings[spot.result] += ways
            layer = following
        return Tree(tuple(by_depth), tuple(endings_by_depth), asks, draws, dict(endings))

    def _in_order(self) -> list[int] | None:
        """The situations so that moves lead onwards only; `None` if some can come again."""
        spots = self.walk.spots
        into = Counter(there for spot in spots for there in spot.next)
        ready = [0] if not into[0] else []
        order = []
        while ready:
            at = ready.pop()
            order.append(at)
            for there in spots[at].next:
                into[there] -= 1
                if not into[there]:
                    ready.append(there)
        return order if len(order) == len(spots) else None

    def _paths(self, order: Sequence[int]) -> list[int]:
        """For each situation, in how many ways it is reached."""
        paths = [0] * len(order)
        paths[0] = 1
        for at in order:
            for there in self.walk.spots[at].next:
                paths[there] += paths[at]
        return paths

    def _longest(self, order: Sequence[int]) -> int:
        moves = [0] * len(order)
        for at in order:
            for there in self.walk.spots[at].next:
                moves[there] = max(moves[there], moves[at] + 1)
        return max(moves)

    def _expected(self, order: Sequence[int]) -> Expected:
        """Backwards from the ends: the mean over all moves, by their weight."""
        seats = self.walk.game.seats
        scored = all(s.result is None or s.result.scores is not None for s in self.walk.spots)
        values: dict[int, tuple[Fraction, ...]] = {}
        for at in reversed(order):
            spot = self.walk.spots[at]
            if spot.result is not None:
                values[at] = _at_end(spot.result, seats, scored)
                continue
            total = sum(spot.weights)
            ahead = [values[there] for there in spot.next]
            mean = [
                sum((w * value for w, value in zip(spot.weights, column, strict=True)), Fraction())
                / total
                for column in zip(*ahead, strict=True)
            ]
            mean[-1] += spot.asks
            values[at] = tuple(mean)
        found = values[0]
        return Expected(
            found[:seats],
            found[seats],
            found[seats + 1 : 2 * seats + 1],
            found[2 * seats + 1 : -1] if scored else None,
            found[-1],
        )


def _at_end(result: Result, seats: int, scored: bool) -> tuple[Fraction, ...]:
    """Wins, draw, shares, scores if all games have them, decisions still to come."""
    share = Fraction(1, len(result.winners)) if result.winners else Fraction()
    won = [seat in result.winners for seat in range(seats)]
    scores = result.scores if scored and result.scores is not None else ()
    return (
        *(Fraction(each and not result.draw) for each in won),
        Fraction(result.draw),
        *(share * each for each in won),
        *map(Fraction, scores),
        Fraction(),
    )
