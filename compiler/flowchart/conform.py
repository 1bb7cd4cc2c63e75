"""Whether a chart refines an expected flow: what is expected happens, and nothing else does.

Each expected node stands for boxes or arrows of the chart: those it names, or those of its kind
that cite its clauses.  From one to the next leads a path through boxes that nobody named; phases
that are run are gone into, and come back from to where they were run.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from attrs import evolve, field, frozen

from compiler.flowchart.model import Chart, ChartEdge, ChartNode, EdgeKind, Kind
from compiler.flowchart.overlay import Mark, Overlaid, Overlay, Tone
from compiler.flowchart.reference import KINDS, Expected, Named, Reference
from compiler.graph.core import Flow, Graph, Leave

Vertex: TypeAlias = str | int
"""A box by its id, or an arrow by its position."""

Stack: TypeAlias = tuple[str, ...]
"""The boxes that run phases one inside the other; empty if nobody knows who runs this one."""

_State: TypeAlias = tuple[Vertex, Stack]


@frozen
class Path:
    """A way from one expected node to another: between which places of the chart, along what."""

    source: Vertex
    target: Vertex
    label: str
    along: tuple[Vertex, ...] = field(repr=False)


@frozen
class Missing:
    """Something expected of which the chart has nothing."""

    node: str
    label: str | None
    target: str

    def __str__(self) -> str:
        label = "" if self.label is None else f' "{self.label}"'
        return f"{self.node}{label} -> {self.target}: no path in the chart"


@frozen
class Extra:
    """A path that is not expected."""

    node: str
    target: str
    path: Path

    def __str__(self) -> str:
        label = f' "{self.path.label}"' if self.path.label else ""
        boxes = " > ".join(one for one in self.path.along if isinstance(one, str))
        through = f", through {boxes}" if boxes else ""
        return f"{self.node}{label} -> {self.target}: not expected{through}"


@frozen
class Conformance:
    """What was found: where each expected node is, and what is not as expected."""

    reference: Reference
    places: Mapping[str, tuple[Vertex, ...]]
    unplaced: tuple[str, ...]
    missing: tuple[Missing, ...]
    extra: tuple[Extra, ...]

    @property
    def holds(self) -> bool:
        """Whether the chart is as expected."""
        return not (self.unplaced or self.missing or self.extra)

    @property
    def lines(self) -> tuple[str, ...]:
        """What is wrong, a line for each."""
        return (*self.unplaced, *map(str, self.missing), *map(str, self.extra))


def conformance(graph: Graph, drawn: Chart, reference: Reference) -> Conformance:
    """Compares the chart of a whole game with an expected flow."""
    walk = _Walk(graph, drawn)
    places: dict[str, tuple[Vertex, ...]] = {}
    unplaced: list[str] = []
    for node in reference.nodes:
        found = _placed(drawn, node)
        if isinstance(found, str):
            unplaced.append(found)
        else:
            places[node.name] = found
    names: dict[Vertex, list[str]] = {}
    for name, vertices in places.items():
        for vertex in vertices:
            names.setdefault(vertex, []).append(name)
    paths = [path for vertex in names for path in walk.paths(vertex, frozenset(names))]
    return Conformance(
        reference,
        places,
        tuple(unplaced),
        tuple(_missing(reference, places, names, paths)),
        tuple(_extra(reference, places, names, paths)),
    )


# ---- where expected nodes are


def _placed(drawn: Chart, node: Expected) -> tuple[Vertex, ...] | str:
    """The places of an expected node, or why it has none."""
    if node.places:
        vertices = [(named, _vertex(drawn, named)) for named in node.places]
        lost = [named for named, vertex in vertices if vertex is None]
        if lost:
            label = "" if lost[0].label is None else f' with an arrow "{lost[0].label}"'
            return f"{node.name}: there is no box `{lost[0].box}`{label}"
        found = tuple(vertex for _, vertex in vertices if vertex is not None)
        cited = {clause for vertex in found for clause in _cited(drawn, vertex)}
        uncited = [clause for clause in node.clauses if clause not in cited]
        return f"{node.name}: nothing there cites {', '.join(uncited)}" if uncited else found
    if not node.clauses:
        return f"{node.name}: it has neither clauses nor boxes"
    kinds = tuple(Kind) if node.kind is None else KINDS[node.kind]
    boxes = tuple(
        box.id for box in drawn.nodes if box.kind in kinds and set(node.clauses) <= set(box.clauses)
    )
    kind = "box" if node.kind is None else f"{node.kind} box"
    return boxes or f"{node.name}: no {kind} cites {', '.join(node.clauses)}"


def _vertex(drawn: Chart, named: Named) -> Vertex | None:
    if named.label is None:
        return named.box if any(box.id == named.box for box in drawn.nodes) else None
    for position, edge in enumerate(drawn.edges):
        if edge.source == named.box and _same(edge.label, named.label):
            return position
    return None


def _cited(drawn: Chart, vertex: Vertex) -> Iterator[str]:
    """The clauses of a place; those of a box are also those of its arrows and its phase."""
    if isinstance(vertex, int):
        yield from drawn.edges[vertex].clauses
        return
    box = drawn.node(vertex)
    yield from box.clauses
    for edge in drawn.edges:
        if edge.source == vertex:
            yield from edge.clauses
    for frame in drawn.clusters:
        if frame.id in (box.target, box.cluster, box.phase):
            yield from frame.clauses


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


# ---- paths


class _Walk:
    """Goes along a chart, into the phases that are run and back."""

    def __init__(self, graph: Graph, drawn: Chart) -> None:
        self._graph = graph
        self._drawn = drawn
        self._boxes = {box.id: box for box in drawn.nodes}
        self._leaving: dict[str, list[int]] = {box.id: [] for box in drawn.nodes}
        for position, edge in enumerate(drawn.edges):
            self._leaving[edge.source].append(position)
        self._callers: dict[str, list[str]] = {}
        for box in drawn.nodes:
            if box.kind is Kind.CALL and box.target is not None:
                self._callers.setdefault(box.target, []).append(box.id)

    def paths(self, start: Vertex, stops: frozenset[Vertex]) -> Iterator[Path]:
        """The shortest ways from a place to each of the next stops, for each way out by itself."""
        for first in self._onwards((start, ())):
            label = self._drawn.edges[first[0]].label if isinstance(first[0], int) else ""
            before: dict[_State, _State | None] = {first: None}
            waiting = [first]
            reached: dict[Vertex, None] = {}
            while waiting:
                state = waiting.pop(0)
                if state[0] in stops:
                    if state[0] not in reached:
                        reached[state[0]] = None
                        yield Path(start, state[0], label, _along(before, state))
                    continue
                for following in self._onwards(state):
                    if following not in before:
                        before[following] = state
                        waiting.append(following)

    def _onwards(self, state: _State) -> list[_State]:
        vertex, stack = state
        if isinstance(vertex, int):
            return [(self._drawn.edges[vertex].target, stack)]
        box = self._boxes[vertex]
        begins = f"{box.target}.start"
        if box.kind is Kind.CALL and begins in self._boxes:
            return [(begins, (*stack, vertex))]
        if box.kind is Kind.RETURN:
            return self._returned(self._left(box), stack)
        return [(position, stack) for position in self._leaving[vertex]]

    def _left(self, box: ChartNode) -> str:
        """The phase that is left where a box says so."""
        for node_id in box.nodes:
            step = self._graph.nodes[node_id].step
            if isinstance(step, Flow) and isinstance(step.way, Leave):
                return step.way.phase
        return box.phase

    def _returned(self, phase: str, stack: Stack) -> list[_State]:
        """Where it goes on after a phase: behind what ran it."""
        while stack:
            *outer, caller = stack
            stack = tuple(outer)
            if self._boxes[caller].target == phase or not self._is_run(phase):
                return [(position, stack) for position in self._leaving[caller]]
        callers = self._callers.get(phase, [])
        return [(position, ()) for caller in callers for position in self._leaving[caller]]

    def _is_run(self, phase: str) -> bool:
        return phase in self._callers


def _along(before: dict[_State, _State | None], state: _State) -> tuple[Vertex, ...]:
    """The places between the ends of a path."""
    found: list[Vertex] = []
    at = before[state]
    while at is not None:
        found.insert(0, at[0])
        at = before[at]
    return tuple(found)


# ---- comparing


def _missing(
    reference: Reference,
    places: Mapping[str, tuple[Vertex, ...]],
    names: Mapping[Vertex, list[str]],
    paths: list[Path],
) -> Iterator[Missing]:
    for node in reference.nodes:
        own = places.get(node.name, ())
        for following in node.following:
            if not following.needed or not own or following.target not in places:
                continue
            if set(own) & set(places[following.target]) and following.target != node.name:
                continue  # one box does both
            held = any(
                path.source in own
                and following.target in names[path.target]
                and (following.label is None or _same(path.label, following.label))
                for path in paths
            )
            if not held:
                yield Missing(node.name, following.label, following.target)


def _extra(
    reference: Reference,
    places: Mapping[str, tuple[Vertex, ...]],
    names: Mapping[Vertex, list[str]],
    paths: list[Path],
) -> Iterator[Extra]:
    right: dict[tuple[str, str], list[str | None]] = {}
    for node in reference.nodes:
        for each in node.following:
            right.setdefault((node.name, each.target), []).append(each.label)
    told: set[tuple[str, str, str]] = set()
    for path in paths:
        sources, targets = names[path.source], names[path.target]
        labels = [
            label
            for source in sources
            for target in targets
            for label in right.get((source, target), ())
        ]
        if any(label is None or not path.label or _same(path.label, label) for label in labels):
            continue
        shared = [name for name in sources if name in targets and len(places[name]) > 1]
        key = sources[-1], path.label, targets[0]
        if not shared and key not in told:
            told.add(key)
            yield Extra(sources[-1], targets[0], path)


# ---- drawn


def mismatch(drawn: Chart, found: Conformance) -> Overlaid:
    """The chart with the expected nodes by their names, and what is not as expected."""
    boxes: dict[str, Mark] = {}
    arrows: dict[int, Mark] = {}
    for name, vertices in found.places.items():
        for vertex in vertices:
            known = boxes.get(vertex) if isinstance(vertex, str) else arrows.get(vertex)
            mark = Mark(Tone.CHOSEN, name if known is None else f"{known.badge}, {name}")
            if isinstance(vertex, str):
                boxes[vertex] = mark
            else:
                arrows[vertex] = mark
    for extra in found.extra:
        for vertex in extra.path.along:
            if isinstance(vertex, int):
                arrows[vertex] = Mark(Tone.WRONG, f"{extra.node} > {extra.target}?")
    edges = list(drawn.edges)
    for lost in found.missing:
        source, target = (_box(drawn, found, name) for name in (lost.node, lost.target))
        arrows[len(edges)] = Mark(Tone.MISSING, f"{lost.node} > {lost.target}!")
        edges.append(ChartEdge(source, target, EdgeKind.ANSWER, lost.label or ""))
    title = "As expected" if found.holds else "Not as expected"
    legend = (
        (Mark(Tone.CHOSEN, "1"), "an expected node"),
        (Mark(Tone.MISSING, "1 > 2!"), "expected, no such path"),
        (Mark(Tone.WRONG, "1 > 2?"), "a path nobody expects"),
    )
    notes = (*drawn.notes, *found.unplaced)
    laid = Overlay(f"{found.reference.title}: {title}", boxes, arrows, legend)
    return Overlaid(evolve(drawn, edges=tuple(edges), notes=notes), laid)


def _box(drawn: Chart, found: Conformance, name: str) -> str:
    vertex = found.places[name][0]
    return vertex if isinstance(vertex, str) else drawn.edges[vertex].source
