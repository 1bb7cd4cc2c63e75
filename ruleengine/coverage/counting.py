"""An interpreter that counts what games come to.

It plays exactly as the reference does; every test, guard and case passes through a counter first.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Self

from attrs import define, field

from compiler.graph.core import Branch, Case, Choose, Graph, Node, Value
from compiler.pipeline import Compiled
from ruleengine.closures import Closure, Test
from ruleengine.coverage.ledger import Coverage
from ruleengine.coverage.points import Point, Points
from ruleengine.game import Instance
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.protocol import Observer
from ruleengine.ondemand import OnDemand
from ruleengine.options import AskedSlot, Asking, given_up_by, guard_levels
from ruleengine.steps import StepFunction
from ruleengine.stops import Choice, Decision, JointDecision, Outcome, Stop, Terminal
from ruleengine.table import Table
from ruleengine.terms import Hopeless


@define(eq=False)
class Meter:
    """How often the points of one graph were come to.

    `begun` are steps at which a game waited, whether or not they were done in the end.
    """

    graph: Graph
    points: Points
    counts: list[int]
    begun: set[int] = field(factory=set, init=False)

    @classmethod
    def of(cls, compiled: Compiled) -> Self:
        """A meter at nought."""
        points = Points.of(compiled.graph, compiled.spec.sources.prelude)
        return cls(compiled.graph, points, [0] * len(points.meanings))

    def clear(self) -> None:
        """Sets all counts back."""
        self.counts[:] = [0] * len(self.counts)
        self.begun.clear()

    @property
    def reached(self) -> int:
        """How many points were come to."""
        return sum(1 for count in self.counts if count)

    @property
    def coverage(self) -> Coverage:
        """What has been counted."""
        listed = self.points.listed
        found = {listed[at]: count for at, count in enumerate(self.counts) if count}
        return Coverage(dict(self.points.meanings), found)

    # ---- counters that stand before what they count

    def tap(self, case: Case, value: Closure) -> Closure:
        """Counts the uses of a case."""
        number = self.points.cases.get(id(case))
        if number is None:
            return value
        return partial(_used, self.counts, number, value)

    def step(self, node: Node, step: StepFunction | None) -> StepFunction | None:
        """Counts how often a step is done, and how a test comes out."""
        number = self.points.steps.get(node.id)
        if step is None or number is None:
            return step
        if isinstance(node.step, Branch):
            return partial(_tested, self.counts, number, self.points.tests[node.id], node, step)
        return partial(_done, self.counts, number, step)

    def guards(self, asking: Asking) -> Asking:
        """Counts how the guards of a decision come out."""
        for at, asked in enumerate(asking.options):
            levels = [level for _, level in guard_levels(asked.option)]
            asked.first = tuple(self._guards(asking.node.id, at, levels, -1, asked.first))
            for level, slot in enumerate(asked.slots):
                slot.guards = tuple(self._guards(asking.node.id, at, levels, level, slot.guards))
                if slot.hopeless is not None:
                    slot.hopeless = self._giving_up(asking, at, levels, level, slot)
        return asking

    def _giving_up(
        self, asking: Asking, option: int, levels: list[int], level: int, slot: AskedSlot
    ) -> Hopeless:
        """Counts the guards that refuse a set and every larger one, which is not tried then."""
        guards = asking.options[option].option.guards
        tests: list[tuple[Hopeless, tuple[int, int] | None]] = []
        if slot.slot.where is not None:
            tests += [(test, None) for test in given_up_by(slot, [slot.slot.where], asking.scope)]
        for number, found in enumerate(levels):
            if found == level:
                numbers = self.points.guards.get((asking.node.id, option, number))
                holds = [guards[number].holds]
                tests += [(test, numbers) for test in given_up_by(slot, holds, asking.scope)]
        return partial(_given_up, self.counts, tests, slot)

    def _guards(
        self, node: int, option: int, levels: list[int], level: int, tests: Iterable[Test]
    ) -> Iterator[Test]:
        numbers = [number for number, found in enumerate(levels) if found == level]
        for number, test in zip(numbers, tests, strict=True):
            found = self.points.guards.get((node, option, number))
            yield test if found is None else partial(_guarded, self.counts, found, test)

    # ---- what happens where a game may wait

    def waits(self, node: int) -> None:
        """Notes that a game waits at a step."""
        number = self.points.steps.get(node)
        if number is not None:
            self.begun.add(number)

    @property
    def waited_at(self) -> frozenset[Point]:
        """The steps at which a game waited."""
        listed = self.points.listed
        return frozenset(listed[number] for number in self.begun)

    def waited(self, node: Node, stop: Stop | int) -> None:
        """Counts what is offered at a stop; or a step that is passed without one."""
        match stop:
            case int():
                self._count(self.points.steps.get(node.id))
                if isinstance(node.step, Choose) and not node.step.joint:
                    self._count(self.points.otherwise.get(node.id))
            case Terminal():
                self._count(self.points.steps.get(node.id))
            case Decision(choices=choices):
                self._offered(node.id, node.step, choices)
            case JointDecision(choices=each):
                self._offered(node.id, node.step, [choice for some in each for choice in some])
            case _:
                pass

    def answered(self, choice: Choice) -> None:
        """Counts an answer."""
        self._count(self.points.steps.get(choice.node))
        step = self.graph.nodes[choice.node].step
        if isinstance(step, Choose):
            found = self.points.options.get((choice.node, _position(step, choice)))
            self._count(None if found is None else found[1])

    def drawn(self, outcome: Outcome) -> None:
        """Counts a step of chance; a hidden card that shows its face is none."""
        if outcome.settles is None:
            self._count(self.points.steps.get(outcome.node))

    def _offered(self, node: int, step: object, choices: Iterable[Choice]) -> None:
        if isinstance(step, Choose):
            for at in {_position(step, choice): None for choice in choices}:
                found = self.points.options.get((node, at))
                self._count(None if found is None else found[0])

    def _count(self, number: int | None) -> None:
        if number is not None:
            self.counts[number] += 1


def _position(step: Choose, choice: Choice) -> int:
    return len(step.options) if choice.option is None else choice.option


def _used(counts: list[int], number: int, value: Closure, table: Table) -> Value:
    counts[number] += 1
    return value(table)


def _done(
    counts: list[int], number: int, step: StepFunction, table: Table, observer: Observer | None
) -> int:
    then = step(table, observer)
    counts[number] += 1
    return then


def _tested(
    counts: list[int],
    number: int,
    outcomes: tuple[int, int],
    node: Node,
    step: StepFunction,
    table: Table,
    observer: Observer | None,
) -> int:
    then = step(table, observer)
    counts[number] += 1
    counts[outcomes[then != node.next[0]]] += 1
    return then


def _guarded(counts: list[int], outcomes: tuple[int, int], test: Test, table: Table) -> bool:
    held = test(table)
    counts[outcomes[not held]] += 1
    return held


def _given_up(
    counts: list[int],
    tests: list[tuple[Hopeless, tuple[int, int] | None]],
    slot: AskedSlot,
    table: Table,
    some: tuple[Value, ...],
    rest: tuple[Value, ...],
) -> bool:
    """As it is without counting; a set that could not have grown to one of a size that is asked for
    is refused by its size, by no guard."""
    for test, numbers in tests:
        if test(table, some, rest):
            many = len(some) + len(rest)
            if numbers is not None and slot.bounds(table, many)[0] <= many:
                counts[numbers[1]] += 1
            return True
    return False


@define(eq=False)
class Counting(Interpreter):
    """The reference interpreter with a meter in it."""

    meter: Meter = field(init=False)

    @classmethod
    def metered(cls, compiled: Compiled, *, scenario: bool = False) -> "Counting":
        """That of a compiled spec, with a meter of its own."""
        meter = Meter.of(compiled)
        counting = cls.of(compiled.graph, scenario=scenario, tap=meter.tap)
        counting.meter = meter
        steps, askings, nodes = counting._functions, counting._askings, compiled.graph.nodes
        counting._functions = OnDemand(lambda at: meter.step(nodes[at], steps[at]))
        counting._askings = OnDemand(lambda at: meter.guards(askings[at]))
        return counting

    def choose(self, table: Table, choice: Choice, observer: Observer | None = None) -> None:
        """Takes an option, and counts it."""
        super().choose(table, choice, observer)
        self.meter.answered(choice)

    def draw(self, table: Table, outcome: Outcome, observer: Observer | None = None) -> None:
        """Lets chance decide so, and counts it."""
        super().draw(table, outcome, observer)
        self.meter.drawn(outcome)

    def advance(self, table: Table, observer: Observer | None = None) -> Stop:
        """Runs to the next stop, and notes where that is."""
        stop = super().advance(table, observer)
        self.meter.waits(table.node)
        return stop

    def _halt(self, table: Table, observer: Observer | None) -> Stop | int:
        node = self.graph.nodes[table.node]
        stop = super()._halt(table, observer)
        self.meter.waited(node, stop)
        return stop


def metered_game(compiled: Compiled) -> tuple[Instance, Meter]:
    """A game whose meter counts whatever is played of it."""
    counting = Counting.metered(compiled)
    return Instance.of(compiled, counting), counting.meter
