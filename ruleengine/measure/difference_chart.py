"""Two games on one chart: what was added, removed, changed, and what leads elsewhere."""

import re
from typing import Final

from attrs import evolve

from compiler.flowchart.against import against, bare
from compiler.flowchart.chart import chart
from compiler.flowchart.extent import MOST
from compiler.flowchart.model import Level
from compiler.flowchart.overlay import Overlaid
from ruleengine.measure.difference import Side

_FOLDERS: Final = re.compile(r"[^:+,]*/|\.rules\b")
_LEGEND: Final = "What differs"


def on_chart(
    old: Side, new: Side, phase: str | None = None, level: Level = Level.STEPS
) -> Overlaid:
    """The chart of both games, or of a phase of them; `KeyError` if neither has that phase."""
    ones, others = old.game.graph, new.game.graph
    try:
        drawn = chart(others, level, phase)
    except KeyError:  # the new rules have no such phase
        drawn = bare(chart(ones, level, phase))
    laid = against(ones, others, _LEGEND)(drawn)
    return evolve(laid, chart=evolve(laid.chart, title=title(old, new)))


def title(old: Side, new: Side) -> str:
    """What stands above the chart of both; files are named without their folders."""
    before, after = (_FOLDERS.sub("", side.said) for side in (old, new))
    return f"What {after} changes in {before}"


def differing(laid: Overlaid) -> tuple[str, ...]:
    """The phases of a chart in which a box or an arrow is marked, in the order of the rules."""
    if laid.overlay is None:
        return ()
    marked = {*laid.overlay.boxes, *(laid.chart.edges[at].source for at in laid.overlay.arrows)}
    return tuple(dict.fromkeys(node.phase for node in laid.chart.nodes if node.id in marked))


def on_pages(old: Side, new: Side) -> tuple[Overlaid, ...]:
    """The chart of both games while it can be taken in, else those of the phases that differ."""
    whole = on_chart(old, new)
    if len(whole.chart.nodes) <= MOST:
        return (whole,)
    return tuple(on_chart(old, new, phase) for phase in differing(whole))
