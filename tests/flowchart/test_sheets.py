"""Charts fit for print: few boxes on a sheet, letters that can be read, connectors both ways."""

import re
from collections import Counter

import pytest
from attrs import evolve

from compiler.flowchart import dot, svg
from compiler.flowchart.chart import Chart, Level, chart
from compiler.flowchart.clashes import clashes
from compiler.flowchart.extent import MOST, Extent, burden
from compiler.flowchart.model import Kind
from compiler.flowchart.overlay import Overlaid, Passages, heat
from compiler.flowchart.sheets import places, sheets
from compiler.graph.core import Graph
from ruleengine.drawing import Form, Manner, Paper, shown
from tests.flowchart.shipped import GAMES, compiled
from tests.flowchart.written import written

needs_renderer = pytest.mark.skipif(
    not svg.renderers(svg.Format.SVG), reason="no renderer is installed here"
)
SMALLEST = 0.4  # of a sheet of A4: letters of 11 points are 4.4 there
NARROWEST, WIDEST = 0.22, 2.5  # widths in heights

OPTIONS = "".join(
    f"""
            way_{number} "Way {number}"
                "Step 0 of {number}"
                    rounds = 1
                if score is {number} "Is it {number}?"
                    "Step 1 of {number}"
                        rounds = 2
                else
                    "Step 2 of {number}"
                        rounds = 3
                "Step 3 of {number}"
                    rounds = 4"""
    for number in range(9)
)
LARGE = f"""
    start
        -> turn
    phase turn "Turn"
        active chooses "Which way?"{OPTIONS}
        -> turn
"""


def charts(graph: Graph, level: Level) -> tuple[Chart, ...]:
    """The charts of the sheets of a game."""
    return tuple(laid.chart for laid in sheets(graph, level))


def test_a_large_phase_is_several_sheets() -> None:
    """A phase of more boxes than a page holds is taken apart at its options."""
    found = charts(written(LARGE), Level.STEPS)
    names = [page.page or page.phase for page in found]

    assert names[0] == "start"
    assert names[1:] == [f"turn-{number}" for number in range(1, len(names))]
    assert len(names) > 2
    assert all(len(page.nodes) <= MOST for page in found)


def test_connectors_lead_both_ways() -> None:
    """Each arrow to another sheet ends in a box that names that, and comes from one there."""
    found = {page.page: page for page in charts(written(LARGE), Level.STEPS) if page.page}
    there = Counter(
        (page.page, box.target)
        for page in found.values()
        for box in page.nodes
        if box.kind is Kind.EXIT and box.is_connector
    )
    back = Counter(
        (box.target, page.page)
        for page in found.values()
        for box in page.nodes
        if box.kind is Kind.ENTRY and box.is_connector
    )

    assert set(there) == set(back)
    assert {target for _, target in there} <= set(found)


def test_a_connector_says_what_it_stands_for() -> None:
    """A connector has the words of the box on the other page, and the number of that page."""
    first, second, *_ = [page for page in charts(written(LARGE), Level.STEPS) if page.page]
    leads = [box for box in first.nodes if box.target == second.page]
    comes = [box for box in second.nodes if box.target == first.page]

    assert [box.sub for box in leads] == ["page 2"] * len(leads)
    assert leads[0].label.startswith("Step 0 of ")
    assert comes[0].label.startswith("active player: Which way?\nWay ")


def test_no_way_is_lost_between_sheets() -> None:
    """Each arrow of the phase is on one sheet, with the ways of the graph that it goes along."""
    graph = written(LARGE)
    whole = chart(graph, phase="turn")
    found = [page for page in charts(graph, Level.STEPS) if page.phase == "turn"]

    assert Counter(arrow.ways for arrow in whole.edges if arrow.ways) == Counter(
        arrow.ways for page in found for arrow in page.edges if arrow.ways
    )
    boxes = {box.id for page in found for box in page.nodes}
    assert {box.id for box in whole.nodes} <= boxes


def test_what_is_laid_over_stays_with_its_box() -> None:
    """Counts that are laid over a phase are the same on its sheets."""
    graph = written(LARGE)
    counts = Passages({node.id: node.id for node in graph.nodes}, {})

    def lay(page: Chart) -> Overlaid:
        return heat(graph, page, counts, "How often")

    whole = lay(chart(graph, phase="turn")).overlay
    assert whole is not None
    for laid in sheets(graph, Level.STEPS, lay, "turn"):
        assert laid.overlay is not None
        assert laid.overlay.boxes
        assert all(whole.boxes[id_] == mark for id_, mark in laid.overlay.boxes.items())


def test_a_phase_is_found_on_its_first_page() -> None:
    """Who looks for a phase is led to its first page; who looks for a page, to that."""
    turn = chart(compiled("klink").graph, phase="turn")
    found = places([evolve(turn, page="turn-1"), evolve(turn, nodes=(), page="turn-2")])

    assert [found.get(name) for name in ("turn", "turn-1", "turn-2", "end")] == [
        "turn-1",
        "turn-1",
        "turn-2",
        None,
    ]


@needs_renderer
def test_a_rulebook_is_printed_as_one_page() -> None:
    """HTML for paper has a section for each sheet, and connectors lead to some of these."""
    made = compiled("jinks")
    page = shown(made, Form.HTML, manner=Manner(paper=Paper.A4))
    assert isinstance(page, bytes)
    names = [one.page or one.phase or "" for one in charts(made.graph, Level.STEPS)]
    sections = re.findall(rb'<section id="?([\w-]+)"? class="?(?:upright|lying)"?>', page)
    led = set(re.findall(rb'xlink:href="#([^"]*)"', page))

    assert sections == [b"overview", *(name.encode() for name in names)]
    assert led <= set(sections)
    assert page.count(b"<svg ") == len(sections)


@pytest.mark.parametrize(
    ("game", "tight"),
    [("klink", ["use_ability-1"]), ("highjinks", ["main_phase-1"]), ("jinks", [])],
)
def test_letters_of_five_points(game: str, tight: list[str]) -> None:
    """Sheets are taken apart until no letters have less than 5 points; a long menu stays whole."""
    found = charts(compiled(game).graph, Level.STEPS)

    assert [page.page or page.phase for page in found if burden(page) > 1] == tight


def unfit(page: Chart) -> str:
    """What is wrong with a sheet for print; nothing if it is fit."""
    made = svg.render(dot.ladder(page), len(page.edges))
    assert isinstance(made, bytes)
    size = re.search(rb'<svg width="(\d+)pt" height="(\d+)pt"', made)
    assert size is not None
    width, height = int(size[1]), int(size[2])
    wrong = [
        f"{len(page.nodes)} boxes" if len(page.nodes) > MOST else "",
        f"{width} x {height}" if Extent(width, height).scale < SMALLEST else "",
        f"{width / height:.2f}" if not NARROWEST <= width / height <= WIDEST else "",
        f"{clashes(made)} clashes" if clashes(made) else "",
    ]
    return ", ".join(filter(None, wrong))


@pytest.mark.long
@needs_renderer
@pytest.mark.parametrize("level", Level, ids=lambda level: level.value)
@pytest.mark.parametrize("game", GAMES)
def test_every_sheet_is_fit_for_print(game: str, level: Level) -> None:
    """On no sheet of any game, on any level, are boxes too many, letters too small, or clashes."""
    found = {page.page or page.phase: unfit(page) for page in charts(compiled(game).graph, level)}

    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("level", Level, ids=lambda level: level.value)
@pytest.mark.parametrize("game", GAMES)
def test_every_sheet_has_few_boxes(game: str, level: Level) -> None:
    """No sheet of any game has more boxes than a reader can take in."""
    assert max(len(page.nodes) for page in charts(compiled(game).graph, level)) <= MOST
