"""Letters on charts can be read: on every ground, laid over or not, on paper and in the dark."""

import re
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

import pytest

from compiler.flowchart import dot, overlay, svg
from compiler.flowchart.chart import Chart, Level, chart
from compiler.flowchart.looks import FAINT, INK, LOOKS, PALE, PAPER, Look
from compiler.flowchart.night import GROUND, LEGIBLE, contrast, ground, ink
from compiler.flowchart.overlay import Mark, Overlaid, Passages, Tone
from compiler.graph.core import Graph
from tests.flowchart.shipped import compiled

needs_renderer = pytest.mark.skipif(
    not svg.renderers(svg.Format.SVG), reason="no renderer is installed here"
)
SVG = "{http://www.w3.org/2000/svg}"
NOTHING = ("none", "transparent", None)


def letters(picture: bytes) -> Iterator[tuple[str, str]]:
    """The colours of all words of a drawing, each with the colour that was painted below it."""
    for group in ElementTree.fromstring(picture).iter(f"{SVG}g"):
        if group.get("class") in ("node", "edge", "graph", "cluster"):
            shapes: list[ElementTree.Element] = []
            for shape in _own(group):
                if shape.tag == f"{SVG}text":
                    below = [one.get("fill", PAPER) for one in shapes if _around(one, shape)]
                    yield shape.get("fill", INK), [PAPER, *below][-1]
                elif shape.get("fill") not in NOTHING and group.get("class") != "edge":
                    shapes.append(shape)


def _around(shape: ElementTree.Element, words: ElementTree.Element) -> bool:
    """Whether words begin inside a shape."""
    if shape.tag == f"{SVG}ellipse":
        return True
    said = shape.get("points") or shape.get("d") or ""
    points = [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", said)]
    x, y = float(words.get("x", "0")), float(words.get("y", "0"))
    across, down = [x for x, _ in points], [y for _, y in points]
    return bool(points) and min(across) <= x <= max(across) and min(down) <= y <= max(down)


def _own(group: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """What is in a group, but not in the groups of boxes inside it."""
    for inner in group:
        yield inner
        if inner.get("class") is None:
            yield from _own(inner)


def marked(laid: dict[str, Mark]) -> Callable[[Graph, Chart], Overlaid]:
    """Marks on the first boxes and arrows of a chart."""
    marks = list(laid.values())

    def lay(_: Graph, drawn: Chart) -> Overlaid:
        boxes = {box.id: marks[at % len(marks)] for at, box in enumerate(drawn.nodes)}
        arrows = {at: marks[at % len(marks)] for at in range(len(drawn.edges))}
        legend = tuple((mark, name) for name, mark in laid.items())
        return Overlaid(drawn, overlay.Overlay("Laid over", boxes, arrows, legend))

    return lay


def hot(graph: Graph, drawn: Chart) -> Overlaid:
    """Counts over the whole scale."""
    counts = {node.id: 1 + node.id * 7 for node in graph.nodes}
    ways = {way: way.node * 7 for edge in drawn.edges for way in edge.ways}
    return overlay.heat(graph, drawn, Passages(counts, ways), "Counts")


def bare(_: Graph, drawn: Chart) -> Overlaid:
    """Nothing."""
    return Overlaid(drawn)


TONES = marked({tone.value: Mark(tone, "1", 0) for tone in Tone})
HEATS = marked({str(heat): Mark(Tone.HEAT, "1", heat) for heat in range(6)})


@needs_renderer
@pytest.mark.parametrize("lay", [bare, hot, TONES, HEATS])
@pytest.mark.parametrize(("game", "level"), [("jinks", Level.STEPS), ("klink", Level.FULL)])
def test_letters(game: str, level: Level, lay: Callable[[Graph, Chart], Overlaid]) -> None:
    """Words stand out from what is below them as the guidelines for pages ask, light and dark."""
    graph = compiled(game).graph
    laid = lay(graph, chart(graph, level, "turn", shut=True))
    picture = svg.render([dot.draw(laid.chart, overlay=laid.overlay)], len(laid.chart.edges))
    assert isinstance(picture, bytes)

    pairs = set(letters(picture))
    assert [pair for pair in pairs if contrast(*pair) < LEGIBLE] == []
    assert [(a, b) for a, b in pairs if contrast(ink(a), ground(b)) < LEGIBLE] == []


@pytest.mark.parametrize("look", LOOKS.values())
def test_every_kind_of_box(look: Look) -> None:
    """Words and small words of every kind of box can be read, light and dark."""
    small = FAINT if look.ink == INK else PALE
    found = [contrast(colour, look.fill) for colour in (look.ink, small)]
    found += [contrast(ink(colour), ground(look.fill)) for colour in (look.ink, small)]

    assert [value for value in found if value < LEGIBLE] == []


def test_the_ground_of_a_dark_page_is_dark() -> None:
    """White paper becomes the ground of a dark page, whose letters are light."""
    assert ground(PAPER) == GROUND
    assert contrast(ink(INK), GROUND) > 10
    assert re.fullmatch(r"#[0-9a-f]{6}", ground("#fde68a"))
