"""The scenarios of a spec as tests."""

from collections.abc import Iterator

from compiler.pipeline import Spec
from compiler.render import full
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import Unreadable, run_scenarios
from ruleengine.testing.plan import Outcome, Plan, Sort, Tested


def scenario_tests(spec: Spec, plan: Plan) -> Iterator[Tested]:
    """The scenarios that are asked for, in file order."""
    name = spec.name

    def wanted(title: str) -> bool:
        return plan.wants(Tested(name, Sort.SCENARIO, title, Outcome.PASSED).name)

    for ran in run_scenarios(spec, wanted):
        yield scenario_test(name, ran)


def scenario_test(spec: str, ran: Ran | Unreadable) -> Tested:
    """A scenario of a spec that was run, as a test."""
    if isinstance(ran, Unreadable):
        return Tested(
            spec,
            Sort.SCENARIO,
            ran.title,
            Outcome.FAILED,
            full(ran.report).strip(),
            clauses=ran.clauses,
            place=str(ran.span),
        )
    failure = ran.failure
    return Tested(
        spec,
        Sort.SCENARIO,
        ran.title,
        Outcome.PASSED if failure is None else Outcome.FAILED,
        "" if failure is None else failure.message,
        "" if failure is None else failure.hint,
        ran.clauses,
        str(ran.span if failure is None else failure.span),
    )
