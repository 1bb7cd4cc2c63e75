"""Phases from which a game can no longer end, and loops that it can no longer leave: dead ends.

Ways are followed as far as they might go: a call goes into its phase and beyond it, a phase returns
to everybody who calls it.  So what is found has no way to an end at all.
"""

from collections.abc import Iterator, Mapping

from compiler.analysis.decided import decided
from compiler.analysis.liveness import return_nodes
from compiler.graph.core import (
    Assign,
    Branch,
    Call,
    Chance,
    Choose,
    End,
    Flow,
    Graph,
    Jump,
    Leave,
    Move,
    Node,
    Return,
)
from compiler.graph.walk import reads, step_writes
from compiler.source import Span


def phases_without_end(graph: Graph) -> frozenset[str]:
    """The names of the phases, triggers left out, from whose beginning no end can be come to."""
    ending = _leading_to(onward(graph), {node.id for node in graph.nodes if _ends(node)})
    if any(phase.is_trigger and phase.entry in ending for phase in graph.phases):
        return frozenset()  # a trigger may end the game wherever it is
    return frozenset(phase.name for phase in graph.phases if phase.entry not in ending) - {
        phase.name for phase in graph.phases if phase.is_trigger
    }


def endless_rings(graph: Graph) -> Iterator[tuple[Span, ...]]:
    """The lines of each loop from which nothing leads to a stop: no choice, no chance, no end."""
    ways = onward(graph)
    for node in graph.nodes:
        if isinstance(node.step, Assign | Move):
            writes = step_writes(node.step)
            fired = (t.phase for t in graph.triggers if writes.meets(reads(t.condition)))
            ways[node.id] = (*ways[node.id], *(graph.phase(phase).entry for phase in fired))
    stops = {node.id for node in graph.nodes if not ways[node.id] or _stops(node)}
    stopping = _leading_to(ways, stops)
    begun = {graph.start, *(graph.phase(trigger.phase).entry for trigger in graph.triggers)}
    played = begun.union(*(_reached(at, ways) for at in begun))
    told: set[int] = set()
    for node in graph.nodes:
        if node.id in played - stopping - told:
            ring = ring_of(node.id, ways)
            told |= ring
            spans = (graph.nodes[at].span for at in sorted(ring))
            found = tuple(span for span in spans if span is not None)
            if found:
                yield found


def ring_of(start: int, ways: Mapping[int, tuple[int, ...]]) -> set[int]:
    """The nodes that lie on a way from a node back to it; none if there is no such way."""
    forth = _reached(start, ways)
    back: dict[int, tuple[int, ...]] = {}
    for node in forth:
        for after in ways.get(node, ()):
            back[after] = (*back.get(after, ()), node)
    return forth & _reached(start, back)


def _reached(start: int, ways: Mapping[int, tuple[int, ...]]) -> set[int]:
    found: set[int] = set()
    waiting = list(ways.get(start, ()))
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(ways.get(node, ()))
    return found


def _leading_to(ways: Mapping[int, tuple[int, ...]], wanted: set[int]) -> set[int]:
    """The nodes from which some of those wanted may be come to."""
    before: dict[int, list[int]] = {}
    for node, further in ways.items():
        for after in further:
            before.setdefault(after, []).append(node)
    found: set[int] = set()
    waiting = list(wanted)
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            waiting.extend(before.get(at, ()))
    return found


def onward(graph: Graph) -> dict[int, tuple[int, ...]]:
    """For each node those that may come next."""
    returns = return_nodes(graph)
    return {node.id: tuple(_onward(graph, node, returns)) for node in graph.nodes}


def _stops(node: Node) -> bool:
    return isinstance(node.step, Choose | Chance) or _ends(node)


def _ends(node: Node) -> bool:
    return isinstance(node.step, Flow) and isinstance(node.step.way, End)


def _onward(graph: Graph, node: Node, returns: dict[str, list[int]]) -> Iterator[int]:
    """The nodes that may come next; after a trigger, whatever may come next."""
    match node.step:
        case Flow(Jump(phase)):
            yield graph.phase(phase).entry
        case Flow(Call(phase)):
            yield graph.phase(phase).entry
            yield from node.next
        case Flow(Return()):
            yield from returns[node.phase]
        case Flow(Leave(phase)):
            yield from returns[phase]
        case Branch(test) if decided(test) is not None:
            yield node.next[0 if decided(test) else 1]
        case _:
            yield from node.next
