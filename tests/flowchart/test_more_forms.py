"""Charts for wikis, on dark ground, and as a page to move about in."""

import json
import re

import pytest

from compiler.flowchart import dot, mermaid, night, page, svg
from compiler.flowchart.chart import chart
from compiler.flowchart.overlay import Overlaid
from tests.flowchart.written import written

RULES = """
    start
        "Deal" @SM-1
            shuffle deck
        -> turn
    phase turn "Turn"
        active chooses "Keep [it] or pass?"
            keep "Keep"
                end winners [active]
            hand_on "Hand on"
                active = next(active)
        -> turn
"""
GRAPH = written(RULES)

needs_renderer = pytest.mark.skipif(
    not svg.renderers(svg.Format.SVG), reason="no renderer is installed here"
)


def test_mermaid() -> None:
    """Boxes go by number, with their ids beside them; quotes and brackets are number codes."""
    lines = mermaid.text(chart(GRAPH, phase="turn")).splitlines()

    assert lines[:4] == ["---", "title: 'Small: Turn, steps, 2 players'", "---", "flowchart TD"]
    assert lines[8:10] == ['  subgraph f1["Turn"]', "    direction TB"]
    assert '    n3["active player: Keep #91;it#93; or pass?"]' in lines
    assert '  n3 ==>|"Keep"| n4' in lines
    assert "    %% turn.keep_it_or_pass" in lines
    assert lines.count("  end") == 1


def test_every_colour_turns_for_dark_ground() -> None:
    """White paper becomes the ground, and no colour of the light drawing is left on it."""
    light = dot.draw(chart(GRAPH))
    dark = night.darkened(light)

    assert f'bgcolor="{night.GROUND}"' in dark
    assert "#ffffff" in light
    assert night.colours(dark) & {"#fbfbfc", "#dbeafe", "#4b5563"} == frozenset()


@needs_renderer
def test_a_picture_may_be_both() -> None:
    """An SVG says how each of its colours looks on a dark screen; its drawing is the same."""
    texts = dot.ladder(chart(GRAPH))
    picture = svg.render(texts, len(chart(GRAPH).edges))
    assert isinstance(picture, bytes)
    both = night.both(picture).decode()

    assert both.count("<style>") == 1
    assert "prefers-color-scheme: dark" in both
    assert all(
        f'[fill="{colour}"]' in both for colour in re.findall(r'fill="(#\w{6})"', picture.decode())
    )
    assert re.sub(r"<style>.*?</style>", "", both).split() == picture.decode().split()


@needs_renderer
def test_a_page_knows_every_box_and_arrow() -> None:
    """The page's data name each box and arrow that is drawn, and clauses by their texts."""
    charts = [Overlaid(chart(GRAPH, phase=name)) for name in ("start", "turn")]
    written_ = page.page(charts, dot.Links({"SM-1": "Deal </script> all."}))
    assert isinstance(written_, bytes)
    text = written_.decode()
    found = re.search(r'<script type="?application/json"? id="?data"?>(.*?)</script>', text)
    assert found is not None
    data = json.loads(found[1])

    drawn = set(re.findall(r'data-id="([^"]+)" data-card="([^"]+)"', text))
    assert {tuple(one["id"].split("/")[::-1]) for one in data["boxes"] + data["arrows"]} == drawn
    assert data["clauses"] == {"SM-1": "Deal </script> all."}
    assert text.count("<details") == 2


@needs_renderer
def test_a_page_fetches_nothing() -> None:
    """No address of the network is in the page but the name of the language of drawings."""
    written_ = page.page([Overlaid(chart(GRAPH))], dot.NO_LINKS)
    assert isinstance(written_, bytes)

    assert set(re.findall(rb"(?:https?:)?//[\w.]+", written_)) <= {b"http://www.w3.org"}
    assert b"<link" not in written_
    assert b"src=" not in written_
