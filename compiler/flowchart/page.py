"""A chart as one HTML page that needs nothing from elsewhere: to move about in, fold and search.

Each phase is a card with its drawing; the cards lie on one sheet.  Without scripts the page still
shows all drawings and folds them; what a click tells is laid out by `page.js` from the data below.
"""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Final, TypedDict
from xml.etree import ElementTree

from attrs import frozen

from compiler.flowchart import dot, svg
from compiler.flowchart.looks import LEGEND, LINE, LOOKS, PAPER, Look
from compiler.flowchart.model import Chart, ChartNode, Kind, Level, Meaning
from compiler.flowchart.night import GROUND, colours, rules
from compiler.flowchart.overlay import Overlaid, Overlay
from compiler.markup import Markup, joined, tag

_SVG: Final = "{http://www.w3.org/2000/svg}"
_XLINK: Final = "{http://www.w3.org/1999/xlink}"
_XML: Final = "{http://www.w3.org/XML/1998/namespace}"
_NEEDLESS: Final = ("font-family", f"{_XML}space")
_BEGINNINGS: Final = (Kind.START, Kind.TRIGGER)
_FOLDED: Final = 60  # boxes of a card that is folded up at first

_OUTLINES: Final = {
    "diamond": "13,1 25,8 13,15 1,8",
    "hexagon": "7,1 19,1 25,8 19,15 7,15 1,8",
    "invhouse": "1,1 25,1 25,10 13,15 1,10",
    "cds": "1,3 19,3 25,8 19,13 1,13",
    "tab": "1,1 9,1 9,4 25,4 25,15 1,15",
}
_KINDS: Final = {
    Kind.START: "where a phase begins",
    Kind.TRIGGER: "where a trigger begins",
    Kind.STEP: "step",
    Kind.QUESTION: "test",
    Kind.DECISION: "a player decides",
    Kind.JOINT: "sealed decisions",
    Kind.WINDOW: "players answer in turn",
    Kind.CHANCE: "chance",
    Kind.CALL: "runs a phase, then goes on",
    Kind.EXIT: "goes on as another phase",
    Kind.ENTRY: "another phase leads here",
    Kind.RETURN: "back to what ran the phase",
    Kind.END: "the game is over",
}


class _Box(TypedDict):
    """A box as the page's script reads it."""

    id: str
    card: str
    says: str
    kind: str
    actor: str
    sub: str
    cites: list[str]
    at: str
    to: str | None
    hidden: bool


class _Arrow(TypedDict):
    """An arrow as the page's script reads it."""

    id: str
    source: str
    target: str
    says: str
    cites: list[str]


@frozen
class _Card:
    """A drawing on the sheet: what it is called, how it stands there."""

    name: str
    title: str
    picture: Markup
    note: str
    meanings: tuple[Meaning, ...]
    is_open: bool
    used: frozenset[str]


def page(
    charts: Sequence[Overlaid], links: dot.Links, choice: svg.Choice = svg.Choice.AUTO
) -> bytes | svg.RendererMissing | svg.RenderFailed:
    """The page of some charts of one game, a card for each; what stood in the way otherwise."""

    def draw(laid: Overlaid) -> bytes | svg.RendererMissing | svg.RenderFailed:
        texts = dot.ladder(laid.chart, links, legend=False, overlay=laid.overlay, titled=False)
        return svg.render(texts, len(laid.chart.edges), choice=choice)

    cards: list[_Card] = []
    for laid, picture in zip(charts, svg.drawn_beside(draw, charts), strict=True):
        if not isinstance(picture, bytes):
            return picture
        cards.append(_card(laid.chart, picture))
    return ("<!DOCTYPE html>\n" + _document(charts, cards, links)).encode()


def _card(chart: Chart, picture: bytes) -> _Card:
    root = ElementTree.fromstring(picture)
    name = _name(chart)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)
        for attribute in _NEEDLESS:
            element.attrib.pop(attribute, None)
    _lay_bare(root)
    back = {
        f"{id_}{dot.BACK}": edge.target
        for id_, edge in zip(chart.edge_ids(), chart.edges, strict=True)
    }
    for group in root.iter("g"):
        _told(group, name, back)
    for side in ("width", "height"):
        root.set(side, root.get(side, "").replace("pt", ""))
    text = ElementTree.tostring(root, encoding="unicode")
    is_open = len(chart.nodes) <= _FOLDED
    note = "; ".join(chart.notes)
    used = colours(text)
    return _Card(name, _title(chart), Markup(text), note, chart.meanings, is_open, used)


def _name(chart: Chart) -> str:
    if chart.phase is not None:
        return chart.phase
    return "overview" if chart.level is Level.OVERVIEW else "whole"


def _title(chart: Chart) -> str:
    if chart.phase is not None:
        return next(frame.title for frame in chart.clusters if frame.id == chart.phase)
    return "Overview" if chart.level is Level.OVERVIEW else "The whole game"


def _lay_bare(root: ElementTree.Element) -> None:
    """Takes off the sheet of paper below the drawing."""
    for group in root.findall("g"):
        sheet = group.find("polygon")
        if sheet is not None and sheet.get("stroke") in ("none", "transparent"):
            group.remove(sheet)


def _told(group: ElementTree.Element, card: str, back: Mapping[str, str]) -> None:
    """Makes a group of the drawing one that the script finds by its id and people can reach.

    `back` says of the boxes that name where an arrow leads back to which box that is.
    """
    sort = group.get("class", "")
    id_ = group.attrib.pop("id", "")
    title = group.find("title")
    if title is not None:
        group.remove(title)
    told = ""
    for link in [found for found in group.iter() if found.tag == "a"]:
        told = told or link.attrib.pop(f"{_XLINK}title", "")
        link.attrib.clear()
        link.tag = "g"
    if sort in ("node", "edge"):
        group.set("data-id", id_)
        group.set("data-card", card)
    if id_ in back:
        group.set("data-back", back[id_])
    if sort == "node":
        group.set("tabindex", "0")
        group.set("role", "button")
    if told:
        hint = ElementTree.Element("title")
        hint.text = told.replace("\\n", "\n")
        group.insert(0, hint)


# ---- the document


def _document(charts: Sequence[Overlaid], cards: Sequence[_Card], links: dot.Links) -> Markup:
    first = charts[0].chart
    boxes = [node for laid in charts for node in laid.chart.nodes]
    legend = _legend({box.kind for box in boxes}, any(box.hidden for box in boxes))
    used = frozenset(colour for card in cards for colour in card.used)
    dark = f"@media screen and (prefers-color-scheme: dark){{{rules(used, '.card')}"
    dark += f"{rules(colours(legend), '.legend')}}}"
    style = f":root{{--ground:{GROUND}}}{_resource('page.css')}{dark}"
    overlay = next((laid.overlay for laid in charts if laid.overlay is not None), None)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{first.title}: flowchart"),
        tag("style", Markup(style)),
    )
    body = tag(
        "body",
        _bar(first.title),
        tag("main", tag("div", map(_shown, cards), id="world"), id="stage"),
        tag("aside", _greeting(legend, overlay), id="panel", aria_live="polite"),
        tag("script", Markup(_embedded(_data(charts, links))), type="application/json", id="data"),
        tag("script", Markup(_resource("page.js"))),
    )
    return tag("html", head, body, lang="en")


def _bar(title: str) -> Markup:
    buttons = (
        ("fit", "Fit", "Show the whole sheet"),
        ("closer", "+", "Closer"),
        ("farther", "\N{MINUS SIGN}", "Farther"),
        ("unfold", "Unfold all", "Unfold every phase"),
        ("fold", "Fold all", "Fold every phase up"),
        ("aside", "Legend", "Show or hide what the looks mean, and what a click tells"),
    )
    search = tag(
        "label",
        tag("span", "Search", class_="unseen"),
        tag(
            "input",
            type="search",
            id="search",
            placeholder="Name, clause or word",
            autocomplete="off",
        ),
        tag("output", id="found"),
    )
    shown = [tag("button", text, id=id_, type="button", title=told) for id_, text, told in buttons]
    return tag("header", tag("h1", title), search, tag("nav", shown))


def _shown(card: _Card) -> Markup:
    return tag(
        "details",
        tag("summary", tag("h2", card.title)),
        tag("p", card.note) if card.note else None,
        tag("div", card.picture, class_="picture"),
        tag("dl", map(_meant, card.meanings)) if card.meanings else None,
        class_="card",
        data_name=card.name,
        open=card.is_open,
    )


def _meant(meaning: Meaning) -> Markup:
    cited = joined(" ", tag("small", " ".join(meaning.clauses))) if meaning.clauses else None
    return joined(tag("dt", meaning.word), tag("dd", meaning.means, cited))


def _greeting(legend: Markup, overlay: Overlay | None) -> Markup:
    """What the panel says before anything was clicked: how to use it, what the looks mean."""
    laid = None
    if overlay is not None:
        meant = [tag("li", tag("b", mark.badge), " ", words) for mark, words in overlay.legend]
        laid = joined(tag("h2", overlay.title), tag("ul", meant))
    return joined(
        tag(
            "p",
            "Click a box: what leads to it and what follows is marked, and its rule stands here. "
            "Drag to move, turn the wheel to come closer, Esc to clear.",
        ),
        laid,
        tag("h2", "Legend"),
        legend,
    )


def _legend(kinds: set[Kind], some_hidden: bool) -> Markup:
    """The kinds of boxes that occur, each with its shape, line and colour beside its name."""
    shown = [tag("li", _shape(LOOKS[kind]), LEGEND[kind]) for kind in Kind if kind in kinds]
    if some_hidden:
        unseen = Look("box", PAPER, LINE, "filled,rounded,dashed")
        shown.append(tag("li", _shape(unseen), "not seen by all"))
    return tag("ul", shown, class_="legend")


def _shape(look: Look) -> Markup:
    """A box without words, as small as a word."""
    paint = f'fill="{look.fill}" stroke="{look.line}"'
    if "dashed" in look.style:
        paint += ' stroke-dasharray="3 2"'
    drawn = _outline(look.shape, "rounded" in look.style, 1, paint)
    if look.double:
        drawn += _outline(look.shape, "rounded" in look.style, 3.5, paint)
    return Markup(
        f'<svg width="26" height="16" viewBox="0 0 26 16" aria-hidden="true">{drawn}</svg>'
    )


def _outline(shape: str, rounded: bool, inset: float, paint: str) -> str:
    """The line around a shape of Graphviz, that far inside 26 by 16."""
    if shape == "circle":
        return f'<circle cx="13" cy="8" r="{8 - inset:g}" {paint}/>'
    points = _OUTLINES.get(shape)
    if points is not None:
        return f'<polygon points="{points}" {paint}/>'
    corner = 3 if rounded else 0
    size = f'width="{26 - 2 * inset:g}" height="{16 - 2 * inset:g}"'
    return f'<rect x="{inset:g}" y="{inset:g}" {size} rx="{corner}" {paint}/>'


def _data(charts: Sequence[Overlaid], links: dot.Links) -> str:
    """What the script knows of boxes and arrows, each with the card it stands on."""
    boxes: list[_Box] = []
    arrows: list[_Arrow] = []
    cited: dict[str, None] = {}
    begins = {
        node.phase: f"{_name(laid.chart)}/{node.id}"
        for laid in charts
        for node in laid.chart.nodes
        if node.kind in _BEGINNINGS and laid.chart.level is not Level.OVERVIEW
    }
    for laid in charts:
        card = _name(laid.chart)
        at_a_glance = laid.chart.level is Level.OVERVIEW
        for node in laid.chart.nodes:
            there = node.phase if at_a_glance and node.kind in _BEGINNINGS else node.target
            boxes.append(_box(node, card, links, None if there is None else begins.get(there)))
        for id_, edge in zip(laid.chart.edge_ids(), laid.chart.edges, strict=True):
            says = " ".join([*edge.label.splitlines(), *edge.sub.splitlines()])
            arrows.append(
                {
                    "id": f"{card}/{id_}",
                    "source": f"{card}/{edge.source}",
                    "target": f"{card}/{edge.target}",
                    "says": says,
                    "cites": list(edge.clauses),
                }
            )
            cited |= dict.fromkeys(edge.clauses)
        cited |= dict.fromkeys(clause for node in laid.chart.nodes for clause in node.clauses)
    clauses = {clause: links.clauses[clause] for clause in cited if clause in links.clauses}
    return json.dumps({"boxes": boxes, "arrows": arrows, "clauses": clauses}, separators=(",", ":"))


def _box(node: ChartNode, card: str, links: dot.Links, there: str | None) -> _Box:
    """What the script knows of a box; `there` is the one where the phase begins it leads to."""
    return {
        "id": f"{card}/{node.id}",
        "card": card,
        "says": "; ".join(node.label.splitlines()).replace(":; ", ": "),
        "kind": _KINDS[node.kind],
        "actor": node.actor,
        "sub": "; ".join(node.sub.splitlines()),
        "cites": list(node.clauses),
        "at": "" if node.span is None else links.address(node.span),
        "to": there,
        "hidden": node.hidden,
    }


def _embedded(data: str) -> str:
    """JSON that may stand inside a script element."""
    return data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _resource(name: str) -> str:
    return files("compiler.flowchart").joinpath(name).read_text(encoding="utf-8")
