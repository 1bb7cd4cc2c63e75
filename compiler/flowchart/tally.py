"""The proof that a chart loses nothing: every way of the graph is accounted for, once."""

from functools import lru_cache

from attrs import frozen

from compiler.flowchart.model import Chart, Level, Way
from compiler.flowchart.routes import Routes
from compiler.graph.core import Flow, Graph, Jump


@frozen
class Tally:
    """Where the ways on from the graph's nodes are in a chart, each way in one of these.

    `along` arrows, `inside` boxes; `shut` are never open in this configuration, or come after such
    a one; `elsewhere` are in phases that are not drawn: those that do nothing, or the others where
    one phase is drawn.
    """

    nodes: int
    along: tuple[Way, ...]
    inside: tuple[Way, ...]
    shut: tuple[Way, ...]
    elsewhere: tuple[Way, ...]
    lost: tuple[Way, ...]

    def __str__(self) -> str:
        counted = (self.along, self.inside, self.shut, self.elsewhere, self.lost)
        along, inside, shut, elsewhere, lost = map(len, counted)
        total = along + inside + shut + elsewhere + lost
        return (
            f"{self.nodes} nodes, {total} ways: {along} along arrows, {inside} inside boxes, "
            f"{shut} never open, {elsewhere} in phases not drawn, {lost} lost"
        )


def tally(graph: Graph, drawn: Chart) -> Tally:
    """The count of a chart against its graph."""
    routes = _routes(graph)
    reached = {
        node_id: procedure.name
        for procedure in routes.procedures
        for node_id in routes.order(procedure.entry)
    }
    phases = {box.phase for box in drawn.nodes}
    along = {way for edge in drawn.edges for way in edge.ways}
    box_of = {node_id: box for box in drawn.nodes for node_id in box.nodes}
    found: dict[str, list[Way]] = {name: [] for name in _PARTS}
    for node in graph.nodes:
        ways = dict(routes.ways(node.id))
        ways |= {
            Way(node.id, position): following
            for position, following in enumerate(node.next)
            if routes.closed(node, position)
        }
        box = box_of.get(node.id)
        for way, landing in ways.items():
            if way in along:
                part = "along"
            elif box is not None and isinstance(landing, int) and landing in box.nodes:
                part = "inside"
            elif drawn.level is Level.FULL:
                part = "lost" if node.phase in phases else "elsewhere"
            elif node.id not in reached or routes.closed(node, way.position):
                part = "shut"
            else:
                part = "lost" if reached[node.id] in phases else "elsewhere"
            found[part].append(way)
    return Tally(len(graph.nodes), **{name: tuple(ways) for name, ways in found.items()})


@lru_cache(maxsize=1)
def _routes(graph: Graph) -> Routes:
    return Routes(graph)


_PARTS = ("along", "inside", "shut", "elsewhere", "lost")


def ways_of(graph: Graph) -> int:
    """How many ways on there are: those of each node, and one for each jump."""
    return sum(
        len(node.next) + (isinstance(node.step, Flow) and isinstance(node.step.way, Jump))
        for node in graph.nodes
    )


def lost_edges(graph: Graph, drawn: Chart) -> tuple[Way, ...]:
    """The ways of the drawn phases that lie neither in a box nor along an arrow: should be none."""
    return tally(graph, drawn).lost
