"""Which option of a chart shows in which format: what does not show is refused."""

import pytest
from attrs import evolve

from compiler.flowchart import svg
from compiler.flowchart.chart import Chart, chart
from compiler.flowchart.overlay import Overlaid, selection
from ruleengine import load
from ruleengine.cli import run
from ruleengine.cli.forms import SHOWN
from ruleengine.drawing import PLAIN, Form, Manner, Paper, Theme, shown

GAME = load("nim")
MANNERS = {
    "--theme": evolve(PLAIN, theme=Theme.DARK),
    "--paper": evolve(PLAIN, paper=Paper.A4),
    "--select": PLAIN,
}
DRAWN = pytest.mark.skipif(not svg.renderers(svg.Format.SVG), reason="no renderer is installed")
FORMS = [
    pytest.param(form, marks=DRAWN if form in (Form.SVG, Form.PNG, Form.HTML) else ())
    for form in Form
    if form is not Form.PDF
]


def marked(drawn: Chart) -> Overlaid:
    """A chart on which something is laid over every box."""
    return selection(drawn, ("NI-1",), "What is asked for")


def written(form: Form, manner: Manner, lays: bool) -> bytes:
    """The chart of a game in a format."""
    made = shown(GAME.compiled, form, marked if lays else Overlaid, manner=manner)
    assert isinstance(made, bytes)
    return made


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("option", MANNERS)
def test_what_is_taken_shows(option: str, form: Form) -> None:
    """An option changes what is written in the formats that take it, and in no other."""
    plain = written(form, PLAIN, lays=False)
    asked = written(form, MANNERS[option], lays=option == "--select")

    assert (asked != plain) == (form in SHOWN[option])


GIVEN = {
    "--theme": ["--theme", "dark"],
    "--paper": ["--paper", "a4"],
    "--renderer": ["--renderer", "pure"],
    "--heat": ["--heat", "1"],
    "--against": ["--against", "nim"],
    "--impossible grey": ["--impossible", "grey"],
}


@pytest.mark.parametrize(
    ("option", "form"),
    [(option, form) for option in GIVEN for form in Form if form not in SHOWN[option]],
)
def test_the_rest_is_refused(option: str, form: Form, capfd: pytest.CaptureFixture[str]) -> None:
    """An option that would not show in a format is refused, with the formats in which it does."""
    assert run(["flow", "nim", *GIVEN[option], "--format", form.value]) == 2

    said = "".join(capfd.readouterr())
    known = ", ".join(f".{one.value}" for one in Form if one in SHOWN[option])
    assert f"`{option}` does not show in .{form.value}, but in {known}" in said


def test_every_format_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    """A chart without options can be written in every format of text."""
    for form in (Form.TEXT, Form.JSON, Form.DOT, Form.MERMAID):
        assert run(["flow", "nim", "--format", form.value]) == 0
    assert len(chart(GAME.graph).nodes) > 1
    assert capfd.readouterr().err == ""
