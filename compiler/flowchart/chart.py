"""From a graph to a chart: which boxes there are, and which arrows lead from one to the next."""

from collections.abc import Callable
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
    "each",
    "few",
    "lost_edges",
    "pages",
    "phases",
    "tally",
    "told",
]


def chart(
    graph: Graph,
    level: Level = Level.STEPS,
    phase: str | None = None,
    *,
    shut: bool = False,
    inside: Callable[[Chart], bool] | None = None,
) -> Chart:
    """The chart of a game, or of one phase of it; `KeyError` if there is no such phase.

    Of a whole game, phases that do nothing in this configuration are left out, and named in a note.
    Where one phase is drawn, arrows to others end in exits that name them, and entries name the
    phases that lead here; with `inside`, steps of phases that only this one runs are drawn where
    they are run, as long as it holds of the chart.  A chart of steps tells what its words mean.
    Raises `InternalError` if a way of the graph were lost.  Options that are never open are drawn
    if `shut` is true.
    """
    if level is Level.FULL:
        full = Full(graph)
        drawn = full.whole() if phase is None else full.one(phase)
    else:
        steps = _steps(graph, shut)
        nested = inside if level is Level.STEPS else None
        drawn = steps.whole if phase is None else steps.one(phase, nested)
    if level is Level.STEPS:
        drawn = told(graph, drawn, shut=shut)
    return checked(graph, overview(graph, drawn) if level is Level.OVERVIEW else drawn)


def few(drawn: Chart) -> bool:
    """Whether a chart has no more boxes than a reader can take in at once."""
    return len(drawn.nodes) <= MOST


@lru_cache(maxsize=1)
def _steps(graph: Graph, shut: bool) -> Steps:
    """What is known of a graph; its phases are often drawn one after the other."""
    return Steps(graph, shut=shut)


def pages(graph: Graph, level: Level = Level.STEPS, *, shut: bool = False) -> tuple[Chart, ...]:
    """The chart of a game for a screen: whole while it can be taken in, else by its phases."""
    main = chart(graph, level, shut=shut)
    if level is Level.OVERVIEW or few(main) or len(phases(main)) == 1:
        return (main,)
    return each(graph, level, few, shut=shut)


def each(
    graph: Graph, level: Level, inside: Callable[[Chart], bool], *, shut: bool = False
) -> tuple[Chart, ...]:
    """The phases of a game, those inside one where only that runs them and `inside` holds."""
    if level is Level.STEPS:
        found = _steps(graph, shut).roots(inside)
    else:
        found = tuple(phases(chart(graph, level, shut=shut)))
    return tuple(chart(graph, level, phase, shut=shut, inside=inside) for phase in found)


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
