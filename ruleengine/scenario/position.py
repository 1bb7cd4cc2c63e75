"""Sets up the position a scenario is given.

Tokens come from the box; what is not named stays there.  Then, in this order: numbers of the rest,
`...` (the rest of a class below what is named) and `rest in`.  What lies hidden from everybody
without being named is one pool; what is named is settled though nobody has seen it.
"""

from attrs import define, field

from compiler.graph.amounts import counted
from compiler.graph.core import Const, Shape, Value
from compiler.lower.script import (
    Items,
    Known,
    Listed,
    Out,
    PlaceSpot,
    Position,
    Put,
    Rest,
    Said,
    ValueSpot,
)
from compiler.ops.lists import elements
from compiler.source import Span
from compiler.types import ListOf, Player, SetOf, Token, element, present
from ruleengine.interpreter import Interpreter
from ruleengine.scenario.errors import Broken
from ruleengine.scenario.tokens import FACES, Words
from ruleengine.statics import BOX
from ruleengine.table import UNRESOLVED, Table


@define(eq=False)
class Setting:
    """One position being set up on a table."""

    interpreter: Interpreter
    words: Words
    table: Table
    unnamed: list[int] = field(factory=list)  # tokens placed by number or as the rest

    def set_up(self, position: Position) -> None:
        """Carries out the lines of a `given`."""
        for line in position.lines:
            match line:
                case Out(seats):
                    self._leave(seats)
                case Put(spots, items):
                    for spot in spots:
                        if isinstance(spot, ValueSpot):
                            self._give(spot, items, line.span)
                        else:
                            self._put_named(spot, items)
                case _:
                    pass
        for line in position.lines:
            if isinstance(line, Put):
                self._put_rest(line)
        for line in position.lines:
            if isinstance(line, Rest):
                self._rest(line)
        self._hide()
        for line in position.lines:
            if isinstance(line, Known):
                self._know(line)

    # ---- variables

    def _leave(self, seats: tuple[int, ...]) -> None:
        slot = self.interpreter.statics.offset(self.interpreter.graph.players)
        left = tuple(s for s in elements(self.table.values[slot]) if s not in seats)
        self.table.values[slot] = left

    def _give(self, spot: ValueSpot, items: Items, span: Span) -> None:
        keys = tuple(self.words.value(self.table, key) for key in spot.keys)
        slot = self.interpreter.statics.slots[spot.variable].at(keys, False)
        if slot is None:
            raise Broken("the family has no such member", span)
        self.table.values[slot] = self.value_of(spot, items, span)

    def value_of(self, spot: ValueSpot, items: Items, span: Span) -> Value:
        """The value a line gives a variable."""
        type_ = present(spot.variable.type)
        inner = element(type_)
        if inner is None or not isinstance(type_, SetOf | ListOf):
            if len(items.items) != 1:
                raise Broken(f"`{spot.variable.name}` takes one value", span)
            return self._scalar(items.items[0], spot)
        if isinstance(inner, Token):
            raise Broken("tokens of a variable cannot be given", span)
        values = []
        for item in items.items:
            term = self.words.reader.term(item.said, inner)
            if not isinstance(term, Const):
                raise Broken(f"`{item.said.text}` does not fit `{spot.variable.name}`", span)
            values.append(term.value)
        if isinstance(type_, SetOf):
            return tuple(sorted(v for v in values if isinstance(v, int)))
        return tuple(values)

    def _scalar(self, item: Listed, spot: ValueSpot) -> Value:
        term = self.words.reader.term(item.said, spot.variable.type)
        if isinstance(term, Const):
            return term.value
        if term is None:
            raise Broken(f"`{item.said.text}` does not fit `{spot.variable.name}`", item.said.span)
        return self.words.value(self.table, term)

    # ---- tokens

    def _spare(self, token_class: str) -> list[int]:
        statics = self.interpreter.statics
        tokens = statics.class_tokens[statics.class_index[token_class]]
        return [token for token in tokens if self.table.place[token] == BOX]

    def _put_named(self, spot: PlaceSpot, items: Items) -> None:
        for item in items.items:
            if item.of_rest is not None:
                continue
            token_class = self.words.class_of(spot.place)
            for said in self.words.reader.words(item.said):
                kind = self._kind(said, spot.place)
                left = [t for t in self._spare(token_class) if self.table.kind[t] == kind]
                if not left:
                    raise Broken(f"there is no `{said.text}` left in the box", said.span)
                self._place(left[0], spot.place, item, said.span)

    def _place(self, token: int, place: int, item: Listed | None, span: Span) -> None:
        """Lays a token last in a place."""
        graph_place = self.interpreter.graph.places[place]
        table = self.table
        most = 1 if graph_place.shape is Shape.ONE else graph_place.capacity
        if most is not None and len(table.cells[place]) >= most:
            raise Broken(f"{graph_place.label} holds no more than {most}", span)
        table.cells[BOX].remove(token)
        table.cells[place].append(token)
        table.place[token] = place
        statics = self.interpreter.statics
        is_card = statics.graph.classes[statics.token_class[token]].is_card
        table.face[token] = graph_place.face_up or not is_card
        if item is None:
            return
        for flag in item.flags:
            if flag in FACES:
                table.face[token] = FACES[flag]
                continue
            bit = self.words.flag_bit(flag)
            if bit is None:
                raise Broken(f"nothing can be `{flag}`", item.said.span)
            table.flags[token] |= 1 << bit

    def _put_rest(self, line: Put) -> None:
        for spot in line.spots:
            if not isinstance(spot, PlaceSpot):
                continue
            spare = self._admitted(spot.place)
            for item in line.items.items:
                if item.of_rest is not None:
                    if len(spare) < item.of_rest:
                        raise Broken(f"only {len(spare)} are left", item.said.span)
                    self._lay(spare[: item.of_rest], spot.place, item.said.span)
                    spare = spare[item.of_rest :]
            if line.items.open:
                self._lay(spare, spot.place, line.span)

    def _admitted(self, place: int) -> list[int]:
        """The tokens in the box that a place admits."""
        graph_place = self.interpreter.graph.places[place]
        spare = self._spare(self.words.class_of(place))
        if graph_place.kinds is None:
            return spare
        return [token for token in spare if self.table.kind[token] in graph_place.kinds]

    def _lay(self, tokens: list[int], place: int, span: Span) -> None:
        for token in tokens:
            self._place(token, place, None, span)
            self.unnamed.append(token)

    def _rest(self, line: Rest) -> None:
        """Puts what is left: one family after the other, each token to its own player's member."""
        for family in line.places:
            for place in family:
                holder = self.interpreter.graph.places[place].holder
                for token in self._admitted(place):
                    owner = self._owner(token)
                    if len(family) == 1 or owner is None or owner == holder:
                        self._lay([token], place, line.span)

    def _owner(self, token: int) -> Value:
        """The player printed on a token, if one is."""
        statics = self.interpreter.statics
        cls = statics.graph.classes[statics.token_class[token]]
        for position, attribute in enumerate(cls.attributes):
            if isinstance(attribute.type, Player):
                return cls.kinds[self.table.kind[token]].values[position]
        return None

    # ---- hidden tokens

    def _hide(self) -> None:
        """Makes one pool of what lies in a place unnamed and unseen."""
        table, statics = self.table, self.interpreter.statics
        for token in self.unnamed:
            place = table.place[token]
            shape = self.interpreter.graph.places[place].shape
            if shape is Shape.SET or self.interpreter.sight.sees(table, token):
                continue
            class_index = statics.token_class[token]
            counts = table.pools.setdefault(place, [0] * statics.sorts(class_index))
            counts[statics.sort(table, token)] += 1
            table.kind[token] = UNRESOLVED
            table.pool[token] = place
            table.flags[token] &= ~statics.sticky[class_index]
        for pool in list(table.pools):
            self.interpreter.pools.settle(table, pool)

    def _know(self, line: Known) -> None:
        """Lets a seat name the tokens told: in a row from the first on, in a set whichever."""
        table, statics = self.table, self.interpreter.statics
        place = self.interpreter.graph.places[line.place]
        told = [item.said for item in line.items.items]
        tokens = self.words.ordered(table, line.place)
        if len(told) > len(tokens):
            held = counted(len(tokens), "token")
            raise Broken(f"{place.label} has only {held}", told[-1].span)
        if place.shape is not Shape.SET:
            for token, said in zip(tokens, told, strict=False):
                if said.node is not None:
                    self._name(token, said, place.label)
                    table.knows[token] |= 1 << line.seat
            return
        hidden = [t for t in tokens if not self.interpreter.sight.sees(table, t) >> line.seat & 1]
        fact = [0] * statics.sorts(statics.class_index[self.words.class_of(line.place)])
        for said in told:
            if said.node is not None:
                kind = self._kind(said, line.place)
                found = next((t for t in hidden if table.kind[t] == kind), None)
                if found is None:
                    raise Broken(f"no hidden `{said.text}` is in {place.label}", said.span)
                hidden.remove(found)
                fact[statics.sort(table, found)] += 1
        if any(fact):
            table.facts[line.seat, line.place] = fact

    def _name(self, token: int, said: Said, label: str) -> None:
        """Makes sure that a token is what a seat is said to know of it."""
        table = self.table
        kind = self._kind(said, table.place[token])
        if table.kind[token] == UNRESOLVED:
            statics = self.interpreter.statics
            bits = len(statics.sticky_bits[statics.token_class[token]])
            odds = self.interpreter.pools.odds(table, token)
            sorts = [o.value for o in odds if isinstance(o.value, int) and o.value >> bits == kind]
            if sorts:
                self.interpreter.pools.resolve(table, token, sorts[0])
        if table.kind[token] != kind:
            name = self.words.name(table, token)
            raise Broken(f"`{said.text}` does not lie there", said.span, f"{label} has {name}")

    def _kind(self, said: Said, place: int) -> int:
        token_class = self.words.class_of(place)
        kind = self.words.kind(said, token_class)
        if kind is None:
            raise self.words.no_token(said, token_class)
        return kind
