"""The charts of a rulebook as drawings inside the page, light or dark as the page is."""

import math
import re
from collections.abc import Iterable
from typing import Final
from xml.etree import ElementTree

from attrs import frozen

from compiler.flowchart import dot, svg
from compiler.flowchart import text as chart_text
from compiler.flowchart.chart import chart, pages
from compiler.flowchart.model import Chart
from compiler.markup import Markup, classes, joined, tag
from ruleengine.report.chapter import Chapter

ENTIRE: Final = "The whole game"
_SVG: Final = "{http://www.w3.org/2000/svg}"
_XLINK: Final = "{http://www.w3.org/1999/xlink}"
_XML: Final = "{http://www.w3.org/XML/1998/namespace}"
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
GROUND: Final = "#1b1f26"
"""What is behind a chart on a dark page, as in `page.css`."""
LEGIBLE: Final = 4.5
"""The contrast that letters need."""
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
    phases = [cluster.id for cluster in main[0].clusters if cluster.parent is None]
    single = tuple(chart(graph, phase=phase) for phase in phases if len(main) == 1 < len(phases))
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
    text = ElementTree.tostring(root, encoding="unicode")
    colours = frozenset(colour.lower() for colour in _COLOUR.findall(text))
    return Drawing(Markup(text), width, colours)


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
    return "".join(
        f'.chart [fill="{colour}"]{{fill:{dark(colour)}}}'
        f'.chart text[fill="{colour}"]{{fill:{ink(colour)}}}'
        f'.chart [stroke="{colour}"]{{stroke:{ink(colour)}}}'
        for colour in sorted(colours)
    )


def dark(colour: str) -> str:
    """The colour that is as light as this one is dark: white becomes the ground of a dark page."""
    parts = [part / 255 for part in _parts(colour)]
    shift = 1 - max(parts) - min(parts)
    turned = (min(1.0, max(0.0, part + shift)) for part in parts)
    floors = _parts(GROUND)
    return _code(floor + (255 - floor) * part for floor, part in zip(floors, turned, strict=True))


def ink(colour: str) -> str:
    """The same for letters and lines: those that stand out from paper stand out in the dark."""
    found = dark(colour)
    if contrast(colour, "#ffffff") < LEGIBLE:
        return found
    while contrast(found, GROUND) < LEGIBLE:
        found = _code(part + (255 - part) / 8 for part in _parts(found))
    return found


def contrast(one: str, other: str) -> float:
    """How far two colours are apart in light, from 1 to 21, as the guidelines for pages measure."""
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (part / 255 for part in _parts(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _parts(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, each up to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _code(parts: Iterable[float]) -> str:
    return "#" + "".join(f"{math.ceil(part):02x}" for part in parts)
