"""`flow`: the flowchart of a spec."""

import sys
from difflib import get_close_matches
from pathlib import Path

import click

from compiler.flowchart.chart import PAGE, chart, pages, tally
from compiler.flowchart.model import Chart, Level
from compiler.flowchart.svg import Choice
from compiler.pipeline import Compiled
from ruleengine.cli.options import (
    FOUND,
    SpecName,
    as_json,
    chosen,
    configured,
    loaded,
)
from ruleengine.cli.screen import note, say
from ruleengine.drawing import Form, drawn

FORMS = {"svg": Form.SVG, "png": Form.PNG, "pdf": Form.PDF, "dot": Form.DOT}
FORMS |= {"json": Form.JSON, "text": Form.TEXT}
PICTURES = (Form.SVG, Form.PNG, Form.PDF)
_SUFFIXES = {**FORMS, "gv": Form.DOT, "txt": Form.TEXT}


@click.command("flow", short_help="Draw the flowchart of a spec.")
@click.argument("spec", type=SpecName(), metavar="SPEC")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where to write; the ending says the format. A folder gets a page per phase.",
)
@click.option("--phase", metavar="PHASE", help="Draw this phase only.")
@click.option(
    "--level",
    type=click.Choice([level.value for level in Level]),
    default=Level.STEPS.value,
    show_default=True,
    help="Phases only, the steps of the rules, or every node of the compiled graph.",
)
@click.option(
    "--count", "counted", is_flag=True, help="Count the chart against the graph instead of drawing."
)
@click.option(
    "-T",
    "--format",
    "form",
    type=click.Choice(tuple(FORMS)),
    help="What to write, if the file's ending does not say it.  [default: text]",
)
@click.option(
    "--renderer",
    type=click.Choice([choice.value for choice in Choice]),
    default=Choice.AUTO.value,
    show_default=True,
    help="What draws pictures: the packaged Graphviz, or an installed `dot`.",
)
@configured
@as_json
def command(
    spec: str,
    output: Path | None,
    phase: str | None,
    form: str | None,
    renderer: str,
    level: str,
    counted: bool,
    players: int | None,
    settings: tuple[str, ...],
    json_: bool,
) -> int:
    """Draw the flowchart of a spec.

    What is drawn is what is run: branches that the players' number or a reading makes impossible
    are left out. Without `-o` the chart is written to standard output, as indented text unless
    `--format` says otherwise.
    """
    compiled = loaded(spec, chosen(players, settings)).game.compiled
    form_ = Form.JSON if json_ else _form(output, form)
    choice, level_ = Choice(renderer), Level(level)
    if output is not None and _is_folder(output):
        return _write_pages(compiled, output, Form.SVG if form is None else form_, choice, level_)
    whole = _chart(compiled, level_, phase)
    if counted:
        say(str(tally(compiled.graph, whole)))
        return 0
    picture = drawn(compiled, whole, form_, choice)
    if not isinstance(picture, bytes):
        note(f"{picture}\nwrite `--format dot` or `--format text` instead")
        return FOUND
    if phase is None and len(whole.nodes) > PAGE and form_ in PICTURES:
        note(f"{len(whole.nodes)} boxes: `-o FOLDER/` draws a page for each phase")
    if output is None:
        sys.stdout.buffer.write(picture)
    else:
        _write(output, picture)
    return 0


def _form(output: Path | None, form: str | None) -> Form:
    """The format: as said, else by the file's ending, else text."""
    if form is not None:
        return FORMS[form]
    if output is None or _is_folder(output):
        return Form.TEXT
    suffix = output.suffix.removeprefix(".").lower()
    if suffix not in _SUFFIXES:
        known = ", ".join(_SUFFIXES)
        raise click.UsageError(f"`{output}` says no format; end it with one of {known}")
    return _SUFFIXES[suffix]


def _is_folder(output: Path) -> bool:
    return output.is_dir() or not output.suffix


def _chart(compiled: Compiled, level: Level, phase: str | None) -> Chart:
    """The chart of a game, or of a phase of it."""
    try:
        return chart(compiled.graph, level, phase)
    except KeyError:
        known = [found.name for found in compiled.graph.phases]
        near = get_close_matches(phase or "", known, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(known)}"
        raise click.UsageError(f"no phase is called `{phase}`; {hint}") from None


def _write_pages(compiled: Compiled, folder: Path, form: Form, choice: Choice, level: Level) -> int:
    """A page for the game, or for each phase if it is too large for one."""
    for page in pages(compiled.graph, level):
        picture = drawn(compiled, page, form, choice)
        if not isinstance(picture, bytes):
            note(str(picture))
            return FOUND
        name = compiled.graph.name if page.phase is None else page.phase
        path = folder / f"{name}.{form.value}"
        _write(path, picture)
        say(str(path))
    return 0


def _write(path: Path, data: bytes) -> None:
    """Writes a file, folders around it included; `UsageError` if that is refused."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise click.UsageError(f"cannot write `{path}`: {error.strerror}") from error
