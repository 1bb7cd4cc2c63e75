"""Where the ways of a graph lead, phase by phase.

A way ends at a node, or at a phase: a jump goes there by name.  What a call runs is not followed:
the call's way is the one after the return.
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from attrs import field, frozen

from compiler.flowchart.certain import always_asked
from compiler.flowchart.model import Way
from compiler.flowchart.openings import always_fits
from compiler.flowchart.sure import sure
from compiler.graph.core import Branch, Call, Choose, Clauses, Const, Flow, Graph, Jump, Node, Term
from compiler.source import Span

Landing: TypeAlias = int | str
"""Where a way ends: a node by its id, or a phase by its name."""

START = "start"
"""The name of the procedure where a game begins, if the graph has no phase of that name."""

UNREACHED = "never reached in this configuration"
"""The remark on a phase that nothing leads to."""


@frozen
class Procedure:
    """A part of the rules that is drawn in a frame of its own: the start, a phase, a trigger."""

    name: str
    title: str
    entry: int
    clauses: Clauses = ()
    span: Span | None = field(default=None, repr=False)
    is_trigger: bool = False


def closed(node: Node, position: int) -> bool:
    """Whether a way is an option with a guard that is known to fail before play."""
    step = node.step
    if not isinstance(step, Choose) or step.joint or position >= len(step.options):
        return False
    return any(
        isinstance(guard.holds, Const) and not guard.holds.value
        for guard in step.options[position].guards
    )


class Routes:
    """A graph with its ways looked up; `shut` ones too if they are to be drawn."""

    def __init__(self, graph: Graph, *, shut: bool = False) -> None:
        self.graph = graph
        self._shut = shut
        self._orders: dict[int, tuple[int, ...]] = {}
        self._asked = always_asked(graph)
        self._fits = always_fits(graph)
        self._sure = sure(graph)
        self.nodes: dict[int, Node] = {node.id: node for node in graph.nodes}
        self.procedures = _procedures(graph, self.nodes)
        self._opening = _opening(graph, self.nodes)
        self._entries = {procedure.name: procedure.entry for procedure in self.procedures}

    def ways(self, node_id: int) -> Iterator[tuple[Way, Landing]]:
        """The ways on from a node, in order; not those that this configuration never opens."""
        node = self.nodes[node_id]
        if isinstance(node.step, Flow) and isinstance(node.step.way, Jump):
            yield Way(node_id, 0), self._jump(node, node.step.way.phase)
        for position, following in enumerate(node.next):
            if self._shut or not self.closed(node, position):
                yield Way(node_id, position), following

    def closed(self, node: Node, position: int) -> bool:
        """Whether a way is never gone: an option that never opens, nobody asked, nothing fits.

        So is the answer of a test that surely comes out otherwise.
        """
        match node.step:
            case Choose(options=options) if position == len(options) and node.id in self._fits:
                return True
            case _:
                if closed(node, position) or (position == 0 and node.id in self._asked):
                    return True
                return self.answer(node) is (position == 1)

    def answer(self, node: Node) -> bool | None:
        """How a test surely comes out wherever a game comes to it; `None` if either may be."""
        return self._sure.answer(node) if isinstance(node.step, Branch) else None

    def told(self, term: Term, node: Node) -> Term:
        """A term of a node without what is sure there."""
        return self._sure.told(term, node.id)

    def impossible(self, node: Node, position: int) -> bool:
        """The same, and an answer that is never given in this configuration."""
        match node.step:
            case Branch(Const(value)):
                return position != (0 if value else 1)
            case _:
                return self.closed(node, position)

    def _jump(self, node: Node, phase: str) -> Landing:
        """Where a jump ends; what comes before the spec's own `start` goes on at its first step."""
        if node.phase == phase == self.procedures[0].name and node.id in self._opening:
            return self.graph.phase(phase).entry
        return phase

    def onwards(self, node_id: int) -> tuple[int, ...]:
        """The nodes that ways on from a node lead to, in order, once per way."""
        return tuple(landing for _, landing in self.ways(node_id) if isinstance(landing, int))

    def order(self, entry: int) -> tuple[int, ...]:
        """The nodes of a procedure: each after those before it, but for the ways back of loops.

        Nodes on the first way of a branch come before those on the second.
        """
        if entry not in self._orders:
            self._orders[entry] = self._ordered(entry)
        return self._orders[entry]

    def _ordered(self, entry: int) -> tuple[int, ...]:
        finished: list[int] = []
        seen = {entry}
        path = [(entry, list(self.onwards(entry)))]
        while path:
            node_id, waiting = path[-1]
            if not waiting:
                finished.append(node_id)
                path.pop()
                continue
            following = waiting.pop()
            if following not in seen:
                seen.add(following)
                path.append((following, list(self.onwards(following))))
        return tuple(reversed(finished))

    def reached(self) -> frozenset[str]:
        """The procedures that a game can come to: from its start, and the triggers."""
        found: dict[str, None] = {}
        waiting = [self.procedures[0].name]
        waiting += [procedure.name for procedure in self.procedures if procedure.is_trigger]
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found[name] = None
            waiting += self._mentions(self.order(self._entries[name]))
        return frozenset(found)

    def _mentions(self, node_ids: Iterable[int]) -> Iterator[str]:
        for node_id in node_ids:
            step = self.nodes[node_id].step
            if isinstance(step, Flow) and isinstance(step.way, Call | Jump):
                yield step.way.phase

    def entry(self, name: str) -> int:
        """Where a procedure begins; `KeyError` if there is none of that name."""
        return self._entries[name]

    def predecessors(self, node_ids: Iterable[int]) -> dict[int, list[int]]:
        """For each of some nodes, those of them from which a way leads to it, once per way."""
        found: dict[int, list[int]] = {node_id: [] for node_id in node_ids}
        for node_id in found:
            for following in self.onwards(node_id):
                found[following].append(node_id)
        return found


def _procedures(graph: Graph, nodes: dict[int, Node]) -> tuple[Procedure, ...]:
    """The start first, then the phases in their order; the start's entry is where a game begins."""
    begins_in = nodes[graph.start].phase or START
    start = Procedure(begins_in, "Start", graph.start)
    found: list[Procedure] = []
    triggers = {trigger.phase: trigger.title for trigger in graph.triggers}
    for phase in graph.phases:
        title = triggers.get(phase.name) or phase.title or _spoken(phase.name)
        entry = graph.start if phase.name == begins_in else phase.entry
        procedure = Procedure(phase.name, title, entry, phase.clauses, phase.span, phase.is_trigger)
        if phase.name == begins_in:
            start = procedure
        else:
            found.append(procedure)
    return (start, *found)


def _spoken(name: str) -> str:
    """A name of the spec as a title: `new_round` is "New round"."""
    return name.replace("_", " ").capitalize()


def _opening(graph: Graph, nodes: dict[int, Node]) -> frozenset[int]:
    """The nodes before the spec's own `start`: they settle what the players know from outside."""
    found: list[int] = []
    waiting = [graph.start]
    while waiting:
        node_id = waiting.pop()
        if node_id not in found:
            found.append(node_id)
            waiting += nodes[node_id].next
    return frozenset(found)
