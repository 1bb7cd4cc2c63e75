"""The player who takes what looks best at once, by a score."""

from typing import Final

from attrs import define

from ruleengine.players.mind import Mind, tried
from ruleengine.players.playouts import asked_of
from ruleengine.players.protocol import Turn
from ruleengine.players.rewards import margins, rewards
from ruleengine.players.standing import Standing
from ruleengine.rng import Stream
from ruleengine.stops import Choice, Terminal
from ruleengine.table import Table

_WON: Final = 1e12
"""More than any score: who sees a win takes it."""


@define(eq=False)
class Greedy:
    """Tries every answer once in each of some worlds, up to the next decision of anybody.

    He likes best what leaves him furthest ahead of the best of the others; equals by lot.
    """

    standing: Standing
    stream: Stream
    worlds: int = 4

    def pick(self, turn: Turn) -> int:
        """The rank of the answer he gives, from 0."""
        if len(turn.choices) == 1:
            return 0
        mind, view = Mind.of(turn.game), turn.view
        totals = [0.0] * len(turn.choices)
        for _ in range(1 if mind.is_open else self.worlds):
            table, stop = mind.world(view, self.stream)
            for choice in asked_of(stop, turn.seat):
                totals[choice.index] += self._lead(mind, turn.seat, table.copy(), choice)
        best = max(totals)
        liked = [at for at, total in enumerate(totals) if total == best]
        return liked[self.stream.below(len(liked))]

    def _lead(self, mind: Mind, seat: int, table: Table, choice: Choice) -> float:
        """How far the seat is ahead after an answer; winning is more, losing less than any lead."""
        stop = tried(mind, table, choice, self.stream)
        if isinstance(stop, Terminal):
            won = rewards(stop.result, mind.game.seats)[seat]
            return _WON * (won - 1 / mind.game.seats)
        scores = None if stop is None else self.standing(table)
        return 0.0 if scores is None else margins(scores)[seat]
