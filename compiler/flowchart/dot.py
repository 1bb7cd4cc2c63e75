"""A chart as DOT text: the only place that knows Graphviz's language.

All text comes in through `entities`: ASCII, Latin-1 at most, since renderers disagree on
everything else.  What kinds of boxes look like is in `looks`.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

import graphviz
from attrs import frozen

from compiler.flowchart import tones
from compiler.flowchart.entities import GAP, entities, small
from compiler.flowchart.extent import columns_of_words, lies
from compiler.flowchart.legend import Sample, meanings_table, overlay_table, rows, samples, titled
from compiler.flowchart.lettering import cited_on, own_letters, wrapped
from compiler.flowchart.looks import EDGE_INK, FAINT, INK, LINE, LOOKS, PALE, PAPER, STUB, Look
from compiler.flowchart.model import (
    Chart,
    ChartEdge,
    ChartNode,
    Cluster,
    EdgeKind,
    Kind,
    Level,
)
from compiler.flowchart.overlay import Mark, Overlay
from compiler.flowchart.rungs import FANNED, RUNGS, Ladder, Rung
from compiler.flowchart.spine import (
    below,
    columns,
    goes_back,
    highest,
    is_menu,
    lowest,
    returning,
    spine,
)
from compiler.graph.core import Clauses
from compiler.graph.sentences import capital
from compiler.source import Span

BACK: Final = ".back"
"""What the name of a written arrow back ends with."""

_BLANK: Final = (
    '<<table border="0" cellspacing="0" cellpadding="0" width="60" height="4" fixedsize="true">'
    "<tr><td></td></tr></table>>"
)

_RING: Final = {"label": "", "width": "0.16", "fixedsize": "true"}
_FRAME_LETTERS = 18  # of a frame's title in a row


def place_in_file(span: Span) -> str:
    """The address of a place in a spec: the file's own name and the line."""
    return f"{span.file.name.rsplit('/', 1)[-1]}#L{span.first.line}"


@frozen
class Links:
    """What boxes point to: the texts of clauses by id, and the address of a place in a file.

    `page` is the address of a page by its name or phase, `None` if there is none: connectors and
    calls lead there.
    """

    clauses: Mapping[str, str]
    address: Callable[[Span], str] = place_in_file
    page: Callable[[str], str | None] | None = None


NO_LINKS = Links({})


def draw(
    chart: Chart,
    links: Links = NO_LINKS,
    *,
    legend: bool = True,
    titled: bool = True,
    rung: int = 0,
    overlay: Overlay | None = None,
) -> str:
    """The chart as DOT text, with the settings of one of the `RUNGS`.

    Without a title the page around it says what is drawn, and what the looks mean.
    """
    return _Drawing(chart, links, overlay, RUNGS[rung], titled=titled).text(legend)


def ladder(
    chart: Chart,
    links: Links = NO_LINKS,
    *,
    legend: bool = True,
    titled: bool = True,
    overlay: Overlay | None = None,
) -> Ladder:
    """The chart as DOT text for each of the `RUNGS`, for a renderer to try in turn."""

    def text(rung: int) -> str:
        return draw(chart, links, legend=legend, titled=titled, rung=rung, overlay=overlay)

    upright_menu = is_menu(chart) and not lies(chart)
    return Ladder(text, FANNED if upright_menu else range(len(RUNGS)))


class _Drawing:
    """One DOT text in the making."""

    def __init__(
        self, chart: Chart, links: Links, overlay: Overlay | None, rung: Rung, *, titled: bool
    ) -> None:
        self._chart = chart
        self._titled = titled
        self._links = links
        self._overlay = overlay
        self._prefix = own_letters(links.clauses or cited_on(chart))
        self._spine = spine(chart)
        self._lies = lies(chart)
        self._upside_down = self._lies and not goes_back(chart)
        self._rung = rung
        self._written = returning(chart, rung.written)
        self._ids = chart.edge_ids()

    def text(self, legend: bool) -> str:
        """The whole text; boxes and arrows in the chart's order."""
        chart = self._chart
        drawing = graphviz.Digraph(
            "chart",
            graph_attr=self._graph_attributes() | self._rung.settings,
            node_attr={"fontname": "Arial", "fontsize": "11", "penwidth": "1"},
            edge_attr={"fontname": "Arial", "fontsize": "10", "arrowsize": "0.7"},
        )
        if legend and self._titled:
            self._legend(drawing)
        for cluster in self._chart.clusters:
            if cluster.parent is None:
                drawing.subgraph(self._cluster(cluster))
        for node in self._chart.nodes:
            if _is_outside(node):
                self._node(drawing, node)
        for position in range(len(chart.edges)):
            self._edge(drawing, position)
        for above, under in columns(self._chart):
            drawing.edge(_plain(above), _plain(under), style="invis", minlen="2", weight="0")
        for above, under in below(chart):
            drawing.edge(_plain(above), _plain(under), style="invis", weight="0", minlen="2")
        self._foot(drawing)
        return str(drawing.source)

    def _meanings(self) -> str:
        """What the words mean, as an HTML-like table."""
        columns = columns_of_words(self._chart)
        return meanings_table(self._chart.meanings, columns, self._cited) if self._titled else ""

    def _foot(self, drawing: graphviz.Digraph) -> None:
        """What the words mean, below all that is drawn."""
        table = self._meanings()
        if table and not self._lies:
            drawing.node("meanings", label=f"<{table}>", shape="plain")
            for id_ in lowest(self._chart):
                drawing.edge(_plain(id_), "meanings", style="invis", weight="0")

    def _legend(self, drawing: graphviz.Digraph) -> None:
        """Which box means what, in rows above all that is drawn, or on its left if it lies."""
        ends = (self._chart.node(self._chart.edges[at].target) for at in self._written)
        found = samples(self._chart, any(end.kind is not Kind.RETURN for end in ends))
        groups = [found] if self._lies else list(rows(found))
        for group in groups:
            row = graphviz.Digraph()
            row.attr(rank="same")
            for sample in group:
                row.node(sample.name, **self._sample(sample))
            for one, other in pairwise(group):
                row.edge(one.name, other.name, style="invis", weight="0", minlen="0")
            drawing.subgraph(row)
        for above, under in pairwise(groups):
            for one, other in zip(above, under, strict=False):
                drawing.edge(one.name, other.name, style="invis")
        first, *others = map(_plain, highest(self._chart))
        for sample in groups[-1] if groups else ():
            drawing.edge(sample.name, first, style="invis")
            for id_ in others:
                drawing.edge(sample.name, id_, style="invis", weight="0")

    def _sample(self, sample: Sample) -> dict[str, str]:
        shape = _shape(sample.look, hidden=False) | sample.attributes
        return shape | {"label": f"<{sample.label}>", "id": sample.name, "tooltip": sample.words}

    def _graph_attributes(self) -> dict[str, str]:
        title = titled(self._chart.title, small(self._chart.subtitle, 10))
        notes = [small(line) for note in self._chart.notes for line in wrapped(note, 70)]
        laid = "" if self._overlay is None else overlay_table(self._overlay)
        words = self._meanings() if self._lies else ""  # below, it would stand on the right
        parts = (title, *notes, laid, words)
        told = "".join(f"<tr><td>{part}</td></tr>" for part in parts if part)
        label = f'<<table border="0" cellspacing="2">{told}</table>>' if self._titled else ""
        return {
            "rankdir": "LR" if self._lies else "TB",
            "charset": "UTF-8",
            "bgcolor": PAPER,
            "fontname": "Arial",
            "fontcolor": INK,
            "fontsize": "13",
            "labelloc": "t",
            "nodesep": "0.5",
            "mclimit": "6",  # takes its time for arrows that do not cross
            "ranksep": "0.38",
            "pad": "0.3",
            "label": label,
        }

    # ---- frames

    def _cluster(self, cluster: Cluster) -> graphviz.Digraph:
        inner, run = not cluster.is_phase, cluster.parent is not None
        inside = [node for node in self._chart.nodes if node.cluster == cluster.id]
        beside = inner and not self._lies and self._begins(cluster, inside)
        title = titled(cluster.title, small(self._cited(cluster.clauses)))
        frame = graphviz.Digraph(f"cluster_{_name(cluster.id)}")
        frame.attr(
            label=f"<{title}>" if inner and not beside else "",
            labeljust="l",
            style="rounded,dotted" if run else "rounded,filled",
            color=LINE if run else "#d1d5db",
            fillcolor="#fbfbfc",
            fontsize="10",
            margin="10" if run else self._rung.margin,
            **self._pointers(cluster.span, cluster.clauses, cluster.id),
        )
        if beside:
            frame.subgraph(self._frame_title(cluster, inside[0]))
        if self._upside_down:  # from left to right, what is written first stands lowest
            inside[1:] = inside[:0:-1]
        for node in inside:
            if not _is_outside(node):
                self._node(frame, node)
        for other in self._chart.clusters:
            if other.parent == cluster.id:
                frame.subgraph(self._cluster(other))
        return frame

    def _begins(self, cluster: Cluster, inside: list[ChartNode]) -> bool:
        """Whether the first box inside a frame is in no frame further inside."""
        around = {frame.id: frame.parent for frame in self._chart.clusters}
        for node in self._chart.nodes:
            frame: str | None = node.cluster
            while frame and frame != cluster.id:
                frame = around.get(frame)
            if frame:
                return node in inside[:1]
        return False

    def _frame_title(self, cluster: Cluster, first: ChartNode) -> graphviz.Digraph:
        """A frame's title, left of its first box: above, arrows that come in would cross it."""
        lines = [f"<b>{entities(line)}</b>" for line in wrapped(cluster.title, _FRAME_LETTERS)]
        lines += [small(line) for line in self._cited_lines(cluster.clauses, _FRAME_LETTERS)]
        label = "".join(f"{line}<br align='left'/>" for line in lines)
        row, name = graphviz.Digraph(), _plain(f"{cluster.id}.title")
        row.attr(rank="same")
        row.node(name, label=f"<{label}>", shape="plain", fontsize="10", fontcolor=INK)
        row.edge(name, _plain(first.id), style="invis")
        return row

    # ---- boxes

    def _node(self, drawing: graphviz.Digraph, node: ChartNode) -> None:
        look = LOOKS[node.kind]
        mark = None if self._overlay is None else self._overlay.boxes.get(node.id)
        attributes = _shape(look, node.hidden) | self._pointers(node.span, node.clauses, node.id)
        if node.target is not None and self._links.page is not None:
            there = self._links.page(node.target)
            attributes |= {} if there is None else {"URL": _plain(there)}
        if mark is not None:
            attributes |= tones.box(mark, attributes["style"])
        if node.kind is Kind.RETURN and not node.label:
            attributes |= _RING
        else:
            attributes["label"] = f"<{self._label(node, look, mark)}>"
        drawing.node(_plain(node.id), **attributes)
        for position, edge in enumerate(self._chart.edges):
            if edge.source == node.id and position in self._written:
                self._stub(drawing, position)

    def _stub(self, drawing: graphviz.Digraph, position: int) -> None:
        """The box in which an arrow back ends that is not drawn: it names where it leads."""
        target = self._chart.node(self._chart.edges[position].target)
        if target.kind is Kind.RETURN:
            ring = _shape(LOOKS[Kind.RETURN], hidden=False) | _RING
            drawing.node(_plain(self._back(position)), id=_plain(self._back(position)), **ring)
            return
        said = f"\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK} {' '.join(target.label.split())}"
        lines = [small(line, 10, INK) for line in wrapped(said, STUB.letters)]
        drawing.node(
            _plain(self._back(position)),
            label=f"<{'<br/>'.join(lines)}>",
            height="0.3",
            id=_plain(self._back(position)),
            tooltip=_plain(f"back to {target.label}"),
            **_shape(STUB, hidden=False),
        )

    def _back(self, position: int) -> str:
        return f"{self._ids[position]}{BACK}"

    def _label(self, node: ChartNode, look: Look, mark: Mark | None) -> str:
        lines = [entities(line) for line in wrapped(node.label, look.letters)]
        if node.actor:
            lines = _with_actor(node, look)
        if node.kind in (Kind.START, Kind.TRIGGER):
            lines = [f"<b>{line}</b>" for line in lines]
        if node.kind is Kind.CALL:
            lines[-1] += " &#187;"
        faint = FAINT if look.ink == INK else PALE
        if mark is not None and tones.ground_of(mark) is not None:
            faint = tones.ink_of(mark)
        if mark is not None and mark.badge:
            lines.insert(0, f"<b>{entities(mark.badge)}</b>")
        wide = look.letters + look.letters // 4
        below = [*wrapped(node.sub, wide), *self._cited_lines(node.clauses, wide)]
        told = [small(line, colour=faint) for line in below]
        return "<br/>".join([*lines, *([GAP] if told else []), *told])

    def _pointers(self, span: Span | None, clauses: Clauses, id_: str) -> dict[str, str]:
        """Id, tooltip and link of a box or frame."""
        told = [
            f"{clause}: {self._links.clauses.get(clause, '')}".rstrip(": ") for clause in clauses
        ]
        pointers = {"id": _plain(id_), "tooltip": "\\n".join(map(_plain, told)) or _plain(id_)}
        if span is not None:
            pointers["URL"] = _plain(self._links.address(span))
        return pointers

    # ---- clauses

    def _cited(self, clauses: Clauses) -> str:
        return " ".join(clause.removeprefix(self._prefix) for clause in clauses)

    def _cited_lines(self, clauses: Clauses, letters: int) -> list[str]:
        """Ids without the game's own letters, more apart than words."""
        return [line.replace(" ", "  ") for line in wrapped(self._cited(clauses), letters)]

    # ---- arrows

    def _edge(self, drawing: graphviz.Digraph, position: int) -> None:
        edge, id_ = self._chart.edges[position], self._ids[position]
        mark = None if self._overlay is None else self._overlay.arrows.get(position)
        ink = EDGE_INK[edge.kind]
        attributes = {"id": _plain(id_), "color": ink}
        if edge.kind is EdgeKind.OPTION:
            attributes["weight"] = "3"
        if edge.kind is EdgeKind.SHUT:
            attributes["style"] = "dotted"
        attributes |= self._ports(edge, position)
        label = self._edge_label(edge)
        if mark is not None and mark.badge:
            label = f"<b>&#160;{entities(mark.badge)}&#160;</b>{'<br/>' if label else ''}{label}"
        attributes |= {"fontcolor": FAINT if ink == LINE else ink} if label else {}
        if mark is not None:
            attributes |= tones.arrow(mark)
        if label:
            attributes["label"] = f"<{label}>"
            told = self._pointers(None, edge.clauses, edge.label)["tooltip"]
            attributes |= {"edgetooltip": told, "labeltooltip": told}
        ends = self._back(position) if position in self._written else edge.target
        drawing.edge(_plain(edge.source), _plain(ends), **attributes)

    def _ports(self, edge: ChartEdge, position: int) -> dict[str, str]:
        """Where an arrow begins and ends, and how straight it is."""
        if position in self._written:
            return {}
        if (edge.source, edge.target) in self._spine:
            return {"weight": "20"} | ({} if edge.label else self._room(edge))
        if (edge.target, edge.source) in self._spine:
            side = self._side(edge.target)
            return {"tailport": side, "headport": self._corner(side)}
        if edge.source == edge.target and self._chart.level is Level.OVERVIEW:
            return {"tailport": "e", "headport": self._corner("e")}
        ends = self._chart.node(edge.target).kind in (Kind.EXIT, Kind.RETURN, Kind.END)
        if self._rung.aside and ends and edge.kind is EdgeKind.ANSWER and not self._lies:
            return {"tailport": "w"}
        return {}

    def _room(self, edge: ChartEdge) -> dict[str, str]:
        """What keeps an arrow back, with its words, off the one there."""
        back = any(
            other.label and (other.target, other.source) == (edge.source, edge.target)
            for other in self._chart.edges
        )
        return {"label": _BLANK} if back and not self._lies else {}

    def _side(self, id_: str) -> str:
        """Where an arrow comes back to a box, so that it does not cover the one there."""
        if self._lies:
            return "s"
        return "w" if sum(edge.source == id_ for edge in self._chart.edges) > 1 else "e"

    def _corner(self, side: str) -> str:
        """Where it comes back to a box of an overview: above the arrows that leave on that side."""
        return f"n{side}" if self._chart.level is Level.OVERVIEW and side in "we" else side

    def _edge_label(self, edge: ChartEdge) -> str:
        lines = [entities(line) for line in wrapped(edge.label, 24)]
        if edge.kind is EdgeKind.OPTION:
            lines = [f"<i>{line}</i>" for line in lines]
        lines += [small(line) for line in wrapped(edge.sub, 28)]
        lines += [small(line) for line in self._cited_lines(edge.clauses, 24)]
        if self._lies and lines:
            lines.append(GAP)  # the arrow runs below
        return "<br/>".join(f"&#160;{line}&#160;" for line in lines)


def _is_outside(node: ChartNode) -> bool:
    """Whether a box stands beside the frame of its phase: where another one leads here.

    Where the phase is left the box is inside, since words on the arrow would lie on the frame.
    """
    return not node.cluster


# ---- shapes


def _shape(look: Look, hidden: bool) -> dict[str, str]:
    shape = {
        "shape": look.shape,
        "style": f"{look.style},dashed" if hidden else look.style,
        "fillcolor": look.fill,
        "color": look.line,
        "fontcolor": look.ink,
        "margin": look.margin,
    }
    if look.double:
        shape["peripheries"] = "2"
    return shape


def _with_actor(node: ChartNode, look: Look) -> list[str]:
    """The label with who decides in front of it, in bold."""
    actor = f"{capital(node.actor)}:"
    lines = wrapped(f"{actor} {node.label}", look.letters)
    if not lines[0].startswith(f"{actor} "):
        return [f"<b>{entities(actor)}</b>", *map(entities, wrapped(node.label, look.letters))]
    first = f"<b>{entities(actor)}</b> {entities(lines[0][len(actor) + 1 :])}"
    return [first, *map(entities, lines[1:])]


# ---- text


def _plain(text: str) -> str:
    """Any text as an attribute that is no label: nothing in it is an escape of Graphviz."""
    return str(graphviz.escape(entities(text)))


def _name(id_: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in id_)
