"""What a spec is asked, as it is written down: nothing is compiled to know of it."""

from compiler.pipeline import Spec
from ruleengine.properties.laws import LAWS
from ruleengine.testing.plan import Outcome, Plan, Sort, Tested


def asked_tests(spec: Spec, plan: Plan) -> list[Tested]:
    """The tests that plays decide, as they come out if nothing is found."""
    found = [Tested(spec.name, Sort.LAW, law.value, Outcome.PASSED) for law in LAWS]
    for sort, written in ((Sort.INVARIANT, spec.invariants), (Sort.CLAIM, spec.claims)):
        for one in written:
            clauses = tuple(cite.text for cite in one.cites)
            title, place = one.title.text, str(one.span)
            found.append(
                Tested(spec.name, sort, title, Outcome.PASSED, clauses=clauses, place=place)
            )
    return [test for test in found if plan.wants(test.name)]
