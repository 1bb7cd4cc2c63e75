"""A game played step by step on a compiled machine: how many answers there are, give one, go back.

For players who think by trying.  Answers are numbers in the order of the interpreter's; chance
answers with a number below the sum of the weights.  Going back is copying the table.
"""

import struct
from typing import Self

from attrs import define, field, frozen

from compiler.lir.core import Program
from compiler.lir.exploring.breadth import CHANCE
from compiler.lir.exploring.program import exploring
from compiler.lir.exploring.stepping import Stepping
from compiler.lir.stepwise.plan import HEADER
from ruleengine.compiled.games import Lowered
from ruleengine.compiled.machine import Entry, Machine
from ruleengine.compiled.make import Which, make_machine
from ruleengine.compiled.working import Working
from ruleengine.interpreter import Interpreter
from ruleengine.results import told_result
from ruleengine.stops import Result
from ruleengine.table import Table


@frozen
class Mark:
    """A stop to come back to."""

    table: bytes
    count: int
    mover: int


@define(eq=False)
class Stepper:
    """One game on a machine; it stands at a stop.

    `count` is the number of answers, for chance the sum of the weights; 0 where the game is over.
    `mover` is the seat that answers, `None` for chance.  Where a rule breaks down, or the machine
    knows no better, `Stopped` is raised: go back to a mark and ask the interpreter.
    """

    interpreter: Interpreter
    stepping: Stepping
    machine: Machine
    count: int = field(default=0, init=False)
    _mover: int = field(default=0, init=False)
    _working: Working = field(init=False)
    _take: Entry = field(init=False)
    _end: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._working = Working(self.stepping.plan, self.interpreter.statics)
        self._take = self.machine.entry("take")
        self._end = self.stepping.plan.table_end

    @classmethod
    def of(cls, lowered: Lowered, which: Which = "auto", *, knowing: bool = False) -> Self:
        """At the first stop of a game; `knowing`: what everybody knows is kept on the table.

        Raises `Unsupported` for a game that is not compiled, `Unavailable` on this computer.
        """
        stepping = lowered.knowing_stepping if knowing else lowered.stepping
        program: Program = exploring(stepping.moves, 1, stepping.moves.end + (1 << 26)).program
        found = cls(lowered.interpreter, stepping, make_machine(program, which).machine)
        found.begin(lowered.interpreter.start())
        return found

    def begin(self, table: Table) -> None:
        """Goes on from a table, at its next stop."""
        content = self._working.write(table)
        self.machine.memory[HEADER : HEADER + len(content)] = content
        self.machine.call("advance")
        self._look()

    @property
    def mover(self) -> int | None:
        """The seat that answers; `None` for chance, and where the game is over."""
        return None if self._mover == CHANCE or not self.count else self._mover

    def take(self, number: int) -> None:
        """Gives an answer, and goes on to the next stop."""
        if not 0 <= number < self.count:
            raise IndexError(f"{number} is no answer among {self.count}")
        self._take(number)
        self._look()

    def mark(self) -> Mark:
        """Where it stands, to come back to."""
        return Mark(bytes(self.machine.memory[HEADER : self._end]), self.count, self._mover)

    def back(self, mark: Mark) -> None:
        """Stands again where it stood."""
        self.machine.memory[HEADER : self._end] = mark.table
        self.count, self._mover = mark.count, mark.mover

    def table(self) -> Table:
        """What lies where; nobody knows anything on it, unless that is kept."""
        return self._working.read(self.machine.memory[HEADER : self._end])

    def result(self) -> Result:
        """How a game ended that is over; of a ranking it tells only who is first."""
        outcome, seats = self.stepping.outcome, self.interpreter.graph.seats
        scored = 0 if self._word(outcome.unscored) else self.stepping.moves.scores
        scores = struct.unpack_from(f"<{scored}i", self.machine.memory, outcome.scores)
        winners, draw = self._word(outcome.winners), bool(self._word(outcome.draw))
        return told_result(winners, draw, scores, seats)

    def _look(self) -> None:
        self.count = self._word(self.stepping.asked)
        self._mover = self._word(self.stepping.moves.desk.mover)

    def _word(self, address: int) -> int:
        found: int = struct.unpack_from("<i", self.machine.memory, address)[0]
        return found
