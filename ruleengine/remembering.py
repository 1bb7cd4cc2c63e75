"""The values of variables, in atoms: those that may still be read, and zeros for the others."""

from collections.abc import Mapping, Sequence

from attrs import define, field, frozen

from compiler.graph.codec import Codec, Scalar
from compiler.graph.core import Shape
from compiler.graph.layout import Layout
from compiler.graph.parts import Names
from ruleengine.references import References
from ruleengine.spelling import Unpackable, read_value, write_value
from ruleengine.statics import Statics
from ruleengine.table import UNRESOLVED, Table


@frozen(eq=False)
class _Home:
    """A slot of `Table.values` and its atoms."""

    name: str
    slot: int
    start: int
    end: int
    codec: Codec


@define(eq=False)
class ValuePacking:
    """Writes and reads the values of variables."""

    _statics: Statics
    _references: References
    _names: tuple[Names, ...]
    _homes: dict[int, _Home]  # by slot
    _unordered: tuple[bool, ...]  # per place
    _known: dict[tuple[int, ...], tuple[tuple[_Home, ...], tuple[_Home, ...]]] = field(
        factory=dict, init=False
    )

    @classmethod
    def of(cls, plan: Layout, statics: Statics, references: References) -> "ValuePacking":
        """That of a layout."""
        homes: dict[int, _Home] = {}
        for slot in plan.slots:
            slots, entry = statics.slots[slot.variable], plan.fields[slot.field]
            step = entry.count // slot.variable.size
            for member in range(slot.variable.size):
                at = slots.first + slots.shift * slot.bank + member
                start = entry.start + member * step
                homes[at] = _Home(slot.variable.name, at, start, start + step, slot.codec)
        unordered = tuple(place.shape is Shape.SET for place in statics.graph.places)
        return cls(statics, references, plan.names, homes, unordered)

    def write(self, table: Table, atoms: list[int]) -> None:
        """Writes what may still be read; `Unpackable` where a value is none of its type."""
        numbers, others = self._live(table)
        values = table.values
        for home in numbers:
            value, codec = values[home.slot], home.codec
            if isinstance(value, int) and isinstance(codec, Scalar):
                atoms[home.start] = value - codec.low + codec.optional
            elif value is not None:
                raise Unpackable(f"{home.name} is {value}, which it cannot be")
        if others:
            referred = self._references.signatures(table)
            called = self._called(table, referred) if referred else {}
            for home in others:
                try:
                    written = write_value(home.codec, values[home.slot], called.__getitem__)
                    atoms[home.start : home.end] = written
                except (ValueError, KeyError) as error:
                    raise Unpackable(
                        f"{home.name} is {values[home.slot]}, which it cannot be"
                    ) from error

    def read(self, atoms: Sequence[int], table: Table) -> None:
        """Reads them on a table whose tokens lie already; others are `none`."""
        numbers, others = self._live(table)
        bearers: dict[tuple[int, int], int] = {}

        def token(token_class: str, name: int) -> int:
            if not bearers:
                for handle, called in self._called(table, {}).items():
                    bearers[self._statics.token_class[handle], called] = handle
            return bearers[self._statics.class_index[token_class], name]

        for home in (*numbers, *others):
            take = iter(atoms[home.start : home.end])
            table.values[home.slot] = read_value(home.codec, take, token)

    def _live(self, table: Table) -> tuple[tuple[_Home, ...], tuple[_Home, ...]]:
        """The slots that may still be read: plain numbers, and others."""
        key = (table.node, table.in_trigger, *table.stack)
        found = self._known.get(key)
        if found is None:
            homes = [self._homes[slot] for slot in self._references.live(table)]
            found = self._known[key] = (
                tuple(home for home in homes if isinstance(home.codec, Scalar)),
                tuple(home for home in homes if not isinstance(home.codec, Scalar)),
            )
        return found

    def _called(self, table: Table, referred: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
        """What variables call each token: see `Names`."""
        used: list[dict[int, int]] = [{} for _ in self._names]
        called: dict[int, int] = {}
        for place, cells in enumerate(table.cells):
            lying: Sequence[int] = cells
            if self._unordered[place] and len(cells) > 1:
                lying = self._in_order(table, cells, referred)
            for token in lying:
                index, kind = self._statics.token_class[token], table.kind[token]
                before = used[index].get(kind, 0)
                used[index][kind] = before + 1
                names = self._names[index]
                first = names.unresolved if kind == UNRESOLVED else names.first[kind]
                called[token] = first + before
        return called

    def _in_order(
        self, table: Table, cells: list[int], referred: Mapping[int, tuple[int, ...]]
    ) -> list[int]:
        """Tokens of a set by pool, face and flags; twins by what refers to them, if anything."""
        pool, face, flags = table.pool, table.face, table.flags
        return sorted(
            cells,
            key=lambda token: (
                pool[token],
                not face[token],
                flags[token],
                token not in referred,
                referred.get(token, ()),
            ),
        )
