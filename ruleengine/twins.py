"""Which tokens, and values made of them, are one and the same to somebody.

Two tokens of one set are one choice if they look alike to whoever chooses: the kind if it can be
seen, the face, the flags, and what refers to them.  Cells of a row are told apart by their places.
"""

from collections.abc import Callable
from typing import TypeAlias

from attrs import define

from compiler.graph.core import Shape, Value
from ruleengine.references import References
from ruleengine.sight import Sight
from ruleengine.statics import Statics
from ruleengine.table import Table

Look: TypeAlias = tuple[int, ...]
"""What distinguishes a token; equal for twins."""

Looks: TypeAlias = Callable[[int], Look]


@define(eq=False)
class Twins:
    """Tells twins of one graph."""

    statics: Statics
    references: References
    sight: Sight

    def to_seat(self, table: Table, seat: int, without: frozenset[int] = frozenset()) -> Looks:
        """What a seat can tell apart now; references from the slots `without` do not count."""
        shapes = self.statics.graph.places
        referred = self._signatures(table, without)

        def look(token: int) -> Look:
            place = table.place[token]
            if shapes[place].shape is not Shape.SET:
                return (token,)
            marks = referred.get(token, ())
            if self.sees(table, token, seat):
                return (place, 0, self.references.look(table, token), *marks)
            return (place, 1, *self._back(table, token), *marks)

        return look

    def to_chance(self, table: Table, without: frozenset[int] = frozenset()) -> Looks:
        """What the table itself tells apart."""
        places = self.statics.graph.places
        referred = self._signatures(table, without)

        def look(token: int) -> Look:
            place = table.place[token]
            if places[place].shape is not Shape.SET:
                return (token,)
            return (place, self.references.look(table, token), *referred.get(token, ()))

        return look

    def sees(self, table: Table, token: int, seat: int) -> bool:
        """Whether a seat sees a token's face where it lies."""
        return table.face[token] or bool(self.sight.viewers(table, table.place[token]) >> seat & 1)

    def presented(
        self, table: Table, members: tuple[Value, ...], seat: int, looks: Looks
    ) -> tuple[Value, ...]:
        """Tokens as a domain offers them: in each set, what the seat cannot see comes last.

        The order in which a set lists hidden tokens follows their kinds, and would tell them.
        """
        hidden: dict[int, list[int]] = {}
        spots: dict[int, list[int]] = {}
        places = self.statics.graph.places
        for position, token in enumerate(members):
            if not isinstance(token, int):
                continue
            place = table.place[token]
            if places[place].shape is Shape.SET:
                spots.setdefault(place, []).append(position)
                if not self.sees(table, token, seat):
                    hidden.setdefault(place, []).append(token)
        if not hidden:
            return members
        arranged = list(members)
        for place, unseen in hidden.items():
            last = frozenset(unseen)
            seen = [members[at] for at in spots[place] if members[at] not in last]
            for at, token in zip(spots[place], (*seen, *sorted(unseen, key=looks)), strict=True):
                arranged[at] = token
        return tuple(arranged)

    def _back(self, table: Table, token: int) -> tuple[int, int]:
        """What shows of a token whose face is hidden: how it lies, and its flags."""
        return (not table.face[token], self.statics.open_flags(table, token))

    def _signatures(self, table: Table, without: frozenset[int]) -> dict[int, Look]:
        referred = self.references.signatures(table)
        if not without:
            return referred
        return {
            token: tuple(mark for mark in marks if mark >> 16 not in without)
            for token, marks in referred.items()
        }


def key_of(value: Value, looks: Looks) -> Value:
    """A value with every token in it replaced by its look."""
    if isinstance(value, tuple):
        return tuple(key_of(part, looks) for part in value)
    return None if value is None else looks(value)
