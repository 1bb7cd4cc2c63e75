"""How many sequences of moves a game has, by their number, counted by a compiled machine."""

import struct
from collections.abc import Callable
from typing import Final

from attrs import frozen

from compiler.lir.exploring.perft import DEEPEST
from compiler.lir.exploring.program import counting
from ruleengine.compiled.games import Lowered
from ruleengine.compiled.machine import Stopped
from ruleengine.compiled.make import Made, Which, make_machine
from ruleengine.compiled.situations import Carrier, carriers

_IN_ONE_CALL: Final = 1 << 17
"""Situations that are gone through in one call, so that Ctrl-C is heard soon."""


@frozen
class Counted:
    """Sequences by their number, the empty one first, and the machine that counted them."""

    by_depth: tuple[int, ...]
    made: Made


def counted(
    lowered: Lowered,
    depth: int,
    which: Which = "auto",
    progress: Callable[[int], None] = lambda _: None,
) -> Counted:
    """Sequences of up to so many moves.

    Raises `Unsupported` for a game that is not compiled, `Unavailable` on this computer, `Stopped`
    where no program gets on, or is not made for so many moves.
    """
    if depth > DEEPEST:
        raise Stopped(None, f"sequences of more than {DEEPEST} moves")
    stopped: Stopped | None = None
    for carrier in carriers(lowered):
        try:
            return _counted(carrier, depth, which, progress)
        except Stopped as stop:
            stopped = stop
    raise stopped or Stopped(None)


def _counted(
    carrier: Carrier, depth: int, which: Which, progress: Callable[[int], None]
) -> Counted:
    perft = counting(carrier.moves)
    made = make_machine(perft.program, which)
    carrier.begin(made.machine)
    made.machine.call("begin", depth)
    while depth and not made.machine.call("count", _IN_ONE_CALL):
        progress(_IN_ONE_CALL)
    found = struct.unpack_from(f"<{depth + 1}Q", made.machine.memory, perft.counting.counts)
    return Counted(tuple(found), made)
