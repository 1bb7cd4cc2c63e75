"""What each event does to what everybody knows: `looked`, `knows` and `facts` of a table.

Sight is who sees a face where it lies; knowledge is what is left of it when the face is hidden
again.  Every event that concerns tokens is read as *ways*: a token lay here, seen by these, and now
lies there, seen by those.  For each observer ways do two things: something leaves a place
(`_leave`), and a place is reached with what was known (`_arrive`).  Rows (lists, piles, single
cells) keep knowledge by the cell, sets only as a fact: "at least these are among those I cannot
name".

Knowledge decides nothing: no rule reads it, and the interpreter runs the same without it.
"""

from attrs import define, field, frozen

from compiler.diagnostic import InternalError
from compiler.graph.core import Shape
from ruleengine.knowledge.protocol import Event, Flagged, Moved, Revealed, Shown, Shuffled, Turned
from ruleengine.knowledge.shown import ShownMoves
from ruleengine.sight import Sight
from ruleengine.statics import Statics
from ruleengine.table import UNRESOLVED, Table
from ruleengine.terms import Terms

_ALL = -1  # as a mask of observers: every one


@frozen
class _Way:
    """One token's part in an event: where it lay and lies, and who sees its face.

    `was` and `now` are masks of observers before and after; `saw` has both and those who saw it
    shown on the way.
    """

    token: int
    source: int
    target: int
    was: int
    now: int
    saw: int


@define(eq=False)
class Knowledge:
    """The observer that keeps a table's knowledge true to what everybody could follow."""

    statics: Statics
    sight: Sight
    _shown: ShownMoves
    _rows: tuple[bool, ...]  # per place: its cells can be told apart
    _classes: tuple[int | None, ...]  # per place: the class of its tokens; `None` for the box
    _lying: dict[int, dict[int, int]] = field(factory=dict, init=False)  # place -> token: seen by

    @classmethod
    def of(cls, terms: Terms, sight: Sight) -> "Knowledge":
        """That of a graph."""
        statics = terms.statics
        places = statics.graph.places
        rows = tuple(place.shape is not Shape.SET for place in places)
        classes = tuple(
            None if place.token_class is None else statics.class_index[place.token_class]
            for place in places
        )
        return cls(statics, sight, ShownMoves.of(terms), rows, classes)

    # ---- the protocol

    def before(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """Keeps who sees what now; a shuffle is dealt with here, while kinds are still there."""
        concerned = [*places]
        match event:
            case Moved(sources=sources, target=target):
                concerned += [*sources, target]
            case Turned(tokens=tokens):
                concerned += [table.place[token] for token in tokens]
            case Shuffled(place=place):
                self._shuffle(table, place)
            case Flagged(tokens=tokens, flag=flag, on=on):
                self._blur(table, tokens, flag, on)
            case _:
                pass
        self._lying = {
            place: {token: self.sight.sees(table, token) for token in table.cells[place]}
            for place in dict.fromkeys(concerned)
        }

    def after(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """Brings what everybody knows up to date."""
        told: tuple[int, ...] = ()
        match event:
            case Moved(node, tokens, sources, _, target, arranged, arranger):
                shown = self._shown.observers(node, table, self.sight)
                ways = [
                    self._way(table, token, source, target, shown)
                    for token, source in zip(tokens, sources, strict=True)
                ]
                orderly = _ALL
                if arranged and len(tokens) > 1:
                    orderly = 0 if arranger is None else 1 << arranger
                self._follow(table, ways, orderly)
                told = tokens
            case Turned(tokens=tokens):
                self._follow(table, [self._staying(table, token) for token in tokens])
                told = tokens
            case Shown():
                self._show(table, event)
            case Revealed(token=token):
                place, now = table.place[token], self.sight.sees(table, token)
                self._follow(table, [_Way(token, place, place, 0, now, now)])
            case _:
                pass
        others = (token for place in places for token in table.cells[place] if token not in told)
        ways = [self._staying(table, token) for token in others]
        self._follow(table, [way for way in ways if way.was != way.now])
        self._lying = {}

    # ---- ways

    def _way(self, table: Table, token: int, source: int, target: int, shown: int) -> _Way:
        was, now = self._lying[source][token], self.sight.sees(table, token)
        return _Way(token, source, target, was, now, was | now | shown)

    def _staying(self, table: Table, token: int) -> _Way:
        place = table.place[token]
        return self._way(table, token, place, place, 0)

    def _follow(self, table: Table, ways: list[_Way], orderly: int = _ALL) -> None:
        """Knowledge after one event; only the observers in `orderly` know its tokens' order."""
        open_to_all = self.sight.observers(self.statics.everyone)
        if all(way.was == way.now == open_to_all for way in ways):
            return
        named = {way.token: table.knows[way.token] for way in ways}
        alike = 0
        for observer in range(self.statics.public + 1):
            bit = 1 << observer
            known, carried = self._leave(table, observer, ways, named)
            if len(known) == len(ways) and self._are_alike(table, known):
                alike |= bit
            self._arrive(table, observer, ways, known, bool(bit & (orderly | alike)))
            for place, fact in carried.items():
                self._add(table, observer, place, fact)
        self._look(table, ways, _ALL if alike >> self.statics.public else orderly)

    def _leave(
        self, table: Table, observer: int, ways: list[_Way], named: dict[int, int]
    ) -> tuple[frozenset[int], dict[int, list[int]]]:
        """What an observer still knows of the places that tokens leave.

        Returns the tokens he can tell, and the facts that go with others to the places they reach.
        """
        bit = 1 << observer
        known = {way.token for way in ways if (way.saw | named[way.token]) & bit}
        carried: dict[int, list[int]] = {}
        for source in dict.fromkeys(way.source for way in ways):
            fact = table.facts.get((observer, source))
            if fact is None:
                continue
            unnamed = [
                way
                for way in ways
                if way.source == source and not (way.was | named[way.token]) & bit
            ]
            for way in unnamed:
                if way.token in known:
                    _subtract(fact, self.statics.sort(table, way.token))
            unseen = [way for way in unnamed if way.token not in known and way.target != source]
            if unseen:
                rest = self._unnamed(table, observer, source) - len(unnamed)
                target = unseen[0].target
                if sum(fact) == len(unseen) + rest and len(_support(fact)) == 1:
                    fact[_support(fact)[0]] -= len(unseen)
                    known.update(way.token for way in unseen)  # deduced: all there were alike
                elif rest == 0:
                    carried[target] = _sum(carried.get(target), fact)
                    fact = []
                else:
                    fact = self._refused(fact, source, target)
            self._store(table, observer, source, fact)
        return frozenset(known), carried

    def _arrive(
        self, table: Table, observer: int, ways: list[_Way], known: frozenset[int], orderly: bool
    ) -> None:
        """What an observer knows of the places that tokens reach."""
        bit = 1 << observer
        for way in ways:
            hidden = way.token in known and not way.now & bit
            if hidden and table.kind[way.token] == UNRESOLVED:
                raise InternalError(f"token {way.token} is known and has no kind")
            if hidden and orderly and self._rows[way.target]:
                table.knows[way.token] |= bit
                continue
            table.knows[way.token] &= ~bit
            if hidden:
                self._add_one(table, observer, way.target, way.token)

    def _look(self, table: Table, ways: list[_Way], orderly: int) -> None:
        """Who has publicly seen the tokens where they lie now; lost in a set.

        After an order that only one seat knows, his having seen is known of a cell only if he had
        seen them all.
        """
        everyone = self.statics.everyone
        followed = [table.looked[way.token] | way.saw & everyone for way in ways]
        all_of_them = everyone
        for seats in followed:
            all_of_them &= seats
        for way, seats in zip(ways, followed, strict=True):
            if orderly != _ALL:
                seats = orderly & all_of_them
            table.looked[way.token] = seats & ~way.now if self._rows[way.target] else 0

    # ---- events that are no ways

    def _show(self, table: Table, event: Shown) -> None:
        """Faces are named where they lie in a row; in a set it is known that they are there."""
        watchers = self.sight.observers(self.statics.everyone if event.everybody else event.seats)
        for observer in range(self.statics.public + 1):
            bit = 1 << observer
            if not watchers & bit:
                continue
            among: dict[int, list[int]] = {}
            for token in event.tokens:
                if self.sight.sees(table, token) & bit:
                    continue
                if self._rows[table.place[token]]:
                    table.looked[token] |= bit & self.statics.everyone
                if table.knows[token] & bit:
                    continue
                place, sort = table.place[token], self.statics.sort(table, token)
                if self._rows[place]:
                    fact = table.facts.get((observer, place), [])
                    _subtract(fact, sort)
                    self._store(table, observer, place, fact)
                    table.knows[token] |= bit
                elif self._classes[place] is not None:
                    counts = among.setdefault(place, self._nothing(place))
                    counts[sort] += 1
            for place, counts in among.items():
                fact = table.facts.get((observer, place), self._nothing(place))
                self._store(
                    table, observer, place, [max(pair) for pair in zip(fact, counts, strict=True)]
                )

    def _shuffle(self, table: Table, place: int) -> None:
        """What an observer could name in a place is only known to be in it.

        Who sees the tokens there sees them again at once, as soon as they have their order.
        """
        for observer in range(self.statics.public + 1):
            bit = 1 << observer
            for token in table.cells[place]:
                if table.knows[token] & ~self.sight.sees(table, token) & bit:
                    self._add_one(table, observer, place, token)
        for token in table.cells[place]:
            table.knows[token] = 0
            table.looked[token] = 0

    def _blur(self, table: Table, tokens: tuple[int, ...], flag: int, on: bool) -> None:
        """A flag that is part of the face is set on, or taken off, tokens that some cannot name.

        Where it happens to all of these in a place, a fact speaks of them as they are now; else
        each may be one of those that the fact speaks of.
        """
        there: dict[int, set[int]] = {}
        for token in tokens:
            if flag in self.statics.sticky_bits[self.statics.token_class[token]]:
                there.setdefault(table.place[token], set()).add(token)
        for (observer, place), fact in list(table.facts.items()):
            class_index = self._classes[place]
            if place not in there or class_index is None:
                continue
            part = 1 << self.statics.sticky_bits[class_index].index(flag)
            unnamed = {
                token
                for token in table.cells[place]
                if not (self.sight.sees(table, token) | table.knows[token]) >> observer & 1
            }
            changed = len(unnamed & there[place])
            for sort in _support(fact):
                if bool(sort & part) is not on:
                    if changed == len(unnamed):
                        fact[sort ^ part] += fact[sort]
                        fact[sort] = 0
                    else:
                        fact[sort] = max(0, fact[sort] - changed)
            self._store(table, observer, place, fact)

    # ---- facts

    def _nothing(self, place: int) -> list[int]:
        class_index = self._classes[place]
        return [] if class_index is None else [0] * self.statics.sorts(class_index)

    def _store(self, table: Table, observer: int, place: int, fact: list[int]) -> None:
        if any(fact):
            table.facts[observer, place] = fact
        else:
            table.facts.pop((observer, place), None)

    def _add(self, table: Table, observer: int, place: int, more: list[int]) -> None:
        if self._classes[place] is not None:
            self._store(table, observer, place, _sum(table.facts.get((observer, place)), more))

    def _add_one(self, table: Table, observer: int, place: int, token: int) -> None:
        if self._classes[place] is not None:
            one = self._nothing(place)
            one[self.statics.sort(table, token)] = 1
            self._add(table, observer, place, one)

    def _unnamed(self, table: Table, observer: int, place: int) -> int:
        """How many tokens of a place an observer could not tell before the event."""
        return sum(
            not (seen | table.knows[token]) >> observer & 1
            for token, seen in self._lying[place].items()
        )

    def _refused(self, fact: list[int], source: int, target: int) -> list[int]:
        """What stays certain when something unknown went to a place that admits only some kinds."""
        admitted = self.statics.graph.places[target].kinds
        class_index = self._classes[source]
        if admitted is None or class_index is None:
            return []
        bits = len(self.statics.sticky_bits[class_index])
        return [0 if sort >> bits in admitted else count for sort, count in enumerate(fact)]

    def _are_alike(self, table: Table, tokens: frozenset[int]) -> bool:
        return len({self.statics.sort(table, token) for token in tokens}) == 1


def _support(fact: list[int]) -> list[int]:
    """The sorts that a fact speaks of."""
    return [sort for sort, count in enumerate(fact) if count]


def _subtract(fact: list[int], sort: int) -> None:
    """One less of a sort, if there is one."""
    if fact and fact[sort]:
        fact[sort] -= 1


def _sum(fact: list[int] | None, more: list[int]) -> list[int]:
    if not fact:
        return more[:]
    return [one + another for one, another in zip(fact, more, strict=True)]
