"""Moves: the one step that changes where tokens are, with all that may stand in its way."""

from collections.abc import Callable

from attrs import define

from compiler.analysis.following import Arrangement, arrangements
from compiler.graph.amounts import counted
from compiler.graph.core import Graph, Move, Node, Shape, Value
from ruleengine.chance import Pools
from ruleengine.effects import Effect, block_of, with_event
from ruleengine.errors import Exposed, Fault
from ruleengine.knowledge.protocol import Moved, Observer
from ruleengine.sight import Sight
from ruleengine.statics import Statics
from ruleengine.table import UNRESOLVED, Table
from ruleengine.terms import Terms
from ruleengine.triggers import Triggers


@define(eq=False)
class Moves:
    """Makes the moves of one graph."""

    statics: Statics
    terms: Terms
    sight: Sight
    pools: Pools
    triggers: Triggers
    _arranged: dict[int, Arrangement]

    @classmethod
    def of(cls, terms: Terms, sight: Sight, pools: Pools, triggers: Triggers) -> "Moves":
        """Those of a graph."""
        arranged = arrangements(terms.statics.graph)
        return cls(terms.statics, terms, sight, pools, triggers, arranged)

    @property
    def graph(self) -> Graph:
        """The graph whose moves these are."""
        return self.statics.graph

    def of_node(self, node: Node, move: Move) -> Effect:
        """The effect of a move."""
        scope = self.terms.scope()
        block = block_of(scope, move.tokens)
        target = scope.term(move.place)
        count = None if move.count is None else scope.term(move.count)
        places = self.triggers.watch(node).places
        arranged = node.id in self._arranged
        arranger = self._arranger(node)

        def effect(table: Table, observer: Observer | None) -> None:
            tokens = block(table)
            if count is not None:
                _check_count(count(table), tokens)
            place = target(table)
            if not isinstance(place, int):
                raise Fault("`none` where a place to move to must be")
            self._check_room(table, tokens, place)
            if table.pools:
                self._check_shown(table, tokens, place, move.face_up)
            if observer is None:
                self._carry(table, tokens, place, move)
                return
            event = Moved(
                node.id,
                tokens,
                tuple([table.place[token] for token in tokens]),
                tuple([table.cells[table.place[token]].index(token) for token in tokens]),
                place,
                arranged,
                None if arranger is None else arranger(table),
            )
            with_event(
                observer, table, event, places, lambda: self._carry(table, tokens, place, move)
            )

        return effect

    def _arranger(self, node: Node) -> Callable[[Table], int | None] | None:
        arrangement = self._arranged.get(node.id)
        if arrangement is None or arrangement.seat is None:
            return None
        closure = self.terms.closed(arrangement.seat)

        def arranger(table: Table) -> int | None:
            seat = closure(table)
            return seat if isinstance(seat, int) else None

        return arranger

    def _check_room(self, table: Table, tokens: tuple[int, ...], target: int) -> None:
        place = self.graph.places[target]
        if place.token_class is not None:
            class_index = self.statics.class_index[place.token_class]
            for token in tokens:
                if self.statics.token_class[token] != class_index:
                    raise Fault(f"{place.label} takes only {place.token_class}")
        if place.kinds is not None:
            hidden = [token for token in tokens if table.kind[token] == UNRESOLVED]
            if hidden:
                raise Exposed(self.terms.references.listed(table, hidden))
            if any(table.kind[token] not in place.kinds for token in tokens):
                raise Fault(f"{place.label} does not take a token of this kind")
        capacity = 1 if place.shape is Shape.ONE else place.capacity
        if capacity is not None:
            arriving = sum(table.place[token] != target for token in tokens)
            if len(table.cells[target]) + arriving > capacity:
                raise Fault(f"{place.label} holds no more than {capacity}")

    def _check_shown(
        self, table: Table, tokens: tuple[int, ...], target: int, face_up: bool | None
    ) -> None:
        """What anybody will see must have a kind first."""
        hidden = [token for token in tokens if table.kind[token] == UNRESOLVED]
        if hidden:
            up = self.graph.places[target].face_up if face_up is None else face_up
            if up or self.sight.viewers(table, target):
                raise Exposed(self.terms.references.listed(table, hidden))

    def _carry(self, table: Table, tokens: tuple[int, ...], target: int, move: Move) -> None:
        """Moves tokens that may be moved."""
        place = self.graph.places[target]
        up = place.face_up if move.face_up is None else move.face_up
        pools: dict[int, None] = {}
        for token in tokens:
            source = table.place[token]
            table.cells[source].remove(token)
            class_index = self.statics.token_class[token]
            table.face[token] = up or not self.graph.classes[class_index].is_card
            if source != target:
                table.place[token] = target
                table.flags[token] &= self.statics.sticky[class_index]
            if table.kind[token] == UNRESOLVED:
                pools[table.pool[token]] = None
        cells = table.cells[target]
        if place.shape is Shape.PILE and not move.at_bottom:
            cells[:0] = tokens
        else:
            cells += tokens
        for pool in pools:
            self.pools.settle(table, pool)


def _check_count(count: Value, tokens: tuple[int, ...]) -> None:
    if not isinstance(count, int):
        raise Fault("`none` where a number of tokens must be")
    if len(tokens) < count:
        are = "is" if len(tokens) == 1 else "are"
        asked = f"{counted(count, 'token')} {'is' if count == 1 else 'are'} to be moved"
        raise Fault(f"{asked}, but there {are} only {len(tokens)}")
