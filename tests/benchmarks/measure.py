"""Measures in turns: every contestant plays a while, then again, so that all meet the same load."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from attrs import asdict, frozen

from tests.benchmarks.contestants import Contestant, Played, contestants

_CLOSE: Final = 6  # standard errors within which mean lengths must agree
_LEAST: Final = 5  # games in a round


@frozen
class Figure:
    """What one contestant reached in one game: games a second, median and range over the rounds."""

    game: str
    name: str
    per_second: float
    slowest: float
    fastest: float
    games: int  # those whose decisions were counted
    decisions: float  # a game, on average
    chances: float
    events_per_second: float  # decisions and chance together

    @property
    def mapping(self) -> dict[str, str | float]:
        """As JSON tells it."""
        return asdict(self)


class Disagreement(ValueError):
    """Two contestants do not play the same game: their mean lengths differ too much."""


def measured(games: tuple[str, ...], rounds: int, seconds: float) -> Iterator[Figure]:
    """All figures of all games, game by game."""
    with TemporaryDirectory() as folder:
        for name in games:
            playing = tuple(contestants(name, Path(folder)))
            sizes = [_size(who, seconds) for who in playing]
            kept: list[list[Played]] = [[] for _ in playing]
            for number in range(rounds):
                for who, size, played in zip(playing, sizes, kept, strict=True):
                    played.append(who.play(number * size, size))
            found = [_figure(name, who, played) for who, played in zip(playing, kept, strict=True)]
            agree(found)
            yield from found


def _size(who: Contestant, seconds: float) -> int:
    """How many games take about that long; the first ones warm up what has to."""
    games = _LEAST
    while True:
        played = who.play(0, games)
        if played.seconds > seconds / 4:
            return max(_LEAST, round(games * seconds / played.seconds))
        games *= 3 if played.seconds > seconds / 20 else 10


def _figure(game: str, who: Contestant, rounds: list[Played]) -> Figure:
    speeds = sorted(played.games / played.seconds for played in rounds)
    games = sum(played.counted for played in rounds)
    decisions = sum(played.decisions for played in rounds) / games
    chances = sum(played.chances for played in rounds) / games
    speed = median(speeds)
    return Figure(
        game,
        who.name,
        speed,
        speeds[0],
        speeds[-1],
        games,
        decisions,
        chances,
        speed * (decisions + chances),
    )


def agree(figures: list[Figure]) -> None:
    """Raises `Disagreement`; a game's length is taken to vary about as much as it is long."""
    first = figures[0]
    for other in figures[1:]:
        error = first.decisions * (1 / first.games + 1 / other.games) ** 0.5
        if abs(first.decisions - other.decisions) > _CLOSE * error:
            told = f"{first.name} {first.decisions:.3f}, {other.name} {other.decisions:.3f}"
            raise Disagreement(f"{first.game}: decisions a game differ: {told}")
