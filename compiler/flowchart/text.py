"""A chart as indented text, for terminals and for those who do not see pictures.

Boxes are numbered within their phase; an arrow to the box below is not written unless it says
something.
"""

from collections.abc import Iterator

from attrs import evolve

from compiler.flowchart.model import Chart, ChartEdge, ChartNode, Cluster, Kind
from compiler.flowchart.overlay import Mark, Overlay, Tone

_WORDS = {
    Kind.START: "begin",
    Kind.TRIGGER: "begin",
    Kind.STEP: "step",
    Kind.QUESTION: "test",
    Kind.DECISION: "decide",
    Kind.JOINT: "sealed",
    Kind.WINDOW: "answer",
    Kind.CHANCE: "chance",
    Kind.CALL: "do",
    Kind.EXIT: "go on",
    Kind.ENTRY: "from",
    Kind.RETURN: "back",
    Kind.END: "end",
}
_WORD = max(map(len, _WORDS.values()))


def text(chart: Chart, overlay: Overlay | None = None) -> str:
    """The whole chart, phase by phase; badges of an overlay stand in braces."""
    return "".join(
        f"{line}\n" for line in _lines(chart if overlay is None else _badged(chart, overlay))
    )


def _badged(chart: Chart, overlay: Overlay) -> Chart:
    """The chart with badges as words, and what they mean in its notes."""
    nodes = tuple(
        evolve(node, label=_with_badge(node.label, overlay.boxes.get(node.id)))
        for node in chart.nodes
    )
    edges = tuple(
        evolve(edge, label=_with_badge(edge.label, overlay.arrows.get(position)))
        for position, edge in enumerate(chart.edges)
    )
    meant = [f"{{{mark.badge}}} {words}" for mark, words in overlay.legend if mark.badge]
    note = "; ".join([overlay.title, *meant])
    return evolve(chart, nodes=nodes, edges=edges, notes=(*chart.notes, note))


def _with_badge(label: str, mark: Mark | None) -> str:
    if mark is None or mark.tone is Tone.ASIDE:
        return label
    badge = mark.badge or ("*" if mark.tone in (Tone.CHOSEN, Tone.PASSED) else "")
    return f"{{{badge}}} {label}".strip() if badge else label


def _lines(chart: Chart) -> Iterator[str]:
    yield f"{chart.title}: {chart.subtitle}"
    yield from (f"  {note}" for note in chart.notes)
    if not chart.clusters:
        yield from _phases(chart)
        return
    numbers = _numbers(chart)
    for cluster in chart.clusters:
        if cluster.parent is None:
            yield ""
            yield _headed(cluster)
            came = [node for node in chart.nodes if node.kind is Kind.ENTRY]
            yield from (f"  from {_words(node)}" for node in came)
            yield from _procedure(chart, cluster, numbers)
    yield from _meanings(chart)


def _meanings(chart: Chart) -> Iterator[str]:
    if chart.meanings:
        yield ""
        yield "Words"
    for meaning in chart.meanings:
        yield f"  {meaning.word}{'' if meaning.word.endswith('?') else ':'} {meaning.means}"


def _phases(chart: Chart) -> Iterator[str]:
    """A chart without frames: each box, and below it where it leads."""
    labels = {node.id: node.label for node in chart.nodes}
    for node in chart.nodes:
        edges = [edge for edge in chart.edges if edge.source == node.id]
        if edges or node.kind in (Kind.START, Kind.TRIGGER):
            yield ""
            yield _words(node)
        for edge in edges:
            said = "; ".join(edge.label.splitlines())
            given = _given(edge)
            yield f"    {said} -> {labels[edge.target]}{given}".replace("     ->", "    ->")


def _headed(cluster: Cluster) -> str:
    note = f"  ({cluster.note})" if cluster.note else ""
    return f"{cluster.title}{_cited(cluster.clauses)}{note}"


def _numbers(chart: Chart) -> dict[str, str]:
    """How each box is named in the text: a number in its phase, exits and beginnings by name.

    Of one phase with others inside, all are numbered in one row.
    """
    counts: dict[str, int] = {}
    titles = {cluster.id: cluster.title for cluster in chart.clusters}
    found: dict[str, str] = {}
    for node in chart.nodes:
        page = chart.phase or node.phase  # with what is run inside it
        if node.kind in (Kind.EXIT, Kind.ENTRY):
            found[node.id] = node.label
        elif node.kind in (Kind.START, Kind.TRIGGER):
            found[node.id] = titles[node.phase]
        else:
            counts[page] = counts.get(page, 0) + 1
            found[node.id] = str(counts[page])
    return found


def _procedure(chart: Chart, cluster: Cluster, numbers: dict[str, str]) -> Iterator[str]:
    """The boxes of a phase, those of named steps, and of phases inside, deeper than the rest."""
    parents = {frame.id: frame for frame in chart.clusters}
    nodes = [
        node
        for node in chart.nodes
        if node.kind not in (Kind.EXIT, Kind.ENTRY) and cluster.id in (node.phase, chart.phase)
    ]
    opened: list[str] = []
    for position, node in enumerate(nodes):
        chain = _chain(parents, node.cluster)
        for depth, frame in enumerate(chain):
            if frame not in opened:
                yield f"{'  ' * (depth + 1)}{_headed(parents[frame])}"
        opened = chain
        below = nodes[position + 1].id if position + 1 < len(nodes) else ""
        edges = [edge for edge in chart.edges if edge.source == node.id]
        indent = "  " * (len(chain) + 1)
        yield from _box(node, edges, below, numbers, indent)


def _chain(parents: dict[str, Cluster], cluster: str) -> list[str]:
    """The named steps around a box, outer ones first."""
    chain: list[str] = []
    while (parent := parents[cluster].parent) is not None:
        chain.insert(0, cluster)
        cluster = parent
    return chain


def _box(
    node: ChartNode, edges: list[ChartEdge], below: str, numbers: dict[str, str], indent: str
) -> Iterator[str]:
    said = [edge for edge in edges if edge.label or edge.sub]
    plain = [edge for edge in edges if edge not in said]
    onwards = [edge for edge in plain if edge.target != below]
    arrow = f" -> {numbers[onwards[0].target]}" if onwards else ""
    if node.kind is Kind.START:
        if arrow:
            yield f"{indent}     begin{arrow}"
    elif node.kind is Kind.TRIGGER:
        yield f"{indent}     {node.sub}{arrow}"
    else:
        word = f"{_WORDS[node.kind]:<{_WORD}}"
        yield f"{indent}{numbers[node.id]:>3}  {word}  {_words(node)}{arrow}".rstrip()
    for edge in said:
        arrow = f"{edge.label}{_cited(edge.clauses)} -> {numbers[edge.target]}{_given(edge)}"
        yield f"{indent}       {arrow.lstrip()}"


def _given(edge: ChartEdge) -> str:
    """What an arrow says below its label."""
    return f" [{'; '.join(edge.sub.splitlines())}]" if edge.sub else ""


def _words(node: ChartNode) -> str:
    """What a box says, on one line."""
    actor = f"{node.actor}: " if node.actor else ""
    sub = f" [{'; '.join(node.sub.splitlines())}]" if node.sub else ""
    hidden = "  hidden" if node.hidden else ""
    label = "; ".join(node.label.splitlines()).replace(":; ", ": ")
    return f"{actor}{label}{sub}{_cited(node.clauses)}{hidden}"


def _cited(clauses: tuple[str, ...]) -> str:
    return f"  @{' @'.join(clauses)}" if clauses else ""
