"""What differs from another game, laid over any chart of this one."""

from collections.abc import Callable

from attrs import evolve

from compiler.flowchart.chart import chart
from compiler.flowchart.model import Chart
from compiler.flowchart.overlay import Overlaid, difference
from compiler.graph.core import Graph


def against(old: Graph, new: Graph, title: str) -> Callable[[Chart], Overlaid]:
    """Lays what differs from the old game over any chart of the new one."""

    def laid(drawn: Chart) -> Overlaid:
        try:
            before = chart(old, drawn.level, drawn.phase, inside=_same(drawn))
        except KeyError:  # the old rules have no such phase
            before = bare(drawn)
        return difference((old, before), (new, drawn), title)

    return laid


def _same(drawn: Chart) -> Callable[[Chart], bool]:
    """Whether a chart has the phases inside that another has, and no others."""
    inside = {frame.id for frame in drawn.clusters if frame.is_phase}
    return lambda other: all(not one.is_phase or one.id in inside for one in other.clusters)


def bare(drawn: Chart) -> Chart:
    """A chart of nothing, called as another."""
    return evolve(drawn, nodes=(), edges=(), clusters=(), notes=(), meanings=())
