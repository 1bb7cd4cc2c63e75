"""A chart as DOT text: the only place that knows Graphviz's language.

All text comes in through `_text`: ASCII with entities, Latin-1 at most, since renderers disagree
on everything else.  What kinds of boxes look like is in `looks`.
"""

import html
from collections.abc import Callable, Iterator, Mapping

import graphviz
from attrs import frozen

from compiler.flowchart import tones
from compiler.flowchart.extent import lies
from compiler.flowchart.lettering import cited_on, latin, own_letters, wrapped
from compiler.flowchart.looks import EDGE_INK, FAINT, INK, LEGEND, LINE, LOOKS, PAPER, Look
from compiler.flowchart.model import (
    Chart,
    ChartEdge,
    ChartNode,
    Cluster,
    EdgeKind,
    Kind,
    Level,
    Meaning,
)
from compiler.flowchart.overlay import Mark, Overlay
from compiler.flowchart.spine import columns, goes_back, lowest, spine
from compiler.graph.core import Clauses
from compiler.source import Span

_GAP = '<font point-size="3"> </font>'  # keeps small lines off the letters above

_LEGEND_WIDE = 5  # cells in a row

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

_MARGIN = "margin"  # of the frames of phases: a setting of theirs, not of the drawing's

RUNGS: tuple[dict[str, str], ...] = (
    {"newrank": "true"},
    {"newrank": "true", "mclimit": "20"},
    {"newrank": "true", "nodesep": "0.8"},
    {"newrank": "true", "ranksep": "0.5"},
    {"newrank": "true", "nodesep": "0.8", "ranksep": "0.65"},
    {"newrank": "true", "nodesep": "1"},
    {"newrank": "true", "nodesep": "0.7", _MARGIN: "56"},
    {"newrank": "true", "splines": "line"},
    {},
)
"""Settings by which Graphviz lays out, best first: more time and room for arrows that touch what
is not theirs, then what draws graphs on which the others fail."""


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
    return _Drawing(chart, links, overlay, titled=titled).text(legend, RUNGS[rung])


@frozen
class Ladder:
    """The texts of a chart for each of the `RUNGS`, written when a renderer comes to them."""

    _text: Callable[[int], str]

    def __iter__(self) -> Iterator[str]:
        return map(self._text, range(len(RUNGS)))

    def through(self, change: Callable[[str], str]) -> "Ladder":
        """The same texts, each changed."""
        return Ladder(lambda rung: change(self._text(rung)))


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

    return Ladder(text)


class _Drawing:
    """One DOT text in the making."""

    def __init__(
        self, chart: Chart, links: Links, overlay: Overlay | None, *, titled: bool
    ) -> None:
        self._chart = chart
        self._titled = titled
        self._links = links
        self._overlay = overlay
        self._prefix = own_letters(links.clauses or cited_on(chart))
        self._spine = spine(chart)
        self._lies = lies(chart)
        self._upside_down = self._lies and not goes_back(chart)
        self._margin = "14"

    def text(self, legend: bool, layout: dict[str, str]) -> str:
        """The whole text; boxes and arrows in the chart's order."""
        chart = self._chart
        self._margin = layout.get(_MARGIN, self._margin)
        whole = {name: value for name, value in layout.items() if name != _MARGIN}
        drawing = graphviz.Digraph(
            "chart",
            graph_attr=whole | self._graph_attributes(legend) | whole,
            node_attr={"fontname": "Arial", "fontsize": "11", "penwidth": "1"},
            edge_attr={"fontname": "Arial", "fontsize": "10", "arrowsize": "0.7"},
        )
        for cluster in self._chart.clusters:
            if cluster.parent is None:
                drawing.subgraph(self._cluster(cluster))
        for node in self._chart.nodes:
            if _is_outside(node):
                self._node(drawing, node)
        for position, (id_, edge) in enumerate(zip(chart.edge_ids(), chart.edges, strict=True)):
            mark = None if self._overlay is None else self._overlay.arrows.get(position)
            self._edge(drawing, edge, id_, mark)
        for above, below in columns(self._chart):
            drawing.edge(_plain(above), _plain(below), style="invis", minlen="2", weight="0")
        self._foot(drawing)
        return str(drawing.source)

    def _meanings(self) -> str:
        """What the words mean, as an HTML-like table."""
        if not self._chart.meanings or not self._titled:
            return ""
        rows = "".join(_meaning_row(meaning, self._cited) for meaning in self._chart.meanings)
        return f'<table border="0" cellspacing="0" cellpadding="2">{rows}</table>'

    def _foot(self, drawing: graphviz.Digraph) -> None:
        """What the words mean, below all that is drawn."""
        table = self._meanings()
        if table and not self._lies:
            drawing.node("meanings", label=f"<{table}>", shape="plain")
            for id_ in lowest(self._chart):
                drawing.edge(_plain(id_), "meanings", style="invis", weight="0")

    def _graph_attributes(self, legend: bool) -> dict[str, str]:
        title = f"<b>{_text(self._chart.title)}</b> &#160; {_small(self._chart.subtitle, 10)}"
        notes = [_small(line) for note in self._chart.notes for line in wrapped(note, 70)]
        kinds = {node.kind for node in self._chart.nodes}
        hides = any(node.hidden for node in self._chart.nodes)
        table = legend_table(kinds, hides) if legend else ""
        laid = "" if self._overlay is None else _overlay_table(self._overlay)
        words = self._meanings() if self._lies else ""  # below, it would stand on the right
        parts = (title, *notes, table, laid, words)
        rows = "".join(f"<tr><td>{row}</td></tr>" for row in parts if row)
        label = f'<<table border="0" cellspacing="2">{rows}</table>>' if self._titled else ""
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
        inner = cluster.parent is not None
        inside = [node for node in self._chart.nodes if node.cluster == cluster.id]
        beside = inner and not self._lies and self._begins(cluster, inside)
        title = f"<b>{_text(cluster.title)}</b> &#160; {_small(self._cited(cluster.clauses))}"
        frame = graphviz.Digraph(f"cluster_{_name(cluster.id)}")
        frame.attr(
            label=f"<{title}>" if inner and not beside else "",
            labeljust="l",
            style="rounded,dotted" if inner else "rounded,filled",
            color=LINE if inner else "#d1d5db",
            fillcolor="#fbfbfc",
            fontsize="10",
            margin="10" if inner else self._margin,
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
        within = f"{cluster.id}/"
        for node in self._chart.nodes:
            if node.cluster == cluster.id or node.cluster.startswith(within):
                return node in inside[:1]
        return False

    def _frame_title(self, cluster: Cluster, first: ChartNode) -> graphviz.Digraph:
        """A frame's title, left of its first box: above, arrows that come in would cross it."""
        lines = [f"<b>{_text(line)}</b>" for line in wrapped(cluster.title, _FRAME_LETTERS)]
        lines += [_small(line) for line in self._cited_lines(cluster.clauses, _FRAME_LETTERS)]
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
            attributes |= {"label": "", "width": "0.16", "fixedsize": "true"}
        else:
            attributes["label"] = f"<{self._label(node, look, mark)}>"
        drawing.node(_plain(node.id), **attributes)

    def _label(self, node: ChartNode, look: Look, mark: Mark | None) -> str:
        lines = [_text(line) for line in wrapped(node.label, look.letters)]
        if node.actor:
            lines = _with_actor(node, look)
        if node.kind in (Kind.START, Kind.TRIGGER):
            lines = [f"<b>{line}</b>" for line in lines]
        if node.kind is Kind.CALL:
            lines[-1] += " &#187;"
        ink = look.ink if mark is None or tones.ground_of(mark) is None else tones.ink_of(mark)
        faint = "#d1d5db" if ink == "#ffffff" else FAINT
        if mark is not None and mark.badge:
            lines.insert(0, f"<b>{_text(mark.badge)}</b>")
        wide = look.letters + look.letters // 4
        small = [_small(line, 9, faint) for line in wrapped(node.sub, wide)]
        small += [_small(line, 8, faint) for line in self._cited_lines(node.clauses, wide)]
        return "<br/>".join(lines + ([_GAP] if small else []) + small)

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

    def _edge(
        self, drawing: graphviz.Digraph, edge: ChartEdge, id_: str, mark: Mark | None
    ) -> None:
        ink = EDGE_INK[edge.kind]
        attributes = {"id": _plain(id_), "color": ink}
        if edge.kind is EdgeKind.OPTION:
            attributes["weight"] = "3"
        if edge.kind is EdgeKind.SHUT:
            attributes["style"] = "dotted"
        if (edge.source, edge.target) in self._spine:
            attributes["weight"] = "20"
        elif (edge.target, edge.source) in self._spine:
            side = self._side(edge.target)
            attributes |= {"tailport": side, "headport": self._corner(side)}
        elif edge.source == edge.target and self._chart.level is Level.OVERVIEW:
            attributes |= {"tailport": "e", "headport": self._corner("e")}
        label = self._edge_label(edge)
        if mark is not None and mark.badge:
            label = f"<b>&#160;{_text(mark.badge)}&#160;</b>{'<br/>' if label else ''}{label}"
        attributes |= {"fontcolor": ink} if label else {}
        if mark is not None:
            attributes |= tones.arrow(mark)
        if label:
            attributes["label"] = f"<{label}>"
            told = self._pointers(None, edge.clauses, edge.label)["tooltip"]
            attributes |= {"edgetooltip": told, "labeltooltip": told}
        drawing.edge(_plain(edge.source), _plain(edge.target), **attributes)

    def _side(self, id_: str) -> str:
        """Where an arrow comes back to a box, so that it does not cover the one there."""
        if self._lies:
            return "s"
        return "w" if sum(edge.source == id_ for edge in self._chart.edges) > 1 else "e"

    def _corner(self, side: str) -> str:
        """Where it comes back to a box of an overview: above the arrows that leave on that side."""
        return f"n{side}" if self._chart.level is Level.OVERVIEW and side in "we" else side

    def _edge_label(self, edge: ChartEdge) -> str:
        lines = [_text(line) for line in wrapped(edge.label, 24)]
        if edge.kind is EdgeKind.OPTION:
            lines = [f"<i>{line}</i>" for line in lines]
        lines += [_small(line, 9) for line in wrapped(edge.sub, 28)]
        lines += [_small(line, 8) for line in self._cited_lines(edge.clauses, 24)]
        if self._lies and lines:
            lines.append(_GAP)  # the arrow runs below
        return "<br/>".join(f"&#160;{line}&#160;" for line in lines)


def _is_outside(node: ChartNode) -> bool:
    """Whether a box stands beside the frame of its phase: where another one leads here.

    Where the phase is left the box is inside, since words on the arrow would lie on the frame.
    """
    return not node.cluster


# ---- shapes


def legend_table(kinds: set[Kind], hides: bool) -> str:
    """The kinds that occur, each in its colours, as an HTML-like table."""
    shown = [_legend_cell(LOOKS[kind], LEGEND[kind]) for kind in Kind if kind in kinds]
    if hides:
        shown.append(_legend_cell(Look("box", PAPER, LINE, "dashed"), "not seen by all"))
    rows = (shown[at : at + _LEGEND_WIDE] for at in range(0, len(shown), _LEGEND_WIDE))
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f'<table border="0" cellspacing="4" cellpadding="3">{body}</table>'


def _legend_cell(look: Look, words: str) -> str:
    name = f"{words} ({look.legend})" if look.legend else words
    style = {"filled,rounded": "rounded", "dashed": "dashed"}.get(look.style, "")
    styled = f' style="{style}"' if style else ""
    font = f'<font point-size="8" color="{look.ink}">{_text(name)}</font>'
    thick = 2 if look.double else 1
    return f'<td border="{thick}" bgcolor="{look.fill}" color="{look.line}"{styled}>{font}</td>'


def _meaning_row(meaning: Meaning, cited: Callable[[Clauses], str]) -> str:
    """A word with what it means, as a row of an HTML-like table."""
    word = "<br align='left'/>".join(_small(line, 9, INK) for line in wrapped(meaning.word, 26))
    said = [_small(line, 9) for line in wrapped(meaning.means, 76)]
    if meaning.clauses:
        said[-1] += f" &#160; {_small(cited(meaning.clauses), 7)}"
    told = "".join(f"{line}<br align='left'/>" for line in said)
    return f'<tr><td align="right" valign="top"><b>{word}</b></td><td align="left">{told}</td></tr>'


def _overlay_table(overlay: Overlay) -> str:
    """What an overlay is, and each of its marks in its colours, as an HTML-like table."""
    cells = [f"<td><b>{_small(overlay.title, 10, INK)}</b></td>"]
    for mark, words in overlay.legend:
        ground, line, width, dashed = tones.cell(mark)
        style = ' style="dashed"' if dashed else ""
        said = f"{mark.badge}  {words}" if mark.badge else words
        text = _small(said, 8, tones.ink_of(mark))
        cells.append(f'<td border="{width}" bgcolor="{ground}" color="{line}"{style}>{text}</td>')
    return f'<table border="0" cellspacing="4" cellpadding="3"><tr>{"".join(cells)}</tr></table>'


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
    actor = node.actor
    lines = wrapped(f"{actor}: {node.label}", look.letters)
    if not lines[0].startswith(f"{actor}: "):
        return [f"<b>{_text(actor)}</b>", *map(_text, wrapped(node.label, look.letters))]
    first = f"<b>{_text(actor)}</b> {_text(lines[0][len(actor) + 2 :])}"
    return [first, *map(_text, lines[1:])]


# ---- text


def _text(text: str) -> str:
    """Any text as ASCII for a label: signs of markup and letters beyond ASCII are entities."""
    escaped = html.escape(latin(text))
    if escaped.isascii():
        return escaped
    return "".join(letter if letter.isascii() else f"&#{ord(letter)};" for letter in escaped)


def _plain(text: str) -> str:
    """Any text as an attribute that is no label: nothing in it is an escape of Graphviz."""
    return str(graphviz.escape(_text(text)))


def _name(id_: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in id_)


def _small(text: str, points: int = 8, colour: str = FAINT) -> str:
    words = _text(text)
    return f'<font point-size="{points}" color="{colour}">{words}</font>' if words else ""
