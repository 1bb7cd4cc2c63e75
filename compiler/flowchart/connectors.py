"""The boxes at the edge of a page that name the phases which lead here."""

from attrs import evolve

from compiler.flowchart.model import Chart, ChartEdge, ChartNode, Kind
from compiler.flowchart.routes import Routes
from compiler.graph.core import Call, Flow, Jump

_RUNS = "and goes on after it"


def with_entries(drawn: Chart, routes: Routes, idle: frozenset[str] = frozenset()) -> Chart:
    """The chart of one phase with a box for each other phase that goes on as it, or runs it.

    Phases that do nothing run it only where nothing of it is seen either; they get no box.
    """
    phase = drawn.phase
    start = next(box for box in drawn.nodes if box.kind in (Kind.START, Kind.TRIGGER))
    entries: list[ChartNode] = []
    for procedure in routes.procedures:
        if procedure.name == phase or procedure.name in idle:
            continue
        ways = [routes.nodes[node_id].step for node_id in routes.order(procedure.entry)]
        goes = any(isinstance(s, Flow) and s.way == Jump(phase or "") for s in ways)
        runs = any(isinstance(s, Flow) and s.way == Call(phase or "") for s in ways)
        if goes or runs:
            entries.append(
                ChartNode(
                    f"{phase}.from_{procedure.name}",
                    phase or "",
                    Kind.ENTRY,
                    procedure.title,
                    sub="" if goes else _RUNS,
                    span=procedure.span,
                    target=procedure.name,
                )
            )
    arrows = tuple(ChartEdge(entry.id, start.id) for entry in entries)
    return evolve(drawn, nodes=(*entries, *drawn.nodes), edges=(*arrows, *drawn.edges))
