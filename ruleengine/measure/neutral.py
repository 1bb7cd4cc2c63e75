"""Whether two games are the same game: proved, refuted by the shortest play, or not decided.

Three ways, the cheapest first.  If both graphs do the same step by step, every game is the same.
Else both are gone through together, situation by situation, the nearest first: if no pair of
situations differs, they are the same; the first that does is as near to the start as any can be.
If there are too many situations, random games look for a difference, which is then made short.
"""

from collections import deque
from collections.abc import Iterator
from enum import Enum
from typing import Final

from attrs import define, field, frozen

from compiler.analysis.pairing import pairing
from ruleengine.game import Instance
from ruleengine.measure.lockstep import (
    Drawing,
    Kept,
    Lockstep,
    Parting,
    Play,
    Side,
    asked,
)
from ruleengine.measure.shrinking import BUDGET, Shrinking
from ruleengine.measure.traced_play import found_by_trace
from ruleengine.measure.traces import Pair
from ruleengine.stops import ChanceStop, Stop, Terminal

STATES: Final = 1_000
"""Pairs of situations that are looked at, unless it is said."""

GAMES: Final = 200
"""Random games that are tried where there are more."""

_STOPS: Final = 200_000  # stops after which two games are said not to part
_NODES: Final = 200_000  # nodes after which a game is given up
_INTERPRETED: Final = 20  # games that the interpreter tries where nothing else plays them
_KNOWING: Final = 3  # games that it tries where traces do not differ, and only knowledge may


class How(Enum):
    """How it was found out."""

    GRAPHS = "both do the same step by step"
    EXPLORED = "no situation differs"
    SHORTEST = "they part, and no shorter play parts them"
    FOUND = "they part"
    UNDECIDED = "not decided"


@frozen
class Verdict:
    """Whether two games are the same, and how that is known.

    `situations` pairs were looked at.  `games` random games were tried, and `witness` parts them.
    """

    how: How
    situations: int
    games: int
    witness: Parting | None

    @property
    def neutral(self) -> bool | None:
        """Whether they are the same; `None` if that was not decided."""
        if self.how in (How.GRAPHS, How.EXPLORED):
            return True
        return None if self.how is How.UNDECIDED else False


def compared(old: Instance, new: Instance, states: int = STATES, games: int = GAMES) -> Verdict:
    """Whether two games of as many players are the same."""
    if pairing(old.graph, new.graph).same:
        return Verdict(How.GRAPHS, 0, 0, None)
    walk = _Walk(Lockstep.of(old, new), states)
    found = walk.run()
    if found is not None:
        return Verdict(How.SHORTEST, walk.seen, 0, found)
    if walk.complete:
        return Verdict(How.EXPLORED, walk.seen, 0, None)
    lockstep = Lockstep.of(old, new)
    pair = Pair.of(old, new, _NODES)
    if pair is not None:
        draws = pair.partings(games)
        found = found_by_trace(lockstep, pair, BUDGET, draws)
        if found is not None:
            return Verdict(How.FOUND, walk.seen, games, found)
    few = min(games, _INTERPRETED if pair is None else _KNOWING)
    drawn = (lockstep.play(Drawing.of(old, 0, number), _STOPS) for number in range(few))
    partings = [parting for parting in drawn if parting is not None]
    if not partings:
        return Verdict(How.UNDECIDED, walk.seen, few if pair is None else games, None)
    best = min(partings, key=lambda parting: len(parting.play))
    return Verdict(How.FOUND, walk.seen, games, Shrinking(lockstep, best, BUDGET).run())


@define(eq=False)
class _Walk:
    """Goes through pairs of situations in the order of their distance."""

    lockstep: Lockstep
    limit: int
    seen: int = field(default=0, init=False)
    complete: bool = field(default=False, init=False)
    _known: set[tuple[bytes, bytes]] = field(factory=set, init=False)
    _waiting: deque[tuple[Kept, Kept, Play]] = field(factory=deque, init=False)

    def run(self) -> Parting | None:
        """The nearest parting, if there is one among the pairs that may be looked at."""
        old, new = self.lockstep.old, self.lockstep.new
        old.begin()
        new.begin()
        found = self._look(())
        while self._waiting and found is None:
            one, other, play = self._waiting.popleft()
            for number in numbers(one.stop):
                if self.seen >= self.limit:
                    return None
                old.back_to(one)
                new.back_to(other)
                old.go(number)
                new.go(number)
                found = self._look((*play, number))
                if found is not None:
                    return found
        self.complete = found is None
        return found

    def _look(self, play: Play) -> Parting | None:
        """Looks at where both stand; what is new and the same waits to be gone on from."""
        old, new = self.lockstep.old, self.lockstep.new
        if self._is_new(old, new):
            self.seen += 1
            found = self.lockstep.compare(play)
            if found is not None:
                return found
            self._waiting.append((old.kept(), new.kept(), play))
        return None

    def _is_new(self, old: Side, new: Side) -> bool:
        if old.stop is None or new.stop is None:
            return True
        key = old.packed, new.packed
        if key in self._known:
            return False
        self._known.add(key)
        return True


def numbers(stop: Stop | None) -> Iterator[int]:
    """A number for everything that can happen at a stop; the answers of all seats, one by one."""
    match stop:
        case ChanceStop(outcomes=odds):
            number = 0
            for outcome in odds:
                yield number
                number += outcome.weight
        case None | Terminal():
            return
        case _:
            yield from range(len(asked(stop)))
