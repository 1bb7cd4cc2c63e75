"""Laws that no play decides: of texts, of machines, and of what nobody must know.

Each is a task of its own, so that it can be looked at while others play.
"""

from typing import Final

from attrs import evolve, frozen

from compiler.pipeline import Compiled, Spec
from compiler.source import SourceSet
from ruleengine.configurations import usual
from ruleengine.game import Instance
from ruleengine.processes import compiled_spec
from ruleengine.properties.agreement import layout_keeps, machines_agree
from ruleengine.properties.laws import Broken, Finding, Law
from ruleengine.properties.turning import turned
from ruleengine.testing.plan import Outcome, Plan, Tested
from ruleengine.testing.secrets import leaking
from ruleengine.testing.story import broken_test, failed_test

APART: Final = (Law.LAYOUT, Law.MACHINES, Law.SEATS, Law.LEAKS)
"""The laws that are decided here."""


@frozen
class Apart:
    """One of these laws, to be looked at in a process that has only the texts of a spec."""

    sources: SourceSet
    plan: Plan
    law: Law
    test: Tested


def settle(task: Apart) -> Tested:
    """How a law came out."""
    return settled(compiled_spec(task.sources), task)


def settled(spec: Spec, task: Apart) -> Tested:
    """The same for a spec that is compiled."""
    if task.law is Law.LEAKS:
        return _secret(spec, task.plan, task.test)
    if task.law is Law.SEATS:
        said = turned(spec, task.plan.seed)
        if isinstance(said, str):
            return evolve(task.test, message=said)
        return failed_test(spec, task.plan, task.test, said)
    return _agreed(spec, task.plan, task.law, task.test)


def _agreed(spec: Spec, plan: Plan, law: Law, test: Tested) -> Tested:
    """A law that is about texts and machines."""
    first = next(usual(spec))
    made = spec.instantiate(first)
    if not isinstance(made, Compiled):
        return evolve(test, outcome=Outcome.SKIPPED, message="it does not compile")
    if law is Law.LAYOUT:
        said: Broken | str | None = layout_keeps(spec, first)
    else:
        game = Instance.of(made)
        said = machines_agree(game, plan.seed, plan.compared, plan.node_limit)
    if isinstance(said, str):
        return evolve(test, outcome=Outcome.SKIPPED, message=said)
    return test if said is None else failed_test(spec, plan, test, Finding.of(said, first))


def _secret(spec: Spec, plan: Plan, test: Tested) -> Tested:
    """The law that nothing leaks."""
    if not plan.stops:
        return evolve(test, outcome=Outcome.SKIPPED, message="nothing was dealt anew")
    example, how = leaking(spec, plan.stops, plan.seed, everybody=plan.mixed > 0)
    if example is not None:
        return broken_test(test, example.finding, example)
    if not how:
        message = "nothing was compared: at no stop anything hidden could lie otherwise"
        return evolve(test, outcome=Outcome.SKIPPED, message=message)
    return evolve(test, message=how)
