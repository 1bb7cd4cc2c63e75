"""Who sees a token where it lies.

Face up, everybody does; face down, those that the place's `seen by` names now.  This is sight, not
memory: what a seat has seen before is `knowledge`.
"""

from attrs import define

from compiler.graph.core import Term, Value, Variable
from compiler.ops.row import Undefined
from ruleengine.closures import Closure
from ruleengine.errors import Fault, RuleError
from ruleengine.statics import Statics
from ruleengine.table import UNRESOLVED, Table
from ruleengine.terms import Terms


@define(eq=False)
class Sight:
    """Answers in masks: seats are bits 0 and up; an observer mask has the public's bit above."""

    statics: Statics
    _viewers: tuple[Closure | None, ...]  # per place
    _readers: dict[int, Closure]  # per slot that not everybody may read

    @classmethod
    def of(cls, terms: Terms) -> "Sight":
        """That of a graph."""
        places = terms.statics.graph.places
        viewers = tuple(
            None if place.viewers is None else terms.closed(place.viewers) for place in places
        )
        readers = {}
        for variable, slots in terms.statics.slots.items():
            for member, reader in enumerate(variable.readers):
                if reader is not None:
                    closure = _reader(terms, reader, variable, member)
                    for first in slots.banks():
                        readers[first + member] = closure
        return cls(terms.statics, viewers, readers)

    def viewers(self, table: Table, place: int) -> int:
        """The mask of the seats that see what lies face down in a place."""
        closure = self._viewers[place]
        return 0 if closure is None else self._mask(closure, table)

    def readers(self, table: Table, slot: int) -> int:
        """The mask of the seats that may read a slot of `Table.values`."""
        closure = self._readers.get(slot)
        return self.statics.everyone if closure is None else self._mask(closure, table)

    def sees(self, table: Table, token: int) -> int:
        """The mask of the observers that see a token's face where it lies.

        Nobody, as long as it has none: what is shuffled openly gets its kinds one by one.
        """
        return 0 if table.kind[token] == UNRESOLVED else self.watches(table, token)

    def watches(self, table: Table, token: int) -> int:
        """The mask of the observers that see whatever face a token has, or gets, where it lies."""
        if table.face[token]:
            return self.observers(self.statics.everyone)
        return self.observers(self.viewers(table, table.place[token]))

    def observers(self, seats: int) -> int:
        """A mask of seats with the public added if it is all of them."""
        everyone = self.statics.everyone
        return seats | everyone + 1 if seats == everyone else seats

    def visible_unresolved(self, table: Table, places: tuple[int, ...] | None = None) -> list[int]:
        """The tokens without a kind that somebody sees, in place order; only in these `places`."""
        found = []
        for place in range(len(table.cells)) if places is None else places:
            hidden = [token for token in table.cells[place] if table.kind[token] == UNRESOLVED]
            if hidden:
                seen = self.viewers(table, place)
                found += [token for token in hidden if seen or table.face[token]]
        return found

    def _mask(self, closure: Closure, table: Table) -> int:
        try:
            value: Value = closure(table)
        except Undefined as undefined:
            raise RuleError(f"who may see this is not defined: {undefined}") from undefined
        except Fault as fault:
            raise RuleError(fault.message, span=fault.span) from fault
        if isinstance(value, int):
            return 1 << value
        seats = value if isinstance(value, tuple) else ()
        mask = 0
        for seat in seats:
            if isinstance(seat, int):
                mask |= 1 << seat
        return mask


def _reader(terms: Terms, reader: Term, variable: Variable, member: int) -> Closure:
    """Who may read one member; the term may use the member's keys as `Bound` 0, 1, …"""
    scope = terms.scope()
    keys = terms.statics.key_tuples[variable][member]
    scope.env.extend(keys)
    return scope.term(reader)
