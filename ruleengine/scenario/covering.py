"""What each scenario of a spec comes to."""

from collections.abc import Callable, Iterator

from attrs import frozen

from compiler.pipeline import Compiled, Spec
from ruleengine.coverage.counting import Counting
from ruleengine.coverage.ledger import Coverage
from ruleengine.coverage.points import Point
from ruleengine.interpreter import Interpreter
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import Unreadable, run_scenarios


@frozen
class Covered:
    """A scenario that was run, and the points it came to; none if it could not be read.

    `begun` are steps at which it waited, for an answer or for chance, perhaps until its end.
    """

    ran: Ran | Unreadable
    coverage: Coverage
    begun: frozenset[Point] = frozenset()


def covered_scenarios(
    spec: Spec, wanted: Callable[[str], bool] = lambda _: True
) -> Iterator[Covered]:
    """Runs the scenarios whose titles are wanted, in file order, each with what it came to."""
    meters = _Meters()
    for ran in run_scenarios(spec, wanted, meters.make):
        yield Covered(ran, *meters.take())


class _Meters:
    """The meters of the configurations that scenarios ask for; one of them runs at a time."""

    def __init__(self) -> None:
        self._made: list[Counting] = []

    def make(self, compiled: Compiled) -> Interpreter:
        """An interpreter with a meter."""
        counting = Counting.metered(compiled, scenario=True)
        self._made.append(counting)
        return counting

    def take(self) -> tuple[Coverage, frozenset[Point]]:
        """What was counted since the last time, and the steps at which it waited."""
        found, begun = Coverage.nothing(), frozenset[Point]()
        for counting in self._made:
            if counting.meter.reached or counting.meter.begun:
                found = found + counting.meter.coverage
                begun |= counting.meter.waited_at
                counting.meter.clear()
        return found, begun
