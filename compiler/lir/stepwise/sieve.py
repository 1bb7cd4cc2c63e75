"""Which members can stand in a set at all, told from what its members must have in common.

Where two must be alike, a member that is like no other is left out; where they must follow one
another, one that has no neighbours.  Most hands are thus known to hold nothing before any set is
tried.
"""

from collections.abc import Sequence

from compiler.lir.build import binary, mask, to_mask
from compiler.lir.core import MASK, Expr, Local, Op
from compiler.lir.stepwise.asks import Asks
from compiler.lir.stepwise.code import Code, at_least, plus
from compiler.lir.stepwise.growing import Growing
from compiler.lir.stepwise.lists import element, size
from compiler.lir.stepwise.ties import Keyed, Tie


def sifted(reader: Asks, members: Expr, tied: Sequence[Tie], low: Expr) -> Expr:
    """The members that can stand in a set of at least `low`; all where that tells nothing."""
    told = [(tie, span) for tie in tied if (span := tie.span) is not None]
    if not told:
        return members
    left, empty = reader.code.local("left", members), reader.arena.empty
    with reader.code.when(at_least(low, 2)) as several:
        for tie, (least, _) in told:
            keys = Keyed.of(reader.inside(several), left, tie).keys
            possible = _runs if tie.in_a_row else _pairs
            kept = possible(several, keys, least, low)
            several.set(left, _chosen(several, left, keys, least, kept, empty))
    return left


def _bit(keys: Expr, position: Expr, least: int) -> Expr:
    """The bit of a key."""
    return binary(Op.SHL, mask(1), to_mask(plus(element(keys, position), -least)))


def _pairs(code: Code, keys: Expr, least: int, _: Expr) -> Expr:
    """The keys that come twice."""
    once, twice = code.local("once", mask(0), MASK), code.local("twice", mask(0), MASK)
    with code.up_to(size(keys)) as (each, i):
        bit = each.keep(_bit(keys, i, least))
        each.set(twice, binary(Op.OR, twice, binary(Op.AND, once, bit)))
        each.set(once, binary(Op.OR, once, bit))
    return twice


def _runs(code: Code, keys: Expr, least: int, low: Expr) -> Expr:
    """The keys in a run of so many."""
    present = code.local("present", mask(0), MASK)
    with code.up_to(size(keys)) as (each, i):
        each.set(present, binary(Op.OR, present, _bit(keys, i, least)))
    starts = code.local("starts", present, MASK)
    with code.up_to(low, 1) as (each, _):
        each.set(present, binary(Op.SHR, present, mask(1)))
        each.set(starts, binary(Op.AND, starts, present))
    covered = code.local("covered", starts, MASK)
    with code.up_to(low, 1) as (each, _):
        each.set(starts, binary(Op.SHL, starts, mask(1)))
        each.set(covered, binary(Op.OR, covered, starts))
    return covered


def _chosen(code: Code, members: Expr, keys: Expr, least: int, kept: Expr, empty: int) -> Local:
    """The members whose keys are among some; nobody is looked at where there are none."""
    made = code.local("chosen", empty)
    with code.when(binary(Op.NE, kept, mask(0))) as some:
        growing = Growing.of(some, size(members))
        with some.up_to(size(members)) as (each, i):
            common = binary(Op.AND, kept, _bit(keys, i, least))
            with each.when(binary(Op.NE, common, mask(0))) as one:
                growing.push(one, element(members, i))
        some.set(made, growing.done(some))
    return made
