"""The charts on a rulebook's page: the game at a glance, then whole or by its main phases.

A picture carries the mark of what it says: boxes, arrows and clauses as text.  So whether it is
current can be told without drawing it again, and depends neither on how charts look nor on which
Graphviz drew it.
"""

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from attrs import frozen

from compiler.flowchart.chart import Chart, Level, chart, pages
from compiler.flowchart.text import text
from compiler.pipeline import Compiled
from ruleengine.drawing import Form, Undrawn, drawn

_LEAST: Final = 7  # boxes of a phase that is worth a picture
_MOST: Final = 8  # phases of a game that get one
_MARK: Final = re.compile(rb"<!-- drawn from ([0-9a-f]+) -->\s*$")


@frozen
class Sketch:
    """A chart of a page: its file there, its title, what it was drawn from."""

    file: str
    title: str
    chart: Chart
    mark: str


def sketches(compiled: Compiled) -> tuple[Sketch, ...]:
    """The charts of a game, in the order of the page."""
    return tuple(_sketches(compiled))


def _sketches(compiled: Compiled) -> Iterator[Sketch]:
    graph = compiled.graph
    name = compiled.spec.name
    yield _sketch(f"{name}-overview.svg", "Overview", chart(graph, Level.OVERVIEW))
    whole = pages(graph)
    if len(whole) == 1:
        yield _sketch(f"{name}-game.svg", "The whole game", whole[0])
        return
    worth = sorted((page for page in whole if len(page.nodes) >= _LEAST), key=_boxes, reverse=True)
    for page in whole:
        if page in worth[:_MOST]:
            phase = page.nodes[0].phase
            yield _sketch(f"{name}-{phase}.svg", page.subtitle.split(", ")[0], page)


def _boxes(page: Chart) -> int:
    return len(page.nodes)


def _sketch(file: str, title: str, page: Chart) -> Sketch:
    return Sketch(file, title, page, sha256(text(page).encode()).hexdigest()[:16])


def picture(compiled: Compiled, sketch: Sketch) -> bytes | Undrawn:
    """A chart as SVG with its mark; what stood in the way if it could not be drawn."""
    found = drawn(compiled, sketch.chart, Form.SVG)
    if not isinstance(found, bytes):
        return found
    return found.rstrip() + f"\n<!-- drawn from {sketch.mark} -->\n".encode()


def mark_of(picture_: bytes) -> str:
    """What a picture was drawn from; nothing if it does not say."""
    found = _MARK.search(picture_)
    return found[1].decode() if found else ""
