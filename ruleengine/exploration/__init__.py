"""Every situation that a game can come to, and what that says exactly.

Situations are told apart by the core of their bytes: who knows what makes no difference to what
can happen; those who study knowledge may ask for both.  The size of a game grows fast with its
freedom; where there are more situations than the limit allows, what was found is reported as
incomplete.

Expectations are those of play in which every seat picks each legal answer equally likely.  They are
exact fractions, found where no situation can come again (elsewhere they would be limits).
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from compiler.pipeline import Spec
from ruleengine.batch import MachineName
from ruleengine.exploration.found import DeadEnd, Expected, Exploration, Tree
from ruleengine.exploration.net import Net, Spot
from ruleengine.exploration.perft import Counts, perft
from ruleengine.exploration.sums import EXACT_LIMIT, found
from ruleengine.exploration.walk import STATE_LIMIT, Walk
from ruleengine.game import Instance, Setting, load

__all__ = [
    "EXACT_LIMIT",
    "STATE_LIMIT",
    "Counts",
    "DeadEnd",
    "Expected",
    "Exploration",
    "Net",
    "Spot",
    "Tree",
    "Walk",
    "explore",
    "found",
    "perft",
]


def explore(
    game: str | Path | Spec | Instance,
    *,
    players: int | None = None,
    rulings: Mapping[str, Setting] | None = None,
    limit: int = STATE_LIMIT,
    depth: int | None = None,
    machine: MachineName = "auto",
    knowing: bool = False,
    progress: Callable[[int], None] | None = None,
    **settings: Setting,
) -> Exploration:
    """All situations of a game, or those at most `depth` moves away.

    `knowing`: situations in which somebody knows something else are two, which only the interpreter
    finds.  `progress` is told how many more were looked at.  Raises `NoMachine` if a machine is
    asked for by name and does not go through this game.
    """
    chosen = game if isinstance(game, Instance) else load(game, players, rulings, **settings)
    walk = Walk(chosen, limit, depth, machine, summing=True, knowing=knowing)
    walk.run(progress)
    return found(walk)
