"""The tests of a rulebook and of the variants found for it, on as many processes as there are."""

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from time import perf_counter
from typing import Protocol

from attrs import evolve, field, frozen

from compiler.diagnostic import Report
from compiler.pipeline import BrokenScenarios, Spec
from ruleengine.game import open_spec
from ruleengine.processes import Workers, in_order
from ruleengine.testing.kept import Kept
from ruleengine.testing.plan import Outcome, Plan, Searched, Tested
from ruleengine.testing.scenarios import scenario_tests


@frozen
class Suite:
    """The tests of one spec and how long they took; `report` says why there are no more.

    `astray` are files of scenarios that seem to be meant and were not played.
    """

    name: str
    tests: tuple[Tested, ...]
    report: Report | None
    searched: Searched | None
    seconds: float
    first: float | None  # seconds until the first test was decided
    astray: Report = field(factory=Report)

    def count(self, outcome: Outcome) -> int:
        """How many tests came out so."""
        return sum(test.outcome is outcome for test in self.tests)

    @property
    def failed(self) -> bool:
        """Whether anything is wrong."""
        return self.report is not None or self.count(Outcome.FAILED) > 0


class Searching(Protocol):
    """What `ruleengine.testing.suite.Search` is: laws, invariants and claims, decided by plays."""

    searched: Searched | None

    def begin(self, workers: Workers) -> Iterator[Tested]:
        """Begins to play."""


@frozen
class Asked:
    """A spec that is to be tested by name; plays that are kept for it are tried first.

    With `inherit` the scenarios of what a variant is laid over are played too.
    """

    name: str
    plan: Plan
    kept: Kept
    stopping: bool  # at the first failure
    inherit: bool = False

    def known(self, spec: Spec) -> Plan:
        """The plan with the plays that are kept."""
        return evolve(self.plan, known=self.kept.known(spec.name))


def try_suite(asked: Asked) -> Suite:
    """The tests of a spec, one after the other, in this process."""
    with Workers(1) as workers:
        return run_suite(asked, workers, lambda: None, lambda _: None)


def run_suite(
    asked: Asked, workers: Workers, then: Callable[[], None], tell: Callable[[Tested], None]
) -> Suite:
    """The tests of a spec; `then` is called once its plays have begun, `tell` of each test."""
    begun = perf_counter()
    spec = open_spec(asked.name, inherit=asked.inherit)
    if isinstance(spec, Report):
        then()
        return Suite(asked.name, (), spec, None, perf_counter() - begun, None)
    found: list[Tested] = []
    first: float | None = None
    plan = asked.known(spec)
    search: list[Searching] = []
    report: Report | None = None
    try:
        for test in _tests(spec, plan, workers, search, then):
            first = first or perf_counter() - begun
            found.append(test)
            tell(test)
            if asked.stopping and test.outcome is Outcome.FAILED:
                break
    except BrokenScenarios as broken:
        report = broken.report
    searched = search[0].searched if search else None
    seconds = perf_counter() - begun
    astray = spec.astray_report
    return Suite(asked.name, tuple(found), report, searched, seconds, first, astray)


def _tests(
    spec: Spec, plan: Plan, workers: Workers, search: list[Searching], then: Callable[[], None]
) -> Iterator[Tested]:
    """The first scenario at once; then plays begin, and go on while the others run."""
    scenarios = scenario_tests(spec, plan)
    yield from islice(scenarios, 1)
    # Whatever plays takes as long to import as the first scenario takes to run.
    begin: Callable[[Spec, Plan], Searching] = import_module("ruleengine.testing.suite").Search
    search.append(begin(spec, plan))
    played = search[0].begin(workers)
    then()
    yield from scenarios
    yield from played


def run_suites(
    asked: Asked, others: tuple[Asked, ...], workers: Workers, tell: Callable[[Tested], None]
) -> Iterator[Suite]:
    """The tests of a spec, then those of others, which are run elsewhere meanwhile."""
    begun: list[Iterator[tuple[int, Suite]]] = []

    def begin() -> None:
        tasks = [evolve(other, plan=other.plan.silent) for other in others]
        begun.append(workers.begin(try_suite, tasks))

    suite = run_suite(asked, workers, begin, tell)
    yield suite
    for done in begun:
        yield from in_order(done)
