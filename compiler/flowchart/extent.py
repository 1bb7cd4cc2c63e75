"""About how large a chart is when it is drawn, so that pages can be made before anybody draws.

Boxes stand in rows, each below those that lead to it; what is measured is rows and their boxes.
All lengths are in points, of which an inch has 72.
"""

from typing import Final

from attrs import frozen

from compiler.flowchart.lettering import wrapped
from compiler.flowchart.looks import LOOKS, SMALLEST
from compiler.flowchart.model import Chart, ChartEdge, ChartNode, EdgeKind, Kind, Level
from compiler.flowchart.spine import columns, is_menu

SHEET: Final = (519, 765)
"""A4 inside its white edges, without the line of its number: the shorter side, and the longer."""
MOST: Final = 39
"""Boxes that a reader can take in at once."""
LEAST: Final = 5 / SMALLEST
"""How small a page may be drawn on a sheet: its smallest letters have 5 points then."""

_SURE: Final = 1.2  # guesses are that far off
_LETTER: Final = 5.4  # width of one
_LINE: Final = 13.0
_SMALL: Final = 10.5  # height of a line below the words of a box, or on an arrow
_GAP: Final = 28.0  # between rows, without words
_BESIDE: Final = 36.0
_HEAD: Final = 85.0  # title
_SAMPLES: Final = 4  # boxes of the legend in a row
_LEGEND: Final = 55.0  # height of a row
_FRAME: Final = 60.0
_ARROW_LETTERS: Final = 24
_INNER: Final = 9.0  # what a frame inside a phase adds
_LOOSE: Final = 1.3  # arrows that pass rows by need room beside the boxes
_COLUMN: Final = 22  # lines in a column of what words mean
_WORD_COLUMNS: Final = 4  # at most
_MEANING: Final = 12.5  # height of one line of what words mean


@frozen
class Extent:
    """Width and height of a drawing."""

    width: float
    height: float

    @property
    def scale(self) -> float:
        """How large it is if it fills a sheet, upright or lying; 1 is as it was drawn."""
        short, long = SHEET
        upright = min(short / self.width, long / self.height)
        lying = min(long / self.width, short / self.height)
        return max(upright, lying)


def burden(chart: Chart) -> float:
    """How full a page is with a chart: over 1 if it has too many boxes, or letters too small."""
    return max(len(chart.nodes) / MOST, _SURE * LEAST / extent(chart).scale)


def extent(chart: Chart) -> Extent:
    """About the size of a chart."""
    return _laid(chart, lies(chart))


def lies(chart: Chart) -> bool:
    """Whether a chart is drawn from left to right: so many ways leave a box that they are a list.

    What follows each way may be too long to lie, where every node has a box, or where phases stand
    inside that are run.
    """
    if not is_menu(chart):
        return False
    nested = any(frame.is_phase and frame.parent is not None for frame in chart.clusters)
    if chart.level is not Level.FULL and not nested:
        return True
    return _laid(chart, lies=True).scale > _laid(chart, lies=False).scale


def _laid(chart: Chart, lies: bool) -> Extent:
    rows = _rows(chart)
    column = _columns(chart)
    across: dict[tuple[str, int], float] = {}
    along: dict[int, float] = {}
    for node in chart.nodes:
        width, height = _box(node)
        row, place = rows[node.id], (column[node.id], rows[node.id])
        across[place] = across.get(place, 0) + (height if lies else width) + _BESIDE
        along[row] = max(along.get(row, 0), width if lies else height)
    words: dict[int, float] = {}
    for edge in chart.edges:
        words[rows[edge.source]] = max(words.get(rows[edge.source], 0), _words(edge, lies))
    length = sum(along.values()) + sum(words.values()) + _GAP * len(along)
    widest: dict[str, float] = {}
    for (name, _), side in across.items():
        widest[name] = max(widest.get(name, 0), side)
    breadth = sum(widest.values()) + 2 * _FRAME * (len(widest) - 1)
    foot = _MEANING * _lines_of_words(chart) / columns_of_words(chart)
    head = _HEAD + foot + _FRAME + (0 if lies else _LEGEND * _samples(chart))
    length += _INNER * sum(1 for frame in chart.clusters if frame.parent is not None)
    if lies:
        fan = sum(_words(edge, lies=False) + _BESIDE for edge in _fan(chart))
        return Extent(length + 3 * _FRAME, max(breadth, fan) * _LOOSE + head)
    return Extent(max(breadth * _LOOSE, 250) + _FRAME, length + head)


def columns_of_words(chart: Chart) -> int:
    """In how many columns it is told what the words mean: of a whole game, as it is wide."""
    lines = _lines_of_words(chart)
    if chart.phase is not None or lines <= _COLUMN:
        return 1
    return min(_WORD_COLUMNS, -(-lines // _COLUMN))


def _lines_of_words(chart: Chart) -> int:
    return sum(1 + len(one.means) // 76 for one in chart.meanings)


def _samples(chart: Chart) -> int:
    """How many rows its legend has."""
    return -(-len({box.kind for box in chart.nodes}) // _SAMPLES)


def _fan(chart: Chart) -> list[ChartEdge]:
    """The arrows of the box that most leave."""
    leaving: dict[str, list[ChartEdge]] = {}
    for edge in chart.edges:
        leaving.setdefault(edge.source, []).append(edge)
    return max(leaving.values(), key=len, default=[])


def _rows(chart: Chart) -> dict[str, int]:
    """The row of each box: below all that lead down to it."""
    order = {node.id: at for at, node in enumerate(chart.nodes)}
    rows = dict.fromkeys(order, 0)
    ends = [(edge.source, edge.target) for edge in chart.edges] + list(columns(chart))
    down = sorted((order[a], order[b], a, b) for a, b in ends if order[a] < order[b])
    for _, _, above, below in down:
        rows[below] = max(rows[below], rows[above] + 1)
    return rows


def _columns(chart: Chart) -> dict[str, str]:
    """For each box the first of those that stand in one column: joined, or put below one another.

    Of a page with one phase everything is in one.
    """
    first = chart.nodes[0].id if chart.nodes else ""
    if chart.phase is not None:
        return dict.fromkeys((node.id for node in chart.nodes), first)
    joined = {node.phase: node.phase for node in chart.nodes}
    phase = {node.id: node.phase for node in chart.nodes}
    for one, other in [(e.source, e.target) for e in chart.edges] + list(columns(chart)):
        kept, gone = joined[phase[one]], joined[phase[other]]
        joined = {name: kept if column == gone else column for name, column in joined.items()}
    return {id_: joined[name] for id_, name in phase.items()}


def _box(node: ChartNode) -> tuple[float, float]:
    """Width and height of a box."""
    letters = LOOKS[node.kind].letters
    if node.kind is Kind.RETURN and not node.label:
        return 20.0, 20.0
    lines = wrapped(f"{node.actor} {node.label}".strip(), letters)
    small = wrapped(node.sub, letters) + wrapped(" ".join(node.clauses), letters)
    longest = max(map(len, [*lines, *(line[: len(line) * 4 // 5] for line in small)]), default=0)
    width, height = longest * _LETTER, len(lines) * _LINE + len(small) * _SMALL
    if node.kind is Kind.QUESTION:
        return width * 1.5 + 30, height * 1.6 + 22
    if node.kind is Kind.CHANCE:
        return width * 1.4 + 24, height + 22
    return width + 24, height + 14


def _words(edge: ChartEdge, lies: bool) -> float:
    """What the words of an arrow add between its rows."""
    lines = [*wrapped(edge.label, _ARROW_LETTERS), *wrapped(edge.sub, _ARROW_LETTERS + 4)]
    if lies:
        return max(map(len, lines), default=0) * _LETTER * 0.9
    cited = bool(edge.clauses) and edge.kind is EdgeKind.OPTION
    return (len(lines) + cited) * _SMALL
