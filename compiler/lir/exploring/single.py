"""The table of situations that are one word each: an entry is the key itself, and its number.

Keys are mixed so that none is lost: mixing can be undone.  The highest bits of what comes out say
where a key is looked for, so an entry need only have the others, how far from there it lies, and
the number of the situation, counted from 1.  What is equal in all three is the same key: nothing
else is read to know it.  When half of the table is full it doubles; each entry then lies about
twice as far from the beginning as before, so that memory is gone through in order.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar, Final

from attrs import define, field

from compiler.lir.build import binary, both, equal, mask, num, to_int, to_mask
from compiler.lir.core import MASK, Continue, Expr, Function, Load, Local, Op, Store
from compiler.lir.exploring.table import FULL, SPARE, Ground, Key, load8
from compiler.lir.stepwise.code import (
    WIDTH,
    Code,
    Loops,
    at_least,
    function,
    less,
    plus,
    put_word,
    times,
    word,
)
from compiler.lir.writer import Names

_BATCH: Final = 128  # of those that wait; their entries and they themselves fit in a near cache
_STRIDE: Final = 24  # of one in the batch: its word, the same mixed, and what it is asked with
_FAR_BITS: Final = 8
_FARTHEST: Final = 1 << _FAR_BITS  # places behind where it is looked for first
_EDGE: Final = 2 * _FARTHEST  # of the table, from where an entry can move onto one before it
_LEAST_BITS: Final = 40  # of what is mixed
_FEWEST: Final = 12  # bits of the number of entries at first
FACTORS: Final = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93


@define(eq=False)
class Single:
    """Situations of one word, up to `limit` and some more."""

    ENTRY_BYTES: ClassVar[int] = 33  # of the table for each situation, at most

    ground: Ground
    key: Key
    limit: int
    count: int = field(init=False)  # where the number of situations is
    last: int = field(init=False)  # where the number of entries is, less 1
    waiting: int = field(init=False)  # where the number of those in the batch is
    rest: int = field(init=False)  # where it is how many bits of what is mixed an entry has
    batch: int = field(init=False)
    entries: int = field(init=False)
    records: int = field(init=False)
    edge: int = field(init=False)
    first: int = field(init=False)  # bits of the number of entries, at first
    most: int = field(init=False)  # the same, at last

    def __attrs_post_init__(self) -> None:
        self.first = max(_FEWEST, self.bits + self._below - 64)
        self.most = max(self.first, (2 * self.room - 1).bit_length())
        ground = self.ground
        self.count, self.last, self.waiting, self.rest = (ground.word() for _ in range(4))
        self.batch = ground.room(_BATCH * _STRIDE + 8)
        self.edge = ground.room(8 * _EDGE)
        self.entries = ground.room(8 * ((1 << self.most) + _FARTHEST))
        self.records = ground.room(8 * self.room)

    @property
    def room(self) -> int:
        """Situations there is room for."""
        return self.limit + SPARE

    @property
    def bits(self) -> int:
        """Bits of what is mixed."""
        return max(_LEAST_BITS, self.key.bits or 0)

    @property
    def _number_bits(self) -> int:
        return (self.room + 1).bit_length()

    @property
    def _below(self) -> int:
        """Bits of an entry below the rest of the key."""
        return self._number_bits + _FAR_BITS

    @property
    def _touched(self) -> int:
        """Where what was touched is written, so that it is touched."""
        return self.batch + _BATCH * _STRIDE

    def offset(self, number: Expr) -> Expr:
        """Where a record is, counted from the first."""
        return times(number, 8)

    def functions(self, answer: Callable[[Code, Expr, Expr], None]) -> tuple[Function, ...]:
        """To begin, to ask for the situation that is the key, and to have all asked answered.

        `answer` writes what is done with the number of a situation and the one it was asked with.
        """
        entry, slot = Local("entry", MASK), Local("slot")
        moving = Code(Names())
        self._move(moving, entry, slot)
        return (
            function("clear", (), self._clear, gives=None, exported=True),
            function("ask", ("with",), self._ask, gives=None, inline=True),
            function(
                "answer", (), lambda code: self._answer(code, answer), gives=None, exported=True
            ),
            Function("move", (entry, slot), None, moving.block),
            function("enlarge", (), self._enlarge, gives=None),
        )

    def _clear(self, code: Code) -> None:
        """Forgets all situations."""
        with code.up_to(plus(word(self.last), 1 + _FARTHEST)) as (each, i):
            each.put(Store(8, self.entries, times(i, 8), mask(0)))
        code.put(put_word(self.count, 0), put_word(self.last, (1 << self.first) - 1))
        code.put(put_word(self.waiting, 0), put_word(self.rest, self.bits - self.first))

    # ---- asking

    def _ask(self, code: Code, with_: Local) -> None:
        with code.when(at_least(word(self.waiting), _BATCH)) as full:
            full.do("answer")
        many = code.local("many", word(self.waiting))
        item = code.local("item", times(many, _STRIDE))
        found = code.local("found", load8(self.key.address), MASK)
        code.put(Store(8, self.batch, item, found))
        code.put(Store(8, self.batch + 8, item, self._mixed(code, found)))
        code.put(Store(WIDTH, self.batch + 16, item, with_))
        code.put(put_word(self.waiting, plus(many, 1)))

    def _mixed(self, code: Code, found: Expr) -> Expr:
        """The bits of a key in another order, so to speak: its highest depend on all."""
        mixed = code.local("mixed", both(found, mask((1 << (self.key.bits or 0)) - 1)), MASK)
        for factor in FACTORS:
            folded = binary(Op.XOR, mixed, binary(Op.SHR, mixed, mask(self.bits // 2)))
            multiplied = binary(Op.MUL, folded, mask(factor))
            code.set(mixed, both(multiplied, mask((1 << self.bits) - 1)))
        return mixed

    def _answer(self, code: Code, answer: Callable[[Code, Expr, Expr], None]) -> None:
        """Touches what will be read, which is quicker many at a time, then answers one by one."""
        end = code.keep(times(word(self.waiting), _STRIDE))
        rest = code.local("rest", to_mask(word(self.rest)), MASK)
        touched = code.local("touched", mask(0), MASK)
        with self._items(code, end) as (each, item):
            mixed = load8(self.batch + 8, item)
            entry = load8(self.entries, times(_home(mixed, rest), 8))
            each.set(touched, binary(Op.XOR, touched, entry))
        code.put(Store(8, self._touched, None, touched))
        code.put(put_word(self.waiting, 0))
        count = code.local("count", word(self.count))
        full = code.local("full", self._half())
        with self._items(code, end) as (each, item):
            mixed = each.local("mixed", load8(self.batch + 8, item), MASK)
            number = self._found(each, mixed, rest, count)
            with each.when(at_least(number, count)) as new:
                new.trap_if(at_least(count, self.room), FULL)
                new.put(Store(8, self.records, times(count, 8), load8(self.batch, item)))
                new.step(count)
                new.put(put_word(self.count, count))
                with new.when(at_least(count, full)) as crowded:
                    crowded.do("enlarge")
                    crowded.set(rest, to_mask(word(self.rest)))
                    crowded.set(full, self._half())
            answer(each, number, Load(WIDTH, self.batch + 16, item))

    @contextmanager
    def _items(self, code: Code, end: Expr) -> Iterator[tuple[Code, Local]]:
        """What is done for each of the batch, from where it begins."""
        item = code.local("item", -_STRIDE)
        with code.loop() as each:
            each.step(item, _STRIDE)
            each.leave_if(at_least(item, end))
            yield each, item

    def _half(self) -> Expr:
        """How many are too many; none are in a table that is as large as it gets."""
        return binary(Op.DIV, plus(word(self.last), 1), num(2))

    # ---- finding

    def _found(self, code: Code, mixed: Expr, rest: Local, count: Expr) -> Local:
        """The number of a key; the next one that is free, if it is new, and then an entry."""
        number = code.local("number", count)
        slot = code.local("slot", times(_home(mixed, rest), 8))
        sought = code.local("sought", self._sought(mixed, rest), MASK)
        last = code.local("last", binary(Op.OR, sought, mask(self._far)), MASK)
        with code.loop("search") as search:
            entry = search.local("entry", load8(self.entries, slot), MASK)
            with search.when(equal(entry, mask(0))) as free:
                numbered = binary(Op.OR, sought, to_mask(plus(count, 1)))
                free.put(Store(8, self.entries, slot, numbered))
                search.leave_from(free)
            apart = search.local("apart", binary(Op.XOR, entry, sought), MASK)
            with search.when(binary(Op.LT, apart, mask(1 << self._number_bits))) as same:
                same.set(number, plus(to_int(apart), -1))
                search.leave_from(same)
            with search.when(equal(sought, last)) as far:
                far.do("enlarge")
                far.set(rest, to_mask(word(self.rest)))
                far.set(slot, times(_home(mixed, rest), 8))
                far.set(sought, self._sought(mixed, rest))
                far.set(last, binary(Op.OR, sought, mask(self._far)))
                far.put(Continue(search.name))
            search.step(slot, 8)
            search.set(sought, binary(Op.ADD, sought, mask(1 << self._number_bits)))
        return number

    @property
    def _far(self) -> int:
        """The bits that say how far from where it is looked for first an entry lies."""
        return _FARTHEST - 1 << self._number_bits

    def _sought(self, mixed: Expr, rest: Expr) -> Expr:
        """What an entry is above its number, where it is looked for first."""
        return binary(Op.SHL, _low(mixed, rest), mask(self._below))

    # ---- room for more

    def _enlarge(self, code: Code) -> None:
        """Twice as many entries; those at the beginning are put aside while others are moved."""
        last = code.local("last", word(self.last))
        code.trap_if(at_least(last, (1 << self.most) - 1), FULL)
        with code.up_to(_EDGE) as (each, i):
            each.put(Store(8, self.edge, times(i, 8), load8(self.entries, times(i, 8))))
            each.put(Store(8, self.entries, times(i, 8), mask(0)))
        code.put(put_word(self.last, plus(times(last, 2), 1)))
        code.put(put_word(self.rest, plus(word(self.rest), -1)))
        slot = code.local("slot", plus(last, 1 + _FARTHEST))
        with code.loop() as down:
            down.step(slot, -1)
            down.leave_if(less(slot, _EDGE))
            self._moved(down, self.entries, slot)
        with code.up_to(_EDGE) as (each, i):
            self._moved(each, self.edge, i)

    def _moved(self, code: Loops, base: int, slot: Local) -> None:
        entry = code.local("entry", load8(base, times(slot, 8)), MASK)
        code.again_if(equal(entry, mask(0)))
        code.put(Store(8, base, times(slot, 8), mask(0)))
        code.do("move", entry, slot)

    def _move(self, code: Code, entry: Local, slot: Local) -> None:
        """Puts an entry that was at a place of the smaller table where it belongs now."""
        rest = code.local("rest", to_mask(word(self.rest)), MASK)
        far = both(binary(Op.SHR, entry, mask(self._number_bits)), mask(_FARTHEST - 1))
        more = code.local("more", binary(Op.SHR, entry, mask(self._below)), MASK)
        home = times(plus(slot, times(to_int(far), -1)), 2)
        place = code.local("place", times(plus(home, _home(more, rest)), 8))
        sought = code.local("sought", self._sought(more, rest), MASK)
        last = code.local("last", binary(Op.OR, sought, mask(self._far)), MASK)
        with code.loop() as search:
            search.leave_if(equal(load8(self.entries, place), mask(0)))
            search.trap_if(equal(sought, last), FULL)
            search.step(place, 8)
            search.set(sought, binary(Op.ADD, sought, mask(1 << self._number_bits)))
        number = both(entry, mask((1 << self._number_bits) - 1))
        code.put(Store(8, self.entries, place, binary(Op.OR, sought, number)))


def _home(mixed: Expr, rest: Expr) -> Expr:
    """Where a key is looked for first: the bits above the rest."""
    return to_int(binary(Op.SHR, mixed, rest))


def _low(mixed: Expr, rest: Expr) -> Expr:
    """The rest: so many of the lowest bits."""
    below = binary(Op.SUB, binary(Op.SHL, mask(1), rest), mask(1))
    return both(mixed, below)
