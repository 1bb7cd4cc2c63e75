"""The chart of a game as sheets for print: few boxes on each, in letters that can be read on A4."""

from collections.abc import Callable, Iterable, Iterator

from attrs import evolve

from compiler.flowchart.chart import chart, checked, each, few, told
from compiler.flowchart.extent import burden
from compiler.flowchart.model import Chart, Kind, Level
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

    def fits(drawn: Chart) -> bool:
        """Whether a phase with others inside is one sheet, with what its words mean."""
        return few(drawn) and burden(drawn) <= 1 and burden(told(graph, drawn, shut=shut)) <= 1

    if phase is None:
        whole = lay(chart(graph, level, shut=shut))
        if level is Level.OVERVIEW or burden(whole.chart) <= 1:
            return (whole,)
        alone = each(graph, level, fits, shut=shut)
    else:
        alone = (chart(graph, level, phase, shut=shut, inside=fits),)
    laid = [lay(one) for one in alone]
    return tuple(page for one in laid for page in _divided(graph, one, shut=shut))


def name_of(page: Chart) -> str:
    """What a sheet is called: the part of a phase, the phase, or how much it tells of a game."""
    return page.page or page.phase or page.level.value


def places(pages: Iterable[Chart]) -> dict[str, str]:
    """Where each sheet, and each phase, is: the name of the sheet on which that begins."""
    found: dict[str, str] = {}
    for page in pages:
        if page.level is not Level.OVERVIEW:
            begins = [box.phase for box in page.nodes if box.kind in (Kind.START, Kind.TRIGGER)]
            found |= dict.fromkeys([name_of(page), *begins], name_of(page))
    return found


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
