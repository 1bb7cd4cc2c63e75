"""Parts of a graph that make no difference, and loops that nothing ends.

What a graph shows holds for its configuration; a rulebook is judged by those of all.  Only what is
certain is told: a test that could be changed by something is left alone.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Final

from attrs import frozen

from compiler.analysis.decided import decided
from compiler.analysis.ends import ring_of
from compiler.analysis.errors import (
    GuardNeverFails,
    GuardNeverHolds,
    LoopWithoutProgress,
    NeverFilled,
    QuestionSettled,
    TriggersTogether,
)
from compiler.diagnostic import Report
from compiler.graph.core import (
    Assign,
    Branch,
    Choose,
    Cond,
    Const,
    Flow,
    Graph,
    Guard,
    Jump,
    Move,
    Node,
)
from compiler.graph.walk import reads, step_writes
from compiler.resolve.written import Unfilled, WrittenGuard
from compiler.source import Span
from compiler.types import BOOL

_FALSE: Final = Const(0, type=BOOL)


@frozen
class Offered:
    """An option as one graph has it: its guards, with what they always give or `None`.

    A guard that holds in any case is not in the graph.
    """

    span: Span
    guards: Mapping[Span, bool | None]
    contrary: Span | None = None  # the last guard, where all cannot hold at once


def offered(graph: Graph) -> Iterator[Offered]:
    """The options of a graph."""
    for node in graph.nodes:
        if isinstance(node.step, Choose):
            for option in node.step.options:
                guards = {g.span: decided(g.holds) for g in option.guards if g.span is not None}
                if option.span is not None:
                    yield Offered(option.span, guards, _contrary(option.guards))


def _contrary(guards: tuple[Guard, ...]) -> Span | None:
    """The last of some guards, where each may hold and all together cannot."""
    if len(guards) < 2 or False in map(decided, (guard.holds for guard in guards)):
        return None
    together = reduce(lambda one, other: Cond(one, other, _FALSE), (g.holds for g in guards))
    return guards[-1].span if decided(together) is False else None


def vacuous_guards(
    written: Iterable[WrittenGuard], found: Iterable[Offered], settable: frozenset[str]
) -> Report:
    """The guards that give one answer in all graphs that were looked at.

    Those that name one of `settable` depend on settings, and not every mixture was looked at.
    """
    by_option: dict[Span, list[Offered]] = {}
    for option in found:
        by_option.setdefault(option.span, []).append(option)
    report = Report()
    for guard in written:
        graphs = by_option.get(guard.option_span, [])
        answers = {option.guards.get(guard.span, True) for option in graphs}
        words = {word for option in graphs for span in option.guards for word in _words(span.text)}
        contrary = bool(graphs) and all(option.contrary == guard.span for option in graphs)
        if contrary and settable.isdisjoint(words):
            report.add(GuardNeverHolds(guard.option, "where those above hold", span=guard.span))
            continue
        if len(answers) != 1 or not settable.isdisjoint(_words(guard.span.text)):
            continue
        if answers == {True}:
            report.add(GuardNeverFails(span=guard.span))
        elif answers == {False}:
            report.add(GuardNeverHolds(guard.option, span=guard.span))
    return report


def answers(graph: Graph) -> Iterator[tuple[Span, bool | None]]:
    """The questions of a graph with impossible branches, and what each always comes to."""
    for node in graph.nodes:
        if isinstance(node.step, Branch) and node.span is not None:
            yield node.span, decided(node.step.test)


def settled_questions(
    written: Iterable[Span], found: Iterable[tuple[Span, bool | None]], settable: frozenset[str]
) -> Report:
    """The questions that have one answer in all graphs; those that name settings are left out."""
    by_place: dict[Span, set[bool | None]] = {}
    for span, answer in found:
        by_place.setdefault(span, set()).add(answer)
    report = Report()
    for span in written:
        known = by_place.get(span, {None})
        if len(known) == 1 and None not in known and settable.isdisjoint(_words(span.text)):
            said = "true" if True in known else "false"
            report.add(QuestionSettled(said, span=span))
    return report


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()


def never_filled(places: Iterable[Unfilled]) -> Report:
    """The places to which nothing is ever moved."""
    return Report.of(*(NeverFilled(p.name, p.kind, span=p.span) for p in places))


# ---- loops


def idle_loops(graph: Graph) -> Report:
    """Questions of automatic loops whose answers nothing in the loop changes."""
    report = Report()
    onward = {node.id: tuple(_onward(graph, node)) for node in graph.nodes}
    for node in graph.nodes:
        if not isinstance(node.step, Branch) or node.span is None or _is_const(node):
            continue
        ring = ring_of(node.id, onward)
        if ring and not any(_leaves(graph.nodes[at], ring, onward) for at in ring - {node.id}):
            asks = reads(node.step.test)
            changed = any(step_writes(graph.nodes[at].step).meets(asks) for at in ring)
            if not changed and _leaves(node, ring, onward):
                report.add(LoopWithoutProgress(span=node.span))
    return report


def _is_const(node: Node) -> bool:
    return isinstance(node.step, Branch) and isinstance(node.step.test, Const)


def _onward(graph: Graph, node: Node) -> Iterator[int]:
    """The nodes that follow without anybody's choice, a die, or a phase that is called."""
    match node.step:
        case Assign() | Move() | Branch():
            yield from node.next
        case Flow(Jump(phase)):
            yield graph.phase(phase).entry
        case _:
            return


def _leaves(node: Node, ring: set[int], onward: dict[int, tuple[int, ...]]) -> bool:
    """Whether a node of a ring has a way out of it."""
    return any(after not in ring for after in onward[node.id])


# ---- triggers


def twin_triggers(graph: Graph) -> Report:
    """Triggers whose condition another has, too."""
    report = Report()
    first: dict[object, Span] = {}
    for trigger in graph.triggers:
        if trigger.span is None:
            continue
        if trigger.condition in first:
            notes = ((first[trigger.condition], "this runs first"),)
            report.add(TriggersTogether(span=trigger.span, notes=notes))
        first.setdefault(trigger.condition, trigger.span)
    return report
