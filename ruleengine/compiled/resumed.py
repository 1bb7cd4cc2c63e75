"""Plays a game on from any of its stops to the end, at random, on a compiled machine.

For players who think by trying: a position is written into a machine's memory and played on from.
"""

import struct
from collections.abc import Iterator
from typing import Final, Protocol

from attrs import define, field

from compiler.lir.program import Resumed
from compiler.lir.reps import Unsupported
from compiler.lir.stepwise.program import Stepwise
from compiler.lir.telling import IS_DRAW, IS_UNSCORED, Games
from compiler.lir.ways import Here
from ruleengine.compiled.games import Lowered
from ruleengine.compiled.machine import Entry, Machine, Stopped
from ruleengine.compiled.make import Which, make_machine
from ruleengine.compiled.working import Working
from ruleengine.interpreter import Interpreter
from ruleengine.packing import Packing
from ruleengine.table import Table

_WORD: Final = 0xFFFF_FFFF
_RUN: Final = 0  # the seed of all playouts; their numbers tell them apart

_Spot = tuple[int, tuple[int, ...], bool]


class Entrance(Protocol):
    """Lets games begin at a stop."""

    @property
    def games(self) -> Games:
        """The program."""

    def enter(self, memory: memoryview, table: Table) -> None:
        """Writes where every game begins; raises `Stopped` if the program has no such place."""


@define(eq=False)
class Places:
    """The entrance of a woven program: places, and the canonical bytes of the core."""

    interpreter: Interpreter
    packing: Packing
    resumed: Resumed
    _entrances: dict[_Spot, list[tuple[tuple[tuple[int, object], ...], int]]] = field(
        factory=dict, init=False, repr=False
    )

    def __attrs_post_init__(self) -> None:
        for here, number in self.resumed.entrances.items():
            spot = here.node, here.stack, here.in_trigger
            self._entrances.setdefault(spot, []).append((self._carried(here), number))

    @property
    def games(self) -> Games:
        """The program."""
        return self.resumed.games

    def enter(self, memory: memoryview, table: Table) -> None:
        """Writes the place and the bytes."""
        begin = self.resumed.begin
        struct.pack_into("<Q", memory, begin, self._place(table))
        core = self.packing.pack(table)[: self.packing.core_size]
        memory[begin + 8 : begin + 8 + len(core)] = core

    def _place(self, table: Table) -> int:
        """The number of the place that a stop is."""
        spot = table.node, tuple(table.stack), table.in_trigger
        values = table.values
        for carried, number in self._entrances.get(spot, ()):
            if all(values[slot] == value for slot, value in carried):
                return number
        raise Stopped(None, "no place of the program is this stop")

    def _carried(self, here: Here) -> tuple[tuple[int, object], ...]:
        """What has to hold at a place: values of slots."""
        slots = self.interpreter.statics.slots
        return tuple(
            (slots[variable].banks()[bank] + member, value)
            for (variable, bank, member), value in here.carried
        )


@define(eq=False)
class Image:
    """The entrance of a program that goes node by node: the table itself."""

    stepwise: Stepwise
    working: Working

    @property
    def games(self) -> Games:
        """The program."""
        return self.stepwise.games

    def enter(self, memory: memoryview, table: Table) -> None:
        """Writes the table."""
        content = self.working.write(table)
        begin, openings = self.stepwise.plan.image, self.stepwise.openings.count
        memory[begin : begin + len(content)] = content
        memory[openings : openings + 4] = bytes(4)


@define(eq=False)
class PlayOn:
    """Plays one game on from stops; one thread at a time may call it."""

    entrance: Entrance
    machine: Machine
    limit: int
    _play: Entry = field(init=False, repr=False)
    _row: struct.Struct = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._play = self.machine.entry("playouts")
        self._row = struct.Struct(f"<{self.entrance.games.addresses.row_bytes // 4}i")
        self.machine.call("seed", _RUN & _WORD, _RUN >> 32)

    @classmethod
    def of(cls, lowered: Lowered, limit: int, which: Which = "auto") -> "PlayOn":
        """That of a game, each playout given up after `limit` nodes.

        Raises `Unsupported` for a game that is not compiled, `Unavailable` on this computer.
        """
        entrance = _entrance(lowered)
        return cls(entrance, make_machine(entrance.games.program, which).machine, limit)

    def ends(self, table: Table, numbers: range) -> Iterator[tuple[int, bool, tuple[int, ...]]]:
        """How playouts with these numbers end: a mask of winners, whether it is a draw, scores.

        `numbers` are below 2**64 and at most `ROWS`.  Raises `Stopped` where a check fails, a
        playout is too long, or no place of the program is this stop.
        """
        memory = self.machine.memory
        self.entrance.enter(memory, table)
        self._play(numbers.start & _WORD, numbers.start >> 32, len(numbers), 1, self.limit)
        rows = self.entrance.games.addresses.rows
        scored = self.entrance.games.scored
        for words in self._row.iter_unpack(memory[rows : rows + len(numbers) * self._row.size]):
            unfinished, winners, _, _, _, *scores = words
            if unfinished:
                raise Stopped(None, "a playout does not end")
            told = tuple(scores) if scored and not winners & IS_UNSCORED else ()
            yield winners % IS_DRAW, bool(winners & IS_DRAW), told


def _entrance(lowered: Lowered) -> Entrance:
    """The entrance of the faster program that there is."""
    try:
        return Places(lowered.interpreter, lowered.packing, lowered.resumed)
    except Unsupported:
        stepwise = lowered.stepwise
        return Image(stepwise, Working(stepwise.plan, lowered.interpreter.statics))
