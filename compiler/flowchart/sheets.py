"""The chart of a game as sheets for print: few boxes on each, in letters that can be read on A4."""

from collections.abc import Callable, Collection, Iterator

from attrs import evolve

from compiler.flowchart.chart import chart, checked, phases, told
from compiler.flowchart.extent import burden
from compiler.flowchart.model import PAGE_SIGN, Chart, Level
from compiler.flowchart.overlay import Overlaid, Overlay
from compiler.flowchart.parts import Part, parts
from compiler.graph.core import Graph


def sheets(
    graph: Graph,
    level: Level = Level.STEPS,
    lay: Callable[[Chart], Overlaid] = Overlaid,
    phase: str | None = None,
    *,
    shut: bool = False,
) -> tuple[Overlaid, ...]:
    """The sheets of a game, or of one phase of it, with something laid over them.

    A game that fits is one; else each phase is one, or several where it does not fit either, with
    connectors in both directions.
    """
    if phase is None:
        whole = lay(chart(graph, level, shut=shut))
        if level is Level.OVERVIEW or burden(whole.chart) <= 1:
            return (whole,)
        wanted = phases(whole.chart)
    else:
        wanted = [phase]
    laid = [lay(chart(graph, level, name, shut=shut)) for name in wanted]
    return tuple(page for one in laid for page in _divided(graph, one, shut=shut))


def first_of(name: str, pages: Collection[str]) -> str | None:
    """The page of that name; of a phase with several, the first; `None` if there is none."""
    return next((one for one in (name, f"{name}{PAGE_SIGN}1") if one in pages), None)


def _divided(graph: Graph, laid: Overlaid, *, shut: bool) -> Iterator[Overlaid]:
    """The sheets of one phase, each with what its own words mean."""
    whole = laid.chart
    found = parts(whole)
    if len(found) == 1:
        yield laid
        return
    boxes = tuple(box for part in found for box in part.chart.nodes)
    arrows = tuple(arrow for part in found for arrow in part.chart.edges)
    checked(graph, evolve(whole, nodes=boxes, edges=arrows))
    for part in found:
        page = told(graph, part.chart, shut=shut) if whole.meanings else part.chart
        yield Overlaid(page, None if laid.overlay is None else _on_page(laid.overlay, part))


def _on_page(overlay: Overlay, part: Part) -> Overlay:
    """What is laid over a chart, on one of its pages."""
    here = {box.id for box in part.chart.nodes}
    boxes = {id_: mark for id_, mark in overlay.boxes.items() if id_ in here}
    arrows = {
        at: overlay.arrows[whole] for at, whole in enumerate(part.arrows) if whole in overlay.arrows
    }
    return evolve(overlay, boxes=boxes, arrows=arrows)
