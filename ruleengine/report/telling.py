"""What happens in a game, told in plain words to each seat and to the referee.

A seat is told what it hears and sees at that moment, and nothing else: two games that it cannot
tell apart are told to it in the same words.  The referee is told all that is settled.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, assert_never

from attrs import define, field, frozen

from compiler.graph.core import Clauses, Shape
from compiler.graph.values import seat_text
from ruleengine.knowledge.hearing import Hearing
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
from ruleengine.knowledge.words import HIDDEN
from ruleengine.table import UNRESOLVED, Table

_LISTED: Final = 8  # different cards of one move that are named


@frozen
class Line:
    """Something that happened: the step of the rules it is part of, and what each is told of it.

    `words` are those for each seat, then for the referee; empty for who hears nothing.
    """

    title: str
    clauses: Clauses
    words: tuple[str, ...]


@define(eq=False)
class Telling:
    """Tells events; an observer of a game.

    `tell` gets every line as it is told, and the event that it is about.
    """

    hearing: Hearing
    tell: Callable[[Line, Event], None]
    _saw: dict[int, int] = field(factory=dict, init=False)  # tokens that move: seen by, before

    @property
    def referee(self) -> int:
        """The position of the referee's words: behind those of the seats."""
        return self.hearing.statics.graph.seats

    def before(self, table: Table, event: Event, places: tuple[int, ...]) -> None:  # noqa: ARG002
        """Keeps who sees the tokens that are about to move."""
        if isinstance(event, Moved):
            sight = self.hearing.sight
            self._saw = {token: sight.sees(table, token) for token in event.tokens}

    def after(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """Tells the event, if there is anything to tell."""
        words = tuple(self._words(table, event, places, who) for who in range(self.referee + 1))
        if any(words):
            node = self.hearing.statics.graph.nodes[event.node]
            title, clauses = node.title, node.clauses
            if node.named is not None:
                step = self.hearing.statics.graph.named[node.named]
                title, clauses = title or step.title, (*step.clauses, *clauses)
            self.tell(Line(title, tuple(dict.fromkeys(clauses)), words), event)

    # ---- words

    def _words(self, table: Table, event: Event, places: tuple[int, ...], who: int) -> str:
        """What somebody is told of an event."""
        label = self.hearing.words
        match event:
            case Moved():
                return self._moved(table, event, who, bool(places))
            case Turned(tokens=tokens, up=up):
                return f"face {'up' if up else 'down'}: {self._spots(table, tokens, who)}"
            case Shown(tokens=tokens, seats=seats, everybody=everybody):
                shown = label.statics.everyone if everybody else seats
                told = bool(shown >> who & 1)
                spots = self._spots(table, tokens, who, told)
                return f"shown to {_seats(shown, self.referee)}: {spots}" if tokens else ""
            case Shuffled(place=place):
                return f"{label.place(place)} shuffled"
            case Rolled(slots=slots):
                return ", ".join(self._slot(table, slot, who) for slot in slots)
            case Picked(slot=slot):
                return self._slot(table, slot, who)
            case Unsealed():
                return self.hearing.label(table, event, who, {})
            case Flagged() | Revealed() | Taken() | Assigned() | Asked() | Chosen() | Ended():
                return ""
            case _:
                assert_never(event)

    def _moved(self, table: Table, event: Moved, who: int, sight_changes: bool) -> str:
        """From where to where, and which cards as far as he can tell."""
        if not event.tokens:
            return ""
        label = self.hearing.words
        sources = ", ".join(label.place(source) for source in sorted(set(event.sources)))
        seen = [token for token in event.tokens if self._follows(table, token, who, sight_changes)]
        faces = sorted(self._face(table, token, True) for token in seen)
        cards = _listed([*faces, *[HIDDEN] * (len(event.tokens) - len(seen))])
        if not seen or len(set(faces)) > _LISTED:
            cards = self._number(event.tokens)
        secret = event.arranged and len(event.tokens) > 1
        how = " in a secret order" if secret and event.arranger != who else ""
        return f"{sources} → {label.place(event.target)}{how}: {cards}"

    def _follows(self, table: Table, token: int, who: int, sight_changes: bool) -> bool:
        """Whether somebody saw the face before a move or sees it after.

        Where the move changes who may look, a card that appears in a set may be another one.
        """
        if who == self.referee:
            return table.kind[token] != UNRESOLVED
        now = self.hearing.sight.sees(table, token)
        place = self.hearing.statics.graph.places[table.place[token]]
        if sight_changes and place.shape is Shape.SET:
            now = 0
        return bool((self._saw[token] | now) >> who & 1)

    def _number(self, tokens: Sequence[int]) -> str:
        statics = self.hearing.statics
        is_card = statics.graph.classes[statics.token_class[tokens[0]]].is_card
        return f"{len(tokens)} {'card' if is_card else 'piece'}{'s' if len(tokens) > 1 else ''}"

    def _spots(self, table: Table, tokens: Iterable[int], who: int, told: bool = False) -> str:
        """Tokens where they lie, with their faces as far as they are told or seen."""
        found = []
        for token in tokens:
            place = table.place[token]
            spot = self.hearing.words.spot(place, table.cells[place].index(token) + 1)
            known = told or who == self.referee or self._sees(table, token, who)
            settled = known and table.kind[token] != UNRESOLVED
            found.append(f"{spot} {self._face(table, token, settled)}")
        return _listed(sorted(found))

    def _sees(self, table: Table, token: int, who: int) -> bool:
        return bool(self.hearing.sight.sees(table, token) >> who & 1)

    def _face(self, table: Table, token: int, seen: bool) -> str:
        statics = self.hearing.statics
        sort = statics.sort(table, token) if seen else None
        return self.hearing.words.sort(statics.token_class[token], sort)

    def _slot(self, table: Table, slot: int, who: int) -> str:
        """A variable that chance has set."""
        words = self.hearing.words
        readers = self.hearing.sight.readers(table, slot)
        if who != self.referee and not readers >> who & 1:
            return f"{words.slot(slot)} {HIDDEN}"
        return f"{words.slot(slot)} {words.value(words.type(slot), table.values[slot])}"


def _seats(mask: int, seats: int) -> str:
    if mask & (1 << seats) - 1 == (1 << seats) - 1:
        return "everybody"
    names = [seat_text(seat) for seat in range(seats) if mask >> seat & 1]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "nobody"


def _listed(words: Sequence[str]) -> str:
    """Words with equal ones counted, in the order of their first."""
    return ", ".join(
        word if count == 1 else f"{word} ×{count}" for word, count in Counter(words).items()
    )
