"""`simulate`: many games at random."""

from time import perf_counter
from typing import Final, get_args

import click

from ruleengine.batch import MachineName, NoMachine, choose
from ruleengine.cli.options import (
    FOUND,
    Whole,
    all_loaded,
    as_json,
    chosen,
    configured,
    machine,
    seeded,
    specs,
)
from ruleengine.cli.screen import JsonEntry, note, progress, say_json, say_table
from ruleengine.game import Instance
from ruleengine.match import NODE_LIMIT
from ruleengine.simulation import Simulation, simulate

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
    type=Whole(1),
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
@configured
@seeded
@machine(*get_args(MachineName))
@as_json
def command(
    specs: tuple[str, ...],
    games: int,
    jobs: int,
    node_limit: int,
    players: int | None,
    settings: tuple[str, ...],
    seed: int,
    machine: MachineName,
    json_: bool,
) -> int:
    """Play many games at random: lengths, winners, scores.

    Every seat picks each legal answer equally likely. Game number i of a seed is the same whatever
    plays it, and however many play at once. The exit code is 1 if a rule broke down in some game.
    """
    configuration = chosen(players, settings)
    entries: list[JsonEntry] = []
    runs: list[tuple[Simulation, float]] = []
    for one in all_loaded(specs, configuration):
        compiling = one.seconds + _made(one.game, machine)
        begun = perf_counter()
        with progress(one.game.name, games) as tell:
            run = simulate(
                one.game,
                games,
                seed=seed,
                machine=machine,
                jobs=jobs,
                node_limit=node_limit,
                keep_rows=False,
                progress=tell,
            )
        seconds = perf_counter() - begun
        runs.append((run, seconds))
        entries.append(simulation_entry(run, seconds, compiling))
    if json_:
        say_json(entries)
    else:
        show_simulations(runs)
    return FOUND if any(run.errors for run, _ in runs) else 0


def _made(game: Instance, wanted: MachineName) -> float:
    """The seconds that making the machine takes; `UsageError` if it does not play this game."""
    begun = perf_counter()
    try:
        choose(game, wanted)
    except NoMachine as refused:
        raise click.UsageError(f"{refused}; say `--machine auto`") from refused
    return perf_counter() - begun


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
    }


def show_simulations(runs: list[tuple[Simulation, float]]) -> None:
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
                f"{run.games / seconds:.1f}",
            )
        )
    headers = ("spec", "wins", "draws", "games", "finished", "decisions", "range", "games/s")
    say_table(headers, rows, left=2)
    for run, _ in runs:
        why = f" ({run.why})" if run.why else ""
        note(f"{run.name}: played by {_PLAYED_BY[run.machine]}{why}")
        for reason, count in run.unfinished.items():
            note(f"{run.name}: {count} unfinished: {reason}")
        for error, game in run.errors.items():
            note(f"{run.name}: game {game}: {error}")
