"""Subsets and orders of a list, one after the other, each twin once.

Subsets come by size, then in the order of the members; of equal members the first ones are taken.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from attrs import frozen

from compiler.lir.build import both, negate
from compiler.lir.core import Continue, Expr, Local
from compiler.lir.reps import NONE
from compiler.lir.stepwise.code import (
    Code,
    Loops,
    Value,
    at_least,
    differ,
    is_,
    joined,
    less,
    plus,
    put_at,
    times,
)
from compiler.lir.stepwise.lists import element, new, push, size
from compiler.lir.stepwise.ties import Keyed

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
    members: Expr,
    low: Value,
    high: Value,
    twins: Expr | None = None,
    keyed: Sequence[Keyed] = (),
) -> Iterator[tuple[Code, Local]]:
    """What is done for each subset of `low` to `high` members that `keyed` lets stand together.

    The list of its members is another one from each to the next: who keeps it copies it.
    """
    members = code.keep(members)
    most = code.keep(plus(high, 1))
    alike = next((keys for keys in keyed if not keys.in_a_row), None)
    chain = None if alike is None else _Chain.of(code, alike.keys)
    walk = _Walk.room(code, members, chain)
    with code.up_to(most, low) as (sized, wanted):
        walk.begin(sized, wanted)
        reached = sized.local("is_reached", 0)
        with sized.loop("walk") as each:
            with each.when(is_(walk.depth, wanted)) as whole:
                whole.set(reached, 1)
                yield whole, walk.made
                walk.back(whole, each)
            walk.back_if_short(each, wanted)
            if twins is not None:
                walk.skip_if(each, walk.lacks_twin(each, twins))
            for keys in keyed:
                if keys is not alike:
                    walk.skip_if(each, walk.clashes(each, keys, wanted))
            walk.take(each)
        if not any(keys.in_a_row for keys in keyed):
            sized.leave_if(negate(reached))  # where none is so large, none is larger


@contextmanager
def orders(code: Code, members: Expr, twins: Expr | None = None) -> Iterator[tuple[Code, Local]]:
    """What is done for each order of the members, in a list that is another one each time."""
    members = code.keep(members)
    walk = _Walk.room(code, members)
    walk.begin(code, size(members))
    with code.loop("walk") as each:
        with each.when(is_(walk.depth, size(members))) as whole:
            yield whole, walk.made
            walk.back(whole, each)
        with each.when(at_least(walk.following, size(members))) as stuck:
            walk.back(stuck, each)
        walk.skip_if(each, element(walk.used, walk.following))
        if twins is not None:
            walk.skip_if(each, walk.lacks_twin(each, twins))
        walk.take(each)
        each.set(walk.following, 0)


@frozen(eq=False)
class _Chain:
    """Members with the same key, from each to the next.

    `following` gives the position of that, `left` how many there are from one on; behind the last
    member there are none.
    """

    following: Local
    left: Local

    @classmethod
    def of(cls, code: Code, keys: Expr) -> "_Chain":
        """Reads it off the keys of all members."""
        many = code.keep(size(keys))
        following, left = new(code, plus(many, 1)), new(code, plus(many, 1))
        code.put(put_at(left, 0, plus(many, 1)))
        with code.up_to(many) as (each, turned):
            here = each.keep(plus(plus(many, -1), times(turned, -1)))
            spot = each.local("spot", here)
            with each.loop() as search:
                search.step(spot)
                search.leave_if(is_(spot, many))
                search.leave_if(is_(element(keys, spot), element(keys, here)))
            each.put(
                put_at(following, spot, plus(here, 1)),
                put_at(left, plus(element(left, spot), 1), plus(here, 1)),
            )
        return cls(following, left)


@frozen(eq=False)
class _Walk:
    """Goes through choices of members: positions so far, and which may come next."""

    members: Expr
    made: Local  # those that are chosen, as a list whose length is that of a whole choice
    positions: Local
    used: Local
    depth: Local
    following: Local
    chain: _Chain | None = None

    @classmethod
    def room(cls, code: Code, members: Expr, chain: _Chain | None = None) -> "_Walk":
        """Room for choices of members."""
        made, positions, used = (new(code, size(members)) for _ in range(3))
        with code.up_to(size(members)) as (each, _):
            push(each, used, 0)
        depth, following = (Local(code.names.fresh(stem)) for stem in ("depth", "following"))
        return cls(members, made, positions, used, depth, following, chain)

    def begin(self, code: Code, wanted: Expr) -> None:
        """Nothing chosen yet of so many."""
        code.put(put_at(self.made, wanted))
        code.set(self.depth, 0)
        code.set(self.following, 0)

    def take(self, code: Code) -> None:
        """Chooses the member that may come next."""
        code.put(put_at(self.positions, self.following, plus(self.depth, 1)))
        code.put(put_at(self.made, element(self.members, self.following), plus(self.depth, 1)))
        code.put(put_at(self.used, 1, plus(self.following, 1)))
        code.step(self.depth)
        self._advance(code, self.following)

    def _advance(self, code: Code, position: Expr) -> None:
        """The member behind one comes next: if one is chosen, of those with its key."""
        behind: Expr = plus(position, 1)
        if self.chain is not None:
            behind = code.local("behind", behind)
            with code.when(self.depth) as chained:
                chained.set(behind, element(self.chain.following, position))
        code.set(self.following, behind)

    def back_if_short(self, code: Loops, wanted: Expr) -> None:
        """Takes the last choice back where there are not enough members left."""
        missing = plus(wanted, times(self.depth, -1))
        if self.chain is None:
            short = less(size(self.members), plus(self.following, missing))
        else:
            with code.when(is_(self.depth, 0)) as alone, alone.loop() as search:
                # The first member may still be another one.
                search.leave_if(is_(self.following, size(self.members)))
                search.leave_if(at_least(element(self.chain.left, self.following), missing))
                search.step(self.following)
            short = less(element(self.chain.left, self.following), missing)
        with code.when(short) as stuck:
            self.back(stuck, code)

    def drop(self, code: Code) -> None:
        """Takes the last choice back; those behind it come next."""
        code.step(self.depth, -1)
        last = code.keep(element(self.positions, self.depth))
        code.put(put_at(self.used, 0, plus(last, 1)))
        self._advance(code, last)

    def back(self, code: Code, loop: Loops) -> None:
        """Takes the last choice back and goes on; ends where there is none."""
        with code.when(is_(self.depth, 0)) as done:
            loop.leave_from(done)
        self.drop(code)
        code.put(Continue(loop.name))

    def skip_if(self, code: Loops, test: Expr) -> None:
        """Passes over the member that may come next."""
        with code.when(test) as skipped:
            self._advance(skipped, self.following)
            skipped.again()

    def clashes(self, code: Code, keyed: Keyed, wanted: Expr) -> Expr:
        """Whether the next one cannot stand with those that are chosen."""
        found = code.local("is_clash", 0)
        its = code.keep(element(keyed.keys, self.following))
        if not keyed.in_a_row:  # a second one; the first is chained
            with code.when(self.depth) as some:
                first = element(keyed.keys, element(self.positions, 0))
                some.set(found, differ(first, its))
            return found
        with code.up_to(self.depth) as (each, i):
            other = each.keep(element(keyed.keys, element(self.positions, i)))
            apart = each.keep(plus(its, times(other, -1)))
            near = both(less(apart, wanted), less(times(apart, -1), wanted))
            wrong = joined(is_(apart, 0), negate(near))
            known = both(differ(other, NONE), differ(its, NONE))
            each.set(found, joined(found, both(known, wrong)))
        return found

    def lacks_twin(self, code: Code, twins: Expr) -> Expr:
        """Whether an equal member before the next one is not chosen."""
        before = code.keep(element(twins, self.following))
        missing = code.local("is_missing", 0)
        with code.when(at_least(before, 0)) as has_one:
            has_one.set(missing, negate(element(self.used, before)))
        return missing
