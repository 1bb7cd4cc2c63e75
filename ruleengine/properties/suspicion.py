"""Thousands of games on a compiled machine; those that it does not finish are looked at closely."""

from collections.abc import Iterator
from typing import Final

from compiler.lir.reps import Unsupported
from ruleengine.batch import lowered
from ruleengine.compiled.machine import Unavailable
from ruleengine.compiled.watchful import Watchful
from ruleengine.game import Instance
from ruleengine.match import Move, random_match
from ruleengine.properties.laws import Broken, as_broken
from ruleengine.properties.looking import Looking
from ruleengine.stops import Choice, Stop
from ruleengine.table import Table
from ruleengine.trail import moves

_CLOSELY: Final = 5
"""Games that are looked at closely, at most."""


def suspected(
    game: Instance, looking: Looking, seed: int, games: int, node_limit: int
) -> Iterator[tuple[Broken, tuple[int, ...]]]:
    """What breaks in `games` random games, with the ranks of the moves that lead there.

    Nothing is played of a game that no machine here plays.
    """
    if not games:
        return
    try:
        watchful = Watchful.of(lowered(game), seed, node_limit)
    except (Unsupported, Unavailable):
        return
    for number in watchful.suspects(range(games))[:_CLOSELY]:
        ranks: list[int] = []

        def look(table: Table, stop: Stop, move: Move | None, ranks: list[int] = ranks) -> None:
            looking.look(table, stop)
            if move is not None:
                ranks.append(move.index if isinstance(move, Choice) else moves(stop).index(move))

        looking.begin()
        error = random_match(game, seed, number, node_limit=node_limit, watching=look).error
        if error is not None:
            yield as_broken(error), tuple(ranks)
