"""Tokens as scenarios write them: which token is meant, and what lies where."""

from collections.abc import Iterator, Sequence

from attrs import define

from compiler.graph.core import (
    Apply,
    Cond,
    Const,
    Fold,
    Function,
    Graph,
    Place,
    Shape,
    Term,
    Value,
)
from compiler.graph.notation import term_text
from compiler.graph.values import ValueWords
from compiler.lower.sayings import Sayings
from compiler.lower.scenarios import Reader
from compiler.lower.script import Items, Listed, Said
from compiler.ops.lists import elements
from compiler.ops.row import Undefined
from compiler.types import BOOL, ListOf, Token, Type, element, present
from ruleengine.errors import Unresolved
from ruleengine.interpreter import Interpreter
from ruleengine.scenario.errors import Broken
from ruleengine.statics import BOX, is_unresolved
from ruleengine.table import Table

FACES = {"up": True, "down": False}


@define(eq=False)
class Words:
    """Reads and writes tokens for one game."""

    interpreter: Interpreter
    reader: Reader

    @property
    def graph(self) -> Graph:
        """The graph of the game."""
        return self.interpreter.graph

    def value(self, table: Table, term: Term) -> Value:
        """The value of a term on a table."""
        try:
            return self.interpreter.terms.closed(term)(table)
        except Unresolved as unseen:
            hint = "name the card in `given`, or let it be seen first"
            raise Broken("this reads a card that nobody has seen", term.span, hint) from unseen
        except Undefined as undefined:
            raise Broken(str(undefined), term.span) from undefined

    def no_token(self, said: Said, token_class: str) -> Broken:
        """What is written as no token of a class is, with those that are."""
        fix = Sayings(self.reader).no_token(said, token_class).fix
        return Broken(f"`{said.text}` is no {token_class}", said.span, fix)

    def class_of(self, place: int) -> str:
        """The class a place holds; a box holds what there is, if that is one class."""
        held = self.interpreter.graph.places[place].token_class
        return held or self.interpreter.graph.classes[0].name

    def kind(self, said: Said, token_class: str) -> int | None:
        """The kind written so."""
        return self.reader.kind(said, token_class)

    def name(self, table: Table, token: int) -> str:
        """A token as scenarios write it."""
        if is_unresolved(table, token):
            return "?"
        statics = self.interpreter.statics
        cls = statics.graph.classes[statics.token_class[token]]
        parts = [cls.kinds[table.kind[token]].word]
        place = statics.graph.places[table.place[token]]
        if cls.is_card and table.face[token] != place.face_up:
            parts.append("up" if table.face[token] else "down")
        parts += [name for name, bit in statics.flag_bits.items() if table.flags[token] >> bit & 1]
        return " ".join(parts)

    def face(self, table: Table, token: int) -> str:
        """What is written on a token, and nothing of how it lies: answers cannot say more."""
        if is_unresolved(table, token):
            return "?"
        statics = self.interpreter.statics
        cls = statics.graph.classes[statics.token_class[token]]
        return cls.kinds[table.kind[token]].word

    def spot(self, table: Table, token: int, seat: int | None) -> str:
        """A token as an answer of a seat names it: by its face if it sees that, else by its place.

        Without a seat always by its place.
        """
        place = self.graph.places[table.place[token]]
        in_set = place.shape is Shape.SET
        if seat is not None:
            seen = self.interpreter.sight.sees(table, token) >> seat & 1
            if in_set or (seen and not is_unresolved(table, token)):
                return self.face(table, token)
        if place.index == BOX or place.shape is Shape.ONE:
            return self.face(table, token)
        return f"{place.label}[{self.ordered(table, place.index).index(token) + 1}]"

    def contents(self, table: Table, place: int) -> str:
        """What lies in a place, as scenarios write it."""
        return ", ".join(self.name(table, t) for t in self.ordered(table, place)) or "empty"

    def ordered(self, table: Table, place: int) -> tuple[int, ...]:
        """The tokens of a place in canonical order."""
        graph_place = self.interpreter.graph.places[place]
        return tuple(self.interpreter.references.contents(table, graph_place))

    def known(self, table: Table, place: int, seat: int) -> list[int | None]:
        """The kinds a seat can name in a place, `None` for a card it cannot.

        In a row by position; in a set those it sees, then those it knows to be there.
        """
        graph_place = self.interpreter.graph.places[place]
        sight = self.interpreter.sight
        tokens = self.ordered(table, place)
        seen: list[int | None] = [
            table.kind[token]
            if (sight.sees(table, token) | table.knows[token]) >> seat & 1
            else None
            for token in tokens
        ]
        if graph_place.shape is not Shape.SET or not tokens:
            return seen
        facts = table.facts.get((seat, place), [])
        statics = self.interpreter.statics
        bits = len(statics.sticky_bits[statics.token_class[tokens[0]]])
        named = [sort >> bits for sort, count in enumerate(facts) for _ in range(count)]
        visible = [kind for kind in seen if kind is not None]
        return [*visible, *named, *[None] * (len(tokens) - len(visible) - len(named))]

    def reading(self, table: Table, term: Term) -> str:
        """What the parts of a test are now: `count(supply[A]) is 5`."""
        words = ValueWords(self.interpreter.graph, lambda token: self.name(table, token))
        told = [
            f"{term_text(part, self.graph)} is {words.text(self.value(table, part), part.type)}"
            for part in _parts(term)
        ]
        return "here " + ", ".join(told) if told else ""

    def flag_bit(self, name: str) -> int | None:
        """The bit of a flag."""
        return self.interpreter.statics.flag_bits.get(name)

    # ---- does a token fit what was said?

    def is_said(self, table: Table, token: int, item: Listed, place: Place) -> bool:
        """Whether a token in a place is the one an item describes."""
        for flag in item.flags:
            if flag in FACES:
                if table.face[token] is not FACES[flag]:
                    return False
                continue
            bit = self.flag_bit(flag)
            if bit is None:
                raise Broken(f"nothing can be `{flag}`", item.said.span)
            if not table.flags[token] >> bit & 1:
                return False
        if item.said.node is None:
            return True
        kind = self.kind(item.said, self.class_of(place.index))
        if kind is None:
            raise self.no_token(item.said, self.class_of(place.index))
        return not is_unresolved(table, token) and table.kind[token] == kind

    def holds(self, table: Table, place: int, items: Items) -> bool:
        """Whether a place holds exactly these tokens, or these and more if the list is open."""
        graph_place = self.interpreter.graph.places[place]
        tokens = self.ordered(table, place)
        if len(tokens) < len(items.items) or (len(tokens) > len(items.items) and not items.open):
            return False
        if graph_place.shape is not Shape.SET:
            pairs = zip(tokens, items.items, strict=False)
            return all(self.is_said(table, token, item, graph_place) for token, item in pairs)
        fits = [
            [token for token in tokens if self.is_said(table, token, item, graph_place)]
            for item in items.items
        ]
        return _assignable(fits)

    # ---- slots of answers

    def said_tokens(self, table: Table, said: Said, type_: Type) -> Iterator[Value]:
        """The values of a slot of tokens that something said may mean, the nearest first."""
        inner = element(type_)
        if inner is None:
            yield from self._one(table, said, type_)
            return
        parts = self.reader.words(said)
        if len(parts) == 1 and self.kind(parts[0], _class(inner)) is None:
            term = self.reader.term(said, None)
            if term is None:
                raise Broken(f"`{said.text}` names no tokens", said.span)
            value = self.value(table, term)
            yield value if isinstance(value, tuple) else (value,)
            return
        used: list[Value] = []
        for part in parts:
            found = [t for t in self._one(table, part, inner) if t not in used]
            if not found:
                return
            used.append(found[0])
        yield tuple(used)

    def _one(self, table: Table, said: Said, type_: Type) -> Iterator[Value]:
        token_class = _class(type_)
        kind = self.kind(said, token_class)
        if kind is None:
            term = self.reader.term(said, None)
            if term is None:
                raise self.no_token(said, token_class)
            yield self.value(table, term)
            return
        statics = self.interpreter.statics
        tokens = statics.class_tokens[statics.class_index[token_class]]
        in_play = [t for t in tokens if not is_unresolved(table, t) and table.kind[t] == kind]
        yield from sorted(in_play, key=lambda t: (table.place[t] == 0, t))

    def fits(self, table: Table, value: Value, said: Said, type_: Type) -> bool:
        """Whether the value of an answer's slot is what was said."""
        bare = present(type_)
        inner = present(element(bare) or bare)
        if isinstance(bare, Token):
            return self._is_token(table, value, said, bare)
        if isinstance(inner, Token):
            return self._are_tokens(table, value, said, bare, inner)
        term = self.reader.term(said, type_)
        return term is not None and self.value(table, term) == value

    def fits_together(self, table: Table, value: Value, parts: Sequence[Said], type_: Type) -> bool:
        """Whether a value is what was said one by one, without the brackets of a list."""
        if len(parts) == 1:
            return self.fits(table, value, parts[0], type_)
        bare = present(type_)
        inner = present(element(bare) or bare)
        return isinstance(inner, Token) and self._stand_for(
            table, elements(value), parts, bare, inner
        )

    def _is_token(self, table: Table, value: Value, said: Said, type_: Type) -> bool:
        if not isinstance(value, int):
            return False
        kind = self.kind(said, _class(type_))
        if kind is not None:
            return not is_unresolved(table, value) and table.kind[value] == kind
        term = self.reader.term(said, None)
        if term is None:
            raise self.no_token(said, _class(type_))
        meant = self.value(table, term)
        return meant == value or (isinstance(meant, int) and self._alike(table, meant, value))

    def _alike(self, table: Table, a: int, b: int) -> bool:
        place = self.interpreter.graph.places[table.place[a]]
        same = table.place[a] == table.place[b] and table.kind[a] == table.kind[b]
        lie = table.face[a] == table.face[b] and table.flags[a] == table.flags[b]
        return place.shape is Shape.SET and same and lie

    def _are_tokens(self, table: Table, value: Value, said: Said, type_: Type, inner: Type) -> bool:
        tokens = elements(value)
        parts = self.reader.words(said)
        if len(parts) == 1 and self.kind(parts[0], _class(inner)) is None:
            term = self.reader.term(said, None)
            return term is not None and self.value(table, term) in (value, tokens)
        return self._stand_for(table, tokens, parts, type_, inner)

    def _stand_for(
        self,
        table: Table,
        tokens: tuple[Value, ...],
        parts: Sequence[Said],
        type_: Type,
        inner: Type,
    ) -> bool:
        if len(parts) != len(tokens):
            return False
        if isinstance(type_, ListOf):
            pairs = zip(tokens, parts, strict=True)
            return all(self._is_token(table, token, part, inner) for token, part in pairs)
        fits = [
            [t for t in tokens if isinstance(t, int) and self._is_token(table, t, part, inner)]
            for part in parts
        ]
        return _assignable(fits)


def _parts(term: Term) -> list[Term]:
    """The terms a test compares, the outermost that are not known before play."""
    if isinstance(term, Cond):
        return [*_parts(term.test), *_parts(term.then), *_parts(term.otherwise)]
    if isinstance(term, Apply) and not isinstance(term.op, Function) and term.type == BOOL:
        return [part for arg in term.args for part in _parts(arg)]
    return [] if isinstance(term, Const | Fold) else [term]


def _class(type_: Type) -> str:
    bare = present(type_)
    if not isinstance(bare, Token):
        raise TypeError(f"{type_} is no token")
    return bare.token_class


def _assignable(fits: list[list[int]]) -> bool:
    """Whether every item can have a token of its own (augmenting paths)."""
    taken: dict[int, int] = {}

    def place(item: int, tried: set[int]) -> bool:
        for token in fits[item]:
            if token in tried:
                continue
            tried.add(token)
            if token not in taken or place(taken[token], tried):
                taken[token] = item
                return True
        return False

    return all(place(item, set()) for item in range(len(fits)))
