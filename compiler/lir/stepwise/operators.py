"""Operators of the language on numbers and lists."""

from typing import Final

from attrs import define

from compiler.graph.core import Apply, Const, Contents, Read, Term, Value
from compiler.lir.build import (
    EMPTY,
    add,
    binary,
    bit_count,
    both,
    choice,
    lowest,
    mask,
    negate,
    num,
    single,
    union,
    without,
)
from compiler.lir.core import MASK, Expr, Number, Op
from compiler.lir.reps import NONE, UNDEFINED, Unsupported
from compiler.lir.stepwise.apart import are_apart
from compiler.lir.stepwise.asks import Asks
from compiler.lir.stepwise.code import (
    Code,
    at,
    at_least,
    call,
    differ,
    is_,
    less,
    plus,
    times,
    word,
)
from compiler.lir.stepwise.growing import Growing
from compiler.lir.stepwise.levels import ends
from compiler.lir.stepwise.lists import elements, new, push, size
from compiler.lir.stepwise.plan import is_list, is_small, may_be_none
from compiler.lir.stepwise.tellings import Tellings
from compiler.lir.stepwise.unique import is_unique, what_is_left
from compiler.ops import lists, numbers
from compiler.ops.row import Lookup
from compiler.ops.row import Op as Operator
from compiler.types import Int, Type, present
from compiler.types import element as element_type

_BY_ELEMENTS: Final = {
    lists.UNION: "list_union",
    lists.MINUS: "list_minus",
    lists.DISTINCT: "list_distinct",
    lists.UNORDERED: "list_distinct",
    lists.SAME: "list_same",
    lists.SAME_MEMBERS: "list_same_members",
}
_BY_MARKS: Final = frozenset({lists.UNION, lists.MINUS, lists.DISTINCT, lists.UNORDERED})
_PLAIN: Final = {
    lists.REST: "list_rest",
    lists.SUM: "list_sum",
    lists.MIN: "list_min",
    lists.MAX: "list_max",
    lists.MOST: "list_most",
    lists.LEAST: "list_least",
    lists.ARRANGE: "list_arrange",
    lists.CONSECUTIVE: "list_consecutive",
}
_BITS: Final = 64
"""Elements that have a bit each."""

_ORDER: Final = {
    numbers.LESS: Op.LT,
    numbers.AT_MOST: Op.LE,
    numbers.MORE: Op.GT,
    numbers.AT_LEAST: Op.GE,
}
_SUMS: Final = {numbers.ADD: Op.ADD, numbers.SUBTRACT: Op.SUB, numbers.MULTIPLY: Op.MUL}


@define(eq=False)
class Operators:
    """Applies operators where a reader reads."""

    reader: Asks

    @property
    def code(self) -> Code:
        """Where statements go."""
        return self.reader.code

    def of(self, op: Operator, term: Apply) -> Expr:
        """The value of an operator on its arguments."""
        args = term.args
        if isinstance(op, Lookup):
            return self._lookup(op, [self.reader.term(arg) for arg in args])
        if op in _ORDER:
            return self._ordered(_ORDER[op], args[0], args[1])
        if op in _SUMS:
            left = self.code.keep(self.reader.number(args[0]))
            return binary(_SUMS[op], left, self.reader.number(args[1]))
        match op:
            case numbers.NOT:
                return negate(self.reader.test(args[0]))
            case numbers.NEGATE:
                return binary(Op.SUB, num(0), self.reader.number(args[0]))
            case numbers.ABS:
                value = self.code.keep(self.reader.number(args[0]))
                return choice(less(value, 0), binary(Op.SUB, num(0), value), value)
            case numbers.DIVIDE | numbers.MODULO:
                return self._divided(Op.DIV if op is numbers.DIVIDE else Op.MOD, args)
            case _:
                told = Tellings(self.reader).of(op, term)
                return self.code.keep(self._listing(op, term) if told is None else told)

    def _ordered(self, op: Op, left: Term, right: Term) -> Expr:
        """A comparison; with `none` it does not hold."""
        a, b = self.code.keep(self.reader.term(left)), self.code.keep(self.reader.term(right))
        found = binary(op, a, b)
        for term, value in ((left, a), (right, b)):
            if may_be_none(term.type):
                found = both(differ(value, NONE), found)
        return found

    def _divided(self, op: Op, args: tuple[Term, ...]) -> Expr:
        """Rounds down; the machine wants a positive divisor."""
        a, b = (
            self.code.keep(self.reader.number(args[0])),
            self.code.keep(self.reader.number(args[1])),
        )
        type_ = present(args[1].type)
        if isinstance(type_, Int) and type_.low > 0:
            return binary(op, a, b)
        if not isinstance(b, Number) or b.value < 0:
            self.code.trap_if(less(b, 1), UNDEFINED)
        elif b.value == 0:
            self.code.trap_if(num(1), UNDEFINED)
            return num(0)
        return binary(op, a, b)

    def _is(self, left: Term, right: Term) -> Expr:
        a = self.code.keep(self.reader.term(left))
        b = self.code.keep(self.reader.term(right))
        listed = is_list(left.type) and is_list(right.type)
        return self.code.keep(call(f"list_is{_depth(left.type)}", a, b)) if listed else is_(a, b)

    def _lookup(self, op: Lookup, keys: list[Expr]) -> Expr:
        """A constant table; what is outside is `none`."""
        kept = [self.code.keep(key) for key in keys]
        if all(isinstance(key, Number) for key in kept):
            values = [_known(key) for key in kept]
            return num(self.reader.plan.memory.listed(op.evaluate(*values)))
        sizes = _sizes(op.table, len(keys))
        inside: Expr = num(1)
        index: Expr = num(0)
        for key, low, many in zip(kept, op.lows, sizes, strict=True):
            inside = both(both(at_least(key, low), less(key, low + many)), inside)
            index = add(times(index, many), plus(key, -low))
        flat = tuple(self.reader.plan.memory.listed(value) for value in _flat(op.table, sizes))
        return choice(inside, word(self.reader.plan.memory.constant(flat), index), num(NONE))

    def _listing(self, op: Operator, term: Apply) -> Expr:
        """Operators on lists."""
        args, left = term.args, what_is_left(term)
        if left is not term:
            return self.reader.listed(left)
        if op is lists.UNION and are_apart(*args) and all(map(is_unique, args)):
            return call("list_join", *[self.reader.listed(arg) for arg in args])
        if op in _BY_ELEMENTS:
            found = [self.reader.listed(arg) for arg in args]
            small = all(is_small(element_type(arg.type)) for arg in args)
            end = "_small" if op in _BY_MARKS and small else _depth(args[0].type, args[-1].type)
            return call(f"{_BY_ELEMENTS[op]}{end}", *found)
        if op in _PLAIN:
            return call(_PLAIN[op], *[self.reader.listed(arg) for arg in args])
        match op:
            case lists.IS:
                return self._is(args[0], args[1])
            case lists.COUNT:
                return size(self.reader.listed(args[0]))
            case lists.FIRST:
                pointer = self.reader.listed(args[0])
                return choice(size(pointer), at(pointer, 1), num(NONE))
            case lists.LAST:
                pointer = self.reader.listed(args[0])
                return choice(size(pointer), at(pointer, size(pointer)), num(NONE))
            case lists.IN:
                wanted = self.code.keep(self.reader.term(args[0]))
                return call(f"list_in{_depth(args[1].type)}", wanted, self.reader.listed(args[1]))
            case lists.ITEM:
                pointer = self.reader.listed(args[0])
                return call("list_item", pointer, self.reader.term(args[1]))
            case lists.RANGE:
                return call("list_range", *[self.code.keep(self.reader.term(arg)) for arg in args])
            case lists.TAKE if (place := _lies_in(args[1])) is not None:
                number = self.code.keep(self.reader.number(args[0]))
                return call("first_few", number, self.code.keep(self.reader.term(place)))
            case lists.TAKE | lists.TAKE_LAST:
                many = self.code.keep(self.reader.number(args[0]))
                return call(f"list_{op.name}", many, self.reader.listed(args[1]))
            case lists.AFTER:
                pointer = self.reader.listed(args[0])
                return call("list_after", pointer, self.reader.term(args[1]))
            case lists.LINKED:
                return call("list_linked", *[self.reader.listed(arg) for arg in args])
            case lists.LIST:
                return self._written([self.code.keep(self.reader.term(arg)) for arg in args])
            case lists.JUST:
                return self._just(args[0])
            case lists.AS_SET:
                if (bits := self._bits(args[0])) is not None:
                    return self._ascending(bits)
                depth = _depth(args[0].type)
                unique = call(f"list_distinct{depth}", self.reader.listed(args[0]))
                return unique if depth else call("list_sorted", unique)
            case _:
                raise Unsupported(f"`{op.name}`")

    def _bits(self, term: Term) -> Expr | None:
        """The elements of a list as bits, where each can have one."""
        ends_ = ends(element_type(term.type) or term.type)
        if ends_ is None or ends_[0] < 0 or ends_[1] >= _BITS:
            return None
        match term:
            case Const(tuple() as values):
                return mask(sum(1 << value for value in set(values) if isinstance(value, int)))
            case Apply(lists.UNION | lists.MINUS, (left, right)):
                one, other = self._bits(left), self._bits(right)
                if one is None or other is None:
                    return None
                return union([one, other]) if term.op is lists.UNION else without(one, other)
            case _:
                pointer = self.code.keep(self.reader.listed(term))
                found = self.code.local("bits", EMPTY, MASK)
                with elements(self.code, pointer) as (each, one):
                    each.set(found, union([found, single(one)]))
                return found

    def _ascending(self, bits: Expr) -> Expr:
        """The numbers of bits as a list."""
        left = self.code.local("left", bits, MASK)
        made = Growing.of(self.code, bit_count(left))
        with self.code.loop() as each:
            each.leave_if(negate(left))
            lowest_ = each.keep(lowest(left))
            each.set(left, without(left, single(lowest_)))
            made.push(each, lowest_)
        return made.done(self.code)

    def _written(self, values: list[Expr]) -> Expr:
        made = new(self.code, len(values))
        for value in values:
            push(self.code, made, value)
        return made

    def _just(self, term: Term) -> Expr:
        value = self.code.keep(self.reader.term(term))
        made = new(self.code, 1)
        with self.code.when(differ(value, NONE)) as there:
            push(there, made, value)
        return made


def _depth(*types: Type) -> str:
    """The end of the name of a function on lists: whose elements are lists, or are none."""
    inner = [element_type(type_) for type_ in types]
    return "_deep" if any(i is not None and is_list(i) for i in inner) else ""


def _known(key: Expr) -> int | None:
    assert isinstance(key, Number)
    return None if key.value == NONE else key.value


def _sizes(table: Value, depth: int) -> list[int]:
    """How many keys of each level a nested table has at most."""
    level = [table]
    sizes = []
    for _ in range(depth):
        rows = [row for row in level if isinstance(row, tuple)]
        sizes.append(max((len(row) for row in rows), default=0))
        level = [value for row in rows for value in row]
    return sizes


def _flat(table: Value, sizes: list[int]) -> list[Value]:
    """A nested table as one list; what is missing is `none`."""
    if not sizes:
        return [table]
    rows = table if isinstance(table, tuple) else ()
    padded = [*rows, *[None] * (sizes[0] - len(rows))]
    return [value for row in padded for value in _flat(row, sizes[1:])]


def _lies_in(term: Term) -> Term | None:
    """The place whose contents a term is, if it is one and there."""
    match term:
        case Read(Contents(), (place,)) if not is_list(place.type):
            return None if may_be_none(place.type) else place
        case _:
            return None
