"""Looks at the stops of plays and finds what breaks a promise.

A `Watch` goes along one play after another.  At each stop it deals anew, for every seat, what that
seat cannot know (`world`), and compares.  What must be a function of something (options of a view,
a view of a log) is also remembered over all plays.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from attrs import define, evolve, field

from ruleengine.errors import RuleError
from ruleengine.knowledge.log import Log, Observers, information_state
from ruleengine.knowledge.tape import Drawn
from ruleengine.knowledge.view import View
from ruleengine.leaks.joint import Picks, others_alike, unpicked
from ruleengine.leaks.leak import Leak, Promise
from ruleengine.leaks.onlooker import FACE, Onlooker, UntilTold, plain
from ruleengine.rng import CHANCE, Stream, stream
from ruleengine.spelling import Unpackable
from ruleengine.stops import ChanceStop, Choice, Decision, JointDecision, Stop, Terminal
from ruleengine.table import UNRESOLVED, Table

_QUESTIONS: Final = 12  # answers that were heard of at a decision and are asked about again
_ROUNDS: Final = 50  # chance stops that are followed after an answer


@define(eq=False)
class Watch:
    """Goes along plays of one game; `seed` decides how hidden cards are dealt anew."""

    onlooker: Onlooker
    seed: int = 0
    deals: int = 1  # worlds for each seat at each stop
    log: Log | None = None
    looked: int = field(default=0, init=False)  # stops at which something was compared
    worlds: int = field(default=0, init=False)  # worlds that differed from the table
    _dealt: int = field(default=0, init=False)
    _known: dict[tuple[Promise, int, Hashable], tuple[str, ...]] = field(factory=dict, init=False)
    _asked: dict[int, dict[str, None]] = field(factory=dict, init=False)
    _before: dict[int, tuple[View, int]] = field(factory=dict, init=False)

    def begin(self, table: Table) -> Observers:
        """Begins a play; what is returned must be told of its events."""
        self.log = Log.of(self.onlooker.hearing, table)
        self._before = {}
        return self.observer

    @property
    def observer(self) -> Observers:
        """What keeps knowledge and the log of the play."""
        assert self.log is not None
        return Observers((self.onlooker.game.knowledge, self.log))

    # ---- at a stop

    def look(self, table: Table, stop: Stop) -> Iterator[Leak]:
        """All leaks at a stop: the first is enough."""
        self.looked += 1
        yield from self._unknown(table)
        yield from self._truth(table)
        asked = _asked(stop)
        packed = self.onlooker.game.packing
        try:
            again = packed.unpack(packed.pack(table))
        except Unpackable as error:
            yield Leak(Promise.PACKED, len(self.onlooker.observers) - 1, str(error), (), ())
            return
        for seat in self.onlooker.observers:
            view = self.onlooker.view(table, seat)
            yield from self._remembered(table, seat, view)
            if self.onlooker.view(again, seat) != view:
                yield Leak(Promise.PACKED, seat, "the view after its bytes were read", (), ())
            for _ in range(self.deals):
                self._dealt += 1
                yield from self._imagined(table, seat, view, stop, asked.get(seat, ()))

    def _imagined(
        self, table: Table, seat: int, view: View, stop: Stop, choices: Sequence[Choice]
    ) -> Iterator[Leak]:
        """P5, P7, P8 in one world."""
        onlooker = self.onlooker
        tape = Drawn(stream(self.seed, self._dealt, CHANCE))
        try:
            world = onlooker.worlds.world(view, tape)
        except (ValueError, IndexError):  # what is dealt and where it may lie do not come out even
            shown = onlooker.drawing(table, seat)
            yield self._leak(Promise.WORLD, seat, "a view that fits no world", shown, ())
            return
        self.worlds += bool(onlooker.sides(table, world))
        if stop.node in onlooker.telling and isinstance(stop, Terminal):
            return  # the result tells, as its author confirms, and worlds are not made for it
        if onlooker.view(world, seat) != view:
            here, there = onlooker.drawing(table, seat), onlooker.drawing(world, seat)
            yield self._leak(Promise.WORLD, seat, "the view", here, there, (table, world))
            return
        try:
            here, there = self._shown(table, seat), self._shown(world, seat)
        except Unpackable as error:
            yield Leak(Promise.WORLD, seat, "a world that is no state", (), (str(error),))
            return
        if here != there:
            yield self._leak(Promise.ALIKE, seat, "what it is shown", here, there, (table, world))
        if not choices:
            return
        here = onlooker.options(table, choices)
        there, others = self._offered(world, seat)
        if here != there:
            yield self._leak(Promise.ALIKE, seat, "its options", here, there, (table, world))
            return
        yield from self._known_as(Promise.OPTIONS, seat, bytes(view), here, "its options")
        yield from self._reasons(table, world, seat, stop, choices, others)
        yield from self._next(table, world, seat, choices, others)

    def _shown(self, table: Table, seat: int) -> tuple[str, ...]:
        """The table as it is drawn for a seat: from its bytes, in which nothing is left over."""
        packed = self.onlooker.game.packing
        return self.onlooker.drawing(packed.unpack(packed.pack(table)), seat)

    def _offered(self, world: Table, seat: int) -> tuple[tuple[str, ...], Sequence[Choice]]:
        try:
            others = self.onlooker.game.interpreter.options(world, seat)
        except RuleError as error:
            return (f"error: {error}",), ()
        return self.onlooker.options(world, others), others

    def _reasons(
        self,
        table: Table,
        world: Table,
        seat: int,
        stop: Stop,
        choices: Sequence[Choice],
        others: Sequence[Choice],
    ) -> Iterator[Leak]:
        """What is said of answers, offered here or not."""
        asked = self._asked.setdefault(stop.node, dict.fromkeys(self.onlooker.names(stop.node)))
        questions = tuple(asked)
        for words in self.onlooker.options(table, choices)[:_QUESTIONS]:
            if len(asked) < _QUESTIONS:
                asked[words] = None
        for question in questions:
            here = self.onlooker.reason(table, choices, seat, question)
            there = self.onlooker.reason(world, others, seat, question)
            if here != there:
                about = f"why `{question}` is legal or not"
                yield self._leak(Promise.ALIKE, seat, about, (here,), (there,), (table, world))

    def _next(
        self,
        table: Table,
        world: Table,
        seat: int,
        choices: Sequence[Choice],
        others: Sequence[Choice],
    ) -> Iterator[Leak]:
        """What the seat hears after the same answer; of all, where several choose together."""
        at = self._dealt % len(choices)
        table = unpicked(self.onlooker, table, world, seat)
        numbers = stream(self.seed, self._dealt, len(self.onlooker.observers))
        mine, yours = others_alike(self.onlooker, table, world, seat, numbers)
        here, is_told = self._heard(table, seat, (choices[at], *mine), 0)
        there, other_told = self._heard(world, seat, (others[at], *yours), 1)
        if is_told or other_told:  # from here on they may differ
            common = min(len(here), len(there))
            here, there = here[:common], there[:common]
        if here != there:
            about = f"what it hears after `{self.onlooker.options(table, choices)[at]}`"
            said = [self.onlooker.hearing.choice(table, choice, seat) for choice in mine]
            about += plain(f", when {', and '.join(said)}") if said else ""
            leak = self._leak(Promise.NEXT, seat, about, here, there, (table, world))
            yield evolve(leak, answers=(choices[at], *mine))

    def _heard(
        self, table: Table, seat: int, answers: Picks, side: int
    ) -> tuple[tuple[str, ...], bool]:
        """What a seat hears from its answer to the next stop, or until it sees a face; and whether
        a step then told something, as its author confirms.  Who chooses with it answers too.

        Dice fall alike on both sides; cards that nobody has seen become others.
        """
        onlooker, tried = self.onlooker, table.copy()
        machine = onlooker.game.interpreter
        log = Log.of(onlooker.hearing, tried)
        onlooker.told.clear()
        heard = UntilTold(onlooker, log)
        watching = Observers((onlooker.game.knowledge, heard))
        try:
            for choice in answers:
                machine.choose(tried, choice, watching)
            for turn in range(_ROUNDS):
                stop = machine.advance(tried, watching)
                if not isinstance(stop, ChanceStop):
                    break
                number = _number(stream(self.seed, self._dealt, seat), stop, turn, side)
                outcome = stop.outcomes.drawn(number.below(stop.outcomes.total))
                machine.draw(tried, outcome, watching)
        except RuleError as error:
            log.entries[seat].append(f"error: {error}")
        return until_sight(log.entries[seat][1:]), heard.closed

    # ---- over all plays

    def _remembered(self, table: Table, seat: int, view: View) -> Iterator[Leak]:
        """P2 and P10: views by what was heard."""
        assert self.log is not None
        entries = self.log.entries[seat]
        looks = (bytes(view).hex(),)
        shown = self.onlooker.drawing(table, seat)
        heard = information_state(self.log, seat)
        yield from self._known_as(Promise.LOG, seat, heard, looks, "its view", shown)
        before = self._before.get(seat)
        if before is not None:
            view_before, told = before
            key = bytes(view_before), tuple(entries[told:])
            yield from self._known_as(Promise.FOLD, seat, key, looks, "its view", shown)
        self._before[seat] = view, len(entries)

    def _known_as(
        self,
        promise: Promise,
        seat: int,
        key: Hashable,
        value: tuple[str, ...],
        about: str,
        shown: tuple[str, ...] | None = None,
    ) -> Iterator[Leak]:
        """What must be the same whenever the key is."""
        found = self._known.setdefault((promise, seat, hash(key)), value)
        if found != value:
            told = found if shown is None else ("something else before",)
            yield self._leak(promise, seat, about, value if shown is None else shown, told)

    def _leak(
        self,
        promise: Promise,
        seat: int,
        about: str,
        here: tuple[str, ...],
        there: tuple[str, ...],
        tables: tuple[Table, Table] | None = None,
    ) -> Leak:
        sides = () if tables is None else self.onlooker.sides(*tables)
        return Leak(promise, seat, about, tuple(map(plain, here)), tuple(map(plain, there)), sides)

    # ---- knowledge

    def _unknown(self, table: Table) -> Iterator[Leak]:
        """P6: tokens without a kind that somebody sees or knows."""
        sight = self.onlooker.game.interpreter.sight
        for token, kind in enumerate(table.kind):
            knowing = sight.sees(table, token) | table.knows[token] | table.looked[token]
            if kind == UNRESOLVED and knowing:
                seat = (knowing & -knowing).bit_length() - 1
                place = self.onlooker.hearing.words.place(table.place[token])
                yield Leak(Promise.UNKNOWN, seat, f"a card in {place}", (), ())
        hidden = Counter(table.pool[t] for t, kind in enumerate(table.kind) if kind == UNRESOLVED)
        if hidden != {pool: sum(counts) for pool, counts in table.pools.items()}:
            yield Leak(Promise.UNKNOWN, len(self.onlooker.observers) - 1, "hidden cards", (), ())

    def _truth(self, table: Table) -> Iterator[Leak]:
        """P4: facts that what lies there contradicts."""
        for (seat, place), fact in table.facts.items():
            there = self._possible(table, seat, place)
            if any(count > there[sort] for sort, count in enumerate(fact)):
                about = f"what lies in {self.onlooker.hearing.words.place(place)}"
                yield Leak(Promise.TRUTH, seat, about, (), ())

    def _possible(self, table: Table, seat: int, place: int) -> Counter[int]:
        """The most there may be of each sort among the tokens of a place a seat cannot name."""
        machine = self.onlooker.game.interpreter
        found: Counter[int] = Counter()
        pools = set()
        for token in table.cells[place]:
            named = machine.sight.sees(table, token) | table.knows[token]
            if named >> seat & 1:
                continue
            if table.kind[token] == UNRESOLVED:
                pools.add(table.pool[token])
            else:
                found[machine.statics.sort(table, token)] += 1
        for pool in sorted(pools):
            found.update(dict(enumerate(table.pools[pool])))
        return found


def until_sight(entries: Sequence[str]) -> tuple[str, ...]:
    """Entries up to the first face that is seen."""
    heard = []
    for entry in entries:
        heard.append(entry.partition(FACE[0])[0])
        if FACE[0] in entry:
            break
    return tuple(heard)


def _asked(stop: Stop) -> dict[int, tuple[Choice, ...]]:
    """The seats a stop asks, each with its choices."""
    match stop:
        case Decision(seat=seat, choices=choices):
            return {seat: choices}
        case JointDecision(seats=seats, choices=by_seat):
            return dict(zip(seats, by_seat, strict=True))
        case _:
            return {}


def _number(source: Stream, stop: ChanceStop, turn: int, side: int) -> Stream:
    """Where chance comes from at a stop: for hidden cards another source on each side."""
    hidden = stop.outcomes[0].settles is not None
    at = 3 * (stop.node * _ROUNDS + turn) + hidden * (1 + side)
    return stream(source.below(2**32), at, CHANCE)
