"""The table of situations in memory: each is kept once, numbered in the order it was found.

A *record* is the key of a situation, what else is needed to go on from it, and its hash.  Records
lie one behind the other.  A hash table finds them: an entry is a hash above the number of a record,
counted from 1, so that few keys are compared in vain.  It begins small and doubles when it fills.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar, Final

from attrs import define, field, frozen

from compiler.lir.build import all_of, binary, both, equal, mask, num, to_int, to_mask
from compiler.lir.core import MASK, Expr, Function, Load, Local, Op, Store
from compiler.lir.stepwise.code import (
    WIDTH,
    Code,
    Value,
    at,
    at_least,
    call,
    function,
    less,
    plus,
    put_word,
    times,
    word,
)

FULL: Final = 20
"""Trap: one situation has more moves than there is room for."""

EXTRA: Final = 8
"""Bytes of a record behind its key: what the program keeps there, then the hash."""

BATCH: Final = 512
"""Situations that wait to be looked for together."""

SPARE: Final = 1 << 16
"""Situations there is room for beyond the limit: those that one leads to."""

MOST_BITS: Final = 56
"""Bits of a key that is one word; what the program keeps of its own lies above."""

_FIRST_SIZE: Final = 1 << 12
_LOAD: Final = 5, 8  # how full the hash table may be
_FACTOR: Final = 0x9E3779B97F4A7C15
_SEED: Final = 0xD6E8FEB86659FD93
_WRITTEN_OUT: Final = 8  # words up to which no loop goes through them


@define(eq=False)
class Ground:
    """Gives out memory from an address on."""

    end: int

    def room(self, size: int) -> int:
        """So many bytes, at a multiple of 8."""
        begin = -(-self.end // 8) * 8
        self.end = begin + size
        return begin

    def word(self) -> int:
        """Room for a number of four bytes, at a multiple of 8."""
        return self.room(4)


def load8(base: int, address: Expr | None = None) -> Expr:
    """Eight bytes."""
    return Load(8, base, address, MASK)


def copied(
    code: Code, count: int, to: int, source: int, to_at: Value = 0, source_at: Value = 0
) -> None:
    """Copies so many words of eight bytes, from one address with an offset to another."""
    if count <= _WRITTEN_OUT:
        for begin in range(0, 8 * count, 8):
            moved = load8(source + begin, _known(source_at))
            code.put(Store(8, to + begin, _known(to_at), moved))
        return
    with code.up_to(count) as (each, i):
        offset = each.keep(times(i, 8))
        moved = load8(source, plus(source_at, offset))
        each.put(Store(8, to, plus(to_at, offset), moved))


def _known(offset: Value) -> Expr | None:
    return None if isinstance(offset, int) else offset


@frozen(eq=False)
class Key:
    """Where a situation is written before it is looked for: `size` bytes of key, then the extra.

    `kept` are the words of its whole bytes that are there: others are always zero.  A key of one
    word has so many `bits`, up to `MOST_BITS`, and the extra lies above them.
    """

    address: int
    kept: tuple[int, ...]
    bits: int | None = None

    @classmethod
    def of(cls, ground: Ground, kept: tuple[int, ...]) -> "Key":
        """A key of these words, eight bytes each."""
        return cls(ground.room(8 * len(kept) + EXTRA), kept)

    @classmethod
    def one_word(cls, address: int, bits: int) -> "Key":
        """A key of so many bits."""
        return cls(address, (0,), bits)

    @property
    def size(self) -> int:
        """Bytes of a key."""
        return 8 * len(self.kept)

    def offset(self, byte: int) -> int | None:
        """Where a byte of the whole lies in a key; `None` for one that is always zero."""
        whole, inside = divmod(byte, 8)
        return 8 * self.kept.index(whole) + inside if whole in self.kept else None

    @property
    def record(self) -> int:
        """Bytes of a record."""
        return self.size + (EXTRA if self.bits is None else 0)

    @property
    def extra(self) -> int:
        """Where the program's own number of a situation is written."""
        return self.address + self.size

    @property
    def words(self) -> int:
        """How many words of eight bytes a key has."""
        return self.size // 8


@frozen(eq=False)
class Desk:
    """The words by which moves and what goes round them understand each other.

    `mover` is who moves in the situation that is looked at; `first` its first move that has not
    been made, where somebody counts.
    """

    mover: int
    first: int

    @classmethod
    def of(cls, ground: Ground) -> "Desk":
        """That of one program."""
        return cls(ground.word(), ground.word())


@define(eq=False)
class Table:
    """Records of up to `limit` situations and some more, and their hash table.

    What is come to waits in a batch, so that memory is asked for many entries at a time.
    """

    ENTRY_BYTES: ClassVar[int] = 26  # of the hash table for each situation, at most

    ground: Ground
    key: Key
    limit: int
    count: int = field(init=False)  # where the number of records is
    last: int = field(init=False)  # where the number of the last entry is, a mask
    waiting: int = field(init=False)  # where the number of those in the batch is
    batch: int = field(init=False)
    entries: int = field(init=False)
    records: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        largest = _FIRST_SIZE
        while largest * _LOAD[0] < self.room * _LOAD[1]:
            largest *= 2
        self.count, self.last, self.waiting = (self.ground.word() for _ in range(3))
        self.batch = self.ground.room(BATCH * self._stride + 8)
        self.entries = self.ground.room(8 * largest)
        self.records = self.ground.room(self.room * self.key.record)

    @property
    def room(self) -> int:
        """Records there is room for."""
        return self.limit + SPARE

    @property
    def _stride(self) -> int:
        """Bytes for one in the batch: its record, then the number that it is asked with."""
        return self.key.record + 8

    @property
    def _touched(self) -> int:
        """Where what was touched is written, so that it is touched."""
        return self.batch + BATCH * self._stride

    def offset(self, number: Expr) -> Expr:
        """Where a record is, counted from the first."""
        return binary(Op.MUL, number, num(self.key.record))

    def functions(self, answer: Callable[[Code, Expr, Expr], None]) -> tuple[Function, ...]:
        """To begin, to ask for the situation that is the key, and to have all asked answered.

        `answer` writes what is done with the number of a situation and the one it was asked with.
        """
        return (
            function("clear", (), self._clear, gives=None, exported=True),
            function("ask", ("with",), self._ask, gives=None),
            function(
                "answer", (), lambda code: self._answer(code, answer), gives=None, exported=True
            ),
            function("intern", ("item",), self._intern),
            function("enlarge", (), self._enlarge, gives=None),
        )

    def _clear(self, code: Code) -> None:
        """Forgets all situations."""
        with code.up_to(plus(word(self.last), 1)) as (each, i):
            each.put(Store(8, self.entries, times(i, 8), mask(0)))
        code.put(put_word(self.count, 0), put_word(self.last, _FIRST_SIZE - 1))
        code.put(put_word(self.waiting, 0))

    # ---- asking

    def _ask(self, code: Code, with_: Local) -> None:
        with code.when(at_least(word(self.waiting), BATCH)) as full:
            full.do("answer")
        code.put(put_word(self.key.extra, self._hash(code), 1))
        many = code.local("many", word(self.waiting))
        item = code.local("item", times(many, self._stride))
        copied(code, self.key.record // 8, self.batch, self.key.address, to_at=item)
        code.put(Store(WIDTH, self.batch + self.key.record, item, with_))
        code.put(put_word(self.waiting, plus(many, 1)))

    def _hash(self, code: Code) -> Local:
        """A number below 2**31 that says where a key is looked for."""
        mixed = code.local("mixed", mask(_SEED), MASK)
        if self.key.words <= _WRITTEN_OUT:
            for begin in range(0, self.key.size, 8):
                _mix(code, mixed, load8(self.key.address + begin))
        else:
            with code.up_to(self.key.words) as (each, i):
                _mix(each, mixed, load8(self.key.address, times(i, 8)))
        return code.local("hash", to_int(binary(Op.SHR, mixed, mask(33))))

    def _answer(self, code: Code, answer: Callable[[Code, Expr, Expr], None]) -> None:
        """Touches what will be read, which is quicker many at a time, then answers one by one."""
        end = code.keep(times(word(self.waiting), self._stride))
        touched = code.local("touched", mask(0), MASK)
        for look in (self._entry_of, self._record_of):
            with self._items(code, end) as (each, item):
                found = look(each, item)
                each.set(touched, binary(Op.XOR, touched, found))
        code.put(Store(8, self._touched, None, touched))
        code.put(put_word(self.waiting, 0))
        with self._items(code, end) as (each, item):
            number = each.local("number", call("intern", plus(item, self.batch)))
            answer(each, number, Load(WIDTH, self.batch + self.key.record, item))

    @contextmanager
    def _items(self, code: Code, end: Expr) -> Iterator[tuple[Code, Local]]:
        """What is done for each of the batch, from where it begins."""
        item = code.local("item", -self._stride)
        with code.loop() as each:
            each.step(item, self._stride)
            each.leave_if(at_least(item, end))
            yield each, item

    def _entry_of(self, code: Code, item: Expr) -> Expr:
        """The entry where it is looked for first."""
        slot = code.keep(both(self._hash_of(item), word(self.last)))
        return load8(self.entries, times(slot, 8))

    def _record_of(self, code: Code, item: Expr) -> Expr:
        """The beginning of the record that it probably is."""
        entry = code.keep(self._entry_of(code, item))
        found = code.local("found", mask(0), MASK)
        alike = equal(to_int(binary(Op.SHR, entry, mask(32))), self._hash_of(item))
        with code.when(both(alike, binary(Op.NE, entry, mask(0)))) as known:
            known.set(found, load8(self.records, self.offset(plus(_low(entry), -1))))
        return found

    def _hash_of(self, item: Expr) -> Expr:
        return Load(WIDTH, self.batch + self.key.size + WIDTH, item)

    # ---- finding

    def _intern(self, code: Code, item: Local) -> None:
        """The number of the situation that one of the batch is."""
        hash_ = code.local("hash", at(plus(item, self.key.size + WIDTH)))
        last = code.local("last", word(self.last))
        slot = code.local("slot", both(hash_, last))
        with code.loop() as search:
            entry = search.local("entry", load8(self.entries, times(slot, 8)), MASK)
            search.leave_if(equal(entry, mask(0)))
            alike = equal(to_int(binary(Op.SHR, entry, mask(32))), hash_)
            with search.when(alike) as near:
                number = near.local("number", plus(_low(entry), -1))
                record = near.local("record", self.offset(number))
                near.give_if(self._is_here(near, record, item), number)
            search.set(slot, both(plus(slot, 1), last))
        number = code.local("number", word(self.count))
        code.trap_if(at_least(number, self.room), FULL)
        code.put(put_word(self.count, plus(number, 1)))
        code.put(_entry(self.entries, slot, hash_, number))
        record = code.local("record", self.offset(number))
        copied(code, self.key.record // 8, self.records, 0, record, item)
        full = less(times(last, _LOAD[0]), times(number, _LOAD[1]))
        with code.when(full) as crowded:
            crowded.do("enlarge")
        code.give(number)

    def _is_here(self, code: Code, record: Expr, item: Expr) -> Expr:
        """Whether a record has the key that is looked for."""
        if self.key.words <= _WRITTEN_OUT:
            return all_of(
                [
                    equal(load8(self.records + at_, record), load8(at_, item))
                    for at_ in range(0, self.key.size, 8)
                ]
            )
        same = code.local("is_same", 1)
        with code.up_to(self.key.words) as (each, i):
            offset = each.keep(times(i, 8))
            theirs = load8(self.records, plus(record, offset))
            with each.when(binary(Op.NE, theirs, load8(0, plus(item, offset)))) as other:
                other.set(same, 0)
                each.leave_from(other)
        return same

    # ---- room for more

    def _enlarge(self, code: Code) -> None:
        """Twice as many entries, filled anew from the records."""
        last = code.local("last", plus(times(word(self.last), 2), 1))
        code.put(put_word(self.last, last))
        with code.up_to(plus(last, 1)) as (each, i):
            each.put(Store(8, self.entries, times(i, 8), mask(0)))
        with code.up_to(word(self.count)) as (each, number):
            hash_ = Load(WIDTH, self.records + self.key.size + WIDTH, self.offset(number))
            kept = each.local("hash", hash_)
            slot = each.local("slot", both(kept, last))
            with each.loop() as search:
                search.leave_if(equal(load8(self.entries, times(slot, 8)), mask(0)))
                search.set(slot, both(plus(slot, 1), last))
            each.put(_entry(self.entries, slot, kept, number))


def _mix(code: Code, mixed: Local, more: Expr) -> None:
    code.set(mixed, binary(Op.MUL, binary(Op.XOR, mixed, more), mask(_FACTOR)))
    code.set(mixed, binary(Op.XOR, mixed, binary(Op.SHR, mixed, mask(32))))


def _low(entry: Expr) -> Expr:
    """The number below a hash."""
    return to_int(both(entry, mask((1 << 31) - 1)))


def _entry(entries: int, slot: Expr, hash_: Expr, number: Expr) -> Store:
    above = binary(Op.SHL, to_mask(hash_), mask(32))
    return Store(8, entries, times(slot, 8), binary(Op.OR, above, to_mask(plus(number, 1))))
