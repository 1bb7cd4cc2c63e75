"""A chart as data for JSON: boxes, arrows and frames by their ids."""

from typing import TypedDict

from compiler.flowchart.model import Chart, ChartEdge, ChartNode, Cluster
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
    },
)


class WayEntry(TypedDict):
    """One way on from a graph node."""

    node: int
    position: int


class SpanEntry(TypedDict):
    """A stretch of a file; lines and columns count from 1, the end is after the last character."""

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


class ChartEntry(TypedDict):
    """A chart: what `flow` writes for each spec, next to its name."""

    title: str
    subtitle: str
    nodes: list[NodeEntry]
    edges: list[EdgeEntry]
    clusters: list[ClusterEntry]
    notes: list[str]


def entry(chart: Chart) -> ChartEntry:
    """The whole chart; what is empty is `null`."""
    return {
        "title": chart.title,
        "subtitle": chart.subtitle,
        "nodes": [_node(node) for node in chart.nodes],
        "edges": [_edge(edge) for edge in chart.edges],
        "clusters": [_cluster(cluster) for cluster in chart.clusters],
        "notes": list(chart.notes),
    }


def _node(node: ChartNode) -> NodeEntry:
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
    }


def _edge(edge: ChartEdge) -> EdgeEntry:
    return {
        "from": edge.source,
        "to": edge.target,
        "kind": edge.kind.value,
        "label": edge.label,
        "sub": edge.sub or None,
        "clauses": list(edge.clauses),
        "ways": [{"node": way.node, "position": way.position} for way in edge.ways],
    }


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
        "file": span.file.name,
        "line": span.first.line,
        "column": span.first.column,
        "end": {"line": span.beyond.line, "column": span.beyond.column},
    }
