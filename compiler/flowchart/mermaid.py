"""A chart as Mermaid text, which wikis and code hosts draw where they show Markdown.

Boxes are named `n1`, `n2`, ... in the chart's order, since Mermaid takes few letters in names; the
chart's own ids stand in comments.  Kinds have the shapes and colours of the other drawings.  Frames
say that they run downwards: Mermaid lays those that no arrow leaves on their sides.
"""

from collections.abc import Iterator
from typing import Final

from compiler.flowchart.looks import LOOKS
from compiler.flowchart.model import Chart, ChartEdge, ChartNode, Cluster, EdgeKind, Kind

_SHAPES: Final[dict[Kind, tuple[str, str]]] = {
    Kind.START: ("([", "])"),
    Kind.TRIGGER: ("[\\", "/]"),
    Kind.STEP: ("(", ")"),
    Kind.QUESTION: ("{", "}"),
    Kind.DECISION: ("[", "]"),
    Kind.JOINT: ("[[", "]]"),
    Kind.WINDOW: ("[/", "/]"),
    Kind.CHANCE: ("{{", "}}"),
    Kind.CALL: ("[[", "]]"),
    Kind.EXIT: (">", "]"),
    Kind.ENTRY: (">", "]"),
    Kind.RETURN: ("((", "))"),
    Kind.END: ("[[", "]]"),
}

_ARROWS: Final = {
    EdgeKind.FLOW: "-->",
    EdgeKind.ANSWER: "-->",
    EdgeKind.OPTION: "==>",
    EdgeKind.SHUT: "-.->",
}

_SPECIAL: Final = frozenset('"&<>#;`\\{}[]()|')


def text(chart: Chart) -> str:
    """The whole chart, phases as subgraphs."""
    return "".join(f"{line}\n" for line in _lines(chart))


def _lines(chart: Chart) -> Iterator[str]:
    names = {node.id: f"n{number}" for number, node in enumerate(chart.nodes, 1)}
    yield "---"
    yield f"title: '{_title(chart)}'"
    yield "---"
    yield "flowchart TD"
    for node in chart.nodes:
        if not node.cluster or node.kind in (Kind.EXIT, Kind.ENTRY):
            yield from _box(node, names, "  ")
    for number, cluster in enumerate(chart.clusters, 1):
        if cluster.parent is None:
            yield from _frame(chart, cluster, number, names, "  ")
    for edge in chart.edges:
        yield _arrow(edge, names)
    for note in chart.notes:
        yield f"  %% {' '.join(note.split())}"
    yield from _classes(chart, names)


def _title(chart: Chart) -> str:
    return f"{chart.title}: {chart.subtitle}".replace("'", "''")


def _frame(
    chart: Chart, cluster: Cluster, number: int, names: dict[str, str], indent: str
) -> Iterator[str]:
    yield f'{indent}subgraph f{number}["{_words(cluster.title)}"]'
    yield f"{indent}  direction TB"
    for node in chart.nodes:
        if node.cluster == cluster.id and node.kind not in (Kind.EXIT, Kind.ENTRY):
            yield from _box(node, names, f"{indent}  ")
    for inner, other in enumerate(chart.clusters, 1):
        if other.parent == cluster.id:
            yield from _frame(chart, other, inner, names, f"{indent}  ")
    yield f"{indent}end"


def _box(node: ChartNode, names: dict[str, str], indent: str) -> Iterator[str]:
    opened, closed = _SHAPES[node.kind]
    lines = [*node.label.splitlines(), *node.sub.splitlines()]
    if node.actor:
        lines[0] = f"{node.actor}: {lines[0]}"
    if node.clauses:
        lines.append(" ".join(node.clauses))
    said = "<br>".join(map(_words, lines)) or "back"
    yield f"{indent}%% {node.id}"
    yield f'{indent}{names[node.id]}{opened}"{said}"{closed}'


def _arrow(edge: ChartEdge, names: dict[str, str]) -> str:
    lines = [*edge.label.splitlines(), *edge.sub.splitlines()]
    said = "<br>".join(map(_words, lines))
    label = f'|"{said}"|' if said else ""
    return f"  {names[edge.source]} {_ARROWS[edge.kind]}{label} {names[edge.target]}"


def _words(text_: str) -> str:
    """Text as Mermaid takes it between quotes: what it would read as its own is a number code."""
    return "".join(f"#{ord(letter)};" if letter in _SPECIAL else letter for letter in text_)


def _classes(chart: Chart, names: dict[str, str]) -> Iterator[str]:
    for kind in Kind:
        members = [names[node.id] for node in chart.nodes if node.kind is kind]
        if members:
            look = LOOKS[kind]
            yield f"  classDef {kind.value}_ fill:{look.fill},stroke:{look.line},color:{look.ink}"
            yield f"  class {','.join(members)} {kind.value}_"
    hidden = [names[node.id] for node in chart.nodes if node.hidden]
    if hidden:
        yield "  classDef hidden_ stroke-dasharray:4 3"
        yield f"  class {','.join(hidden)} hidden_"
