"""All situations of a game, found by a compiled machine: see `compiler.lir.exploring.breadth`.

A move for which the machine stops is made by the interpreter, which says what is wrong, or finds
that nothing is.  Woven programs are much faster; where one stops, the game is gone through again
by a program that goes node by node.
"""

import struct
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final, Protocol

from attrs import define, field, frozen

from compiler.lir.exploring.breadth import CHANCE, ENDED
from compiler.lir.exploring.program import LARGEST, Exploring, Moves, exploring
from compiler.lir.exploring.stepping import Stepping
from compiler.lir.exploring.table import FULL
from compiler.lir.exploring.woven import Woven
from compiler.lir.reps import Unsupported
from compiler.lir.stepwise.plan import HEADER
from ruleengine.compiled.games import Lowered
from ruleengine.compiled.machine import Machine, Stopped
from ruleengine.compiled.make import Made, Which, make_machine
from ruleengine.compiled.working import Working
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
from ruleengine.packing import Packing
from ruleengine.stops import ChanceStop, Decision, JointDecision, Stop, Terminal
from ruleengine.table import Table

_IN_ONE_CALL: Final = 1 << 14
"""Situations that are looked at in one call, so that Ctrl-C is heard soon."""

_SMALL: Final = 3 << 25
"""Bytes for a machine that fills its memory with zeros itself."""


@frozen
class Nowhere:
    """A move after which a rule breaks down: from which situation, and what is wrong."""

    situation: int
    error: RuleError


@frozen
class Ending:
    """One way in which situations end, as rows tell it: how many, and how many ways lead there."""

    told: int
    situations: int
    ways: int


@frozen(eq=False)
class Sums:
    """Of all situations: how many ask a seat, wait for chance, are ends; and the endings, in the
    order they were found, unless there are scores.

    `layers` is there where every move leads one layer on: for each, the ways to its ends, to its
    decisions, to its draws, and one move further.  `ways` has those to each situation then.
    """

    decisions: int
    chance: int
    ends: int
    endings: tuple[Ending, ...] | None
    layers: tuple[tuple[int, ...], ...] | None
    ways: Sequence[int]


class Carrier(Protocol):
    """Carries tables over to a machine's memory, as the key of a situation, and back."""

    @property
    def moves(self) -> Moves:
        """The moves of the game."""

    def begin(self, machine: Machine) -> None:
        """Writes the first stop of the game as the key."""

    def table(self, machine: Machine, record: memoryview) -> Table:
        """The table of a situation whose record is given."""

    def write(self, machine: Machine, table: Table) -> None:
        """Writes the stop at which a table stands as the key.  Raises `Stopped` if it cannot."""


@define(eq=False)
class WovenCarrier:
    """The key is the canonical bytes; what else is kept is the number of a place."""

    interpreter: Interpreter
    packing: Packing
    woven: Woven

    @property
    def moves(self) -> Moves:
        """The moves of the game."""
        return self.woven.moves

    def begin(self, machine: Machine) -> None:
        """Writes the first stop of the game as the key."""
        table = self.interpreter.start()
        self.interpreter.advance(table)
        self.write(machine, table)

    def table(self, machine: Machine, record: memoryview) -> Table:
        """The table of a situation whose record is given."""
        del machine
        core = self.woven.spelling.core(bytes(record))
        return self.packing.unpack(core + bytes(self.packing.size - len(core)))

    def write(self, machine: Machine, table: Table) -> None:
        """Writes the stop at which a table stands as the key."""
        address, core = self.moves.key.address, self.packing.pack(table)[: self.packing.core_size]
        record = self.woven.spelling.record(core, self._place(table))
        if record is None:
            raise Stopped(None, "no place of the program is this stop")
        machine.memory[address : address + len(record)] = record

    def _place(self, table: Table) -> int:
        values, slots = table.values, self.interpreter.statics.slots
        for here, number in self.woven.places.items():
            if (here.node, here.stack) == (table.node, tuple(table.stack)) and all(
                values[slots[variable].banks()[bank] + member] == value
                for (variable, bank, member), value in here.carried
            ):
                return number
        raise Stopped(None, "no place of the program is this stop")


@define(eq=False)
class SteppingCarrier:
    """The key is what lies where; the machine itself writes it and lays it out."""

    interpreter: Interpreter
    stepping: Stepping
    working: Working

    @property
    def moves(self) -> Moves:
        """The moves of the game."""
        return self.stepping.moves

    def begin(self, machine: Machine) -> None:
        """Writes the first stop of the game as the key."""
        table = self.interpreter.start()
        try:
            self._put(machine, table)
            machine.call("advance")
            machine.call("put_key")
        except Stopped:
            self.interpreter.advance(table)
            self.write(machine, table)

    def table(self, machine: Machine, record: memoryview) -> Table:
        """The table of a situation whose record is given."""
        key = self.moves.key
        machine.memory[key.address : key.address + key.size] = record[: key.size]
        machine.call("lay_key")
        return self.working.read(machine.memory[HEADER : self.stepping.plan.table_end])

    def write(self, machine: Machine, table: Table) -> None:
        """Writes the stop at which a table stands as the key."""
        self._put(machine, table)
        machine.call("put_key")

    def _put(self, machine: Machine, table: Table) -> None:
        content = self.working.write(table)
        machine.memory[HEADER : HEADER + len(content)] = content


def _unseen(table: Table, stop: Stop) -> None:
    """Nobody looks."""


@define(eq=False)
class Situations:
    """Goes through the situations of one game; `layers` are how many are so many moves away.

    `look` sees where moves lead that are left to the interpreter; what it raises is a fault.  Moves
    that lead nowhere count as situations of their own there.
    """

    interpreter: Interpreter
    carrier: Carrier
    program: Exploring
    made: Made
    look: Callable[[Table, Stop], None] = _unseen
    layers: list[int] = field(factory=list, init=False)
    _new: list[int] = field(factory=list, init=False)  # the same without those
    nowhere: list[Nowhere] = field(factory=list, init=False)
    full: bool = field(default=False, init=False)

    @classmethod
    def of(
        cls, lowered: Lowered, carrier: Carrier, limit: int, which: Which = "auto"
    ) -> "Situations":
        """Up to so many situations.  Raises `Unavailable` on this computer."""
        largest = LARGEST if which != "python" else _SMALL
        program = exploring(carrier.moves, limit, largest)
        return cls(lowered.interpreter, carrier, program, make_machine(program.program, which))

    # ---- running

    def run(
        self,
        reach: int | None = None,
        progress: Callable[[int], None] = lambda _: None,
        origin: Table | None = None,
    ) -> None:
        """Looks at all situations, those at most `reach` moves away, or as many as are allowed.

        `origin` is the stop to go on from, else the first one of the game.
        """
        self._begin(origin)
        while self.looked < self.count and not self.beyond and len(self.layers) - 1 != reach:
            before, end = self.total, self.count
            while self.looked < end and not self.beyond:
                at = self.looked
                self._call(min(end, at + _IN_ONE_CALL))
                progress(self.looked - at)
            if self.total > before:
                self.layers.append(self.total - before)
                self._new.append(self.count - end)

    def _begin(self, origin: Table | None) -> None:
        machine, finding = self.made.machine, self.program.finding
        machine.call("clear")
        for word in (finding.at, finding.nowhere, finding.dropped, finding.desk.first):
            self._set(word, 0)
        self.nowhere.clear()
        if origin is None:
            self.carrier.begin(machine)
        else:
            self.carrier.write(machine, origin)
        machine.call("arrive", 1)
        machine.call("answer")
        self._set(finding.top, 0)
        self.layers, self._new = [1], [1]

    def _call(self, until: int) -> None:
        try:
            self.made.machine.call("explore", until)
        except Stopped as stopped:
            if stopped.code == FULL or isinstance(self.carrier, WovenCarrier):
                raise
            self._leave_to_interpreter()

    def _leave_to_interpreter(self) -> None:
        """Makes the move at which the machine stopped."""
        machine, desk = self.made.machine, self.program.finding.desk
        at, number = self.looked, self._get(desk.first)
        table = self.carrier.table(machine, self.record(at))
        stop = self.interpreter.advance(table)
        weight, last = 1, False
        try:
            weight, last = self._move(table, stop, number)
            self._set(desk.mover, _mover(stop))
            self.look(table, self.interpreter.advance(table))
            self.carrier.write(machine, table)
            self._set(desk.mover, _mover(stop))
            machine.call("arrive", weight)
        except RuleError as error:
            self.nowhere.append(Nowhere(at, error))
            machine.call("nowhere", weight)
        self._set(desk.first, -1 if last else number + weight)

    def _move(self, table: Table, stop: Stop, number: int) -> tuple[int, bool]:
        """Makes a move: its weight, and whether it is the last."""
        match stop:
            case ChanceStop(outcomes=odds):
                outcome = odds.drawn(number)
                self.interpreter.draw(table, outcome)
                return outcome.weight, number + outcome.weight >= odds.total
            case Decision(choices=choices) | JointDecision(choices=(choices, *_)):
                self.interpreter.choose(table, choices[number])
                return 1, number + 1 == len(choices)
            case _:
                raise AssertionError(stop)

    # ---- what is found

    @property
    def looked(self) -> int:
        """Situations that were looked at; they are numbered in the order they were found."""
        return self._get(self.program.finding.at)

    @property
    def count(self) -> int:
        """Situations that were found."""
        return self._get(self.program.finding.table.count)

    @property
    def total(self) -> int:
        """The same, with the moves that lead nowhere."""
        return self.count + len(self.nowhere)

    @property
    def beyond(self) -> bool:
        """Whether there are more than the limit."""
        return self.total > self.program.finding.table.limit

    def faults(self) -> Iterator[tuple[int, RuleError]]:
        """What is wrong with each move that leads nowhere, and how many moves end there."""
        ends, depth = self.layers[0], 1
        for fault in self.nowhere:
            while fault.situation >= ends:
                depth += 1
                ends += self._new[depth - 1]
            yield depth, fault.error

    def sums(self) -> Sums:
        """What there is to say of all that was looked at together; ways only if that is all."""
        machine, summing, looked = self.made.machine, self.program.summing, self.looked
        whole = looked == self.count <= summing.room and not self.beyond
        machine.call("begin_sums", looked, 0 if whole else 1)
        layers, begin = [], 0
        for size in self._new if whole else (looked,):
            machine.call("sum_up", begin, begin + size)
            layers.append(struct.unpack_from("<4Q", machine.memory, summing.layer))
            begin += size
        ended, asked, drawn = self._numbers(summing.counts, 3)
        ways = array("Q")
        if whole and not self._get(summing.uneven):
            ways.frombytes(machine.memory[summing.ways : summing.ways + 8 * looked])
        endings = None if summing.is_scored else self._endings()
        return Sums(asked, drawn, ended, endings, tuple(layers) if ways else None, ways)

    def _endings(self) -> tuple[Ending, ...]:
        summing, told = self.program.summing, []
        for one in self._numbers(summing.endings, self._get(summing.many)):
            at = summing.come_to + 8 * one
            ways = struct.unpack_from("<Q", self.made.machine.memory, at)[0]
            told.append(Ending(one, self._get(summing.counted + 4 * one), ways))
        return tuple(told)

    @property
    def rows_are_whole(self) -> bool:
        """Whether there was room for all that is told of situations."""
        return not self._get(self.program.finding.dropped)

    def record(self, number: int) -> memoryview:
        """The record of a situation."""
        table = self.program.finding.table
        begin = table.records + number * table.key.record
        return self.made.machine.memory[begin : begin + table.key.record]

    def table(self, number: int) -> Table:
        """The table of a situation."""
        return self.carrier.table(self.made.machine, self.record(number))

    def starts(self) -> memoryview:
        """Where the row of each situation that was looked at begins, and where the last ends."""
        return self._numbers(self.program.finding.starts, self.looked + 1)

    def rows(self) -> memoryview:
        """The rows, one behind the other."""
        return self._numbers(self.program.finding.rows, self._get(self.program.finding.top))

    @property
    def bytes_used(self) -> int:
        """Bytes of memory that hold what was found."""
        found = self.program.finding
        entries = 8 * (self._get(found.table.last) + 1)
        records = self.count * found.table.key.record
        return entries + records + 4 * (self.looked + 1) + 4 * self._get(found.top)

    def _numbers(self, address: int, count: int) -> memoryview:
        return self.made.machine.memory[address : address + 4 * count].cast("i")

    def _get(self, address: int) -> int:
        found: int = struct.unpack_from("<i", self.made.machine.memory, address)[0]
        return found

    def _set(self, address: int, number: int) -> None:
        struct.pack_into("<i", self.made.machine.memory, address, number)


def _mover(stop: Stop) -> int:
    match stop:
        case ChanceStop():
            return CHANCE
        case Decision(seat=seat) | JointDecision(seats=(seat, *_)):
            return seat
        case Terminal() | JointDecision():
            return ENDED


def carriers(lowered: Lowered) -> Iterator[Carrier]:
    """What goes through a game, the fastest first; raises `Unsupported` if nothing does."""
    with suppress(Unsupported):
        yield WovenCarrier(lowered.interpreter, lowered.packing, lowered.moves)
    stepping = lowered.stepping
    yield SteppingCarrier(
        lowered.interpreter, stepping, Working(stepping.plan, lowered.interpreter.statics)
    )


def situations(
    lowered: Lowered,
    limit: int,
    reach: int | None = None,
    which: Which = "auto",
    progress: Callable[[int], None] = lambda _: None,
) -> Situations:
    """The situations of a game, gone through by the fastest program that does.

    Raises `Unsupported` for a game that is not compiled, `Unavailable` on this computer, `Stopped`
    where no program gets on.
    """
    stopped: Stopped | None = None
    for carrier in carriers(lowered):
        found = Situations.of(lowered, carrier, limit, which)
        try:
            found.run(reach, progress)
        except Stopped as stop:
            stopped = stop
        else:
            return found
    raise stopped or Stopped(None)


def lawful_situations(
    lowered: Lowered, limit: int, *, look: Callable[[Table, Stop], None], which: Which = "auto"
) -> Situations:
    """The situations of a game, in all of which its invariants hold; `look` says what is broken.

    Raises what `situations` does.
    """
    stepping = lowered.lawful_stepping
    working = Working(stepping.plan, lowered.interpreter.statics)
    carrier = SteppingCarrier(lowered.interpreter, stepping, working)
    found = Situations.of(lowered, carrier, limit, which)
    found.look = look
    found.run()
    return found
