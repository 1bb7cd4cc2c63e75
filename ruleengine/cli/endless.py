"""What is said of games that come to no end: early, while others are played, and at the end."""

from collections.abc import Callable

from ruleengine.cli.screen import note
from ruleengine.match import Ending
from ruleengine.simulation import Simulation
from ruleengine.tally import Totals


def early(spec: str, name: str, games: int, limit: int) -> Callable[[Totals], None]:
    """Tells of the first game that is given up, when it is: the others may take as long."""
    told = False

    def tell(totals: Totals) -> None:
        nonlocal told
        if told:
            return
        told = True
        number = f"game {totals.games} of {games}" if games > 1 else "the game"
        note(
            f"{name}: {number} has not come to its end within {limit:,} steps and is given up; "
            f"watch one: `rulewright play {spec} --bots all --seed 1`"
        )

    return tell


def reason(why: str, count: int, limit: int) -> str:
    """What it means that games are unfinished, and what to do."""
    if why != Ending.NODE_LIMIT.value:
        return f"{count} unfinished: {why}"
    return (
        f"{count} unfinished: {why}: given up after {limit:,} steps; if they are only long, "
        "`--node-limit` allows more"
    )


def hopeless(run: Simulation, spec: str, wanted: int) -> str:
    """What is said of a run in which no game came to its end; empty if one did."""
    if run.totals.finished or not run.totals.limited:
        return ""
    played = "" if run.games == wanted else f", so only {run.games} of {wanted} games were played"
    return (
        f"no game came to its end{played}: is what ends it ever reached?  "
        f"`rulewright coverage {spec}` lists the steps that no game comes to"
    )
