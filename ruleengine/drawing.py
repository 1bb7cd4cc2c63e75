"""Charts of a game in the formats people ask for."""

import json
import re
from collections.abc import Callable
from enum import Enum
from typing import Final, assert_never

from attrs import frozen

from compiler.flowchart import aid_page, booklet, dot, json_form, mermaid, page, svg
from compiler.flowchart import text as indented
from compiler.flowchart.aid import aid as player_aid
from compiler.flowchart.chart import chart, each, few, phases
from compiler.flowchart.model import Chart, Level
from compiler.flowchart.night import both, darkened
from compiler.flowchart.overlay import Overlaid, Passages, heat
from compiler.flowchart.sheets import sheets
from compiler.pipeline import Compiled, Spec
from compiler.render import SCHEMA_VERSION


class Form(Enum):
    """How a chart is written; the value is the file's suffix."""

    SVG = "svg"
    PNG = "png"
    PDF = "pdf"
    HTML = "html"
    DOT = "dot"
    MERMAID = "mmd"
    JSON = "json"
    TEXT = "txt"


class Theme(Enum):
    """What ground a picture is for; `AUTO` is light on paper, and on screens what they are."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


class Paper(Enum):
    """A sheet that a picture is to fit; the value is its width and height in millimetres."""

    A4 = (210, 297)
    LETTER = (216, 279)


_CSS: Final = {Paper.A4: "A4", Paper.LETTER: "letter"}
_EDGE: Final = 10  # millimetres of a sheet that stay white, on each side
_INCH: Final = 25.4

Undrawn = svg.RendererMissing | svg.RenderFailed


@frozen
class Manner:
    """How a picture is made: by which program, for which ground and sheet.

    `page` is the address of the page of another phase, if there is one.
    """

    choice: svg.Choice = svg.Choice.AUTO
    theme: Theme = Theme.AUTO
    paper: Paper | None = None
    page: Callable[[str], str | None] | None = None


PLAIN: Final = Manner()


def links(spec: Spec, page: Callable[[str], str | None] | None = None) -> dot.Links:
    """What boxes tell of the clauses they cite: the texts of a spec's table."""
    return dot.Links(clause_texts(spec), page=page)


def clause_texts(spec: Spec) -> dict[str, str]:
    """The clauses and rulings of a spec's table by their ids."""
    if spec.catalogue is None:
        return {}
    texts = {clause.id: clause.text for clause in spec.catalogue.clauses.values()}
    return texts | {ruling.id: ruling.question for ruling in spec.catalogue.rulings.values()}


def drawn(
    compiled: Compiled, drawing: Chart | Overlaid, form: Form, manner: Manner = PLAIN
) -> bytes | Undrawn:
    """A chart of a game in one format; what stood in the way if a picture could not be drawn."""
    laid = drawing if isinstance(drawing, Overlaid) else Overlaid(drawing)
    match form:
        case Form.TEXT:
            return indented.text(laid.chart, laid.overlay).encode()
        case Form.JSON:
            entry = {"name": compiled.spec.name, **json_form.entry(laid.chart, laid.overlay)}
            document = {"schema_version": SCHEMA_VERSION, "specs": [entry]}
            return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
        case Form.DOT:
            text = dot.draw(laid.chart, links(compiled.spec, manner.page), overlay=laid.overlay)
            return (darkened(text) if manner.theme is Theme.DARK else text).encode()
        case Form.MERMAID:
            return mermaid.text(laid.chart).encode()
        case Form.HTML:
            return page.page((laid,), links(compiled.spec), manner.choice)
        case Form.SVG | Form.PNG | Form.PDF:
            return _picture(compiled, laid, svg.Format(form.value), manner)
        case _:
            assert_never(form)


def page_of(
    compiled: Compiled,
    level: Level = Level.STEPS,
    phase: str | None = None,
    lay: Callable[[Chart], Overlaid] = Overlaid,
    manner: Manner = PLAIN,
) -> bytes | Undrawn:
    """The page of a game to move about in: an overview, then a card for each phase that is drawn.

    A game of one phase, or one phase of a game, is one card.
    """
    if phase is not None:
        charts = [_chart(compiled, level, phase)]
    else:
        charts = [_chart(compiled, level)]
        if len(phases(charts[0])) > 1:
            charts = [*each(compiled.graph, level, few, shut=compiled.whole)]
            charts.insert(0, _chart(compiled, Level.OVERVIEW))
    return page.page(tuple(map(lay, charts)), links(compiled.spec), manner.choice)


def printed(
    compiled: Compiled,
    paper: Paper,
    lay: Callable[[Chart], Overlaid] = Overlaid,
    level: Level = Level.STEPS,
    phase: str | None = None,
    manner: Manner = PLAIN,
) -> bytes | Undrawn:
    """A game as one HTML page that prints all its sheets, the game at a glance first."""
    pages = sheets(compiled.graph, level, lay, phase, shut=compiled.whole)
    if phase is None and len(pages) > 1:
        pages = (lay(_chart(compiled, Level.OVERVIEW)), *pages)
    narrow, long = (side - 2 * _EDGE for side in paper.value)
    stock = booklet.Stock(_CSS[paper], narrow, long, _EDGE)
    return booklet.booklet(pages, links(compiled.spec), stock, manner.choice)


def shown(
    compiled: Compiled,
    form: Form,
    lay: Callable[[Chart], Overlaid] = Overlaid,
    level: Level = Level.STEPS,
    phase: str | None = None,
    manner: Manner = PLAIN,
) -> bytes | Undrawn:
    """A game, or one phase of it, in any format, with something laid over it.

    HTML for a sheet of paper is all sheets of the game, to be printed.
    """
    if form is Form.HTML and manner.paper is not None:
        return printed(compiled, manner.paper, lay, level, phase, manner)
    if form is Form.HTML:
        return page_of(compiled, level, phase, lay, manner)
    return drawn(compiled, lay(_chart(compiled, level, phase)), form, manner)


def _chart(compiled: Compiled, level: Level, phase: str | None = None) -> Chart:
    return chart(compiled.graph, level, phase, shut=compiled.whole, inside=few)


def heated(
    compiled: Compiled,
    passages: Passages,
    title: str,
    form: Form = Form.HTML,
    level: Level = Level.STEPS,
    phase: str | None = None,
    manner: Manner = PLAIN,
) -> bytes | Undrawn:
    """How often each box was come to, as counted by whoever has played: coverage, a simulation."""

    def lay(chart_: Chart) -> Overlaid:
        return heat(compiled.graph, chart_, passages, title)

    return shown(compiled, form, lay, level, phase, manner)


def aid_of(compiled: Compiled, form: Form, manner: Manner = PLAIN) -> bytes | Undrawn:
    """The player aid of a game, as HTML or SVG."""
    aid = player_aid(compiled.graph)
    if form is Form.HTML:
        return aid_page.page(aid, manner.choice)
    return aid_page.sheet(aid, manner.choice)


def _picture(
    compiled: Compiled, laid: Overlaid, format_: svg.Format, manner: Manner
) -> bytes | Undrawn:
    """A picture, on its ground and fitted to its sheet."""
    told = links(compiled.spec, manner.page)
    texts = dot.ladder(laid.chart, told, overlay=laid.overlay)
    if manner.theme is Theme.DARK:
        texts = texts.through(darkened)
    if manner.paper is not None and format_ is svg.Format.PDF:
        whole = svg.render(texts, len(laid.chart.edges), choice=manner.choice)
        if not isinstance(whole, bytes):
            return whole
        width, height = _sheet(whole, manner.paper)
        size = f'size="{width / _INCH:.2f},{height / _INCH:.2f}"'
        texts = texts.through(lambda text: text.replace("graph [", f"graph [{size} ", 1))
    picture = svg.render(texts, len(laid.chart.edges), format_, manner.choice)
    if not isinstance(picture, bytes) or format_ is not svg.Format.SVG:
        return picture
    if manner.theme is Theme.AUTO:
        picture = both(picture)
    return picture if manner.paper is None else _fitted(picture, manner.paper)


_SIZE: Final = re.compile(rb'<svg width="(\d+)pt" height="(\d+)pt"')


def _size(picture: bytes) -> tuple[int, int]:
    """Width and height of an SVG in points."""
    found = _SIZE.search(picture)
    if found is None:
        raise ValueError("an SVG without a size in points")
    return int(found[1]), int(found[2])


def _sheet(picture: bytes, paper: Paper) -> tuple[int, int]:
    """What there is of a sheet inside its white edges, turned as the picture is, in millimetres."""
    narrow, long = (side - 2 * _EDGE for side in paper.value)
    width, height = _size(picture)
    return (long, narrow) if width > height else (narrow, long)


def _fitted(picture: bytes, paper: Paper) -> bytes:
    """An SVG as large as a sheet holds, but not larger than it was drawn."""
    width, height = _size(picture)
    wide, high = _sheet(picture, paper)
    scale = min(wide / width, high / height, _INCH / 72)
    sides = f'<svg width="{width * scale:.1f}mm" height="{height * scale:.1f}mm"'
    return _SIZE.sub(sides.encode(), picture, count=1)
