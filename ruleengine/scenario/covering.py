"""What each scenario of a spec comes to."""

from collections.abc import Callable, Iterator

from attrs import frozen

from compiler.pipeline import Compiled, Spec
from ruleengine.coverage.counting import Counting
from ruleengine.coverage.ledger import Coverage
from ruleengine.interpreter import Interpreter
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import Unreadable, run_scenarios


@frozen
class Covered:
    """A scenario that was run, and the points it came to; none if it could not be read."""

    ran: Ran | Unreadable
    coverage: Coverage


def covered_scenarios(
    spec: Spec, wanted: Callable[[str], bool] = lambda _: True
) -> Iterator[Covered]:
    """Runs the scenarios whose titles are wanted, in file order, each with what it came to."""
    meters = _Meters()
    for ran in run_scenarios(spec, wanted, meters.make):
        yield Covered(ran, meters.take())


class _Meters:
    """The meters of the configurations that scenarios ask for; one of them runs at a time."""

    def __init__(self) -> None:
        self._made: list[Counting] = []

    def make(self, compiled: Compiled) -> Interpreter:
        """An interpreter with a meter."""
        counting = Counting.metered(compiled, scenario=True)
        self._made.append(counting)
        return counting

    def take(self) -> Coverage:
        """What was counted since the last time."""
        found = Coverage.nothing()
        for counting in self._made:
            if counting.meter.reached:
                found = found + counting.meter.coverage
                counting.meter.clear()
        return found
