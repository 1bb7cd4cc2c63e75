"""Lists and sets.  A set of scalars is kept in ascending order; tokens keep the order they come in.

`none` reads as nothing where a list is asked for.  Positions count from 1.
"""

from collections.abc import Callable
from itertools import pairwise
from operator import eq

from compiler.ops.numbers import LIMIT, bounded, number
from compiler.ops.row import Op, Undefined, Value
from compiler.types import (
    BOOL,
    Int,
    ListOf,
    Nothing,
    SetOf,
    Token,
    Type,
    element,
    fits,
    join,
    join_elements,
    optional,
    present,
)

MOST_ELEMENTS = 4095  # longest list any game has; a bound for `count`

Elements = tuple[Value, ...]


def elements(value: Value) -> Elements:
    """The members of a list; `none` has none."""
    return value if isinstance(value, tuple) else ()


def _element(type_: Type) -> Type | None:
    return Nothing() if isinstance(type_, Nothing) else element(type_)


def _equal(types: tuple[Type, ...]) -> Type | None:
    return BOOL if fits(types[0], types[1]) else None


def _member(types: tuple[Type, ...]) -> Type | None:
    inner = _element(types[1])
    return BOOL if inner is not None and fits(types[0], inner) else None


def _count(types: tuple[Type, ...]) -> Type | None:
    return Int(0, MOST_ELEMENTS) if _element(types[0]) is not None else None


def _one(types: tuple[Type, ...]) -> Type | None:
    inner = _element(types[0])
    return None if inner is None else optional(inner)


def _item(types: tuple[Type, ...]) -> Type | None:
    return _one(types[:1]) if isinstance(present(types[1]), Int | Nothing) else None


def _union(types: tuple[Type, ...]) -> Type | None:
    a, b = types
    if isinstance(a, SetOf) and isinstance(b, SetOf | Nothing):
        return join(a, b)
    x, y = _element(a), _element(b)
    inner = join_elements(x, y) if x is not None and y is not None else None
    if inner is None:
        return None
    return SetOf(inner) if isinstance(a, SetOf) else ListOf(inner)


def _minus(types: tuple[Type, ...]) -> Type | None:
    x, y = _element(types[0]), _element(types[1])
    if x is None or y is None or not fits(y, x):
        return None
    return SetOf(x) if isinstance(types[0], SetOf) else ListOf(x)


def _range(types: tuple[Type, ...]) -> Type | None:
    a, b = present(types[0]), present(types[1])
    if not isinstance(a, Int) or not isinstance(b, Int):
        return None
    return ListOf(Int(min(a.low, b.high), b.high))  # of nothing, if it cannot begin


def _part(types: tuple[Type, ...]) -> Type | None:
    inner = _element(types[1])
    if inner is None or not isinstance(present(types[0]), Int):
        return None
    return types[1] if isinstance(types[1], SetOf) else ListOf(inner)


def _sum(types: tuple[Type, ...]) -> Type | None:
    inner = _element(types[0])
    if inner is None:
        return None
    inner = present(inner)
    if isinstance(inner, Nothing):
        return Int(0, 0)
    if not isinstance(inner, Int):
        return None
    low, high = inner.low * MOST_ELEMENTS, inner.high * MOST_ELEMENTS
    return (
        bounded(min(0, low), max(0, high)) if abs(low) + abs(high) < LIMIT else Int(-LIMIT, LIMIT)
    )


def _extreme(types: tuple[Type, ...]) -> Type | None:
    inner = _element(types[0])
    return None if inner is None else optional(present(inner))


def _test(types: tuple[Type, ...]) -> Type | None:
    return BOOL if _element(types[0]) is not None else None


def _same_list(types: tuple[Type, ...]) -> Type | None:
    inner = _element(types[0])
    return None if inner is None else ListOf(inner)


def _just(types: tuple[Type, ...]) -> Type | None:
    return ListOf(present(types[0]))


def _as_set(types: tuple[Type, ...]) -> Type | None:
    inner = _element(types[0])
    return None if inner is None else SetOf(inner)


def _listing(types: tuple[Type, ...]) -> Type | None:
    inner: Type | None = Nothing()
    for type_ in types:
        inner = (
            join(inner, type_) if inner is not None and not isinstance(inner, Nothing) else type_
        )
        if inner is None:
            return None
    return ListOf(inner or Nothing())


def item(values: Value, position: Value) -> Value:
    """The element at a position from 1; `none` outside."""
    found = elements(values)
    return found[number(position) - 1] if 1 <= number(position) <= len(found) else None


def union(a: Value, b: Value) -> Value:
    """`a`, then what of `b` it lacks."""
    out = list(elements(a))
    out += [x for x in elements(b) if x not in out]
    return tuple(out)


def as_set(values: Value) -> Value:
    """Each element once; scalars in ascending order."""
    unique = tuple(dict.fromkeys(elements(values)))
    if all(isinstance(x, int) for x in unique):
        return tuple(sorted(x for x in unique if isinstance(x, int)))
    return unique


def unordered(values: Value) -> Value:
    """Each element once, as given: a set of tokens, which the machine orders when read."""
    return tuple(dict.fromkeys(elements(values)))


def consecutive(values: Value) -> bool:
    """Whether the numbers, in some order, follow one another without gap or repetition."""
    numbers = sorted(number(x) for x in elements(values))
    return all(b - a == 1 for a, b in pairwise(numbers))


def arrange(items: Value, keys: Value) -> Value:
    """The items by ascending key; equal keys keep their order."""
    pairs = list(zip(elements(keys), elements(items), strict=True))
    pairs.sort(key=lambda pair: number(pair[0]))
    return tuple(x for _, x in pairs)


def _extremal(best: Callable[..., int]) -> Callable[[Value, Value], Value]:
    def pick(items: Value, keys: Value) -> Value:
        numbers = [number(key) for key in elements(keys)]
        if not numbers:
            return ()
        top = best(numbers)
        pairs = zip(elements(items), numbers, strict=True)
        return tuple(x for x, key in pairs if key == top)

    return pick


def _ends(values: Value, best: Callable[..., int]) -> Value:
    numbers = [number(x) for x in elements(values) if x is not None]
    return best(numbers) if numbers else None


def after(seats: Value, seat: Value) -> Value:
    """The list turned so that it begins behind an element and ends with it."""
    found = elements(seats)
    if seat not in found:
        return found
    at = found.index(seat) + 1
    return found[at:] + found[:at]


def _after(types: tuple[Type, ...]) -> Type | None:
    inner = _element(types[0])
    return None if inner is None else ListOf(inner)


def take(count: Value, values: Value) -> Value:
    """The first elements, as many as there are."""
    if number(count) < 0:
        raise Undefined("a negative number of tokens")
    return elements(values)[: number(count)]


def take_last(count: Value, values: Value) -> Value:
    """The last elements, as many as there are, in order."""
    if number(count) < 0:
        raise Undefined("a negative number of tokens")
    return elements(values)[len(elements(values)) - min(number(count), len(elements(values))) :]


def linked(start: Value, inside: Value, steps: Value) -> Value:
    """What can be reached from `start` by steps that stay `inside`; `steps`: pairs (from, to's)."""
    ways = {pair[0]: pair[1] for pair in elements(steps) if isinstance(pair, tuple)}
    allowed = elements(inside)
    reached = [x for x in elements(start) if x in allowed]
    for square in reached:  # grows while it is walked
        reached += [x for x in elements(ways.get(square, ())) if x in allowed and x not in reached]
    return tuple(x for x in allowed if x in reached)


def _linked(types: tuple[Type, ...]) -> Type | None:
    inner = _element(types[1])
    return None if inner is None else SetOf(inner)


IS = Op("is", _equal, eq, "is")
SAME_MEMBERS = Op("same_members", _equal, lambda a, b: set(elements(a)) == set(elements(b)), "is")
IN = Op("in", _member, lambda a, b: a in elements(b), "in")
COUNT = Op("count", _count, lambda a: len(elements(a)))
FIRST = Op("first", _one, lambda a: elements(a)[0] if elements(a) else None)
LAST = Op("last", _one, lambda a: elements(a)[-1] if elements(a) else None)
REST = Op("rest", _same_list, lambda a: elements(a)[1:])
ITEM = Op("item", _item, item)
UNION = Op("union", _union, union, "+")
MINUS = Op("minus", _minus, lambda a, b: tuple(x for x in elements(a) if x not in elements(b)), "-")
RANGE = Op("range", _range, lambda a, b: tuple(range(number(a), number(b) + 1)), "..")
TAKE = Op("take", _part, take)
TAKE_LAST = Op("take_last", _part, take_last)
SUM = Op("sum", _sum, lambda a: sum(number(x) for x in elements(a)))
MIN = Op("min", _extreme, lambda a: _ends(a, min))
MAX = Op("max", _extreme, lambda a: _ends(a, max))
SAME = Op("same", _test, lambda a: len(set(elements(a))) <= 1)
DISTINCT = Op("distinct", _same_list, lambda a: tuple(dict.fromkeys(elements(a))))
CONSECUTIVE = Op("consecutive", _test, consecutive)
ARRANGE = Op("arrange", _same_list, arrange)
MOST = Op("most", _same_list, _extremal(max))
LEAST = Op("least", _same_list, _extremal(min))
AFTER = Op("after", _after, after)
LIST = Op("list", _listing, lambda *a: a)
JUST = Op("just", _just, lambda a: () if a is None else (a,))
AS_SET = Op("as_set", _as_set, as_set)
UNORDERED = Op("unordered", _as_set, unordered)
LINKED = Op("linked", _linked, linked)

LISTS = (
    IS, SAME_MEMBERS, IN, COUNT, FIRST, LAST, REST, ITEM, UNION, MINUS, RANGE, TAKE, TAKE_LAST,
    SUM, MIN, MAX, SAME, DISTINCT, CONSECUTIVE, ARRANGE, MOST, LEAST, AFTER, LIST, JUST, AS_SET,
    UNORDERED, LINKED,
)  # fmt: skip


def set_of(inner: Type) -> Op:
    """The operator that makes a set of such elements: tokens are ordered by the machine."""
    return UNORDERED if isinstance(present(inner), Token) else AS_SET
