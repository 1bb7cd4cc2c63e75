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
    most = code.keep(plus(high, 1))
    code.trap_if(less(_MOST, size(members)), OVERFLOW)
    rows = [keys for keys in keyed if keys.in_a_row]
    walk = _Walk.of(code, memory, members, twins, [k for k in keyed if not k.in_a_row])
    positions = new(code, size(members)) if rows else None
    with code.up_to(most, low) as (sized, wanted):
        walk.begin(sized, wanted)
        reached = sized.local("is_reached", 0)
        with sized.loop("walk") as each:
            with each.when(num(1) if _is_positive(low) else wanted) as some:
                spot = walk.following(some, each)
                for keys in rows:
                    assert positions is not None
                    clash = _clashes(some, keys, spot, positions, walk.depth, wanted)
                    walk.skip_if(some, each, spot, clash)
                walk.take(some, each, spot, wanted, positions)
            each.set(reached, 1)
            yield each, walk.made
            if not _is_positive(low):
                each.leave_if(is_(wanted, 0))
        if not rows:
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
    made: Local  # those that are chosen, as a list whose length is that of a whole choice
    depth: Local
    rest: Local  # who may come next
    all: Local
    left: int  # per depth, who may come next when what is chosen there has been dealt with
    mates: int
    alike: int | None

    @classmethod
    def of(
        cls, code: Code, memory: Memory, members: Expr, twins: Expr | None, alike: list[Keyed]
    ) -> "_Walk":
        """Makes the masks of all members."""
        many = code.keep(size(members))
        whole = Binary(Op.SHR, mask(-1), to_mask(plus(num(_MOST), times(many, -1))))
        all_ = code.local("all", choice(is_(many, 0), EMPTY, whole), MASK)
        left, mates = memory.eights(_MOST), memory.eights(_MOST)
        passed = None if twins is None else memory.eights(_MOST)
        made = new(code, many)
        depth, rest = Local(code.names.fresh("depth")), Local(code.names.fresh("rest"), MASK)
        walk = cls(members, made, depth, rest, all_, left, mates, passed)
        if passed is not None:
            with code.up_to(many) as (each, i):
                each.put(_put_eight(passed, i, EMPTY))
        walk._fill(code, memory, many, twins, alike)
        return walk

    def _fill(
        self, code: Code, memory: Memory, many: Expr, twins: Expr | None, alike: list[Keyed]
    ) -> None:
        """From the last member to the first."""
        same = [_Same.of(code, memory, keys) for keys in alike]
        behind = code.local("behind", EMPTY, MASK)
        spot = code.local("spot", many)
        with code.loop() as each:
            each.leave_if(is_(spot, 0))
            each.step(spot, -1)
            own = each.keep(single(spot))
            mates: Expr = behind
            for keys in same:
                mates = both(mates, keys.behind(each, spot, own, many))
            each.put(_put_eight(self.mates, spot, mates))
            each.set(behind, union([behind, own]))
            if twins is not None and self.alike is not None:
                passed = each.keep(union([own, _eight(self.alike, spot)]))
                each.put(_put_eight(self.alike, spot, passed))
                before = each.keep(element(twins, spot))
                with each.when(at_least(before, 0)) as twin:
                    both_ = union([_eight(self.alike, before), passed])
                    twin.put(_put_eight(self.alike, before, both_))

    def begin(self, code: Code, wanted: Expr) -> None:
        """Nothing chosen yet of so many."""
        code.put(put_at(self.made, wanted))
        code.set(self.depth, 0)
        code.set(self.rest, self.all)

    def following(self, code: Code, loop: Loops) -> Expr:
        """The member that comes next, which is then passed over; where there is none, goes back."""
        with code.when(negate(self.rest)) as stuck:
            with stuck.when(is_(self.depth, 0)) as done:
                loop.leave_from(done)
            stuck.step(self.depth, -1)
            stuck.set(self.rest, _eight(self.left, self.depth))
            stuck.put(Continue(loop.name))
        return code.keep(lowest(self.rest))

    def skip_if(self, code: Code, loop: Loops, spot: Expr, test: Expr) -> None:
        """Passes over the member that comes next."""
        with code.when(test) as skipped:
            self._pass(skipped, spot)
            skipped.put(Continue(loop.name))

    def _pass(self, code: Code, spot: Expr) -> None:
        own = single(spot) if self.alike is None else _eight(self.alike, spot)
        code.set(self.rest, without(self.rest, own))

    def take(
        self, code: Code, loop: Loops, spot: Expr, wanted: Expr, positions: Local | None
    ) -> None:
        """Chooses a member; unless the choice is whole then, goes on with those that may follow."""
        inner = code.keep(both(self.rest, _eight(self.mates, spot)))
        self._pass(code, spot)
        behind = code.keep(plus(self.depth, 1))
        code.put(put_at(self.made, element(self.members, spot), behind))
        if positions is not None:
            code.put(put_at(positions, spot, behind))
        with code.when(differ(behind, wanted)) as more:
            with more.when(at_least(bit_count(inner), plus(wanted, times(behind, -1)))) as enough:
                enough.put(_put_eight(self.left, self.depth, self.rest))
                enough.set(self.rest, inner)
                enough.set(self.depth, behind)
            more.put(Continue(loop.name))


@frozen(eq=False)
class _Same:
    """Which members have the same key as one before them."""

    keys: Expr
    span: tuple[int, int] | None  # what the keys lie between, if each has a mask of its own
    masks: int

    @classmethod
    def of(cls, code: Code, memory: Memory, keyed: Keyed) -> "_Same":
        """Nothing met yet."""
        span = keyed.span
        if span is None:
            return cls(keyed.keys, None, 0)
        many = span[1] - span[0] + 1
        masks = memory.eights(many)
        with code.up_to(many) as (each, i):
            each.put(_put_eight(masks, i, EMPTY))
        return cls(keyed.keys, span, masks)

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
