"""How tokens, places and values look on a screen to the seat whose view is shown.

`[?]` is a back; `7*` lies face down and the seat knows what it is.  Cards that a place keeps face
down and the seat sees there, those of its own hand, have no star.
"""

from collections.abc import Sequence
from typing import Final, cast

from attrs import define

from compiler.graph.core import Place, Shape, Value
from compiler.graph.naming import listed, spoken
from compiler.types import Type, has_tokens
from ruleengine.knowledge.view import Cell, Heap, PlaceView, Seen, Spot, View
from ruleengine.play.lines import counted
from ruleengine.play.names import Names, ordinal, seats_text

BACK: Final = "[?]"
KNOWN: Final = "*"
NOTHING: Final = "-"
_MOST: Final = 24  # tokens of a pile that are shown one by one
_UNBROKEN: Final = 40  # letters that stay on one line


@define(eq=False)
class Faces:
    """Writes what lies on one table, as one view has it."""

    names: Names
    view: View

    # ---- places

    def place(self, place: Place) -> list[str]:
        """What lies in a place, a word for each token or run of equal ones."""
        seen = self.view.places[place.index]
        if place.shape is Shape.SET:
            words = [self.token(place, heap) for heap in seen.heaps for _ in range(heap.count)]
        else:
            words = [self.token(place, cell) for cell in seen.cells]
        found = counted(words)
        if place.shape is Shape.PILE and len(found) > _MOST:
            found = [*found[:_MOST], f"and {len(words) - _MOST} more"]
        return [*(found or [NOTHING]), *self._remembered(place, seen)]

    def token(self, place: Place, token: Cell | Heap) -> str:
        """A token where it lies."""
        word, marks = BACK, list[str]()
        if token.sort is not None:
            word = self.names.words.sort(token.token_class, token.sort)
            hidden = not token.face_up and (place.face_up or not self._is_seen(token))
            word += KNOWN if hidden else ""
            marks = ["up"] if token.face_up and not place.face_up else []
        marks += self.names.words.flags(token.flags).split()
        return f"{word}({', '.join(marks)})" if marks else word

    def top(self, place: Place) -> list[str]:
        """The tokens on a square from the top, a word for each."""
        seen = self.view.places[place.index]
        cells = [self.token(place, cell) for cell in seen.cells]
        return [*cells, *(self.token(place, h) for h in seen.heaps for _ in range(h.count))]

    def _is_seen(self, token: Cell | Heap) -> bool:
        """Whether it is seen where it lies, not only remembered; in a set all that is told is."""
        return not isinstance(token, Cell) or token.seen

    def _remembered(self, place: Place, seen: PlaceView) -> list[str]:
        """What the seat knows of tokens it cannot tell apart, and who has looked at which."""
        token_class = place.token_class
        found = []
        if self._tells_more(place, seen) and token_class is not None:
            index = self.names.graph.classes.index(self.names.graph.token_class(token_class))
            words = [
                self.names.words.sort(index, sort)
                for sort, count in enumerate(seen.fact)
                for _ in range(count)
            ]
            told = f"(among them {listed(words)})"
            found += [told] if len(told) <= _UNBROKEN else told.split()
        looked = [
            f"{seats_text(seats)} looked at the {ordinal(at)}"
            for at, cell in enumerate(seen.cells, 1)
            if not cell.public and (seats := self._lookers(cell))
        ]
        return [*found, *([f"({', '.join(looked)})"] if looked else [])]

    def _tells_more(self, place: Place, seen: PlaceView) -> bool:
        """Whether a fact says more than which cards of a pile nobody has met yet."""
        counting = place.shape is Shape.PILE and sum(seen.fact) == len(seen.cells)
        return any(seen.fact) and not (counting and seen.fact == seen.public_fact)

    def _lookers(self, cell: Cell) -> tuple[int, ...]:
        """The other seats that have publicly seen a hidden cell."""
        seats = range(self.names.graph.seats)
        return tuple(s for s in seats if cell.looked >> s & 1 and s != self.view.seat)

    # ---- values

    def value(self, slot: int, type_: Type, value: Seen) -> str:
        """A value of a variable; empty if there is nothing to say of it."""
        if value is None or value is False:
            return ""
        if isinstance(value, Spot):
            return self._spot(slot, 0, value)
        if isinstance(value, tuple):
            return ", ".join(self._parts(slot, type_, value))
        return spoken(self.names.words.value(type_, cast(Value, value)))

    def _parts(self, slot: int, type_: Type, values: Sequence[Seen]) -> list[str]:
        if not has_tokens(type_):
            text = self.names.words.value(type_, cast(Value, tuple(values)))
            return [spoken(text[1:-1])] if text.startswith("[") else [text]
        return [
            self._spot(slot, at, value)
            for at, value in enumerate(values, 1)
            if isinstance(value, Spot)
        ]

    def _spot(self, slot: int, position: int, spot: Spot) -> str:
        """A token that a variable refers to: its face, or where it lies."""
        place = self.names.graph.places[spot.place]
        seen = self.view.places[spot.place]
        if place.shape is Shape.SET:
            marks = ((slot, position), (slot, 0))
            for heap in seen.heaps:
                if any(mark in heap.references for mark in marks):
                    return self.token(place, heap)
            return self.names.place(spot.place)
        cell = seen.cells[spot.index]
        if cell.sort is not None:
            return self.token(place, cell)
        return f"the {ordinal(spot.index + 1)} of {self.names.place(spot.place)}"
