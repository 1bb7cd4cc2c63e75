"""What every observer has observed: one entry for each event that he heard of or that he saw.

An entry is a line of text: what was said and done as he may hear it, and what looks different to
him now.  What he hears nothing of and what changes nothing in his sight leaves no entry.  The log
is made from sight alone, never from `looked`, `knows` or `facts`, so that the two check each
other.  Equal logs mean that a seat cannot tell two games apart.
"""

from collections.abc import Sequence

from attrs import define, evolve, field

from compiler.graph.core import Value
from ruleengine.knowledge.hearing import Hearing
from ruleengine.knowledge.protocol import Event, Moved, Observer
from ruleengine.table import Table


@define(eq=False)
class Observers:
    """Passes every event on to several observers in turn."""

    observers: tuple[Observer, ...]

    def before(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """The event is about to happen."""
        for observer in self.observers:
            observer.before(table, event, places)

    def after(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """The event has happened."""
        for observer in self.observers:
            observer.after(table, event, places)


@define(eq=False)
class Log:
    """The entries of one game so far, for each seat and the public; an observer of its events."""

    hearing: Hearing
    entries: list[list[str]]  # per observer
    _sights: list[dict[int, str]]  # per observer: how each place looked last
    _values: list[dict[int, str]]  # per observer: the game's variables that he may read
    _raw: list[Value]  # the game's variables as they were last
    _saw: dict[int, int] = field(factory=dict, init=False)  # tokens that move: seen by, before

    @classmethod
    def of(cls, hearing: Hearing, table: Table) -> "Log":
        """A log that begins with what everybody sees at a table."""
        log = cls(hearing, [], [], [], hearing.raw(table))
        for observer in range(hearing.statics.public + 1):
            places = range(len(table.cells))
            sights = {place: hearing.place(table, place, observer) for place in places}
            values = hearing.variables(table, hearing.game_slots, observer)
            lines = [*(sights[place] for place in places if table.cells[place]), *values.values()]
            log.entries.append(["begin | " + " | ".join(lines)])
            log._sights.append(sights)
            log._values.append(values)
        return log

    def copy(self) -> "Log":
        """An independent log of the same past."""
        return evolve(
            self,
            entries=[entries[:] for entries in self.entries],
            sights=[sights.copy() for sights in self._sights],
            values=[values.copy() for values in self._values],
            raw=self._raw[:],
        )

    def before(self, table: Table, event: Event, places: tuple[int, ...]) -> None:  # noqa: ARG002
        """Keeps who sees the tokens that are about to move."""
        if isinstance(event, Moved):
            sight = self.hearing.sight
            self._saw = {token: sight.sees(table, token) for token in event.tokens}

    def after(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """Adds an entry for everybody who heard or saw something."""
        hearing = self.hearing
        concerned = tuple(dict.fromkeys((*hearing.concerned(table, event), *places)))
        raw = hearing.raw(table)
        slots = [
            slot
            for slot, now, then in zip(hearing.game_slots, raw, self._raw, strict=True)
            if now != then or slot in hearing.changeable
        ]
        self._raw = raw
        for observer, entries in enumerate(self.entries):
            heard = hearing.label(table, event, observer, self._saw)
            changes = self._changes(table, observer, concerned, slots)
            if heard or changes:
                entries.append(" | ".join([heard, *changes]))

    def _changes(
        self, table: Table, observer: int, concerned: Sequence[int], slots: Sequence[int]
    ) -> list[str]:
        """How places, then variables look now, where they look different from before."""
        hearing, sights, values = self.hearing, self._sights[observer], self._values[observer]
        changes = []
        for place in concerned:
            now = hearing.place(table, place, observer)
            if now != sights[place]:
                sights[place] = now
                changes.append(now)
        read = hearing.variables(table, slots, observer)
        for slot in slots:
            if slot not in read and slot in values:
                del values[slot]
                changes.append(f"{hearing.words.slot(slot)} is hidden")
            elif slot in read and values.get(slot) != read[slot]:
                values[slot] = read[slot]
                changes.append(read[slot])
        return changes


def information_state(log: Log, seat: int) -> str:
    """All that a seat has observed: equal for two games exactly if it cannot tell them apart."""
    return "\n".join(log.entries[seat])
