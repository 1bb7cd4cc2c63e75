"""Many games at random, quickly, and which of them the interpreter should look at.

A machine stops where a check fails, where nobody can answer, and where an invariant is broken.  It
does not say what went wrong: the interpreter plays such a game again and does.
"""

from typing import Final

from attrs import define, field

from compiler.lir.telling import GAMES, RESULTS, UNFINISHED
from ruleengine.compiled.games import Lowered
from ruleengine.compiled.machine import Entry, Machine, Stopped
from ruleengine.compiled.make import Which, make_machine

_WORD: Final = 0xFFFF_FFFF
_CALL: Final = 64  # games in one call


@define(eq=False)
class Watchful:
    """Plays games of one run; one thread at a time may call it."""

    machine: Machine
    limit: int
    _play: Entry = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._play = self.machine.entry("playouts")

    @classmethod
    def of(cls, lowered: Lowered, seed: int, limit: int, which: Which = "auto") -> "Watchful":
        """That of a run, each game given up after `limit` nodes.

        Raises `Unsupported` for a game that is not compiled, `Unavailable` on this computer.
        """
        machine = make_machine(lowered.lawful.games.program, which).machine
        machine.call("seed", seed & _WORD, seed >> 32)
        return cls(machine, limit)

    def suspects(self, numbers: range) -> tuple[int, ...]:
        """The games with these consecutive numbers that stop, or are given up for their length."""
        found: list[int] = []
        for first in range(numbers.start, numbers.stop, _CALL):
            some = range(first, min(first + _CALL, numbers.stop))
            if not self._goes_well(some):
                found += [n for n in some if not self._goes_well(range(n, n + 1))]
        return tuple(found)

    def _goes_well(self, numbers: range) -> bool:
        """Whether all of these games come to their end."""
        memory = self.machine.memory
        memory[RESULTS : RESULTS + 8 * (UNFINISHED + 1)] = bytes(8 * (UNFINISHED + 1))
        try:
            self._play(numbers.start & _WORD, numbers.start >> 32, len(numbers), 0, self.limit)
        except Stopped:
            return False
        finished = memory[RESULTS + 8 * GAMES : RESULTS + 8 * GAMES + 8]
        return int.from_bytes(finished, "little") == len(numbers)
