"""Which phase runs which: the graph of `do` and `->` from `start` and the triggers."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from attrs import frozen

from compiler.diagnostic import Report
from compiler.resolve.errors import RecursivePhase, UnknownPhase, UnusedName
from compiler.resolve.vocabulary import Vocabulary
from compiler.syntax import ast
from compiler.syntax.ast import Word
from compiler.syntax.walk import walk

Host: TypeAlias = ast.Start | ast.PhaseDecl | ast.Whenever  # what has a block that runs


@frozen(eq=False)
class Edge:
    """One phase runs another: `do` waits for its end, `->` does not."""

    source: Host
    target: ast.PhaseDecl
    waits: bool
    step: ast.Do | ast.Goto


@frozen(eq=False)
class Calls:
    """The edges that leave each block, in reading order."""

    hosts: tuple[Host, ...]
    edges: Mapping[Host, tuple[Edge, ...]]

    @property
    def roots(self) -> tuple[Host, ...]:
        """What runs without being run by a phase."""
        return tuple(host for host in self.hosts if not isinstance(host, ast.PhaseDecl))

    def reached(self, sources: Iterable[Host], waits: bool | None = None) -> tuple[Host, ...]:
        """The blocks that may run once these do, themselves included.

        With `waits` given only edges of that sort are followed.
        """
        found = dict.fromkeys(sources)
        waiting = list(found)
        while waiting:
            for edge in self.edges[waiting.pop()]:
                if edge.target not in found and waits in (None, edge.waits):
                    found[edge.target] = None
                    waiting.append(edge.target)
        return tuple(found)


def name_of_host(host: Host) -> str:
    """What a block is called."""
    match host:
        case ast.PhaseDecl():
            return host.name.text
        case ast.Start():
            return "start"
        case ast.Whenever():
            return host.tail.text or "whenever"


def read_calls(vocabulary: Vocabulary) -> Calls:
    """The graph of a game; phases that nothing declares are left out."""
    kinds = (ast.Start, ast.PhaseDecl, ast.Whenever)
    hosts = tuple(item for item in vocabulary.items if isinstance(item, kinds))
    return Calls(hosts, {host: tuple(_edges(host, vocabulary)) for host in hosts})


def _edges(host: Host, vocabulary: Vocabulary) -> Iterator[Edge]:
    for node in walk(*host.block):
        if isinstance(node, ast.Do | ast.Goto):
            target = vocabulary.phases.get(node.phase.text)
            if target is not None:
                yield Edge(host, target, isinstance(node, ast.Do), node)


# ---- checks


def check_phase_names(vocabulary: Vocabulary) -> Report:
    """Every phase that is named must be declared."""
    report = Report()
    for item in vocabulary.items:
        if isinstance(item, ast.Scenario):
            continue
        for word in _phases_named(item):
            if word.text not in vocabulary.phases:
                report.add(
                    UnknownPhase.near(
                        word.text, vocabulary.phases, word.span, _otherwise(word, vocabulary)
                    )
                )
    return report


def _otherwise(word: Word, vocabulary: Vocabulary) -> str:
    """What to do about a phase that is none, where its name is that of an option."""
    named = (
        o.name.text for item in vocabulary.items for o in walk(item) if isinstance(o, ast.Option)
    )
    if word.text not in named:
        return ""
    return f"`{word.text}` is an option, which a player chooses: its steps stand below it"


_NO_PHASE = frozenset({"repeat", "window", "for"})  # what `leave` may name instead
_ANY_DECISION = "decisions"  # what an invariant may name instead


def _phases_named(item: ast.Node) -> Iterator[Word]:
    for node in walk(item):
        match node:
            case ast.Do(phase=phase) | ast.Goto(phase=phase) | ast.Each(phase=phase):
                yield phase
            case ast.Leave(what=what):
                if what.text not in _NO_PHASE:
                    yield what
            case ast.AtPhase(phase=phase):
                if phase.text != _ANY_DECISION:
                    yield phase
            case ast.BesidePhase(phase=phase):
                yield phase
            case _:
                pass


def check_recursion(calls: Calls) -> Report:
    """A phase may not be run, by whatever way, while it waits for the end of another."""
    report = Report()
    for edges in calls.edges.values():
        for edge in edges:
            if edge.waits and edge.source in calls.reached([edge.target]):
                caller = name_of_host(edge.source)
                name = edge.target.name.text
                report.add(RecursivePhase(name, caller, span=edge.step.phase.span))
    return report


def check_phases_run(vocabulary: Vocabulary, calls: Calls) -> Report:
    """Every phase should be run from the start or by a trigger, by whatever way."""
    report = Report()
    if vocabulary.start is None:
        return report
    reached = calls.reached(calls.roots)
    for host in calls.hosts:
        if isinstance(host, ast.PhaseDecl) and host not in reached:
            name = host.name
            if not name.text.startswith("_"):
                report.add(UnusedName(name.text, "a phase that never runs", span=name.span))
    return report
