"""Goes through all situations of a game, nearest first.

A program for that has a function `expand(address)`, which makes every move of the situation whose
record is there: it writes what is come to as the key and calls `arrive`.  What is found lies in
memory: records in the order of their numbers, and for each situation that has been looked at a row
of numbers in `rows`, from where `starts` says:

* who moves (a seat, or `CHANCE`), then where each answer leads; for chance also its weight;
* `ENDED`, then the winners as a mask with a bit for a draw above, then scores, if there are any.

A move that leads nowhere, because a rule breaks down behind it, leads to `NOWHERE`.
"""

from typing import Final

from attrs import frozen

from compiler.lir.build import add, compare, num
from compiler.lir.core import Expr, Function, Local, Op
from compiler.lir.exploring.single import Single
from compiler.lir.exploring.table import SPARE, Desk, Ground, Key, Table
from compiler.lir.stepwise.code import (
    Code,
    at_least,
    function,
    is_,
    less,
    plus,
    put_word,
    word,
)

CHANCE: Final = -1
ENDED: Final = -2
NOWHERE: Final = -1

_ROW: Final = 256  # numbers for each situation, on average


@frozen(eq=False)
class Finding:
    """Where what is found lies, and the words in which the host and the program speak.

    `at` is the situation to be looked at next, `top` the number behind the last in `rows`,
    `nowhere` counts moves that led nowhere, and belongs to the limit; `dropped` is 1 once
    there was no room for rows.
    """

    table: Table | Single
    starts: int
    rows: int
    room: int
    desk: Desk
    at: int
    top: int
    nowhere: int
    dropped: int

    @classmethod
    def of(cls, ground: Ground, key: Key, desk: Desk, limit: int, largest: int) -> "Finding":
        """That of up to so many situations, fewer if `largest` bytes do not hold as many."""
        words = [ground.word() for _ in range(4)]
        kind = Table if key.bits is None else Single
        most = (largest // 2 - ground.end) // (key.record + kind.ENTRY_BYTES + 4) - SPARE
        table = kind(ground, key, max(1, min(limit, most)))
        starts = ground.room(4 * (table.room + 1))
        room = max(0, min(_ROW * table.room, (largest - ground.room(0)) // 4))
        return cls(table, starts, ground.room(4 * room), room, desk, *words)

    @property
    def key(self) -> Key:
        """Where a situation is written before it is looked for."""
        return self.table.key

    def functions(self) -> tuple[Function, ...]:
        """All that goes round `expand`."""
        return (
            *self.table.functions(self._answered),
            function("note", ("number",), self._note, gives=None),
            function("arrive", ("weight",), self._arrive, gives=None, exported=True),
            function("heavier", ("weight",), self._heavier, gives=None),
            function("explore", ("until",), self._explore, gives=None, exported=True),
            function("nowhere", ("weight",), self._nowhere, gives=None, exported=True),
        )

    def _answered(self, code: Code, number: Expr, row: Expr) -> None:
        """Writes where a move leads."""
        spot = code.local("spot", row)
        with code.when(less(spot, self.room)) as kept:
            kept.put(put_word(self.rows, number, spot))

    def _note(self, code: Code, number: Local) -> None:
        """One more number in the row."""
        top = code.local("top", word(self.top))
        with code.when(at_least(top, self.room)) as full:
            full.put(put_word(self.dropped, 1))
            full.give()
        code.put(put_word(self.rows, number, top), put_word(self.top, plus(top, 1)))

    def _arrive(self, code: Code, weight: Local) -> None:
        """The key is what a move leads to."""
        top = code.local("top", word(self.top))
        code.do("ask", top)
        with code.when(at_least(top, self.room - 1)) as full:
            full.do("note", 0)
            with full.when(is_(word(self.desk.mover), CHANCE)) as drawn:
                drawn.do("note", weight)
            full.give()
        code.step(top)
        with code.when(is_(word(self.desk.mover), CHANCE)) as drawn:
            drawn.put(put_word(self.rows, weight, top))
            drawn.step(top)
        code.put(put_word(self.top, top))

    def _heavier(self, code: Code, weight: Local) -> None:
        """What chance came to last is more likely by a weight."""
        top = code.local("top", plus(word(self.top), -1))
        more = add(word(self.rows, top), weight)
        with code.when(is_(word(self.dropped), 0)) as kept:
            kept.put(put_word(self.rows, more, top))

    def _nowhere(self, code: Code, weight: Local) -> None:
        """A move led nowhere."""
        code.do("note", NOWHERE)
        with code.when(is_(word(self.desk.mover), CHANCE)) as drawn:
            drawn.do("note", weight)
        code.put(put_word(self.nowhere, plus(word(self.nowhere), 1)))

    def _explore(self, code: Code, until: Local) -> None:
        """Looks at situations up to before that number, or until there are more than the limit."""
        with code.loop("explore") as each:
            at = each.local("at", word(self.at))
            each.leave_if(at_least(at, until))
            with each.when(is_(word(self.desk.first), 0)) as fresh:
                fresh.put(put_word(self.starts, word(self.top), at))
                fresh.do("note", 0)
            with each.when(at_least(word(self.desk.first), 0)) as more:
                more.do("expand", plus(self.table.offset(at), self.table.records))
            start = each.local("start", word(self.starts, at))
            with each.when(less(start, self.room)) as kept:
                kept.put(put_word(self.rows, word(self.desk.mover), start))
            each.put(put_word(self.desk.first, 0), put_word(self.at, plus(at, 1)))
            each.put(put_word(self.starts, word(self.top), plus(at, 1)))
            found = plus(word(self.table.count), word(self.nowhere))
            perhaps = plus(found, word(self.table.waiting))
            with each.when(compare(Op.GT, perhaps, num(self.table.limit))) as near:
                near.do("answer")
                found = plus(word(self.table.count), word(self.nowhere))
                beyond = near.keep(compare(Op.GT, found, num(self.table.limit)))
                with near.when(beyond) as over:
                    each.leave_from(over)
        code.do("answer")
