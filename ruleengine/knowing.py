"""What everybody knows, in atoms: the tail of a state."""

from collections.abc import Sequence

from attrs import define, frozen

from compiler.graph.layout import Layout
from compiler.graph.parts import Field
from ruleengine.spelling import Heap, Unpackable, read_bits, write_bits
from ruleengine.statics import Statics
from ruleengine.table import Table


@frozen(eq=False)
class _Sight:
    """Who has looked at the cells of some rows and can name them: bits of one field."""

    places: tuple[int, ...]
    capacity: int
    watchers: tuple[tuple[int, bool], ...]  # observer, and whether it is about having looked
    field: Field


@define(eq=False)
class KnowledgePacking:
    """Writes and reads `looked`, `knows` and `facts`."""

    _labels: tuple[str, ...]
    _public: int
    _first: int  # the first atom of the tail
    _sights: tuple[_Sight, ...]
    _looked: tuple[int, ...]  # per place: the observers with room there
    _knows: tuple[int, ...]
    _facts: dict[tuple[int, int], Heap]

    @classmethod
    def of(cls, plan: Layout, statics: Statics) -> "KnowledgePacking":
        """That of a layout."""
        places = statics.graph.places
        looked, knows = [0] * len(places), [0] * len(places)
        for sight in plan.sights:
            for place in plan.rows[sight.rows].places:
                looked[place] = sum(1 << observer for observer in sight.looked)
                knows[place] = sum(1 << observer for observer in sight.knows)
        core = [entry for entry in plan.fields if entry.offset < plan.core_size]
        return cls(
            tuple(place.label for place in places),
            statics.public,
            max((entry.start + entry.count for entry in core), default=0),
            tuple(
                _Sight(
                    plan.rows[sight.rows].places,
                    plan.rows[sight.rows].capacity,
                    (*((o, True) for o in sight.looked), *((o, False) for o in sight.knows)),
                    plan.fields[sight.field],
                )
                for sight in plan.sights
            ),
            tuple(looked),
            tuple(knows),
            {
                (fact.observer, fact.place): Heap.of(fact.contents, plan.fields)
                for fact in plan.facts
            },
        )

    def write(self, table: Table, atoms: list[int]) -> None:
        """Writes all that is known; `Unpackable` where nobody can know so much."""
        if any(table.looked) or any(table.knows):
            self._check(table)
            for sight in self._sights:
                self._write_sight(table, atoms, sight)
        for (observer, place), counts in table.facts.items():
            heap = self._facts.get((observer, place))
            if heap is not None:
                heap.write(atoms, counts)
            elif any(counts):
                who = "everybody" if observer == self._public else f"seat {observer}"
                raise Unpackable(f"{who} knows of {self._labels[place]} what nobody can")

    def _check(self, table: Table) -> None:
        for token, place in enumerate(table.place):
            looked = table.looked[token] & ~self._looked[place]
            if looked or table.knows[token] & ~self._knows[place]:
                label = self._labels[place]
                raise Unpackable(f"somebody has seen a card of {label} that nobody can have")

    def _write_sight(self, table: Table, atoms: list[int], sight: _Sight) -> None:
        mask = position = 0
        for place in sight.places:
            for token in table.cells[place]:
                looked, knows = table.looked[token], table.knows[token]
                if looked or knows:
                    for at, (observer, is_looked) in enumerate(sight.watchers):
                        seen = (looked if is_looked else knows) >> observer & 1
                        mask |= seen << at * sight.capacity + position
                position += 1
        write_bits(atoms, sight.field.start, mask)

    def read(self, atoms: Sequence[int], table: Table) -> None:
        """Reads it on a table whose tokens lie already."""
        if not any(atoms[self._first :]):
            return
        for sight in self._sights:
            mask = read_bits(atoms, sight.field)
            tokens = [token for place in sight.places for token in table.cells[place]]
            while mask:
                lowest = mask & -mask
                at, position = divmod(lowest.bit_length() - 1, sight.capacity)
                observer, is_looked = sight.watchers[at]
                (table.looked if is_looked else table.knows)[tokens[position]] |= 1 << observer
                mask ^= lowest
        for key, heap in self._facts.items():
            counts = heap.read(atoms)
            if counts is not None:
                table.facts[key] = counts
