"""The short play behind a difference of traces: found on machines, told by the interpreter."""

from collections.abc import Mapping
from typing import Final

from ruleengine.measure.lockstep import Drawing, Drawn, Lockstep, Parting
from ruleengine.measure.shrinking import Shrinking
from ruleengine.measure.traces import Pair

_TRIED: Final = 3  # games in which the interpreter looks for what traces say is there
_SLACK: Final = 50  # stops behind a difference of traces at which it is looked for at most
_SHORT: Final = 12  # draws up to which the interpreter makes a play short as fast
_TIMES: Final = 50  # stops of a machine in the time of one of the interpreter


def found_by_trace(
    lockstep: Lockstep, pair: Pair, shrink: int, draws: Mapping[int, int]
) -> Parting | None:
    """The shortest play that is found after which two games part, in so many stops.

    `draws` has games of the run that part, and how many draws they have in common.  What is found
    on machines counts only if the interpreter finds it there too, else it looks for itself.
    """
    some = sorted(draws, key=lambda number: (draws[number], number))[:_TRIED]
    short = bool(some) and draws[some[0]] <= _SHORT
    traced = () if short else some
    plays = [pair.shortest(number, draws[number], shrink * _TIMES) for number in traced]
    for play in sorted(plays, key=lambda play: (len(play), play)):
        found = lockstep.play(Drawn(play), _room(len(play)))
        if found is not None:
            return found
    for number in some:
        drawing = Drawing.of(lockstep.old.game, pair.old.seed, number)
        found = lockstep.play(drawing, _room(draws[number]))
        if found is not None:
            return Shrinking(lockstep, found, shrink).run() if shrink else found
    return None


def _room(draws: int) -> int:
    """Stops within which games part that have so many draws in common; some stops draw nothing."""
    return 2 * draws + _SLACK
