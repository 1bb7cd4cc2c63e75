"""Where a game stands in a tree of positions, and how it goes on from there.

On a compiled machine where there is one for the game, else on the interpreter: both go the same
way.
"""

from collections.abc import Hashable
from typing import Protocol

from attrs import field, frozen

from ruleengine.compiled.machine import Stopped
from ruleengine.compiled.stepper import Mark, Stepper
from ruleengine.errors import RuleError
from ruleengine.players.mind import Judge, Mind
from ruleengine.players.playouts import asked
from ruleengine.players.rewards import Rewards, ended
from ruleengine.rng import Stream
from ruleengine.stops import ChanceStop, Stop, Terminal
from ruleengine.table import Table


class Spot(Protocol):
    """A stop.

    `seat` decides, `None` for chance and at the end; `count` is how many answers there are, for
    chance the sum of the weights; `certain` is what the game is worth if it is over.
    """

    @property
    def seat(self) -> int | None: ...

    @property
    def count(self) -> int: ...

    @property
    def certain(self) -> Rewards | None: ...

    def after(self, number: int) -> "Spot":
        """The next stop; where a rule breaks down nobody has won."""

    def branch(self, number: int) -> Hashable:
        """What tells outcomes of chance apart: the same for numbers that mean the same."""

    def worth(self, judge: Judge, source: Stream) -> Rewards:
        """What games played on from here are worth."""


def spot(mind: Mind, table: Table, stop: Stop) -> Spot:
    """That of a stop of a game in which everybody knows everything."""
    stepper = mind.stepper
    if stepper is None or isinstance(stop, Terminal):
        return _on_table(mind, table, stop)
    try:
        stepper.begin(table)
    except Stopped:
        return _on_table(mind, table, stop)
    return _on_machine(mind, stepper)


# ---- on the interpreter


@frozen(eq=False)
class OnTable:
    """A stop of the interpreter."""

    mind: Mind
    table: Table
    stop: Stop
    seat: int | None
    count: int
    certain: Rewards | None

    def after(self, number: int) -> Spot:
        """The next stop; where a rule breaks down nobody has won."""
        machine, table = self.mind.game.interpreter, self.table.copy()
        try:
            if isinstance(self.stop, ChanceStop):
                machine.draw(table, self.stop.outcomes.drawn(number))
            elif not isinstance(self.stop, Terminal):
                machine.choose(table, asked(self.stop)[1][number])
            return _on_table(self.mind, table, machine.advance(table))
        except RuleError:
            lost = ended(None, self.mind.game.seats)
            return OnTable(self.mind, table, self.stop, None, 0, lost)

    def branch(self, number: int) -> Hashable:
        """The outcome."""
        assert isinstance(self.stop, ChanceStop)
        outcome = self.stop.outcomes.drawn(number)
        return outcome.settles, outcome.value

    def worth(self, judge: Judge, source: Stream) -> Rewards:
        """What games played on from here are worth."""
        return judge.worth(self.table.copy(), self.stop, source)


def _on_table(mind: Mind, table: Table, stop: Stop) -> OnTable:
    if isinstance(stop, Terminal):
        return OnTable(mind, table, stop, None, 0, ended(stop.result, mind.game.seats))
    if isinstance(stop, ChanceStop):
        return OnTable(mind, table, stop, None, stop.outcomes.total, None)
    seat, choices = asked(stop)
    return OnTable(mind, table, stop, seat, len(choices), None)


# ---- on a machine


@frozen(eq=False)
class OnMachine:
    """A stop of a machine."""

    mind: Mind
    stepper: Stepper = field(repr=False)
    mark: Mark = field(repr=False)
    seat: int | None
    count: int
    certain: Rewards | None

    def after(self, number: int) -> Spot:
        """The next stop; what the machine does not know, the interpreter does."""
        self.stepper.back(self.mark)
        try:
            self.stepper.take(number)
        except Stopped:
            table = self._table()
            return _on_table(self.mind, table, self._stop(table)).after(number)
        return _on_machine(self.mind, self.stepper)

    def branch(self, number: int) -> Hashable:
        """All that lies on the table then."""
        found = self.after(number)
        return found.mark.table if isinstance(found, OnMachine) else number

    def worth(self, judge: Judge, source: Stream) -> Rewards:
        """What games played on from here are worth."""
        return judge.worth(self._table(), None, source)

    def _table(self) -> Table:
        self.stepper.back(self.mark)
        return self.stepper.table()

    def _stop(self, table: Table) -> Stop:
        return self.mind.game.interpreter.advance(table)


def _on_machine(mind: Mind, stepper: Stepper) -> OnMachine:
    over = None if stepper.count else ended(stepper.result(), mind.game.seats)
    return OnMachine(mind, stepper, stepper.mark(), stepper.mover, stepper.count, over)
