"""Terms as Python closures: each term of a graph is read once and becomes a function of the table.

A closure never changes the table.  It raises `Unresolved` where it needs the face of a token that
has none yet, `Undefined` or `Fault` where a check fails.  Names bound inside terms live in an
environment, a list shared by all terms of one node, or of one function; since functions are never
recursive and terms never interrupted, one list is enough.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import permutations
from typing import TypeAlias, assert_never, cast

from attrs import define, field

from compiler.graph.core import (
    AllTokens,
    Apply,
    Attribute,
    Bound,
    Case,
    Cond,
    Const,
    Contents,
    Domain,
    DomainMode,
    FaceUp,
    FlagOf,
    Fold,
    FoldMode,
    Function,
    HolderOf,
    KindOf,
    PlaceOfToken,
    PositionOf,
    Read,
    Shape,
    Term,
    Value,
    Variable,
)
from compiler.ops.lists import COUNT, FIRST
from compiler.ops.row import Lookup, Op
from compiler.types import PlaceOf, SetOf, Square, Type, has_tokens, present
from ruleengine.closures import Closure as Closure
from ruleengine.closures import (
    Environment,
    Index,
    applied,
    both,
    chosen,
    compared,
    either,
    every,
    face_up,
    mapped,
    passing,
    place_of,
    printed,
    printed_on,
    remembered,
    slot_of,
    some,
)
from ruleengine.errors import Fault, Unresolved
from ruleengine.references import References
from ruleengine.statics import Statics
from ruleengine.subsets import subsets
from ruleengine.table import Table
from ruleengine.traits import Traits

Elements: TypeAlias = tuple[Value, ...]
Members: TypeAlias = Callable[[Table], Elements]

Hopeless: TypeAlias = Callable[[Table, Elements, Elements], bool]
"""Whether neither a set, nor any that adds some of what may still be added, is wanted."""


Tap: TypeAlias = Callable[[Case, Closure], Closure]
"""Makes of a case and the closure of its value another closure of the same value."""


def held(hopeless: Hopeless | None, table: Table) -> Callable[[Elements, Elements], bool] | None:
    """The test for one table."""
    return None if hopeless is None else partial(hopeless, table)


def as_test(closure: Closure) -> Callable[[Table], bool]:
    """The closure of a term that is a condition."""
    return cast(Callable[[Table], bool], closure)


def as_members(closure: Closure) -> Members:
    """The closure of a term that gives a list; `none` has no members."""

    def members(table: Table) -> tuple[Value, ...]:
        value = closure(table)
        return value if isinstance(value, tuple) else ()

    return members


def _as_index(closure: Closure) -> Index:
    return cast(Index, closure)


@define(eq=False)
class Terms:
    """Makes closures for one graph; functions are made once, when first applied.

    `give_up` reads conditions on a set (see `pruning`), so that not every subset need be tried.
    `tap` may put something between a case of a function and its value, to see which are used.
    """

    statics: Statics
    references: References
    give_up: Callable[["Scope", Bound, tuple[Term, ...]], Hopeless | None] | None = None
    tap: "Tap | None" = None
    _functions: dict[Function, tuple[Environment, Closure]] = field(factory=dict)
    _traits: dict[Function, Traits] = field(factory=dict)

    def scope(self) -> "Scope":
        """An environment of its own: for a node, a condition, a function."""
        return Scope(self, [])

    def closed(self, term: Term) -> Closure:
        """The closure of a term in an environment of its own."""
        return self.scope().term(term)

    def function(self, function: Function) -> tuple[Environment, Closure]:
        """A function's environment, whose first members are its parameters, and its body."""
        found = self._functions.get(function)
        if found is None:
            scope = self.scope()
            for parameter in function.params:
                scope.place_for(parameter)
            found = self._functions[function] = (scope.env, scope.cases(function.cases))
        return found

    def traits(self, function: Function) -> Traits:
        """What can be told of a function without playing."""
        found = self._traits.get(function)
        if found is None:
            found = self._traits[function] = Traits.of(function)
        return found


@define(eq=False)
class Scope:
    """One environment and the closures that share it."""

    terms: Terms
    env: Environment
    given: Mapping[int, Closure] = field(factory=dict)  # parameters of a function written out here

    def place_for(self, bound: Bound) -> int:
        """The index of a bound name; there is room for it afterwards."""
        while len(self.env) <= bound.index:
            self.env.append(None)
        return bound.index

    def term(self, term: Term) -> Closure:
        """The closure of a term."""
        match term:
            case Const(value):
                return lambda _: value
            case Bound():
                return self._bound(term)
            case Read():
                return self._read(term)
            case Apply(op, (Read(Contents(), (place,)),)) if op in (FIRST, COUNT):
                return self._glance(op is COUNT, self.term(place))
            case Apply(op, args):
                return self._apply(op, args)
            case Cond(test, then, Const(False)):
                return both(as_test(self.term(test)), self.term(then))
            case Cond(test, Const(True), otherwise):
                return either(as_test(self.term(test)), self.term(otherwise))
            case Cond(test, then, otherwise):
                return chosen(as_test(self.term(test)), self.term(then), self.term(otherwise))
            case Fold():
                return self._fold(term)
            case _:
                assert_never(term)

    def _bound(self, bound: Bound) -> Closure:
        known = self.given.get(bound.index)
        if known is not None:
            return known
        env, index = self.env, self.place_for(bound)
        return lambda _: env[index]

    def _apply(self, op: Op | Function, args: tuple[Term, ...]) -> Closure:
        if isinstance(op, Function):
            return self._call(op, args)
        match args:
            case (left, Const(value)) if not isinstance(op, Lookup):
                return compared(op, self.term(left), value)
            case _:
                return applied(op, [self.term(arg) for arg in args])

    def test(self, term: Term) -> Callable[[Table], bool]:
        """The closure of a condition."""
        return as_test(self.term(term))

    def members(self, term: Term) -> Members:
        """The closure of a list."""
        if isinstance(term, Const) and isinstance(term.value, tuple):
            listed = term.value
            return lambda _: listed
        return as_members(self.term(term))

    def cases(self, cases: tuple[Case, ...]) -> Closure:
        """The first case that holds."""
        closure: Closure | None = None
        for case in reversed(cases):
            value = self.term(case.value)
            if self.terms.tap is not None:
                value = self.terms.tap(case, value)
            if case.when is None or closure is None:
                closure = value
            else:
                closure = chosen(self.test(case.when), value, closure)
        return closure if closure is not None else lambda _: None

    def domain(
        self, domain: Domain, bound: Bound | None = None, conditions: tuple[Term, ...] = ()
    ) -> Callable[[Table], Iterable[Value]]:
        """The members of a domain, subsets or orders as tuples; twins are not made one here.

        Subsets that fail the `conditions` on `bound` may be left out.
        """
        members = self.members(domain.members)
        match domain.mode:
            case DomainMode.MEMBERS:
                return members
            case DomainMode.ORDERS:
                return lambda table: permutations(members(table))
            case DomainMode.SUBSETS:
                bounds = self.bounds(domain)
                reader = self.terms.give_up
                give_up = reader(self, bound, conditions) if reader and bound else None

                def listed(table: Table) -> Iterable[Value]:
                    whole = members(table)
                    low, high = bounds(table, len(whole))
                    return subsets(whole, range(len(whole)), low, high, held(give_up, table))

                return listed
            case _:
                assert_never(domain.mode)

    def bounds(self, domain: Domain) -> Callable[[Table, int], tuple[int, int]]:
        """The least and the greatest size of subsets, given how many members there are."""
        low = None if domain.low is None else self.term(domain.low)
        high = None if domain.high is None else self.term(domain.high)

        def bounds(table: Table, size: int) -> tuple[int, int]:
            least = 0 if low is None else low(table)
            most = size if high is None else high(table)
            if not isinstance(least, int) or not isinstance(most, int):
                raise Fault("`none` where the size of a set must be")
            return max(least, 0), min(most, size)

        return bounds

    # ---- functions and folds

    def _call(self, function: Function, args: tuple[Term, ...]) -> Closure:
        closures = [self.term(arg) for arg in args]
        traits = self.terms.traits(function)
        if traits.fixed and args and self.terms.tap is None:
            return remembered(self._called(function, closures), closures)
        if traits.short and all(isinstance(arg, Const | Bound) for arg in args):
            scope = Scope(self.terms, [None] * len(args), dict(enumerate(closures)))
            return scope.cases(function.cases)
        return self._called(function, closures)

    def _called(self, function: Function, args: list[Closure]) -> Closure:
        env, body = self.terms.function(function)
        if not args:
            return body
        if len(args) == 1:
            only = args[0]

            def call_one(table: Table) -> Value:
                env[0] = only(table)
                return body(table)

            return call_one
        if len(args) == 2:
            first, second = args

            def call_two(table: Table) -> Value:
                one = first(table)
                env[1] = second(table)
                env[0] = one
                return body(table)

            return call_two
        count = len(args)

        def call(table: Table) -> Value:
            env[:count] = [arg(table) for arg in args]
            return body(table)

        return call

    def _fold(self, fold: Fold) -> Closure:
        env, index = self.env, self.place_for(fold.bound)
        asked = [fold.where, fold.body if fold.mode is FoldMode.SOME else None]
        domain = self.domain(
            fold.domain, fold.bound, tuple(term for term in asked if term is not None)
        )
        where = None if fold.where is None else self.test(fold.where)
        match fold.mode:
            case FoldMode.SOME:
                return some(env, index, domain, where, self._body(fold))
            case FoldMode.EVERY:
                return every(env, index, domain, where, self._body(fold))
            case FoldMode.FILTER:
                return passing(env, index, domain, where)
            case FoldMode.MAP:
                value = self.term(fold.bound if fold.body is None else fold.body)
                return mapped(env, index, domain, where, value)
            case _:
                assert_never(fold.mode)

    def _body(self, fold: Fold) -> Callable[[Table], bool]:
        return self.test(Const(True) if fold.body is None else fold.body)

    # ---- reading

    def _read(self, read: Read) -> Closure:
        args = [self.term(arg) for arg in read.args]
        statics = self.terms.statics
        match read.source:
            case Variable() as variable:
                return self._variable(variable, args)
            case Contents():
                return self._contents(args[0])
            case AllTokens(token_class, kinds):
                return self._all_tokens(token_class, kinds)
            case Attribute(token_class, _, position):
                class_ = statics.graph.token_class(token_class)
                column = tuple(kind.values[position] for kind in class_.kinds)
                match read.args[0]:
                    case Bound(_, index) if index not in self.given:
                        return printed_on(self.env, index, column)
                    case _:
                        return printed(_as_index(args[0]), column)
            case KindOf(token_class):
                class_ = statics.graph.token_class(token_class)
                return printed(_as_index(args[0]), tuple(range(len(class_.kinds))))
            case PlaceOfToken():
                return place_of(_as_index(args[0]))
            case HolderOf():
                return self._holder(_as_index(args[0]), read.args[0].type)
            case PositionOf():
                return self._position(_as_index(args[0]))
            case FaceUp():
                return face_up(_as_index(args[0]))
            case FlagOf(name):
                return self._flag(_as_index(args[0]), name)
            case _:
                assert_never(read.source)

    def _variable(self, variable: Variable, args: list[Closure]) -> Closure:
        raw = slot_of(self.terms.statics.slots[variable], args)
        if isinstance(present(variable.type), SetOf) and has_tokens(variable.type):
            references = self.terms.references

            def in_order(table: Table) -> Value:
                tokens = raw(table)
                if not isinstance(tokens, tuple):
                    return tokens
                return references.in_order(table, cast(tuple[int, ...], tokens))

            return in_order
        return raw

    def _contents(self, arg: Closure) -> Closure:
        inside = self._inside()

        def contents(table: Table) -> Value:
            where = arg(table)
            if isinstance(where, int):
                return inside(table, where)
            if where is None:
                return None
            found: list[int] = []
            for place in cast(tuple[int, ...], where):
                found += inside(table, place)
            return tuple(found)

        return contents

    def _inside(self) -> Callable[[Table, int], tuple[int, ...]]:
        """The tokens of one place in canonical order."""
        references = self.terms.references
        is_set = [place.shape is Shape.SET for place in self.terms.statics.graph.places]

        def inside(table: Table, place: int) -> tuple[int, ...]:
            cells = table.cells[place]
            if len(cells) > 1 and is_set[place]:
                return references.sorted(table, cells)
            return tuple(cells)

        return inside

    def _glance(self, how_many: bool, arg: Closure) -> Closure:
        """The first token of places, or how many there are: asked often, so it is made quick."""
        inside = self._inside()

        def count(table: Table) -> Value:
            where = arg(table)
            if isinstance(where, int):
                return len(table.cells[where])
            return sum([len(table.cells[place]) for place in cast(tuple[int, ...], where or ())])

        def first(table: Table) -> Value:
            where = arg(table)
            for place in (where,) if isinstance(where, int) else cast(tuple[int, ...], where or ()):
                cells = table.cells[place]
                if cells:
                    return cells[0] if len(cells) == 1 else inside(table, place)[0]
            return None

        return count if how_many else first

    def _all_tokens(self, token_class: str, kinds: tuple[int, ...] | None) -> Closure:
        statics, references = self.terms.statics, self.terms.references
        class_index = statics.class_index[token_class]
        classes = statics.token_class
        places = [p for p in statics.graph.places if p.token_class in (None, token_class)]
        wanted = None if kinds is None else frozenset(kinds)

        def all_tokens(table: Table) -> Value:
            found: list[Value] = []
            for place in places:
                for token in references.contents(table, place):
                    if classes[token] != class_index:
                        continue
                    if wanted is not None:
                        if table.kind[token] < 0:
                            raise Unresolved(token)
                        if table.kind[token] not in wanted:
                            continue
                    found.append(token)
            return tuple(found)

        return all_tokens

    def _holder(self, arg: Index, type_: Type) -> Closure:
        holders = [place.holder for place in self.terms.statics.graph.places]
        if isinstance(present(type_), PlaceOf | Square):

            def of_place(table: Table) -> Value:
                place = arg(table)
                return None if place is None else holders[place]

            return of_place

        def of_token(table: Table) -> Value:
            token = arg(table)
            return None if token is None else holders[table.place[token]]

        return of_token

    def _position(self, arg: Index) -> Closure:
        is_set = [place.shape is Shape.SET for place in self.terms.statics.graph.places]

        def position(table: Table) -> Value:
            token = arg(table)
            if token is None or is_set[table.place[token]]:
                return None
            return table.cells[table.place[token]].index(token) + 1

        return position

    def _flag(self, arg: Index, name: str) -> Closure:
        statics = self.terms.statics
        bit = statics.flag_bits.get(name)
        if bit is None:
            raise Fault(f"no token has a flag called `{name}`")
        mask = 1 << bit
        sticky = [bool(flags & mask) for flags in statics.sticky]
        classes = statics.token_class

        def flag(table: Table) -> Value:
            token = arg(table)
            if token is None:
                return None
            if table.kind[token] < 0 and sticky[classes[token]]:
                raise Unresolved(token)
            return bool(table.flags[token] & mask)

        return flag
