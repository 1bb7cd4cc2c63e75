"""Charts of a game in the formats people ask for."""

import json
from enum import Enum
from typing import assert_never

from compiler.flowchart import dot, json_form, svg
from compiler.flowchart import text as indented
from compiler.flowchart.model import Chart
from compiler.pipeline import Compiled, Spec
from compiler.render import SCHEMA_VERSION


class Form(Enum):
    """How a chart is written; the value is the file's suffix."""

    SVG = "svg"
    PNG = "png"
    PDF = "pdf"
    DOT = "dot"
    JSON = "json"
    TEXT = "txt"


Undrawn = svg.RendererMissing | svg.RenderFailed


def links(spec: Spec) -> dot.Links:
    """What boxes tell of the clauses they cite: the texts of a spec's table."""
    if spec.catalogue is None:
        return dot.NO_LINKS
    texts = {clause.id: clause.text for clause in spec.catalogue.clauses.values()}
    questions = {ruling.id: ruling.question for ruling in spec.catalogue.rulings.values()}
    return dot.Links({**texts, **questions})


def drawn(
    compiled: Compiled, chart: Chart, form: Form, choice: svg.Choice = svg.Choice.AUTO
) -> bytes | Undrawn:
    """A chart of a game in one format; what stood in the way if a picture could not be drawn."""
    match form:
        case Form.TEXT:
            return indented.text(chart).encode()
        case Form.JSON:
            entry = {"name": compiled.spec.name, **json_form.entry(chart)}
            document = {"schema_version": SCHEMA_VERSION, "specs": [entry]}
            return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
        case Form.DOT:
            return dot.draw(chart, links(compiled.spec)).encode()
        case Form.SVG | Form.PNG | Form.PDF:
            texts = dot.ladder(chart, links(compiled.spec))
            return svg.render(texts, len(chart.edges), svg.Format(form.value), choice)
        case _:
            assert_never(form)
