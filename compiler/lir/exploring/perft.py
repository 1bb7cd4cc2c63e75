"""Counts sequences of moves by their number: goes through the tree of a game, depth first.

Situations that can be come to in several ways are counted as often.  At the last move but one the
moves are only counted, not made.
"""

from typing import Final

from attrs import frozen

from compiler.lir.build import add, binary, equal, num, to_mask
from compiler.lir.core import Continue, Expr, Function, Local, Op, Store
from compiler.lir.exploring.table import FULL, Desk, Ground, Key, copied, load8
from compiler.lir.stepwise.code import (
    Code,
    at_least,
    call,
    function,
    is_,
    less,
    plus,
    put_word,
    times,
    word,
)

DEEPEST: Final = 512
"""Moves of the longest sequences that are counted."""

_BUFFER: Final = 1 << 28


@frozen(eq=False)
class Counting:
    """Where counts lie, and the words in which the host and the program speak.

    `counts` has the number of sequences of each length, eight bytes each.  `ready` is 1 when all
    are counted; the buffer holds what is still to be gone through.
    """

    key: Key
    desk: Desk
    buffer: int
    room: int
    counts: int
    depth: int
    level: int
    top: int
    begins: int
    nexts: int
    ends: int

    @classmethod
    def of(cls, ground: Ground, key: Key, desk: Desk) -> "Counting":
        """That of one program."""
        counts = ground.room(8 * (DEEPEST + 2))
        depth, level, top = (ground.word() for _ in range(3))
        levels = [ground.room(4 * (DEEPEST + 2)) for _ in range(3)]
        room = _BUFFER // key.record * key.record
        return cls(key, desk, ground.room(room), room, counts, depth, level, top, *levels)

    def functions(self) -> tuple[Function, ...]:
        """All that goes round `expand` and `moves`."""
        return (
            function("note", ("number",), lambda code, _: code.give(), gives=None),
            function("arrive", ("weight",), self._arrive, gives=None, exported=True),
            function("heavier", ("weight",), lambda code, _: code.give(), gives=None),
            function("begin", ("depth",), self._begin, gives=None, exported=True),
            function("count", ("many",), self._count, exported=True),
        )

    def _arrive(self, code: Code, weight: Local) -> None:
        """The key is what a move leads to."""
        del weight
        top = code.local("top", word(self.top))
        code.trap_if(at_least(top, self.room), FULL)
        copied(code, self.key.record // 8, self.buffer, self.key.address, to_at=top)
        code.put(put_word(self.top, plus(top, self.key.record)))

    def _begin(self, code: Code, depth: Local) -> None:
        """Begins anew at the situation that is the key."""
        with code.up_to(DEEPEST + 2) as (each, i):
            each.put(Store(8, self.counts, times(i, 8), to_mask(is_(i, 0))))
        code.put(put_word(self.depth, depth), put_word(self.level, 0), put_word(self.top, 0))
        code.do("arrive", 1)
        code.put(put_word(self.begins, 0), put_word(self.nexts, 0))
        code.put(put_word(self.ends, word(self.top)))

    def _count(self, code: Code, many: Local) -> None:
        """Goes through so many situations; 1 when all is done."""
        last = code.local("last", plus(word(self.depth), -1))
        level = code.local("level", word(self.level))
        left = code.local("left", many)
        with code.loop("count") as each:
            with each.when(less(level, 0)) as done:
                done.put(put_word(self.level, level))
                done.give(1)
            with each.when(is_(left, 0)) as paused:
                paused.put(put_word(self.level, level))
                paused.give(0)
            following = each.local("following", word(self.nexts, level))
            with each.when(equal(following, word(self.ends, level))) as up:
                up.put(put_word(self.top, word(self.begins, level)))
                up.step(level, -1)
                up.put(Continue(each.name))
            each.put(put_word(self.nexts, plus(following, self.key.record), level))
            each.step(left, -1)
            address = each.local("address", plus(following, self.buffer))
            with each.when(at_least(level, last)) as leaf:
                self._more(leaf, level, call("moves", address))
                leaf.put(Continue(each.name))
            begin = each.local("begin", word(self.top))
            each.put(put_word(self.desk.first, 0))
            each.do("expand", address)
            end = each.local("end", word(self.top))
            many_ = binary(Op.DIV, plus(end, times(begin, -1)), num(self.key.record))
            self._more(each, level, many_)
            each.step(level)
            each.put(put_word(self.begins, begin, level), put_word(self.nexts, begin, level))
            each.put(put_word(self.ends, end, level))

    def _more(self, code: Code, level: Local, many: Expr) -> None:
        at = plus(times(level, 8), 8)
        code.put(Store(8, self.counts, at, add(load8(self.counts, at), to_mask(many))))
