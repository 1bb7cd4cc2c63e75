"""The chart of a whole graph: a box for each of its nodes, an arrow for each way on.

For authors who want to see what the compiler made of their rules; nothing is joined or left out.
"""

from collections.abc import Iterator

from attrs import evolve

from compiler.flowchart.connectors import with_entries
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
from compiler.flowchart.routes import Landing, Procedure, Routes
from compiler.flowchart.units import Effects, Unit
from compiler.graph.core import Call, Flow, Graph, Jump, Node


class Full:
    """The full charts of one graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._routes = Routes(graph)
        self._labels = Labels(self._routes, Effects(self._routes))
        self._titles = {procedure.name: procedure.title for procedure in self._routes.procedures}

    def whole(self) -> Chart:
        """All procedures."""
        return self._chart(self._routes.procedures, "")

    def one(self, name: str) -> Chart:
        """One procedure, by its name; `KeyError` if there is none."""
        for procedure in self._routes.procedures:
            if procedure.name == name:
                alone = self._chart((procedure,), procedure.title)
                return with_entries(evolve(alone, phase=name), self._routes)
        raise KeyError(name)

    def _chart(self, drawn: tuple[Procedure, ...], part: str) -> Chart:
        nodes: list[ChartNode] = []
        edges: list[ChartEdge] = []
        clusters: list[Cluster] = []
        for procedure in drawn:
            clusters += self._frames(procedure)
            members = self._members(procedure)
            nodes += [self._beginning(procedure), *map(self._box, members)]
            edges.append(ChartEdge(f"{procedure.name}.start", self._id(procedure.entry)))
            for node in members:
                edges += self._arrows(node)
        if part:
            nodes += self._exits(drawn[0], edges)
        seats = f"{self._graph.seats} player{'s' if self._graph.seats != 1 else ''}"
        subtitle = ", ".join(text for text in (part, Level.FULL.value, seats) if text)
        title = self._graph.title or self._graph.name
        return Chart(title, subtitle, tuple(nodes), tuple(edges), tuple(clusters), level=Level.FULL)

    def _members(self, procedure: Procedure) -> list[Node]:
        """The nodes of a procedure in the order of the rules, then those that are never come to."""
        order = self._routes.order(procedure.entry)
        rest = [
            node.id
            for node in self._graph.nodes
            if node.phase == procedure.name and node.id not in order
        ]
        return [self._routes.nodes[node_id] for node_id in (*order, *rest)]

    def _id(self, node_id: int) -> str:
        return f"{self._routes.nodes[node_id].phase}.{node_id}"

    # ---- boxes

    def _beginning(self, procedure: Procedure) -> ChartNode:
        return ChartNode(
            f"{procedure.name}.start",
            procedure.name,
            Kind.TRIGGER if procedure.is_trigger else Kind.START,
            procedure.title,
            clauses=procedure.clauses,
            span=procedure.span,
            cluster=procedure.name,
        )

    def _box(self, node: Node) -> ChartNode:
        unit = Unit((node.id,), lead=node.id)
        caption = self._labels.alone(node)
        step = node.step
        called = step.way.phase if isinstance(step, Flow) and isinstance(step.way, Call) else None
        named = node.named
        return ChartNode(
            self._id(node.id),
            node.phase,
            caption.kind,
            caption.label,
            actor=caption.actor,
            sub=caption.sub,
            clauses=node.clauses,
            span=node.span,
            hidden=self._labels.hidden(unit),
            nodes=unit.nodes,
            target=called,
            cluster=node.phase if named is None else f"{node.phase}/{named}",
        )

    def _exits(self, procedure: Procedure, edges: list[ChartEdge]) -> Iterator[ChartNode]:
        """Boxes for the phases that this one goes on as, at the ends of its arrows."""
        for position, edge in enumerate(edges):
            if not edge.target.endswith(".start"):
                continue
            target = edge.target.removesuffix(".start")
            exit_ = f"{edge.source}.to_{target}"
            edges[position] = evolve(edge, target=exit_)
            yield ChartNode(
                exit_,
                procedure.name,
                Kind.EXIT,
                self._titles[target],
                target=target,
                cluster=procedure.name,
            )

    def _frames(self, procedure: Procedure) -> Iterator[Cluster]:
        name = procedure.name
        yield Cluster(name, procedure.title, None, procedure.clauses, procedure.span)
        used = self._named_around(node.named for node in self._members(procedure))
        for named in used:
            step = self._graph.named[named]
            parent = name if step.parent is None else f"{name}/{step.parent}"
            yield Cluster(f"{name}/{named}", step.title, parent, step.clauses, step.span)

    def _named_around(self, named: Iterator[int | None]) -> dict[int, None]:
        found: dict[int, None] = {}
        for inner in named:
            chain: list[int] = []
            while inner is not None and inner not in found:
                chain.insert(0, inner)
                inner = self._graph.named[inner].parent
            found |= dict.fromkeys(chain)
        return found

    # ---- arrows

    def _arrows(self, node: Node) -> Iterator[ChartEdge]:
        step = node.step
        if isinstance(step, Flow) and isinstance(step.way, Jump):
            ((way, landing),) = self._routes.ways(node.id)
            yield self._arrow(way, landing, Sign(EdgeKind.FLOW))
        for position, following in enumerate(node.next):
            way = Way(node.id, position)
            sign = self._labels.sign(way)
            if self._routes.impossible(node, position):
                sign = evolve(sign, kind=EdgeKind.SHUT)
            yield self._arrow(way, following, sign)

    def _arrow(self, way: Way, landing: Landing, sign: Sign) -> ChartEdge:
        target = f"{landing}.start" if isinstance(landing, str) else self._id(landing)
        return ChartEdge(
            self._id(way.node), target, sign.kind, sign.label, sign.sub, sign.clauses, (way,)
        )
