"""Picks the i-th member of a mask without a loop: by a table, by ranks, or by halving."""

from collections.abc import Iterator

from compiler.lir.build import (
    add,
    binary,
    bit_count,
    both,
    compare,
    mask,
    num,
    sub,
    to_int,
    to_mask,
)
from compiler.lir.core import INT, MASK, Call, Expr, Function, Local, Op, Return, Set, Stmt
from compiler.lir.image import Tables
from compiler.lir.reps import Bits, Known, Num, Rep
from compiler.lir.sequences import value_of_bit
from compiler.lir.writer import Writer

NTH = "nth_bit"
"""`(mask, i) -> INT`: the number of the i-th bit that is set, from 0; there must be so many."""

_BY_TABLE = 10  # members for which a table of all masks is small enough to stay at hand
_BY_RANK = 16


def member(writer: Writer, tables: Tables, chosen: Bits, index: Expr) -> Rep:
    """The member of a mask at an index, in order; there must be so many."""
    universe = chosen.universe
    count = len(universe.values)
    if count == 1:
        return Known(universe.values[0])
    if universe.bits == tuple(range(count)) and count <= _BY_TABLE:
        bit = tables.numbers(_all_members(count), _row(chosen.expr, index, count))
        return _kept(writer, value_of_bit(chosen, writer.keep(bit), tables))
    if count <= _BY_RANK:
        return _kept(writer, _by_rank(tables, chosen, index))
    bit = writer.keep(Call(NTH, (chosen.expr, index), INT))
    return _kept(writer, value_of_bit(chosen, bit, tables))


def _kept(writer: Writer, rep: Rep) -> Rep:
    if isinstance(rep, Num):
        return Num(writer.keep(rep.expr), rep.low, rep.high, rep.none)
    return rep


def _row(expr: Expr, index: Expr, count: int) -> Expr:
    return add(binary(Op.MUL, to_int(expr), num(count)), index)


def _all_members(count: int) -> tuple[int, ...]:
    """For each mask of so many bits, the numbers of those that are set, and zeros."""
    rows: list[int] = []
    for bits in range(1 << count):
        members = [bit for bit in range(count) if bits >> bit & 1]
        rows += members + [0] * (count - len(members))
    return tuple(rows)


def _by_rank(tables: Tables, chosen: Bits, index: Expr) -> Rep:
    """As many members lie before it as have no more than `index` set bits up to themselves."""
    upto = 0
    rank: Expr = num(0)
    for bit in chosen.universe.bits[:-1]:
        upto |= 1 << bit
        before = bit_count(both(chosen.expr, mask(upto)))
        rank = add(rank, compare(Op.LE, before, index))
    values = chosen.universe.values
    numbers = tuple(value if isinstance(value, int) else 0 for value in values)
    return Num(tables.numbers(numbers, rank), min(numbers), max(numbers))


def nth_bit() -> Function:
    """The function `NTH`: six times the half in which the bit lies."""
    bits, index, found = Local("bits", MASK), Local("index"), Local("found")
    body: list[Stmt] = [Set(found, num(0))]
    for half in (32, 16, 8, 4, 2, 1):
        body += _halved(bits, index, found, half)
    return Function(NTH, (bits, index), INT, (*body, Return(found)))


def _halved(bits: Local, index: Local, found: Local, half: int) -> Iterator[Stmt]:
    before, above = Local("before"), Local("above")
    yield Set(before, bit_count(both(bits, mask((1 << half) - 1))))
    yield Set(above, compare(Op.GE, index, before))
    yield Set(index, sub(index, binary(Op.MUL, before, above)))
    yield Set(found, add(found, binary(Op.MUL, above, num(half))))
    yield Set(bits, binary(Op.SHR, bits, to_mask(binary(Op.MUL, above, num(half)))))
