"""A chart that is too large for a page, as several: with connectors where an arrow leads across.

What goes to a page of its own is what only one box leads to: the body of an option, a branch, or
several of these beside one another.  Where an arrow leads to another page, it ends in a box that
says where; there, a box that says from where leads on.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import Final

from attrs import evolve, field, frozen

from compiler.flowchart.extent import MOST, burden
from compiler.flowchart.model import PAGE_SIGN, Chart, ChartEdge, ChartNode, Cluster, EdgeKind, Kind

_LETTERS: Final = 44  # of a box's words on a connector
_TORN: Final = 0.04  # what each arrow across costs, as a share of a page
_MUCH: Final = 0.85  # of what a page bears when it is whole: less is worth taking it apart
_PAGE: Final = ""  # what is above the first boxes of a page
_BEGINS: Final = (Kind.START, Kind.TRIGGER, Kind.ENTRY)
_LEAVES: Final = (Kind.EXIT, Kind.RETURN, Kind.END)  # boxes that every page may have for itself


@frozen
class Part:
    """One page of a chart; `arrows` says for each of its arrows which one of the whole it is."""

    chart: Chart
    arrows: tuple[int, ...]


def parts(chart: Chart) -> tuple[Part, ...]:
    """The pages of a chart, in its order; one if it fits, or cannot be taken apart.

    It also stays one if letters would not be much larger on what stays in one piece, a long menu.
    """
    whole = tuple(range(len(chart.edges)))
    if burden(chart) <= 1 or chart.phase is None:
        return (Part(chart, whole),)
    cut = _Cut(chart)
    sets = cut.filled(cut.apart(tuple(box.id for box in chart.nodes)))
    if len(sets) == 1:
        return (Part(chart, whole),)
    found = tuple(cut.page(sets, number) for number in range(len(sets)))
    fullest = max(burden(part.chart) for part in found)
    if fullest > 1 and fullest > _MUCH * burden(chart) and len(chart.nodes) <= MOST:
        return (Part(chart, whole),)
    return found


Boxes = frozenset[str]


@frozen
class _Cut:
    """A chart on its way to be several."""

    chart: Chart
    order: dict[str, int] = field(init=False)
    onwards: dict[str, list[str]] = field(init=False)
    leaves: Boxes = field(init=False)
    begins: Boxes = field(init=False)

    @order.default
    def _in_order(self) -> dict[str, int]:
        return {box.id: at for at, box in enumerate(self.chart.nodes)}

    @onwards.default
    def _ways_on(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {box.id: [] for box in self.chart.nodes}
        for edge in self.chart.edges:
            found[edge.source].append(edge.target)
        return found

    @leaves.default
    def _at_ends(self) -> Boxes:
        return frozenset(box.id for box in self.chart.nodes if box.kind in _LEAVES)

    @begins.default
    def _at_beginnings(self) -> Boxes:
        return frozenset(box.id for box in self.chart.nodes if box.kind in _BEGINS)

    def first(self, boxes: Boxes) -> int:
        """Where the boxes of a page begin in the chart."""
        return min(self.order[id_] for id_ in boxes)

    # ---- which boxes go together

    def filled(self, sets: Iterable[Boxes]) -> list[Boxes]:
        """The boxes of each page, in order; two pages are one where there is room."""
        found = sorted(sets, key=self.first)
        at = 0
        while at < len(found):
            for other in range(at + 1, len(found)):
                both = found[at] | found[other]
                rest = [boxes for boxes in found if boxes not in (found[at], found[other])]
                if burden(self.page([both, *rest], 0).chart) <= 1:
                    found[at] = both
                    del found[other]
                    break
            else:
                at += 1
        return found

    def apart(self, ids: Sequence[str]) -> Iterator[Boxes]:
        """The boxes of each page; what cannot be taken apart stays together."""
        here = frozenset(ids)
        load = self._load(here)
        chosen = None if load <= 1 else self._best(here, load)
        if chosen is None:
            yield here
        else:
            yield from self.apart(sorted(chosen, key=self.order.__getitem__))
            yield from self.apart(sorted(here - chosen, key=self.order.__getitem__))

    def _best(self, here: Boxes, load: float) -> Boxes | None:
        """What to put on a page of its own: about as much as a page should hold, little torn."""
        ideal, weight = load / ceil(load), self._weight(here, load)
        best: tuple[float, Boxes] | None = None
        for boxes in self._candidates(here):
            if not here - boxes - self.begins:
                continue  # where a phase begins stands with what comes first
            there, rest = self._load(boxes), self._load(here - boxes)
            if max(self._weight(boxes, there), self._weight(here - boxes, rest)) >= weight:
                continue
            cost = abs(there - ideal) + max(0, there - 1) + self._torn(boxes) * _TORN
            if best is None or cost < best[0]:
                best = cost, boxes
        return None if best is None else best[1]

    def _candidates(self, here: Boxes) -> Iterator[Boxes]:
        """What only one box leads to, and several of these that the same box leads to."""
        above = self._above(here)
        beneath: dict[str, list[str]] = {}
        for id_ in sorted(here, key=self.order.__getitem__):
            beneath.setdefault(above.get(id_, _PAGE), []).append(id_)
        whole: dict[str, Boxes] = {}
        for id_ in sorted(here, key=self.order.__getitem__, reverse=True):
            whole[id_] = self._under(id_, beneath)
        for children in beneath.values():
            alone = [id_ for id_ in children if id_ not in self.leaves]
            for begin in range(len(alone)):
                joined: Boxes = frozenset()
                for id_ in alone[begin:]:
                    joined |= whole[id_]
                    if joined != here:
                        yield joined

    def _under(self, id_: str, beneath: dict[str, list[str]]) -> Boxes:
        found: set[str] = set()
        waiting = [id_]
        while waiting:
            at = waiting.pop()
            found.add(at)
            waiting += beneath.get(at, [])
        return frozenset(found)

    def _above(self, here: Boxes) -> dict[str, str]:
        """For each box but the first ones, the last box that every way to it comes through."""
        ids = sorted(here, key=self.order.__getitem__)
        before: dict[str, list[str]] = {id_: [] for id_ in ids}
        for id_ in ids:
            for target in self.onwards[id_]:
                if target in here:
                    before[target].append(id_)
        through: dict[str, Boxes] = dict.fromkeys(ids, here)
        begins = self._begins(ids, before)
        through |= {id_: frozenset((id_,)) for id_ in begins}
        changed = True
        while changed:
            changed = False
            for id_ in ids:
                if id_ in begins:
                    continue
                new = frozenset.intersection(*(through[b] for b in before[id_])) | {id_}
                if new != through[id_]:
                    through[id_], changed = new, True
        return {
            id_: max(through[id_] - {id_}, key=lambda other: len(through[other]))
            for id_ in ids
            if len(through[id_]) > 1
        }

    def _begins(self, ids: Sequence[str], before: dict[str, list[str]]) -> set[str]:
        """The boxes that nothing here leads to, and of each ring that is left the first."""
        found: set[str] = set()
        come: set[str] = set()
        for id_ in [*(id_ for id_ in ids if not before[id_]), *ids]:
            if id_ in come:
                continue
            found.add(id_)
            waiting = [id_]
            while waiting:
                at = waiting.pop()
                if at not in come:
                    come.add(at)
                    waiting += [other for other in self.onwards[at] if other in before]
        return found

    def _torn(self, boxes: Boxes) -> int:
        """How many arrows lead from these boxes to others, or from others to these."""
        ends = [
            (edge.source in boxes, edge.target in boxes)
            for edge in self.chart.edges
            if edge.target not in self.leaves
        ]
        return sum(begins is not ends_ for begins, ends_ in ends)

    def _load(self, boxes: Boxes) -> float:
        others = frozenset(self.order) - boxes
        return burden(self.page([boxes, others] if others else [boxes], 0).chart)

    def _weight(self, boxes: Boxes, load: float) -> float:
        """How full a page is, and how many boxes it has: a menu is as large with less below it."""
        return load + len(boxes) / MOST

    # ---- a page

    def page(self, sets: Sequence[Boxes], number: int) -> Part:
        """One of some pages: its boxes, and connectors for the arrows across."""
        made = _Page(self.chart, sets, number)
        for at, edge in enumerate(self.chart.edges):
            made.add(at, edge)
        return made.part()


class _Page:
    """One page in the making."""

    def __init__(self, chart: Chart, sets: Sequence[Boxes], number: int) -> None:
        self._chart = chart
        self._sets = sets
        self._number = number
        self._here = sets[number]
        self._box = {box.id: box for box in chart.nodes}
        self._entries: dict[str, ChartNode] = {}
        self._exits: dict[str, ChartNode] = {}
        self._leaves: dict[str, None] = {}
        self._edges: list[tuple[ChartEdge, int]] = []
        self._begun: list[tuple[ChartEdge, int]] = []

    def add(self, at: int, edge: ChartEdge) -> None:
        """Takes in an arrow of the whole chart, if it begins or ends here."""
        begins, ends = edge.source in self._here, edge.target in self._here
        if begins and (ends or self._box[edge.target].kind in _LEAVES):
            self._leaves.update({} if ends else {edge.target: None})
            self._edges.append((edge, at))
        elif begins:
            self._edges.append((evolve(edge, target=self._leads(edge)), at))
        elif ends and self._box[edge.target].kind not in _LEAVES:
            entry = self._comes(edge)
            if all(known.source != entry for known, _ in self._begun):
                self._begun.append((ChartEdge(entry, edge.target, EdgeKind.FLOW), at))

    def part(self) -> Part:
        """The page as a chart."""
        chart, pages = self._chart, len(self._sets)
        used = {edge.target for edge, _ in self._edges} | set(self._leaves)
        nodes = [
            *self._entries.values(),
            *(
                box
                for box in chart.nodes
                if (box.id in self._here and (box.kind not in _LEAVES or box.id in used))
                or box.id in self._leaves
            ),
            *self._exits.values(),
        ]
        edges = [*self._begun, *self._edges]
        part, _, rest = chart.subtitle.partition(", ")
        page = evolve(
            chart,
            subtitle=f"{part}, page {self._number + 1} of {pages}, {rest}",
            nodes=tuple(nodes),
            edges=tuple(edge for edge, _ in edges),
            clusters=tuple(self._frames(nodes)),
            page=self._name(self._number),
        )
        return Part(page, tuple(at for _, at in edges))

    def _frames(self, nodes: Sequence[ChartNode]) -> Iterator[Cluster]:
        known = {frame.id: frame for frame in self._chart.clusters}
        kept: set[str] = set()
        for box in nodes:
            frame = known.get(box.cluster)
            while frame is not None:
                kept.add(frame.id)
                frame = None if frame.parent is None else known[frame.parent]
        yield from (frame for frame in self._chart.clusters if frame.id in kept)

    def _name(self, number: int) -> str:
        return f"{self._chart.phase}{PAGE_SIGN}{number + 1}"

    def _at(self, id_: str) -> int:
        return next(number for number, boxes in enumerate(self._sets) if id_ in boxes)

    def _leads(self, edge: ChartEdge) -> str:
        """The box in which an arrow ends that leads to another page."""
        name, page = f"{edge.source}.to_{edge.target}", self._at(edge.target)
        self._exits[name] = ChartNode(
            name,
            self._box[edge.target].phase,
            Kind.EXIT,
            _short(self._box[edge.target]),
            sub=f"page {page + 1}",
            span=self._box[edge.target].span,
            target=self._name(page),
            cluster=self._box[edge.source].cluster,
        )
        return name

    def _comes(self, edge: ChartEdge) -> str:
        """The box from which an arrow begins that comes from another page."""
        page = self._at(edge.source)
        name = f"{edge.target}.from_page_{page + 1}"
        said = f"{_short(self._box[edge.source])}{_answer(edge)}"
        before = self._entries.get(name)
        self._entries[name] = ChartNode(
            name,
            self._box[edge.target].phase,
            Kind.ENTRY,
            said if before is None or said in before.label else f"{before.label}\n{said}",
            sub=f"page {page + 1}",
            span=self._box[edge.source].span,
            target=self._name(page),
            cluster=self._box[edge.target].cluster,
        )
        return name


def _short(box: ChartNode) -> str:
    """A box's words, as short as a connector has room for."""
    said = " ".join(box.label.split())
    said = f"{box.actor}: {said}" if box.actor else said
    return said if len(said) <= _LETTERS else f"{said[: _LETTERS - 3].rstrip()}..."


def _answer(edge: ChartEdge) -> str:
    """What was answered or picked where an arrow begins on another page."""
    return f"\n{' '.join(edge.label.split())}" if edge.label else ""
