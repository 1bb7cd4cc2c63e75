"""A chart as data for JSON: boxes, arrows and frames by their ids."""

from pathlib import PurePosixPath
from typing import TypedDict

from compiler.flowchart.model import Chart, ChartEdge, ChartNode, Cluster
from compiler.flowchart.overlay import Mark, Overlay
from compiler.source import Span


class NodeEntry(TypedDict):
    """A box."""

    id: str
    phase: str
    kind: str
    label: str
    actor: str | None
    sub: str | None
    clauses: list[str]
    span: "SpanEntry | None"
    hidden: bool
    target: str | None
    cluster: str
    nodes: list[int]
    mark: "MarkEntry | None"


EdgeEntry = TypedDict(
    "EdgeEntry",
    {
        "from": str,
        "to": str,
        "kind": str,
        "label": str,
        "sub": str | None,
        "clauses": list[str],
        "ways": "list[WayEntry]",
        "mark": "MarkEntry | None",
    },
)


class MarkEntry(TypedDict):
    """What an overlay says of a box or arrow; `heat` is a step of its scale."""

    tone: str
    badge: str
    heat: int


class WayEntry(TypedDict):
    """One way on from a graph node."""

    node: int
    position: int


class SpanEntry(TypedDict):
    """A stretch of a file; lines and columns count from 1, the end is after the last character.

    The file has its own name only, so that a chart is the same on every machine.
    """

    file: str
    line: int
    column: int
    end: "PlaceEntry"


class PlaceEntry(TypedDict):
    """A place in a file."""

    line: int
    column: int


class ClusterEntry(TypedDict):
    """A frame around boxes."""

    id: str
    title: str
    parent: str | None
    clauses: list[str]
    span: SpanEntry | None
    note: str | None


class MeaningEntry(TypedDict):
    """What a word or question means."""

    word: str
    means: str
    clauses: list[str]


class ChartEntry(TypedDict):
    """A chart: boxes, arrows, frames."""

    title: str
    subtitle: str
    level: str
    phase: str | None
    overlay: str | None
    nodes: list[NodeEntry]
    edges: list[EdgeEntry]
    clusters: list[ClusterEntry]
    notes: list[str]
    meanings: list[MeaningEntry]


class NamedChartEntry(ChartEntry):
    """The chart of a spec, with the name of that."""

    name: str


def entry(chart: Chart, overlay: Overlay | None = None) -> ChartEntry:
    """The whole chart with its overlay; what is empty is `null`."""
    boxes = {} if overlay is None else overlay.boxes
    arrows = {} if overlay is None else overlay.arrows
    return {
        "title": chart.title,
        "subtitle": chart.subtitle,
        "level": chart.level.value,
        "phase": chart.phase,
        "overlay": None if overlay is None else overlay.title,
        "nodes": [_node(node, boxes.get(node.id)) for node in chart.nodes],
        "edges": [_edge(edge, arrows.get(at)) for at, edge in enumerate(chart.edges)],
        "clusters": [_cluster(cluster) for cluster in chart.clusters],
        "notes": list(chart.notes),
        "meanings": [
            {"word": one.word, "means": one.means, "clauses": list(one.clauses)}
            for one in chart.meanings
        ],
    }


def _node(node: ChartNode, mark: Mark | None) -> NodeEntry:
    return {
        "id": node.id,
        "phase": node.phase,
        "kind": node.kind.value,
        "label": node.label,
        "actor": node.actor or None,
        "sub": node.sub or None,
        "clauses": list(node.clauses),
        "span": _span(node.span),
        "hidden": node.hidden,
        "target": node.target,
        "cluster": node.cluster,
        "nodes": list(node.nodes),
        "mark": _mark(mark),
    }


def _edge(edge: ChartEdge, mark: Mark | None) -> EdgeEntry:
    return {
        "from": edge.source,
        "to": edge.target,
        "kind": edge.kind.value,
        "label": edge.label,
        "sub": edge.sub or None,
        "clauses": list(edge.clauses),
        "ways": [{"node": way.node, "position": way.position} for way in edge.ways],
        "mark": _mark(mark),
    }


def _mark(mark: Mark | None) -> MarkEntry | None:
    if mark is None:
        return None
    return {"tone": mark.tone.value, "badge": mark.badge, "heat": mark.heat}


def _cluster(cluster: Cluster) -> ClusterEntry:
    return {
        "id": cluster.id,
        "title": cluster.title,
        "parent": cluster.parent,
        "clauses": list(cluster.clauses),
        "span": _span(cluster.span),
        "note": cluster.note or None,
    }


def _span(span: Span | None) -> SpanEntry | None:
    if span is None:
        return None
    return {
        "file": PurePosixPath(span.file.name.replace("\\", "/")).name,
        "line": span.first.line,
        "column": span.first.column,
        "end": {"line": span.beyond.line, "column": span.beyond.column},
    }
