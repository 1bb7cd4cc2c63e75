"""What every observer has observed: one entry for each event that he heard of or that he saw.

An entry is a line of text: what was said and done as he may hear it, and what looks different to
him now.  What he hears nothing of and what changes nothing in his sight leaves no entry.  The log
is made from sight alone, never from `looked`, `knows` or `facts`, so that the two check each
other.  Equal logs mean that a seat cannot tell two games apart.
"""

from collections.abc import Sequence

from attrs import define, evolve, field

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
    _saw: dict[int, int] = field(factory=dict, init=False)  # tokens that move: seen by, before
    _read: list[dict[int, str]] = field(factory=list, init=False)  # variables before, as read

    @classmethod
    def of(cls, hearing: Hearing, table: Table) -> "Log":
        """A log that begins with what everybody sees at a table."""
        log = cls(hearing, [], [])
        for observer in hearing.observers:
            places = range(len(table.cells))
            sights = {place: hearing.place(table, place, observer) for place in places}
            lines = [sights[place] for place in places if table.cells[place]]
            lines += hearing.variables(table, hearing.game_slots, observer).values()
            log.entries.append(["begin | " + " | ".join(lines)])
            log._sights.append(sights)
        return log

    def copy(self) -> "Log":
        """An independent log of the same past."""
        return evolve(
            self,
            entries=[entries[:] for entries in self.entries],
            sights=[sights.copy() for sights in self._sights],
        )

    def before(self, table: Table, event: Event, places: tuple[int, ...]) -> None:  # noqa: ARG002
        """Keeps what may look different afterwards, though nothing is heard of it."""
        hearing = self.hearing
        if isinstance(event, Moved):
            self._saw = {token: hearing.sight.sees(table, token) for token in event.tokens}
        watched = hearing.watched(table, event)
        self._read = [hearing.variables(table, watched, who) for who in hearing.observers]

    def after(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """Adds an entry for everybody who heard or saw something."""
        hearing = self.hearing
        concerned = tuple(dict.fromkeys((*hearing.concerned(table, event), *places)))
        watched = hearing.watched(table, event)
        for observer, entries in enumerate(self.entries):
            heard = hearing.label(table, event, observer, self._saw)
            changes = self._changes(table, observer, concerned, watched)
            if heard or changes:
                entries.append(" | ".join([heard, *changes]))

    def _changes(
        self, table: Table, observer: int, concerned: Sequence[int], watched: Sequence[int]
    ) -> list[str]:
        """How places, then variables look now, where they look different from before."""
        hearing, sights = self.hearing, self._sights[observer]
        changes = []
        for place in concerned:
            now = hearing.place(table, place, observer)
            if now != sights[place]:
                sights[place] = now
                changes.append(now)
        before = self._read[observer]
        after = hearing.variables(table, watched, observer)
        changes += [line for slot, line in after.items() if before.get(slot) != line]
        changes += [f"{hearing.words.slot(slot)} is hidden" for slot in before if slot not in after]
        return changes


def information_state(log: Log, seat: int) -> str:
    """All that a seat has observed: equal for two games exactly if it cannot tell them apart."""
    return "\n".join(log.entries[seat])
