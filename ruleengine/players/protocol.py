"""What a player is asked, and what he may look at before he answers."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from attrs import define

from ruleengine.game import Instance
from ruleengine.knowledge.view import View
from ruleengine.rng import Stream
from ruleengine.stops import Choice
from ruleengine.table import Table


@define(eq=False)
class Turn:
    """A decision of one seat: its legal answers, and the game as the seat may know it.

    The table itself stays closed: who wants to try something out imagines a world from the view.
    """

    game: Instance
    seat: int
    choices: tuple[Choice, ...]
    _table: Table

    @property
    def words(self) -> tuple[str, ...]:
        """What the answers are called."""
        return self.game.wording.choices(self._table, self.choices)

    @property
    def view(self) -> View:
        """Everything the seat may know now."""
        return self.game.hearing.viewer.view(self._table, self.seat)


class Player(Protocol):
    """Decides for one seat in one game."""

    def pick(self, turn: Turn) -> int:
        """The rank of the answer he gives, from 0."""


Maker: TypeAlias = Callable[[Stream], Player]
"""Makes a player who draws from a stream."""
