"""Makes a play that parts two games as short and plain as can be found.

Numbers are left out in blocks, large blocks first, then lowered; what still parts, and no later, is
kept.  The work is counted in stops, so that the same play shrinks to the same.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from attrs import define, field

from ruleengine.measure.lockstep import Following, Lockstep, Parting, Play

BUDGET: Final = 4_000
"""Stops that are played to shrink one play, unless it is said."""

_BLOCKS: Final = (64, 32, 16, 8, 4, 2, 1)


Trying: TypeAlias = Callable[[Play, int], tuple[Play | None, int]]
"""Tries a play, up to so many stops: the play that parts, if one does, and the stops it took."""


@define(eq=False)
class Shortening:
    """The shortest play so far, and the stops that may still be played."""

    best: Play
    left: int
    trying: Trying
    _tried: set[Play] = field(factory=set)

    def run(self) -> Play:
        """The shortest that is found; the same again if nothing shorter is."""
        while self.left > 0 and (self._shorter() or self._lower()):
            pass
        return self.best

    def _shorter(self) -> bool:
        """Leaves out blocks; whether that helped."""
        before = len(self.best)
        for size in _BLOCKS:
            at = len(self.best) - size
            while at >= 0 and self.left > 0:
                play = self.best
                self._try(play[:at] + play[at + size :], len(play) - 1)
                at = min(at - 1, len(self.best) - size)
        return len(self.best) < before

    def _lower(self) -> bool:
        """Lowers numbers, first to 0; whether the play became shorter by it."""
        before = len(self.best)
        at = 0
        while at < len(self.best) and self.left > 0:
            play = self.best
            if play[at]:
                for number in dict.fromkeys((0, play[at] // 2, play[at] - 1)):
                    if self._try((*play[:at], number, *play[at + 1 :]), len(play)):
                        break
            at += 1
        return len(self.best) < before

    def _try(self, play: Play, length: int) -> bool:
        """Plays at most `length` stops; whether that parts sooner, or as soon by lower numbers."""
        if play in self._tried:
            return False
        self._tried.add(play)
        found, stops = self.trying(play, length)
        self.left -= stops
        if found is None or (len(found), found) >= (len(self.best), self.best):
            return False
        self.best = found
        return True


@define(eq=False)
class Shrinking:
    """Makes a parting short on the interpreter, in so many stops.

    What parts them has to stay of the same sort: another one may be another matter.
    """

    lockstep: Lockstep
    best: Parting
    left: int = BUDGET
    _found: dict[Play, Parting] = field(factory=dict)

    def run(self) -> Parting:
        """The shortest that is found; the same again if nothing shorter is."""
        self._found[self.best.play] = self.best
        return self._found[Shortening(self.best.play, self.left, self._try).run()]

    def _try(self, play: Play, length: int) -> tuple[Play | None, int]:
        following = Following(play, length)
        found = self.lockstep.play(following, length + 1)
        stops = len(following.used) + 1
        if found is None or found.what is not self.best.what:
            return None, stops
        self._found[found.play] = found
        return found.play, stops
