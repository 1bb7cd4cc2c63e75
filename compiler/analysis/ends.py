"""Phases from which a game can no longer end: dead ends of the chart.

Ways are followed as far as they might go: a call goes into its phase and beyond it, a phase returns
to everybody who calls it.  So what is found has no way to an end at all.
"""

from collections.abc import Iterator

from compiler.analysis.liveness import return_nodes
from compiler.graph.core import Call, End, Flow, Graph, Jump, Leave, Node, Return


def phases_without_end(graph: Graph) -> frozenset[str]:
    """The names of the phases, triggers left out, from whose beginning no end can be come to."""
    before: dict[int, list[int]] = {}
    returns = return_nodes(graph)
    for node in graph.nodes:
        for after in _onward(graph, node, returns):
            before.setdefault(after, []).append(node.id)
    waiting = [node.id for node in graph.nodes if _ends(node)]
    ending: set[int] = set()
    while waiting:
        at = waiting.pop()
        if at not in ending:
            ending.add(at)
            waiting.extend(before.get(at, ()))
    if any(phase.is_trigger and phase.entry in ending for phase in graph.phases):
        return frozenset()  # a trigger may end the game wherever it is
    return frozenset(phase.name for phase in graph.phases if phase.entry not in ending) - {
        phase.name for phase in graph.phases if phase.is_trigger
    }


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
        case _:
            yield from node.next
