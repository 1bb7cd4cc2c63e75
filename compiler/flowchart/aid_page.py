"""A player aid on one sheet of A4, or two: as SVG, and as HTML that prints so.

The letters are as large as lets everything fit; lines are measured as Arial runs on average.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from attrs import evolve, frozen

from compiler.flowchart import dot, svg
from compiler.flowchart.aid import Aid, Item
from compiler.flowchart.course import INSET
from compiler.flowchart.night import colours, rules
from compiler.markup import Markup, joined, tag

_WIDE: Final = 794  # A4 at 96 pixels an inch
_HIGH: Final = 1123
_EDGE: Final = 36
_GAP: Final = 22  # between columns
_TOP: Final = 34  # for the title
_SIZES: Final = tuple(size / 4 for size in range(44, 15, -1))  # 11 to 4 pixels
_LEAST: Final = 7  # pixels that letters have on a sheet
_PLAY: Final = 2  # sections that tell how to play: they stand on the first of two sheets
_LETTER: Final = 0.52  # width of an average letter, in sizes
_LEADING: Final = 1.27
_MOST: Final = 430  # pixels that the chart may be high
_LARGE: Final = 640  # on a sheet of its own
_SHARE: Final = 0.9  # of its size as drawn that the chart has at most
_INK, _FAINT, _LINE = "#111827", "#4b5563", "#9ca3af"

_ROOT: Final = re.compile(
    r'<svg width="(\d+)pt" height="(\d+)pt"\s+viewBox="([^"]+)"[^>]*>(.*)</svg>', re.DOTALL
)


@frozen
class _Row:
    """One line of print: its words, how far in, how heavy; nothing for a small gap."""

    words: str = ""
    inset: float = 0
    bold: bool = False
    faint: str = ""  # behind the words, smaller
    rule: bool = False  # a line above: a section begins


@frozen
class _Drawn:
    """A chart that is drawn: its size on the sheet, and what stands in its SVG."""

    width: float
    height: float
    view: str
    inside: str

    def within(self, most: float) -> "_Drawn":
        """As large as a sheet has room for, at most so high."""
        scale = min(_SHARE, (_WIDE - 2 * _EDGE) / self.width, most / self.height)
        return evolve(self, width=self.width * scale, height=self.height * scale)


@frozen
class _Sheet:
    """What stands on one sheet: some sections, their letters in pixels, perhaps the chart."""

    aid: Aid
    size: float
    columns: Sequence[Sequence[_Row]]
    drawn: _Drawn | None


def sheet(
    aid: Aid, choice: svg.Choice = svg.Choice.AUTO
) -> bytes | svg.RendererMissing | svg.RenderFailed:
    """The aid as an SVG of one sheet, or of two beside each other, to be folded."""
    sheets = _sheets(aid, choice)
    if not isinstance(sheets, tuple):
        return sheets
    wide = len(sheets) * _WIDE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{210 * len(sheets)}mm" height="297mm" viewBox="0 0 {wide} {_HIGH}" '
        f'font-family="Arial, Helvetica, sans-serif">',
        f"<title>{escape(aid.title)}: player aid</title>",
        f'<rect width="{wide}" height="{_HIGH}" fill="#ffffff"/>',
    ]
    for number, one in enumerate(sheets):
        parts += _printed(one, number * _WIDE)
    return ("\n".join(parts) + "</svg>\n").encode()


def _printed(sheet_: _Sheet, left: float) -> Iterator[str]:
    """One sheet, so far from the left: its title, two columns, the chart at the foot."""
    yield (
        f'<text x="{left + _EDGE}" y="{_EDGE + 16}" font-size="20" font-weight="bold" '
        f'fill="{_INK}">{escape(sheet_.aid.title)}</text>'
    )
    yield (
        f'<text x="{left + _WIDE - _EDGE}" y="{_EDGE + 16}" font-size="11" text-anchor="end" '
        f'fill="{_FAINT}">{escape(sheet_.aid.subtitle)}</text>'
    )
    wide = (_WIDE - 2 * _EDGE - _GAP) / 2
    for number, rows in enumerate(sheet_.columns):
        at = left + _EDGE + number * (wide + _GAP)
        yield from _column(rows, at, _EDGE + _TOP, wide, sheet_.size)
    drawn = sheet_.drawn
    if drawn is not None:
        across, top = left + (_WIDE - drawn.width) / 2, _HIGH - _EDGE - drawn.height
        yield (
            f'<svg x="{across:.1f}" y="{top:.1f}" width="{drawn.width:.1f}" '
            f'height="{drawn.height:.1f}" viewBox="{drawn.view}">{drawn.inside}</svg>'
        )


def page(
    aid: Aid, choice: svg.Choice = svg.Choice.AUTO
) -> bytes | svg.RendererMissing | svg.RenderFailed:
    """The aid as HTML: text that can be searched and enlarged, and its sheets when printed."""
    sheets = _sheets(aid, choice)
    if not isinstance(sheets, tuple):
        return sheets
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{aid.title}: player aid"),
        tag("style", Markup(_style(sheets))),
    )
    body = tag(
        "body", tag("h1", aid.title), tag("p", aid.subtitle), (_in_html(one) for one in sheets)
    )
    return ("<!DOCTYPE html>\n" + tag("html", head, body, lang="en") + "\n").encode()


def _in_html(sheet_: _Sheet) -> Markup:
    sections = [
        joined(tag("h2", section.title), tag("dl", map(_shown, section.items)))
        for section in sheet_.aid.sections
        if section.items
    ]
    drawn = sheet_.drawn
    if drawn is None:
        return tag("section", tag("div", sections, class_="text"))
    picture = Markup(
        f'<svg width="{drawn.width:.0f}" height="{drawn.height:.0f}" '
        f'viewBox="{drawn.view}" role="img" aria-label="Overview">{drawn.inside}</svg>'
    )
    return tag("section", tag("div", sections, class_="text"), tag("figure", picture))


def _style(sheets: Sequence[_Sheet]) -> str:
    """CSS: on paper each sheet has letters as large as fit."""
    drawn = next(one.drawn for one in sheets if one.drawn is not None)
    night = rules(colours(drawn.inside), "figure")
    sizes = "".join(
        f"section:nth-of-type({number}){{font-size:{one.size * 0.97:.2f}px}}"
        for number, one in enumerate(sheets, 1)
    )
    return (
        ":root{color-scheme:light dark}body{font:15px/1.4 Arial,Helvetica,sans-serif;"
        "max-width:70rem;margin:1.5rem auto;padding:0 1rem}h1{font-size:1.5em;margin:0}"
        "h2{font-size:1.1em;border-top:1px solid #9ca3af;margin:.6em 0 .2em;padding-top:.2em}"
        ".text{columns:2 20rem;column-gap:2rem}dl{margin:0}dt{font-weight:bold}"
        "dt small{font-weight:normal;opacity:.75}dd{margin:0 0 0 1em;text-indent:-.5em}"
        "dt,dd{break-inside:avoid}h2,dt{break-after:avoid}figure{margin:1rem 0;text-align:center}"
        "figure svg{max-width:100%;height:auto}"
        f"@media screen and (prefers-color-scheme:dark){{{night}}}"
        f"@page{{size:A4;margin:{_EDGE * 0.26:.0f}mm}}@media print{{body{{margin:0;padding:0;"
        f"font-size:{sheets[0].size * 0.97:.2f}px;max-width:none}}"
        f"section+section{{break-before:page}}{sizes}.text{{columns:2;column-gap:{_GAP}px}}"
        f"figure{{margin:{_GAP / 2}px 0 0}}figure svg{{max-height:{drawn.height:.0f}px}}}}"
    )


def _shown(item: Item) -> Markup:
    cited = joined(" ", tag("small", " ".join(item.clauses))) if item.clauses else None
    lines = [tag("dd", line.lstrip(INSET), style=_further_in(line)) for line in item.lines]
    if not item.head:
        return joined(*(tag("dd", line, cited) for line in item.lines))
    return joined(tag("dt", item.head, cited), lines)


def _further_in(line: str) -> str | None:
    depth = _depth(line)
    return f"margin-left:{1 + depth}em" if depth else None


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(INSET))


def _drawn(aid: Aid, choice: svg.Choice) -> _Drawn | svg.RendererMissing | svg.RenderFailed:
    """The chart of an aid, as large as it was drawn."""
    texts = dot.ladder(aid.chart, legend=False, titled=False)
    picture = svg.render(texts, len(aid.chart.edges), choice=choice)
    if not isinstance(picture, bytes):
        return picture
    found = _ROOT.search(picture.decode())
    if found is None:
        return svg.RenderFailed("the renderer", "its SVG has no size in points")
    width, height = (int(side) * 4 / 3 for side in found.group(1, 2))
    return _Drawn(width, height, found[3], found[4])


# ---- setting the text


def _sheets(
    aid: Aid, choice: svg.Choice
) -> tuple[_Sheet, ...] | svg.RendererMissing | svg.RenderFailed:
    """An aid on one sheet if its letters are large enough, else on two: play, then the rest."""
    whole = _drawn(aid, choice)
    if not isinstance(whole, _Drawn):
        return whole
    one = _set(aid, whole.within(_MOST))
    if one.size >= _LEAST:
        return (one,)
    rest = (*aid.sections[_PLAY:-1], aid.words)
    first = evolve(aid, subtitle=f"{aid.subtitle}, 1 of 2", sections=aid.sections[:_PLAY])
    other = evolve(aid, subtitle=f"{aid.subtitle}, 2 of 2", sections=rest)
    return (_set(first, None), _set(other, whole.within(_LARGE)))


def _set(aid: Aid, drawn: _Drawn | None) -> _Sheet:
    """A sheet with letters as large as fit."""
    room = _HIGH - 2 * _EDGE - _TOP - (0 if drawn is None else drawn.height + _GAP)
    size, columns = _fitted(aid, room)
    return _Sheet(aid, size, columns, drawn)


def _fitted(aid: Aid, room: float) -> tuple[float, Sequence[Sequence[_Row]]]:
    """The largest size at which the text fits two columns that are so high, and the columns."""
    wide = (_WIDE - 2 * _EDGE - _GAP) / 2
    for size in _SIZES:
        columns = _columns(list(_rows(aid, int(wide / (size * _LETTER)))))
        if max(map(len, columns)) <= int(room / (size * _LEADING)):
            return size, columns
    return _SIZES[-1], _columns(list(_rows(aid, int(wide / (_SIZES[-1] * _LETTER)))))


def _columns(rows: list[_Row]) -> tuple[list[_Row], list[_Row]]:
    """The rows in two columns of about the same height; no title stands last in the first."""
    half = -(-len(rows) // 2)
    while half > 1 and (rows[half - 1].bold or rows[half - 1].rule):
        half -= 1
    return rows[:half], rows[half:]


def _rows(aid: Aid, letters: int) -> Iterator[_Row]:
    for section in aid.sections:
        if not section.items:
            continue
        yield _Row(rule=True)
        yield _Row(section.title, bold=True)
        for item in section.items:
            yield from _item(item, letters)


def _item(item: Item, letters: int) -> Iterator[_Row]:
    cited = " ".join(item.clauses)
    lines = [part for line in item.head.splitlines() for part in textwrap.wrap(line, letters - 4)]
    for number, line in enumerate(lines, 1):
        last = number == len(lines)
        fits = len(line) + len(cited) < letters * 0.95
        yield _Row(line, bold=True, faint=cited if last and fits else "")
        if last and cited and not fits:
            yield from (_Row("", 1, faint=part) for part in textwrap.wrap(cited, letters))
    for line in item.lines:
        depth = _depth(line)
        for number, part in enumerate(textwrap.wrap(line[depth:], letters - 3 - 2 * depth)):
            yield _Row(part, depth + (1 if number == 0 else 1.8))


def _column(
    rows: Sequence[_Row], left: float, top: float, wide: float, size: float
) -> Iterator[str]:
    for number, row in enumerate(rows):
        base = top + (number + 0.8) * size * _LEADING
        if row.rule:
            yield (
                f'<path d="M{left:.1f} {base:.1f}h{wide:.1f}" stroke="{_LINE}" stroke-width="0.8"/>'
            )
        if row.words or row.faint:
            weight = ' font-weight="bold"' if row.bold else ""
            faint = f'<tspan font-weight="normal" fill="{_FAINT}" font-size="{size * 0.8:.2f}">'
            cited = f"{faint}  {escape(row.faint)}</tspan>" if row.faint else ""
            yield (
                f'<text x="{left + row.inset * size:.1f}" y="{base:.1f}" font-size="{size:.2f}" '
                f'fill="{_INK}" xml:space="preserve"{weight}>{escape(row.words)}{cited}</text>'
            )
