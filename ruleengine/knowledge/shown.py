"""Moves of tokens that were shown just before: everybody knows that the same tokens move.

Where a set hides its tokens, what was seen of one is lost when one of them leaves unseen: it may
have been another.  `reveal c` directly followed by `move c to …` says that it is the same, so such
a move is seen by those who were shown its tokens.
"""

from attrs import define

from compiler.graph.core import Assign, Graph, KnownTarget, Move, Node
from ruleengine.sight import Sight
from ruleengine.table import Table
from ruleengine.terms import Closure, Terms


@define(eq=False)
class ShownMoves:
    """Per node of such a move, the term that says to whom (`none`: everybody)."""

    _seats: dict[int, Closure]

    @classmethod
    def of(cls, terms: Terms) -> "ShownMoves":
        """Those of a graph."""
        graph = terms.statics.graph
        into = _predecessors(graph)
        seats = {}
        for node in graph.nodes:
            if isinstance(node.step, Move) and len(into[node.id]) == 1:
                before = into[node.id][0]
                match before.step if before is not None else None:
                    case Assign(KnownTarget(), (tokens,), value) if tokens == node.step.tokens:
                        seats[node.id] = terms.closed(value)
                    case _:
                        pass
        return cls(seats)

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


def _predecessors(graph: Graph) -> list[list[Node | None]]:
    """Per node, the nodes that lead to it; `None` for a way in from outside."""
    into: list[list[Node | None]] = [[] for _ in graph.nodes]
    into[graph.start].append(None)
    for phase in graph.phases:
        into[phase.entry].append(None)
    for node in graph.nodes:
        for following in node.next:
            into[following].append(node)
    return into
