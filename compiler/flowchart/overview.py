"""The game at a glance: a chart of steps with one box for each phase.

An arrow says by which options and tests a phase goes on so: those after which nothing else can
follow.  Ends of the game keep their boxes; where a phase returns, the caller goes on.
"""

from collections.abc import Iterable

from attrs import evolve

from compiler.flowchart.model import Chart, ChartEdge, ChartNode, EdgeKind, Kind, Level, Way
from compiler.flowchart.routes import UNREACHED, Routes
from compiler.graph.core import Call, Flow, Graph

_NAMES = 3  # options and tests named on one arrow, at most
_BEGINNINGS = (Kind.START, Kind.TRIGGER)
_AGAIN = ""  # instead of the id of its beginning: a phase that goes on as itself leaves itself


def overview(graph: Graph, steps: Chart) -> Chart:
    """The chart of the phases that a chart of steps draws, in its order."""
    routes = Routes(graph)
    nodes: list[ChartNode] = []
    edges: list[ChartEdge] = []
    drawn = {box.phase for box in steps.nodes}
    entries = [box for box in steps.nodes if box.kind is Kind.ENTRY]
    for start in steps.nodes:
        if start.kind in _BEGINNINGS:
            phase = _Phase(routes, steps, start)
            nodes += [phase.box(), *phase.ends]
            edges += [*phase.onwards(), *phase.calls(drawn)]
    edges = [edge for edge in steps.edges if edge.source in {box.id for box in entries}] + edges
    return evolve(
        steps,
        subtitle=steps.subtitle.replace(Level.STEPS.value, Level.OVERVIEW.value),
        nodes=(*entries, *nodes),
        edges=tuple(edges),
        clusters=(),
        level=Level.OVERVIEW,
    )


class _Phase:
    """One phase of a chart of steps, on its way to be a box."""

    def __init__(self, routes: Routes, steps: Chart, start: ChartNode) -> None:
        self._routes = routes
        self._start = start
        self._boxes = {
            box.id: box
            for box in steps.nodes
            if box.phase == start.phase and box.kind is not Kind.ENTRY
        }
        self._edges = [
            evolve(edge, target=_AGAIN) if edge.target == start.id else edge
            for edge in steps.edges
            if edge.source in self._boxes
        ]
        outer = (Kind.END, Kind.EXIT)
        self.ends = [evolve(b, cluster="") for b in self._boxes.values() if b.kind in outer]

    def box(self) -> ChartNode:
        """The box of the phase: all of its graph nodes but the ends of the game."""
        ended = {node_id for box in self.ends for node_id in box.nodes}
        order = self._routes.order(self._routes.entry(self._start.phase))
        sub = self._start.sub
        if self._start.kind is Kind.START:  # what it is given is told with its steps
            sub = UNREACHED if UNREACHED in sub else ""
        inside = tuple(id_ for id_ in order if id_ not in ended)
        return evolve(self._start, sub=sub, nodes=inside, cluster="")

    def onwards(self) -> Iterable[ChartEdge]:
        """The arrows to the phases it goes on as, and to the ends, each place once."""
        for target in dict.fromkeys(edge.target for edge in self._edges):
            if target not in self._boxes or self._boxes[target].kind in (Kind.END, Kind.EXIT):
                ways = [way for edge in self._edges if edge.target == target for way in edge.ways]
                yield self._named(target or self._start.id, self._deciding(target), ways, "")

    def calls(self, drawn: set[str]) -> Iterable[ChartEdge]:
        """The arrows to the phases it runs and comes back from."""
        at: dict[str, dict[str, list[Way]]] = {}
        for box in self._boxes.values():
            for node_id in box.nodes:
                step = self._routes.nodes[node_id].step
                if isinstance(step, Flow) and isinstance(step.way, Call):
                    called = at.setdefault(step.way.phase, {})
                    called.setdefault(box.id, []).append(Way(node_id, 0))
        for phase, boxes in at.items():
            if phase in drawn:
                ways = tuple(way for found in boxes.values() for way in found)
                deciding = dict.fromkeys(edge for box in boxes for edge in self._deciding(box))
                yield self._named(f"{phase}.start", deciding, ways, "then back")

    def _deciding(self, reached: str) -> list[ChartEdge]:
        """The arrows after which `reached` is sure to come, and not before."""
        sure = self._sure(reached)
        return [
            edge
            for edge in self._edges
            if edge.source not in sure and (edge.target == reached or edge.target in sure)
        ]

    def _named(
        self, target: str, deciding: Iterable[ChartEdge], ways: Iterable[Way], sub: str
    ) -> ChartEdge:
        """An arrow with the options and tests that lead there."""
        named = [edge for edge in deciding if edge.label]
        labels = dict.fromkeys(map(self._words, named))
        kinds = {edge.kind for edge in named}
        kind = kinds.pop() if len(kinds) == 1 else EdgeKind.FLOW
        clauses = tuple(dict.fromkeys(clause for edge in deciding for clause in edge.clauses))
        kept = tuple(dict.fromkeys(ways))
        return ChartEdge(self._start.id, target, kind, _lines(labels), sub, clauses, kept)

    def _sure(self, reached: str) -> set[str]:
        """The boxes from which every way that leads out of the phase passes through `reached`."""
        open_: set[str] = set()
        waiting = [
            end
            for end in dict.fromkeys([*self._boxes, *(edge.target for edge in self._edges)])
            if end != reached and not any(edge.source == end for edge in self._edges)
        ]
        waiting += [e.target for e in self._edges if e.target not in self._boxes]
        while waiting:
            id_ = waiting.pop()
            if id_ not in open_ and id_ != reached:
                open_.add(id_)
                waiting += [edge.source for edge in self._edges if edge.target == id_]
        return {id_ for id_ in self._boxes if id_ not in open_ and id_ != reached}

    def _words(self, edge: ChartEdge) -> str:
        """The words of an arrow on one line, so that what is named together is counted right."""
        if edge.kind is EdgeKind.OPTION:
            return " ".join(edge.label.split())
        asked = " ".join(self._boxes[edge.source].label.split())
        return f"{asked}{'' if asked.endswith('?') else ':'} {edge.label}"


def _lines(labels: Iterable[str]) -> str:
    lines = list(labels)
    if len(lines) > _NAMES:
        lines[_NAMES - 1 :] = [f"and {len(lines) - _NAMES + 1} more"]
    return "\n".join(lines)
