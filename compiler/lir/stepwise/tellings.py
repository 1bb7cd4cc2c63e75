"""What is asked of lists that needs none: how many, which first, whether one is there, how much."""

from collections.abc import Callable
from typing import Final

from attrs import define

from compiler.graph.core import Apply, Const, Contents, Read, Shape, Term
from compiler.lir.build import both, choice, num
from compiler.lir.core import Expr, Local
from compiler.lir.reps import NONE, UNDEFINED
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
    word,
)
from compiler.lir.stepwise.lists import size
from compiler.lir.stepwise.plan import is_list, may_be_none
from compiler.lir.stepwise.streams import Streams, is_streamed
from compiler.ops import lists
from compiler.ops.row import Op as Operator
from compiler.types import element as element_type

_CLOSE: Final = 256
"""Numbers of a list that is known are looked up in a table no larger than this."""


@define(eq=False)
class Tellings:
    """Tells where a reader reads."""

    reader: Asks

    @property
    def code(self) -> Code:
        """Where statements go."""
        return self.reader.code

    def of(self, op: Operator, term: Apply) -> Expr | None:
        """The value of an operator; `None` where the list must be made."""
        args = term.args
        if op is lists.IN:
            return self._in(args[0], args[1])
        if op is lists.SAME_MEMBERS or (op is lists.IS and not may_be_none(args[0].type)):
            empty = _is_empty(args[1]) and is_streamed(args[0])
            return is_(self._count(args[0]), 0) if empty else None
        if len(args) != 1 or not is_streamed(args[0]):
            return None
        match op:
            case lists.COUNT:
                return self._count(args[0])
            case lists.FIRST:
                return self._first(args[0])
            case lists.SUM:
                return self._sum(args[0])
            case lists.MIN:
                return self._extreme(args[0], less)
            case lists.MAX:
                return self._extreme(args[0], lambda one, best: less(best, one))
            case _:
                return None

    def _lying(self, place: Term) -> Expr:
        """How many tokens lie in a place; none in none."""
        where = self.code.keep(self.reader.term(place))
        many = self.reader.tokens.count(where)
        return choice(is_(where, NONE), num(0), many) if may_be_none(place.type) else many

    def _count(self, listed: Term) -> Expr:
        match listed:
            case Read(Contents(), (place,)) if not is_list(place.type) and not may_be_none(
                place.type
            ):
                return self._lying(place)
            case _:
                many = self.code.local("many", 0)
                with Streams(self.reader).each(listed) as member:
                    member.code.step(many)
                return many

    def _first(self, listed: Term) -> Expr:
        found = self.code.local("first", NONE)
        match listed:
            case Read(Contents(), (place,)) if not is_list(place.type):
                where = self.code.keep(self.reader.term(place))
                with self.code.when(differ(where, NONE)) as there:
                    there.set(found, self._top(there, place, where))
            case _:
                self._first_met(found, listed)
        return found

    def _top(self, code: Code, place: Term, where: Expr) -> Expr:
        """The first token of a place that is there; `NONE` of an empty one."""
        shape, tokens = self.reader.plan.shape(place), self.reader.tokens
        if shape in (None, Shape.SET):
            first = code.keep(call("first_of", where))
            return choice(less(first, 0), num(NONE), first)
        lying = code.keep(tokens.list_of(where))
        many = code.keep(size(lying))
        first = at(lying, many) if shape is Shape.PILE else at(lying, 1)
        return choice(is_(many, 0), num(NONE), first)

    def _first_met(self, found: Local, listed: Term) -> None:
        waits = self.code.local("waits", 1)
        with Streams(self.reader, ordered=True).each(listed) as member:
            with member.code.when(waits) as first:
                first.set(found, member.value)
                first.set(waits, 0)
                if member.may_leave(self.reader.care):
                    member.leave(first)

    def _in(self, wanted: Term, listed: Term) -> Expr | None:
        inner = element_type(listed.type)
        if inner is not None and is_list(inner):
            return None
        known = _numbers(listed)
        if known is not None:
            return self._one_of(self.code.keep(self.reader.term(wanted)), known)
        match listed:
            case Apply(lists.RANGE, (low, high)):
                one = self.code.keep(self.reader.term(wanted))
                least = self.code.keep(self.reader.number(low))
                most = self.code.keep(self.reader.number(high))
                return both(at_least(one, least), at_least(most, one))
            case _ if is_streamed(listed):
                return self._met(self.code.keep(self.reader.term(wanted)), listed)
            case _:
                return None

    def _met(self, wanted: Expr, listed: Term) -> Expr:
        """Whether one is among those that are gone through."""
        found = self.code.local("is_in", 0)
        with Streams(self.reader, once=False).each(listed) as member:
            with member.code.when(is_(member.value, wanted)) as met:
                met.set(found, 1)
                if member.may_leave(self.reader.care):
                    member.leave(met)
        return found

    def _one_of(self, wanted: Expr, known: tuple[int, ...]) -> Expr:
        """Whether a number is one of those that are known."""
        low, high = min(known), max(known)
        inside = both(at_least(wanted, low), less(wanted, high + 1))
        if len(set(known)) == high - low + 1:
            return inside
        table = tuple(int(number in known) for number in range(low, high + 1))
        held = word(self.reader.plan.memory.constant(table), plus(wanted, -low))
        return choice(inside, held, num(0))

    # ---- numbers

    def _sum(self, listed: Term) -> Expr:
        total = self.code.local("total", 0)
        inner = element_type(listed.type)
        with Streams(self.reader).each(listed) as member:
            if inner is None or may_be_none(inner):
                member.code.trap_if(is_(member.value, NONE), UNDEFINED)
            member.code.step(total, member.value)
        return total

    def _extreme(self, listed: Term, better: Callable[[Expr, Expr], Expr]) -> Expr:
        best = self.code.local("best", NONE)
        with Streams(self.reader, once=False).each(listed) as member:
            one = member.code.keep(member.value)
            with member.code.when(differ(one, NONE)) as there:
                with there.either(is_(best, NONE)) as (first, later):
                    first.set(best, one)
                    with later.when(better(one, best)) as found:
                        found.set(best, one)
        return best


def _is_empty(term: Term) -> bool:
    return isinstance(term, Const) and term.value == ()


def _numbers(term: Term) -> tuple[int, ...] | None:
    """The numbers of a list that is known before play, if they lie close together."""
    if not isinstance(term, Const) or not isinstance(term.value, tuple) or not term.value:
        return None
    found = tuple(int(value) for value in term.value if isinstance(value, int))
    close = len(found) == len(term.value) and max(found) - min(found) < _CLOSE
    return found if close else None
