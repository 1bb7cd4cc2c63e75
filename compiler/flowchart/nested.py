"""One phase with those inside that only it runs: a reader follows it on one page.

A phase that one box runs, and nothing goes on as, is drawn where it is run, in a frame of its own,
unless a box can tell all of it or it would fill half of a page.  Its beginning takes the place of
the box that runs it; where it is over, an arrow leads to what comes then.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from attrs import evolve, field, frozen

from compiler.flowchart.extent import MOST
from compiler.flowchart.handed import cut
from compiler.flowchart.model import ChartEdge, ChartNode, Cluster, EdgeKind, Kind
from compiler.graph.core import Assign, Call, Flow, Graph, Leave

_LARGE: Final = MOST // 2  # boxes of a phase that has a page of its own
_LETTERS: Final = 180  # of what a phase does that is run
_OFFERED: Final = 300  # of what it offers
_BEGINNINGS: Final = (Kind.START, Kind.TRIGGER)


@frozen
class Part:
    """A phase as boxes, arrows and frames; its own frame is the first.

    `then` are the arrows to what comes after each phase that stands inside.
    """

    nodes: tuple[ChartNode, ...]
    edges: tuple[ChartEdge, ...]
    clusters: tuple[Cluster, ...]
    then: Mapping[str, ChartEdge] = field(factory=dict)


@frozen
class Nesting:
    """The phases of a game, each drawn alone, and which of them can stand inside another.

    `given` says in words what the phase is given that a box runs.
    """

    graph: Graph
    parts: Mapping[str, Part]
    given: Callable[[str, tuple[int, ...]], str]
    run_by: Mapping[str, ChartNode] = field(init=False)

    @run_by.default
    def _running(self) -> dict[str, ChartNode]:
        """The phases that only one box runs, which does nothing else, with that box."""
        running: dict[str, list[ChartNode]] = {}
        gone_on_as: set[str | None] = set()
        for part in self.parts.values():
            for box in part.nodes:
                for phase in dict.fromkeys(self._called(box)):
                    running.setdefault(phase, []).append(box)
                if box.kind is Kind.EXIT:
                    gone_on_as.add(box.target)
        return {
            phase: boxes[0]
            for phase, boxes in running.items()
            if len(boxes) == 1 and phase in self.parts and phase not in gone_on_as
            if self._only_runs(boxes[0], phase)
            if self._is_worth_it(phase) and self._comes_back(phase)
        }

    def _called(self, box: ChartNode) -> Iterator[str]:
        for node_id in box.nodes:
            step = self.graph.nodes[node_id].step
            if isinstance(step, Flow) and isinstance(step.way, Call):
                yield step.way.phase

    def _only_runs(self, box: ChartNode, phase: str) -> bool:
        """Whether a box runs a phase once, and else only says what that is given."""
        given = self.graph.phase(phase).params
        steps = [self.graph.nodes[node_id].step for node_id in box.nodes]
        return steps.count(Flow(Call(phase))) == 1 and all(
            step == Flow(Call(phase))
            or (isinstance(step, Assign) and any(step.target is param for param in given))
            for step in steps
        )

    def _is_worth_it(self, phase: str) -> bool:
        """Whether a phase is more than can be told in a box, and less than half of a page."""
        boxes = self.parts[phase].nodes
        told = _done(self.parts[phase])
        return len(boxes) <= _LARGE and len(_work(boxes)) > 1 and not (told and self._tells(phase))

    def _comes_back(self, phase: str) -> bool:
        """Whether what runs a phase goes on after it: some phases end another around them."""
        return any(self._left(box) == phase for box in self.parts[phase].nodes)

    def _tells(self, phase: str) -> bool:
        """Whether what a phase does can be told elsewhere: it has no words for what it is given."""
        return not self.graph.phase(phase).params

    def grown(self, root: str, fits: Callable[[Part], bool]) -> Part:
        """A phase with those inside for which a page has room, what is run directly first.

        `fits` says whether there is room for what was drawn.
        """
        drawn = self.parts[root]
        tried: set[str] = set()
        while True:
            waiting = [
                phase
                for phase, box in self.run_by.items()
                if phase not in tried and any(box.id == other.id for other in drawn.nodes)
            ]
            if not waiting:
                return evolve(drawn, nodes=tuple(map(self._telling, drawn.nodes)))
            for phase in waiting:
                tried.add(phase)
                larger = self.inside(drawn, phase)
                if fits(larger):
                    drawn = larger

    def inside(self, around: Part, phase: str) -> Part:
        """A drawing with a phase inside that one of its boxes runs."""
        box, part = self.run_by[phase], self.parts[phase]
        (onwards,) = (edge for edge in around.edges if edge.source == box.id)
        then = {**around.then, phase: onwards}
        over = {inner.id: then[left] for inner in part.nodes if (left := self._left(inner)) in then}
        nodes: list[ChartNode] = []
        for other in around.nodes:
            if other.id == box.id:
                nodes += (self._placed(inner, box) for inner in part.nodes if inner.id not in over)
            else:
                nodes.append(other)
        inner_edges = (
            _over(edge, over[edge.target]) if edge.target in over else edge for edge in part.edges
        )
        edges = [edge for edge in around.edges if edge is not onwards]
        at = around.edges.index(onwards)
        edges[at:at] = inner_edges

        def led(edge: ChartEdge) -> ChartEdge:
            return evolve(edge, target=f"{phase}.start") if edge.target == box.id else edge

        own, *frames = part.clusters
        note = self.given(phase, box.nodes)
        frames.insert(0, evolve(own, title=box.label, parent=box.cluster, note=note))
        return Part(
            tuple(nodes),
            tuple(map(led, edges)),
            (*around.clusters, *frames),
            {name: led(edge) for name, edge in then.items()},
        )

    def _telling(self, box: ChartNode) -> ChartNode:
        """A box that runs a phase with what that offers at once, or does, if it is a few steps."""
        if box.kind is not Kind.CALL or box.target is None or box.target not in self.parts:
            return box
        part, known = self.parts[box.target], f"{box.label}\n{box.sub}".lower()
        told = _offered(part) or (_done(part) if self._tells(box.target) else "")
        if not told or all(word.lower() in known for word in told.split(", ")):
            return box
        return evolve(box, sub="\n".join(filter(None, (box.sub, cut(told, _OFFERED)))))

    def _left(self, box: ChartNode) -> str | None:
        """The phase that is over where a box stands: its own, or one around that."""
        if box.kind is not Kind.RETURN:
            return None
        steps = [self.graph.nodes[node_id].step for node_id in box.nodes]
        left = {
            step.way.phase
            for step in steps
            if isinstance(step, Flow) and isinstance(step.way, Leave)
        }
        return left.pop() if len(left) == 1 else box.phase

    def _placed(self, inner: ChartNode, box: ChartNode) -> ChartNode:
        """A box of a phase, where another box runs it: the beginning bears that one's words."""
        if inner.kind not in _BEGINNINGS:
            return inner
        return evolve(
            inner,
            label=box.label,
            sub=self.given(inner.phase, box.nodes),
            clauses=box.clauses or inner.clauses,
            nodes=box.nodes,
            hidden=False,
        )


def _work(boxes: Iterable[ChartNode]) -> list[ChartNode]:
    """The boxes of a phase but those where it begins and is over."""
    return [box for box in boxes if box.kind not in (*_BEGINNINGS, Kind.RETURN, Kind.EXIT)]


def _offered(part: Part) -> str:
    """What a phase offers, if somebody is asked first of all."""
    first = _work(part.nodes)[0]
    arrows = [edge for edge in part.edges if edge.source == first.id]
    decides = first.kind in (Kind.DECISION, Kind.WINDOW)
    return ", ".join(e.label for e in arrows if e.kind is EdgeKind.OPTION) if decides else ""


def _done(part: Part) -> str:
    """What a phase does, if that is one box, or a few steps in a row."""
    boxes = _work(part.nodes)
    if len(boxes) > 1 and any(box.kind is not Kind.STEP for box in boxes):
        return ""
    told = "; ".join(line for box in boxes for line in _lines(box)).replace(":; ", ": ")
    return told if len(told) <= _LETTERS else ""


def _lines(box: ChartNode) -> list[str]:
    """What a box says, in lines; of a step with one word, what stands below that."""
    if box.kind is Kind.STEP and box.sub:
        return box.sub.splitlines()
    below = "" if box.target in (box.sub, "") or "(" in box.sub else box.sub
    return list(filter(None, [*box.label.splitlines(), below]))


def _over(edge: ChartEdge, onwards: ChartEdge) -> ChartEdge:
    """An arrow to the end of a phase, led to what comes after it."""
    sub = "\n".join(filter(None, (edge.sub, onwards.sub)))
    return evolve(edge, target=onwards.target, sub=sub, ways=edge.ways + onwards.ways)
