"""`simulate`: many games at random, or between bots."""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Final, get_args

import click

from ruleengine.batch import MachineName, NoMachine, choose
from ruleengine.cli.bots import cast_of, cast_options, check_score, has_room, judged
from ruleengine.cli.endless import early, hopeless, reason
from ruleengine.cli.options import (
    FOUND,
    MOST_JOBS,
    Whole,
    all_loaded,
    as_json,
    chosen,
    configured,
    machine,
    seeded,
    specs,
)
from ruleengine.cli.screen import JsonEntry, note, progress, say, say_json, say_table
from ruleengine.cli.writing import Target, refused
from ruleengine.game import Instance
from ruleengine.match import NODE_LIMIT
from ruleengine.measure.intervals import share
from ruleengine.measure.ladder import bot_wins
from ruleengine.measure.metrics import SeatShare, fair_words, is_shared, seat_shares
from ruleengine.measure.summary import (
    bots_entry,
    csv_text,
    moves_entry,
    percent,
    seats_entry,
    spread_entry,
)
from ruleengine.measure.watching import Watching, watch
from ruleengine.simulation import Simulation, simulate

_ROWS: Final = 100_000
"""Of so many games rows are kept, for how lengths and scores are spread."""

_PLAYED_BY: Final = {
    "interpreter": "the interpreter",
    "wasm": "WebAssembly",
    "python": "generated Python",
    "c": "C",
}


@click.command("simulate", short_help="Play many games at random: lengths, winners, scores.")
@specs
@click.option(
    "-n",
    "--games",
    type=Whole(1),
    default=1000,
    show_default=True,
    metavar="N",
    help="How many games.",
)
@click.option(
    "-j",
    "--jobs",
    type=Whole(1, MOST_JOBS),
    default=1,
    show_default=True,
    metavar="N",
    help="How many play at once.",
)
@click.option(
    "--node-limit",
    type=Whole(1),
    default=NODE_LIMIT,
    show_default=True,
    metavar="N",
    help="Steps after which a game is given up.",
)
@cast_options
@click.option(
    "--watch",
    "watched",
    type=Whole(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Of how many games it is told which options were used and which clauses were come to.",
)
@click.option(
    "-o",
    "--out",
    type=Target(),
    metavar="FILE.csv",
    help="Write a row for each game.",
)
@configured
@seeded
@machine(*get_args(MachineName))
@as_json
def command(
    specs: tuple[str, ...],
    games: int,
    jobs: int,
    node_limit: int,
    bots: str | None,
    rotate: bool,
    score: str | None,
    watched: int,
    out: Path | None,
    players: int | None,
    settings: tuple[str, ...],
    seed: int,
    machine: MachineName,
    json_: bool,
) -> int:
    """Play many games, at random or between bots: lengths, winners, scores.

    Every seat picks each legal answer equally likely, unless --bots says who sits there. Game
    number i of a seed is the same whatever plays it, and however many play at once, unless a bot
    thinks by the clock. A game that does not end within --node-limit is given
    up; where the first ten are, no more are played. The exit code is 1 if a
    rule broke down in some game, or no more were played.
    """
    configuration = chosen(players, settings)
    cast = cast_of(bots, rotate, score)
    entries: list[JsonEntry] = []
    runs: list[tuple[Simulation, float]] = []
    for spec, one in zip(dict.fromkeys(specs), all_loaded(specs, configuration), strict=True):
        has_room(one.game, cast)
        check_score(one.game, score)
        compiling = one.seconds + _made(one.game, machine)
        begun = perf_counter()
        with judged(), progress(one.game.name, games) as tell:
            run = simulate(
                one.game,
                games,
                seed=seed,
                machine=machine,
                jobs=jobs,
                node_limit=node_limit,
                keep_rows=out is not None or games <= _ROWS,
                progress=tell,
                given_up=early(spec, one.game.name, games, node_limit),
                cast=cast,
                clock=perf_counter,
            )
        seconds = perf_counter() - begun
        runs.append((run, seconds))
        entry: dict[str, object] = dict(simulation_entry(run, seconds, compiling))
        if watched:
            entry.update(moves_entry(_watched(one.game, run, min(watched, games), node_limit)))
        entries.append(entry)
    if out is not None:
        _write(out, [run for run, _ in runs])
    if json_:
        say_json(entries)
    else:
        show_simulations(runs, node_limit)
        for shown in entries if watched else ():
            _show_options(shown)
    unending = False
    for spec, (run, _) in zip(dict.fromkeys(specs), runs, strict=True):
        found = hopeless(run, spec, games)
        unending = unending or run.games < games
        if found:
            note(f"{run.name}: {found}")
    return FOUND if unending or any(run.errors for run, _ in runs) else 0


def _made(game: Instance, wanted: MachineName) -> float:
    """The seconds that making the machine takes; `UsageError` if it does not play this game."""
    begun = perf_counter()
    try:
        choose(game, wanted)
    except NoMachine as refused:
        raise click.UsageError(f"{refused}; say `--machine auto`") from refused
    return perf_counter() - begun


def _watched(game: Instance, run: Simulation, games: int, node_limit: int) -> Watching:
    """The first games of a run, watched."""
    with progress(f"{game.name}, watched", games) as tell:
        return watch(
            game,
            games,
            seed=run.seed,
            cast=run.cast,
            clock=perf_counter,
            chances=False,
            node_limit=node_limit,
            progress=tell,
        )


def _write(path: Path, runs: Sequence[Simulation]) -> None:
    """A row for each game of all runs."""
    try:
        path.write_text(csv_text(runs), encoding="utf-8")
    except OSError as error:
        raise refused(path, error) from error


def simulation_entry(run: Simulation, seconds: float, compile_seconds: float) -> JsonEntry:
    """A run as programs read it."""
    decisions = run.decisions
    return {
        "name": run.name,
        "players": run.seats,
        "configuration": dict(run.configuration.pairs),
        "seed": run.seed,
        "games": run.games,
        "finished": run.totals.finished,
        "unfinished": sum(run.unfinished.values()),
        "reasons": dict(run.unfinished),
        "errors": list(run.errors),
        "decisions": None
        if decisions is None
        else {"mean": decisions.mean, "min": decisions.min, "max": decisions.max},
        "winners": dict(run.winners),
        "draws": run.draws,
        "scores": dict(run.scores),
        "seconds": round(seconds, 6),
        "compile_seconds": round(compile_seconds, 6),
        "machine": run.machine,
        "machine_reason": run.why or None,
        "seats": seats_entry(run),
        "bots": bots_entry(run),
        "reproducible": run.cast is None or not run.cast.is_timed,
        **spread_entry(run.rows),
    }


def show_simulations(runs: list[tuple[Simulation, float]], node_limit: int) -> None:
    """Runs as a table, then what went wrong."""
    rows = []
    for run, seconds in runs:
        decisions = run.decisions
        length = "-" if decisions is None else f"{decisions.mean:.1f}"
        span = "-" if decisions is None else f"{decisions.min}..{decisions.max}"
        wins = " ".join(f"{seat} {count}" for seat, count in run.winners.items())
        rows.append(
            (
                run.name,
                wins,
                str(run.draws),
                str(run.games),
                str(run.totals.finished),
                length,
                span,
                _rate(run.games / seconds),
            )
        )
    headers = ("spec", "wins", "draws", "games", "finished", "decisions", "range", "games/s")
    say_table(headers, rows, left=2)
    _show_seats([run for run, _ in runs])
    _show_bots([run for run, _ in runs])
    for run, _ in runs:
        if run.cast is not None and run.cast.is_timed:
            note(f"{run.name}: bots thought by the clock, so these games cannot be played again")
        because = f" ({run.why})" if run.why else ""
        note(f"{run.name}: played by {_PLAYED_BY[run.machine]}{because}")
        _note_of_chance(run)
        for why, count in run.unfinished.items():
            note(f"{run.name}: {reason(why, count, node_limit)}")
        for error, game in run.errors.items():
            note(f"{run.name}: game {game}: {error}")


def _note_of_chance(run: Simulation) -> None:
    """Says how long games are in which nobody decides anything."""
    totals = run.totals
    if totals.finished and totals.draws and not totals.decisions:
        mean = totals.draws / totals.finished
        note(f"{run.name}: nobody decides anything; chance does {mean:.1f} times in a game")


def _rate(games: float) -> str:
    """Games a second in at most seven letters: tenths tell something only of few."""
    return f"{games:.0f}" if games >= 1000 else f"{games:.1f}"


def _show_seats(runs: Sequence[Simulation]) -> None:
    """What each seat wins of the games that somebody wins, with an interval."""
    rows = [
        (run.name, one.seat, percent(one.interval), _against(one))
        for run in runs
        if run.seats > 1 and run.totals.finished > run.totals.drawn
        for one in seat_shares(run.totals)
    ]
    if rows:
        say()
        say_table(("spec", "seat", "share of wins", "against the fair share"), rows, left=4)
        for run in runs:
            shares = seat_shares(run.totals)
            if len(shares) > 1 and is_shared(shares):
                say(f"{run.name}: {fair_words(shares)}")


def _against(one: SeatShare) -> str:
    fair = f"{100 * one.fair:.0f} %"
    if one.is_fair:
        return f"{fair}: no difference seen"
    return f"{fair}: {'more' if one.interval.low > one.fair else 'less'}"


def _show_bots(runs: Sequence[Simulation]) -> None:
    """What each bot wins of the finished games, wins together shared."""
    rows = []
    for run in runs:
        for at, bot in enumerate(() if run.cast is None else run.cast.bots[: run.seats]):
            wins, games = bot_wins(run, at)
            rows.append(
                (run.name, bot.said, f"{wins:.1f}", str(games), percent(share(wins, games)))
            )
    if rows:
        say()
        say_table(("spec", "bot", "wins", "games", "share of wins"), rows, left=2)


def _show_options(entry: JsonEntry) -> None:
    """How options were used in the games that were watched."""
    options, clauses = entry["options"], entry["clauses"]
    assert isinstance(options, dict)
    assert isinstance(clauses, dict)
    rows = [
        (str(entry["name"]), name, str(use["offered"]), str(use["taken"]))
        for name, use in options.items()
    ]
    say()
    say_table(("spec", "option", "offered", "taken"), rows, left=2)
    idle = [clause for clause, times in clauses.items() if not times]
    if idle:
        say(f"Clauses that no watched game came to: {', '.join(idle)}")
