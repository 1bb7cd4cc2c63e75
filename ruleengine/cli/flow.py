"""`flow`: the flowchart of a spec."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from attrs import evolve, frozen

from compiler.flowchart.chart import chart, few, tally
from compiler.flowchart.conform import conformance, mismatch
from compiler.flowchart.extent import MOST
from compiler.flowchart.model import Chart, Level
from compiler.flowchart.overlay import Overlaid
from compiler.flowchart.reference import Misread, read
from compiler.flowchart.sheets import places, sheets
from compiler.flowchart.svg import Choice, drawn_beside
from compiler.graph.core import Graph
from compiler.pipeline import Compiled
from compiler.source import SourceFile, Unreadable
from ruleengine.cli.forms import (
    FORMS,
    PICTURES,
    form_of,
    is_folder,
    named_phase,
    put,
    refuse_unseen,
)
from ruleengine.cli.options import (
    FOUND,
    SpecName,
    Whole,
    as_json,
    chosen,
    configured,
    loaded,
)
from ruleengine.cli.overlays import Asked, Laying
from ruleengine.cli.screen import note, say
from ruleengine.cli.writing import write
from ruleengine.drawing import Form, Manner, Paper, Theme, Undrawn, aid_of, drawn, shown

_PAPERS = {paper.name.lower(): paper for paper in Paper}


def _drawing(command: Callable[..., Any]) -> Callable[..., Any]:
    """What is drawn, and how it looks."""
    for option in reversed(
        (
            click.option(
                "-o",
                "--output",
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="Where to write; the ending says the format. A folder gets a page each.",
            ),
            click.option(
                "--phase", metavar="PHASE", help="Draw this phase only, by its name or title."
            ),
            click.option(
                "--level",
                type=click.Choice([level.value for level in Level]),
                default=Level.STEPS.value,
                show_default=True,
                help="Phases only, the steps of the rules, or every node of the compiled graph.",
            ),
            click.option(
                "-T",
                "--format",
                "form",
                type=click.Choice(tuple(FORMS)),
                help="What to write, if the file's ending does not say it.  [default: text]",
            ),
            click.option(
                "--theme",
                type=click.Choice([theme.value for theme in Theme]),
                default=Theme.AUTO.value,
                show_default=True,
                help="The ground of a picture; an SVG can be as light or dark as the screen.",
            ),
            click.option(
                "--paper",
                type=click.Choice(tuple(_PAPERS)),
                help="Fit SVG and PDF to a sheet; HTML is then all sheets, to be printed.",
            ),
            click.option(
                "--renderer",
                type=click.Choice([choice.value for choice in Choice]),
                default=Choice.AUTO.value,
                show_default=True,
                help="What draws pictures: the packaged Graphviz, or an installed `dot`.",
            ),
            click.option(
                "--aid", is_flag=True, help="A player aid of one sheet instead: SVG or HTML."
            ),
            click.option(
                "--count",
                "counted",
                is_flag=True,
                help="Count the chart against the graph instead of drawing it.",
            ),
        )
    ):
        command = option(command)
    return command


def _overlaid(command: Callable[..., Any]) -> Callable[..., Any]:
    """What is laid over the chart."""
    for option in reversed(
        (
            click.option(
                "--heat",
                type=Whole(1),
                metavar="N",
                help="Play N random games and show how often each step was come to.",
            ),
            click.option(
                "--seed",
                type=Whole(0, 2**64 - 1),
                default=0,
                metavar="S",
                help="The same seed gives the same games.  [default: 0]",
            ),
            click.option(
                "--trace",
                type=click.Path(),
                metavar="RECORD",
                help="Number the steps of a recorded game.",
            ),
            click.option(
                "--upto",
                type=Whole(0),
                metavar="N",
                help="With --trace: its first N steps.",
            ),
            click.option(
                "--against",
                metavar="SPEC[,NAME=VALUE]",
                help="Show what differs from another spec or reading.",
            ),
            click.option(
                "--select",
                multiple=True,
                metavar="CLAUSE",
                help="Show what cites a clause or ruling; may be said several times.",
            ),
            click.option(
                "--impossible",
                type=click.Choice(("leave-out", "grey")),
                default="leave-out",
                show_default=True,
                help="What is impossible with these players and readings.",
            ),
            click.option(
                "--conforms",
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="Compare with an expected flow; with -o, draw what is not as expected.",
            ),
        )
    ):
        command = option(command)
    return command


@frozen
class _Wanted:
    """A chart to be drawn: of which game, at which level, with what laid over."""

    compiled: Compiled
    level: Level
    lay: Laying
    manner: Manner
    given: tuple[str, ...]  # options that show in some formats only

    @property
    def graph(self) -> Graph:
        """The compiled rules."""
        return self.compiled.graph

    def chart(self, phase: str | None) -> Chart:
        """The chart of the game, or of a phase of it."""
        return chart(self.graph, self.level, phase, shut=self.compiled.whole, inside=few)


@click.command("flow", short_help="Draw the flowchart of a spec.")
@click.argument("spec", type=SpecName(), metavar="SPEC")
@_drawing
@_overlaid
@configured
@as_json
def command(
    spec: str,
    output: Path | None,
    phase: str | None,
    level: str,
    form: str | None,
    theme: str,
    paper: str | None,
    renderer: str,
    aid: bool,
    counted: bool,
    heat: int | None,
    seed: int,
    trace: str | None,
    upto: int | None,
    against: str | None,
    select: tuple[str, ...],
    impossible: str,
    conforms: Path | None,
    players: int | None,
    settings: tuple[str, ...],
    json_: bool,
) -> int:
    """Draw the flowchart of a spec.

    What is drawn is what is run: branches that the players' number or a reading makes impossible
    are left out, or grey on request. Without `-o` the chart is written to standard output, as
    indented text unless `--format` says otherwise.
    """
    game = loaded(spec, chosen(players, settings)).game
    if upto is not None and trace is None:
        raise click.UsageError("--upto says how much of a record is drawn: it goes with --trace")
    if seed and heat is None:
        raise click.UsageError("--seed says which games are played: it goes with --heat")
    manner = Manner(Choice(renderer), Theme(theme), None if paper is None else _PAPERS[paper])
    asked = Asked(heat, seed, trace, upto, against, select, grey=impossible == "grey")
    given = (*_given(manner), *asked.given)
    wanted = _Wanted(asked.compiled(game), Level(level), asked.laying(game), manner, given)
    phase = named_phase(wanted.graph, phase)
    if counted:
        say(str(tally(wanted.graph, wanted.chart(phase))))
        return 0
    if conforms is not None:
        return _compared(wanted, conforms, output, form)
    if aid:
        return _aided(wanted, output, form)
    form_ = Form.JSON if json_ else form_of(output, form)
    if output is not None and is_folder(output):
        form_ = Form.SVG if form is None else form_
        refuse_unseen(form_, given)
        return _write_pages(wanted, output, phase, form_)
    refuse_unseen(form_, given)
    return _write_one(wanted, output, phase, form_)


def _given(manner: Manner) -> tuple[str, ...]:
    """The options by which a manner differs from the plain one."""
    said = {
        "--theme": manner.theme is not Theme.AUTO,
        "--paper": manner.paper is not None,
        "--renderer": manner.choice is not Choice.AUTO,
    }
    return tuple(option for option, is_given in said.items() if is_given)


def _write_one(wanted: _Wanted, output: Path | None, phase: str | None, form: Form) -> int:
    """One file, or one text on standard output."""
    whole = wanted.chart(phase)
    compiled = wanted.compiled
    picture = shown(compiled, form, wanted.lay, wanted.level, phase, wanted.manner)
    if phase is None and len(whole.nodes) > MOST and form in PICTURES:
        note(f"{len(whole.nodes)} boxes: `-o FOLDER/` draws a page for each phase")
    return put(picture, output)


def _aided(wanted: _Wanted, output: Path | None, form: str | None) -> int:
    """Writes a player aid."""
    form_ = Form.HTML if output is None and form is None else form_of(output, form)
    if form_ not in (Form.HTML, Form.SVG):
        raise click.UsageError("a player aid is written as HTML or SVG")
    idle = [option for option in wanted.given if option != "--renderer"]
    if idle:
        raise click.UsageError(f"`{idle[0]}` does not show in a player aid")
    return put(aid_of(wanted.compiled, form_, wanted.manner), output)


def _compared(wanted: _Wanted, file: Path, output: Path | None, form: str | None) -> int:
    """Says whether the chart is as a file expects it; draws the two together if asked."""
    text = SourceFile.read(file, str(file))
    if isinstance(text, Unreadable):
        raise click.UsageError(f"`{file}` cannot be read: {text.obstacle.value}")
    reference = read(text.text)
    if isinstance(reference, Misread):
        note(f"{file}, {reference}")
        return FOUND
    whole = wanted.chart(None)
    found = conformance(wanted.graph, whole, reference)
    if output is not None or form is not None:
        form_ = form_of(output, form)
        refuse_unseen(form_, (*wanted.given, "--conforms"))
        picture = drawn(wanted.compiled, mismatch(whole, found), form_, wanted.manner)
        if put(picture, output):
            return FOUND
    steps = sum(len(node.following) for node in reference.nodes)
    say(f"{reference.title}: {len(reference.nodes)} nodes, {steps} ways on")
    for line in found.lines:
        say(f"  {line}")
    say("as expected" if found.holds else f"{len(found.lines)} not as expected")
    return 0 if found.holds else FOUND


def _write_pages(wanted: _Wanted, folder: Path, phase: str | None, form: Form) -> int:
    """A sheet for the game, or for each phase or part of one if it is too large."""
    found = sheets(wanted.graph, wanted.level, wanted.lay, phase, shut=wanted.compiled.whole)
    names = [laid.chart.page or laid.chart.phase or wanted.graph.name for laid in found]
    manner = wanted.manner
    if len(found) > 1:
        there = places(laid.chart for laid in found)
        files = {name: f"{page}.{form.value}" for name, page in there.items()}
        manner = evolve(manner, page=files.get)

    def draw(laid: Overlaid) -> bytes | Undrawn:
        return drawn(wanted.compiled, laid, form, manner)

    for name, picture in zip(names, drawn_beside(draw, found), strict=True):
        if not isinstance(picture, bytes):
            note(str(picture))
            return FOUND
        path = folder / f"{name}.{form.value}"
        write(path, picture)
        say(str(path))
    return 0
