"""What one observer hears of an event, and how places and variables look to him, as text.

Tokens are called by their face if the observer sees it, otherwise by where they lie.  Others hear
of a choice which option was taken and with what, but not an order that was chosen.  Nothing is read
here that the observer does not see at the time.
"""

from collections.abc import Iterable
from typing import assert_never

from attrs import define

from compiler.graph.core import Choose, DomainMode, Shape, Value, Variable
from compiler.types import ListOf, Type, has_tokens, present
from ruleengine.knowledge.describe import spelled
from ruleengine.knowledge.protocol import (
    Asked,
    Assigned,
    Chosen,
    Ended,
    Event,
    Flagged,
    Moved,
    Picked,
    Revealed,
    Rolled,
    Shown,
    Shuffled,
    Taken,
    Turned,
    Unsealed,
)
from ruleengine.knowledge.shown import ShownMoves
from ruleengine.knowledge.view import Viewer
from ruleengine.knowledge.words import HIDDEN, Words, counted, outcome, seat
from ruleengine.sight import Sight
from ruleengine.statics import Statics
from ruleengine.stops import Choice
from ruleengine.table import Table
from ruleengine.terms import Terms


@define(eq=False)
class Hearing:
    """Words for the events of one graph."""

    statics: Statics
    sight: Sight
    viewer: Viewer
    words: Words
    _shown: ShownMoves
    game_slots: frozenset[int]
    changeable: frozenset[int]  # game slots that may look different though nobody wrote them

    @classmethod
    def of(cls, terms: Terms, sight: Sight) -> "Hearing":
        """That of a graph."""
        viewer = Viewer.of(terms, sight)
        game: list[int] = []
        changeable: set[int] = set()
        for variable in terms.statics.graph.variables:
            first = terms.statics.offset(variable)
            slots = range(first, first + variable.size)
            game += slots
            if has_tokens(variable.type) or any(variable.readers):
                changeable.update(slots)
        shown = ShownMoves.of(terms)
        return cls(
            terms.statics,
            sight,
            viewer,
            viewer.words,
            shown,
            frozenset(game),
            frozenset(changeable),
        )

    @property
    def observers(self) -> range:
        """The seats, then the public."""
        return range(self.statics.public + 1)

    # ---- how things look

    def place(self, table: Table, place: int, observer: int) -> str:
        """A place as an observer sees it: `deck: ? ×3`, `hand[A]: K, (Q)` with Q face down."""
        looks = [self._look(table, token, observer) for token in table.cells[place]]
        if self.statics.graph.places[place].shape is Shape.SET:
            looks.sort()
        return f"{self.words.place(place)}: {counted(looks) or 'empty'}"

    def variables(self, table: Table, slots: Iterable[int], observer: int) -> dict[int, str]:
        """Those of these slots that an observer may read, as `stake[A] = 2`."""
        return {
            slot: self._given(table, slot, observer)
            for slot in sorted(slots)
            if self._reads(table, slot, observer)
        }

    def watched(self, table: Table, event: Event) -> tuple[int, ...]:
        """The game's variables that may look different though the event does not write them.

        What will not be read any more is not looked at: nothing may depend on it.
        """
        if not self.changeable:
            return ()
        written = _written(event)
        live = self.viewer.references.live(table)
        return tuple(slot for slot in live if slot in self.changeable and slot not in written)

    def concerned(self, table: Table, event: Event) -> tuple[int, ...]:
        """The places that an event changes."""
        match event:
            case Moved(sources=sources, target=target):
                return (*sources, target)
            case Turned(tokens=tokens) | Flagged(tokens=tokens):
                return tuple(table.place[token] for token in tokens)
            case Shuffled(place=place):
                return (place,)
            case Revealed(token=token):
                return (table.place[token],)
            case _:
                return ()

    # ---- what is heard

    def choice(self, table: Table, choice: Choice, observer: int) -> str:
        """A choice as an observer would hear it, on the table it is offered on."""
        return self._chosen(table, choice.node, choice.seat, choice.option, choice.values, observer)

    def label(self, table: Table, event: Event, observer: int, saw: dict[int, int]) -> str:
        """What an observer hears of an event; empty if nothing.

        `saw` are the masks of those who saw tokens that moved where they lay before.
        """
        match event:
            case Moved():
                return self._moved(table, event, observer, saw)
            case Turned(tokens=tokens, up=up):
                return (
                    f"turned face {'up' if up else 'down'}: {self._tokens(table, tokens, observer)}"
                )
            case Shown():
                return self._shown_to(table, event, observer)
            case Shuffled(place=place):
                return f"shuffled {self.words.place(place)}"
            case Rolled(slots=slots):
                return "rolled " + ", ".join(self._heard(table, slot, observer) for slot in slots)
            case Picked(slot=slot):
                return "picked " + self._heard(table, slot, observer)
            case Asked():
                return self._asked(table, event, observer)
            case Chosen(node, chooser, option, values, sealed):
                if sealed and chooser != observer:
                    return ""
                return self._chosen(table, node, chooser, option, values, observer)
            case Unsealed():
                return self._unsealed(table, event, observer)
            case Ended():
                return self._ended(table)
            case Assigned(slot=slot) if slot in self.game_slots:
                return (
                    self._given(table, slot, observer) if self._reads(table, slot, observer) else ""
                )
            case Flagged() | Revealed() | Taken() | Assigned():
                return ""
            case _:
                assert_never(event)

    def _moved(self, table: Table, event: Moved, observer: int, saw: dict[int, int]) -> str:
        """From where to where, as what, and who saw it.

        Which of several tokens that come to a set is which is told only to who saw them before.
        """
        if not event.tokens:
            return ""
        into_set = self.statics.graph.places[event.target].shape is Shape.SET
        arranged = event.arranged and len(event.tokens) > 1
        in_order = not arranged or event.arranger == observer
        shown = self._shown.observers(event.node, table, self.sight)
        parts = []
        for token, source, position in zip(
            event.tokens, event.sources, event.positions, strict=True
        ):
            before, now = saw[token] | shown, self.sight.sees(table, token)
            seen = before if into_set or not in_order else before | now
            face = self._face(table, token, bool(seen >> observer & 1))
            audience = self.words.observers(before | now)
            spot = self.words.spot(source, position + 1)
            parts.append((source, position, f"{spot}: {face} seen by {audience}"))
        if not in_order:
            parts.sort()
        lines = [line for _, _, line in parts]
        if into_set:
            to = self.words.place(event.target)
            lines.sort()
        else:
            to = self.words.spot(event.target, table.cells[event.target].index(event.tokens[0]) + 1)
        how = " in a secret order" if arranged else ""
        return f"to {to}{how}: {counted(lines)}"

    def _shown_to(self, table: Table, event: Shown, observer: int) -> str:
        """Everybody hears who looked at what; the watchers hear the face."""
        if not event.tokens:
            return ""
        seats = self.statics.everyone if event.everybody else event.seats
        watchers = self.sight.observers(seats)
        told = bool(watchers >> observer & 1)
        faces = self._tokens(table, event.tokens, observer, told)
        return f"shown to {self.words.observers(watchers)}: {faces}"

    def _ended(self, table: Table) -> str:
        result = self.viewer.result(table)
        return "end" if result is None else f"end {outcome(*result)}"

    def _asked(self, table: Table, event: Asked, observer: int) -> str:
        """Who is asked, where the game is, and what locals and references to tokens hold now."""
        who = ", ".join(seat(number) for number in event.seats)
        frames = "".join(f" < {frame}" for frame in reversed(table.stack))
        trigger = f" in a trigger, {table.fired} waiting" if table.in_trigger else ""
        title = self.statics.graph.nodes[event.node].title
        lines = [f"{who} to choose “{title}” at {event.node}{frames}{trigger}"]
        values, referring = self.viewer.variables(table, observer)
        for slot, value in values:
            if slot not in self.game_slots or slot in self.changeable:
                lines.append(f"{self.words.slot(slot)} = {spelled(self.words, slot, value)}")
        for place in sorted({table.place[token] for token in referring}):
            for heap in self.viewer.place(table, place, observer, referring).heaps:
                if heap.references:
                    face = self.words.sort(heap.token_class, heap.sort)
                    names = " and ".join(self._reference(*mark) for mark in heap.references)
                    lines.append(f"{self.words.place(place)} {face} ×{heap.count} is {names}")
        return "; ".join(lines)

    def _chosen(
        self,
        table: Table,
        node: int,
        chooser: int,
        position: int | None,
        values: tuple[Value, ...],
        observer: int,
    ) -> str:
        """A choice in full for its seat; for others without an order that was chosen."""
        step = self.statics.graph.nodes[node].step
        if position is None or not isinstance(step, Choose):
            return f"{seat(chooser)}: decline"
        option = step.options[position]
        parts = [f"{seat(chooser)}: {option.name}"]
        for slot, value in zip(option.slots, values, strict=True):
            if slot.domain.mode is DomainMode.ORDERS and chooser != observer:
                parts.append("in a secret order")
            else:
                parts.append(self._value(table, slot.local.type, value, observer))
        return " ".join(parts)

    def _unsealed(self, table: Table, event: Unsealed, observer: int) -> str:
        """All picks of a joint decision, in seat order."""
        step = self.statics.graph.nodes[event.node].step
        if not isinstance(step, Choose) or step.picked is None:
            return ""
        parts = []
        for chooser in event.seats:
            picked = self._member(table, step.picked, chooser)
            option = picked - 1 if isinstance(picked, int) and picked > 0 else None
            if option is not None and option >= len(step.options):
                option = None
            values: tuple[Value, ...] = ()
            if option is not None:
                slots = step.options[option].slots
                values = tuple(self._member(table, slot.local, chooser) for slot in slots)
            parts.append(self._chosen(table, event.node, chooser, option, values, observer))
        return "; ".join(parts)

    def _member(self, table: Table, variable: Variable, chooser: int) -> Value:
        slot = self.statics.slots[variable].at((chooser,), table.in_trigger)
        return None if slot is None else table.values[slot]

    # ---- tokens and values

    def _face(self, table: Table, token: int, seen: bool) -> str:
        sort = self.statics.sort(table, token) if seen else None
        return self.words.sort(self.statics.token_class[token], sort)

    def _sees(self, table: Table, token: int, observer: int) -> bool:
        return bool(self.sight.sees(table, token) >> observer & 1)

    def _look(self, table: Table, token: int, observer: int) -> str:
        seen = self._sees(table, token, observer)
        face = self._face(table, token, seen)
        class_index = self.statics.token_class[token]
        flags = self.words.flags(table.flags[token] & ~self.statics.sticky[class_index])
        return f"({face}{flags})" if seen and not table.face[token] else f"{face}{flags}"

    def _at(self, table: Table, token: int) -> str:
        place = table.place[token]
        return self.words.spot(place, table.cells[place].index(token) + 1)

    def _tokens(
        self, table: Table, tokens: tuple[int, ...], observer: int, told: bool = False
    ) -> str:
        """Tokens where they lie, each with its face if it is told or seen."""
        found = sorted(
            f"{self._at(table, token)}: "
            + self._face(table, token, told or self._sees(table, token, observer))
            for token in tokens
        )
        return counted(found)

    def _reads(self, table: Table, slot: int, observer: int) -> bool:
        return bool(self.sight.observers(self.sight.readers(table, slot)) >> observer & 1)

    def _given(self, table: Table, slot: int, observer: int) -> str:
        type_ = self.words.type(slot)
        return (
            f"{self.words.slot(slot)} = {self._value(table, type_, table.values[slot], observer)}"
        )

    def _heard(self, table: Table, slot: int, observer: int) -> str:
        if self._reads(table, slot, observer):
            return self._given(table, slot, observer)
        return f"{self.words.slot(slot)} = {HIDDEN}"

    def _value(self, table: Table, type_: Type, value: Value, observer: int) -> str:
        """A value as an observer may hear it."""
        if value is None or not has_tokens(type_):
            return self.words.value(type_, value)
        if isinstance(value, int):
            seen = self._sees(table, value, observer)
            return f"{self._at(table, value)} {self._face(table, value, seen)}"
        parts = [self._value(table, type_, part, observer) for part in value]
        if not isinstance(present(type_), ListOf):
            parts.sort()
        return f"[{', '.join(parts)}]"

    def _reference(self, slot: int, position: int) -> str:
        name = self.words.slot(slot)
        return f"{name} {position}" if position else name


def _written(event: Event) -> tuple[int, ...]:
    """The slots of variables whose new value is part of an event."""
    match event:
        case Assigned(slot=slot) | Picked(slot=slot):
            return (slot,)
        case Rolled(slots=slots):
            return slots
        case _:
            return ()
