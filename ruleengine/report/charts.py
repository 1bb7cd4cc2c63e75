"""The charts of a rulebook as drawings inside the page, light or dark as the page is."""

from collections.abc import Iterable
from typing import Final
from xml.etree import ElementTree

from attrs import frozen

from compiler.flowchart import dot, svg
from compiler.flowchart import text as chart_text
from compiler.flowchart.chart import each, few, pages, phases
from compiler.flowchart.model import Chart, Level
from compiler.flowchart.night import colours as colours_of
from compiler.flowchart.night import rules
from compiler.markup import Markup, classes, joined, tag
from ruleengine.report.chapter import Chapter
from ruleengine.report.slim import slim

ENTIRE: Final = "The whole game"
_SVG: Final = "{http://www.w3.org/2000/svg}"
_XLINK: Final = "{http://www.w3.org/1999/xlink}"
_XML: Final = "{http://www.w3.org/XML/1998/namespace}"
_NEEDLESS: Final = frozenset({"font-family", f"{_XML}space", "id"})


@frozen
class Drawing:
    """A chart drawn: as it stands in the page, its width there in pixels, its colours."""

    markup: Markup
    width: int
    colours: frozenset[str]


def section(chapter: Chapter) -> tuple[Markup, frozenset[str]]:
    """The charts of a game and the colours in them.

    A small game is drawn whole, then phase by phase, folded up; a big one only phase by phase.
    """
    graph = chapter.game.graph
    main = pages(graph)
    both = len(main) == 1 < len(phases(main[0]))
    single = each(graph, Level.STEPS, few) if both else ()
    drawn = [(each, draw(each, chapter)) for each in (*main, *single)]
    figures = [
        _figure(each, found, chapter.place(f"chart-{number}"))
        for number, (each, found) in enumerate(drawn, 1)
    ]
    apart = figures[len(main) :]
    colours = frozenset(
        colour for _, found in drawn if isinstance(found, Drawing) for colour in found.colours
    )
    folded = tag("details", tag("summary", "Phase by phase"), apart) if apart else None
    return joined(figures[: len(main)], folded), colours


def _figure(chart_: Chart, drawn: Drawing | str, place: str) -> Markup:
    name = _name(chart_)
    if isinstance(drawn, str):
        picture = tag("p", f"Not drawn: {drawn}", class_="note")
    else:
        picture = tag(
            "div",
            drawn.markup,
            class_=classes("chart", "entire" if name == ENTIRE else ""),
            tabindex=0,
            role="group",
            aria_label=f"Chart: {name}",
        )
    words = tag(
        "details",
        tag("summary", "The same in words"),
        tag("pre", chart_text.text(chart_), tabindex=0),
    )
    return tag("figure", tag("figcaption", name), picture, words, id=place)


def _name(chart_: Chart) -> str:
    """What a chart shows: the phase, or the whole game."""
    part, *others = chart_.subtitle.split(", ")
    return part if len(others) > 1 else ENTIRE


def draw(chart_: Chart, chapter: Chapter) -> Drawing | str:
    """A chart as SVG that belongs in a page, or why it cannot be drawn."""
    links = dot.Links(chapter.clause_texts, chapter.address)
    picture = svg.render(dot.ladder(chart_, links), len(chart_.edges))
    if not isinstance(picture, bytes):
        return str(picture)
    root = ElementTree.fromstring(picture)
    width = _size(root, "width")
    height = _size(root, "height")
    for element in root.iter():
        _clean(element)
    _lay_bare(root)
    _told(root)
    root.attrib.pop("width")
    root.attrib.pop("height")
    root.set("style", f"--w:{width}px;--h:{height}px")
    slim(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return Drawing(Markup(text), width, colours_of(text))


def _size(root: ElementTree.Element, side: str) -> int:
    """A side in pixels of the screen, from points."""
    return round(float(root.get(side, "0pt").removesuffix("pt")) * 4 / 3)


def _clean(element: ElementTree.Element) -> None:
    """Takes off what a page does not need; links become links of the page."""
    element.tag = element.tag.removeprefix(_SVG)
    for name in _NEEDLESS.intersection(element.keys()):
        del element.attrib[name]
    if f"{_XLINK}href" in element.attrib:
        element.set("href", element.attrib.pop(f"{_XLINK}href"))


def _lay_bare(root: ElementTree.Element) -> None:
    """Takes off the sheet of paper below the drawing."""
    for group in root.findall("g"):
        sheet = group.find("polygon")
        if sheet is not None and sheet.get("stroke") in ("none", "transparent"):
            group.remove(sheet)


def _told(root: ElementTree.Element) -> None:
    """Says the tooltips of boxes and arrows as titles, which people and screen readers get."""
    for element in root.iter("g"):
        title = element.find("title")
        if title is not None:
            element.remove(title)
    for link in root.iter("a"):
        link.set("tabindex", "-1")  # the tables of clauses have the same links, in order
        told = link.attrib.pop(f"{_XLINK}title", "")
        if told:
            title = ElementTree.Element("title")
            title.text = told.replace("\\n", "\n")
            link.insert(0, title)


# ---- in the dark


def night(colours: Iterable[str]) -> str:
    """CSS that gives the colours of charts their counterparts on a dark page."""
    return rules(colours, ".chart")
