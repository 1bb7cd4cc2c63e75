"""From a graph to a chart: which boxes there are, and which arrows lead from one to the next."""

from functools import lru_cache

from attrs import evolve

from compiler.diagnostic import InternalError
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
    "lost_edges",
    "pages",
    "tally",
]

PAGE = 40  # boxes that a reader can take in at once


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
    if level is Level.STEPS and (phase is not None or len(drawn.nodes) <= PAGE):
        drawn = evolve(drawn, meanings=glossary(graph, drawn, _steps(graph, shut).matters))
    return _whole(graph, overview(graph, drawn) if level is Level.OVERVIEW else drawn)


@lru_cache(maxsize=1)
def _steps(graph: Graph, shut: bool) -> Steps:
    """What is known of a graph; its phases are often drawn one after the other."""
    return Steps(graph, shut=shut)


def pages(graph: Graph, level: Level = Level.STEPS, *, shut: bool = False) -> tuple[Chart, ...]:
    """The chart of a game for print: whole while it fits a page, else a page for each phase."""
    main = chart(graph, level, shut=shut)
    phases = [frame.id for frame in main.clusters if frame.parent is None]
    if level is Level.OVERVIEW or len(main.nodes) <= PAGE or len(phases) == 1:
        return (main,)
    return tuple(chart(graph, level, phase, shut=shut) for phase in phases)


def _whole(graph: Graph, drawn: Chart) -> Chart:
    lost = lost_edges(graph, drawn)
    if lost:
        raise InternalError(f"the chart of {graph.name} loses ways of the graph: {lost}")
    return drawn
