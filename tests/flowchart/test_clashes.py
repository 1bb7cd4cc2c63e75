"""Pictures on which no arrow touches words, or a box that is not its own."""

import pytest

from compiler.flowchart import dot, svg
from compiler.flowchart.chart import Chart, Level, chart, pages
from compiler.flowchart.clashes import clashes
from tests.flowchart.shipped import GAMES, compiled

needs_renderer = pytest.mark.skipif(
    not svg.renderers(svg.Format.SVG), reason="no renderer is installed here"
)

BOX = '<g class="node"><title>{}</title><polygon points="{}"/></g>'
ARROW = '<g class="edge"><title>a->b</title><path d="M{}"/>{}</g>'


def picture(*parts: str) -> bytes:
    """A drawing of these parts."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'.encode()


def corners(left: int, top: int, right: int, bottom: int) -> str:
    """The corners of an upright box."""
    return f"{left},{top} {right},{top} {right},{bottom} {left},{bottom} {left},{top}"


DOWN = "50,0C50,30 50,70 50,100"
AROUND = '<g class="cluster"><title>f</title><polygon points="{}"/></g>'
OTHER = '<g class="edge"><title>c->d</title><path d="M{}"/>{}</g>'


@pytest.mark.parametrize(
    ("others", "found"),
    [
        (BOX.format("c", corners(40, 40, 60, 60)), 1),
        (BOX.format("c", corners(52, 40, 80, 60)), 1),
        (BOX.format("c", corners(60, 40, 80, 60)), 0),
        (BOX.format("b", corners(40, 90, 60, 110)), 0),
        (BOX.format("c", "70,30 98,50 70,70 52,50 70,30"), 1),
        (BOX.format("c", "80,0 110,30 80,60 49,30 80,0"), 1),
        (BOX.format("c", "100,0 150,50 100,100 52,98 100,0"), 1),
    ],
)
def test_arrows_and_boxes(others: str, found: int) -> None:
    """An arrow that touches a box, or hugs it, clashes with it, but not with those at its ends."""
    assert clashes(picture(ARROW.format(DOWN, ""), others)) == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ('<text x="52" y="50" font-size="10">yes</text>', 0),
        ('<text x="45" y="50" font-size="10">yes</text>', 1),
        ('<text text-anchor="middle" x="50" y="50" font-size="10">no</text>', 1),
        ('<text text-anchor="end" x="40" y="50" font-size="10">no</text>', 0),
    ],
)
def test_arrows_and_their_words(words: str, found: int) -> None:
    """An arrow must not lead through its own words."""
    assert clashes(picture(ARROW.format(DOWN, words))) == found


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (OTHER.format("51,0C51,30 51,70 51,100", ""), 1),
        (OTHER.format("51,0C51,30 90,70 90,100", ""), 0),
        (OTHER.format("0,50C30,50 70,50 100,50", ""), 0),
        (OTHER.format("0,50C30,50 70,50 100,50", '<text x="56" y="44">no</text>'), 1),
        (OTHER.format("0,50C30,50 70,50 100,50", '<text x="90" y="44">no</text>'), 0),
    ],
)
def test_arrows_and_arrows(other: str, found: int) -> None:
    """Two arrows must not lie on one another, nor cross beside the words of one."""
    assert clashes(picture(ARROW.format(DOWN, ""), other)) == found


def test_a_corner_misleads() -> None:
    """An arrow that turns back at once looks like two."""
    sharp = "50,0C50,30 50,70 50,100C50,95 50,60 90,20"

    assert clashes(picture(ARROW.format(sharp, ""))) == 1


def test_an_arrow_stays_in_its_frame() -> None:
    """An arrow between two boxes of a frame must not leave it."""
    boxes = BOX.format("a", corners(40, 0, 60, 10)) + BOX.format("b", corners(40, 90, 60, 101))
    frame = AROUND.format(corners(30, -5, 70, 105))
    beside = "40,95C0,80 0,20 40,5"

    assert clashes(picture(ARROW.format(DOWN, ""), boxes, frame)) == 0
    assert clashes(picture(ARROW.format(beside, ""), boxes, frame)) == 1


def drawn(wanted: Chart) -> int:
    """What clashes on the picture of a chart."""
    made = svg.render(dot.ladder(wanted), len(wanted.edges))
    assert isinstance(made, bytes)
    return clashes(made)


@needs_renderer
def test_more_room_where_an_arrow_hugs_a_box() -> None:
    """Jinks' turn and the overview of High Jinks need more than the first settings give."""
    game = chart(compiled("jinks").graph, phase="turn")
    first = svg.render([dot.draw(game)], len(game.edges))
    assert isinstance(first, bytes)

    assert clashes(first) > 0
    assert drawn(game) == 0
    overview = chart(compiled("highjinks").graph, Level.OVERVIEW)
    assert drawn(overview) == 1  # two arrows that cannot but cross do so beside words


FRAME = '<g class="cluster"><title>f</title><polygon points="{}"/>{}</g>'
SAYS = '<text x="{}" y="{}" font-size="10">{}</text>'


@pytest.mark.parametrize(
    ("frame", "found"),
    [
        (FRAME.format(corners(0, 0, 200, 200), SAYS.format(45, 50, "Title")), 1),
        (FRAME.format(corners(0, 0, 200, 200), SAYS.format(70, 50, "Title")), 0),
        ('<g class="node"><title>f.title</title>' + SAYS.format(45, 50, "Title") + "</g>", 1),
    ],
)
def test_arrows_and_titles(frame: str, found: int) -> None:
    """An arrow must not lead through the title of a frame; over its line it may."""
    assert clashes(picture(frame, ARROW.format(DOWN, ""))) == found


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (FRAME.format(corners(60, 0, 200, 200), ""), 1),
        (FRAME.format(corners(40, 0, 200, 200), ""), 0),
        (FRAME.format(corners(90, 0, 200, 200), ""), 0),
        (FRAME.format(corners(0, 46, 200, 200), ""), 1),
        (BOX.format("c", corners(60, 40, 90, 60)), 1),
        (BOX.format("c", corners(90, 40, 120, 60)), 0),
        ('<g class="edge"><title>c->d</title>' + SAYS.format(60, 52, "no") + "</g>", 1),
        ('<g class="edge"><title>c->d</title>' + SAYS.format(60, 72, "no") + "</g>", 0),
    ],
)
def test_words_of_arrows(other: str, found: int) -> None:
    """An arrow's words keep off lines of frames, off boxes and off other words."""
    words = SAYS.format(53, 50, "yes")

    assert clashes(picture(ARROW.format(DOWN, words), other)) == found


@pytest.mark.long
@needs_renderer
@pytest.mark.parametrize("game", GAMES)
def test_no_page_misleads(game: str) -> None:
    """Nothing clashes on any page of any shipped game, at a glance and step by step."""
    graph = compiled(game).graph
    levels = (Level.OVERVIEW, Level.STEPS)
    wanted = [page for level in levels for page in pages(graph, level)]

    assert {page.phase: drawn(page) for page in wanted if drawn(page)} == {}
