"""`ladder`: whether skill matters."""

from collections.abc import Sequence
from time import perf_counter
from typing import Final

import click

from ruleengine.cli.bots import check_score, judged, scored
from ruleengine.cli.options import (
    MOST_JOBS,
    SpecName,
    Whole,
    as_json,
    chosen,
    configured,
    loaded,
    seeded,
)
from ruleengine.cli.screen import announce, note, progress, say_json, say_table
from ruleengine.game import Instance, load
from ruleengine.measure.ladder import Step, ladder
from ruleengine.measure.summary import percent, step_entry
from ruleengine.players.naming import Bot, UnknownBot, bots

_HEADERS: Final = ("bot", "against", "verdict", "games", "share won", "by chance")


@click.command("ladder", short_help="Say whether skill matters: bots, each against a weaker one.")
@click.argument("spec", type=SpecName(), metavar="SPEC")
@click.option(
    "--rungs",
    default="random,flat:20,mcts:100",
    show_default=True,
    metavar="BOT,BOT,...",
    help="Bots from the weakest up.",
)
@click.option(
    "-n",
    "--games",
    type=Whole(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Games for each rung.",
)
@click.option("--all-players", is_flag=True, help="A ladder for every number of players.")
@click.option(
    "-j",
    "--jobs",
    type=Whole(1, MOST_JOBS),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes.",
)
@scored
@configured
@seeded
@as_json
def command(
    spec: str,
    rungs: str,
    games: int,
    all_players: bool,
    jobs: int,
    score: str | None,
    players: int | None,
    settings: tuple[str, ...],
    seed: int,
    json_: bool,
) -> int:
    """Say whether skill matters: bots of growing strength, each against the one below.

    The stronger bot sits at one seat, the weaker at all others, and moves a seat on in each game.
    """
    chosen_bots = _rungs(rungs)
    if all_players and players is not None:
        raise click.UsageError("--all-players and --players do not go together")
    tables = _tables(loaded(spec, chosen(players, settings)).game, all_players)
    check_score(tables[0], score)
    matches = len(chosen_bots) - 1
    announce(f"{tables[0].name}: {_much(matches, games, len(tables))}")

    def climbed(game: Instance) -> list[Step]:
        steps = ladder(
            game,
            chosen_bots,
            games,
            seed=seed,
            score=score,
            clock=perf_counter,
            jobs=jobs,
            progress=tell,
            together=len(tables),
        )
        return list(steps)

    with judged(), progress(tables[0].name, games * matches * len(tables)) as tell:
        found = [(game, climbed(game)) for game in tables]
    if json_:
        say_json([_entry(game, steps, seed) for game, steps in found])
        return 0
    rows = [row for game, steps in found for row in _rows(game, steps)]
    first = 0 if all_players else 1  # the column of the number of players
    say_table(("players", *_HEADERS)[first:], [row[first:] for row in rows], left=4 - first)
    if any(bot.is_timed for bot in chosen_bots):
        note(f"{tables[0].name}: bots thought by the clock, so these games cannot be played again")
    return 0


def _rungs(said: str) -> tuple[Bot, ...]:
    try:
        found = bots(said)
    except UnknownBot as unknown:
        raise click.UsageError(str(unknown)) from unknown
    if len(found) < 2:
        raise click.UsageError("a ladder has at least two rungs: --rungs random,mcts:100")
    return found


def _much(matches: int, games: int, tables: int) -> str:
    """What is about to be played."""
    rungs = "1 rung" if matches == 1 else f"{matches} rungs"
    each = f"{games} {'game' if games == 1 else 'games'} each"
    wide = f", for each of {tables} numbers of players" if tables > 1 else ""
    return f"{rungs}, {each}{wide}"


def _tables(game: Instance, all_players: bool) -> list[Instance]:
    """The game with each number of players that is asked for, at least two."""
    if not all_players:
        counts = [game.seats]
    else:
        counts = list(game.compiled.spec.seats(game.configuration.values))
    counts = [count for count in counts if count > 1]
    if not counts:
        raise click.UsageError(f"{game.name} is played alone; nobody is stronger than others")
    settings = dict(game.configuration.pairs)
    return [
        game if count == game.seats else load(game.compiled.spec, count, settings)
        for count in counts
    ]


def _entry(game: Instance, steps: Sequence[Step], seed: int) -> dict[str, object]:
    entry = {"name": game.name, "players": game.seats, "seed": seed}
    return {**entry, "ladder": [step_entry(step) for step in steps]}


def _rows(game: Instance, steps: Sequence[Step]) -> list[tuple[str, ...]]:
    return [
        (
            str(game.seats),
            step.upper.said,
            step.lower.said,
            step.verdict,
            str(step.games),
            percent(step.interval),
            f"{100 * step.fair:.0f} %",
        )
        for step in steps
    ]
