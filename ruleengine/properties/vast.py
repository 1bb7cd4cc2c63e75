"""Every situation of a game that is too large for the reference, gone through by a machine.

The machine asks the invariants at every stop and stops where one is broken; the interpreter then
makes the same move and says what is wrong.  Claims are asked of every situation behind that, if
all were found.
"""

from collections.abc import Callable, Sequence
from typing import Final

from attrs import define, field

from compiler.graph.core import Claim
from compiler.lir.exploring.breadth import CHANCE, ENDED, NOWHERE
from compiler.lir.reps import Unsupported
from ruleengine.batch import lowered
from ruleengine.compiled.machine import Stopped, Unavailable
from ruleengine.compiled.situations import Situations, lawful_situations
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.properties.laws import Broken, Law, as_broken
from ruleengine.properties.looking import Lawful
from ruleengine.properties.promises import Promises, broken_claim, sought
from ruleengine.properties.sweep import Swept

_ASKED: Final = 20_000  # situations of which claims are asked, which the interpreter does


@define(eq=False)
class Vast:
    """Goes through up to `limit` situations of a game."""

    game: Instance
    lawful: Lawful
    promises: Promises
    limit: int
    _run: Situations = field(init=False)
    _starts: Sequence[int] = field(init=False)
    _rows: Sequence[int] = field(init=False)
    _broken: dict[object, tuple[Broken, tuple[int, ...]]] = field(factory=dict, init=False)
    _met: dict[Claim, list[int]] = field(factory=dict, init=False)
    _origins: list[tuple[int, int]] = field(factory=list, init=False)

    def run(self) -> Swept | str:
        """What came of it, or why no machine did it."""
        if any(claim.phase is not None for claim, _ in self.promises.claims):
            return "claims about phases are asked between situations"
        try:
            self._run = lawful_situations(lowered(self.game), self.limit, look=self.lawful.look)
        except (Unsupported, Unavailable, Stopped) as error:
            return str(error)
        self._starts, self._rows = self._run.starts(), self._run.rows()
        complete = self._run.looked == self._run.count and not self._run.beyond
        if complete and self.promises.claims and self._run.count > _ASKED:
            return f"claims are not asked of more than {_ASKED:,} situations"
        ends = [at for at in range(self._run.looked) if self._rows[self._starts[at]] == ENDED]
        self._note_faults(ends)
        if complete:
            self._decide(ends)
        return Swept(
            complete,
            self._run.looked,
            len(self._run.layers) - 1,
            len(ends),
            tuple(self._broken.values()),
            tuple((claim, self._path(at[0])) for claim, at in self._met.items() if at),
        )

    # ---- what is wrong

    def _note_faults(self, ends: list[int]) -> None:
        ranks: dict[int, int] = {}
        for fault in self._run.nowhere:
            at = fault.situation
            there = self._next(at)
            ranks[at] = there.index(NOWHERE, ranks.get(at, -1) + 1)
            self._note(fault.error, (*self._path(at), ranks[at]))
        for at in ends:
            if not self._rows[self._starts[at] + 1]:
                message = "the game ends, and nobody wins or draws"
                self._note(Broken(Law.WINNERS, Law.WINNERS.value, message), self._path(at))
                break

    def _note(self, error: RuleError, path: tuple[int, ...]) -> None:
        broken = as_broken(error)
        self._broken.setdefault((broken.law, broken.title), (broken, path))

    # ---- what is about whole plays

    def _decide(self, ends: list[int]) -> None:
        """Now that all situations are known: what never happens, and what need not."""
        self._ask_claims()
        if self._broken:
            return
        way = self._doomed(ends)
        if way is not None:
            self._note(Broken(Law.END, Law.END.value, "from here no game ends any more"), way)
        for claim in sought(self.game.graph):
            met = self._met.get(claim, [])
            if claim.mode == "possible":
                if not met:
                    count = self._run.count
                    message = f"no play comes there: all {count:,} situations were seen"
                    self._note(broken_claim(claim, message), ())
                continue
            way = self._doomed(met)
            if way is not None:
                self._note(broken_claim(claim, "from here on it never will be"), way)

    def _ask_claims(self) -> None:
        for at in range(self._run.count if self.promises.claims else 0):
            table = self._run.table(at)
            self.promises.begin()
            try:
                self.promises.ask(table)
            except Broken as broken:
                self._note(broken, self._path(at))
            for claim in self.promises.met:
                self._met.setdefault(claim, []).append(at)

    def _next(self, at: int) -> list[int]:
        """Where the moves of a situation lead."""
        begin, end = self._starts[at], self._starts[at + 1]
        mover = self._rows[begin]
        if mover == ENDED:
            return []
        return list(self._rows[begin + 1 : end : 2 if mover == CHANCE else 1])

    def _path(self, at: int) -> tuple[int, ...]:
        """The moves that lead to a situation, as few as there are."""
        if not self._origins:
            self._origins = [(-1, 0)] * self._run.count
            seen = 1
            for one in range(self._run.looked):
                for rank, there in enumerate(self._next(one)):
                    if there == seen:  # they are numbered as they are found
                        self._origins[there] = one, rank
                        seen += 1
        ranks: list[int] = []
        while at > 0:
            at, rank = self._origins[at]
            ranks.append(rank)
        return tuple(reversed(ranks))

    def _doomed(self, met: list[int]) -> tuple[int, ...] | None:
        """The shortest way, not through any of these situations, to where none can be met."""
        count = self._run.count
        before: list[list[int]] = [[] for _ in range(count)]
        for at in range(count):
            for there in self._next(at):
                before[there].append(at)
        hopeful = bytearray(count)
        waiting = list(met)
        for at in met:
            hopeful[at] = 1
        while waiting:
            for at in before[waiting.pop()]:
                if not hopeful[at]:
                    hopeful[at] = 1
                    waiting.append(at)
        if all(hopeful):
            return None
        return self._first_way(frozenset(met), lambda at: not hopeful[at])

    def _first_way(
        self, barred: frozenset[int], wanted: Callable[[int], bool]
    ) -> tuple[int, ...] | None:
        """The shortest way to a situation that is wanted, past those that are barred."""
        ways: dict[int, tuple[int, ...]] = {} if 0 in barred else {0: ()}
        waiting = list(ways)
        for at in waiting:
            if wanted(at):
                return ways[at]
            for rank, there in enumerate(self._next(at)):
                if there not in ways and there not in barred:
                    ways[there] = (*ways[at], rank)
                    waiting.append(there)
        return None
