"""Lists: what their operators make of masks, guarded lists and heaps of tokens."""

from attrs import evolve

from compiler.lir.build import (
    NO,
    YES,
    add,
    all_of,
    any_of,
    binary,
    bit_count,
    both,
    choice,
    compare,
    equal,
    has_bit,
    lowest,
    mask,
    negate,
    num,
    some_bit,
    sub,
    total,
    without,
)
from compiler.lir.build import union as all_bits
from compiler.lir.core import Expr, Op, Un, Unary
from compiler.lir.image import Tables, as_mask
from compiler.lir.reps import (
    NONE,
    Bits,
    Heap,
    Item,
    Items,
    Known,
    Num,
    Parts,
    Rep,
    Run,
    Spread,
    Token,
    Unsupported,
    exists,
    is_none,
    present,
)
from compiler.lir.scalars import as_truth, identical, merged, scalar, truth


def items(rep: Rep) -> Items:
    """A list as guarded elements, in order."""
    match rep:
        case Items():
            return rep
        case Known(None):
            return Items(())
        case Known(tuple() as values):
            return Items(tuple(Item(Known(value)) for value in values))
        case Bits(expr, universe):
            return Items(
                tuple(
                    Item(Known(value), has_bit(expr, num(bit)))
                    for value, bit in zip(universe.values, universe.bits, strict=True)
                )
            )
        case _:
            raise Unsupported(f"{type(rep).__name__} as a list")


def count(rep: Rep) -> Rep:
    """How many elements there are."""
    match rep:
        case Bits(expr, universe):
            return Num(bit_count(expr), 0, len(universe.values))
        case Heap(groups):
            return Num(total([group.count for group in groups]), 0, 4095)
        case Run(_, length):
            return Num(length, 0, 4095)
        case Spread(board, squares):
            return Num(total([bit_count(plane) for plane in squares]), 0, len(board.places))
        case Parts(parts):
            counts = [scalar(count(part)).expr for part in parts]
            return Num(total(counts), 0, 4095)
        case _:
            found = items(rep).items
            counted = total([item.when for item in found])
            sure = sum(item.when == YES for item in found)
            return Num(counted, sure, len(found))


def is_empty(rep: Rep) -> Rep:
    """Whether there are none."""
    match rep:
        case Bits(expr, _):
            return as_truth(negate(some_bit(expr)))
        case Heap(groups):
            return as_truth(equal(total([group.count for group in groups]), num(0)))
        case Run(_, length):
            return as_truth(equal(length, num(0)))
        case Spread(_, squares):
            return as_truth(negate(some_bit(all_bits(list(squares)))))
        case Parts(parts):
            return as_truth(all_of([truth(is_empty(part)) for part in parts]))
        case _:
            return as_truth(negate(any_of([item.when for item in items(rep).items])))


def first(rep: Rep, tables: Tables) -> Rep:
    """The first element, `none` of an empty list."""
    match rep:
        case Bits(expr):
            return value_of_bit(rep, lowest(expr), tables, some_bit(expr))
        case Run(token, _):
            return token
        case Heap():
            raise Unsupported("one of several kinds of token")
        case _:
            found = [item for item in items(rep).items if exists(item.when)]
            return _first_of(found)


def value_of_bit(rep: Bits, bit: Expr, tables: Tables, there: Expr = YES) -> Rep:
    """The value of a bit of a mask, `none` unless `there`."""
    universe = rep.universe
    values = [value if isinstance(value, int) else None for value in universe.values]
    if any(value is None for value in values):
        raise Unsupported("lists of what is no number")
    by_bit = dict(zip(universe.bits, universe.values, strict=True))
    last = 0
    spread: list[int] = []
    for at in range(universe.bits[-1] + 1):
        found = by_bit.get(at, last)
        last = found if isinstance(found, int) else last
        spread.append(last)
    expr = _affine(universe.bits, values, bit)
    if expr is None:
        expr = tables.numbers(tuple(spread), bit)
    numbers = [value for value in values if value is not None]
    return Num(choice(there, expr, num(NONE)), min(numbers), max(numbers), there != YES)


def _affine(bits: tuple[int, ...], values: list[int | None], bit: Expr) -> Expr | None:
    """A value as its bit and a constant, where that is so for all."""
    shift = {(value or 0) - at for value, at in zip(values, bits, strict=True)}
    return add(bit, num(shift.pop())) if len(shift) == 1 else None


def _first_of(found: list[Item]) -> Rep:
    if not found:
        return Known(None)
    head, rest = found[0], found[1:]
    if head.when == YES:
        return head.value
    if isinstance(head.value, Token):
        if rest:
            raise Unsupported("the first of several tokens")
        return Token(
            head.value.token_class,
            head.value.kind,
            head.value.place,
            head.value.source,
            both(head.value.there, head.when),
        )
    one = merged(head.when, head.value, _first_of(rest))
    if one is None:
        raise Unsupported("the first of different things")
    return one


def rest(rep: Rep) -> Rep:
    """All but the first."""
    match rep:
        case Bits(expr, universe):
            return Bits(both(expr, binary(Op.SUB, expr, mask(1))), universe)
        case _:
            found = items(rep).items
            if found and found[0].when == YES:
                return Items(found[1:])
            raise Unsupported("the rest of a list whose first element may be missing")


def contains(value: Rep, rep: Rep) -> Rep:
    """Whether an element is in a list."""
    match rep, value:
        case Bits(expr, universe), Known(one):
            at = universe.bit(one)
            return Known(False) if at is None else as_truth(has_bit(expr, num(at)))
        case Bits(expr, universe), Num(number, low, high, none):
            shift = {bit - _int(v) for v, bit in zip(universe.values, universe.bits, strict=True)}
            whole = universe.values == tuple(range(low, high + 1))
            if len(shift) == 1 and (whole or (low in universe.values and high in universe.values)):
                inside = has_bit(expr, add(number, num(shift.pop())))
                return as_truth(choice(is_none(number), NO, inside) if none else inside)
            return _one_of(value, rep)
        case _:
            return _one_of(value, rep)


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise Unsupported("lists of what is no number")
    return value


def _one_of(value: Rep, rep: Rep) -> Rep:
    return as_truth(
        any_of([both(item.when, truth(identical(value, item.value))) for item in items(rep).items])
    )


def same_list(left: Rep, right: Rep) -> Rep:
    """Whether two lists are equal."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Known) and one.value == ():
            return is_empty(other)
    match left, right:
        case (Bits(a, ours), Bits(b, theirs)) if ours == theirs:
            return as_truth(equal(a, b))
        case (Bits(a, ours), Known(tuple() as b)) | (Known(tuple() as b), Bits(a, ours)):
            if not ours.holds(b):
                raise Unsupported("lists of different kinds that are compared")
            return as_truth(equal(a, mask(ours.mask(b))))
        case _:
            raise Unsupported("lists that are compared")


def union(left: Rep, right: Rep) -> Rep:
    """Elements of both, each once."""
    match left, right:
        case (Spread() | Heap() | Parts(), Spread() | Heap() | Parts()):
            return Parts((left, right))
        case (Bits(a, ours), _):
            return Bits(binary(Op.OR, a, _inside(right, left)), ours)
        case _:
            raise Unsupported("lists that are joined")


def minus(left: Rep, right: Rep) -> Rep:
    """Elements of the first that are not in the second."""
    match left:
        case Bits(a, ours):
            return Bits(without(a, _inside(right, left)), ours)
        case _:
            found = items(left).items
            return Items(
                tuple(
                    Item(item.value, both(item.when, negate(truth(contains(item.value, right)))))
                    for item in found
                )
            )


def _inside(rep: Rep, within: Bits) -> Expr:
    """A list as a mask of another's universe; elements that it cannot have are left out."""
    universe = within.universe
    match rep:
        case Known(tuple() as values):
            return mask(universe.mask(tuple(v for v in values if universe.bit(v) is not None)))
        case Items(found):
            return all_bits([_bit_of(item, within) for item in found])
        case _:
            return as_mask(rep, universe)


def _bit_of(item: Item, within: Bits) -> Expr:
    universe = within.universe
    match item.value:
        case Known(value):
            at = universe.bit(value)
            if at is None:
                return mask(0)
            return choice(item.when, mask(1 << at), mask(0))
        case Num(expr, low, high, none):
            offset = {bit - _int(v) for v, bit in zip(universe.values, universe.bits, strict=True)}
            if len(offset) != 1 or low not in universe.values or high not in universe.values:
                raise Unsupported("a member that may be outside of its set")
            one = binary(
                Op.SHL,
                mask(1),
                Unary(Un.INT_TO_MASK, add(expr, num(next(iter(offset))))),
            )
            test = both(item.when, negate(is_none(expr))) if none else item.when
            return choice(test, one, mask(0))
        case _:
            raise Unsupported("a set of lists")


def summed(rep: Rep) -> Rep:
    """The sum of numbers."""
    parts, low, high = [], 0, 0
    for item in items(rep).items:
        if not exists(item.when):
            continue
        number = scalar(item.value)
        if number.none:
            raise Unsupported("a sum of what may be none")
        always = item.when == YES
        parts.append(number.expr if always else choice(item.when, number.expr, num(0)))
        low += number.low if always else min(0, number.low)
        high += number.high if always else max(0, number.high)
    return Num(total(parts), low, high)


def extreme(rep: Rep, largest: bool) -> Rep:
    """The largest or smallest number, those that are `none` left out; `none` of nothing."""
    best: Num | None = None
    for item in items(rep).items:
        if not exists(item.when):
            continue
        number = scalar(item.value)
        there = both(item.when, present(item.value))
        expr = choice(there, number.expr, num(NONE))
        fresh = Num(expr, number.low, number.high, there != YES)
        best = fresh if best is None else _better(best, fresh, largest)
    return Known(None) if best is None else best


def _better(a: Num, b: Num, largest: bool) -> Num:
    op = Op.LT if largest else Op.GT
    takes_b = both(negate(is_none(b.expr)), compare(op, a.expr, b.expr))
    if a.none:
        takes_b = choice(is_none(a.expr), YES, takes_b)
    expr = choice(takes_b, b.expr, a.expr)
    return Num(expr, min(a.low, b.low), max(a.high, b.high), a.none and b.none)


def best_of(listed: Rep, keys: Rep, largest: bool) -> Rep:
    """The elements with the largest or smallest key."""
    elements, numbers = items(listed).items, items(keys).items
    if len(elements) != len(numbers):
        raise Unsupported("keys that do not stand beside their elements")
    top = scalar(extreme(keys, largest))
    return Items(
        tuple(
            Item(element.value, both(element.when, equal(scalar(key.value).expr, top.expr)))
            for element, key in zip(elements, numbers, strict=True)
        )
    )


def all_same(rep: Rep) -> Rep:
    """Whether no two differ."""
    found = [item for item in items(rep).items if exists(item.when)]
    if any(item.when != YES for item in found):
        raise Unsupported("`same` of a list with elements that may be missing")
    return as_truth(all_of([truth(identical(found[0].value, i.value)) for i in found[1:]]))


def taken(number: int, rep: Rep) -> Rep:
    """The first so many."""
    match rep:
        case Run(token, _) if number == 1:
            return Items((Item(evolve(token, there=YES), token.there),))
        case Heap(groups):
            left: Expr = num(number)
            kept = []
            for group in groups:
                here = choice(compare(Op.LT, group.count, left), group.count, left)
                kept.append(type(group)(group.token, here))
                left = sub(left, here)
            return Heap(tuple(kept))
        case _:
            found = [item for item in items(rep).items if exists(item.when)]
            if all(item.when == YES for item in found[:number]):
                return Items(tuple(found[:number]))
            if number == 1:
                return _leading(found)
            raise Unsupported("the first few of a list with elements that may be missing")


def _leading(found: list[Item]) -> Rep:
    """The first element of a list, as a list."""
    before: Expr = NO
    kept = []
    for item in found:
        kept.append(Item(item.value, both(item.when, negate(before))))
        before = binary(Op.OR, before, item.when)
    return Items(tuple(kept))
