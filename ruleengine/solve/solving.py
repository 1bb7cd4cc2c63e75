"""`solve`: how a game goes at random, and when everybody plays best."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from attrs import frozen

from compiler.config import Configuration
from compiler.pipeline import Spec
from ruleengine.exploration import Walk
from ruleengine.game import Instance, Setting, load
from ruleengine.solve.best import Best, NotSolvable, best
from ruleengine.solve.chain import Chances, chances
from ruleengine.solve.histories import HISTORY_LIMIT, Histories, hides
from ruleengine.solve.linear import NeedsNumbers
from ruleengine.solve.sequence import Equilibrium, equilibrium
from ruleengine.solve.worth import worths

SOLVED_STATES: Final = 200_000
"""Situations up to which a game is solved unless more are allowed."""


@frozen
class Hidden:
    """A game with something hidden, solved: the size of its tree, and the value."""

    histories: int
    endings: int
    information_sets: tuple[int, int]
    found: Equilibrium
    tree: Histories


@frozen
class Solution:
    """A game solved.

    `random` is play in which every legal answer is equally likely; `best` or `hidden` what best
    play comes to.  Where one of them is missing, `why_not_random` or `why_not_best` says why.
    `states` are the situations that were looked at.
    """

    name: str
    configuration: Configuration
    seats: int
    states: int
    random: Chances | None
    best: Best | None
    hidden: Hidden | None
    first_answers: tuple[str, ...]
    why_not_random: str = ""
    why_not_best: str = ""

    @property
    def is_solved(self) -> bool:
        """Whether all was found that there is; where nobody decides there is no best play."""
        if self.random is None:
            return False
        return self.random.decisions == 0 or self.best is not None or self.hidden is not None


def solve(
    game: str | Path | Spec | Instance,
    *,
    players: int | None = None,
    rulings: Mapping[str, Setting] | None = None,
    limit: int = SOLVED_STATES,
    histories: int = HISTORY_LIMIT,
    progress: Callable[[int], None] | None = None,
    **settings: Setting,
) -> Solution:
    """A game solved, as far as it can be within a limit of situations and of histories.

    `progress` is told how many more situations were looked at.
    """
    chosen = game if isinstance(game, Instance) else load(game, players, rulings, **settings)
    walk = Walk(chosen, limit)
    walk.run(progress)
    why = _why_not(walk)
    if why:
        return _solution(walk, None, None, None, why, why)
    random, why_not_random = _at_random(walk)
    if hides(walk):
        hidden, why_not_best = _hidden(walk, histories)
        return _solution(walk, random, None, hidden, why_not_random, why_not_best)
    found, why_not_best = _best(walk)
    return _solution(walk, random, found, None, why_not_random, why_not_best)


def _why_not(walk: Walk) -> str:
    if walk.dead_ends:
        first = walk.dead_ends[0]
        return f"some way leads to a dead end after {first.depth} moves: {first.error}"
    if not walk.complete:
        return f"there are more than {walk.limit} situations"
    if any(spot.result is None and not spot.next for spot in walk.spots):
        return "a game ends without a result"
    return ""


def _at_random(walk: Walk) -> tuple[Chances | None, str]:
    seats = walk.game.seats
    try:
        return chances(walk.spots, seats, lambda result: worths(result, seats)), ""
    except NeedsNumbers as missing:
        return None, str(missing)


def _best(walk: Walk) -> tuple[Best | None, str]:
    seats = walk.game.seats
    if all(spot.seat is None for spot in walk.spots):
        return None, "nobody ever decides anything"
    try:
        return best(walk.spots, seats, lambda result: worths(result, seats)), ""
    except (NotSolvable, NeedsNumbers) as why:
        return None, str(why)


def _hidden(walk: Walk, limit: int) -> tuple[Hidden | None, str]:
    tree = Histories(walk.game, lambda result: worths(result, walk.game.seats), limit)
    try:
        tree.run()
        found = equilibrium(tree)
    except (NotSolvable, NeedsNumbers) as why:
        return None, str(why)
    sets = len(tree.moments[0]), len(tree.moments[1])
    return Hidden(tree.count, tree.ends, sets, found, tree), ""


def _solution(
    walk: Walk,
    random: Chances | None,
    found: Best | None,
    hidden: Hidden | None,
    why_not_random: str,
    why_not_best: str,
) -> Solution:
    game = walk.game
    first = () if found is None else tuple(option.words for option in game.options(game.start()))
    return Solution(
        game.name,
        game.configuration,
        game.seats,
        walk.states,
        random,
        found,
        hidden,
        first,
        why_not_random,
        why_not_best,
    )
