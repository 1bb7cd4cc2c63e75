"""From a graph to a chart: which boxes there are, and which arrows lead from one to the next."""

import re
from collections.abc import Iterator

from attrs import evolve, field, frozen

from compiler.flowchart.labels import Labels, Sign
from compiler.flowchart.model import (
    Chart,
    ChartEdge,
    ChartNode,
    Cluster,
    EdgeKind,
    Kind,
    Level,
    Way,
)
from compiler.flowchart.overview import overview
from compiler.flowchart.routes import Landing, Procedure, Routes, closed
from compiler.flowchart.units import Effects, Grouping, Unit
from compiler.graph.core import Call, Clauses, Flow, Graph, Jump
from compiler.graph.words import term_text

__all__ = [
    "Chart",
    "ChartEdge",
    "ChartNode",
    "Cluster",
    "EdgeKind",
    "Kind",
    "Level",
    "Way",
    "chart",
    "lost_edges",
    "pages",
]

_PAGE = 40  # boxes that a reader can take in at once


@frozen
class _Link:
    """An arrow while boxes still go by number: to a box, or to a phase by its name."""

    source: int
    target: Landing
    sign: Sign
    ways: tuple[Way, ...]


@frozen
class _Draft:
    """A procedure as boxes by number, 0 being its beginning, with its arrows and frames."""

    procedure: Procedure
    boxes: dict[int, ChartNode] = field(repr=False)
    links: list[_Link] = field(repr=False)
    frames: tuple[Cluster, ...] = ()


def chart(graph: Graph, level: Level = Level.STEPS, phase: str | None = None) -> Chart:
    """The chart of a game, or of one phase of it; `KeyError` if there is no such phase.

    Of a whole game, phases that do nothing in this configuration are left out, and named in a note.
    Where one phase is drawn, arrows to others end in exits that name them.
    """
    drawing = _Drawing(graph)
    steps = drawing.whole() if phase is None else drawing.one(phase)
    return overview(graph, steps) if level is Level.OVERVIEW else steps


def pages(graph: Graph, level: Level = Level.STEPS) -> tuple[Chart, ...]:
    """The chart of a game for print: whole while it fits a page, else a page for each phase."""
    if level is Level.OVERVIEW:
        return (chart(graph, level),)
    return _Drawing(graph).pages()


class _Drawing:
    """A chart in the making."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._routes = Routes(graph)
        self._effects = Effects(self._routes)
        self._labels = Labels(self._routes, self._effects)
        self._reached = self._routes.reached()

    def pages(self) -> tuple[Chart, ...]:
        """The game on one page, or a page for each procedure."""
        whole = self.whole()
        if len(whole.nodes) <= _PAGE or len(whole.clusters) == 1:
            return (whole,)
        return tuple(self.one(frame.id) for frame in whole.clusters if frame.parent is None)

    def whole(self) -> Chart:
        """All procedures that do something."""
        jumped = self._jumped_to()
        drawn: list[Procedure] = []
        idle: list[str] = []
        for procedure in self._routes.procedures:
            if procedure.name in self._effects.idle and procedure.name not in jumped:
                idle.append(procedure.title)
            else:
                drawn.append(procedure)
        notes = (f"Nothing to do here: {', '.join(idle)}",) if idle else ()
        return self._chart(drawn, "", notes)

    def one(self, name: str) -> Chart:
        """One procedure, by its name."""
        for procedure in self._routes.procedures:
            if procedure.name == name:
                return self._chart([procedure], procedure.title, ())
        raise KeyError(name)

    def _jumped_to(self) -> frozenset[str]:
        return frozenset(
            node.step.way.phase
            for node in self._graph.nodes
            if isinstance(node.step, Flow) and isinstance(node.step.way, Jump)
        )

    def _chart(self, drawn: list[Procedure], part: str, notes: tuple[str, ...]) -> Chart:
        here = frozenset(procedure.name for procedure in drawn) if not part else frozenset()
        nodes: list[ChartNode] = []
        edges: list[ChartEdge] = []
        clusters: list[Cluster] = []
        for procedure in drawn:
            draft = _merged(self._draft(procedure))
            _finish(draft, here, self._titles(), nodes, edges)
            clusters += draft.frames
        shut = [text for procedure in drawn for text in self._shut(procedure)]
        notes = (*notes, f"Never open here: {', '.join(shut)}") if shut else notes
        seats = f"{self._graph.seats} player{'s' if self._graph.seats != 1 else ''}"
        subtitle = ", ".join(text for text in (part, Level.STEPS.value, seats) if text)
        title = self._graph.title or self._graph.name
        return Chart(title, subtitle, tuple(nodes), tuple(edges), tuple(clusters), notes)

    def _shut(self, procedure: Procedure) -> Iterator[str]:
        """The options of a procedure that this configuration never opens."""
        for node_id in self._routes.order(procedure.entry):
            node = self._routes.nodes[node_id]
            for position in range(len(node.next)):
                if closed(node, position):
                    yield self._labels.sign(Way(node_id, position)).label

    def _titles(self) -> dict[str, str]:
        return {procedure.name: procedure.title for procedure in self._routes.procedures}

    # ---- one procedure

    def _draft(self, procedure: Procedure) -> _Draft:
        grouping = Grouping(self._routes, self._effects, procedure.entry)
        units = grouping.units
        number = {unit: index for index, unit in enumerate(units, start=1)}
        boxes = {0: self._beginning(procedure)}
        boxes.update((number[unit], self._box(unit, procedure)) for unit in units)
        trail = _Trail(self._routes, grouping)
        entry, ways = trail.follow(procedure.entry)
        links = [_Link(0, _numbered(entry, number), Sign(EdgeKind.FLOW), ways)]
        for unit in units:
            links += self._links(unit, trail, number)
        return self._framed(_Draft(procedure, boxes, links), grouping, number)

    def _beginning(self, procedure: Procedure) -> ChartNode:
        name = procedure.name
        common = ChartNode(
            f"{name}.start",
            name,
            Kind.START,
            procedure.title,
            sub=self._note(name),
            clauses=procedure.clauses,
            span=procedure.span,
        )
        for trigger in self._graph.triggers:
            if trigger.phase == name:
                condition = f"whenever {term_text(trigger.condition, self._graph)}"
                return evolve(common, kind=Kind.TRIGGER, sub=condition, clauses=trigger.clauses)
        return common

    def _box(self, unit: Unit, procedure: Procedure) -> ChartNode:
        caption = self._labels.caption(unit)
        first = self._routes.nodes[unit.nodes[0] if unit.lead is None else unit.lead]
        named = None if unit.named is None else self._graph.named[unit.named]
        call = self._called(unit)
        clauses = self._clauses(unit)
        if not clauses and call is not None:
            clauses = self._graph.phase(call).clauses
        return ChartNode(
            caption.slug,
            procedure.name,
            caption.kind,
            caption.label,
            actor=caption.actor,
            sub=caption.sub,
            clauses=clauses,
            span=first.span if named is None else named.span,
            hidden=self._labels.hidden(unit),
            nodes=unit.nodes,
            target=call,
        )

    def _called(self, unit: Unit) -> str | None:
        """The phase that a box runs, the first if several."""
        for node_id in unit.nodes:
            step = self._routes.nodes[node_id].step
            if isinstance(step, Flow) and isinstance(step.way, Call):
                return step.way.phase
        return None

    def _clauses(self, unit: Unit) -> Clauses:
        found: dict[str, None] = {}
        if unit.named is not None:
            found.update(dict.fromkeys(self._graph.named[unit.named].clauses))
        for node_id in unit.nodes:
            found.update(dict.fromkeys(self._routes.nodes[node_id].clauses))
        return tuple(found)

    def _links(self, unit: Unit, trail: "_Trail", number: dict[Unit, int]) -> Iterator[_Link]:
        for node_id in unit.nodes:
            for way, landing in self._routes.ways(node_id):
                if len(unit.nodes) > 1 and landing in unit.nodes:
                    continue
                end, ways = trail.follow(landing)
                sign = self._labels.sign(way) if node_id == unit.lead else Sign(EdgeKind.FLOW)
                if isinstance(end, str):
                    passed = [*unit.nodes, *(way.node for way in ways)]
                    sign = evolve(sign, sub=self._labels.given(end, passed))
                yield _Link(number[unit], _numbered(end, number), sign, (way, *ways))

    # ---- frames

    def _framed(self, draft: _Draft, grouping: Grouping, number: dict[Unit, int]) -> _Draft:
        """Puts boxes into the named steps that hold more than one of them."""
        name = draft.procedure.name
        inside = {index: self._frames_of(unit, grouping) for unit, index in number.items()}
        sizes: dict[int, int] = {}
        for chain in inside.values():
            for named in chain:
                sizes[named] = sizes.get(named, 0) + 1
        kept = [named for named in sizes if sizes[named] > 1]
        boxes = dict(draft.boxes)
        for index, node in boxes.items():
            chain = [named for named in inside.get(index, ()) if named in kept]
            boxes[index] = evolve(node, cluster=f"{name}/{chain[0]}" if chain else name)
        outer = draft.procedure
        frames = [Cluster(name, outer.title, None, outer.clauses, outer.span, self._note(name))]
        for named in kept:
            step = self._graph.named[named]
            around = [other for other in self._parents(named) if other in kept]
            parent = f"{name}/{around[0]}" if around else name
            frames.append(Cluster(f"{name}/{named}", step.title, parent, step.clauses, step.span))
        return evolve(draft, boxes=boxes, frames=tuple(frames))

    def _frames_of(self, unit: Unit, grouping: Grouping) -> list[int]:
        """The frames around a box, inner ones first."""
        named = self._routes.nodes[unit.nodes[0]].named
        chain = [] if named is None else [named, *self._parents(named)]
        return [other for other in chain if other in grouping.framed]

    def _parents(self, named: int) -> list[int]:
        found: list[int] = []
        parent = self._graph.named[named].parent
        while parent is not None:
            found.append(parent)
            parent = self._graph.named[parent].parent
        return found

    def _note(self, name: str) -> str:
        return "" if name in self._reached else "never reached in this configuration"


class _Trail:
    """Follows ways through bookkeeping to the next box."""

    def __init__(self, routes: Routes, grouping: Grouping) -> None:
        self._routes = routes
        self._grouping = grouping

    def follow(self, landing: Landing) -> tuple[Unit | str, tuple[Way, ...]]:
        """The box or phase that is come to, and the ways gone on from `landing` on the way."""
        ends: dict[Unit | str, None] = {}
        ways: dict[Way, None] = {}
        seen: dict[Landing, None] = {}
        waiting = [landing]
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen[at] = None
            unit = self._grouping.unit(at) if isinstance(at, int) else None
            if isinstance(at, str):
                ends[at] = None
            elif unit is not None:
                ends[unit] = None
            else:
                for way, following in self._routes.ways(at):
                    ways[way] = None
                    waiting.append(following)
        (end,) = ends
        return end, tuple(ways)


def _numbered(end: Unit | str, number: dict[Unit, int]) -> Landing:
    return end if isinstance(end, str) else number[end]


# ---- boxes that are the same end of the rules


def _merged(draft: _Draft) -> _Draft:
    """The draft with boxes made one that say the same and go on the same way.

    No path is lost: whoever comes to either does the same from there on.
    """
    boxes, links = dict(draft.boxes), list(draft.links)
    while True:
        same = _twins(boxes, links)
        if not same:
            return evolve(draft, boxes=boxes, links=_either_way(links))
        for gone, kept in same.items():
            boxes[kept] = _union(boxes.pop(gone), boxes[kept])
        links = [
            evolve(
                link,
                source=same.get(link.source, link.source),
                target=same.get(link.target, link.target)
                if isinstance(link.target, int)
                else link.target,
            )
            for link in links
        ]
        links = _bundled(links)


def _twins(boxes: dict[int, ChartNode], links: list[_Link]) -> dict[int, int]:
    """Each box that says what a later one says, with that one: the order stays one of the rules."""
    last: dict[tuple[object, ...], int] = {}
    found: dict[int, int] = {}
    for index in sorted(boxes, reverse=True):
        box = boxes[index]
        onwards = tuple((link.target, link.sign) for link in links if link.source == index)
        says = (box.kind, box.label, box.sub, box.actor, box.cluster, box.hidden, onwards)
        kept = last.setdefault(says, index)
        if kept != index:
            found[index] = kept
    return found


def _union(box: ChartNode, other: ChartNode) -> ChartNode:
    clauses = tuple(dict.fromkeys(box.clauses + other.clauses))
    return evolve(box, clauses=clauses, nodes=box.nodes + other.nodes)


def _bundled(links: list[_Link]) -> list[_Link]:
    """Arrows made one that leave a box with the same words for the same place."""
    found: dict[tuple[int, Landing, Sign], _Link] = {}
    for link in links:
        says = (link.source, link.target, link.sign)
        known = found.get(says)
        found[says] = link if known is None else evolve(known, ways=known.ways + link.ways)
    return list(found.values())


def _either_way(links: list[_Link]) -> list[_Link]:
    """Arrows made one where a test that has its own question changes nothing here."""
    answers: dict[int, list[_Link]] = {}
    for link in links:
        if link.sign.kind is EdgeKind.ANSWER and link.sign.label in ("yes", "no"):
            answers.setdefault(link.source, []).append(link)
    found = list(links)
    for both in answers.values():
        if len(both) == 2 and both[0].target == both[1].target and not both[0].sign.sub:
            first, second = both
            sign = evolve(first.sign, label="yes or no")
            found[found.index(first)] = evolve(first, sign=sign, ways=first.ways + second.ways)
            found.remove(second)
    return found


# ---- names for good


def _finish(
    draft: _Draft,
    here: frozenset[str],
    titles: dict[str, str],
    nodes: list[ChartNode],
    edges: list[ChartEdge],
) -> None:
    """Adds a draft's boxes and arrows, by their ids; phases not `here` get exits."""
    ids = _ids(draft)
    nodes += [evolve(box, id=ids[index]) for index, box in draft.boxes.items()]
    exits: dict[str, ChartNode] = {}
    for link in draft.links:
        source = draft.boxes[link.source]
        if isinstance(link.target, int):
            target = ids[link.target]
        elif link.target in here:
            target = f"{link.target}.start"
        else:
            target = f"{ids[link.source]}.to_{link.target}"
            exits[target] = ChartNode(
                target,
                draft.procedure.name,
                Kind.EXIT,
                titles[link.target],
                span=source.span,
                target=link.target,
                cluster=draft.procedure.name,
            )
        sign = link.sign
        edges.append(
            ChartEdge(
                ids[link.source], target, sign.kind, sign.label, sign.sub, sign.clauses, link.ways
            )
        )
    nodes += exits.values()


def _ids(draft: _Draft) -> dict[int, str]:
    """An id per box: the slug of its title, numbered where several have it, or its number."""
    found: dict[int, str] = {}
    used: dict[str, int] = {}
    for index, box in draft.boxes.items():
        slug = "start" if index == 0 else _slug(box.id) or str(index)
        used[slug] = used.get(slug, 0) + 1
        again = f"_{used[slug]}" if used[slug] > 1 else ""
        found[index] = f"{draft.procedure.name}.{slug}{again}"
    return found


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")


# ---- the proof that nothing is lost


def lost_edges(graph: Graph, drawn: Chart) -> tuple[Way, ...]:
    """The ways of the drawn phases that lie neither in a box nor along an arrow: should be none."""
    routes = Routes(graph)
    shown = {way for edge in drawn.edges for way in edge.ways}
    box_of = {node_id: box for box in drawn.nodes for node_id in box.nodes}
    phases = {box.phase for box in drawn.nodes}
    lost: list[Way] = []
    for procedure in routes.procedures:
        if procedure.name not in phases:
            continue
        for node_id in routes.order(procedure.entry):
            for way, landing in routes.ways(node_id):
                box = box_of.get(node_id)
                inside = box is not None and isinstance(landing, int) and landing in box.nodes
                if way not in shown and not inside:
                    lost.append(way)
    return tuple(lost)
