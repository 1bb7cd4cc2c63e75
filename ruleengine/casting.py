"""Which bot sits where: the same in every game of a run, or a seat further in each."""

from functools import lru_cache
from typing import Final, Self

from attrs import frozen

from ruleengine.game import Instance
from ruleengine.match import NODE_LIMIT, Match, Watching, played_by
from ruleengine.players.mind import Clock
from ruleengine.players.naming import RANDOM, Bot, bots, makers
from ruleengine.players.protocol import Maker

_KEPT: Final = 8


@frozen
class Cast:
    """Bots in the order of the seats; the last one sits at all seats that are left.

    If they rotate, they sit one seat further in every game, so that after as many games as there
    are seats each has sat everywhere.  `score` is what those judge by who judge by a score.
    """

    bots: tuple[Bot, ...]
    rotates: bool = False
    score: str | None = None

    @classmethod
    def of(cls, said: str, *, rotates: bool = False, score: str | None = None) -> Self:
        """Bots by name, with commas between them; raises `UnknownBot`."""
        return cls(bots(said), rotates, score)

    @property
    def is_random(self) -> bool:
        """Whether all of them only draw lots."""
        return all(bot.name == RANDOM for bot in self.bots)

    @property
    def is_timed(self) -> bool:
        """Whether one of them thinks by the clock."""
        return any(bot.is_timed for bot in self.bots)

    def seating(self, seats: int, number: int) -> tuple[int, ...]:
        """The position in `bots` of who sits at each seat in a game."""
        shift = number if self.rotates else 0
        last = len(self.bots) - 1
        return tuple(min((seat + shift) % seats, last) for seat in range(seats))

    def seated(self, seats: int, number: int) -> tuple[Bot, ...]:
        """Who sits at each seat in a game."""
        return tuple(self.bots[at] for at in self.seating(seats, number))

    def makers(self, game: Instance, clock: Clock | None = None) -> tuple[Maker, ...]:
        """What makes each of the bots; raises `NoStanding` where a score is missing."""
        return _makers(self, game, clock)

    def match(
        self,
        game: Instance,
        seed: int,
        number: int,
        clock: Clock | None = None,
        *,
        node_limit: int = NODE_LIMIT,
        watching: Watching | None = None,
    ) -> Match:
        """One game of a run."""
        made = self.makers(game, clock)
        seated = [made[at] for at in self.seating(game.seats, number)]
        return played_by(game, seated, seed, number, node_limit=node_limit, watching=watching)


@lru_cache(maxsize=_KEPT)
def _makers(cast: Cast, game: Instance, clock: Clock | None) -> tuple[Maker, ...]:
    return makers(game, cast.bots, cast.score, clock)
