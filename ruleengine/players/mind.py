"""What those who think about one game need of it: worlds to imagine, and games to play on."""

import atexit
from collections.abc import Callable
from typing import Final, TypeAlias
from weakref import WeakKeyDictionary

from attrs import define, field

from compiler.graph.core import Choose
from compiler.lir.reps import Unsupported
from ruleengine.compiled.games import Lowered
from ruleengine.compiled.machine import Stopped, Unavailable
from ruleengine.compiled.stepper import Stepper
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.knowledge.tape import Drawn
from ruleengine.knowledge.view import View
from ruleengine.knowledge.world import Worlds
from ruleengine.players.judging import NEVER, Judging
from ruleengine.players.playouts import LONGEST, Playouts
from ruleengine.players.rewards import Rewards, ended, margins, mean, shared
from ruleengine.players.standing import Standing
from ruleengine.rng import Stream
from ruleengine.stops import ChanceStop, Choice, Stop, Terminal
from ruleengine.table import Table

Clock: TypeAlias = Callable[[], float]
"""Tells the seconds since some moment."""

_WORD: Final = 1 << 32
_CALIBRATING: Final = 8  # playouts by which it is seen how far apart seats come to stand


@define(eq=False)
class Mind:
    """Worlds and playouts of one game, made once."""

    game: Instance
    worlds: Worlds
    playouts: Playouts
    is_open: bool  # whether everybody knows everything that anybody knows
    stepper: Stepper | None = None  # where the game is open, and compiled

    @classmethod
    def of(cls, game: Instance) -> "Mind":
        """That of a game, kept as long as the game is."""
        found = _MINDS.get(game)
        if found is None:
            terms, sight = game.interpreter.terms, game.interpreter.sight
            worlds = Worlds.of(terms, sight, game.hearing.viewer)
            is_open = _is_open(game)
            stepper = _stepper(game) if is_open else None
            found = cls(game, worlds, Playouts.of(game), is_open, stepper)
            _MINDS[game] = found
        return found

    def world(self, view: View, source: Stream) -> tuple[Table, Stop]:
        """A table that looks like the view to its seat, and the stop it is at."""
        table = self.worlds.world(view, Drawn(source))
        return table, self.game.interpreter.advance(table)


_MINDS: Final[WeakKeyDictionary[Instance, Mind]] = WeakKeyDictionary()
atexit.register(_MINDS.clear)  # what Wasmtime made has to go before Wasmtime does


def _stepper(game: Instance) -> Stepper | None:
    """What plays a game move by move on a machine; `None` where there is none."""
    try:
        return Stepper.of(Lowered(game.interpreter, game.packing))
    except (Unsupported, Unavailable):
        return None


def _is_open(game: Instance) -> bool:
    """Whether no face is ever hidden, no variable private and no answer sealed."""
    graph, layout = game.graph, game.compiled.layout
    locals_ = [local for phase in graph.phases for local in (*phase.params, *phase.locals)]
    private = any(any(slot.readers) for slot in (*graph.variables, *locals_))
    sealed = any(isinstance(node.step, Choose) and node.step.joint for node in graph.nodes)
    return layout.size == layout.core_size and not private and not sealed


@define(eq=False)
class Judge:
    """What playouts are worth: their rewards, or also how seats stand where they are over.

    Without a standing it is the rewards.  With one, a playout that is cut short is worth 1/2 and
    more the further a seat is ahead of the best of the others, compared with the first few
    playouts; one that comes to the end is worth that by half, and by half its share of the win.
    """

    mind: Mind
    cut: int | None = None
    standing: Standing | None = None
    each: int = 1  # playouts from every position
    _seen: list[tuple[float, ...]] = field(factory=list, init=False)
    _middle: tuple[float, ...] = field(default=(), init=False)
    _reach: float = field(default=0.0, init=False)

    def worth(self, table: Table, stop: Stop | None, source: Stream) -> Rewards:
        """What playouts from here are worth in the mean; the table is used up.

        The stop is `None` if nobody has looked for it yet.
        """
        number = source.next32() * _WORD + source.next32()
        if isinstance(stop, Terminal):
            return self._over(table, stop)
        if self.standing is None:
            return self.mind.playouts.rewards(table, stop, number, self.each)
        judging = Judging.of(self.standing, LONGEST)
        cut = NEVER if self.cut is None else self.cut
        if judging is not None:
            try:
                found = list(judging.played(table, number, self.each, cut))
                return mean([self._of(one.winners, one.standing, one.ended) for one in found])
            except Stopped:
                pass  # the reference plays them
        return mean([self._played(table.copy(), stop, number + at, cut) for at in range(self.each)])

    def _played(self, table: Table, stop: Stop | None, number: int, cut: int) -> Rewards:
        """The same of one playout by the reference."""
        stop = stop or self.mind.game.interpreter.advance(table)
        last = self.mind.playouts.played(table, stop, number, cut)
        if last is None:
            return ended(None, self.mind.game.seats)
        return self._over(table, last)

    def _over(self, table: Table, stop: Stop) -> Rewards:
        """What a table is worth on which nobody plays on."""
        result = stop.result if isinstance(stop, Terminal) else None
        scores = None if self.standing is None else self.standing(table)
        if scores is None:
            return ended(result, self.mind.game.seats)
        winners = () if result is None else result.winners
        return self._of(winners, scores, isinstance(stop, Terminal))

    def _of(self, winners: tuple[int, ...], scores: tuple[float, ...], over: bool) -> Rewards:
        leads = self._judged(scores)
        if not over:
            return leads
        won = shared(winners, len(scores))
        return tuple((one + lead) / 2 for one, lead in zip(won, leads, strict=True))

    def _judged(self, scores: tuple[float, ...]) -> Rewards:
        leads = margins(scores)
        if len(self._seen) < _CALIBRATING:
            self._calibrate(leads)
        if not self._reach:
            return (0.5,) * len(leads)
        return tuple(
            min(1.0, max(0.0, 0.5 + (lead - middle) / (2 * self._reach)))
            for lead, middle in zip(leads, self._middle, strict=True)
        )

    def _calibrate(self, leads: tuple[float, ...]) -> None:
        self._seen.append(leads)
        columns = list(zip(*self._seen, strict=True))
        self._middle = tuple(sum(column) / len(column) for column in columns)
        self._reach = max(
            abs(lead - middle)
            for column, middle in zip(columns, self._middle, strict=True)
            for lead in column
        )


@define(eq=False)
class Allowance:
    """How long a player may think about one decision: so many rounds, or so many seconds."""

    rounds: int | None
    seconds: float | None = None
    clock: Clock | None = None

    def begin(self) -> Callable[[int], bool]:
        """Whether to go on after so many rounds, asked from now on; one round is always allowed."""
        rounds, seconds, clock = self.rounds, self.seconds, self.clock
        if seconds is None or clock is None:
            return lambda done: done < (rounds or 1)
        end = clock() + seconds
        return lambda done: not done or (clock() < end and (rounds is None or done < rounds))


def tried(mind: Mind, table: Table, choice: Choice, source: Stream) -> Stop | None:
    """The next stop after an answer, chance on the way drawn; `None` where a rule breaks down."""
    machine = mind.game.interpreter
    try:
        machine.choose(table, choice)
        stop = machine.advance(table)
        while isinstance(stop, ChanceStop):
            odds = stop.outcomes
            machine.draw(table, odds.drawn(source.below(odds.total)))
            stop = machine.advance(table)
    except RuleError:
        return None
    return stop
