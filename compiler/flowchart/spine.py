"""What a layout needs to know of a chart: its main paths, its direction, what is below what.

The main path of a phase is the longest way from its beginning without going back.
"""

from collections.abc import Iterator
from itertools import pairwise

from attrs import frozen

from compiler.flowchart.model import Chart, ChartNode, Kind, Level

_BEGINNINGS = (Kind.START, Kind.TRIGGER)

_TANGLE = 3  # arrows back to one box that nobody can tell apart

_MENU = 6  # ways out of a box from which the page is laid out from left to right


def spine(chart: Chart) -> frozenset[tuple[str, str]]:
    """The arrows of the main paths, as pairs of ids; drawn straight, the rest finds room beside."""
    onwards: dict[str, list[str]] = {node.id: [] for node in chart.nodes}
    for edge in chart.edges:
        onwards[edge.source].append(edge.target)
    phase = {node.id: node.phase for node in chart.nodes}
    found: set[tuple[str, str]] = set()
    one = chart.phase  # with all that is run inside it
    for node in chart.nodes:
        if node.kind in _BEGINNINGS and one in (None, node.phase):
            inside = {
                id_: [other for other in targets if one or phase[other] == node.phase]
                for id_, targets in onwards.items()
            }
            path = _longest(node.id, _leading_out(chart, inside))
            found |= set(pairwise(path))
    return frozenset(found)


def _leading_out(chart: Chart, onwards: dict[str, list[str]]) -> dict[str, list[str]]:
    """Of a phase with others inside, the ways on that lead out of it, not only back."""
    if all(frame.parent is None or not frame.is_phase for frame in chart.clusters):
        return onwards
    order = {node.id: at for at, node in enumerate(chart.nodes)}
    out = {node.id for node in chart.nodes if node.phase == chart.phase and not onwards[node.id]}
    grown = bool(out)
    while grown:
        leading = {
            id_
            for id_, targets in onwards.items()
            if id_ not in out and any(one in out and order[id_] < order[one] for one in targets)
        }
        out |= leading
        grown = bool(leading)
    return {id_: [one for one in targets if one in out] for id_, targets in onwards.items()}


def _longest(start: str, onwards: dict[str, list[str]]) -> list[str]:
    """The longest path from a box, that box first; of equals, the one that comes first."""
    length: dict[str, int] = {}
    then: dict[str, str] = {}
    for id_ in _children_first(start, onwards):
        length[id_] = 1
        for target in onwards[id_]:
            if target in length and target != id_ and length[target] + 1 > length[id_]:
                length[id_] = length[target] + 1
                then[id_] = target
    path = [start]
    while path[-1] in then:
        path.append(then[path[-1]])
    return path


def _children_first(start: str, onwards: dict[str, list[str]]) -> list[str]:
    finished: list[str] = []
    seen = {start}
    path = [(start, iter(onwards[start]))]
    while path:
        id_, targets = path[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                path.append((target, iter(onwards[target])))
                break
        else:
            finished.append(id_)
            path.pop()
    return finished


def lowest(chart: Chart) -> tuple[str, ...]:
    """The boxes that no arrow leads down from: what is drawn below all of them is at the foot.

    What comes after a phase inside is below that anyway.
    """
    order = {node.id: at for at, node in enumerate(chart.nodes)}
    above = {edge.source for edge in chart.edges if order[edge.target] > order[edge.source]}
    above.update(box for box, _ in below(chart))
    return tuple(node.id for node in chart.nodes if node.id not in above)


def highest(chart: Chart) -> tuple[str, ...]:
    """The boxes that no arrow leads down to: what is drawn above all of them is at the head."""
    order = {node.id: at for at, node in enumerate(chart.nodes)}
    below = {edge.target for edge in chart.edges if order[edge.target] > order[edge.source]}
    below |= {under for _, under in columns(chart)}
    return tuple(node.id for node in chart.nodes if node.id not in below)


# ---- columns


@frozen
class _Island:
    """Phases that arrows join: where the first begins, where the longest path ends, its length."""

    first: str
    last: str
    height: int


def below(chart: Chart) -> Iterator[tuple[str, str]]:
    """Pairs of boxes, the second to be drawn below the first: what comes after a phase inside."""
    order = {node.id: at for at, node in enumerate(chart.nodes)}
    box = {node.id: node for node in chart.nodes}
    around = {frame.id: frame.parent for frame in chart.clusters}

    def inside(node: ChartNode, frame: str) -> bool:
        at: str | None = node.cluster
        while at and at != frame:
            at = around.get(at)
        return at == frame

    down = [edge for edge in chart.edges if order[edge.source] < order[edge.target]]
    for frame in chart.clusters:
        if not frame.is_phase or frame.parent is None:
            continue
        here = {node.id for node in chart.nodes if inside(node, frame.id)}
        above = {edge.source for edge in down if edge.source in here and edge.target in here}
        leaving = [edge.target for edge in down if edge.source in here and edge.target not in here]
        for target in dict.fromkeys(leaving):
            if box[target].cluster == frame.parent:
                yield from ((id_, target) for id_ in order if id_ in here - above)


def columns(chart: Chart) -> tuple[tuple[str, str], ...]:
    """Pairs of boxes, the second to be drawn below the first, so that the page is not too wide.

    Phases that no arrow joins to others are put below one another, as long as a column is not
    longer than what has to be long.
    """
    islands = _islands(chart)
    tallest = max((island.height for island in islands), default=0)
    piles: list[list[_Island]] = []
    for island in islands:
        for pile in piles:
            if sum(other.height for other in pile) + island.height <= tallest:
                pile.append(island)
                break
        else:
            piles.append([island])
    return tuple((above.last, below.first) for pile in piles for above, below in pairwise(pile))


def _islands(chart: Chart) -> list[_Island]:
    onwards: dict[str, list[str]] = {node.id: [] for node in chart.nodes}
    joined: dict[str, set[str]] = {node.phase: {node.phase} for node in chart.nodes}
    phase = {node.id: node.phase for node in chart.nodes}
    for edge in chart.edges:
        onwards[edge.source].append(edge.target)
        both = joined[phase[edge.source]] | joined[phase[edge.target]]
        for name in both:
            joined[name] = both
    found: dict[frozenset[str], list[str]] = {}
    for node in chart.nodes:
        if node.kind in _BEGINNINGS:
            path = _longest(node.id, onwards)
            known = found.setdefault(frozenset(joined[node.phase]), path)
            if len(path) > len(known):
                found[frozenset(joined[node.phase])] = path
    return [_Island(path[0], path[-1], len(path) + 1) for path in found.values()]


def is_menu(chart: Chart) -> bool:
    """Whether one phase is drawn, and so many ways leave a box that they read better as a list."""
    ways: dict[str, int] = {}
    for edge in chart.edges:
        ways[edge.source] = ways.get(edge.source, 0) + 1
    phases = sum(1 for cluster in chart.clusters if cluster.parent is None)
    return phases == 1 and max(ways.values(), default=0) >= _MENU


def returning(chart: Chart, all_: bool) -> frozenset[int]:
    """The arrows, by position, that do not end in the box they lead to, but in a small one.

    Those are arrows back, if many end in one box, and arrows out of phases that stand inside.

    With `all_` also other arrows back, but those between two boxes that follow one another.
    """
    if chart.level is Level.OVERVIEW:
        return frozenset()
    order = {node.id: index for index, node in enumerate(chart.nodes)}
    back: dict[str, list[int]] = {}
    there = {(edge.source, edge.target) for edge in chart.edges}
    for at, edge in enumerate(chart.edges):
        if order[edge.target] < order[edge.source]:
            back.setdefault(edge.target, []).append(at)
    found: set[int] = set()
    for target, positions in back.items():
        if len(positions) >= _TANGLE:
            found.update(positions)
        elif all_:
            found.update(at for at in positions if (target, chart.edges[at].source) not in there)
    return frozenset(found) | _rings(chart)


def _rings(chart: Chart) -> frozenset[int]:
    """The arrows from phases inside to where the one around them is over: each has its own ring."""
    box = {node.id: node for node in chart.nodes}
    over: dict[str, list[int]] = {}
    for at, edge in enumerate(chart.edges):
        if box[edge.target].kind is Kind.RETURN and not box[edge.target].label:
            over.setdefault(edge.target, []).append(at)
    found: set[int] = set()
    for target, positions in over.items():
        inner = [at for at in positions if box[chart.edges[at].source].phase != box[target].phase]
        found.update(inner if len(inner) < len(positions) else inner[:-1])
    return frozenset(found)


def goes_back(chart: Chart) -> bool:
    """Whether an arrow leads to a box that comes before: then the boxes' order settles which."""
    order = {node.id: index for index, node in enumerate(chart.nodes)}
    return any(order[edge.target] <= order[edge.source] for edge in chart.edges)
