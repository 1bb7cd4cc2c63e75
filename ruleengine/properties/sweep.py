"""Every situation of a small game, looked at once: the nearest are looked at first.

What breaks is thus found after the fewest moves there are.  When all situations have been looked
at, what holds in them is proved for this configuration, and `possible` and `surely` are decided.

A variable that only invariants and claims read is no part of a state; here it is, since they may
depend on what it was when no rule asked for it any more.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final

from attrs import define, field, frozen

from compiler.graph.core import Claim, Value
from compiler.graph.walk import variable_reads
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.properties.laws import Broken, Law, as_broken
from ruleengine.properties.looking import Lawful
from ruleengine.properties.promises import Promises, broken_claim, sought
from ruleengine.stops import Outcome, Stop, Terminal
from ruleengine.table import Table
from ruleengine.trail import moves

_GOING_ON: Final = (Law.INVARIANT, Law.CLAIM)  # a game goes on behind what breaks these
_MOVES: Final = 3  # moves that are made for each situation of the limit, at most


@frozen
class Swept:
    """What came of it: how many situations, up to how many moves away, and whether that is all.

    `broken` has what broke first of each sort with the moves that lead there, `met` the claims that
    are sought with those that lead to where they are true.
    """

    complete: bool
    states: int
    depth: int
    ends: int
    broken: tuple[tuple[Broken, tuple[int, ...]], ...]
    met: tuple[tuple[Claim, tuple[int, ...]], ...]


@define(eq=False)
class Sweep:
    """Goes through the situations of a game: up to `limit` of them, and thrice as many moves."""

    game: Instance
    lawful: Lawful
    promises: Promises
    limit: int
    _cores: list[bytes] = field(factory=list, init=False)
    _values: list[tuple[Value, ...]] = field(factory=list, init=False)  # of what is asked about
    _asked: tuple[int, ...] = field(default=(), init=False)  # slots
    _origins: list[tuple[int, int]] = field(factory=list, init=False)  # from where, by which move
    _depth: list[int] = field(factory=list, init=False)
    _next: list[tuple[tuple[int, int], ...]] = field(factory=list, init=False)  # moves, to where
    _moves: int = field(default=0, init=False)
    _number: dict[tuple[bytes, tuple[Value, ...]], int] = field(factory=dict, init=False)
    _ends: set[int] = field(factory=set, init=False)
    _met: dict[Claim, set[int]] = field(factory=dict, init=False)
    _passed: dict[Claim, set[tuple[int, int]]] = field(
        factory=dict, init=False
    )  # moves that met it
    _broken: dict[object, tuple[Broken, tuple[int, ...]]] = field(factory=dict, init=False)

    def run(self) -> Swept:
        """Goes through all situations, or as many as the limit allows."""
        self._asked = tuple(_asked(self.game))
        self.lawful.noted = []  # what does not hold is noted, and the game goes on
        self._start()
        most = self.limit * _MOVES
        while len(self._next) < len(self._cores) <= self.limit and self._moves <= most:
            self._next.append(self._look(len(self._next)))
        self.lawful.noted = None
        complete = len(self._next) == len(self._cores)
        if complete:
            self._decide()
        return Swept(
            complete,
            len(self._next),
            self._depth[len(self._next) - 1] if self._next else 0,
            len(self._ends),
            tuple(self._broken.values()),
            tuple((claim, self._way(claim)) for claim in {**self._met, **self._passed}),
        )

    # ---- one situation

    def _start(self) -> None:
        machine = self.game.interpreter
        self.promises.begin()
        try:
            table = machine.start()
            stop = machine.advance(table)
            self._arrive(table, stop, (-1, 0), 0)
        except RuleError as error:
            self._note(error, ())

    def _arrive(self, table: Table, stop: Stop, origin: tuple[int, int], depth: int) -> int:
        """Looks at a table before what no rule can read any more is cleared; its number."""
        self.lawful.look(table, stop)
        self._hold(table, stop, origin)
        core = self.game.packing.pack(table)[: self.game.packing.core_size]
        values = tuple(table.values[slot] for slot in self._asked)
        number = self._number.setdefault((core, values), len(self._cores))
        if number == len(self._cores):
            self._cores.append(core)
            self._values.append(values)
            self._origins.append(origin)
            self._depth.append(depth)
        for claim in self.promises.met:
            if claim.phase is None or origin[0] < 0:
                self._met.setdefault(claim, set()).add(number)
            else:
                self._passed.setdefault(claim, set()).add(origin)
        if isinstance(stop, Terminal):
            self._ends.add(number)
        return number

    def _look(self, at: int) -> tuple[tuple[int, int], ...]:
        """Makes every move of a situation; the moves, and the numbers of where they lead."""
        machine, packing = self.game.interpreter, self.game.packing
        core = self._cores[at]
        table = packing.unpack(core + bytes(packing.size - len(core)))
        for slot, value in zip(self._asked, self._values[at], strict=True):
            table.values[slot] = value
        stop = machine.advance(table)
        found: list[tuple[int, int]] = []
        for rank, move in enumerate(moves(stop)):
            trial = table.copy()
            self._moves += 1
            self.promises.begin()
            try:
                if isinstance(move, Outcome):
                    machine.draw(trial, move)
                else:
                    machine.choose(trial, move)
                then = machine.advance(trial)
                found.append((rank, self._arrive(trial, then, (at, rank), self._depth[at] + 1)))
            except RuleError as error:
                self._note(error, (*self._path(at), rank))
        return tuple(found)

    def _hold(self, table: Table, stop: Stop, origin: tuple[int, int]) -> None:
        """Notes the invariants and claims that do not hold."""
        at, rank = origin
        path = (*self._path(at), rank) if at >= 0 else ()
        for broken in self.lawful.noted or ():
            self._note(broken, path)
        if self.lawful.noted:
            self.lawful.noted.clear()
        try:
            self.promises.look(table, stop)
        except Broken as broken:
            self._note(broken, path)

    def _note(self, error: RuleError, path: tuple[int, ...]) -> None:
        broken = as_broken(error)
        self._broken.setdefault((broken.law, broken.title), (broken, path))

    def _path(self, at: int) -> tuple[int, ...]:
        """The moves that lead to a situation."""
        ranks: list[int] = []
        while at > 0:
            at, rank = self._origins[at]
            ranks.append(rank)
        return tuple(reversed(ranks))

    def _way(self, claim: Claim) -> tuple[int, ...]:
        """The moves that lead to where a claim that is sought is first met."""
        there = [self._path(min(self._met[claim]))] if self._met.get(claim) else []
        passed = self._passed.get(claim)
        if passed:
            at, rank = min(passed)
            there.append((*self._path(at), rank))
        return min(there, key=len)

    # ---- what is about whole plays

    def _decide(self) -> None:
        """Now that all situations are known: what never happens, and what need not.

        Where a rule breaks down, plays end there, and nothing is said about whole ones.
        """
        if any(broken.law not in _GOING_ON for broken, _ in self._broken.values()):
            return
        way = self._doomed(self._ends, set())
        if way is not None:
            self._note(Broken(Law.END, Law.END.value, "from here no game ends any more"), way)
        for claim in sought(self.game.graph):
            met, passed = self._met.get(claim, set()), self._passed.get(claim, set())
            if claim.mode == "possible":
                if not met and not passed:
                    message = f"no play comes there: all {len(self._cores):,} situations were seen"
                    self._note(broken_claim(claim, message), ())
                continue
            way = self._doomed(met, passed)
            if way is not None:
                self._note(broken_claim(claim, "from here on it never will be"), way)

    def _doomed(self, met: set[int], passed: set[tuple[int, int]]) -> tuple[int, ...] | None:
        """The shortest way, not through these situations and moves, to where none can be met."""
        before: dict[int, list[int]] = {}
        for at, found in enumerate(self._next):
            for _, there in found:
                before.setdefault(there, []).append(at)
        hopeful = met | {at for at, _ in passed}
        waiting = list(hopeful)
        while waiting:
            for at in before.get(waiting.pop(), ()):
                if at not in hopeful:
                    hopeful.add(at)
                    waiting.append(at)
        return next((way for at, way in self._around(met, passed) if at not in hopeful), None)

    def _around(
        self, met: set[int], passed: set[tuple[int, int]]
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """What can be come to without some situations and moves, nearest first, and the ways."""
        seen = {0} - met
        waiting: deque[tuple[int, tuple[int, ...]]] = deque((at, ()) for at in seen)
        while waiting:
            at, way = waiting.popleft()
            yield at, way
            for rank, there in self._next[at]:
                if there not in seen and there not in met and (at, rank) not in passed:
                    seen.add(there)
                    waiting.append((there, (*way, rank)))


def _asked(game: Instance) -> Iterator[int]:
    """The slots of the game's variables that invariants and claims read."""
    terms = [fact.term for invariant in game.graph.invariants for fact in invariant.facts]
    terms += [claim.term for claim in game.graph.claims]
    read = dict.fromkeys(variable for variable, _ in variable_reads(*terms))
    for variable in read:
        if variable.phase is None:
            first = game.interpreter.statics.offset(variable)
            yield from range(first, first + variable.size)
