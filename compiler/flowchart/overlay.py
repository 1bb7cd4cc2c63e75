"""Something laid over a chart: what a game did, what changed, what somebody asked for.

An overlay marks boxes and arrows of one chart with a tone and a badge, and says in its legend what
they mean.  Every form of output reads it; a tone has a line of its own and a badge has letters, so
that nothing rests on colour.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Final

from attrs import evolve, frozen

from compiler.flowchart.model import Chart, ChartEdge, ChartNode, EdgeKind, Kind, Level, Way
from compiler.graph.core import Graph
from compiler.graph.text import step_text

HEATS: Final = 5
"""Steps of the scale of counts, 0 for what never happened."""

_BEGINNINGS: Final = (Kind.START, Kind.TRIGGER)


class Tone(Enum):
    """What a mark says."""

    HEAT = "heat"  # how often, on a scale
    PASSED = "passed"  # a game went here
    NOW = "now"  # and stands here
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"  # says something else
    REROUTED = "rerouted"  # leads elsewhere
    CHOSEN = "chosen"  # asked for
    WRONG = "wrong"  # not as expected
    SHUT = "shut"  # impossible in this configuration
    MISSING = "missing"  # expected, and not there
    ASIDE = "aside"  # not meant


@frozen
class Mark:
    """What is laid over one box or arrow; `heat` counts up to `HEATS`."""

    tone: Tone
    badge: str = ""
    heat: int = 0


@frozen
class Overlay:
    """Marks of one chart: of boxes by their id, of arrows by their position."""

    title: str
    boxes: Mapping[str, Mark]
    arrows: Mapping[int, Mark]
    legend: tuple[tuple[Mark, str], ...] = ()


@frozen
class Overlaid:
    """A chart with what is laid over it."""

    chart: Chart
    overlay: Overlay | None = None


# ---- counts


@frozen
class Passages:
    """How often games came to each node, and went each way on."""

    nodes: Mapping[int, int]
    ways: Mapping[Way, int]


def heat(graph: Graph, drawn: Chart, passages: Passages, title: str) -> Overlaid:
    """How often each box was come to and each arrow gone along: as numbers, and on a scale."""
    begun = {
        node.id: _begun(graph, node.phase, passages)
        for node in drawn.nodes
        if node.kind in _BEGINNINGS
    }
    boxes = Counter(begun)
    arrows: list[int] = []
    for edge in drawn.edges:
        inside = drawn.node(edge.source).nodes
        times = sum(passages.ways.get(way, 0) for way in edge.ways if way.node in inside)
        is_phase = inside and drawn.level is Level.OVERVIEW
        arrows.append(times if is_phase else begun.get(edge.source, times))
        if edge.target not in begun:
            boxes[edge.target] += arrows[-1]
    most = max([*boxes.values(), *arrows, 1])
    shown = [node.id for node in drawn.nodes if node.kind is not Kind.ENTRY]
    box_marks = {id_: _hot(boxes[id_], most) for id_ in shown}
    arrow_marks = {
        position: _hot(arrows[position], most)
        for position, edge in enumerate(drawn.edges)
        if edge.source in box_marks
    }
    return Overlaid(drawn, Overlay(title, box_marks, arrow_marks, _scale(most)))


def _begun(graph: Graph, phase: str, passages: Passages) -> int:
    """How often a phase began: games came to its first step, and not on a way of its own."""
    entry = _entry(graph, phase)
    own = sum(
        passages.ways.get(Way(node.id, position), 0)
        for node in graph.nodes
        if node.phase == graph.nodes[entry].phase
        for position, following in enumerate(node.next)
        if following == entry
    )
    return max(0, passages.nodes.get(entry, 0) - own)


def _entry(graph: Graph, phase: str) -> int:
    begins = graph.nodes[graph.start].phase == phase
    return graph.start if begins else graph.phase(phase).entry


def _hot(times: int, most: int) -> Mark:
    if times == 0:
        return Mark(Tone.HEAT, "0", 0)
    return Mark(Tone.HEAT, f"{times:,}", min(HEATS, 1 + HEATS * (times - 1) // most))


def _scale(most: int) -> tuple[tuple[Mark, str], ...]:
    """The legend of the scale: each of its steps that can occur, from which count to which."""
    found = [(Mark(Tone.HEAT, "", 0), "never")]
    first = 1
    for step in range(1, HEATS + 1):
        last = most if step == HEATS else -(-(step * most) // HEATS)
        if first <= last:
            words = f"{first:,}" if first == last else f"{first:,}-{last:,}"
            found.append((Mark(Tone.HEAT, "", step), words))
            first = last + 1
    return tuple(found)


# ---- a game


def trail(graph: Graph, drawn: Chart, path: Sequence[Way], now: int | None, title: str) -> Overlaid:
    """The arrows that a game went along, numbered in order; `now` is the node it stands at."""
    arrow_of = {way: position for position, way in _leavings(drawn)}
    beginnings = _beginnings(graph, drawn)
    numbers: dict[int, list[int]] = {}
    number = 0
    before: Way | None = None
    for way in path:
        passed = [arrow_of[way]] if way in arrow_of else []
        if way.node in beginnings and not _goes_on(graph, before, way.node):
            came = None if before is None else graph.nodes[before.node].phase
            passed[:0] = beginnings[way.node].on(came)
        for position in passed:
            number += 1
            numbers.setdefault(position, []).append(number)
        before = way
    boxes: dict[str, Mark] = {}
    for position in numbers:
        edge = drawn.edges[position]
        boxes[edge.source] = boxes[edge.target] = Mark(Tone.PASSED)
    standing = [node.id for node in drawn.nodes if now is not None and now in node.nodes]
    boxes.update((id_, Mark(Tone.NOW, "now")) for id_ in standing)
    arrows = {at: Mark(Tone.PASSED, _listed(found)) for at, found in numbers.items()}
    legend = [(Mark(Tone.PASSED, "1, 2, ..."), "gone along, in this order")] if path else []
    if standing:
        legend.append((Mark(Tone.NOW, "now"), "stands here"))
    return Overlaid(drawn, Overlay(title, boxes, arrows, tuple(legend)))


@frozen
class _Beginning:
    """The arrows with which a phase begins: from the boxes of phases that lead here, and on."""

    entries: Mapping[str, int]
    first: int

    def on(self, came: str | None) -> list[int]:
        """The arrows gone along by a game that came from a phase."""
        entry = None if came is None else self.entries.get(came)
        return [self.first] if entry is None else [entry, self.first]


def _beginnings(graph: Graph, drawn: Chart) -> dict[int, _Beginning]:
    """The beginnings that are drawn, by the first node of their phases."""
    entries: dict[str, dict[str, int]] = {}
    first: dict[str, int] = {}
    for position, edge in enumerate(drawn.edges):
        source = drawn.node(edge.source)
        if source.kind is Kind.ENTRY and source.target is not None:
            entries.setdefault(source.phase, {})[source.target] = position
        elif source.kind in _BEGINNINGS and drawn.level is not Level.OVERVIEW:
            first[source.phase] = position
    return {
        _entry(graph, phase): _Beginning(entries.get(phase, {}), position)
        for phase, position in first.items()
    }


def _goes_on(graph: Graph, before: Way | None, node: int) -> bool:
    """Whether a game came to a node on a way of its own phase, not because the phase began."""
    if before is None:
        return False
    last = graph.nodes[before.node]
    return before.position < len(last.next) and last.next[before.position] == node


def _leavings(drawn: Chart) -> Iterable[tuple[int, Way]]:
    """The ways on which a game leaves boxes, each with its arrow."""
    for position, edge in enumerate(drawn.edges):
        source = drawn.node(edge.source)
        inside = [way for way in edge.ways if way.node in source.nodes]
        beside = source.kind in _BEGINNINGS and drawn.level is not Level.OVERVIEW
        for way in inside or (() if beside else edge.ways[:1]):
            yield position, way


def _listed(numbers: list[int]) -> str:
    """Some numbers, the last of many."""
    if len(numbers) <= 4:
        return ", ".join(map(str, numbers))
    return f"{numbers[0]}, {numbers[1]} ... {numbers[-1]} ({len(numbers)} times)"


# ---- what cannot be


def impossible(drawn: Chart) -> Overlaid:
    """The arrows that are never gone in this configuration, and the boxes only these lead to."""
    onwards: dict[str, list[str]] = {}
    for edge in drawn.edges:
        if edge.kind is not EdgeKind.SHUT:
            onwards.setdefault(edge.source, []).append(edge.target)
    for node in drawn.nodes:
        if node.target is not None and node.kind is Kind.CALL:
            onwards.setdefault(node.id, []).append(f"{node.target}.start")
    begun = [node.id for node in drawn.nodes if node.kind in (Kind.TRIGGER, Kind.ENTRY)]
    waiting = [drawn.nodes[0].id, *begun]
    come: set[str] = set()
    while waiting:
        id_ = waiting.pop()
        if id_ not in come:
            come.add(id_)
            waiting += onwards.get(id_, [])
    shut = Mark(Tone.SHUT, "x")
    boxes = {node.id: shut for node in drawn.nodes if node.id not in come}
    arrows = {
        at: shut
        for at, edge in enumerate(drawn.edges)
        if edge.kind is EdgeKind.SHUT or edge.source in boxes
    }
    return Overlaid(drawn, Overlay("What is impossible here", boxes, arrows, ((shut, "never"),)))


# ---- two graphs


def difference(old: tuple[Graph, Chart], new: tuple[Graph, Chart], title: str) -> Overlaid:
    """The new chart with what the old one had, and what is not the same in both.

    Boxes are the same by their ids, arrows by where they begin and what they say.  A box is changed
    if it says, cites or does something else; an arrow is rerouted if it leads elsewhere.
    """
    (old_graph, old_chart), (new_graph, new_chart) = old, new
    before = {node.id: node for node in old_chart.nodes}
    after = {node.id: node for node in new_chart.nodes}
    boxes: dict[str, Mark] = {}
    for id_, node in after.items():
        if id_ not in before:
            boxes[id_] = Mark(Tone.ADDED, "+")
        elif _says(old_graph, before[id_]) != _says(new_graph, node):
            boxes[id_] = Mark(Tone.CHANGED, "~")
    gone = [node for id_, node in before.items() if id_ not in after]
    boxes.update((node.id, Mark(Tone.REMOVED, "-")) for node in gone)
    edges, arrows = _rewired(old_chart, new_chart)
    frames = {frame.id for frame in new_chart.clusters}
    extra = tuple(frame for frame in old_chart.clusters if frame.id not in frames)
    union = evolve(
        new_chart,
        nodes=(*new_chart.nodes, *gone),
        edges=edges,
        clusters=(*new_chart.clusters, *extra),
    )
    return Overlaid(union, Overlay(title, boxes, arrows, _DIFFERENCES))


_DIFFERENCES: Final = (
    (Mark(Tone.ADDED, "+"), "added"),
    (Mark(Tone.REMOVED, "-"), "removed"),
    (Mark(Tone.CHANGED, "~"), "changed"),
    (Mark(Tone.REROUTED, ">"), "leads elsewhere"),
)


def _says(graph: Graph, node: ChartNode) -> tuple[object, ...]:
    """What makes a box what it is: its words, and the steps inside."""
    steps = tuple(step_text(graph.nodes[id_].step, graph) for id_ in node.nodes)
    return node.kind, node.label, node.sub, node.actor, node.clauses, node.hidden, steps


def _rewired(old: Chart, new: Chart) -> tuple[tuple[ChartEdge, ...], dict[int, Mark]]:
    """The arrows of both, the new ones first, with the marks of those that are not in both."""
    old_ends = {(edge.source, edge.label, edge.target) for edge in old.edges}
    old_beginnings = {(edge.source, edge.label) for edge in old.edges}
    new_ends = {(edge.source, edge.label, edge.target) for edge in new.edges}
    marks: dict[int, Mark] = {}
    for position, edge in enumerate(new.edges):
        if (edge.source, edge.label, edge.target) not in old_ends:
            known = (edge.source, edge.label) in old_beginnings
            marks[position] = Mark(Tone.REROUTED, ">") if known else Mark(Tone.ADDED, "+")
    edges = list(new.edges)
    for edge in old.edges:
        if (edge.source, edge.label, edge.target) not in new_ends:
            marks[len(edges)] = Mark(Tone.REMOVED, "-")
            edges.append(evolve(edge, ways=()))
    return tuple(edges), marks


# ---- what is asked for


def selection(drawn: Chart, clauses: Iterable[str], title: str) -> Overlaid:
    """The boxes and arrows that cite one of some clauses or rulings; the rest steps back.

    `KL-4` means also those below it: `KL-4.1`.
    """
    asked = tuple(clauses)
    boxes = {node.id: _asked(node.clauses, asked) for node in drawn.nodes}
    arrows = {at: _asked(edge.clauses, asked) for at, edge in enumerate(drawn.edges)}
    legend = (
        (Mark(Tone.CHOSEN, ""), f"cites {', '.join(asked)}"),
        (Mark(Tone.ASIDE, ""), "does not"),
    )
    return Overlaid(drawn, Overlay(title, boxes, arrows, legend))


def _asked(cited: tuple[str, ...], asked: tuple[str, ...]) -> Mark:
    found = [
        clause
        for clause in cited
        if any(clause == one or clause.startswith(f"{one}.") for one in asked)
    ]
    return Mark(Tone.CHOSEN, "") if found else Mark(Tone.ASIDE, "")
