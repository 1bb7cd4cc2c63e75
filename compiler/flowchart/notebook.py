"""The chart of a whole game as a notebook shows it."""

from collections.abc import Mapping

from compiler.clauses import Clause
from compiler.flowchart.chart import chart
from compiler.flowchart.dot import Links, ladder
from compiler.flowchart.svg import render
from compiler.flowchart.text import text
from compiler.graph.core import Graph


def picture(graph: Graph, clauses: Mapping[str, Clause]) -> str | None:
    """The chart as SVG, with the texts of its clauses; `None` where nothing can draw it."""
    drawn = chart(graph)
    links = Links({id_: clause.text for id_, clause in clauses.items()})
    found = render(ladder(drawn, links), len(drawn.edges))
    return found.decode() if isinstance(found, bytes) else None


def bundle(graph: Graph, clauses: Mapping[str, Clause]) -> dict[str, str]:
    """The chart as a picture where something draws it, and as text for all other readers."""
    found = picture(graph, clauses)
    shown = {} if found is None else {"image/svg+xml": found}
    return shown | {"text/plain": text(chart(graph))}
