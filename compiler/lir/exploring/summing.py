"""Goes once through what was found, and adds up: who moves, how it ends, how many ways lead there.

Ways are counted layer by layer, where every move leads one layer on; where one does not, or there
are more ways than a word holds, only the rest is added up.
"""

from typing import Final

from attrs import frozen

from compiler.lir.build import add, binary, mask
from compiler.lir.core import MASK, Continue, Expr, Function, Local, Op, Store
from compiler.lir.exploring.breadth import CHANCE, ENDED, NOWHERE
from compiler.lir.exploring.table import Ground, load8
from compiler.lir.stepwise.code import (
    Code,
    Loops,
    at_least,
    function,
    is_,
    joined,
    less,
    plus,
    put_word,
    times,
    word,
)
from compiler.lir.telling import IS_UNSCORED

_ENDINGS: Final = 2 * IS_UNSCORED  # numbers that tell how a game ends, where it has no scores
_MOST: Final = 1 << 62  # ways


@frozen(eq=False)
class Summing:
    """Where sums lie; ways are counted of up to `room` situations.

    Of all that was gone through: how many situations end, ask a seat, wait for chance (`counts`);
    and, unless there are scores, the endings in the order they were found (`endings`, so `many`),
    with how many situations end so (`counted`) and ways lead there (`come_to`), by what tells them.

    Of the layer that was gone through last: ways to its situations of each sort, then those of one
    move more (`layer`, four numbers of eight bytes).  `uneven` is 1 once ways cannot be counted.
    """

    is_scored: bool
    room: int
    ways: int
    uneven: int
    counts: int
    layer: int
    many: int
    endings: int
    counted: int
    come_to: int

    @classmethod
    def of(cls, ground: Ground, room: int, *, is_scored: bool) -> "Summing":
        """That of one program."""
        ways, uneven = ground.room(8 * room), ground.word()
        counts, layer, many = ground.room(12), ground.room(32), ground.word()
        few = 0 if is_scored else _ENDINGS
        tables = [ground.room(size * few) for size in (4, 4, 8)]
        return cls(is_scored, room, ways, uneven, counts, layer, many, *tables)

    def functions(self, starts: int, rows: int) -> tuple[Function, ...]:
        """To begin, for so many situations, and to go through one layer more."""
        return (
            function("begin_sums", ("count", "uneven"), self._begin, gives=None, exported=True),
            function(
                "sum_up",
                ("begin", "end"),
                lambda code, begin, end: self._sum_up(code, starts, rows, begin, end),
                gives=None,
                exported=True,
            ),
        )

    def _begin(self, code: Code, count: Local, uneven: Local) -> None:
        with code.when(is_(uneven, 0)) as even:
            with even.up_to(count) as (each, i):
                each.put(Store(8, self.ways, times(i, 8), mask(0)))
            even.put(Store(8, self.ways, None, mask(1)))
        if not self.is_scored:
            with code.up_to(word(self.many)) as (each, i):
                told = each.keep(word(self.endings, i))
                each.put(put_word(self.counted, 0, told))
                each.put(Store(8, self.come_to, times(told, 8), mask(0)))
        code.put(put_word(self.many, 0), put_word(self.uneven, uneven))
        code.put(*(put_word(self.counts, 0, i) for i in range(3)))

    def _sum_up(self, code: Code, starts: int, rows: int, begin: Local, end: Local) -> None:
        code.put(*(Store(8, self.layer + 8 * i, None, mask(0)) for i in range(4)))
        with code.up_to(end, begin) as (each, at):
            start = each.local("start", word(starts, at))
            mover = each.local("mover", word(rows, start))
            ways = each.local("ways", load8(self.ways, times(at, 8)), MASK)
            with each.when(is_(mover, ENDED)) as over:
                self._one_more(over, 0, ways)
                if not self.is_scored:
                    self._note(over, over.keep(word(rows, plus(start, 1))), ways)
                over.put(Continue(each.name))
            is_drawn = each.keep(is_(mover, CHANCE))
            with each.either(is_drawn) as (drawn, asked):
                self._one_more(asked, 1, ways)
                self._one_more(drawn, 2, ways)
            each.again_if(word(self.uneven))
            stop = each.keep(word(starts, plus(at, 1)))
            self._lead_on(each, (rows, start, stop), plus(is_drawn, 1), ways, end)

    def _one_more(self, code: Code, sort: int, ways: Expr) -> None:
        code.put(put_word(self.counts, plus(word(self.counts, sort), 1), sort))
        total = add(load8(self.layer + 8 * sort), ways)
        code.put(Store(8, self.layer + 8 * sort, None, total))

    def _note(self, code: Code, told: Expr, ways: Expr) -> None:
        """One more situation ends so."""
        with code.when(is_(word(self.counted, told), 0)) as first:
            first.put(put_word(self.endings, told, word(self.many)))
            first.put(put_word(self.many, plus(word(self.many), 1)))
        code.put(put_word(self.counted, plus(word(self.counted, told), 1), told))
        total = code.local("total", add(load8(self.come_to, times(told, 8)), ways), MASK)
        code.put(Store(8, self.come_to, times(told, 8), total))
        self._give_up(code, binary(Op.GE, total, mask(_MOST)))

    def _give_up(self, code: Code, test: Expr) -> None:
        """Counts no ways any more if a test holds."""
        code.put(put_word(self.uneven, joined(word(self.uneven), test)))

    def _lead_on(
        self, code: Loops, row: tuple[int, Expr, Expr], step: Expr, ways: Expr, end: Local
    ) -> None:
        """Adds the ways to a situation to those of each that a move of it leads to."""
        rows, start, stop = row
        spot = code.local("spot", plus(start, 1))
        stride = code.keep(step)
        ahead = code.local("ahead", load8(self.layer + 24), MASK)
        with code.loop("moves") as each:
            each.leave_if(at_least(spot, stop))
            there = each.local("there", word(rows, spot))
            each.step(spot, stride)
            each.set(ahead, add(ahead, ways))
            each.again_if(is_(there, NOWHERE))
            is_bad = joined(less(there, end), binary(Op.GE, ahead, mask(_MOST)))
            with each.when(is_bad) as bad:
                bad.put(put_word(self.uneven, 1))
                each.leave_from(bad)
            before = load8(self.ways, times(there, 8))
            each.put(Store(8, self.ways, times(there, 8), add(before, ways)))
        code.put(Store(8, self.layer + 24, None, ahead))
        self._give_up(code, binary(Op.GE, ahead, mask(_MOST)))
