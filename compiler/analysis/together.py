"""Triggers that one change can set off together, by the values that make their conditions true.

Looked at are conditions on variables of few values.  What sets such a variable is taken from its
assignments: where all of them count by the same number, only neighbours that far apart are tried.
What else a condition asks, nothing is told of.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Final

from attrs import frozen

from compiler.analysis.errors import TriggersOverlap
from compiler.analysis.situations import Situation, Slot, holds, situations, slots_of, values_of
from compiler.diagnostic import Report
from compiler.graph.core import Apply, Assign, Const, Graph, Read, Term, Value, Variable
from compiler.graph.evaluate import NotConstant
from compiler.graph.values import value_text
from compiler.graph.walk import step_writes
from compiler.ops.numbers import ADD, SUBTRACT
from compiler.ops.row import Undefined
from compiler.source import Span

_MOST: Final = 2_000  # situations that are tried for two conditions


@frozen
class _Writes:
    """What a variable is set to: values that are known, numbers that are counted on; or anything.

    The value before play is not among them: a condition that is true from the start fires nothing.
    """

    values: frozenset[Value]
    counts: frozenset[int]
    anything: bool

    def lead(self, before: Value, after: Value) -> bool:
        """Whether some step may turn one value into another."""
        if self.anything or after in self.values:
            return True
        return isinstance(before, int) and isinstance(after, int) and after - before in self.counts


def overlapping_triggers(graph: Graph, asked: Mapping[Span, str]) -> Report:
    """Pairs of triggers that become true with one change; `asked` has the words of conditions.

    Those of one condition are told elsewhere.
    """
    writes: dict[Variable, _Writes] = {}
    report = Report()
    for one, other in combinations(graph.triggers, 2):
        if one.condition == other.condition or one.span is None or other.span is None:
            continue
        change = _change(graph, one.condition, other.condition, writes)
        if change:
            notes = ((one.span, "this runs first"),)
            words = asked.get(one.span, "…")
            report.add(TriggersOverlap(change, words, span=other.span, notes=notes))
    return report


def _change(graph: Graph, one: Term, other: Term, writes: dict[Variable, _Writes]) -> str:
    """A change after which both are true and before which neither was, in words; none: nothing."""
    others = set(slots_of(other))
    shared = [slot for slot in slots_of(one) if slot in others]
    if not shared:
        return ""
    for variable, _ in shared:
        if variable not in writes:
            writes[variable] = _written(graph, variable)
    try:
        for situation in situations((one, other), _MOST):
            if holds(one, situation) and holds(other, situation):
                for slot in shared:
                    if _comes(one, other, situation, slot, writes[slot[0]]):
                        return _words(graph, slot, situation[slot])
    except (NotConstant, Undefined):
        pass
    return ""


def _comes(one: Term, other: Term, then: Situation, slot: Slot, writes: _Writes) -> bool:
    """Whether a situation can be come to by setting one slot, where neither was true before."""
    return any(
        writes.lead(before, then[slot])
        and not holds(one, {**then, slot: before})
        and not holds(other, {**then, slot: before})
        for before in values_of(slot[0].type)
    )


def _written(graph: Graph, variable: Variable) -> _Writes:
    """What the steps of a graph set a variable to."""
    values: set[Value] = set()
    counts: set[int] = set()
    for node in graph.nodes:
        if variable not in step_writes(node.step).variables:
            continue
        match node.step:
            case Assign(_, _, Const(value)):
                values.add(value)
            case Assign(_, args, Apply(op, (Read(source, read), Const(int() as count)))) if (
                op in (ADD, SUBTRACT) and source is variable and read == args
            ):
                counts.add(count if op is ADD else -count)
            case _:
                return _Writes(frozenset(), frozenset(), anything=True)
    return _Writes(frozenset(values), frozenset(counts), anything=False)


def _words(graph: Graph, slot: Slot, value: Value) -> str:
    """A change as a step says it: `n[A] = 2`."""
    variable, args = slot
    keys = [
        value_text(arg.value, type_, graph)
        for arg, type_ in zip(args, variable.key_types, strict=False)
        if isinstance(arg, Const)
    ]
    member = f"[{', '.join(keys)}]" if keys else ""
    return f"`{variable.name}{member} = {value_text(value, variable.type, graph)}`"
