"""Which partial sets can be given up while subsets are enumerated.

`hopeless` reads conditions on a set and makes a test that is true only if one of them fails for
this set and for every larger one.  Recognised: that no two differ in something (`same`), that all,
or none, of the elements satisfy something, runs of numbers, and comparisons in which one side can
only grow with the set (its size, sums of what is not negative, the largest of something) and the
other does not depend on it; also inside `and`, `or`, `not` and functions.  Anything else is simply
not given up early: enumeration finds the same sets with and without.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TypeAlias

from attrs import define

from compiler.graph.core import (
    Apply,
    Bound,
    Cond,
    Const,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    Term,
    Value,
)
from compiler.graph.walk import subterms
from compiler.ops import lists, numbers
from compiler.ops.row import Op, Undefined
from compiler.types import Int, element, present
from ruleengine.closures import Closure, Environment
from ruleengine.errors import Fault
from ruleengine.table import Table
from ruleengine.terms import Hopeless, Scope, as_members

Doomed: TypeAlias = Callable[[Table], bool]
"""Whether the condition fails for good; the set so far is in the environment."""


class Trend(Enum):
    """What happens to the value of a term as the set grows."""

    FIXED = "fixed"
    GROWS = "grows"  # a number never falls, a list never loses an element


_ABOVE = {numbers.LESS: False, numbers.AT_MOST: True}
_BELOW = {numbers.MORE: False, numbers.AT_LEAST: True}


@define(eq=False)
class More:
    """What may still be added to the set that is tried now."""

    members: tuple[Value, ...] = ()


def hopeless(scope: Scope, bound: Bound, conditions: Sequence[Term]) -> Hopeless | None:
    """The test for sets that must satisfy all these conditions; `None` if none gives up early."""
    more = More()
    found = [_Reader(scope, bound.index, more, elements=True).condition(c) for c in conditions]
    tests = [test for test in found if test is not None]
    env, index = scope.env, scope.place_for(bound)
    if not tests:
        return None

    def given_up(table: Table, some: tuple[Value, ...], rest: tuple[Value, ...]) -> bool:
        env[index] = some
        more.members = rest
        return any(test(table) for test in tests)

    return given_up


def mentions(term: Term, index: int) -> bool:
    """Whether a term reads a bound name of its environment."""
    return any(isinstance(part, Bound) and part.index == index for part in subterms(term))


def _guarded(test: Doomed) -> Doomed:
    """A partial set may fail a check that the whole one passes: then nothing is given up."""

    def careful(table: Table) -> bool:
        try:
            return test(table)
        except (Undefined, Fault):
            return False

    return careful


@define(eq=False)
class _Reader:
    """Reads conditions in which the set is `Bound` number `index` of a scope.

    `elements`: it is the set itself or a part of it, not something made of its members.
    """

    scope: Scope
    index: int
    more: More
    elements: bool

    def condition(self, term: Term) -> Doomed | None:
        """When a condition is false for good."""
        match term:
            case Cond(test, then, Const(False)):
                return _either(self.condition(test), self.condition(then))
            case Cond(test, Const(True), otherwise):
                return _both(self.condition(test), self.condition(otherwise))
            case Apply(Function() as function, args):
                return self._inside(function, args)
            case Apply(op, args) if op is numbers.NOT:
                return self._negated(args[0])
            case Apply(op, (listed,)) if op is lists.SAME and self.grows(listed):
                return self._differs(listed)
            case Apply(op, (listed,)) if op is lists.CONSECUTIVE and self.grows(listed):
                return self._spread(listed)
            case Apply(Op() as op, (left, right)):
                return self._comparison(op, left, right)
            case Fold(mode=FoldMode.EVERY) if self._over_growing(term):
                return self._fails(term)
            case _:
                return None

    def grows(self, term: Term) -> bool:
        """Whether the term can only grow with the set, and does depend on it."""
        return self.trend(term) is Trend.GROWS

    def trend(self, term: Term) -> Trend | None:
        """How a number or list changes as the set grows; `None` if that is not plain."""
        if not mentions(term, self.index):
            return Trend.FIXED
        match term:
            case Bound():
                return Trend.GROWS
            case Fold(mode=FoldMode.FILTER | FoldMode.MAP) if self._over_growing(term):
                return Trend.GROWS
            case Apply(op, (listed,)) if op in (lists.COUNT, lists.DISTINCT, lists.MAX):
                return self.trend(listed)
            case Apply(op, (listed,)) if op is lists.SUM and _never_negative(listed):
                return self.trend(listed)
            case Apply(op, (left, right)) if op is numbers.ADD:
                sides = {self.trend(left), self.trend(right)}
                return Trend.GROWS if sides <= {Trend.GROWS, Trend.FIXED} else None
            case Apply(Function() as function, args):
                inside = self._body(function, args)
                return None if inside is None else inside[0].trend(inside[1])
            case _:
                return None

    def _over_growing(self, fold: Fold) -> bool:
        """Whether a fold asks each element on its own, of what grows with the set."""
        inner = [term for term in (fold.where, fold.body) if term is not None]
        return (
            fold.domain.mode is DomainMode.MEMBERS
            and self.grows(fold.domain.members)
            and not any(mentions(term, self.index) for term in inner)
        )

    def _comparison(self, op: Op, left: Term, right: Term) -> Doomed | None:
        if op in _BELOW:
            op, left, right = _MIRRORED[op], right, left
        if op is lists.IS and self.grows(right):
            left, right = right, left
        if not self.grows(left) or self.trend(right) is not Trend.FIXED:
            return None
        if op is lists.IS and isinstance(present(left.type), Int):
            return self._exceeds(left, right, also_equal=False)
        if op in _ABOVE:
            return self._exceeds(left, right, also_equal=not _ABOVE[op])
        return None

    def _exceeds(self, left: Term, right: Term, also_equal: bool) -> Doomed:
        grown, limit = self.scope.term(left), self.scope.term(right)

        def exceeds(table: Table) -> bool:
            a, b = grown(table), limit(table)
            if not isinstance(a, int) or not isinstance(b, int):
                return False
            return a > b or (also_equal and a == b)

        return _guarded(exceeds)

    def _negated(self, term: Term) -> Doomed | None:
        """`not P` fails for good where P, once true, stays true."""
        match term:
            case Fold(mode=FoldMode.SOME) if self._over_growing(term):
                return _guarded(self.scope.test(term))
            case Apply(op, (left, right)) if op in _MIRRORED:
                return self._comparison(_OPPOSITE[op], left, right)
            case Apply(op, (inner,)) if op is numbers.NOT:
                return self.condition(inner)
            case _:
                return None

    def _differs(self, listed: Term) -> Doomed:
        members = as_members(self.scope.term(listed))
        return _guarded(lambda table: len(set(members(table))) > 1)

    def _spread(self, listed: Term) -> Doomed:
        """Twice the same, or a gap that no member still to come can fill: no run any more."""
        members = as_members(self.scope.term(listed))
        env, index, more = self.scope.env, self.index, self.more

        def spread(table: Table) -> bool:
            found = [number for number in members(table) if isinstance(number, int)]
            if len(found) < 2:
                return False
            wide = max(found) - min(found) + 1
            if len(set(found)) < len(found) or wide > len(found) + len(more.members):
                return True
            missing = set(range(min(found), max(found))) - set(found)
            if not missing or not self.elements:
                return False
            kept, env[index] = env[index], more.members
            try:
                return not missing <= set(members(table))
            finally:
                env[index] = kept

        return _guarded(spread)

    def _fails(self, term: Term) -> Doomed:
        holds = self.scope.test(term)
        return _guarded(lambda table: not holds(table))

    def _body(self, function: Function, args: tuple[Term, ...]) -> "tuple[_Reader, Term] | None":
        """A function of one case, given the set itself: its body, read in the same way."""
        touched = [at for at, arg in enumerate(args) if mentions(arg, self.index)]
        if len(function.cases) != 1 or len(touched) != 1 or not self.grows(args[touched[0]]):
            return None
        env, _ = self.scope.terms.function(function)
        elements = self.elements and self._keeps_elements(args[touched[0]])
        inner = _Reader(Scope(self.scope.terms, env), touched[0], self.more, elements)
        return inner, function.cases[0].value

    def _keeps_elements(self, term: Term) -> bool:
        """Whether a list is the set, or those of it that pass a test."""
        match term:
            case Bound(index=index):
                return index == self.index
            case Fold(mode=FoldMode.FILTER, domain=domain):
                return self._keeps_elements(domain.members)
            case _:
                return False

    def _inside(self, function: Function, args: tuple[Term, ...]) -> Doomed | None:
        found = self._body(function, args)
        if found is None:
            return None
        reader, body = found
        test = reader.condition(body)
        if test is None:
            return None
        return _called(test, reader.scope.env, [self.scope.term(arg) for arg in args])


_MIRRORED = {
    numbers.MORE: numbers.LESS,
    numbers.AT_LEAST: numbers.AT_MOST,
    numbers.LESS: numbers.MORE,
    numbers.AT_MOST: numbers.AT_LEAST,
}
_OPPOSITE = {
    numbers.MORE: numbers.AT_MOST,
    numbers.AT_LEAST: numbers.LESS,
    numbers.LESS: numbers.AT_LEAST,
    numbers.AT_MOST: numbers.MORE,
}


def _called(test: Doomed, env: Environment, args: list[Closure]) -> Doomed:
    def called(table: Table) -> bool:
        env[: len(args)] = [arg(table) for arg in args]
        return test(table)

    return _guarded(called)


def _either(first: Doomed | None, second: Doomed | None) -> Doomed | None:
    if first is None or second is None:
        return first if second is None else second
    return lambda table: first(table) or second(table)


def _both(first: Doomed | None, second: Doomed | None) -> Doomed | None:
    if first is None or second is None:
        return None
    return lambda table: first(table) and second(table)


def _never_negative(listed: Term) -> bool:
    inner = element(listed.type)
    number = None if inner is None else present(inner)
    return isinstance(number, Int) and number.low >= 0
