"""How much of a spec its scenarios and plays come to.

Scenarios are run, and plays go through all configurations as in a test.  What they come to is added
to what earlier runs came to, if that is given; `ruleengine.coverage` says what is counted how.
"""

from collections import Counter
from collections.abc import Mapping

from attrs import frozen

from compiler.flowchart.model import Way
from compiler.flowchart.overlay import Passages
from compiler.graph.core import Branch, Choose, Flow, Jump, Node
from compiler.graph.core import Call as CallStep
from compiler.pipeline import Compiled, Spec
from ruleengine.coverage.clauses import ClauseCoverage, clause_coverage
from ruleengine.coverage.ledger import Coverage
from ruleengine.coverage.misses import Missed, missed
from ruleengine.coverage.points import Points
from ruleengine.processes import Workers
from ruleengine.scenario.covering import Covered, covered_scenarios
from ruleengine.scenario.suite import Unreadable
from ruleengine.testing.plan import Plan, Searched
from ruleengine.testing.suite import Search


@frozen
class Survey:
    """What came of it: `scenarios` were run, of which `failed`; `searched` is `None` if nothing was
    played; `clauses` is `None` for a spec without a table of them."""

    spec: Spec
    coverage: Coverage
    scenarios: int
    failed: tuple[str, ...]
    searched: Searched | None

    @property
    def clauses(self) -> ClauseCoverage | None:
        """The mechanical clauses, and which of them were made to happen."""
        return clause_coverage(self.spec, self.coverage)

    @property
    def missed(self) -> tuple[Missed, ...]:
        """The mechanical clauses that were not, each with the nearest miss."""
        clauses = self.clauses
        return () if clauses is None else missed(self.coverage, clauses)


def survey(
    spec: Spec, plan: Plan, *, scenarios: bool = True, before: Coverage | None = None
) -> Survey:
    """Runs scenarios, if wanted, and plays as a plan says; adds what was found before."""
    searched = None
    coverage = before or Coverage.nothing()
    with Workers(plan.jobs) as workers:
        ran = list(covered_scenarios(spec)) if scenarios else []
        if plan.games or plan.states:
            searched = Search(spec, plan).search(workers)
            coverage += searched.coverage
    for one in ran:
        coverage += one.coverage
    return Survey(spec, coverage, len(ran), tuple(_failed(ran)), searched)


def _failed(ran: list[Covered]) -> list[str]:
    return [
        one.ran.title
        for one in ran
        if isinstance(one.ran, Unreadable) or one.ran.failure is not None
    ]


# ---- on charts


def passages(compiled: Compiled, coverage: Coverage) -> Passages:
    """A coverage as it is laid over the charts of one configuration."""
    points = Points.of(compiled.graph, compiled.spec.sources.prelude)
    times = [coverage.times(point) for point in points.listed]
    nodes: Counter[int] = Counter()
    ways: Counter[Way] = Counter()
    for node in compiled.graph.nodes:
        number = points.steps.get(node.id)
        count = 0 if number is None else times[number]
        nodes[node.id] = count
        for position, gone in _gone(node, points, times, count).items():
            ways[Way(node.id, position)] = gone
    return Passages(nodes, ways)


def _gone(node: Node, points: Points, times: list[int], count: int) -> Mapping[int, int]:
    """How often each way on from a node was gone."""
    match node.step:
        case Branch() if node.id in points.tests:
            yes, no = points.tests[node.id]
            return {0: times[yes], 1: times[no]}
        case Choose(options=options, optional=optional, joint=False):
            found = {}
            for at in range(len(options) + optional):
                known = points.options.get((node.id, at))
                found[at] = 0 if known is None else times[known[1]]
            otherwise = points.otherwise.get(node.id)
            if otherwise is not None:
                found[len(node.next) - 1] = times[otherwise]
            return found
        case Flow(CallStep() | Jump()):
            return {0: count}
        case _:
            return {0: count} if len(node.next) == 1 else {}
