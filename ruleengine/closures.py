"""The plain closures that terms are made of: slots, attributes, operators, conditions, folds."""

from collections.abc import Callable, Iterable
from typing import TypeAlias, cast

from compiler.graph.core import Value
from compiler.ops.lists import IS
from compiler.ops.row import Lookup, Op
from ruleengine.errors import Fault, Unresolved
from ruleengine.statics import Slots
from ruleengine.table import Table

Closure: TypeAlias = Callable[[Table], Value]
Test: TypeAlias = Callable[[Table], bool]
Index: TypeAlias = Callable[[Table], int | None]
"""Gives a token, a place or a seat."""

_REMEMBERED = 4096  # values of a function that are kept at each place where it is called

Range: TypeAlias = Callable[[Table], Iterable[Value]]
Environment: TypeAlias = list[Value]


def slot_of(slots: Slots, args: list[Closure]) -> Closure:
    """What a variable's slot holds; a key of `none` gives `none`."""
    first, shift = slots.first, slots.shift
    if not args:
        if not shift:
            return lambda table: table.values[first]
        second = first + shift
        return lambda table: table.values[second if table.in_trigger else first]
    if len(args) == 1 and not shift:
        arg, positions = args[0], slots.positions[0]

        def member(table: Table) -> Value:
            key = arg(table)
            position = positions.get(key)
            if position is None:
                return _no_member(slots, (key,))
            return table.values[first + position]

        return member

    def members(table: Table) -> Value:
        keys = tuple([arg(table) for arg in args])
        slot = slots.at(keys, table.in_trigger)
        return _no_member(slots, keys) if slot is None else table.values[slot]

    return members


def _no_member(slots: Slots, keys: tuple[Value, ...]) -> Value:
    if None in keys:
        return None
    inside = ", ".join(str(key) for key in keys)
    raise Fault(f"`{slots.variable.name}` has no member [{inside}]", slots.variable.span)


def printed(arg: Index, column: tuple[Value, ...]) -> Closure:
    """A printed attribute: `column` has it for each kind."""

    def attribute(table: Table) -> Value:
        token = arg(table)
        if token is None:
            return None
        kind = table.kind[token]
        if kind < 0:
            raise Unresolved(token)
        return column[kind]

    return attribute


def printed_on(env: Environment, index: int, column: tuple[Value, ...]) -> Closure:
    """The same for a token with a bound name, which is asked most often."""

    def attribute(table: Table) -> Value:
        token = cast(int | None, env[index])
        if token is None:
            return None
        kind = table.kind[token]
        if kind < 0:
            raise Unresolved(token)
        return column[kind]

    return attribute


def place_of(arg: Index) -> Closure:
    """The place of a token."""

    def of_token(table: Table) -> Value:
        token = arg(table)
        return None if token is None else table.place[token]

    return of_token


def face_up(arg: Index) -> Closure:
    """Whether a token lies face up."""

    def of_token(table: Table) -> Value:
        token = arg(table)
        return None if token is None else table.face[token]

    return of_token


def applied(op: Op, args: list[Closure]) -> Closure:
    """An operator on the values of its arguments."""
    if isinstance(op, Lookup) and len(args) in (1, 2):
        return _looked_up(op, args)
    evaluate = op.evaluate
    match args:
        case [a, b] if op is IS:
            return lambda table: a(table) == b(table)
        case [a]:
            return lambda table: evaluate(a(table))
        case [a, b]:
            return lambda table: evaluate(a(table), b(table))
        case [a, b, c]:
            return lambda table: evaluate(a(table), b(table), c(table))
        case _:
            return lambda table: evaluate(*[arg(table) for arg in args])


def compared(op: Op, a: Closure, known: Value) -> Closure:
    """An operator on one value and one that is known before play."""
    if op is IS:
        return lambda table: a(table) == known
    evaluate = op.evaluate
    return lambda table: evaluate(a(table), known)


def _looked_up(op: Lookup, args: list[Closure]) -> Closure:
    """A constant table of one or two keys, remembered whole; outside it is `none`."""
    rows = op.table
    first = range(op.lows[0], op.lows[0] + len(rows))
    if len(args) == 1:
        a = args[0]
        single: dict[Value, Value] = {key: op.evaluate(key) for key in first}
        return lambda table: single.get(a(table))
    a, b = args
    widest = max((len(row) for row in rows if isinstance(row, tuple)), default=0)
    second = range(op.lows[1], op.lows[1] + widest)
    double: dict[tuple[Value, Value], Value] = {
        (x, y): op.evaluate(x, y) for x in first for y in second
    }
    return lambda table: double.get((a(table), b(table)))


def remembered(call: Closure, args: list[Closure]) -> Closure:
    """A call of a function that reads nothing that play changes: once for the same arguments."""
    known: dict[Value, Value] = {}
    key = args[0] if len(args) == 1 else lambda table: tuple([arg(table) for arg in args])

    def value(table: Table) -> Value:
        given = key(table)
        if given not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[given] = call(table)
        return known[given]

    return value


def chosen(test: Test, then: Closure, otherwise: Closure) -> Closure:
    """One of two values; only that one is evaluated."""
    return lambda table: then(table) if test(table) else otherwise(table)


def both(test: Test, then: Closure) -> Closure:
    """Whether two conditions hold; the second is asked only if the first does."""
    return lambda table: then(table) if test(table) else False


def either(test: Test, otherwise: Closure) -> Closure:
    """Whether one of two conditions holds; the second is asked only if the first does not."""
    return lambda table: True if test(table) else otherwise(table)


def some(env: Environment, index: int, domain: Range, where: Test | None, body: Test) -> Closure:
    """Whether the body holds for some element that passes."""

    if where is None:

        def any_of(table: Table) -> Value:
            for element in domain(table):
                env[index] = element
                if body(table):
                    return True
            return False

        return any_of

    def some_where(table: Table) -> Value:
        for element in domain(table):
            env[index] = element
            if where(table) and body(table):
                return True
        return False

    return some_where


def every(env: Environment, index: int, domain: Range, where: Test | None, body: Test) -> Closure:
    """Whether the body holds for every element that passes."""

    if where is None:

        def all_of(table: Table) -> Value:
            for element in domain(table):
                env[index] = element
                if not body(table):
                    return False
            return True

        return all_of

    def every_where(table: Table) -> Value:
        for element in domain(table):
            env[index] = element
            if where(table) and not body(table):
                return False
        return True

    return every_where


def passing(env: Environment, index: int, domain: Range, where: Test | None) -> Closure:
    """The elements that pass, in order."""

    if where is None:
        return lambda table: tuple(domain(table))

    def filtered(table: Table) -> Value:
        found = []
        for element in domain(table):
            env[index] = element
            if where(table):
                found.append(element)
        return tuple(found)

    return filtered


def mapped(
    env: Environment, index: int, domain: Range, where: Test | None, body: Closure
) -> Closure:
    """The values of the body for those that pass, in order."""

    def values(table: Table) -> Value:
        found = []
        for element in domain(table):
            env[index] = element
            if where is None or where(table):
                found.append(body(table))
        return tuple(found)

    return values
