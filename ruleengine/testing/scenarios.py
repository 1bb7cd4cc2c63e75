"""The scenarios of a spec as tests."""

import re
from collections.abc import Iterator
from typing import Final

from compiler.pipeline import Spec
from compiler.render import full
from compiler.source import SourceFile, Span
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import Unreadable, run_scenarios
from ruleengine.testing.plan import Outcome, Plan, Sort, Tested


def scenario_tests(spec: Spec, plan: Plan) -> Iterator[Tested]:
    """The scenarios that are asked for, in file order."""
    name = spec.name

    def wanted(title: str) -> bool:
        return plan.wants(Tested(name, Sort.SCENARIO, title, Outcome.PASSED).name)

    for ran in run_scenarios(spec, wanted):
        yield scenario_test(name, ran, _inherited(spec, ran.span.file))


_BEHIND: Final = re.compile(r"\s+(?:@|-- ).*$")  # what a line cites, and its comment
_OF: Final = re.compile(r"^scenarios +of +(\w+)", re.MULTILINE)


def _inherited(spec: Spec, file: SourceFile) -> str:
    """Of what a scenario is that was written before the last variant; nothing if of that."""
    *below, own = spec.name.split("+")
    said = _OF.search(file.text)
    of = said[1] if said is not None else below[0] if below and file == spec.sources.base else own
    return of if of in below else ""


def scenario_test(spec: str, ran: Ran | Unreadable, inherited: str = "") -> Tested:
    """A scenario of a spec that was run, as a test; `inherited` is what it was written for."""
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
    hints = [] if failure is None or not failure.hint else [failure.hint]
    if failure is not None and inherited:
        hints.append(
            f"it is a scenario of `{inherited}`: the house rules may mean that it holds no more"
        )
    return Tested(
        spec,
        Sort.SCENARIO,
        ran.title,
        Outcome.PASSED if failure is None else Outcome.FAILED,
        "" if failure is None else failure.message,
        "; ".join(hints),
        ran.clauses,
        str(ran.span if failure is None else failure.span),
        "" if failure is None else _line(failure.span),
    )


def _line(span: Span) -> str:
    """The line of a scenario that failed, without its comment."""
    return _BEHIND.sub("", span.file.line(span.first.line)).strip()
