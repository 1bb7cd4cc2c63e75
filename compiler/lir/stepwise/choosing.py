"""Subsets of a list, one after the other, each twin once.

Subsets come by size, then in the order of the members; of equal members the first ones are taken.
Members are bits: which of them may come next is one number, which a member that is taken cuts down
to those that may stand with it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from attrs import frozen

from compiler.lir.build import (
    EMPTY,
    bit_count,
    both,
    choice,
    lowest,
    mask,
    negate,
    num,
    single,
    some_bit,
    to_mask,
    union,
    without,
)
from compiler.lir.core import MASK, Binary, Continue, Expr, Load, Local, Number, Op, Store
from compiler.lir.reps import NONE
from compiler.lir.stepwise.code import (
    Code,
    Loops,
    Value,
    at_least,
    differ,
    expr,
    is_,
    joined,
    less,
    plus,
    put_at,
    times,
)
from compiler.lir.stepwise.lists import OVERFLOW, element, new, push, size
from compiler.lir.stepwise.plan import Memory
from compiler.lir.stepwise.ties import Keyed

_MOST: Final = 64
"""Members that have a bit each."""

_EIGHT: Final = 8

Same = Callable[[Code, Expr, Expr], Expr]
"""Whether two members are one and the same."""


def twin_before(code: Code, members: Expr, same: Same) -> Local:
    """Per member the last earlier one that is the same, or -1, as a list."""
    found = new(code, size(members))
    with code.up_to(size(members)) as (each, i):
        before = each.local("before", i)
        with each.loop() as back:
            back.step(before, -1)
            back.leave_if(less(before, 0))
            back.leave_if(same(back, element(members, before), element(members, i)))
        push(each, found, before)
    return found


@contextmanager
def subsets(
    code: Code,
    memory: Memory,
    members: Expr,
    low: Value,
    high: Value,
    twins: Expr | None = None,
    keyed: Sequence[Keyed] = (),
) -> Iterator[tuple[Code, Local]]:
    """What is done for each subset of `low` to `high` members that `keyed` lets stand together.

    The list of its members is another one from each to the next: who keeps it copies it.  The
    machine stops if there are more members than bits.
    """
    members = code.keep(members)
    made = new(code, size(members))
    walk = _Walk.of(code, memory, members, (twins, None), keyed, made)
    with _walked(code, walk, low, high, num(1)) as (some, last):
        left = some.local("left", last, MASK)
        turns = some.local("turns", choice(negate(last), num(1), bit_count(last)))
        with some.loop("each") as each:
            each.leave_if(is_(turns, 0))
            each.step(turns, -1)
            with each.when(some_bit(left)) as one:
                spot = one.keep(lowest(left))
                one.set(left, without(left, single(spot)))
                for clash in walk.clashes(one, spot):
                    with one.when(clash) as clashing:
                        clashing.put(Continue(each.name))
                one.put(put_at(made, element(members, spot), size(made)))
            yield each, made


@frozen(eq=False)
class Together:
    """Sets that are met together: some members, and with these each `more` of the last ones."""

    taken: Local
    last: Local
    more: Expr


@contextmanager
def sets_together(
    code: Code,
    memory: Memory,
    members: Expr,
    low: Value,
    high: Value,
    twins: tuple[Expr, int],
    keyed: Sequence[Keyed] = (),
) -> Iterator[tuple[Code, Together]]:
    """The same, where sets that differ in their last members alone are met together.

    Members are their positions, as bits.  No keys are `far`.  `twins` come with the address of the
    list that says that there are none.
    """
    members = code.keep(members)
    walk = _Walk.of(code, memory, members, twins, keyed)
    most = num(1) if keyed else choice(walk.mixed, num(1), num(_MOST))
    with _walked(code, walk, low, high, code.keep(most)) as (some, last):
        yield some, Together(walk.taken, last, some.keep(walk.more))


@contextmanager
def _walked(
    code: Code, walk: "_Walk", low: Value, high: Value, together: Expr
) -> Iterator[tuple[Code, Local]]:
    """Goes through sets but for so many last members, at most."""
    most = code.keep(plus(high, 1))
    if not walk.near:
        walk.fill(code, num(0))
    with code.up_to(most, low) as (sized, wanted):
        if walk.near:
            walk.fill(sized, wanted)
        walk.begin(sized, wanted, together)
        reached = sized.local("is_reached", 0)
        with sized.loop("walk") as each:
            with each.when(less(plus(walk.depth, walk.more), wanted)) as more:
                walk.deeper(more, each, wanted)
            last = walk.last(each)
            found = some_bit(last) if _is_positive(low) else joined(some_bit(last), is_(wanted, 0))
            with each.when(found) as some:
                some.set(reached, 1)
                yield some, last
            walk.back(each, each)
        if not walk.far:
            sized.leave_if(negate(reached))  # where none is so large, none is larger


def _is_positive(low: Value) -> bool:
    low = expr(low)
    return isinstance(low, Number) and low.value > 0


def _eight(base: int, index: Expr) -> Load:
    """A mask of an array."""
    return Load(_EIGHT, base, times(index, _EIGHT), MASK)


def _put_eight(base: int, index: Expr, value: Expr) -> Store:
    """Writes it."""
    return Store(_EIGHT, base, times(index, _EIGHT), value)


@frozen(eq=False)
class _Walk:
    """Goes through choices of members.

    Each member has masks: which of those behind it may stand with it, and which are to be passed
    over with it: itself, and the look-alikes behind it.
    """

    members: Expr
    many: Expr
    made: Local | None  # those that are chosen, as a list whose length is that of a whole choice
    taken: Local  # or else as bits
    before: int  # per depth, what was taken there
    more: Local  # how many last members are met together
    depth: Local
    rest: Local  # who may come next
    all: Local
    left: int  # per depth, who may come next when what is chosen there has been dealt with
    mates: int
    alike: int | None
    mixed: Expr  # whether there are look-alikes
    same: list["_Same"]
    near: list["_Near"]
    far: list[Keyed]
    positions: Local | None  # of those that are chosen, where far keys ask for them

    @classmethod
    def of(
        cls,
        code: Code,
        memory: Memory,
        members: Expr,
        twins: tuple[Expr | None, int | None],
        keyed: Sequence[Keyed],
        made: Local | None = None,
    ) -> "_Walk":
        """With a mask of all members."""
        code.trap_if(less(_MOST, size(members)), OVERFLOW)
        many = code.keep(size(members))
        whole = Binary(Op.SHR, mask(-1), to_mask(plus(num(_MOST), times(many, -1))))
        all_ = code.local("all", choice(is_(many, 0), EMPTY, whole), MASK)
        left, mates, before = (memory.eights(_MOST) for _ in range(3))
        fresh = code.names.fresh
        depth, more = Local(fresh("depth")), Local(fresh("more"))
        rest, taken = Local(fresh("rest"), MASK), Local(fresh("taken"), MASK)
        alike, mixed = cls._look_alikes(code, memory, many, *twins)
        same = [_Same.of(memory, keys) for keys in keyed if not keys.in_a_row]
        near = [_Near.of(memory, keys) for keys in keyed if keys.in_a_row and not keys.is_far]
        far = [keys for keys in keyed if keys.is_far]
        positions = new(code, many) if far else None
        return cls(
            members,
            many,
            made,
            taken,
            before,
            more,
            depth,
            rest,
            all_,
            left,
            mates,
            alike,
            mixed,
            same,
            near,
            far,
            positions,
        )

    @classmethod
    def _look_alikes(
        cls, code: Code, memory: Memory, many: Expr, twins: Expr | None, alone: int | None
    ) -> tuple[int | None, Expr]:
        """Where those are who are passed over with each, and whether that is more than itself."""
        if twins is None:
            return None, num(0)
        passed = memory.eights(_MOST)
        with code.up_to(many) as (each, i):
            each.put(_put_eight(passed, i, single(i)))
        mixed = num(1) if alone is None else code.keep(differ(twins, alone))
        with code.when(mixed) as some:
            spot = some.local("spot", many)
            with some.loop() as each:
                each.leave_if(is_(spot, 0))
                each.step(spot, -1)
                before = each.keep(element(twins, spot))
                with each.when(at_least(before, 0)) as twin:
                    both_ = union([_eight(passed, before), _eight(passed, spot)])
                    twin.put(_put_eight(passed, before, both_))
        return passed, mixed

    def fill(self, code: Code, wanted: Expr) -> None:
        """Makes the masks of those that may stand together, from the last member to the first."""
        for same in self.same:
            same.begin(code)
        for near in self.near:
            near.begin(code)
        behind = code.local("behind", EMPTY, MASK)
        spot = code.local("spot", self.many)
        with code.loop() as each:
            each.leave_if(is_(spot, 0))
            each.step(spot, -1)
            own = each.keep(single(spot))
            mates: Expr = behind
            for same in self.same:
                mates = both(mates, same.behind(each, spot, own, self.many))
            for near in self.near:
                mates = both(mates, near.behind(each, spot, own, wanted))
            each.put(_put_eight(self.mates, spot, mates))
            each.set(behind, union([behind, own]))

    def begin(self, code: Code, wanted: Expr, together: Expr) -> None:
        """Nothing chosen yet of so many."""
        if self.made is None:
            code.set(self.taken, EMPTY)
        else:
            code.put(put_at(self.made, wanted))
        code.set(self.depth, 0)
        code.set(self.rest, choice(is_(wanted, 0), EMPTY, self.all))
        code.set(self.more, choice(less(wanted, together), wanted, together))

    def back(self, code: Code, loop: Loops) -> None:
        """Leaves what was chosen last; where nothing was, all is done."""
        with code.when(is_(self.depth, 0)) as done:
            loop.leave_from(done)
        code.step(self.depth, -1)
        code.set(self.rest, _eight(self.left, self.depth))
        if self.made is None:
            code.set(self.taken, _eight(self.before, self.depth))
        code.put(Continue(loop.name))

    def deeper(self, code: Code, loop: Loops, wanted: Expr) -> None:
        """Chooses the member that comes next, and begins again."""
        with code.when(negate(self.rest)) as stuck:
            self.back(stuck, loop)
        spot = code.keep(lowest(self.rest))
        inner = code.keep(both(self.rest, _eight(self.mates, spot)))
        own = single(spot) if self.alike is None else _eight(self.alike, spot)
        code.set(self.rest, without(self.rest, own))
        for clash in self.clashes(code, spot):
            with code.when(clash) as clashing:
                clashing.put(Continue(loop.name))
        behind = code.keep(plus(self.depth, 1))
        if self.made is not None:
            code.put(put_at(self.made, element(self.members, spot), behind))
        if self.positions is not None:
            code.put(put_at(self.positions, spot, behind))
        with code.when(at_least(bit_count(inner), plus(wanted, times(behind, -1)))) as enough:
            enough.put(_put_eight(self.left, self.depth, self.rest))
            enough.set(self.rest, inner)
            if self.made is None:
                enough.put(_put_eight(self.before, self.depth, self.taken))
                enough.set(self.taken, union([self.taken, single(spot)]))
            enough.set(self.depth, behind)
        code.put(Continue(loop.name))

    def clashes(self, code: Code, spot: Expr) -> Iterator[Expr]:
        """Whether a member cannot stand with those that are chosen, as far as masks do not tell."""
        for keys in self.far:
            assert self.positions is not None
            assert self.made is not None
            yield _clashes(code, keys, spot, self.positions, self.depth, size(self.made))

    def last(self, code: Code) -> Local:
        """The members that may come last, of look-alikes the first."""
        last = code.local("last", self.rest, MASK)
        if self.alike is not None:
            with code.when(self.mixed) as some:
                left = some.local("left", self.rest, MASK)
                some.set(last, EMPTY)
                with some.loop() as each:
                    each.leave_if(negate(left))
                    spot = each.keep(lowest(left))
                    each.set(last, union([last, single(spot)]))
                    each.set(left, without(left, _eight(self.alike, spot)))
        return last


@frozen(eq=False)
class _Same:
    """Which members have the same key as one before them."""

    keys: Expr
    span: tuple[int, int] | None  # what the keys lie between, if each has a mask of its own
    masks: int

    @classmethod
    def of(cls, memory: Memory, keyed: Keyed) -> "_Same":
        """With room for the masks."""
        span = keyed.span
        return cls(keyed.keys, span, 0 if span is None else memory.eights(_many(span)))

    def begin(self, code: Code) -> None:
        """Nothing met yet."""
        if self.span is not None:
            _clear(code, self.masks, _many(self.span))

    def behind(self, code: Code, spot: Expr, own: Expr, many: Expr) -> Expr:
        """Those behind a position; all behind it have been met."""
        key = code.keep(element(self.keys, spot))
        if self.span is None:
            found = code.local("alike", EMPTY, MASK)
            with code.up_to(many, plus(spot, 1)) as (each, i):
                with each.when(is_(element(self.keys, i), key)) as same:
                    same.set(found, union([found, single(i)]))
            return found
        index = code.keep(plus(key, -self.span[0]))
        met = code.keep(_eight(self.masks, index))
        code.put(_put_eight(self.masks, index, union([met, own])))
        return met


@frozen(eq=False)
class _Near:
    """Which members have keys that may stand in one row with that of one before them.

    Members are in a row if no key comes twice, and each is nearer to each than there are members.
    """

    keys: Expr
    least: int
    many: int
    masks: int  # per key, with room on both sides for keys that there are not

    @classmethod
    def of(cls, memory: Memory, keyed: Keyed) -> "_Near":
        """With room for the masks."""
        assert keyed.span is not None
        many = _many(keyed.span)
        return cls(keyed.keys, keyed.span[0], many, memory.eights(3 * many))

    def begin(self, code: Code) -> None:
        """Nothing met yet."""
        _clear(code, self.masks + _EIGHT * self.many, self.many)

    def behind(self, code: Code, spot: Expr, own: Expr, wanted: Expr) -> Expr:
        """Those behind a position, for a row of so many; all behind it have been met."""
        index = code.keep(plus(element(self.keys, spot), self.many - self.least))
        found = code.local("near", EMPTY, MASK)
        farthest = choice(less(wanted, self.many), wanted, num(self.many))
        with code.up_to(farthest, 1) as (each, apart):
            below = _eight(self.masks, plus(index, times(apart, -1)))
            each.set(found, union([found, below, _eight(self.masks, plus(index, apart))]))
        code.put(_put_eight(self.masks, index, union([_eight(self.masks, index), own])))
        return found


def _many(span: tuple[int, int]) -> int:
    return span[1] - span[0] + 1


def _clear(code: Code, masks: int, many: int) -> None:
    """Empties an array of masks."""
    with code.up_to(many) as (each, i):
        each.put(_put_eight(masks, i, EMPTY))


def _clashes(
    code: Code, keyed: Keyed, spot: Expr, positions: Expr, depth: Expr, wanted: Expr
) -> Expr:
    """Whether the next one cannot follow, or be followed by, those that are chosen."""
    found = code.local("is_clash", 0)
    its = code.keep(element(keyed.keys, spot))
    with code.up_to(depth) as (each, i):
        other = each.keep(element(keyed.keys, element(positions, i)))
        apart = each.keep(plus(its, times(other, -1)))
        near = both(less(apart, wanted), less(times(apart, -1), wanted))
        wrong = joined(is_(apart, 0), negate(near))
        known = both(differ(other, NONE), differ(its, NONE))
        each.set(found, joined(found, both(known, wrong)))
    return found
