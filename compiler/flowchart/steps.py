"""From a graph to a chart of steps: which boxes there are, and which arrows lead to the next."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Final

from attrs import evolve

from compiler.flowchart.connectors import with_entries
from compiler.flowchart.draft import Draft, Link, finish, merged
from compiler.flowchart.labels import DONE, Labels, Sign
from compiler.flowchart.loops import finds_nobody, handed_on
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
from compiler.flowchart.nested import Nesting, Part
from compiler.flowchart.routes import UNREACHED, Landing, Procedure, Routes, closed
from compiler.flowchart.units import Effects, Grouping, Unit
from compiler.graph.core import Assign, Call, Choose, Clauses, Flow, Graph, Jump, Node, Variable
from compiler.graph.words import PlainWords

_IDLE: Final = "With these players and readings nothing is done in"
_UNREACHED: Final = "With these players and readings no game comes to"
_SAME: Final = "the same one again"  # is asked in a window
_SHUT: Final = "With these players and readings never possible"


class Steps:
    """The charts of steps of one graph."""

    def __init__(self, graph: Graph, *, shut: bool = False) -> None:
        self._graph = graph
        self._shut_too = shut
        self._routes = Routes(graph, shut=shut)
        self._effects = Effects(self._routes)
        self._labels = Labels(self._routes, self._effects)
        self._reached = self._routes.reached()
        self._drafts: dict[str, Draft] = {}

    @cached_property
    def whole(self) -> Chart:
        """All procedures that do something and are come to; of the others a note tells."""
        idle = [one.title for one in self._routes.procedures if self._is_idle(one)]
        unreached = [
            one.title
            for one in self._routes.procedures
            if one not in self._drawn and not self._is_idle(one)
        ]
        told = ((_IDLE, idle), (_UNREACHED, unreached))
        notes = tuple(_note(what, titles) for what, titles in told if titles)
        return self._chart(self._drawn, "", notes)

    @cached_property
    def _drawn(self) -> list[Procedure]:
        """The procedures that do something, and that games come to."""
        return [
            one
            for one in self._routes.procedures
            if not self._is_idle(one) and (one.name in self._reached or self._shut_too)
        ]

    def _is_idle(self, procedure: Procedure) -> bool:
        return procedure.name in self._effects.idle and procedure.name not in self._jumped_to

    def one(self, name: str, fits: Callable[[Chart], bool] | None = None) -> Chart:
        """One procedure, by its name, with those inside that only it runs, while that `fits`."""
        for procedure in self._routes.procedures:
            if procedure.name == name:
                return self._page(procedure, fits)
        raise KeyError(name)

    def roots(self, fits: Callable[[Chart], bool] | None = None) -> tuple[str, ...]:
        """The procedures that have pages: all that are drawn but those inside another."""
        names = [procedure.name for procedure in self._drawn]
        inside = self._nesting.run_by
        waiting = [name for name in names if name not in inside]
        found: set[str] = set()
        seen: set[str] = set()
        while left := [name for name in waiting if name not in seen] or [
            name for name in names if name not in seen
        ]:
            for name in left:
                drawn = self.one(name, fits)
                found.add(name)
                seen.update(frame.id for frame in drawn.clusters if frame.is_phase)
                runs = {box.target for box in drawn.nodes if box.kind is Kind.CALL}
                waiting += [phase for phase in inside if phase in runs]
        return tuple(name for name in names if name in found)

    def _unreached(self, name: str) -> frozenset[str]:
        """The procedures that are not drawn as leading to one, since no game comes to them."""
        if self._shut_too or name not in self._reached:
            return frozenset()
        return frozenset(one.name for one in self._routes.procedures) - self._reached

    def matters(self, node: Node) -> bool:
        """Whether a node does more than keep what only another reading looks at."""
        match node.step:
            case Assign(Variable(phase=None)):
                return self._effects.visible(node)
            case _:
                return True

    @cached_property
    def _jumped_to(self) -> frozenset[str]:
        return frozenset(
            node.step.way.phase
            for node in self._graph.nodes
            if isinstance(node.step, Flow) and isinstance(node.step.way, Jump)
        )

    def _page(self, procedure: Procedure, fits: Callable[[Chart], bool] | None) -> Chart:
        """The page of a procedure; what stands inside it is named where it is refused, too."""
        alone = self._chart([procedure], procedure.title, ())
        idle = self._effects.idle | self._unreached(procedure.name)
        if fits is None:
            return with_entries(alone, self._routes, idle)

        def page(part: Part) -> Chart:
            drawn = evolve(alone, nodes=part.nodes, edges=part.edges, clusters=part.clusters)
            return with_entries(drawn, self._routes, idle)

        return page(self._nesting.grown(procedure.name, lambda part: fits(page(part))))

    @cached_property
    def _nesting(self) -> Nesting:
        parts = {one.name: self._part(one, frozenset()) for one in self._drawn}
        return Nesting(self._graph, parts, self._labels.handed.called)

    def _part(self, procedure: Procedure, here: frozenset[str]) -> Part:
        """One procedure as boxes, arrows and frames; others are gone on as if they are `here`."""
        nodes: list[ChartNode] = []
        edges: list[ChartEdge] = []
        if procedure.name not in self._drafts:
            self._drafts[procedure.name] = merged(self._draft(procedure))
        draft = self._drafts[procedure.name]
        finish(draft, here, self._titles(), nodes, edges)
        return Part(tuple(nodes), tuple(edges), draft.frames)

    def _chart(self, drawn: list[Procedure], title_of_part: str, notes: tuple[str, ...]) -> Chart:
        whole = not title_of_part
        here = frozenset(procedure.name for procedure in drawn) if whole else frozenset()
        parts = [self._part(procedure, here) for procedure in drawn]
        shut = [text for procedure in drawn for text in self._shut(procedure)]
        shut = [] if self._shut_too else shut
        notes = (*notes, _note(_SHUT, shut)) if shut else notes
        seats = f"{self._graph.seats} player{'s' if self._graph.seats != 1 else ''}"
        subtitle = ", ".join(text for text in (title_of_part, Level.STEPS.value, seats) if text)
        return Chart(
            self._graph.title or self._graph.name,
            subtitle,
            tuple(node for part in parts for node in part.nodes),
            tuple(edge for part in parts for edge in part.edges),
            tuple(frame for part in parts for frame in part.clusters),
            notes,
            phase=None if whole else drawn[0].name,
        )

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

    def _draft(self, procedure: Procedure) -> Draft:
        grouping = Grouping(self._routes, self._effects, procedure.entry)
        units = grouping.units
        number = {unit: index for index, unit in enumerate(units, start=1)}
        boxes = {0: self._beginning(procedure)}
        boxes.update((number[unit], self._box(unit, procedure)) for unit in units)
        trail = _Trail(self._routes, grouping)
        entry, ways = trail.follow(procedure.entry)
        links = [Link(0, _numbered(entry, number), Sign(EdgeKind.FLOW), ways)]
        for unit in units:
            links += self._links(unit, trail, number)
        return self._framed(Draft(procedure, boxes, links), grouping, number)

    def _beginning(self, procedure: Procedure) -> ChartNode:
        name = procedure.name
        common = ChartNode(
            f"{name}.start",
            name,
            Kind.START,
            procedure.title,
            sub="\n".join(filter(None, (self._labels.handed.params(name), self._note(name)))),
            clauses=procedure.clauses,
            span=procedure.span,
        )
        for trigger in self._graph.triggers:
            if trigger.phase == name:
                condition = f"whenever {PlainWords(self._graph).text(trigger.condition)}"
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

    def _links(self, unit: Unit, trail: "_Trail", number: dict[Unit, int]) -> Iterator[Link]:
        for node_id in sorted(unit.nodes, key=lambda id_: id_ != unit.lead):
            node = self._routes.nodes[node_id]
            for way, landing in self._routes.ways(node_id):
                if len(unit.nodes) > 1 and landing in unit.nodes:
                    continue
                end, ways = trail.follow(landing)
                if unit.cases:
                    sign = self._labels.case(way)
                elif node_id == unit.lead or (unit.lead is not None and finds_nobody(node)):
                    sign = self._labels.sign(way)
                else:
                    sign = Sign(EdgeKind.FLOW)
                if end is unit and sign.label == DONE:
                    sign = evolve(sign, label="again")
                if isinstance(end, str):
                    passed = [*unit.nodes, *(way.node for way in ways)]
                    given = self._labels.handed.given(end, passed)[0]
                    sign = evolve(sign, sub="\n".join(filter(None, (sign.sub, given))))
                if self._asks_again(unit, ways, end):
                    sign = evolve(sign, label=": ".join(filter(None, (sign.label, _SAME))))
                if self._routes.impossible(node, way.position):
                    sign = evolve(sign, kind=EdgeKind.SHUT)
                yield Link(number[unit], _numbered(end, number), sign, (way, *ways))

    def _asks_again(self, unit: Unit, ways: tuple[Way, ...], end: Unit | str) -> bool:
        """Whether a window is come back to without being handed on."""
        if isinstance(end, str) or end.lead is None:
            return False
        asking = self._routes.nodes[end.lead].step
        if not isinstance(asking, Choose) or not self._labels.is_window(asking):
            return False
        passed = (*unit.nodes, *(way.node for way in ways))
        return all(handed_on(self._routes.nodes[node_id]) is None for node_id in passed)

    # ---- frames

    def _framed(self, draft: Draft, grouping: Grouping, number: dict[Unit, int]) -> Draft:
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
        return "" if name in self._reached else UNREACHED


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


def _note(what: str, titles: Iterable[str]) -> str:
    """A line of notes; titles, which may have commas in them, in quotes."""
    quoted = dict.fromkeys(
        f"\N{LEFT DOUBLE QUOTATION MARK}{title}\N{RIGHT DOUBLE QUOTATION MARK}" for title in titles
    )
    return f"{what}: {'; '.join(quoted)}"


def _numbered(end: Unit | str, number: dict[Unit, int]) -> Landing:
    return end if isinstance(end, str) else number[end]
