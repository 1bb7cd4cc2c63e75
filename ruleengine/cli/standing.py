"""`flow` at the prompt of `play`: where the game stands on the chart.

Only the box is marked where somebody is asked now: the way there could tell what is hidden.
"""

from pathlib import Path

import click

from compiler.flowchart.model import Chart
from compiler.flowchart.overlay import Overlaid, trail
from ruleengine.cli.forms import form_of, is_folder
from ruleengine.cli.writing import write
from ruleengine.drawing import Form, shown
from ruleengine.play.course import Course


def standing(course: Course, name: str) -> list[str]:
    """The phase that is played, as text; or says into which file the chart was written."""
    node = course.now.table.node
    phase = course.game.graph.nodes[node].phase or None

    def lay(drawn: Chart) -> Overlaid:
        return trail(course.game.graph, drawn, (), node, "Where the game stands")

    if not name:
        text = shown(course.game.compiled, Form.TEXT, lay, phase=phase)
        return text.decode().splitlines() if isinstance(text, bytes) else [str(text)]
    output = Path(name)
    if is_folder(output):
        return [f"Say a file with an ending, as in `flow {course.game.name}.html`."]
    try:
        form = form_of(output, None)
        picture = shown(course.game.compiled, form, lay, phase=None if form is Form.HTML else phase)
        if not isinstance(picture, bytes):
            return [str(picture)]
        write(output, picture)
    except click.UsageError as error:
        return [f"Not drawn: {error.message}."]
    return [f"Drawn in {name}."]
