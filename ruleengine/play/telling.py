"""What happens at the table in sentences, for every seat, the public and the referee.

A seat is told what it hears and sees, as in its log: tokens it cannot see are called by where they
lie, or counted.  The referee is told every face that is settled.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from attrs import define, evolve, field, frozen

from compiler.graph.core import (
    Choose,
    Clauses,
    DomainMode,
    Graph,
    Node,
    Option,
    Shape,
    Value,
    Variable,
)
from compiler.graph.naming import listed, spoken
from compiler.graph.values import ValueWords, seat_text
from compiler.types import Type, has_tokens
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
from ruleengine.play.lines import counted
from ruleengine.play.names import Names, ordinal, seats_text
from ruleengine.sight import Sight
from ruleengine.statics import Statics
from ruleengine.table import UNRESOLVED, Table

ANONYMOUS: Final = "choose"
"""The name of the one option of a decision without named ones."""

_NAMED: Final = 8  # tokens of one move that are named one by one


@frozen
class Told:
    """A sentence about what happened, and the clauses of the step that did it.

    `minor` if it only says what a variable is now, which a look at the table tells as well.
    """

    text: str
    clauses: Clauses
    minor: bool = False


@define(eq=False)
class Telling:
    """An observer of a game that keeps what everybody is told."""

    statics: Statics
    sight: Sight
    names: Names
    _told: list[list[Told]] = field(init=False)
    saw: dict[int, int] = field(factory=dict, init=False)  # tokens of an event: seen by, before
    was: Value = field(default=None, init=False)  # what a variable was that is being set

    def __attrs_post_init__(self) -> None:
        self._told = [[] for _ in range(self.referee + 1)]

    @property
    def referee(self) -> int:
        """The number of the observer who is told everything."""
        return self.statics.public + 1

    def take(self) -> tuple[tuple[Told, ...], ...]:
        """What was told since it was last asked, for each seat, the public, the referee."""
        taken = tuple(map(tuple, self._told))
        self._told = [[] for _ in taken]
        return taken

    # ---- being told

    def before(self, table: Table, event: Event, places: tuple[int, ...]) -> None:  # noqa: ARG002
        """Keeps who sees the tokens concerned, and what a variable was."""
        self.saw = {}
        match event:
            case Moved(tokens=tokens) | Turned(tokens=tokens):
                self.saw = {token: self.seen_by(table, token) for token in tokens}
            case Assigned(slot=slot):
                self.was = table.values[slot]
            case _:
                pass

    def after(self, table: Table, event: Event, places: tuple[int, ...]) -> None:  # noqa: ARG002
        """Tells everybody what he heard or saw of it."""
        clauses = clauses_of(self.statics.graph.nodes[event.node], self.statics.graph)
        for observer, told in enumerate(self._told):
            text = _Sentences(self, table, observer).of(event)
            if text:
                told.append(Told(text, self._cited(event, clauses), self._is_minor(event)))

    def _is_minor(self, event: Event) -> bool:
        """Whether an event only sets a variable, other than who is in the game."""
        graph = self.statics.graph
        match event:
            case Assigned(slot=slot):
                return self.names.variable(slot)[0] is not graph.players
            case _:
                return False

    def _cited(self, event: Event, clauses: Clauses) -> Clauses:
        """For a choice also what its option cites."""
        match event, self.statics.graph.nodes[event.node].step:
            case Chosen(option=int() as position), Choose(options=options):
                return tuple(dict.fromkeys((*options[position].clauses, *clauses)))
            case _:
                return clauses

    def seen_by(self, table: Table, token: int) -> int:
        """The mask of the observers who see a token's face, the referee among them."""
        if table.kind[token] == UNRESOLVED:
            return 0
        return self.sight.sees(table, token) | 1 << self.referee


def clauses_of(node: Node, graph: Graph) -> Clauses:
    """What a step cites, itself or by the named steps around it."""
    cited = [*node.clauses]
    named = node.named
    while named is not None:
        step = graph.named[named]
        cited += step.clauses
        named = step.parent
    return tuple(dict.fromkeys(cited))


def question(node: Node, graph: Graph) -> str:
    """What a decision is called: its title, else that of the named step around it."""
    if node.title or node.named is None:
        return node.title
    return graph.named[node.named].title


def merged(told: Sequence[Told]) -> list[Told]:
    """Sentences with equal neighbours told once: `1 card from deck to drawn (2 times)`."""
    found: list[tuple[Told, int]] = []
    for one in told:
        if found and found[-1][0] == one:
            found[-1] = one, found[-1][1] + 1
        else:
            found.append((one, 1))
    return [
        one if count == 1 else evolve(one, text=f"{one.text} ({count} times)")
        for one, count in found
    ]


@define(eq=False)
class _Sentences:
    """What one observer is told of one event; nothing is read that he does not see."""

    telling: Telling
    table: Table
    observer: int

    @property
    def names(self) -> Names:
        """The names of the graph."""
        return self.telling.names

    def of(self, event: Event) -> str:
        """The sentence, empty if he is told nothing."""
        match event:
            case Moved():
                return self._moved(event)
            case Turned(tokens=tokens, up=up):
                side = "up" if up else "down"
                return f"{self._each(tokens)} turned face {side}" if tokens else ""
            case Flagged(tokens=tokens, flag=flag, on=on):
                return self._flagged(tokens, flag, on)
            case Shown():
                return self._shown(event)
            case Shuffled(place=place):
                return f"Shuffled: {self.names.place(place)}"
            case Revealed(token=token):
                return f"{self._each((token,))} comes to light"
            case Rolled(slots=slots):
                return f"Rolled: {', '.join(self._slot(slot) for slot in slots)}"
            case Picked(slot=slot):
                return f"By chance: {self._slot(slot)}"
            case Chosen():
                hidden = event.sealed and self.observer not in (event.seat, self.telling.referee)
                return "" if hidden else self._chosen(event)
            case Unsealed():
                return self._unsealed(event)
            case Assigned(slot=slot):
                return self._assigned(slot)
            case Ended():
                return "The game is over"
            case Asked() | Taken():
                return ""
            case _:
                assert_never(event)

    # ---- tokens

    def _is_seen(self, token: int) -> bool:
        return bool(self.telling.seen_by(self.table, token) >> self.observer & 1)

    def _saw(self, token: int) -> bool:
        return bool(self.telling.saw.get(token, 0) >> self.observer & 1)

    def _face(self, token: int) -> str:
        statics = self.telling.statics
        return self.names.words.sort(statics.token_class[token], statics.sort(self.table, token))

    def _class(self, token: int) -> int:
        return self.telling.statics.token_class[token]

    def _faces(self, tokens: Sequence[int], in_order: bool) -> str:
        """Faces that he sees: few by name, many by number."""
        if len(tokens) > _NAMED:
            return self.names.tokens(self._class(tokens[0]), len(tokens))
        ordered = tokens if in_order else sorted(tokens, key=self._rank)
        faces = ", ".join(counted([self._face(token) for token in ordered]))
        return f"{self._noun(tokens)} {faces}" if self._are_called_as_seats(tokens) else faces

    def _are_called_as_seats(self, tokens: Sequence[int]) -> bool:
        """Whether faces alone would read as if players moved: pieces of A that are called `A`."""
        seats = {seat_text(seat) for seat in range(self.names.graph.seats)}
        return any(self._face(token).partition(" ")[0] in seats for token in tokens)

    def _noun(self, tokens: Sequence[int]) -> str:
        """What tokens are: `piece`, of several `pieces`."""
        return self.names.tokens(self._class(tokens[0]), len(tokens)).partition(" ")[2]

    def _rank(self, token: int) -> int:
        return self.telling.statics.sort(self.table, token)

    def _spot(self, token: int) -> str:
        """Where a token lies: `the 2nd of drawn`, `a card of A's hand`."""
        index = self.table.place[token]
        place = self.names.graph.places[index]
        if place.shape is Shape.SET:
            return f"a {self.names.noun(self._class(token))} of {self.names.place(index)}"
        if place.shape is Shape.ONE:
            return f"the {self.names.noun(self._class(token))} of {self.names.place(index)}"
        at = self.table.cells[index].index(token) + 1
        return f"the {ordinal(at)} of {self.names.place(index)}"

    def _token(self, token: int) -> str:
        """A token by its face if he sees it, else by where it lies."""
        return self._face(token) if self._is_seen(token) else self._spot(token)

    def _each(self, tokens: Sequence[int]) -> str:
        """Tokens with their places: `7, 7 in A's collection`, `3 cards of B's spells`."""
        groups: dict[int, list[str]] = {}
        unseen: dict[str, list[int]] = {}
        for token in tokens:
            if self._is_seen(token) or self._saw(token):
                groups.setdefault(self.table.place[token], []).append(self._face(token))
            else:
                unseen.setdefault(self._spot(token), []).append(token)
        found = [
            f"{', '.join(counted(sorted(words)))} in {self.names.place(place)}"
            for place, words in groups.items()
        ]
        for spot, alike in unseen.items():
            several = self.names.tokens(self._class(alike[0]), len(alike))
            where = self.names.place(self.table.place[alike[0]])
            found.append(spot if len(alike) == 1 else f"{several} of {where}")
        return "; ".join(found)

    # ---- events about tokens

    def _moved(self, event: Moved) -> str:
        """What goes from where to where.

        Which of several tokens that come to a set is which is told only to who saw them before.
        """
        if not event.tokens:
            return ""
        groups: dict[int, list[int]] = {}
        for token, source in zip(event.tokens, event.sources, strict=True):
            groups.setdefault(source, []).append(token)
        in_order = not event.arranged or event.arranger == self.observer
        sources = list(groups) if in_order else sorted(groups)
        parts = [self._leaving(event, source, groups[source]) for source in sources]
        unseen = [token for token in event.tokens if not self._saw(token)]
        come = [token for token in unseen if self._is_seen(token)]
        secret = " in a secret order" if event.arranged and not in_order else ""
        said = f"{listed(parts)} to {self._target(event)}{secret}"
        if not come or len(come) > _NAMED:
            return said
        row = self.names.graph.places[event.target].shape is not Shape.SET
        return f"{said}: {self._faces(come, in_order and row)}"

    def _leaving(self, event: Moved, source: int, tokens: Sequence[int]) -> str:
        """What leaves one place: faces that were seen there, the rest by number."""
        known = [token for token in tokens if self._saw(token)]
        hidden = [token for token in tokens if not self._saw(token)]
        words = [self._faces(known, in_order=False)] if known else []
        if hidden:
            words.append(self._hidden(event, source, hidden))
        return f"{listed(words)} from {self.names.place(source)}"

    def _hidden(self, event: Moved, source: int, tokens: Sequence[int]) -> str:
        """Tokens whose faces were not seen; in a list one can tell which they were."""
        number = self.names.tokens(self._class(tokens[0]), len(tokens))
        if self.names.graph.places[source].shape is not Shape.LIST or len(tokens) > _NAMED:
            return number
        where = dict(zip(event.tokens, event.positions, strict=True))
        spots = sorted(where[token] + 1 for token in tokens)
        return f"{number} ({listed([ordinal(spot) for spot in spots])})"

    def _target(self, event: Moved) -> str:
        name = self.names.place(event.target)
        if self.names.graph.places[event.target].shape is not Shape.PILE:
            return name
        cells = self.table.cells[event.target]
        return name if cells[0] == event.tokens[0] else f"the bottom of {name}"

    def _flagged(self, tokens: Sequence[int], flag: int, on: bool) -> str:
        if not tokens:
            return ""
        statics = self.telling.statics
        name = next(name for name, bit in statics.flag_bits.items() if bit == flag)
        sticky = any(statics.sticky[self._class(token)] >> flag & 1 for token in tokens)
        if sticky and not all(map(self._is_seen, tokens)):
            return ""
        verb = "is" if len(tokens) == 1 else "are"
        return f"{self._each(tokens)} {verb if on else f'{verb} no longer'} {spoken(name)}"

    def _shown(self, event: Shown) -> str:
        if not event.tokens:
            return ""
        where = listed([self._spot(token) for token in event.tokens])
        if event.everybody:
            return f"{where} is shown: {self._faces(event.tokens, in_order=True)}"
        seats = [seat for seat in range(self.names.graph.seats) if event.seats >> seat & 1]
        verb = "looks" if len(seats) == 1 else "look"
        said = f"{seats_text(seats)} {verb} at {where}"
        if event.seats >> self.observer & 1 or self.observer == self.telling.referee:
            return f"{said}: {self._faces(event.tokens, in_order=True)}"
        return said

    # ---- values

    def _reads(self, slot: int) -> bool:
        if self.observer == self.telling.referee:
            return True
        sight = self.telling.sight
        return bool(sight.observers(sight.readers(self.table, slot)) >> self.observer & 1)

    def _slot(self, slot: int) -> str:
        variable, _ = self.names.variable(slot)
        name = self.names.slot(slot)
        if not self._reads(slot):
            return f"{name} unseen"
        return f"{name} is {self._value(variable.type, self.table.values[slot])}"

    def _value(self, type_: Type, value: Value) -> str:
        """A value as the observer may hear it."""
        return spoken(ValueWords(self.names.graph, self._token).text(value, type_))

    def _assigned(self, slot: int) -> str:
        """The game's own variables, when they change."""
        graph = self.names.graph
        variable, _ = self.names.variable(slot)
        value = self.table.values[slot]
        if variable is graph.players:
            return self._out(self.telling.was, value)
        silent = variable.phase is not None or variable.hidden_name or variable is graph.ended
        if silent or value == self.telling.was or not self._reads(slot):
            return ""
        if has_tokens(variable.type) and not self._is_open(value):
            return ""
        return self._slot(slot)

    def _is_open(self, value: Value) -> bool:
        """Whether all tokens of a value are seen."""
        tokens = value if isinstance(value, tuple) else (value,)
        return all(self._is_seen(token) for token in tokens if isinstance(token, int))

    def _out(self, before: Value, now: Value) -> str:
        was = before if isinstance(before, tuple) else ()
        left = now if isinstance(now, tuple) else ()
        gone = [seat for seat in was if isinstance(seat, int) and seat not in left]
        return f"{seats_text(gone)} {'is' if len(gone) == 1 else 'are'} out" if gone else ""

    # ---- choices

    def _chosen(self, event: Chosen) -> str:
        step = self.names.graph.nodes[event.node].step
        return self._choice(step, event.node, event.seat, event.option, event.values)

    def _choice(
        self, step: object, node: int, seat: int, position: int | None, values: tuple[Value, ...]
    ) -> str:
        title = question(self.names.graph.nodes[node], self.names.graph)
        if position is None or not isinstance(step, Choose):
            return f"{seat_text(seat)} declines" + (f" ({title})" if title else "")
        option = step.options[position]
        slots = [self._chosen_value(option, at, seat, value) for at, value in enumerate(values)]
        head = option.title or (title if option.name == ANONYMOUS else "") or spoken(option.name)
        if not slots:
            return f"{seat_text(seat)}: {head}"
        return f"{seat_text(seat)}: {head}{' ' if head.endswith('?') else ': '}{', '.join(slots)}"

    def _chosen_value(self, option: Option, at: int, seat: int, value: Value) -> str:
        slot = option.slots[at]
        if slot.domain.mode is DomainMode.ORDERS and self.observer not in (
            seat,
            self.telling.referee,
        ):
            return "in a secret order"
        words = self._several(slot.local.type, value)
        return f"{slot.preposition} {words}" if slot.preposition else words

    def _several(self, type_: Type, value: Value) -> str:
        if not isinstance(value, tuple) or not has_tokens(type_):
            return self._value(type_, value)
        tokens = [token for token in value if isinstance(token, int)]
        return listed(counted([self._token(token) for token in tokens], 2)) or "nothing"

    def _unsealed(self, event: Unsealed) -> str:
        """All picks of a joint decision, in the order of the seats."""
        step = self.names.graph.nodes[event.node].step
        if not isinstance(step, Choose) or step.picked is None:
            return ""
        parts = []
        for seat in event.seats:
            picked = self._member(step.picked, seat)
            position = picked - 1 if isinstance(picked, int) and picked > 0 else None
            if position is None or position >= len(step.options):
                parts.append(self._choice(step, event.node, seat, None, ()))
                continue
            values = tuple(self._member(s.local, seat) for s in step.options[position].slots)
            parts.append(self._choice(step, event.node, seat, position, values))
        return "; ".join(parts)

    def _member(self, variable: Variable, seat: int) -> Value:
        slot = self.telling.statics.slots[variable].at((seat,), self.table.in_trigger)
        return None if slot is None else self.table.values[slot]
