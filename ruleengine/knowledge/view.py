"""What one seat may know at a moment: what it sees, what it remembers, what everybody knows.

A `View` is a value: equal views are equal bytes, and nothing in it depends on what the seat cannot
tell.  It names tokens by where they lie and, where the seat knows it, by their face; never by
copy.  Legal options are a function of it, and so are the worlds a seat can imagine (`world`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from attrs import astuple, define, frozen

from compiler.diagnostic import InternalError
from compiler.graph.core import Chance, Choose, End, Flow, Roll, Shape, Value
from compiler.graph.walk import written_slots
from compiler.types import ListOf, has_tokens, present
from ruleengine.knowledge.words import Words
from ruleengine.references import References
from ruleengine.sight import Sight
from ruleengine.statics import Slots, Statics
from ruleengine.table import UNRESOLVED, Table
from ruleengine.terms import Closure, Terms


@frozen
class Cell:
    """A cell of a row: its face if the seat sees or knows it.

    `looked` are the seats that have publicly seen it; `public`: everybody can name it.  Sticky
    flags belong to the face and are not in `flags`.
    """

    token_class: int
    sort: int | None
    seen: bool
    face_up: bool
    flags: int
    looked: int
    public: bool


@frozen
class Heap:
    """Tokens of a set that look alike to the seat, hidden ones too; `sort` is `None` for those.

    `references` are the places in variables that refer to each of them: slot, then position in a
    list from 1 (0 elsewhere).
    """

    token_class: int
    sort: int | None
    face_up: bool
    flags: int
    references: tuple[tuple[int, int], ...]
    count: int


@frozen
class PlaceView:
    """A place: `cells` if it is a row, `heaps` if it is a set.

    `fact` and `public_fact` are the numbers of each sort that are at least among the tokens that
    the seat, or the public, cannot name; empty if nothing is known.
    """

    cells: tuple[Cell, ...]
    heaps: tuple[Heap, ...]
    fact: tuple[int, ...]
    public_fact: tuple[int, ...]


@frozen(order=True)
class Spot:
    """Where a token lies that a variable refers to: an index in a row, 0 in a set."""

    place: int
    index: int


Seen: TypeAlias = int | Spot | tuple["Seen", ...] | None
"""A value as a seat reads it: tokens are spots."""


@frozen
class Control:
    """Where the game is: public at every stop."""

    node: int
    stack: tuple[int, ...]
    fired: int
    in_trigger: bool


@frozen
class View:
    """Everything a seat may know; for the public, `seat` is the number of seats.

    `values` are the slots that may still be read and that the seat may read, `hidden` the others
    that may still be read, each with whether it is a die that has been rolled.  `totals` says of
    every class with sticky flags how many tokens of each sort there are, wherever they are; it is
    empty for other classes.
    """

    seat: int
    places: tuple[PlaceView, ...]
    values: tuple[tuple[int, Seen], ...]
    hidden: tuple[tuple[int, bool], ...]
    totals: tuple[tuple[int, ...], ...]
    control: Control
    result: tuple[str, Value] | None

    def __bytes__(self) -> bytes:
        """The canonical form: equal for equal views and for no others."""
        data = bytearray()
        _encode(astuple(self, filter=lambda part, _: bool(part.eq)), data)
        return bytes(data)


@define(eq=False)
class Viewer:
    """Makes views of the tables of one graph."""

    statics: Statics
    sight: Sight
    references: References
    words: Words
    _results: dict[int, tuple[str, Closure | None]]  # per node that ends the game
    _sealed: dict[int, tuple[tuple[int, Slots], ...]]  # per joint decision: seat, its own slots
    _dice: frozenset[int]  # slots

    @classmethod
    def of(cls, terms: Terms, sight: Sight) -> "Viewer":
        """That of a graph."""
        statics = terms.statics
        graph = statics.graph
        results, sealed = {}, {}
        dice: set[int] = set()
        for node in graph.nodes:
            match node.step:
                case Flow(End(ending, value)):
                    closure = None if value is None else terms.closed(value)
                    results[node.id] = ending.value, closure
                case Choose(joint=True) as choose:
                    sealed[node.id] = tuple(
                        (seat, statics.slots[variable])
                        for variable, _ in written_slots(choose)
                        for seat in range(graph.seats)
                    )
                case Chance(Roll(rolled)):
                    for variable, _, _ in rolled:
                        for first in statics.slots[variable].banks():
                            dice.update(range(first, first + variable.size))
                case _:
                    pass
        words = Words.of(statics)
        return cls(statics, sight, terms.references, words, results, sealed, frozenset(dice))

    def view(self, table: Table, observer: int) -> View:
        """What a seat, or the public, may know now; at a stop."""
        values, referring = self.variables(table, observer)
        read = {slot for slot, _ in values}
        hidden = tuple(
            (slot, slot in self._dice and table.values[slot] is not None)
            for slot in self.references.live(table)
            if slot not in read
        )
        places = range(len(self.statics.graph.places))
        return View(
            observer,
            tuple(self.place(table, place, observer, referring) for place in places),
            values,
            hidden,
            self._totals(table),
            Control(table.node, tuple(table.stack), table.fired, table.in_trigger),
            self.result(table),
        )

    def variables(
        self, table: Table, observer: int
    ) -> tuple[tuple[tuple[int, Seen], ...], dict[int, list[tuple[int, int]]]]:
        """The slots that may still be read and that an observer may read.

        Returns their values, and for tokens of sets what refers to them.
        """
        values = []
        referring: dict[int, list[tuple[int, int]]] = {}
        sealed = self.sealed_slots(table.node, table.in_trigger)
        for slot in self.references.live(table):
            readers = self.sight.observers(self.sight.readers(table, slot))
            if readers >> observer & 1 and sealed.get(slot, observer) == observer:
                values.append((slot, self.seen(table, slot, table.values[slot])))
                self._refer(table, slot, referring)
        return tuple(values), referring

    def sealed_slots(self, node: int, in_trigger: bool) -> dict[int, int]:
        """The slots that keep picks of a joint decision that is being made, each with its seat."""
        found = {}
        for seat, slots in self._sealed.get(node, ()):
            slot = slots.at((seat,), in_trigger)
            if slot is not None:
                found[slot] = seat
        return found

    def seen(self, table: Table, slot: int, value: Value) -> Seen:
        """A slot's value, with spots for tokens."""
        type_ = self.words.type(slot)
        if not has_tokens(type_):
            return value
        if isinstance(value, tuple):
            spots = [self._spot(table, token) for token in value if isinstance(token, int)]
            in_order = isinstance(present(type_), ListOf)
            return tuple(spots if in_order else sorted(spots))
        return None if value is None else self._spot(table, value)

    def place(
        self,
        table: Table,
        place: int,
        observer: int,
        referring: Mapping[int, Sequence[tuple[int, int]]],
    ) -> PlaceView:
        """A place as an observer may know it."""
        looks = [self._cell(table, token, observer) for token in table.cells[place]]
        facts = [
            tuple(table.facts.get((who, place), ())) for who in (observer, self.statics.public)
        ]
        if self.statics.graph.places[place].shape is not Shape.SET:
            return PlaceView(tuple(looks), (), *facts)
        alike = Counter(
            (look.token_class, look.sort, look.face_up, look.flags, tuple(referring.get(token, ())))
            for token, look in zip(table.cells[place], looks, strict=True)
        )
        heaps = [Heap(*key, count) for key, count in alike.items()]
        return PlaceView((), tuple(sorted(heaps, key=_heap_order)), *facts)

    # ---- parts

    def _cell(self, table: Table, token: int, observer: int) -> Cell:
        class_index = self.statics.token_class[token]
        seen = bool(self.sight.sees(table, token) >> observer & 1)
        known = seen or bool(table.knows[token] >> observer & 1)
        return Cell(
            class_index,
            self.statics.sort(table, token) if known else None,
            seen,
            bool(table.face[token]),
            table.flags[token] & ~self.statics.sticky[class_index],
            table.looked[token],
            bool(table.knows[token] >> self.statics.public & 1),
        )

    def _spot(self, table: Table, token: int) -> Spot:
        place = table.place[token]
        if self._is_in_set(table, token):
            return Spot(place, 0)
        return Spot(place, table.cells[place].index(token))

    def _is_in_set(self, table: Table, token: int) -> bool:
        return self.statics.graph.places[table.place[token]].shape is Shape.SET

    def _refer(self, table: Table, slot: int, referring: dict[int, list[tuple[int, int]]]) -> None:
        """Notes which tokens of sets a slot refers to."""
        type_, value = self.words.type(slot), table.values[slot]
        if value is None or not has_tokens(type_):
            return
        in_order = isinstance(present(type_), ListOf)
        for position, token in enumerate(value if isinstance(value, tuple) else (value,)):
            if isinstance(token, int) and self._is_in_set(table, token):
                reference = (slot, position + 1 if in_order else 0)
                referring.setdefault(token, []).append(reference)

    def _totals(self, table: Table) -> tuple[tuple[int, ...], ...]:
        totals = [
            [0] * self.statics.sorts(index) if bits else []
            for index, bits in enumerate(self.statics.sticky_bits)
        ]
        if not any(totals):
            return tuple(() for _ in totals)
        for token, class_index in enumerate(self.statics.token_class):
            if totals[class_index] and table.kind[token] != UNRESOLVED:
                totals[class_index][self.statics.sort(table, token)] += 1
        for pool, counts in table.pools.items():
            total = totals[self.statics.pool_class(pool)]
            for sort in range(len(total)):
                total[sort] += counts[sort]
        return tuple(tuple(total) for total in totals)

    def result(self, table: Table) -> tuple[str, Value] | None:
        if not table.values[self.statics.offset(self.statics.graph.ended)]:
            return None
        ending, closure = self._results[table.node]
        return ending, None if closure is None else closure(table)


def _heap_order(heap: Heap) -> tuple[int, ...]:
    """By class, face (unseen ones last), facing, flags, references."""
    unseen = heap.sort is None
    sort = -1 if heap.sort is None else heap.sort
    flat = tuple(part for reference in heap.references for part in reference)
    return (heap.token_class, unseen, sort, not heap.face_up, heap.flags, *flat)


def _encode(value: object, data: bytearray) -> None:
    """A value of numbers, words, `None` and tuples as bytes that no other value has."""
    match value:
        case None:
            data.append(0)
        case int():
            number = (value << 1 if value >= 0 else ~value << 1 | 1) + 3
            while number >= 128:
                data.append(number & 127 | 128)
                number >>= 7
            data.append(number)
        case str():
            text = value.encode()
            data.append(1)
            _encode(len(text), data)
            data += text
        case Spot(place, index):
            _encode((place, index), data)
        case tuple():
            data.append(2)
            _encode(len(value), data)
            for part in value:
                _encode(part, data)
        case _:
            raise InternalError(f"{type(value).__name__} is no part of a view")
