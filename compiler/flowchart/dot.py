"""A chart as DOT text: the only place that knows Graphviz's language.

All text comes in through `_text`: ASCII with entities, Latin-1 at most, since renderers disagree
on everything else.  Colours are `#rrggbb`, told apart by people who see no red or green, and no
meaning rests on colour alone: every kind has a shape or a line of its own.
"""

import html
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

import graphviz
from attrs import frozen

from compiler.flowchart.model import Chart, ChartEdge, ChartNode, Cluster, EdgeKind, Kind
from compiler.flowchart.spine import columns, spine
from compiler.graph.core import Clauses
from compiler.source import Span

_INK, _FAINT, _LINE, _PAPER = "#111827", "#6b7280", "#9ca3af", "#ffffff"
_NIGHT = "#14532d"
_BLUE, _SKY, _DEEP = "#1d4ed8", "#dbeafe", "#2563eb"
_RUST, _SAND = "#b45309", "#ffedd5"
_PLUM, _PINK = "#9d4e7f", "#fbe7f3"


@frozen
class Look:
    """How a kind of box is drawn, and how wide its text may be, in letters."""

    shape: str
    fill: str
    line: str
    style: str = "filled"
    double: bool = False
    letters: int = 30
    margin: str = "0.16,0.09"
    ink: str = _INK
    legend: str = ""  # what the legend's cell cannot show


_SMOOTH = "filled,rounded"

LOOKS: dict[Kind, Look] = {
    Kind.START: Look("box", _INK, _INK, _SMOOTH, ink="#ffffff"),
    Kind.TRIGGER: Look("invhouse", _PINK, _PLUM, letters=26, margin="0.12,0.04"),
    Kind.STEP: Look("box", "#f3f4f6", _LINE, _SMOOTH),
    Kind.QUESTION: Look(
        "diamond", _PAPER, _FAINT, letters=17, margin="0.05,0.04", legend="diamond"
    ),
    Kind.DECISION: Look("box", _SKY, _DEEP, _SMOOTH),
    Kind.JOINT: Look("box", _SKY, _DEEP, _SMOOTH, double=True),
    Kind.WINDOW: Look("tab", _SKY, _DEEP),
    Kind.CHANCE: Look("hexagon", _SAND, _RUST, letters=26, margin="0.08,0.05", legend="hexagon"),
    Kind.CALL: Look("box", "#f3f4f6", _FAINT, double=True),
    Kind.EXIT: Look("cds", _PAPER, _FAINT, margin="0.14,0.08", legend="arrow"),
    Kind.ENTRY: Look("cds", "#f3f4f6", _FAINT, margin="0.14,0.08", legend="grey arrow"),
    Kind.RETURN: Look("circle", _PAPER, _INK, double=True, margin="0.02,0.02", legend="ring"),
    Kind.END: Look("box", _NIGHT, _NIGHT, double=True, ink="#ffffff"),
}

_LEGEND = {
    Kind.START: "phase begins",
    Kind.TRIGGER: "whenever",
    Kind.STEP: "step",
    Kind.QUESTION: "test",
    Kind.DECISION: "a player decides",
    Kind.JOINT: "sealed decisions",
    Kind.WINDOW: "turns to answer",
    Kind.CHANCE: "chance",
    Kind.CALL: "phase, then back",
    Kind.EXIT: "goes on as",
    Kind.ENTRY: "comes from",
    Kind.RETURN: "back",
    Kind.END: "game over",
}

_GAP = '<font point-size="3"> </font>'  # keeps small lines off the letters above

_OUTSIDE = (Kind.EXIT, Kind.ENTRY)  # boxes beside the frame of their phase

_MENU = 6  # ways out of a box from which the page is laid out from left to right

_LEGEND_WIDE = 5  # cells in a row

_EDGE_INK = {EdgeKind.FLOW: "#4b5563", EdgeKind.ANSWER: "#4b5563", EdgeKind.OPTION: _DEEP}
_EDGE_INK[EdgeKind.SHUT] = _LINE


def place_in_file(span: Span) -> str:
    """The address of a place in a spec: the file's own name and the line."""
    return f"{span.file.name.rsplit('/', 1)[-1]}#L{span.first.line}"


@frozen
class Links:
    """What boxes point to: the texts of clauses by id, and the address of a place in a file."""

    clauses: Mapping[str, str]
    address: Callable[[Span], str] = place_in_file


NO_LINKS = Links({})

RUNGS: tuple[dict[str, str], ...] = (
    {"newrank": "true"},
    {"newrank": "true", "splines": "line"},
    {},
)
"""Settings by which Graphviz lays out, best first: each fails on graphs that the next one draws."""


def draw(chart: Chart, links: Links = NO_LINKS, *, legend: bool = True, rung: int = 0) -> str:
    """The chart as DOT text, with the settings of one of the `RUNGS`."""
    return _Drawing(chart, links).text(legend, RUNGS[rung])


def ladder(chart: Chart, links: Links = NO_LINKS, *, legend: bool = True) -> tuple[str, ...]:
    """The chart as DOT text for each of the `RUNGS`, for a renderer to try in turn."""
    return tuple(draw(chart, links, legend=legend, rung=rung) for rung in range(len(RUNGS)))


class _Drawing:
    """One DOT text in the making."""

    def __init__(self, chart: Chart, links: Links) -> None:
        self._chart = chart
        self._links = links
        self._prefix = _own_letters(chart)
        self._spine = spine(chart)
        self._lies = _is_menu(chart)
        self._upside_down = self._lies and not _goes_back(chart)

    def text(self, legend: bool, layout: dict[str, str]) -> str:
        """The whole text; boxes and arrows in the chart's order."""
        drawing = graphviz.Digraph(
            "chart",
            graph_attr=layout | self._graph_attributes(legend),
            node_attr={"fontname": "Arial", "fontsize": "11", "penwidth": "1"},
            edge_attr={"fontname": "Arial", "fontsize": "10", "arrowsize": "0.7"},
        )
        for cluster in self._chart.clusters:
            if cluster.parent is None:
                drawing.subgraph(self._cluster(cluster))
        for node in self._chart.nodes:
            if node.kind in _OUTSIDE or not node.cluster:
                self._node(drawing, node)
        for edge in self._chart.edges:
            self._edge(drawing, edge)
        for above, below in columns(self._chart):
            drawing.edge(_plain(above), _plain(below), style="invis", minlen="2", weight="0")
        return str(drawing.source)

    def _graph_attributes(self, legend: bool) -> dict[str, str]:
        title = f"<b>{_text(self._chart.title)}</b> &#160; {_small(self._chart.subtitle, 10)}"
        notes = [_small(line) for note in self._chart.notes for line in _wrapped(note, 70)]
        kinds = {node.kind for node in self._chart.nodes}
        hides = any(node.hidden for node in self._chart.nodes)
        table = legend_table(kinds, hides) if legend else ""
        rows = "".join(f"<tr><td>{row}</td></tr>" for row in (title, *notes, table) if row)
        return {
            "rankdir": "LR" if self._lies else "TB",
            "charset": "UTF-8",
            "bgcolor": _PAPER,
            "fontname": "Arial",
            "fontsize": "13",
            "labelloc": "t",
            "nodesep": "0.35",
            "ranksep": "0.38",
            "pad": "0.3",
            "label": f'<<table border="0" cellspacing="2">{rows}</table>>',
        }

    # ---- frames

    def _cluster(self, cluster: Cluster) -> graphviz.Digraph:
        inner = cluster.parent is not None
        title = f"<b>{_text(cluster.title)}</b> &#160; {_small(self._cited(cluster.clauses))}"
        frame = graphviz.Digraph(f"cluster_{_name(cluster.id)}")
        frame.attr(
            label=f"<{title}>" if inner else "",  # a phase has its title where it begins
            labeljust="l",
            style="rounded,dotted" if inner else "rounded,filled",
            color=_LINE if inner else "#d1d5db",
            fillcolor="#fbfbfc",
            fontsize="10",
            margin="10" if inner else "14",
            **self._pointers(cluster.span, cluster.clauses, cluster.id),
        )
        inside = [node for node in self._chart.nodes if node.cluster == cluster.id]
        if self._upside_down:  # from left to right, what is written first stands lowest
            inside[1:] = inside[:0:-1]
        for node in inside:
            if node.kind not in _OUTSIDE:
                self._node(frame, node)
        for other in self._chart.clusters:
            if other.parent == cluster.id:
                frame.subgraph(self._cluster(other))
        return frame

    # ---- boxes

    def _node(self, drawing: graphviz.Digraph, node: ChartNode) -> None:
        look = LOOKS[node.kind]
        attributes = _shape(look, node.hidden) | self._pointers(node.span, node.clauses, node.id)
        if node.kind is Kind.RETURN and not node.label:
            attributes |= {"label": "", "width": "0.16", "fixedsize": "true"}
        else:
            attributes["label"] = f"<{self._label(node, look)}>"
        drawing.node(_plain(node.id), **attributes)

    def _label(self, node: ChartNode, look: Look) -> str:
        lines = [_text(line) for line in _wrapped(node.label, look.letters)]
        if node.actor:
            lines = _with_actor(node, look)
        if node.kind in (Kind.START, Kind.TRIGGER):
            lines = [f"<b>{line}</b>" for line in lines]
        if node.kind is Kind.CALL:
            lines[-1] += " &#187;"
        faint = _FAINT if look.ink == _INK else "#d1d5db"
        wide = look.letters + look.letters // 4
        small = [_small(line, 9, faint) for line in _wrapped(node.sub, wide)]
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
        return [line.replace(" ", "  ") for line in _wrapped(self._cited(clauses), letters)]

    # ---- arrows

    def _edge(self, drawing: graphviz.Digraph, edge: ChartEdge) -> None:
        ink = _EDGE_INK[edge.kind]
        attributes = {"color": ink}
        if edge.kind is EdgeKind.OPTION:
            attributes["weight"] = "3"
        if edge.kind is EdgeKind.SHUT:
            attributes["style"] = "dotted"
        if (edge.source, edge.target) in self._spine:
            attributes["weight"] = "20"
        elif (edge.target, edge.source) in self._spine:
            side = self._side(edge.target)
            attributes |= {"tailport": side, "headport": side}
        label = self._edge_label(edge)
        if label:
            attributes |= {"label": f"<{label}>", "fontcolor": ink}
            told = self._pointers(None, edge.clauses, edge.label)["tooltip"]
            attributes |= {"edgetooltip": told, "labeltooltip": told}
        drawing.edge(_plain(edge.source), _plain(edge.target), **attributes)

    def _side(self, id_: str) -> str:
        """Where an arrow comes back to a box, so that it does not cover the one there."""
        if self._lies:
            return "s"
        return "w" if sum(edge.source == id_ for edge in self._chart.edges) > 1 else "e"

    def _edge_label(self, edge: ChartEdge) -> str:
        lines = [_text(line) for line in _wrapped(edge.label, 24)]
        if edge.kind is EdgeKind.OPTION:
            lines = [f"<i>{line}</i>" for line in lines]
        lines += [_small(line, 9) for line in _wrapped(edge.sub, 28)]
        lines += [_small(line, 8) for line in self._cited_lines(edge.clauses, 24)]
        return "<br/>".join(f"&#160;{line}&#160;" for line in lines)


# ---- shapes


def legend_table(kinds: set[Kind], hides: bool) -> str:
    """The kinds that occur, each in its colours, as an HTML-like table."""
    shown = [_legend_cell(LOOKS[kind], _LEGEND[kind]) for kind in Kind if kind in kinds]
    if hides:
        shown.append(_legend_cell(Look("box", _PAPER, _LINE, "dashed"), "not seen by all"))
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
    lines = _wrapped(f"{actor}: {node.label}", look.letters)
    if not lines[0].startswith(f"{actor}: "):
        return [f"<b>{_text(actor)}</b>", *map(_text, _wrapped(node.label, look.letters))]
    first = f"<b>{_text(actor)}</b> {_text(lines[0][len(actor) + 2 :])}"
    return [first, *map(_text, lines[1:])]


# ---- text

_LETTERS = {
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{MINUS SIGN}": "-",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{BULLET}": "-",
    "\N{RIGHTWARDS ARROW}": "->",
    "\N{LEFTWARDS ARROW}": "<-",
    "\N{GREATER-THAN OR EQUAL TO}": ">=",
    "\N{LESS-THAN OR EQUAL TO}": "<=",
    "\N{NOT EQUAL TO}": "<>",
    "\N{EURO SIGN}": "EUR",
}


def _latin(text: str) -> str:
    """The text in Latin-1: other letters without their marks, else `?`."""
    kept: list[str] = []
    for letter in text:
        if letter in _LETTERS:
            kept.append(_LETTERS[letter])
        elif letter.isprintable() and ord(letter) < 256:
            kept.append(letter)
        elif letter.isspace():
            kept.append(" ")
        else:
            plain = unicodedata.normalize("NFKD", letter)[:1]
            kept.append(plain if plain.isascii() and plain.isprintable() else "?")
    return "".join(kept)


def _text(text: str) -> str:
    """Any text as ASCII for a label: signs of markup and letters beyond ASCII are entities."""
    escaped = html.escape(_latin(text))
    return "".join(letter if letter.isascii() else f"&#{ord(letter)};" for letter in escaped)


def _plain(text: str) -> str:
    """Any text as an attribute that is no label: nothing in it is an escape of Graphviz."""
    return str(graphviz.escape(_text(text)))


def _name(id_: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in id_)


def _small(text: str, points: int = 8, colour: str = _FAINT) -> str:
    return f'<font point-size="{points}" color="{colour}">{_text(text)}</font>'


def _wrapped(text: str, letters: int) -> list[str]:
    """The lines of a text, each at most so many letters if its words allow."""
    lines: list[str] = []
    for line in text.splitlines():
        lines += _balanced(line, letters)
    return lines


def _balanced(line: str, letters: int) -> list[str]:
    """A line broken into as few as needed, about equally long."""
    lines = textwrap.wrap(line, letters, break_long_words=False, break_on_hyphens=False)
    for narrower in range(letters - 1, 0, -1):
        tried = textwrap.wrap(line, narrower, break_long_words=False, break_on_hyphens=False)
        if len(tried) > len(lines):
            return lines
        lines = tried
    return lines


def _is_menu(chart: Chart) -> bool:
    """Whether one phase is drawn, and so many ways leave a box that they read better as a list."""
    ways: dict[str, int] = {}
    for edge in chart.edges:
        ways[edge.source] = ways.get(edge.source, 0) + 1
    phases = sum(1 for cluster in chart.clusters if cluster.parent is None)
    return phases == 1 and max(ways.values(), default=0) >= _MENU


def _goes_back(chart: Chart) -> bool:
    """Whether an arrow leads to a box that comes before: then the boxes' order settles which."""
    order = {node.id: index for index, node in enumerate(chart.nodes)}
    return any(order[edge.target] <= order[edge.source] for edge in chart.edges)


def _own_letters(chart: Chart) -> str:
    """What most clause ids begin with, up to the dash: the game's own letters, left out."""
    counts = Counter(id_.partition("-")[0] for id_ in _all_clauses(chart) if "-" in id_)
    return f"{counts.most_common(1)[0][0]}-" if counts else ""


def _all_clauses(chart: Chart) -> Iterator[str]:
    for cluster in chart.clusters:
        yield from cluster.clauses
    for node in chart.nodes:
        yield from node.clauses
    for edge in chart.edges:
        yield from edge.clauses
