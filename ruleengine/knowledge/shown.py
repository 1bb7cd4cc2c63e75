"""To whom the tokens of a move were shown just before: they see that the same tokens move."""

from attrs import define

from compiler.analysis.following import shown_moves
from ruleengine.closures import Closure
from ruleengine.sight import Sight
from ruleengine.table import Table
from ruleengine.terms import Terms


@define(eq=False)
class ShownMoves:
    """Per node of such a move, the term that says to whom (`none`: everybody)."""

    _seats: dict[int, Closure]

    @classmethod
    def of(cls, terms: Terms) -> "ShownMoves":
        """Those of a graph."""
        moves = shown_moves(terms.statics.graph)
        return cls({node: terms.closed(seats) for node, seats in moves.items()})

    def observers(self, node: int, table: Table, sight: Sight) -> int:
        """The mask of the observers to whom the tokens moved at a node were shown before it."""
        closure = self._seats.get(node)
        if closure is None:
            return 0
        value = closure(table)
        if value is None:
            return sight.observers(sight.statics.everyone)
        seats = value if isinstance(value, tuple) else (value,)
        mask = 0
        for seat in seats:
            if isinstance(seat, int):
                mask |= 1 << seat
        return sight.observers(mask)
