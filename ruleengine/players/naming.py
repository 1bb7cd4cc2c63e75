"""Bots by name, as people write them: `random`, `greedy`, `flat:200`, `mcts:1000`, `ismcts:2s`.

Behind the name stand, parted by colons and in any order, how long a bot may think about a decision
(rounds, or seconds as `2s` or `500ms`), `each=N` for how many playouts a round plays, `cut=N` to
judge them by the score after N decisions, and `c=X` for how much it tries what it has tried little.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from attrs import evolve, frozen

from ruleengine.game import Instance
from ruleengine.players.flat import Flat
from ruleengine.players.greedy import Greedy
from ruleengine.players.infosets import InformationSets
from ruleengine.players.mind import Allowance, Clock, Mind
from ruleengine.players.protocol import Maker
from ruleengine.players.standing import NoStanding, Standing, declared_standing, standing
from ruleengine.players.tree import EXPLORATION, TreeSearch
from ruleengine.players.uniform import Uniform

RANDOM: Final = "random"
NAMES: Final = (RANDOM, "greedy", "flat", "mcts", "ismcts")
"""The bots there are, from the plainest on."""

_ROUNDS: Final = {"greedy": 4, "flat": 200, "mcts": 1000, "ismcts": 500}
_EACH: Final = 16  # playouts in every imagined world, which is as dear as they are together
_OPTIONS: Final = ("each", "cut", "c")
_MOST_EACH: Final = 256
_MOST_ROUNDS: Final = 10_000_000
_MOST_SECONDS: Final = 86_400.0
_TIME: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")


class UnknownBot(ValueError):
    """A name that no bot has, or something behind it that means nothing."""


@frozen
class Bot:
    """A bot as it was written: its name, and how long and how it thinks."""

    said: str
    name: str
    rounds: int | None = None
    seconds: float | None = None
    cut: int | None = None
    exploration: float = EXPLORATION
    each: int | None = None

    @property
    def is_timed(self) -> bool:
        """Whether it thinks by the clock; its games cannot be played again then."""
        return self.seconds is not None

    @property
    def needs_standing(self) -> bool:
        """Whether it cannot do without a score."""
        return self.name == "greedy" or self.cut is not None


def bots(said: str) -> tuple[Bot, ...]:
    """Bots with commas between them; raises `UnknownBot`."""
    parts = [part.strip() for part in said.split(",")]
    if not all(parts):
        raise UnknownBot(f"`{said}` names no bot between its commas: write `mcts:1000,random`")
    return tuple(map(bot, parts))


def bot(said: str) -> Bot:
    """One bot; raises `UnknownBot`."""
    name, *parts = (part.strip() for part in said.lower().split(":"))
    if name not in NAMES:
        near = get_close_matches(name, NAMES, 1)
        meant = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(NAMES)}"
        raise UnknownBot(f"no bot is called `{name}`; {meant}")
    found = Bot(said, name)
    for part in parts:
        found = _with(found, part)
    if name == RANDOM and parts:
        raise UnknownBot(f"`{said}`: a random bot does not think")
    if found.rounds is None and found.seconds is None:
        found = evolve(found, rounds=_ROUNDS.get(name))
    return found


def _with(found: Bot, part: str) -> Bot:
    key, _, value = part.partition("=")
    timed = _TIME.fullmatch(part)
    if timed:
        seconds = float(timed[1]) / (1000 if timed[2] == "ms" else 1)
        if not 0 < seconds <= _MOST_SECONDS:
            raise UnknownBot(f"`{found.said}`: a bot thinks for more than no time, at most a day")
        return evolve(found, seconds=seconds)
    if part.isascii() and part.isdigit():
        return evolve(found, rounds=_whole(found, part))
    if key == "cut" and value.isascii() and value.isdigit():
        return evolve(found, cut=_whole(found, value, 0))
    if key == "each" and value.isascii() and value.isdigit():
        return evolve(found, each=_whole(found, value, most=_MOST_EACH))
    if key == "c" and re.fullmatch(r"\d+(\.\d+)?", value):
        return evolve(found, exploration=float(value))
    near = get_close_matches(key, _OPTIONS, 1)
    meant = f"; did you mean `{near[0]}`?" if near and key not in _OPTIONS else ""
    raise UnknownBot(
        f"`{found.said}`: `{part}` is neither a number of rounds, nor a time as `2s`, nor "
        f"`each=N`, `cut=N` or `c=X`{meant}"
    )


def _whole(found: Bot, digits: str, least: int = 1, most: int = _MOST_ROUNDS) -> int:
    number = int(digits[:12])
    if not least <= number <= most:
        raise UnknownBot(f"`{found.said}`: {digits} is not from {least} to {most}")
    return number


def maker(game: Instance, bot: Bot, score: str | None = None, clock: Clock | None = None) -> Maker:
    """What makes players of a kind for a game.

    `score` is a term about a player p, for those who judge by one; raises `NoStanding` if there is
    none.  `mcts` searches information sets where the game has secrets.  Without a clock a bot that
    thinks by time cannot be made, which is a `ValueError`.
    """
    if bot.is_timed and clock is None:
        raise ValueError(f"`{bot.said}` needs a clock")
    judged = _judged(game, bot, score)
    allowance = Allowance(bot.rounds, bot.seconds, clock)
    match bot.name:
        case "greedy":
            if judged is None:
                raise NoStanding("greedy needs a score")
            score_of, worlds = judged, bot.rounds or 1
            return lambda stream: Greedy(score_of, stream, worlds)
        case "flat":
            return lambda stream: Flat(allowance, stream, bot.cut, judged, bot.each or 1)
        case "mcts" | "ismcts":
            tree = bot.name == "mcts" and Mind.of(game).is_open
            kind = TreeSearch if tree else InformationSets
            each = bot.each or (1 if tree else _EACH)
            return lambda stream: kind(allowance, stream, bot.cut, judged, bot.exploration, each)
        case _:
            return Uniform


def _judged(game: Instance, bot: Bot, score: str | None) -> Standing | None:
    """How seats stand, where it is asked for or the rules declare it."""
    if bot.name == RANDOM:
        return None
    return standing(game, score) if bot.needs_standing or score else declared_standing(game)


def makers(
    game: Instance, chosen: Sequence[Bot], score: str | None = None, clock: Clock | None = None
) -> tuple[Maker, ...]:
    """What makes each of some bots."""
    return tuple(maker(game, one, score, clock) for one in chosen)
