"""Whether skill matters: bots of growing strength, each rung against the one below.

After F. Lantz, A. Isaksen, A. Jaffe, A. Nealen and J. Togelius, Depth in Strategic Games (AAAI
Workshops 2017): the longer the ladder on which every rung beats the one below, the deeper the game.
One seat thinks as the upper rung and all others as the lower one; it moves a seat on in each game.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from attrs import evolve, frozen

from ruleengine.casting import Cast
from ruleengine.game import Instance
from ruleengine.match import NODE_LIMIT, Ending
from ruleengine.measure.intervals import Interval, each, share
from ruleengine.players.mind import Clock
from ruleengine.players.naming import Bot
from ruleengine.players.rewards import shared
from ruleengine.simulation import Simulation, simulate


@frozen
class Step:
    """One rung against the one below: wins of the upper one, and its share of all finished games.

    `fair` is the share that it would have if it were no better.
    """

    upper: Bot
    lower: Bot
    games: int
    wins: float
    interval: Interval
    fair: float

    @property
    def verdict(self) -> str:
        """What is sure: `stronger`, `weaker`, or `no difference seen`."""
        if self.interval.low > self.fair:
            return "stronger"
        return "weaker" if self.interval.high < self.fair else "no difference seen"

    @property
    def skill(self) -> float:
        """How much of what chance leaves the upper rung gains: 0 is nothing, 1 every game."""
        return (self.interval.value - self.fair) / (1 - self.fair)


def ladder(
    game: Instance,
    rungs: Sequence[Bot],
    games: int,
    *,
    seed: int = 0,
    score: str | None = None,
    clock: Clock | None = None,
    jobs: int = 1,
    node_limit: int = NODE_LIMIT,
    progress: Callable[[int], None] | None = None,
    together: int = 1,
) -> Iterator[Step]:
    """Each rung against the one below, from the lowest up; at least two rungs and two seats.

    The intervals of all steps hold together, with those of `together` ladders of as many rungs.
    """
    if len(rungs) < 2 or game.seats < 2:
        raise ValueError("a ladder has at least two rungs, and a game for at least two")
    for lower, upper in pairwise(rungs):
        cast = Cast((upper, *[lower] * (game.seats - 1)), rotates=True, score=score)
        run = simulate(
            game,
            games,
            seed=seed,
            jobs=jobs,
            node_limit=node_limit,
            cast=cast,
            clock=clock,
            progress=progress,
        )
        wins, done = bot_wins(evolve(run, cast=cast), 0)  # lots alone are no cast of a run
        interval = share(wins, done, each((len(rungs) - 1) * together))
        yield Step(upper, lower, done, wins, interval, 1 / run.seats)


def bot_wins(run: Simulation, position: int) -> tuple[float, int]:
    """What a bot of a run won, wins together shared, and the games of it that came to an end.

    A bot that sits at several seats has the wins of all of them.
    """
    cast = run.cast
    wins, done = 0.0, 0
    for row in run.rows:
        if row.ending is Ending.FINISHED and cast is not None:
            seated = cast.seating(run.seats, row.game)
            parts = shared(row.winners, run.seats)
            wins += sum(part for part, bot in zip(parts, seated, strict=True) if bot == position)
            done += 1
    return wins, done
