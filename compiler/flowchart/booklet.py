"""The sheets of a game as one HTML page that prints them, each upright or lying, as it fits better.

On a screen they stand below one another; connectors and calls lead to the sheets they name.
"""

import re
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from compiler.flowchart import dot, svg
from compiler.flowchart.overlay import Overlaid
from compiler.flowchart.sheets import name_of, places
from compiler.markup import Markup, joined, tag

_FOOT: Final = 7  # millimetres below a drawing, for the sheet's number
_INCH: Final = 25.4
_ROOT: Final = re.compile(r'<svg width="(\d+)pt" height="(\d+)pt"')
_NEEDLESS: Final = re.compile(r' id="[^"]*"| xml:space="preserve"| font-family="[^"]*"')


@frozen
class Stock:
    """The paper: its name in CSS, the sides of a sheet inside its white edges, in millimetres."""

    name: str
    narrow: float
    long: float
    edge: float


@frozen
class Sheet:
    """A drawing on its sheet."""

    place: str
    picture: Markup
    lies: bool


def booklet(
    pages: Sequence[Overlaid],
    links: dot.Links,
    stock: Stock,
    choice: svg.Choice = svg.Choice.AUTO,
) -> bytes | svg.RendererMissing | svg.RenderFailed:
    """The page of some sheets of one game; what stood in the way otherwise."""
    where = {name: f"#{place}" for name, place in places(page.chart for page in pages).items()}
    leading = dot.Links(links.clauses, links.address, where.get)

    def draw(page: Overlaid) -> bytes | svg.RendererMissing | svg.RenderFailed:
        texts = dot.ladder(page.chart, leading, overlay=page.overlay)
        return svg.render(texts, len(page.chart.edges), choice=choice)

    sheets: list[Sheet] = []
    for page, picture in zip(pages, svg.drawn_beside(draw, pages), strict=True):
        if not isinstance(picture, bytes):
            return picture
        sheets.append(_sheet(name_of(page.chart), picture.decode(), stock))
    title = f"{pages[0].chart.title}: flowchart"
    return ("<!DOCTYPE html>\n" + _document(title, sheets, stock)).encode()


def _sheet(place: str, picture: str, stock: Stock) -> Sheet:
    """A drawing as large as its sheet holds, but not larger than it was drawn."""
    text = picture[picture.index("<svg") :]
    found = _ROOT.match(text)
    if found is None:
        raise ValueError("an SVG without a size in points")
    width, height = int(found[1]), int(found[2])
    lies = width > height
    wide, high = (stock.long, stock.narrow) if lies else (stock.narrow, stock.long)
    scale = min(wide / width, (high - _FOOT) / height, _INCH / 72)
    sides = f'<svg width="{width * scale:.1f}mm" height="{height * scale:.1f}mm"'
    return Sheet(place, Markup(_ROOT.sub(sides, _NEEDLESS.sub("", text), count=1)), lies)


def _document(title: str, sheets: Sequence[Sheet], stock: Stock) -> Markup:
    shown = [_section(sheet, number, len(sheets)) for number, sheet in enumerate(sheets, 1)]
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(_style(stock))),
    )
    return tag("html", head, tag("body", shown), lang="en")


def _section(sheet: Sheet, number: int, of: int) -> Markup:
    foot = tag("footer", f"{number} of {of}")
    manner = "lying" if sheet.lies else "upright"
    return tag("section", joined(sheet.picture, foot), id=sheet.place, class_=manner)


def _style(stock: Stock) -> str:
    """CSS: a sheet of paper for each section, on screens with a shadow."""
    narrow, long = stock.narrow, stock.long
    return (
        f"@page upright{{size:{stock.name} portrait;margin:{stock.edge}mm}}"
        f"@page lying{{size:{stock.name} landscape;margin:{stock.edge}mm}}"
        "svg text{white-space:pre}"
        "body{margin:0;font-family:Arial,Helvetica,sans-serif;background:#fff;color:#111827}"
        "section{display:flex;flex-direction:column;align-items:center;break-after:page;"
        "break-inside:avoid;overflow:hidden}section:last-child{break-after:auto}"
        f".upright{{page:upright;width:{narrow}mm;height:{long - 1}mm}}"
        f".lying{{page:lying;width:{long}mm;height:{narrow - 1}mm}}"
        "footer{margin-top:auto;font-size:8pt;color:#6b7280}"
        f"@media screen{{body{{background:#e5e7eb}}section{{background:#fff;margin:5mm auto;"
        f"padding:{stock.edge}mm;box-shadow:0 1px 4px #0004}}}}"
    )
