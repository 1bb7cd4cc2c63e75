"""Goes through the situations of a game: on a compiled machine, or on the reference.

Both number situations in the order they are found, and find the same ones.
"""

from array import array
from collections.abc import Callable
from functools import cached_property, partial
from typing import Final, assert_never

from attrs import define, evolve, field, frozen

from compiler.graph.core import End, Ending, Flow
from compiler.lir.exploring.breadth import CHANCE, ENDED, NOWHERE
from compiler.lir.reps import Unsupported
from compiler.lir.telling import IS_DRAW, IS_UNSCORED
from ruleengine.batch import MachineName, NoMachine, lowered
from ruleengine.compiled.machine import Stopped, Unavailable
from ruleengine.compiled.make import Which
from ruleengine.compiled.situations import Situations, Sums, situations
from ruleengine.errors import RuleError
from ruleengine.exploration.found import DeadEnd
from ruleengine.exploration.net import Net, Spot
from ruleengine.game import Instance
from ruleengine.knowledge.protocol import Observer
from ruleengine.results import told_result
from ruleengine.stops import ChanceStop, Choice, Decision, JointDecision, Result, Stop, Terminal
from ruleengine.table import Table

STATE_LIMIT: Final = 1_000_000
"""Situations after which an exploration breaks off."""

_TELL: Final = 200  # situations between two words on progress
_NAMES: Final[dict[str, MachineName]] = {"wasm": "wasm", "python": "python", "c": "c"}

_Moving = Callable[[Table], None]


@define(eq=False)
class Walk:
    """Finds situations in the order of their distance, numbering them as they are found.

    It is broken off beyond `limit` situations, or as many as memory holds, and ends `reach` moves
    away; a move that leads nowhere counts as a situation.  `played_by` says on what it went, and
    `why` if that is not what was hoped for.  `sums` is what a machine added up, if that was asked.
    `knowing`: situations in which somebody knows something else are two, and the interpreter goes;
    `cores` says how many there are without that.
    """

    game: Instance
    limit: int = STATE_LIMIT
    reach: int | None = None
    machine: MachineName = "auto"
    summing: bool = False
    knowing: bool = False
    net: Net = field(init=False)
    sums: Sums | None = field(default=None, init=False)
    dead_ends: tuple[DeadEnd, ...] = field(default=(), init=False)
    complete: bool = field(default=False, init=False)
    broken_off: bool = field(default=False, init=False)
    played_by: MachineName = field(default="interpreter", init=False)
    why: str = field(default="", init=False)
    bytes_used: int | None = field(default=None, init=False)
    cores: int | None = field(default=None, init=False)

    def run(self, progress: Callable[[int], None] | None = None) -> None:
        """Walks until there is nothing left, or the limit is reached.

        Raises `NoMachine` if a machine is asked for by name and does not go through this game.
        """
        tell = progress or _untold
        if self.knowing and self.machine not in ("auto", "interpreter"):
            raise NoMachine("only the interpreter tells situations apart by who knows what")
        if self.knowing or self.machine == "interpreter" or not self._compiled(self.machine, tell):
            self._take(_Reference(self.game, self.limit, self.reach, self.knowing), tell)

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """The situations that were looked at, one by one."""
        return tuple(map(self.net.spot, range(self.net.size)))

    @property
    def states(self) -> int:
        """All situations that were found."""
        return sum(self.net.layers)

    def _compiled(self, which: Which, progress: Callable[[int], None]) -> bool:
        """Whether a machine went through the game."""
        try:
            run = situations(lowered(self.game), self.limit, self.reach, which, progress)
        except (Unsupported, Unavailable, Stopped) as error:
            why = f"no machine goes through {self.game.name}: {error}"
            if which != "auto":
                raise NoMachine(why) from error
            self.why = f"{why}; the interpreter does"
            return False
        except RuleError:
            self.why = f"{self.game.name} breaks down before its first stop"
            return False
        if not run.rows_are_whole:
            self.why = "what was found did not fit into memory; the interpreter goes on"
            return False
        self.played_by, self.why = _NAMES[run.made.module.name], run.made.why
        self.complete = run.looked == run.count and not run.beyond
        self.broken_off = run.beyond
        self.net = _net_of(self.game, run)
        self.dead_ends = tuple(
            DeadEnd(depth, str(error), error.clauses) for depth, error in run.faults()
        )
        self.bytes_used = run.bytes_used
        if self.summing:
            self.sums = run.sums()
        return True

    def _take(self, reference: "_Reference", progress: Callable[[int], None]) -> None:
        reference.run(progress)
        self.complete = reference.complete
        self.cores = reference.cores if self.knowing else None
        self.broken_off = reference.beyond
        self.dead_ends = tuple(reference.dead_ends)
        self.net = Net(
            reference.starts, reference.rows, tuple(reference.layers), reference.results.__getitem__
        )


def _untold(_: int) -> None:
    """Nobody wants to know."""


# ---- a machine


def _net_of(game: Instance, run: Situations) -> Net:
    """What a machine found, taken out of its memory, which can then be forgotten."""
    starts, rows = array("i"), array("i")
    starts.frombytes(run.starts().cast("B"))
    rows.frombytes(run.rows().cast("B"))
    told = _Told(starts, rows, game.seats, {})
    net = Net(starts, rows, tuple(run.layers), told.result)
    if not ranks(game):
        return net
    results = {}
    for at, mover in enumerate(net.movers()):
        if mover == ENDED:  # the machine tells only who is first
            result = game.interpreter.outcome(run.table(at))
            assert result is not None
            results[at] = result
    return evolve(net, result=results.__getitem__)


def ranks(game: Instance) -> bool:
    """Whether some end of a game ranks everybody."""
    steps = [node.step for node in game.interpreter.graph.nodes]
    ways = [step.way for step in steps if isinstance(step, Flow)]
    return any(isinstance(way, End) and way.ending is Ending.RANKING for way in ways)


@frozen(eq=False)
class _Told:
    """How situations end, by their rows."""

    starts: "array[int]"
    rows: "array[int]"
    seats: int
    known: dict[tuple[int, ...], Result]

    def result(self, at: int) -> Result:
        """The result of a situation that is an end."""
        told = tuple(self.rows[self.starts[at] + 1 : self.starts[at + 1]])
        found = self.known.get(told)
        if found is None:
            found = self.known[told] = result_of(told, self.seats)
        return found


def result_of(told: tuple[int, ...], seats: int) -> Result:
    """The result that the numbers of a row tell."""
    winners, draw = told[0] % IS_DRAW, bool(told[0] & IS_DRAW)
    scores = () if told[0] & IS_UNSCORED else told[1:]
    return told_result(winners, draw, scores, seats)


# ---- the reference


@define(eq=False)
class _Reference:
    """The interpreter on its way through a game."""

    game: Instance
    limit: int
    reach: int | None
    knowing: bool
    starts: "array[int]" = field(factory=lambda: array("i", [0]), init=False)
    rows: "array[int]" = field(factory=lambda: array("i"), init=False)
    layers: list[int] = field(factory=list, init=False)
    results: dict[int, Result] = field(factory=dict, init=False)
    dead_ends: list[DeadEnd] = field(factory=list, init=False)
    _number: dict[bytes, int] = field(factory=dict, init=False)
    _found: list[bytes] = field(factory=list, init=False)

    @property
    def cores(self) -> int:
        """How many situations there are, whoever knows what."""
        size = self.game.packing.core_size
        return len({found[:size] for found in self._found}) + len(self.dead_ends)

    @property
    def _observer(self) -> Observer | None:
        return self.game.knowledge if self.knowing else None

    @property
    def _looked(self) -> int:
        return len(self.starts) - 1

    @property
    def beyond(self) -> bool:
        """Whether there are more than the limit."""
        return len(self._found) + len(self.dead_ends) > self.limit

    @property
    def complete(self) -> bool:
        """Whether all situations were looked at."""
        return self._looked == len(self._found) and not self.beyond

    def run(self, progress: Callable[[int], None]) -> None:
        """Walks until there is nothing left, or the limit is reached."""
        self._reach(self.game.interpreter.start(), 0)
        self.layers.append(len(self._found) + len(self.dead_ends))
        while self._looked < len(self._found) and not self.beyond:
            if len(self.layers) - 1 == self.reach:
                break
            self._layer(progress)
        progress(self._looked % _TELL)

    def _layer(self, progress: Callable[[int], None]) -> None:
        """Looks at all situations that are as many moves away."""
        before, end = len(self._found) + len(self.dead_ends), len(self._found)
        while self._looked < end and not self.beyond:
            self._look(self._looked, len(self.layers))
            self.starts.append(len(self.rows))
            if self._looked % _TELL == 0:
                progress(_TELL)
        more = len(self._found) + len(self.dead_ends) - before
        if more:
            self.layers.append(more)

    def _reach(self, table: Table, depth: int, move: _Moving | None = None) -> int:
        """The number of the situation at the next stop, after a move."""
        packing = self.game.packing
        try:
            if move is not None:
                move(table)
            self.game.interpreter.advance(table, self._observer)
        except RuleError as error:
            self.dead_ends.append(DeadEnd(depth, str(error), error.clauses))
            return NOWHERE
        here = packing.pack(table)[: None if self.knowing else packing.core_size]
        number = self._number.setdefault(here, len(self._found))
        if number == len(self._found):
            self._found.append(here)
        return number

    def _look(self, at: int, depth: int) -> None:
        """Makes every move there is."""
        packing, machine = self.game.packing, self.game.interpreter
        here = self._found[at]
        table = packing.unpack(here + bytes(packing.size - len(here)))
        stop: Stop = machine.advance(table)
        match stop:
            case ChanceStop(outcomes=odds):
                self.rows.append(CHANCE)
                for outcome in odds:
                    draw = partial(machine.draw, outcome=outcome, observer=self._observer)
                    self.rows += array(
                        "i", (self._reach(table.copy(), depth, draw), outcome.weight)
                    )
            case Decision(seat=seat, choices=choices):
                self._answer(table, seat, choices, depth)
            case JointDecision(seats=seats, choices=by_seat):
                self._answer(table, seats[0], by_seat[0], depth)
            case Terminal(result=result):
                self.rows.append(ENDED)
                assert result is not None
                self.results[at] = result
            case _:
                assert_never(stop)

    def _answer(self, table: Table, seat: int, choices: tuple[Choice, ...], depth: int) -> None:
        machine = self.game.interpreter
        self.rows.append(seat)
        for choice in choices:
            choose = partial(machine.choose, choice=choice, observer=self._observer)
            self.rows.append(self._reach(table.copy(), depth, choose))
