"""`report`: how a game plays, on one page."""

import sys
from pathlib import Path
from time import perf_counter
from typing import Final

import click

from ruleengine.cli.bots import cast_of, check_score, has_room, judged, scored
from ruleengine.cli.options import MOST_JOBS, SpecName, Whole, chosen, configured, loaded, seeded
from ruleengine.cli.screen import announce, json_text, note, say, say_json
from ruleengine.cli.writing import Target, write
from ruleengine.match import NODE_LIMIT
from ruleengine.measure.balance import Plan, balance, findings
from ruleengine.players.naming import Bot, UnknownBot, bots
from ruleengine.report.balance import balance_page
from ruleengine.report.balance_text import balance_entry, balance_markdown

_FORMS: Final = {".html": "html", ".htm": "html", ".md": "markdown", ".json": "json"}


@click.command("report", short_help="Write how balanced a game is, on one page.")
@click.argument("spec", type=SpecName(), metavar="SPEC")
@click.option("-n", "--games", type=Whole(1), metavar="N", help="Games.  [default: by speed]")
@click.option(
    "--watch", "watched", type=Whole(0), metavar="N", help="Games watched.  [default: by speed]"
)
@click.option(
    "--bots", "played_by", metavar="BOT,...", help="Who plays the games.  [default: random]"
)
@click.option(
    "--ladder",
    metavar="BOT,BOT,...|none",
    help="Bots from the weakest up, each tried against the one below.  [default: by speed]",
)
@click.option(
    "--ladder-games", type=Whole(1), metavar="N", help="Games for each rung.  [default: by speed]"
)
@scored
@click.option(
    "--rulings",
    "ruling_games",
    type=Whole(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Games for each reading of a ruling; 0 does not measure them.",
)
@click.option(
    "-j",
    "--jobs",
    type=Whole(1, MOST_JOBS),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes.",
)
@click.option("-o", "--output", type=Target(), metavar="FILE", help="Where to write it.")
@click.option("--markdown", "form", flag_value="markdown", help="Write Markdown.")
@click.option("--json", "form", flag_value="json", help="Write JSON.")
@configured
@seeded
def command(
    spec: str,
    games: int | None,
    watched: int | None,
    played_by: str | None,
    ladder: str | None,
    ladder_games: int | None,
    score: str | None,
    ruling_games: int,
    jobs: int,
    output: Path | None,
    form: str | None,
    players: int | None,
    settings: tuple[str, ...],
    seed: int,
) -> int:
    """Write how balanced a game is, on one page.

    Games are played and watched, bots of growing strength are tried one against the other, and what
    came of it is written as a page that opens without a network: SPEC-balance.html, unless -o says
    otherwise. --markdown and --json write to the screen, or to a file that ends with .md or .json.
    """
    form = _form(form, output)
    game = loaded(spec, chosen(players, settings)).game
    cast = cast_of(played_by, False, score) if played_by else None
    has_room(game, cast)
    check_score(game, score)
    plan = Plan(
        games=games,
        watched=watched,
        seed=seed,
        jobs=jobs,
        node_limit=NODE_LIMIT,
        cast=cast,
        score=score,
        rungs=_rungs(ladder),
        ladder_games=ladder_games,
        ruling_games=ruling_games,
        clock=perf_counter,
        progress=lambda part: _tell(f"{game.name}: {part}"),
    )
    announce(f"{game.name}: playing, watching, trying bots; this takes a while")
    with judged():
        found = balance(game, plan)
    if form == "json":
        entries = [balance_entry(found)]
        say_json(entries) if output is None else write(output, json_text(entries).encode())
    elif form == "markdown":
        text = balance_markdown(found)
        say(text, end="") if output is None else write(output, text.encode())
    else:
        path = Path(f"{game.name}-balance.html") if output is None else output
        write(path, balance_page(found).encode())
        for sentence in findings(found):
            say(f"- {sentence}")
        say(f"Written to {path}.")
    return 1 if found.run.errors else 0


def _form(said: str | None, output: Path | None) -> str:
    """What is written: as an option or the ending of the file says, which have to agree."""
    if output is None or output.is_dir():  # of a folder it is said that a file is missing
        return said or "html"
    ending = _FORMS.get(output.suffix.lower())
    if ending is None:
        known = ", ".join(_FORMS)
        raise click.UsageError(f"`{output}` says no format; end it with one of {known}")
    if said is not None and said != ending:
        raise click.UsageError(f"--{said} and `{output}` do not go together")
    return ending


def _tell(part: str) -> None:
    """Says what is being done, to people who watch."""
    if sys.stderr.isatty():
        note(part)


def _rungs(said: str | None) -> tuple[Bot, ...] | None:
    """The rungs of the ladder; `None` if they are chosen by speed."""
    if said is None:
        return None
    if said.strip().lower() == "none":
        return ()
    try:
        rungs = bots(said)
    except UnknownBot as unknown:
        raise click.UsageError(str(unknown)) from unknown
    if len(rungs) < 2:
        raise click.UsageError("a ladder has at least two rungs: --ladder random,mcts:100")
    return rungs
