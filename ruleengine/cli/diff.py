"""`diff`: two specs, variants, configurations or revisions side by side."""

from pathlib import Path

import click

from ruleengine.cli.options import FOUND, MOST_JOBS, SpecName, Whole, as_json, configured, seeded
from ruleengine.cli.pages import width
from ruleengine.cli.revisions import side
from ruleengine.cli.screen import announce, json_text, note, say, say_json, say_table
from ruleengine.cli.writing import Target, write
from ruleengine.drawing import Form, drawn
from ruleengine.game import Instance
from ruleengine.measure.difference import Difference, Plan, difference_of, on_chart
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
    if output is not None and output.suffix not in (".html", ".md", ".json", *_PICTURES):
        known = ", ".join((".html", ".md", ".json", *_PICTURES))
        raise click.UsageError(f"`{output}` says no format; end it with one of {known}")
    sides = side(old, players, settings), side(new, players, settings)
    seats = [one.game.seats for one in sides]
    if seats[0] != seats[1]:
        raise click.UsageError(
            f"{old} is for {seats[0]} players and {new} for {seats[1]}; say --players"
        )
    if output is not None and output.suffix in _PICTURES:
        write(output, _picture(sides[0].game, sides[1].game, _PICTURES[output.suffix]))
        if not (json_ or marked):
            return
    told_ = "" if games is None else f", then playing {games} games of each"
    announce(f"{old} and {new}: looking for where they part{told_}")
    found = difference_of(*sides, Plan(states, games or 0, seed, jobs, size))
    if output is not None and output.suffix not in _PICTURES:
        _put(found, output)
    if json_:
        say_json([entry(found)])
    elif marked:
        say(markdown(found), end="")
    elif output is None:
        _show(found)


def _picture(old: Instance, new: Instance, form: Form) -> bytes:
    """The chart of both; what stood in the way is said and ends the command."""
    picture = drawn(new.compiled, on_chart(old, new), form)
    if not isinstance(picture, bytes):
        note(str(picture))
        raise click.exceptions.Exit(FOUND)
    return picture


def _put(found: Difference, output: Path) -> None:
    """Writes a page."""
    if output.suffix == ".html":
        picture = _picture(found.old.game, found.new.game, Form.SVG)
        write(output, html(found, picture).encode())
    elif output.suffix == ".md":
        write(output, markdown(found).encode())
    else:
        write(output, json_text([entry(found)]).encode())


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
