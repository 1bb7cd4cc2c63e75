"""A table as somebody has it before him, in words: what lies where, and what the variables say.

For a seat it is made from its `View` alone, so it can tell no more than the seat may know.  The
referee's is made from the table; even he does not know what chance has not settled yet.
"""

from collections.abc import Iterator
from enum import Enum
from typing import cast

from attrs import define, evolve, frozen

from compiler.graph.core import Shape, Value
from compiler.types import ListOf, Player, has_tokens, present
from ruleengine.knowledge.view import Cell, Heap, PlaceView, Seen, Spot, View, Viewer
from ruleengine.knowledge.words import Words
from ruleengine.table import UNRESOLVED, Table


class Face(Enum):
    """How a card stands to who looks."""

    OPEN = "open"  # it lies face up
    DOWN = "down"  # face down, but he sees it
    KNOWN = "known"  # he does not see it, but can name it
    HIDDEN = "hidden"


@frozen
class Card:
    """Cards or pieces that look alike, side by side.

    `word` is empty if the face is unknown.  `owner` is the seat that is part of a face.  `knowers`
    are for the referee: the seats that can name it, as a mask; for others it is 0.
    """

    word: str
    face: Face
    owner: int | None = None
    flags: str = ""
    knowers: int = 0
    count: int = 1


@frozen
class Laid:
    """What lies in one place, the top first.

    `certain` are cards known to be among the hidden ones, as words and numbers.
    """

    zone: str
    keys: tuple[str, ...]
    square: tuple[int, int] | None
    cards: tuple[Card, ...]
    certain: tuple[tuple[str, int], ...] = ()


@frozen
class Told:
    """A variable that may be read: its name, the keys of the member, its value in words."""

    name: str
    keys: tuple[str, ...]
    value: str


@frozen
class Known:
    """A table before somebody; empty places are left out, squares of boards are not."""

    places: tuple[Laid, ...]
    variables: tuple[Told, ...]


@define(eq=False)
class Teller:
    """Puts the tables of one graph into words."""

    viewer: Viewer
    _unspoken: frozenset[int]  # slots that are the engine's own
    _nobody_out: tuple[int, Seen]  # the slot of who plays, with everybody in it

    @classmethod
    def of(cls, viewer: Viewer) -> "Teller":
        """That of the graph that a viewer looks at."""
        statics = viewer.statics
        unspoken = {statics.offset(statics.graph.ended)}
        for variable in statics.variables:
            if variable.hidden_name:
                for first in statics.slots[variable].banks():
                    unspoken.update(range(first, first + variable.size))
        everybody = statics.offset(statics.graph.players), tuple(range(statics.graph.seats))
        return cls(viewer, frozenset(unspoken), everybody)

    @property
    def _words(self) -> Words:
        return self.viewer.words

    def seen(self, view: View) -> Known:
        """The table as a view has it."""
        places = (
            self._place(index, self._cards(place), place) for index, place in enumerate(view.places)
        )
        return Known(tuple(_shown(places)), tuple(self._told(view.values)))

    def settled(self, table: Table) -> Known:
        """The table as the referee has it: all that is settled, and who can name what."""
        places = (
            self._place(place.index, self._settled(table, place.index))
            for place in self.viewer.statics.graph.places
        )
        live = self.viewer.references.live(table)
        values = tuple((slot, self.viewer.seen(table, slot, table.values[slot])) for slot in live)
        return Known(tuple(_shown(places)), tuple(self._told(values)))

    # ---- places

    def _place(self, index: int, cards: tuple[Card, ...], seen: PlaceView | None = None) -> Laid:
        place = self.viewer.statics.graph.places[index]
        keys = tuple(_keys(place.label))
        certain = () if seen is None else tuple(self._certain(index, seen.fact))
        return Laid(place.zone, keys, place.square, _together(cards), certain)

    def _cards(self, place: PlaceView) -> tuple[Card, ...]:
        return (*map(self._cell, place.cells), *map(self._heap, place.heaps))

    def _cell(self, cell: Cell) -> Card:
        card = self._card(cell.token_class, cell.sort, cell.face_up, cell.flags)
        return card if cell.seen or cell.sort is None else evolve(card, face=Face.KNOWN)

    def _heap(self, heap: Heap) -> Card:
        card = self._card(heap.token_class, heap.sort, heap.face_up, heap.flags)
        return evolve(card, count=heap.count)

    def _card(self, class_index: int, sort: int | None, up: bool, flags: int) -> Card:
        names = self._words.flags(flags).strip()
        if sort is None:
            return Card("", Face.HIDDEN, flags=names)
        face = Face.OPEN if up else Face.DOWN
        return Card(
            self._words.sort(class_index, sort), face, self._owner(class_index, sort), names
        )

    def _owner(self, class_index: int, sort: int) -> int | None:
        """The seat that a face names, if it names one."""
        statics = self.viewer.statics
        token_class = statics.graph.classes[class_index]
        kind = token_class.kinds[sort >> len(statics.sticky_bits[class_index])]
        for attribute, value in zip(token_class.attributes, kind.values, strict=True):
            if isinstance(attribute.type, Player) and isinstance(value, int):
                return value
        return None

    def _settled(self, table: Table, place: int) -> tuple[Card, ...]:
        """The cards of a place; those of a set in the order in which views have them."""
        statics = self.viewer.statics
        tokens = list(table.cells[place])
        if statics.graph.places[place].shape is Shape.SET:
            tokens.sort(key=lambda token: self._rank(table, token))
        cards = []
        for token in tokens:
            card = self._card(
                statics.token_class[token],
                self._sort(table, token),
                bool(table.face[token]),
                statics.open_flags(table, token),
            )
            if card.face is Face.DOWN:
                able = self.viewer.sight.sees(table, token) | table.knows[token]
                card = evolve(card, knowers=able & statics.everyone)
            cards.append(card)
        return tuple(cards)

    def _sort(self, table: Table, token: int) -> int | None:
        resolved = table.kind[token] != UNRESOLVED
        return self.viewer.statics.sort(table, token) if resolved else None

    def _rank(self, table: Table, token: int) -> tuple[int, ...]:
        """By class, face (those without one last), facing, flags."""
        statics = self.viewer.statics
        sort = self._sort(table, token)
        return (
            statics.token_class[token],
            sort is None,
            -1 if sort is None else sort,
            not table.face[token],
            statics.open_flags(table, token),
        )

    def _certain(self, index: int, fact: tuple[int, ...]) -> Iterator[tuple[str, int]]:
        token_class = self.viewer.statics.graph.places[index].token_class
        if token_class is None:
            return
        class_index = self.viewer.statics.class_index[token_class]
        for sort, count in enumerate(fact):
            if count:
                yield self._words.sort(class_index, sort), count

    # ---- variables

    def _told(self, values: tuple[tuple[int, Seen], ...]) -> Iterator[Told]:
        for slot, value in values:
            if slot in self._unspoken or (slot, value) == self._nobody_out:
                continue
            label = self._words.slot(slot)
            name = label.partition("[")[0].partition("#")[0]
            yield Told(name, tuple(_keys(label)), self._value(slot, value))

    def _value(self, slot: int, value: Seen) -> str:
        type_ = self._words.type(slot)
        match value:
            case Spot(place, index):
                return self._words.spot(place, index + 1)
            case tuple() if has_tokens(type_):
                parts = ", ".join(self._value(slot, part) for part in value)
                return f"[{parts}]" if isinstance(present(type_), ListOf) else parts or "nothing"
            case _:
                return self._words.value(type_, cast(Value, value))


def _keys(label: str) -> Iterator[str]:
    """What stands in the brackets of a label: `A`, `3` of `tree[A, 3]`."""
    inside = label.partition("[")[2].removesuffix("]")
    yield from (key.strip() for key in inside.split(",") if key.strip())


def _shown(places: Iterator[Laid]) -> Iterator[Laid]:
    return (place for place in places if place.cards or place.square is not None)


def _together(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Equal neighbours as one."""
    found: list[Card] = []
    for card in cards:
        if found and _alike(found[-1], card):
            found[-1] = evolve(found[-1], count=found[-1].count + card.count)
        else:
            found.append(card)
    return tuple(found)


def _alike(one: Card, other: Card) -> bool:
    """Whether two cards differ in nothing but how many they are."""
    return (
        one.word == other.word
        and one.face is other.face
        and one.owner == other.owner
        and one.flags == other.flags
        and one.knowers == other.knowers
    )
