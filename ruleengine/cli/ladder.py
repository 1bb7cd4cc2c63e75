"""`ladder`: whether skill matters."""

from time import perf_counter

import click

from ruleengine.cli.bots import judged, scored
from ruleengine.cli.options import SpecName, Whole, as_json, chosen, configured, loaded, seeded
from ruleengine.cli.screen import announce, note, progress, say_json, say_table
from ruleengine.measure.ladder import ladder
from ruleengine.measure.summary import percent, step_entry
from ruleengine.players.naming import UnknownBot, bots


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
@click.option(
    "-j", "--jobs", type=Whole(1), default=1, show_default=True, metavar="N", help="Processes."
)
@scored
@configured
@seeded
@as_json
def command(
    spec: str,
    rungs: str,
    games: int,
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
    try:
        chosen_bots = bots(rungs)
    except UnknownBot as unknown:
        raise click.UsageError(str(unknown)) from unknown
    if len(chosen_bots) < 2:
        raise click.UsageError("a ladder has at least two rungs: --rungs random,mcts:100")
    game = loaded(spec, chosen(players, settings)).game
    if game.seats < 2:
        raise click.UsageError(f"{game.name} is played alone; nobody is stronger than others")
    matches = len(chosen_bots) - 1
    steps_ = "1 rung" if matches == 1 else f"{matches} rungs"
    announce(f"{game.name}: {steps_}, {games} {'game' if games == 1 else 'games'} each")
    with judged(), progress(game.name, games * matches) as tell:
        steps = list(
            ladder(
                game,
                chosen_bots,
                games,
                seed=seed,
                score=score,
                clock=perf_counter,
                jobs=jobs,
                progress=tell,
            )
        )
    if json_:
        entry = {"name": game.name, "players": game.seats, "seed": seed}
        say_json([{**entry, "ladder": [step_entry(step) for step in steps]}])
        return 0
    rows = [
        (
            step.upper.said,
            step.lower.said,
            step.verdict,
            str(step.games),
            percent(step.interval),
            f"{100 * step.fair:.0f} %",
        )
        for step in steps
    ]
    say_table(("bot", "against", "verdict", "games", "share won", "by chance"), rows, left=3)
    if any(bot.is_timed for bot in chosen_bots):
        note(f"{game.name}: bots thought by the clock, so these games cannot be played again")
    return 0
