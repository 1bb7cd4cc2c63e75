"""Playouts judged by how seats stand, on the compiled machine: cut short, or to the end."""

import atexit
import struct
from collections.abc import Iterator
from typing import Final
from weakref import WeakKeyDictionary

from attrs import define, field, frozen

from compiler.analysis.liveness import liveness
from compiler.lir.judged import ENDED, JUDGED, MOST_ROWS, Judged, judged, row_words
from compiler.lir.reps import Unsupported
from compiler.lir.telling import IS_UNSCORED
from ruleengine.compiled.machine import Entry, Machine, Stopped, Unavailable
from ruleengine.compiled.make import make_machine
from ruleengine.compiled.working import Working
from ruleengine.players.standing import Standing
from ruleengine.table import Table

NEVER: Final = 2**31 - 1
"""Decisions after which a playout is cut that goes to the end."""

_WORD: Final = 0xFFFF_FFFF
_NUMBERS: Final = 2**64


@frozen
class Playout:
    """How a playout went: winners and scores if it came to the end, and how seats stand then."""

    ended: bool
    winners: tuple[int, ...]
    scores: tuple[int, ...] | None
    standing: tuple[float, ...]


@define(eq=False)
class Judging:
    """Plays on from tables of one game; one thread at a time may call it."""

    machine: Machine
    limit: int
    _judged: Judged
    _working: Working
    _seats: int
    _judge: Entry = field(init=False, repr=False)
    _row: struct.Struct = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._judge = self.machine.entry("judge")
        self._row = struct.Struct(f"<{row_words(self._seats)}i")
        self.machine.call("seed", 0, 0)

    @classmethod
    def of(cls, standing: Standing, limit: int) -> "Judging | None":
        """That of a standing, kept as long as it is; `None` where there is no machine for it."""
        if standing not in _KEPT:
            _KEPT[standing] = cls._made(standing, limit)
        return _KEPT[standing]

    @classmethod
    def _made(cls, standing: Standing, limit: int) -> "Judging | None":
        game = standing.game
        try:
            made = judged(game.graph, liveness(game.graph), standing.terms)
            machine = make_machine(made.program).machine
        except (Unsupported, Unavailable):
            return None
        return cls(machine, limit, made, Working(made.plan, game.interpreter.statics), game.seats)

    def played(self, table: Table, number: int, many: int, cut: int) -> Iterator[Playout]:
        """Playouts from a stop, with numbers from `number` on, at most `MOST_ROWS`.

        Raises `Stopped` where a check fails, a standing is not defined, or one is too long.
        """
        memory = self.machine.memory
        content = self._working.write(table)
        begin = self._judged.plan.image
        memory[begin : begin + len(content)] = content
        self._judge(number & _WORD, number >> 32, min(many, MOST_ROWS), self.limit, cut)
        seats, rows, scored = self._seats, self._judged.rows, self._judged.scored
        for words in self._row.iter_unpack(memory[rows : rows + many * self._row.size]):
            how, winners, *numbers = words
            if how not in (JUDGED, ENDED):
                raise Stopped(None, "a playout does not end")
            yield Playout(
                how == ENDED,
                tuple(seat for seat in range(seats) if winners >> seat & 1),
                tuple(numbers[:seats]) if scored and not winners & IS_UNSCORED else None,
                tuple(map(float, numbers[seats:])),
            )


_KEPT: Final[WeakKeyDictionary[Standing, Judging | None]] = WeakKeyDictionary()
atexit.register(_KEPT.clear)  # what Wasmtime made has to go before Wasmtime does
