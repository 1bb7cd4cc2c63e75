"""What places, slots and seats are called in sentences: `A's collection`, `score of B`."""

from collections.abc import Sequence

from attrs import define

from compiler.graph.core import Graph, Place, TokenClass, Value, Variable
from compiler.graph.naming import listed, spoken
from compiler.graph.values import seat_text
from compiler.types import Player
from ruleengine.knowledge.words import Words
from ruleengine.statics import Statics

_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `3rd`, `4th`, `11th`."""
    ending = "th" if number % 100 in (11, 12, 13) else _ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"


def seats_text(seats: Sequence[int]) -> str:
    """`A, B and D`."""
    return listed([seat_text(seat) for seat in seats])


@define(eq=False)
class Names:
    """The names of one graph."""

    graph: Graph
    words: Words
    _slots: dict[int, tuple[Variable, tuple[Value, ...]]]

    @classmethod
    def of(cls, statics: Statics, words: Words) -> "Names":
        """Those of a graph."""
        slots = {
            first + at: (variable, keys)
            for variable, found in statics.slots.items()
            for first in found.banks()
            for at, keys in enumerate(statics.key_tuples[variable])
        }
        return cls(statics.graph, words, slots)

    def member(self, place: Place) -> str:
        """A member of a family, without its player: `tree 1`; a zone that is no family: `deck`."""
        _, _, inside = place.label.partition("[")
        keys = [key for key in inside.removesuffix("]").split(", ") if key]
        if place.holder is not None and seat_text(place.holder) in keys:
            keys.remove(seat_text(place.holder))
        return " ".join([spoken(place.zone), *keys])

    def place(self, index: int) -> str:
        """A place: `deck`, `A's collection`, `grid[2, 3]`."""
        place = self.graph.places[index]
        if place.square is not None:
            return place.label
        owner = "" if place.holder is None else f"{seat_text(place.holder)}'s "
        return owner + self.member(place)

    def tokens(self, class_index: int, count: int) -> str:
        """So many tokens of a class: `1 card`, `2 pieces`."""
        return f"{count} {self.noun(class_index)}{'' if count == 1 else 's'}"

    def noun(self, class_index: int) -> str:
        """What one token of a class is."""
        return "card" if self._class(class_index).is_card else "piece"

    def variable(self, slot: int) -> tuple[Variable, tuple[Value, ...]]:
        """The variable that has a slot, and the keys of it."""
        return self._slots[slot]

    def slot(self, slot: int) -> str:
        """A slot: `point limit`, `score of B`, `cup 2 of A`."""
        variable, _ = self._slots[slot]
        seat, keys = self.keys(slot)
        owner = "" if seat is None else f" of {seat_text(seat)}"
        return " ".join([spoken(variable.name), *keys]) + owner

    def keys(self, slot: int) -> tuple[int | None, tuple[str, ...]]:
        """The player that a slot belongs to, if it is one of a family, and its other keys."""
        variable, keys = self._slots[slot]
        seat: int | None = None
        others = []
        for type_, key in zip(variable.key_types, keys, strict=True):
            if seat is None and isinstance(type_, Player) and isinstance(key, int):
                seat = key
            else:
                others.append(spoken(self.words.value(type_, key)))
        return seat, tuple(others)

    def _class(self, index: int) -> TokenClass:
        return self.graph.classes[index]
