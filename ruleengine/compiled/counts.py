"""How many sequences of moves a game has, by their number, counted by a compiled machine."""

import struct
from collections.abc import Callable
from typing import Final

from attrs import define, frozen

from compiler.lir.exploring.perft import DEEPEST
from compiler.lir.exploring.program import Perft, counting
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


@define(eq=False)
class Sequences:
    """Counts sequences of moves of one game, made by one carrier on a machine."""

    carrier: Carrier
    perft: Perft
    made: Made

    @classmethod
    def of(cls, carrier: Carrier, which: Which = "auto") -> "Sequences":
        """That of a game.  Raises `Unavailable` on this computer."""
        perft = counting(carrier.moves)
        return cls(carrier, perft, make_machine(perft.program, which))

    def count(self, depth: int, progress: Callable[[int], None] = lambda _: None) -> Counted:
        """Sequences of up to so many moves.

        Raises `Stopped` where a rule breaks down, or for more moves than can be counted.
        """
        if depth > DEEPEST:
            raise Stopped(None, f"sequences of more than {DEEPEST} moves")
        machine = self.made.machine
        self.carrier.begin(machine)
        machine.call("begin", depth)
        while depth and not machine.call("count", _IN_ONE_CALL):
            progress(_IN_ONE_CALL)
        counts = self.perft.counting.counts
        found = struct.unpack_from(f"<{depth + 1}Q", machine.memory, counts)
        return Counted(tuple(found), self.made)


def counted(
    lowered: Lowered,
    depth: int,
    which: Which = "auto",
    progress: Callable[[int], None] = lambda _: None,
) -> Counted:
    """Sequences of up to so many moves, counted by the fastest program that does.

    Raises `Unsupported` for a game that is not compiled, `Unavailable` on this computer, `Stopped`
    where no program gets on.
    """
    stopped: Stopped | None = None
    for carrier in carriers(lowered):
        try:
            return Sequences.of(carrier, which).count(depth, progress)
        except Stopped as stop:
            stopped = stop
    raise stopped or Stopped(None)
