"""`diff`: two specs, variants, configurations or revisions side by side."""

from pathlib import Path

import click

from compiler.flowchart.extent import MOST
from compiler.flowchart.overlay import Overlaid
from compiler.flowchart.svg import drawn_beside
from compiler.pipeline import Compiled
from ruleengine.cli.forms import known_phase
from ruleengine.cli.options import FOUND, MOST_JOBS, SpecName, Whole, as_json, configured, seeded
from ruleengine.cli.pages import width
from ruleengine.cli.revisions import side
from ruleengine.cli.screen import announce, json_text, note, say, say_json, say_table
from ruleengine.cli.writing import Target, write
from ruleengine.drawing import Form, drawn
from ruleengine.measure.difference import Difference, Plan, Side, difference_of
from ruleengine.measure.difference_chart import differing, on_chart, on_pages
from ruleengine.measure.difference_page import (
    by_clause,
    change_words,
    clause_words,
    diff_lines,
    entry,
    figure_rows,
    headline,
    html,
    markdown,
    needed_words,
    play_lines,
    play_title,
)
from ruleengine.measure.neutral import STATES
from ruleengine.measure.scope_words import scope_words, verdict_words

_PICTURES = {f".{form.value}": form for form in (Form.SVG, Form.PNG, Form.PDF, Form.DOT, Form.TEXT)}
_LONGEST = 24  # lines of a play that are told
_FEW = 3  # phases that are named


@click.command("diff", short_help="Say what differs between two specs, variants or revisions.")
@click.argument("old", type=SpecName(), metavar="OLD")
@click.argument("new", type=SpecName(), metavar="NEW")
@click.option("--simulate", "games", type=Whole(1), metavar="N", help="Play N games of each.")
@click.option(
    "-j",
    "--jobs",
    type=Whole(1, MOST_JOBS),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes.",
)
@click.option(
    "--size",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.05,
    show_default=True,
    metavar="X",
    help="The difference for which it is said how many games show it.",
)
@click.option(
    "--states",
    type=Whole(1),
    default=STATES,
    show_default=True,
    metavar="N",
    help="Pairs of situations to look at.",
)
@click.option("--phase", metavar="PHASE", help="Draw this phase only, by its name or title.")
@click.option("--markdown", "marked", is_flag=True, help="Write Markdown.")
@click.option(
    "-o",
    "--output",
    type=Target(),
    metavar="FILE",
    help="A page (.html), Markdown (.md), or the chart alone (.svg, .png, .pdf, .dot, .txt).",
)
@configured
@seeded
@as_json
def command(
    old: str,
    new: str,
    games: int | None,
    jobs: int,
    size: float,
    states: int,
    phase: str | None,
    marked: bool,
    output: Path | None,
    players: int | None,
    settings: tuple[str, ...],
    seed: int,
    json_: bool,
) -> None:
    """Say what differs between two specs, variants or revisions.

    OLD and NEW are specs (klink+blank_klink), with settings of their own (klink,end_check=latched)
    or as they were in git (git:HEAD~1:klink). Whether anything changes in play is proved where the
    game is small enough, or shown by the shortest play.
    """
    suffix = _suffix(output, phase)
    sides = side(old, players, settings), side(new, players, settings)
    seats = [one.game.seats for one in sides]
    if seats[0] != seats[1]:
        raise click.UsageError(
            f"{old} is for {seats[0]} players and {new} for {seats[1]}; say --players"
        )
    phase = known_phase([one.game.graph for one in sides], phase)
    quiet = json_ or marked
    if output is not None and suffix in _PICTURES:
        _written(output, _picture(*sides, phase, _PICTURES[suffix]), quiet=quiet)
        if not quiet:
            return
    told_ = "" if games is None else f", then playing {games} games of each"
    announce(f"{old} and {new}: looking for where they part{told_}")
    found = difference_of(*sides, Plan(states, games or 0, seed, jobs, size))
    if output is not None and suffix not in _PICTURES:
        _written(output, _page(found, phase, suffix), quiet=quiet)
    if json_:
        say_json([entry(found)])
    elif marked:
        say(markdown(found), end="")
    elif output is None:
        _show(found)


def _suffix(output: Path | None, phase: str | None) -> str:
    """How the file ends that is to be written; `UsageError` if nothing is written so."""
    suffix = "" if output is None else output.suffix
    if output is not None and suffix not in (".html", ".md", ".json", *_PICTURES):
        known = ", ".join((".html", ".md", ".json", *_PICTURES))
        raise click.UsageError(f"`{output}` says no format; end it with one of {known}")
    if phase is not None and suffix not in (".html", *_PICTURES):
        raise click.UsageError(
            f"--phase says what is drawn: it goes with a picture, as in `-o {phase}.svg`"
        )
    return suffix


def _picture(old: Side, new: Side, phase: str | None, form: Form) -> bytes:
    """The chart of both; of one that is too large to take in, it is said how to draw less."""
    laid = on_chart(old, new, phase)
    phases = differing(laid)
    if phase is None and len(laid.chart.nodes) > MOST and phases:
        less = " or ".join(f"`--phase {one}`" for one in phases[:_FEW])
        note(f"{len(laid.chart.nodes)} boxes: {less} draws where something differs")
    return _drawn(new.game.compiled, laid, form)


def _drawn(compiled: Compiled, laid: Overlaid, form: Form) -> bytes:
    """A chart of both; what stood in the way is said and ends the command."""
    picture = drawn(compiled, laid, form)
    if not isinstance(picture, bytes):
        note(str(picture))
        raise click.exceptions.Exit(FOUND)
    return picture


def _page(found: Difference, phase: str | None, suffix: str) -> bytes:
    """The text of a page, by how its file ends."""
    if suffix == ".md":
        return markdown(found).encode()
    if suffix == ".json":
        return json_text([entry(found)]).encode()
    old, new = found.old, found.new
    laid = on_pages(old, new) if phase is None else (on_chart(old, new, phase),)
    compiled = found.new.game.compiled
    pictures = drawn_beside(lambda one: _drawn(compiled, one, Form.SVG), laid)
    return html(found, pictures).encode()


def _written(output: Path, data: bytes, *, quiet: bool) -> None:
    """Writes a file and says so, unless programs read what is said."""
    write(output, data)
    if not quiet:
        say(f"Written to {output}.")


def _show(found: Difference) -> None:
    say(headline(found))
    say(verdict_words(found.verdict))
    for line in scope_words(found):
        say(line)
    lines = play_lines(found, width())
    if lines and found.parted is not None and str(found.parted.besides):
        say(f"{play_title(found)}:")
    hidden = len(lines) - _LONGEST
    for line in lines if hidden <= 0 else [f"… {hidden} lines before", *lines[hidden:]]:
        say(f"  {line}")
    for name, old, new in found.settings:
        say(f"{name}: {old}, then {new}")
    texts = clause_words(found)
    for clause, listed in by_clause(found).items():
        say()
        say(f"{clause or 'Under no clause'}{f': {texts[clause]}' if clause in texts else ''}")
        for change in listed:
            say(f"  {change_words(change).replace('`', '')}")
    if found.changes:
        say()
    for change in found.changes:
        for line in diff_lines(change):
            say(line)
    if found.figures is not None:
        say()
        say_table(("", "first", "second", "difference"), figure_rows(found.figures))
        say()
        say(needed_words(found.figures))
