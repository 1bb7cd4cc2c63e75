"""Looks at the tables of a game: tokens, bytes, invariants, the end."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from attrs import define, field

from compiler.graph.core import Call, Flow, Invariant, Jump
from ruleengine.closures import Closure
from ruleengine.errors import Unresolved
from ruleengine.game import Instance
from ruleengine.properties.laws import Broken, Law
from ruleengine.properties.promises import Promises
from ruleengine.spelling import Unpackable
from ruleengine.stops import Decision, JointDecision, Stop, Terminal
from ruleengine.table import Table

_LOOP: Final = 5
_PACKED_EVERY: Final = 8  # stops between two at which a state is turned to bytes and back


@define(eq=False)
class Lawful:
    """Looks at tables of one game; raises `Broken`.

    Where `noted` is a list, invariants that do not hold are put there instead: the game can go on.
    """

    game: Instance
    _copies: tuple[tuple[int, ...], ...]  # per class: copies of each kind
    _at_stops: list[tuple[Invariant, Sequence[Closure]]] = field(factory=list)
    _seen: int = 0
    noted: list[Broken] | None = None

    @classmethod
    def of(cls, game: Instance) -> "Lawful":
        """That of a game, whose machine it also watches for phases that begin."""
        copies = tuple(
            tuple(kind.copies for kind in token_class.kinds) for token_class in game.graph.classes
        )
        lawful = cls(game, copies)
        for invariant in game.graph.invariants:
            facts = [game.interpreter.terms.closed(fact.term) for fact in invariant.facts]
            if invariant.at_phase is None:
                lawful._at_stops.append((invariant, facts))
            else:
                lawful._watch(invariant.at_phase, invariant, facts)
        return lawful

    def _watch(self, phase: str, invariant: Invariant, facts: Sequence[Closure]) -> None:
        """Looks whenever a phase begins: behind every step that calls it or goes on as it."""

        def look(table: Table) -> None:
            self._hold(invariant, facts, table)

        for node in self.game.graph.nodes:
            match node.step:
                case Flow(Call(name) | Jump(name)) if name == phase:
                    self.game.interpreter.watch(node.id, look)
                case _:
                    pass

    def look(self, table: Table, stop: Stop) -> None:
        """Looks at a stop."""
        lost = self._lost(table)
        if lost is not None:
            raise Broken(Law.CONSERVATION, Law.CONSERVATION.value, lost)
        asks = isinstance(stop, Decision | JointDecision)
        for invariant, facts in self._at_stops:
            if asks or not invariant.at_decisions:
                self._hold(invariant, facts, table)
        if isinstance(stop, Terminal) and (stop.result is None or not stop.result.winners):
            raise Broken(Law.WINNERS, Law.WINNERS.value, "the game ends, and nobody wins or draws")
        self._seen += 1
        if self._seen % _PACKED_EVERY == 0:
            self._pack(table)

    def _hold(self, invariant: Invariant, facts: Sequence[Closure], table: Table) -> None:
        broken = _broken(invariant, facts, table)
        if broken is None:
            return
        if self.noted is None:
            raise broken
        self.noted.append(broken)

    def _lost(self, table: Table) -> str | None:
        """What is wrong with the tokens as a whole."""
        places = self.game.graph.places
        lying = [token for cells in table.cells for token in cells]
        if sorted(lying) != list(range(len(table.kind))):
            return f"{len(lying)} tokens lie somewhere, and there are {len(table.kind)}"
        said = table.place
        for place, cells in enumerate(table.cells):
            if [token for token in cells if said[token] != place]:
                return f"a token lies in {places[place].label} and says it lies elsewhere"
        statics = self.game.interpreter.statics
        for class_index, copies in enumerate(self._copies):
            tokens = statics.class_tokens[class_index]
            found = Counter(table.kind[tokens.start : tokens.stop])  # also those without a kind
            bits = len(statics.sticky_bits[class_index])
            for pool, counts in table.pools.items():
                if statics.pool_class(pool) == class_index:
                    for sort, count in enumerate(counts):
                        found[sort >> bits] += count
            if [found[kind] for kind in range(len(copies))] != list(copies):
                return f"the kinds of {self.game.graph.classes[class_index].name} have changed"
        return None

    def _pack(self, table: Table) -> None:
        packing = self.game.packing
        try:
            data = packing.pack(table)
            again = packing.pack(packing.unpack(data))
        except Unpackable as error:
            raise Broken(Law.BOUNDS, Law.BOUNDS.value, str(error)) from error
        if again != data:
            message = "a state that is read from its bytes has others"
            raise Broken(Law.BOUNDS, Law.BOUNDS.value, message)


def _broken(invariant: Invariant, facts: Sequence[Closure], table: Table) -> Broken | None:
    """What of an invariant does not hold, if anything does not."""
    for fact, holds in zip(invariant.facts, facts, strict=True):
        try:
            held = holds(table)
        except Unresolved:
            continue  # it depends on what nobody knows yet: neither kept nor broken
        if not held:
            clauses = tuple(dict.fromkeys((*invariant.clauses, *fact.clauses)))
            message = "this does not hold"
            span = fact.span or invariant.span
            return Broken(Law.INVARIANT, invariant.title, message, clauses, span)
    return None


@define(eq=False)
class Looking:
    """Looks for everything at once, in one play after the other.

    If it is `going_on`, broken invariants and claims end no play: `noted` has the first of each in
    the play at hand, and after how many moves that was.
    """

    lawful: Lawful
    promises: Promises
    noted: dict[tuple[Law, str], tuple[Broken, int]] = field(factory=dict)
    _moves: int = -1

    @classmethod
    def of(
        cls, game: Instance, node_limit: int | None = None, *, going_on: bool = False
    ) -> "Looking":
        """What looks at the plays of a game, whose machine it also watches.

        Where a play is given up after `node_limit` steps, five times as many without a stop are
        taken for an endless loop.
        """
        if node_limit is not None:
            machine = game.interpreter
            machine.limit = min(machine.limit, _LOOP * node_limit)
        looking = cls(Lawful.of(game), Promises.of(game))
        looking.lawful.noted = [] if going_on else None
        return looking

    def begin(self) -> None:
        """A play begins."""
        self.promises.begin()
        self.noted.clear()
        self._moves = -1
        if self.lawful.noted is not None:
            self.lawful.noted.clear()

    def look(self, table: Table, stop: Stop) -> None:
        """Looks at a stop; raises `Broken`."""
        self._moves += 1
        self.lawful.look(table, stop)
        for broken in self.lawful.noted or ():
            self._note(broken)
        try:
            self.promises.look(table, stop)
        except Broken as broken:
            if self.lawful.noted is None:
                raise
            self._note(broken)

    def _note(self, broken: Broken) -> None:
        self.noted.setdefault((broken.law, broken.title), (broken, self._moves))
