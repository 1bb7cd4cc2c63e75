"""From a graph to a chart: which boxes there are, and which arrows lead from one to the next."""

from functools import lru_cache

from attrs import evolve

from compiler.diagnostic import InternalError
from compiler.flowchart.extent import MOST
from compiler.flowchart.full import Full
from compiler.flowchart.glossary import glossary
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
from compiler.flowchart.steps import Steps
from compiler.flowchart.tally import Tally, lost_edges, tally
from compiler.graph.core import Graph

__all__ = [
    "Chart",
    "ChartEdge",
    "ChartNode",
    "Cluster",
    "EdgeKind",
    "Kind",
    "Level",
    "Tally",
    "Way",
    "chart",
    "checked",
    "lost_edges",
    "pages",
    "phases",
    "tally",
    "told",
]


def chart(
    graph: Graph, level: Level = Level.STEPS, phase: str | None = None, *, shut: bool = False
) -> Chart:
    """The chart of a game, or of one phase of it; `KeyError` if there is no such phase.

    Of a whole game, phases that do nothing in this configuration are left out, and named in a note.
    Where one phase is drawn, arrows to others end in exits that name them, and entries name the
    phases that lead here.  What fits a page tells what its words mean.  Raises `InternalError` if
    a way of the graph were lost.  Options that are never open are drawn if `shut` is true.
    """
    if level is Level.FULL:
        full = Full(graph)
        drawn = full.whole() if phase is None else full.one(phase)
    else:
        steps = _steps(graph, shut)
        drawn = steps.whole if phase is None else steps.one(phase)
    if level is Level.STEPS and (phase is not None or len(drawn.nodes) <= MOST):
        drawn = told(graph, drawn, shut=shut)
    return checked(graph, overview(graph, drawn) if level is Level.OVERVIEW else drawn)


@lru_cache(maxsize=1)
def _steps(graph: Graph, shut: bool) -> Steps:
    """What is known of a graph; its phases are often drawn one after the other."""
    return Steps(graph, shut=shut)


def pages(graph: Graph, level: Level = Level.STEPS, *, shut: bool = False) -> tuple[Chart, ...]:
    """The chart of a game for a screen: whole while it can be taken in, else by its phases."""
    main = chart(graph, level, shut=shut)
    found = phases(main)
    if level is Level.OVERVIEW or len(main.nodes) <= MOST or len(found) == 1:
        return (main,)
    return tuple(chart(graph, level, phase, shut=shut) for phase in found)


def phases(main: Chart) -> list[str]:
    """The phases that a chart of a whole game draws."""
    return [frame.id for frame in main.clusters if frame.parent is None]


def told(graph: Graph, drawn: Chart, *, shut: bool = False) -> Chart:
    """A chart of steps with what its words mean."""
    return evolve(drawn, meanings=glossary(graph, drawn, _steps(graph, shut).matters))


def checked(graph: Graph, drawn: Chart) -> Chart:
    """A chart on which no way of its phases is lost; raises `InternalError` otherwise."""
    lost = lost_edges(graph, drawn)
    if lost:
        raise InternalError(f"the chart of {graph.name} loses ways of the graph: {lost}")
    return drawn
