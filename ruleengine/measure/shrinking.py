"""Makes a play that parts two games as short and plain as can be found.

Numbers are left out in blocks, large blocks first, then lowered; what still parts, and no later, is
kept.  The work is counted in stops, so that the same play shrinks to the same.
"""

from typing import Final

from attrs import define, field

from ruleengine.measure.lockstep import Following, Lockstep, Parting, Play

BUDGET: Final = 4_000
"""Stops that are played to shrink one play, unless it is said."""

_BLOCKS: Final = (64, 32, 16, 8, 4, 2, 1)


@define(eq=False)
class Shrinking:
    """The shortest parting so far, and the stops that may still be played."""

    lockstep: Lockstep
    best: Parting
    left: int = BUDGET
    _tried: set[Play] = field(factory=set)

    def run(self) -> Parting:
        """The shortest that is found; the same again if nothing shorter is."""
        while self.left > 0 and (self._shorter() or self._lower()):
            pass
        return self.best

    def _shorter(self) -> bool:
        """Leaves out blocks; whether that helped."""
        before = len(self.best.play)
        for size in _BLOCKS:
            at = len(self.best.play) - size
            while at >= 0 and self.left > 0:
                play = self.best.play
                self._try(play[:at] + play[at + size :], len(play) - 1)
                at = min(at - 1, len(self.best.play) - size)
        return len(self.best.play) < before

    def _lower(self) -> bool:
        """Lowers numbers, first to 0; whether the play became shorter by it."""
        before = len(self.best.play)
        at = 0
        while at < len(self.best.play) and self.left > 0:
            play = self.best.play
            if play[at]:
                for number in dict.fromkeys((0, play[at] // 2, play[at] - 1)):
                    if self._try((*play[:at], number, *play[at + 1 :]), len(play)):
                        break
            at += 1
        return len(self.best.play) < before

    def _try(self, play: Play, length: int) -> bool:
        """Plays at most `length` stops; whether that parts sooner, or as soon with lower numbers.

        What parts them has to stay of the same sort: another one may be another matter.
        """
        if play in self._tried:
            return False
        self._tried.add(play)
        following = Following(play, length)
        found = self.lockstep.play(following, length + 1)
        self.left -= len(following.used) + 1
        if found is None or found.what is not self.best.what:
            return False
        shorter = len(found.play) < len(self.best.play)
        lower = len(found.play) == len(self.best.play) and found.play < self.best.play
        if shorter or lower:
            self.best = found
        return shorter or lower
