"""Lists in memory, and what the operators on lists make of them.

A list is the address of its count, behind which its elements lie: numbers, or addresses of lists.
`NONE` is no list; where one may stand, `listed` reads it as the empty one.  Lists are made one
behind the other and are all forgotten when a step ends, or back to a mark within it.  They never
change once they are made.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from attrs import define

from compiler.lir.build import both, choice, negate
from compiler.lir.core import Expr, Function, Local, Stmt
from compiler.lir.reps import NONE, UNDEFINED
from compiler.lir.stepwise.code import (
    WIDTH,
    Code,
    Loops,
    Value,
    at,
    at_least,
    call,
    differ,
    expr,
    function,
    is_,
    less,
    plus,
    put_at,
    put_word,
    times,
    word,
)
from compiler.lir.stepwise.growing import Growing

OVERFLOW: Final = 8
"""Trap: a step makes more lists than there is room for; the interpreter has no such limit."""

ARENA: Final = 1 << 20
"""Bytes for the lists of a step."""

Same = Callable[[Value, Value], Expr]


@define(eq=False)
class Arena:
    """Where lists are made: `top` holds the first free address."""

    top: int
    first: int
    empty: int  # the address of a list without elements
    marks: int  # a number for each small element, zero except within an operator

    @property
    def end(self) -> int:
        """The first address behind it."""
        return self.first + ARENA

    def clear(self) -> Stmt:
        """Forgets all lists."""
        return put_word(self.top, self.first)

    def mark(self, code: Code) -> Local:
        """What is made after this can be forgotten together."""
        return code.local("mark", word(self.top))

    def release(self, mark: Expr) -> Stmt:
        """Forgets what was made after a mark."""
        return put_word(self.top, mark)

    def listed(self, value: Expr) -> Expr:
        """`none` as the empty list."""
        return choice(is_(value, NONE), expr(self.empty), value)

    def functions(self) -> tuple[Function, ...]:
        """All that is below, for a program to take in."""
        return (
            function("new", ("room",), self._new),
            *(made for deep in (False, True) for made in _by_elements(deep)),
            *_by_marks(self.marks),
            function("list_put", ("target", "list"), _put, gives=None),
            function("list_copy", ("list",), _copied),
            function("list_join", ("left", "right"), _joined),
            function("list_rest", ("list",), _rest),
            function("list_take", ("number", "list"), _take),
            function("list_take_last", ("number", "list"), _take_last),
            function("list_item", ("list", "position"), _item),
            function("list_range", ("low", "high"), _range),
            function("list_sum", ("list",), _sum),
            function("list_min", ("list",), lambda code, p: _extreme(code, p, less)),
            function("list_max", ("list",), lambda code, p: _extreme(code, p, _more)),
            function("list_most", ("list", "keys"), lambda c, p, k: _best(c, p, k, "list_max")),
            function("list_least", ("list", "keys"), lambda c, p, k: _best(c, p, k, "list_min")),
            function("list_sorted", ("list",), _sorted),
            function("list_arrange", ("list", "keys"), _arrange),
            function("list_consecutive", ("list",), _consecutive),
            function("list_linked", ("start", "inside", "steps"), _linked),
            function("list_after", ("list", "element"), _after),
        )

    def _new(self, code: Code, room: Local) -> None:
        """An empty list with room for so many elements."""
        found = code.local("found", word(self.top))
        end = code.local("end", plus(plus(found, WIDTH), times(room, WIDTH)))
        code.trap_if(less(self.end, end), OVERFLOW)
        code.put(put_word(self.top, end), put_at(found, 0))
        code.give(found)


def new(code: Code, room: Value) -> Local:
    """A list that is being made: elements are pushed, at most as many as it has room for."""
    return code.local("list", call("new", room))


def push(code: Code, made: Expr, element: Value) -> None:
    """Adds an element to a list that is being made."""
    value = code.keep(expr(element))
    size = code.keep(plus(at(made), 1))
    code.put(put_at(made, value, size), put_at(made, size))


def size(pointer: Value) -> Expr:
    """How many elements a list has."""
    return at(pointer)


def element(pointer: Value, index: Value) -> Expr:
    """The element at an index from 0."""
    return at(pointer, plus(index, 1))


@contextmanager
def elements(code: Code, pointer: Value) -> Iterator[tuple[Loops, Expr]]:
    """What is done for each element of a list, in their order."""
    spot = code.local("spot", pointer)
    last = code.keep(plus(spot, times(size(spot), WIDTH)))
    with code.loop() as each:
        each.leave_if(is_(spot, last))
        each.step(spot, WIDTH)
        yield each, each.keep(at(spot))


@contextmanager
def side_by_side(code: Code, left: Value, right: Value) -> Iterator[tuple[Loops, Expr, Expr]]:
    """What is done for the elements of two lists of one length, in their order."""
    spot = code.local("spot", left)
    last = code.keep(plus(spot, times(size(spot), WIDTH)))
    apart = code.keep(plus(right, times(spot, -1)))
    with code.loop() as each:
        each.leave_if(is_(spot, last))
        each.step(spot, WIDTH)
        yield each, each.keep(at(spot)), each.keep(at(plus(spot, apart)))


def same_number(left: Value, right: Value) -> Expr:
    """Whether two numbers are one."""
    return is_(left, right)


def same_list(left: Value, right: Value) -> Expr:
    """Whether two lists of numbers have the same elements in the same order."""
    return call("list_is", left, right)


def _more(left: Value, right: Value) -> Expr:
    return less(right, left)


# ---- functions that ask whether elements are the same


def _by_elements(deep: bool) -> tuple[Function, ...]:
    """For lists of numbers; `deep`: for lists of lists of numbers."""
    same: Same = same_list if deep else same_number
    end = "_deep" if deep else ""
    contains = f"list_in{end}"

    def is_same(code: Code, left: Local, right: Local) -> None:
        code.give_if(is_(left, right), 1)
        code.give_if(is_(left, NONE), 0)
        code.give_if(is_(right, NONE), 0)
        code.give_if(differ(size(left), size(right)), 0)
        with code.up_to(size(left)) as (inside, i):
            inside.give_if(negate(same(element(left, i), element(right, i))), 0)
        code.give(1)

    def is_in(code: Code, wanted: Local, pointer: Local) -> None:
        with elements(code, pointer) as (inside, one):
            inside.give_if(same(one, wanted), 1)
        code.give(0)

    def union(code: Code, left: Local, right: Local) -> None:
        made = new(code, plus(size(left), size(right)))
        _copy(code, made, left)
        with elements(code, right) as (inside, one):
            with inside.when(negate(call(contains, one, made))) as missing:
                push(missing, made, one)
        code.give(made)

    def minus(code: Code, left: Local, right: Local) -> None:
        made = new(code, size(left))
        with elements(code, left) as (inside, one):
            with inside.when(negate(call(contains, one, right))) as missing:
                push(missing, made, one)
        code.give(made)

    def distinct(code: Code, pointer: Local) -> None:
        code.give_if(less(size(pointer), 2), pointer)
        made = new(code, size(pointer))
        with elements(code, pointer) as (inside, one):
            with inside.when(negate(call(contains, one, made))) as missing:
                push(missing, made, one)
        code.give(made)

    def all_same(code: Code, pointer: Local) -> None:
        with code.up_to(size(pointer), 1) as (inside, i):
            inside.give_if(negate(same(element(pointer, i), element(pointer, 0))), 0)
        code.give(1)

    def covers(code: Code, left: Local, right: Local) -> None:
        """Whether all elements of one list are in another."""
        with elements(code, left) as (inside, one):
            inside.give_if(negate(call(contains, one, right)), 0)
        code.give(1)

    def same_members(code: Code, left: Local, right: Local) -> None:
        one_way = call(f"list_covers{end}", left, right)
        code.give(both(one_way, call(f"list_covers{end}", right, left)))

    return (
        function(f"list_is{end}", ("left", "right"), is_same),
        function(contains, ("wanted", "list"), is_in),
        function(f"list_union{end}", ("left", "right"), union),
        function(f"list_minus{end}", ("left", "right"), minus),
        function(f"list_distinct{end}", ("list",), distinct),
        function(f"list_same{end}", ("list",), all_same),
        function(f"list_covers{end}", ("left", "right"), covers),
        function(f"list_same_members{end}", ("left", "right"), same_members),
    )


def _copy(code: Code, made: Expr, pointer: Expr, first: Value = 0) -> None:
    """Pushes the elements of a list from an index on."""
    with code.up_to(size(pointer), first) as (inside, i):
        push(inside, made, element(pointer, i))


# ---- small elements


def _by_marks(marks: int) -> tuple[Function, ...]:
    """The same for elements that are small numbers: each is ticked off while it is dealt with."""

    def tick(code: Code, pointer: Expr, value: int) -> None:
        with elements(code, pointer) as (each, one):
            each.put(put_word(marks, value, one))

    def add_new(code: Code, made: Growing, pointer: Expr) -> Local:
        with elements(code, pointer) as (each, one):
            with each.when(is_(word(marks, one), 0)) as missing:
                missing.put(put_word(marks, 1, one))
                made.push(missing, one)
        tick(code, made.done(code), 0)
        return made.list

    def union(code: Code, left: Local, right: Local) -> None:
        code.give_if(is_(size(right), 0), left)
        made = Growing.of(code, plus(size(left), size(right)))
        with elements(code, left) as (each, one):
            each.put(put_word(marks, 1, one))
            made.push(each, one)
        code.give(add_new(code, made, right))

    def minus(code: Code, left: Local, right: Local) -> None:
        code.give_if(is_(size(right), 0), left)
        made = Growing.of(code, size(left))
        tick(code, right, 1)
        with elements(code, left) as (each, one):
            with each.when(is_(word(marks, one), 0)) as stays:
                made.push(stays, one)
        tick(code, right, 0)
        code.give(made.done(code))

    def distinct(code: Code, pointer: Local) -> None:
        code.give_if(less(size(pointer), 2), pointer)
        made = Growing.of(code, size(pointer))
        code.give(add_new(code, made, pointer))

    return (
        function("list_union_small", ("left", "right"), union),
        function("list_minus_small", ("left", "right"), minus),
        function("list_distinct_small", ("list",), distinct),
    )


# ---- parts


def _put(code: Code, target: Local, pointer: Local) -> None:
    """Makes a list that is kept elsewhere equal to another."""
    with code.up_to(plus(size(pointer), 1)) as (each, i):
        each.put(put_at(target, at(pointer, i), i))


def _joined(code: Code, left: Local, right: Local) -> None:
    """One list behind the other."""
    code.give_if(is_(size(right), 0), left)
    code.give_if(is_(size(left), 0), right)
    made = Growing.of(code, plus(size(left), size(right)))
    for pointer in (left, right):
        with elements(code, pointer) as (each, one):
            made.push(each, one)
    code.give(made.done(code))


def _copied(code: Code, pointer: Local) -> None:
    made = new(code, size(pointer))
    code.do("list_put", made, pointer)
    code.give(made)


def _rest(code: Code, pointer: Local) -> None:
    made = new(code, size(pointer))
    _copy(code, made, pointer, 1)
    code.give(made)


def _take(code: Code, number: Local, pointer: Local) -> None:
    code.trap_if(less(number, 0), UNDEFINED)
    code.give_if(at_least(number, size(pointer)), pointer)
    made = new(code, number)
    with code.up_to(number) as (inside, i):
        push(inside, made, element(pointer, i))
    code.give(made)


def _take_last(code: Code, number: Local, pointer: Local) -> None:
    code.trap_if(less(number, 0), UNDEFINED)
    code.give_if(at_least(number, size(pointer)), pointer)
    made = new(code, number)
    with code.up_to(size(pointer), plus(size(pointer), times(number, -1))) as (inside, i):
        push(inside, made, element(pointer, i))
    code.give(made)


def _item(code: Code, pointer: Local, position: Local) -> None:
    code.trap_if(is_(position, NONE), UNDEFINED)
    code.give_if(less(position, 1), NONE)
    code.give_if(less(size(pointer), position), NONE)
    code.give(at(pointer, position))


def _range(code: Code, low: Local, high: Local) -> None:
    for end in (low, high):
        code.trap_if(is_(end, NONE), UNDEFINED)
    many = code.keep(plus(high, plus(times(low, -1), 1)))
    made = new(code, choice(less(many, 0), expr(0), many))
    with code.up_to(plus(high, 1), low) as (inside, number):
        push(inside, made, number)
    code.give(made)


def _after(code: Code, pointer: Local, wanted: Local) -> None:
    """The list turned so that it begins behind an element."""
    with code.up_to(size(pointer)) as (inside, i):
        with inside.when(is_(element(pointer, i), wanted)) as there:
            made = new(there, size(pointer))
            _copy(there, made, pointer, plus(i, 1))
            with there.up_to(plus(i, 1)) as (before, j):
                push(before, made, element(pointer, j))
            there.give(made)
    code.give(pointer)


def _linked(code: Code, start: Local, inside: Local, steps: Local) -> None:
    """What can be reached by steps, pairs of one and a list, that stay inside."""
    reached = new(code, plus(size(start), size(inside)))
    _allowed(code, start, inside, reached)
    walked = code.local("walked", 0)
    with code.loop() as walk:
        walk.leave_if(at_least(walked, size(reached)))
        one = walk.keep(element(reached, walked))
        with elements(walk, steps) as (each, pair):
            with each.when(is_(element(pair, 0), one)) as way:
                _allowed(way, way.keep(element(pair, 1)), inside, reached)
        walk.step(walked)
    made = new(code, size(inside))
    with elements(code, inside) as (each, one):
        with each.when(call("list_in", one, reached)) as found:
            push(found, made, one)
    code.give(made)


def _allowed(code: Code, pointer: Expr, inside: Expr, reached: Expr) -> None:
    """Adds what is inside and has not been reached."""
    with elements(code, pointer) as (each, one):
        fresh = both(call("list_in", one, inside), negate(call("list_in", one, reached)))
        with each.when(fresh) as found:
            push(found, reached, one)


# ---- numbers


def _sum(code: Code, pointer: Local) -> None:
    total = code.local("total", 0)
    with elements(code, pointer) as (inside, one):
        inside.trap_if(is_(one, NONE), UNDEFINED)
        inside.step(total, one)
    code.give(total)


def _extreme(code: Code, pointer: Local, better: Callable[[Value, Value], Expr]) -> None:
    best = code.local("best", NONE)
    with elements(code, pointer) as (inside, one):
        inside.again_if(is_(one, NONE))
        with inside.either(is_(best, NONE)) as (none_yet, some):
            none_yet.set(best, one)
            with some.when(better(one, best)) as found:
                found.set(best, one)
    code.give(best)


def _best(code: Code, pointer: Local, keys: Local, extreme: str) -> None:
    """The elements with the greatest, or the least, key."""
    with elements(code, keys) as (inside, one):
        inside.trap_if(is_(one, NONE), UNDEFINED)
    best = code.keep(call(extreme, keys))
    made = new(code, size(pointer))
    with code.up_to(size(pointer)) as (inside, i):
        with inside.when(is_(element(keys, i), best)) as found:
            push(found, made, element(pointer, i))
    code.give(made)


def _insert(code: Code, made: Expr, key: Callable[[Value], Expr], one: Expr, its: Expr) -> None:
    """Puts an element into a list that is in order, behind those with the same key."""
    hole = code.local("hole", size(made))
    with code.loop() as back:
        back.leave_if(is_(hole, 0))
        before = back.keep(element(made, plus(hole, -1)))
        back.leave_if(at_least(its, key(before)))
        back.put(put_at(made, before, plus(hole, 1)))
        back.step(hole, -1)
    code.put(put_at(made, one, plus(hole, 1)), put_at(made, plus(size(made), 1)))


def _sorted(code: Code, pointer: Local) -> None:
    """Ascending."""
    code.give_if(less(size(pointer), 2), pointer)
    made = new(code, size(pointer))
    with elements(code, pointer) as (inside, one):
        _insert(inside, made, expr, one, one)
    code.give(made)


def _arrange(code: Code, pointer: Local, keys: Local) -> None:
    """By ascending key; equal keys keep their order."""
    order = new(code, size(pointer))
    with code.up_to(size(pointer)) as (inside, i):
        its = inside.keep(element(keys, i))
        inside.trap_if(is_(its, NONE), UNDEFINED)
        _insert(inside, order, lambda other: element(keys, other), i, its)
    made = new(code, size(pointer))
    with code.up_to(size(pointer)) as (inside, i):
        push(inside, made, element(pointer, element(order, i)))
    code.give(made)


def _consecutive(code: Code, pointer: Local) -> None:
    """Whether numbers follow one another, in some order, without gap or repetition."""
    with elements(code, pointer) as (inside, one):
        inside.trap_if(is_(one, NONE), UNDEFINED)
    ordered = code.keep(call("list_sorted", pointer))
    with code.up_to(size(ordered), 1) as (inside, i):
        follows = plus(element(ordered, plus(i, -1)), 1)
        inside.give_if(differ(element(ordered, i), follows), 0)
    code.give(1)
