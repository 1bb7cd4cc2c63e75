"""Which members can stand in a set at all, told from what its members must have in common.

Where two must be alike, a member that is like no other is left out; where they must follow one
another, one that has no neighbours.  Most hands are thus known to hold nothing before any set is
tried.
"""

from collections.abc import Callable, Sequence

from attrs import frozen

from compiler.lir.build import binary, both, mask, negate, some_bit, to_mask
from compiler.lir.core import MASK, Expr, Local, Op
from compiler.lir.stepwise.asks import Asks
from compiler.lir.stepwise.code import Code, at_least, differ, is_, plus
from compiler.lir.stepwise.growing import Growing
from compiler.lir.stepwise.lists import elements, side_by_side, size
from compiler.lir.stepwise.ties import Keyed, Tie


@frozen(eq=False)
class Sifted:
    """The members that are left, and what the last tie reads of them; 0 if it was not asked."""

    members: Expr
    tie: Tie | None
    keys: Local

    def keyed(self, reader: Asks, order: Expr, tie: Tie) -> Keyed:
        """What a tie reads of those that are left, in an order, which may be the one they had."""
        if tie is not self.tie:
            return Keyed.of(reader, order, tie)
        keys = reader.code.local("keys", self.keys)
        known = both(is_(order, self.members), differ(keys, 0))
        with reader.code.when(negate(known)) as moved:
            moved.set(keys, Keyed.of(reader.inside(moved), order, tie).keys)
        return Keyed(keys, tie.in_a_row, tie.span)


def sifted(
    reader: Asks,
    members: Expr,
    tied: Sequence[Tie],
    low: Expr,
    known: Callable[[Asks, Tie], Keyed] | None = None,
) -> Sifted:
    """The members that can stand in a set of at least `low`; all where that tells nothing.

    `known` tells what a tie reads of all members.
    """
    told = [(tie, span) for tie in tied if (span := tie.span) is not None]
    keys = reader.code.local("keys", 0)
    if not told:
        return Sifted(members, None, keys)
    left = reader.code.local("left", members)
    with reader.code.when(at_least(low, 2)) as several:
        inside = reader.inside(several)
        for at_, (tie, (least, _)) in enumerate(told):
            its = known(inside, tie) if known and not at_ else Keyed.of(inside, left, tie)
            possible = _runs if tie.in_a_row else _pairs
            kept = several.keep(possible(several, its.keys, least, low))
            _choose(several, left, its.keys, (keys, least, kept), reader.arena.empty)
    return Sifted(left, told[-1][0], keys)


def _bit(key: Expr, least: int) -> Expr:
    """The bit of a key."""
    return binary(Op.SHL, mask(1), to_mask(plus(key, -least)))


def _pairs(code: Code, keys: Expr, least: int, _: Expr) -> Expr:
    """The keys that come twice."""
    once, twice = code.local("once", mask(0), MASK), code.local("twice", mask(0), MASK)
    with elements(code, keys) as (each, key):
        bit = each.keep(_bit(key, least))
        each.set(twice, binary(Op.OR, twice, binary(Op.AND, once, bit)))
        each.set(once, binary(Op.OR, once, bit))
    return twice


def _runs(code: Code, keys: Expr, least: int, low: Expr) -> Expr:
    """The keys in a run of so many."""
    present = code.local("present", mask(0), MASK)
    with elements(code, keys) as (each, key):
        each.set(present, binary(Op.OR, present, _bit(key, least)))
    starts = code.local("starts", present, MASK)
    with code.up_to(low, 1) as (each, _):
        each.set(present, binary(Op.SHR, present, mask(1)))
        each.set(starts, binary(Op.AND, starts, present))
    covered = code.local("covered", starts, MASK)
    with code.up_to(low, 1) as (each, _):
        each.set(starts, binary(Op.SHL, starts, mask(1)))
        each.set(covered, binary(Op.OR, covered, starts))
    return covered


def _choose(
    code: Code, left: Local, keys: Expr, chosen: tuple[Local, int, Expr], empty: int
) -> None:
    """Leaves the members whose keys are among some, and these keys.

    Nobody is looked at where there are none.
    """
    of_chosen, least, kept = chosen
    members = code.local("members", left)
    code.set(left, empty)
    code.set(of_chosen, empty)
    with code.when(some_bit(kept)) as some:
        ones, theirs = Growing.of(some, size(keys)), Growing.of(some, size(keys))
        with side_by_side(some, members, keys) as (each, one, its):
            with each.when(some_bit(both(kept, _bit(its, least)))) as found:
                ones.push(found, one)
                theirs.push(found, its)
        some.set(left, ones.done(some))
        some.set(of_chosen, theirs.done(some))
