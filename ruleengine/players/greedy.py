"""The player who takes what looks best at once, by a score."""

from typing import Final

from attrs import define, field

from ruleengine.knowledge.view import View
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

_TWICE: Final = 2
"""How often he answers one question by the score alone; from the third time on he goes round."""


@define(eq=False)
class Greedy:
    """Tries every answer once in each of some worlds, up to the next decision of anybody.

    He likes best what leaves him furthest ahead of the best of the others; equals by lot.

    Who sees no further than that can go round in circles for ever: the way out begins with a loss.
    So he remembers the game: where all he may know is for the third time as it was before, he
    answers what he has answered there least often, and of that what he likes best.  Going on so he
    comes to everything that his answers lead to, and to the end if one of them leads there.
    """

    standing: Standing
    stream: Stream
    worlds: int = 4
    _given: dict[View, list[int]] = field(factory=dict, init=False)  # how often each answer

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
        given = self._given.setdefault(view, [0] * len(totals))
        fewest = min(given) if sum(given) >= _TWICE else max(given)
        allowed = [at for at, often in enumerate(given) if often <= fewest]
        best = max(totals[at] for at in allowed)
        liked = [at for at in allowed if totals[at] == best]
        picked = liked[self.stream.below(len(liked))]
        given[picked] += 1
        return picked

    def _lead(self, mind: Mind, seat: int, table: Table, choice: Choice) -> float:
        """How far the seat is ahead after an answer; winning is more, losing less than any lead."""
        stop = tried(mind, table, choice, self.stream)
        if isinstance(stop, Terminal):
            won = rewards(stop.result, mind.game.seats)[seat]
            return _WON * (won - 1 / mind.game.seats)
        scores = None if stop is None else self.standing(table)
        return 0.0 if scores is None else margins(scores)[seat]
