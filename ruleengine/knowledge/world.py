"""A world that a seat can imagine: a table made from its view alone and a tape of chance.

Unseen cards are dealt anew, all ways of laying single cards being equally likely that agree with
the view; the seat's view of the world is the view it was made from.  What others know in it is what
everybody knows that they know.  Worlds are not weighted by how others are likely to have chosen.
"""

from collections import Counter
from collections.abc import Callable
from typing import cast

from attrs import define

from compiler.graph.core import Chance, Roll, Shape, Value
from compiler.types import ListOf, Optional, Token, has_tokens, present, values
from ruleengine.errors import Unresolved
from ruleengine.knowledge.laying import Laid, lay
from ruleengine.knowledge.tape import Tape
from ruleengine.knowledge.view import Cell, Seen, Spot, View, Viewer
from ruleengine.sight import Sight
from ruleengine.statics import Statics
from ruleengine.table import NO_POOL, UNRESOLVED, Table
from ruleengine.terms import Terms


@define(eq=False)
class Worlds:
    """Makes worlds for one graph."""

    statics: Statics
    sight: Sight
    viewer: Viewer
    _conditions: tuple[Callable[[Table], bool], ...]  # of triggers
    _dice: dict[int, tuple[Value, ...]]  # slot -> faces, equal ones several times

    @classmethod
    def of(cls, terms: Terms, sight: Sight, viewer: Viewer) -> "Worlds":
        """That of a graph."""
        statics = terms.statics
        dice: dict[int, tuple[Value, ...]] = {}
        for node in statics.graph.nodes:
            match node.step:
                case Chance(Roll(rolled)):
                    for variable, _, faces in rolled:
                        for first in statics.slots[variable].banks():
                            dice.update(dict.fromkeys(range(first, first + variable.size), faces))
                case _:
                    pass
        conditions = tuple(
            terms.scope().test(trigger.condition) for trigger in statics.graph.triggers
        )
        return cls(statics, sight, viewer, conditions, dice)

    def world(self, view: View, tape: Tape) -> Table:
        """A table that looks like the view to its seat, at a stop."""
        laid = lay(self.statics, view, tape)
        table = laid.table
        control = view.control
        table.stack, table.fired = list(control.stack), control.fired
        table.in_trigger = control.in_trigger
        for slot, value in view.values:
            table.values[slot] = self._value(laid, slot, value)
        self._redraw(view, table, tape)
        self._hide(laid, view.seat)
        self._tell(laid, view)
        self._arm(table, tape)
        return table

    def approximate(self, view: View) -> tuple[str, ...]:
        """The variables of which a world has only some value, not one with the right odds.

        They were not set by a die but by a choice, or in a way the view does not tell.
        """
        sealed = self.viewer.sealed_slots(view.control.node, view.control.in_trigger)
        return tuple(
            self.viewer.words.slot(slot)
            for slot, _ in view.hidden
            if slot not in self._dice and slot not in sealed
        )

    # ---- variables

    def _value(self, laid: Laid, slot: int, value: Seen) -> Value:
        """A value of the view, with tokens for spots."""
        match value:
            case Spot():
                return laid.token(value, (slot, 0), 0)
            case tuple() if has_tokens(self.viewer.words.type(slot)):
                return self._tokens(laid, slot, value)
            case _:
                return cast(Value, value)

    def _tokens(self, laid: Laid, slot: int, spots: tuple[Seen, ...]) -> Value:
        """A list of tokens, or a set of them: those of one place that it refers to, each once."""
        if isinstance(present(self.viewer.words.type(slot)), ListOf):
            return tuple(
                laid.token(spot, (slot, position), 0)
                for position, spot in enumerate(spots, 1)
                if isinstance(spot, Spot)
            )
        tokens = []
        met: Counter[int] = Counter()
        for spot in spots:
            if isinstance(spot, Spot):
                tokens.append(laid.token(spot, (slot, 0), met[spot.place]))
                met[spot.place] += 1
        return tuple(sorted(tokens))

    def _redraw(self, view: View, table: Table, tape: Tape) -> None:
        """Gives the variables that the seat may not read some value they may have.

        Sealed picks of others are taken back: they are still to choose.
        """
        sealed = self.viewer.sealed_slots(table.node, table.in_trigger)
        for slot, rolled in view.hidden:
            if slot in self._dice:
                faces = self._dice[slot] if rolled else (None,)
                table.values[slot] = _one_of(faces, tape)
            elif slot not in sealed:
                possible = self._possible(slot)
                if possible:
                    table.values[slot] = _one_of(possible, tape)

    def _possible(self, slot: int) -> tuple[Value, ...]:
        """All values of a variable's type; of lists and sets the one it had before play."""
        type_ = self.viewer.words.type(slot)
        match present(type_):
            case Token(name):
                index = self.statics.class_index[name]
                none = (None,) if isinstance(type_, Optional) else ()
                return (*none, *self.statics.class_tokens[index])
            case _:
                return values(type_) or ()

    # ---- what is settled, and who knows what

    def _hide(self, laid: Laid, seat: int) -> None:
        """Takes the kinds off the cards of piles that nobody has seen: their order is open.

        Also off those that the seat would see if they had one.
        """
        table = laid.table
        for place in self.statics.graph.places:
            if place.shape not in (Shape.PILE, Shape.LIST) or place.token_class is None:
                continue
            counts = [0] * self.statics.sorts(self.statics.class_index[place.token_class])
            for token in table.cells[place.index]:
                look = laid.cell(token)
                watched = self.sight.watches(table, token)
                if place.shape is Shape.PILE and not (watched or look.looked or look.public):
                    open_ = look.sort is None
                else:  # a seat that would see it has not: it is being shuffled
                    open_ = look.sort is None and bool(watched >> seat & 1)
                if open_:
                    counts[self.statics.sort(table, token)] += 1
                    self._take_kind(table, token, place.index)
            if any(counts):
                table.pools[place.index] = counts

    def _take_kind(self, table: Table, token: int, pool: int) -> None:
        table.kind[token] = UNRESOLVED
        table.pool[token] = pool
        table.flags[token] &= ~self.statics.sticky[self.statics.token_class[token]]

    def _tell(self, laid: Laid, view: View) -> None:
        """Others know what is public; the seat knows what its view says."""
        table, public = laid.table, self.statics.public
        everybody = (1 << public + 1) - 1
        for token, look in laid.looks.items():
            if isinstance(look, Cell):
                hidden = ~self.sight.sees(table, token)
                own = 1 << view.seat if look.sort is not None else 0
                known = everybody if look.public else look.looked | own
                table.looked[token] = look.looked & hidden
                table.knows[token] = known & hidden
        for place, seen in enumerate(view.places):
            for observer in range(public + 1):
                fact = list(seen.fact if observer == view.seat else seen.public_fact)
                if observer not in (view.seat, public) and fact:
                    self._lessen(table, place, observer, fact)
                if any(fact):
                    table.facts[observer, place] = fact

    def _lessen(self, table: Table, place: int, observer: int, fact: list[int]) -> None:
        """Takes from a public fact the tokens that a seat can tell and the public cannot."""
        for token in table.cells[place]:
            tellers = self.sight.sees(table, token) | table.knows[token]
            if tellers >> observer & 1 and not tellers >> self.statics.public & 1:
                sort = self.statics.sort(table, token)
                fact[sort] = max(0, fact[sort] - 1)

    def _arm(self, table: Table, tape: Tape) -> None:
        """Takes what is true now as what was true before; what is asked for it gets its kind."""
        for at, holds in enumerate(self._conditions):
            decided = False
            while not decided:
                try:
                    table.held |= bool(holds(table)) << at
                    decided = True
                except Unresolved as unresolved:
                    self._settle(table, unresolved.token, tape)

    def _settle(self, table: Table, token: int, tape: Tape) -> None:
        pool = table.pool[token]
        counts = table.pools[pool]
        sort = tape.pick(counts)
        counts[sort] -= 1
        if not any(counts):
            del table.pools[pool]
        table.pool[token] = NO_POOL
        self.statics.give_sort(table, token, sort)


def _one_of(possible: tuple[Value, ...], tape: Tape) -> Value:
    return possible[tape.pick([1] * len(possible))]
