"""Which values a term can have, from all that is ever assigned: never fewer than there are.

A variable has the values that it begins with, is given, chosen or rolled; where these are too many,
or depend on cards, those of its type.  Nothing is asked of the order in which things happen.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod
from typing import Final, TypeAlias, assert_never

from attrs import define, field

from compiler.graph.core import (
    Apply,
    Assign,
    Attribute,
    Bound,
    Chance,
    Choose,
    Cond,
    Const,
    Domain,
    DomainMode,
    FaceUp,
    FlagOf,
    Fold,
    FoldMode,
    Function,
    Graph,
    KindOf,
    Pick,
    Read,
    Roll,
    Term,
    TokenClass,
    Value,
    Variable,
)
from compiler.ops.lists import RANGE
from compiler.ops.row import Op, Undefined
from compiler.types import Int, Nothing, Optional, Token, Type, element, present, values

Values: TypeAlias = frozenset[Value]
"""Finitely many values, one of which it is."""

Environment: TypeAlias = Mapping[int, Values | None]
"""The values of bound names; of one that it does not have, those of its type."""

MOST: Final = 400
"""More values are not kept apart."""

_ROUNDS: Final = 12  # after which a variable that still grows has all values of its type
_FEW: Final = 60  # members that are looked at one by one
_BOTH: Final[Values] = frozenset((False, True))
_ALWAYS: Final[Values] = frozenset((True,))


def type_values(type_: Type) -> Values | None:
    """All values of a type; `None` if they are too many or depend on cards."""
    inner = present(type_)
    if isinstance(inner, Int) and inner.high - inner.low >= MOST:
        return None
    found = values(type_)
    return None if found is None or len(found) > MOST else frozenset(found)


@define
class Ranges:
    """The values of a graph's terms; `by_type` if nothing is asked of what is assigned."""

    graph: Graph
    by_type: bool = False
    known: dict[Variable, Values | None] = field(factory=dict, init=False)
    classes: dict[str, TokenClass] = field(init=False)
    _types: dict[Type, Values | None] = field(factory=dict, init=False)
    _looking: bool = field(default=False, init=False)  # into `some`, `every` and lists
    _broken: bool = field(default=False, init=False)  # something was undefined

    def __attrs_post_init__(self) -> None:
        self.classes = {one.name: one for one in self.graph.classes}
        if self.by_type:
            return
        graph = self.graph
        local = [v for phase in graph.phases for v in (*phase.params, *phase.locals)]
        for variable in (*graph.variables, graph.players, graph.ended, *local):
            begun = variable.initial
            self.known[variable] = frozenset((begun,)) if _is_plain(begun) else None
        self._grow()

    def _grow(self) -> None:
        for _ in range(_ROUNDS):
            changed = False
            for variable, given in self._given():
                before = self.known[variable]
                if before is None:
                    continue
                whole = self._of_type(variable.type)
                now = whole
                if given is not None:
                    now = before | (given if whole is None else given & whole)
                if now is not None and len(now) > MOST:
                    now = whole
                if now != before:
                    self.known[variable] = now
                    changed = True
            if not changed:
                return
        for variable, _ in self._given():
            self.known[variable] = self._of_type(variable.type)

    def _given(self) -> Iterable[tuple[Variable, Values | None]]:
        """All that is given to variables, as far as is known by now."""
        for node in self.graph.nodes:
            match node.step:
                case Assign(Variable() as variable, _, value):
                    yield variable, self.of(value)
                case Choose() as step:
                    for slot in (slot for option in step.options for slot in option.slots):
                        yield slot.local, None if step.joint else self.members(slot.domain)
                    if step.picked is not None:
                        yield step.picked, None
                case Chance(Roll(dice)):
                    for variable, _, faces in dice:
                        yield variable, frozenset(faces)
                case Chance(Pick(variable, _, domain)):
                    yield variable, self.members(domain)
                case _:
                    pass

    def _of_type(self, type_: Type) -> Values | None:
        if type_ not in self._types:
            self._types[type_] = type_values(type_)
        return self._types[type_]

    # ---- terms

    def of(self, term: Term, bound: Environment | None = None) -> Values | None:
        """The values of a term; `None` if they are not known."""
        bound = bound or {}
        found = self._term(term, bound)
        whole = self._of_type(term.type) if not isinstance(term.type, Nothing) else None
        if found is None or len(found) > MOST:
            return whole
        return found

    def _term(self, term: Term, bound: Environment) -> Values | None:
        match term:
            case Const(value):
                return frozenset((value,))
            case Bound(index=index):
                return bound.get(index)
            case Cond(test, then, otherwise):
                ways = self.of(test, bound) or _BOTH
                found = [
                    self.of(way, bound)
                    for way, taken in ((then, any(ways)), (otherwise, not all(ways)))
                    if taken
                ]
                return _joined(found)
            case Fold() if self._looking:
                return self._fold(term, bound)
            case Fold(mode=FoldMode.SOME | FoldMode.EVERY):
                return _BOTH
            case Read():
                return self._read(term, bound)
            case Apply(Function() as function, args):
                inner = {
                    at.index: self.of(arg, bound)
                    for at, arg in zip(function.params, args, strict=True)
                }
                return _joined([self.of(case.value, inner) for case in function.cases])
            case Apply(Op() as op, args):
                return self._applied(op, [self.of(arg, bound) for arg in args])
            case _:
                return None

    def certainly(self, term: Term, value: Value, bound: Environment) -> bool:
        """Whether a term is always this value, and never undefined; looks into what is gone
        through member by member."""
        self._looking, self._broken = True, False
        found = self.of(term, bound)
        self._looking = False
        return found == frozenset((value,)) and not self._broken

    def _fold(self, fold: Fold, bound: Environment) -> Values | None:
        """The answers of `some` and `every`; of what is listed only that it may be nothing."""
        exact = self.exactly(fold.domain, bound)
        if exact is None:
            ways = [self._one_by_one(fold, self.members(fold.domain, bound), bound)]
        else:
            ways = [self._one_by_one(fold, frozenset((one,)), bound) for one in exact]
        match fold.mode:
            case FoldMode.SOME | FoldMode.EVERY as mode:
                usual = mode is FoldMode.EVERY  # what it is if no member says otherwise
                if all(way == frozenset((usual,)) for way in ways):
                    return frozenset((usual,))
                told = frozenset((not usual,))
                return told if exact is not None and told in ways else _BOTH
            case FoldMode.FILTER | FoldMode.MAP:
                return frozenset(((),)) if all(way == frozenset() for way in ways) else None
            case _:
                assert_never(fold.mode)

    def _one_by_one(self, fold: Fold, members: Values | None, bound: Environment) -> Values:
        """What any of some members says; of what is listed nothing, if none passes."""
        inner = {**bound, fold.bound.index: members}
        passes = _ALWAYS if fold.where is None else self.of(fold.where, inner) or _BOTH
        if fold.mode in (FoldMode.FILTER, FoldMode.MAP):
            return passes - {False}
        usual = fold.mode is FoldMode.EVERY
        said = _BOTH if fold.body is None else self.of(fold.body, inner) or _BOTH
        return (said if any(passes) else frozenset()) | ({usual} if not all(passes) else set())

    def exactly(self, domain: Domain, bound: Environment | None = None) -> tuple[Value, ...] | None:
        """What is ranged over, in order, if these are members one by one and sure to be all."""
        if domain.mode is not DomainMode.MEMBERS:
            return None
        match domain.members:
            case Const(tuple() as value):
                return value if len(value) <= _FEW else None
            case Apply(op, (low, high)) if op is RANGE:
                ends = [self.of(end, bound) for end in (low, high)]
                known = [n for end in ends if end and len(end) == 1 for n in end]
                least, most = known if len(known) == len(ends) else (None, None)
                if not isinstance(least, int) or not isinstance(most, int):
                    return None
                return tuple(range(least, most + 1)) if most - least < _FEW else None
            case _:
                return None

    def _applied(self, op: Op, args: list[Values | None]) -> Values | None:
        known = [arg for arg in args if arg is not None]
        if len(known) < len(args) or prod(len(arg) for arg in known) > MOST:
            return None
        found = set()
        for given in product(*known):
            try:
                found.add(op.evaluate(*given))
            except Undefined:
                self._broken = True
                continue
        return frozenset(found)

    def _read(self, term: Read, bound: Environment) -> Values | None:
        found = self._source(term)
        if found is None:
            return None
        missing = any(_may_be_missing(arg, self.of(arg, bound)) for arg in term.args)
        return found | {None} if missing else found

    def _source(self, term: Read) -> Values | None:
        match term.source:
            case Variable() as variable:
                return self.known.get(variable)
            case Attribute(token_class, _, position):
                kinds = self._kinds(token_class, term.args[0])
                whole = self.classes[token_class].kinds
                return frozenset(whole[kind].values[position] for kind in kinds)
            case KindOf(token_class):
                return frozenset(self._kinds(token_class, term.args[0]))
            case FaceUp() | FlagOf():
                return _BOTH
            case _:
                return None

    def _kinds(self, token_class: str, token: Term) -> Iterable[int]:
        """The kinds of which a token can be."""
        own = self.classes[token_class]
        type_ = present(token.type)
        named = dict(own.named_kinds)
        if isinstance(type_, Token) and type_.kind in named:
            return named[type_.kind]
        return range(len(own.kinds))

    def members(self, domain: Domain, bound: Environment | None = None) -> Values | None:
        """What is ranged over, if these are members one by one."""
        if domain.mode is not DomainMode.MEMBERS:
            return None
        match domain.members:
            case Const(tuple() as value):
                return frozenset(value)
            case Apply(op, (low, high)) if op is RANGE:
                least, most = self.of(low, bound), self.of(high, bound)
                numbers = [n for n in (least or ()) if isinstance(n, int)]
                others = [n for n in (most or ()) if isinstance(n, int)]
                if least is None or most is None or not numbers or not others:
                    return None
                return frozenset(range(min(numbers), max(others) + 1))
            case _:
                inside = element(domain.members.type)
                return None if inside is None else self._of_type(inside)


def _joined(given: list[Values | None]) -> Values | None:
    known = [one for one in given if one is not None]
    return frozenset().union(*known) if len(known) == len(given) else None


def _may_be_missing(arg: Term, found: Values | None) -> bool:
    """Whether what is asked may be `none`."""
    return None in found if found is not None else isinstance(arg.type, Optional | Nothing)


def _is_plain(value: Value) -> bool:
    return not isinstance(value, tuple)
