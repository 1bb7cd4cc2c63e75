"""What stands around a drawing: which box means what, what marks mean, what words mean."""

from collections.abc import Callable, Iterator
from typing import Final

from attrs import evolve, frozen

from compiler.flowchart import tones
from compiler.flowchart.entities import entities, small
from compiler.flowchart.lettering import wrapped
from compiler.flowchart.looks import INK, LEGEND, LINE, LOOKS, PAPER, STUB, Look
from compiler.flowchart.model import Chart, Kind, Meaning
from compiler.flowchart.overlay import Overlay
from compiler.graph.core import Clauses

_UPRIGHT: Final = 4  # boxes beside one another
_WORD: Final = 26  # letters of a line of a word
_SAID: Final = 76  # of what it means
_MARGINS: Final = {"diamond": "0,0", "hexagon": "0.02,0.03", "cds": "0.1,0.08", "invhouse": "0,0"}
_ROOM: Final = {"diamond": "0.45", "invhouse": "0.4"}  # inches of height that words need there


@frozen
class Sample:
    """A box of the legend: its name, its words, how it looks."""

    name: str
    words: str
    look: Look

    @property
    def attributes(self) -> dict[str, str]:
        """What makes it smaller than a box of the chart."""
        shape = self.look.shape
        return {
            "margin": _MARGINS.get(shape, "0.08,0.04"),
            "height": _ROOM.get(shape, "0.25"),
            "width": "0.4",
        }

    @property
    def label(self) -> str:
        """Its words; a ring has room for none."""
        lines = wrapped(self.words, 12) if self.look.shape == "diamond" else [self.words]
        return "<br/>".join(small(line, colour=self.look.ink) for line in lines)


def samples(chart: Chart, returns: bool) -> tuple[Sample, ...]:
    """The kinds of boxes that occur; `returns` if arrows back are written instead of drawn."""
    kinds = {node.kind for node in chart.nodes}
    found = [Sample(kind.value, LEGEND[kind], LOOKS[kind]) for kind in Kind if kind in kinds]
    if returns:
        found.append(Sample("stub", "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK} back to", STUB))
    if any(node.hidden for node in chart.nodes):
        found.append(Sample("hidden", "not seen by all", Look("box", PAPER, LINE, "filled,dashed")))
    return tuple(evolve(one, name=f"legend_{one.name}") for one in found)


def rows(found: tuple[Sample, ...]) -> Iterator[tuple[Sample, ...]]:
    """A legend's boxes, a few beside one another, about as many in each row."""
    many = -(-len(found) // _UPRIGHT)
    each = -(-len(found) // max(many, 1))
    for at in range(0, len(found), each or 1):
        yield found[at : at + each]


def meanings_table(
    meanings: tuple[Meaning, ...], columns: int, cited: Callable[[Clauses], str]
) -> str:
    """What words mean, as an HTML-like table; of many, in columns of about one height."""
    tables = [
        f'<table border="0" cellspacing="0" cellpadding="2">'
        f"{''.join(_meaning_row(meaning, cited) for meaning in column)}</table>"
        for column in _in_columns(meanings, columns)
    ]
    if len(tables) < 2:
        return "".join(tables)
    cells = "".join(f'<td valign="top">{table}</td>' for table in tables)
    return f'<table border="0" cellspacing="12"><tr>{cells}</tr></table>'


def _in_columns(meanings: tuple[Meaning, ...], columns: int) -> Iterator[list[Meaning]]:
    """Words in columns, in their order, none of them higher than its share but for its last."""
    share = -(-sum(map(lines_of, meanings)) // columns)
    column: list[Meaning] = []
    for meaning in meanings:
        if sum(map(lines_of, column)) >= share:
            yield column
            column = []
        column.append(meaning)
    if column:
        yield column


def lines_of(meaning: Meaning) -> int:
    """How many lines a word takes with what it means."""
    return max(len(wrapped(meaning.word, _WORD)), len(wrapped(meaning.means, _SAID)))


def _meaning_row(meaning: Meaning, cited: Callable[[Clauses], str]) -> str:
    lines = [small(line, colour=INK) for line in wrapped(meaning.word, _WORD)]
    word = "<br align='left'/>".join(lines)
    said = [small(line) for line in wrapped(meaning.means, _SAID)]
    if meaning.clauses:
        said[-1] += f" &#160; {small(cited(meaning.clauses))}"
    told = "".join(f"{line}<br align='left'/>" for line in said)
    return f'<tr><td align="right" valign="top"><b>{word}</b></td><td align="left">{told}</td></tr>'


def overlay_table(overlay: Overlay) -> str:
    """What an overlay is, and each of its marks in its colours, as an HTML-like table."""
    cells = [f"<td><b>{small(overlay.title, 10, INK)}</b></td>"]
    for mark, words in overlay.legend:
        ground, line, width, dashed = tones.cell(mark)
        style = ' style="dashed"' if dashed else ""
        said = f"{mark.badge}  {words}" if mark.badge else words
        text = small(said, colour=tones.ink_of(mark))
        cells.append(f'<td border="{width}" bgcolor="{ground}" color="{line}"{style}>{text}</td>')
    return f'<table border="0" cellspacing="4" cellpadding="3"><tr>{"".join(cells)}</tr></table>'


def titled(text: str, more: str) -> str:
    """A title with what stands beside it in smaller letters."""
    return f"<b>{entities(text)}</b> &#160; {more}"
