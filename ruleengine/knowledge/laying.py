"""Lays the tokens of a view on a table: those that the seat can name, the others by chance."""

from attrs import define, field

from compiler.diagnostic import InternalError
from compiler.graph.core import Shape
from ruleengine.knowledge.dealing import Demand, deal, permute
from ruleengine.knowledge.tape import Tape
from ruleengine.knowledge.view import Cell, Heap, Spot, View
from ruleengine.statics import BOX, Statics
from ruleengine.table import Table


@define(eq=False)
class Laid:
    """A table with tokens, and what was put where.

    `looks` has what the view says of each token; `referred` the tokens of sets by what refers to
    them: a slot, and a position in a list from 1, 0 elsewhere.
    """

    statics: Statics
    view: View
    table: Table
    looks: dict[int, Cell | Heap] = field(factory=dict)
    referred: dict[tuple[int, int], list[int]] = field(factory=dict)

    def named(self) -> None:
        """Lays every token in its place, those that can be named with their faces."""
        free = [iter(tokens) for tokens in self.statics.class_tokens]
        self.table.cells[BOX].clear()
        for place, seen in enumerate(self.view.places):
            for cell in seen.cells:
                self._put(next(free[cell.token_class]), place, cell)
            for heap in seen.heaps:
                for _ in range(heap.count):
                    token = next(free[heap.token_class])
                    self._put(token, place, heap)
                    for reference in heap.references:
                        self.referred.setdefault(reference, []).append(token)

    def _put(self, token: int, place: int, look: Cell | Heap) -> None:
        table = self.table
        table.place[token] = place
        table.cells[place].append(token)
        table.face[token] = look.face_up
        table.flags[token] = look.flags
        if look.sort is not None:
            self.statics.give_sort(table, token, look.sort)
        self.looks[token] = look

    def token(self, spot: Spot, reference: tuple[int, int], among: int) -> int:
        """The token at a spot; in a set, the one of that place that is so referred to.

        `among` counts from 0 the tokens of the place that one reference, a set, refers to.
        """
        if self.statics.graph.places[spot.place].shape is not Shape.SET:
            return self.table.cells[spot.place][spot.index]
        found = [
            token for token in self.referred[reference] if self.table.place[token] == spot.place
        ]
        return found[among]

    def cell(self, token: int) -> Cell:
        """What the view says of a token in a row."""
        look = self.looks[token]
        if not isinstance(look, Cell):
            raise InternalError(f"token {token} lies in no row")
        return look

    # ---- the others

    def unnamed(self, class_index: int) -> dict[int, list[int]]:
        """Per place, the tokens of a class that the seat cannot name."""
        found: dict[int, list[int]] = {}
        for token in self.statics.class_tokens[class_index]:
            if self.looks[token].sort is None:
                found.setdefault(self.table.place[token], []).append(token)
        return found

    def give_others(self, class_index: int, tape: Tape) -> None:
        """Gives the tokens of a class that cannot be named faces that agree with the view."""
        unnamed = self.unnamed(class_index)
        left = self._cards(class_index)
        for token in self.statics.class_tokens[class_index]:
            sort = self.looks[token].sort
            if sort is not None:
                left[sort] -= 1
        held = {place: self._fact(place) for place in unnamed}
        for sorts in held.values():
            for sort in sorts:
                left[sort] -= 1
        demands = [
            Demand(
                place,
                len(tokens) - len(held[place]),
                self._admitted(place, class_index),
                self._are_told_apart(place, tokens),
            )
            for place, tokens in unnamed.items()
        ]
        dealt = deal(left, demands, tape)
        for place, tokens in unnamed.items():
            sorts = held[place] + dealt.get(place, [])
            if held[place] and self._are_told_apart(place, tokens):
                sorts = permute(sorts, tape)
            for token, sort in zip(tokens, sorts, strict=True):
                self.statics.give_sort(self.table, token, sort)

    def _cards(self, class_index: int) -> list[int]:
        """How many tokens of each sort there are in all."""
        totals = self.view.totals[class_index]
        kinds = self.statics.graph.classes[class_index].kinds
        return list(totals) if totals else [kind.copies for kind in kinds]

    def _fact(self, place: int) -> list[int]:
        fact = self.view.places[place].fact
        return [sort for sort, count in enumerate(fact) for _ in range(count)]

    def _admitted(self, place: int, class_index: int) -> frozenset[int]:
        """The sorts that a place admits."""
        kinds = self.statics.graph.places[place].kinds
        bits = len(self.statics.sticky_bits[class_index])
        every = range(self.statics.sorts(class_index))
        return frozenset(sort for sort in every if kinds is None or sort >> bits in kinds)

    def _are_told_apart(self, place: int, tokens: list[int]) -> bool:
        """Whether it matters which token of a place is which: not in a pile nobody looked at."""
        where = self.statics.graph.places[place]
        looks = [self.looks[token] for token in tokens]
        if where.shape is Shape.PILE and where.viewers is None:
            return any(isinstance(look, Cell) and (look.looked or look.public) for look in looks)
        return where.shape is not Shape.SET or len({id(look) for look in looks}) > 1


def lay(statics: Statics, view: View, tape: Tape) -> Laid:
    """All tokens of a view on a table, class by class."""
    laid = Laid(statics, view, statics.new_table(view.control.node))
    laid.named()
    for class_index in range(len(statics.graph.classes)):
        laid.give_others(class_index, tape)
    return laid
