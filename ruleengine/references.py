"""Which tokens a table still refers to, and the order of a place that follows from it.

Two tokens that look alike in the same set differ only if a variable that may still be read refers
to one of them.  Nothing else tells twins apart, so nothing else may order them.
"""

from attrs import define, field

from compiler.analysis.liveness import Liveness, liveness
from compiler.graph.core import Place, Shape, Value
from compiler.types import ListOf, Type, has_tokens, present
from ruleengine.statics import Statics
from ruleengine.table import Table

_UNRESOLVED_LAST = 1 << 24


@define(eq=False)
class References:
    """Live references to tokens, and canonical order.

    A reference is numbered by its slot in `Table.values` and, in a list, the position there.
    """

    statics: Statics
    alive: Liveness
    _token_slots: tuple[tuple[int, int, int, Type], ...]  # bit of liveness, slot, shift, type
    _live: dict[tuple[int, bool, tuple[int, ...]], tuple[tuple[int, Type], ...]] = field(
        factory=dict
    )
    _all_live: dict[tuple[int, bool, tuple[int, ...]], tuple[int, ...]] = field(factory=dict)

    @classmethod
    def of(cls, statics: Statics) -> "References":
        """Those of a graph."""
        alive = liveness(statics.graph)
        token_slots = []
        for variable in alive.slots.variables:
            if has_tokens(variable.type):
                slots = statics.slots[variable]
                for member in range(variable.size):
                    bit = 1 << alive.slots.first[variable] + member
                    token_slots.append((bit, slots.first + member, slots.shift, variable.type))
        return cls(statics, alive, tuple(token_slots))

    def live_slots(self, table: Table) -> tuple[tuple[int, Type], ...]:
        """The slots with tokens that may still be read, ascending, and their types."""
        key = (table.node, table.in_trigger, tuple(table.stack))
        found = self._live.get(key)
        if found is None:
            outside, inside = self._masks(table)
            slots: dict[int, Type] = {}
            for bit, slot, shift, type_ in self._token_slots:
                if outside & bit:
                    slots[slot] = type_
                if inside & bit:
                    slots[slot + shift] = type_
            found = self._live[key] = tuple((slot, slots[slot]) for slot in sorted(slots))
        return found

    def live(self, table: Table) -> tuple[int, ...]:
        """All slots that may still be read, of tokens or not, ascending."""
        key = (table.node, table.in_trigger, tuple(table.stack))
        known = self._all_live.get(key)
        if known is not None:
            return known
        outside, inside = self._masks(table)
        found: list[int] = []
        for variable in self.alive.slots.variables:
            slots = self.statics.slots[variable]
            for member in range(variable.size):
                bit = 1 << self.alive.slots.first[variable] + member
                if outside & bit or (inside & bit and not slots.shift):
                    found.append(slots.first + member)
                if inside & bit and slots.shift:
                    found.append(slots.first + slots.shift + member)
        result = self._all_live[key] = tuple(sorted(found))
        return result

    def _masks(self, table: Table) -> tuple[int, int]:
        """What is live of the first bank, and of the second."""
        return self.alive.now(table.node, table.stack, table.in_trigger)

    def signatures(self, table: Table) -> dict[int, tuple[int, ...]]:
        """Per token that is referred to: by what, ascending."""
        found: dict[int, tuple[int, ...]] = {}
        for slot, type_ in self.live_slots(table):
            value = table.values[slot]
            is_list = isinstance(present(type_), ListOf)
            for position, token in enumerate(_flat(value)):
                mark = slot << 16 | (position + 1 if is_list else 0)
                found[token] = (*found.get(token, ()), mark)
        return found

    # ---- the order of places

    def contents(self, table: Table, place: Place) -> tuple[int, ...]:
        """The tokens of a place in canonical order."""
        cells = table.cells[place.index]
        if place.shape is Shape.SET and len(cells) > 1:
            return self.sorted(table, cells)
        return tuple(cells)

    def look(self, table: Table, token: int) -> int:
        """What orders tokens of one set: kind, face, flags; unresolved ones last, by pool."""
        kind = table.kind[token]
        if kind < 0:
            kind = _UNRESOLVED_LAST + table.pool[token]
        bits = len(self.statics.flag_bits)
        return (kind << 1 | (not table.face[token])) << bits | table.flags[token]

    def sorted(self, table: Table, tokens: list[int]) -> tuple[int, ...]:
        """Tokens of one set in canonical order."""
        kind, face, flags, pool = table.kind, table.face, table.flags, table.pool
        bits = len(self.statics.flag_bits)
        looks = {
            token: (
                (kind[token] if kind[token] >= 0 else _UNRESOLVED_LAST + pool[token]) << 1
                | (not face[token])
            )
            << bits
            | flags[token]
            for token in tokens
        }
        if self._token_slots and len(set(looks.values())) < len(tokens):
            referred = self.signatures(table)
            if referred:
                return tuple(
                    sorted(tokens, key=lambda token: (looks[token], referred.get(token, ())))
                )
        return tuple(sorted(tokens, key=looks.__getitem__))

    def in_order(self, table: Table, tokens: tuple[int, ...]) -> tuple[int, ...]:
        """Tokens wherever they are, by place and within each in its canonical order."""
        if len(tokens) < 2:
            return tokens
        wanted = frozenset(tokens)
        places = sorted({table.place[token] for token in tokens})
        return tuple(
            token
            for place in places
            for token in self.contents(table, self.statics.graph.places[place])
            if token in wanted
        )

    def listed(self, table: Table, tokens: list[int]) -> list[int]:
        """The same as a list."""
        return list(self.in_order(table, tuple(tokens)))


def _flat(value: Value) -> tuple[int, ...]:
    if value is None:
        return ()
    if isinstance(value, int):
        return (value,)
    return tuple(token for part in value for token in _flat(part))
