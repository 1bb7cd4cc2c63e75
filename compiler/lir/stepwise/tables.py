"""Terms that depend on few values only are looked up: what they give is found out beforehand.

Such a term reads nothing that play changes, except through names that stand for small values, for
tokens of which it asks what is printed on them and where they lie, or for members of a list that is
known.
"""

from itertools import product
from math import prod
from typing import Final

from attrs import define, field, frozen

from compiler.graph.core import (
    Apply,
    Attribute,
    Bound,
    Cond,
    Const,
    Fold,
    Function,
    KindOf,
    PlaceOfToken,
    Read,
    Term,
    Value,
)
from compiler.graph.evaluate import Lying, NotConstant, evaluate
from compiler.graph.walk import children, function_terms, subterms
from compiler.lir.build import binary, num
from compiler.lir.core import Expr, Load, Op
from compiler.lir.stepwise.code import WIDTH, plus, times, word
from compiler.lir.stepwise.levels import ends, is_heavy
from compiler.lir.stepwise.plan import Plan, is_list
from compiler.ops.row import Undefined
from compiler.types import Square, Token, Type, has_tokens

_MOST: Final = 2048
"""Values of a table."""

_MOST_LYING: Final = 256
"""Values of one that asks where tokens lie."""


@frozen(eq=False)
class Known:
    """The members of a list of lists that is known before play, and where they lie."""

    values: tuple[Value, ...]
    addresses: tuple[int, ...]


@frozen(eq=False)
class Axis:
    """What a name may stand for: values one after the other; `None` is a gap."""

    bound: int
    values: tuple[Value, ...]
    low: int  # the number that stands for the first of them
    step: int = 1  # and how far apart those numbers are: 1, or 4 for addresses
    token_class: str | None = None  # its kinds are the values
    places: int | None = None  # and the places of each kind, where that is asked

    def index(self, value: Expr) -> Expr:
        """The position of what a name stands for."""
        behind = plus(value, -self.low)
        return behind if self.step == 1 else binary(Op.SHR, behind, num(2))


@define(eq=False)
class Tables:
    """The tables of one graph."""

    plan: Plan
    _asked: dict[tuple[int, bool], tuple[Term, bool]] = field(factory=dict, init=False)
    _whole: dict[int, Apply] = field(factory=dict, init=False)
    _squares: range = field(init=False)
    _made: dict[tuple[int, tuple[int, ...]], tuple[Term, int | None]] = field(
        factory=dict, init=False
    )

    def __attrs_post_init__(self) -> None:
        squares = [p.index for p in self.plan.graph.places if p.square is not None]
        self._squares = range(squares[0], squares[-1] + 1) if squares else range(0)

    # ---- which terms

    def is_plain(self, term: Term, lying: bool = False) -> bool:
        """Whether a term reads nothing that play changes but names, and is worth a table.

        `lying`: nothing but where tokens lie that names stand for.
        """
        known = self._asked.get((id(term), lying))
        if known is None:
            found = is_evaluable(term, lying) and (is_heavy(term) if lying else _is_worth(term))
            known = self._asked[id(term), lying] = (term, found)
        return known[1]

    def whole(self, function: Function) -> Term:
        """A function applied to its own parameters."""
        made = self._whole.get(id(function))
        if made is None:
            made = self._whole[id(function)] = Apply(function, function.params, type=function.type)
        return made

    def axis(self, bound: Bound, known: Known | None, lying: bool = False) -> Axis | None:
        """What a name may stand for, if that is little."""
        if known is not None:
            return _axis_of_lists(bound, known)
        match bound.type:
            case Token(token_class) if lying:
                return self._axis_lying(bound, token_class)
            case Token(token_class):
                kinds = self.plan.graph.token_class(token_class).kinds
                return Axis(bound.index, tuple(range(len(kinds))), 0, token_class=token_class)
            case Square() if self._squares:
                return Axis(bound.index, tuple(self._squares), self._squares.start)
            case other:
                span = ends(other)
                if span is None:
                    return None
                return Axis(bound.index, tuple(range(span[0], span[1] + 1)), span[0])

    def _axis_lying(self, bound: Bound, token_class: str) -> Axis:
        """Each kind in each place where it may lie."""
        places = self.plan.graph.places
        values = tuple(
            Lying(kind, place.index) if place.token_class in (None, token_class) else None
            for kind in range(len(self.plan.graph.token_class(token_class).kinds))
            for place in places
        )
        return Axis(bound.index, values, 0, token_class=token_class, places=len(places))

    def may_ask(self, term: Term, axes: list[Axis]) -> bool:
        """Whether a card that nobody has seen is asked only for what the rules ask in any case."""
        for axis in axes:
            if axis.token_class is not None:
                hides = self.plan.may_hide(self.plan.class_index(axis.token_class))
                if hides and not _asks_surely(term, axis.bound):
                    return False
        return True

    # ---- what they give

    def passing(self, test: Term, bound: Bound) -> int | None:
        """The kinds of a name of which a condition holds, as bits; `None` if it asks for more."""
        match bound.type:
            case Token(token_class) if is_evaluable(test) and set(free_names(test)) == {
                bound.index
            }:
                kinds = range(len(self.plan.graph.token_class(token_class).kinds))
            case _:
                return None
        classes = {class_.name: class_ for class_ in self.plan.graph.classes}
        try:
            return sum(1 << k for k in kinds if evaluate(test, {bound.index: k}, classes))
        except (NotConstant, Undefined):
            return None

    def table(self, term: Term, axes: list[Axis]) -> int | None:
        """Where the values of a term lie, the last axis fastest; `None` if one has none."""
        key = id(term), tuple(axis.bound for axis in axes)
        if key not in self._made:
            self._made[key] = term, self._filled(term, axes)
        return self._made[key][1]

    def _filled(self, term: Term, axes: list[Axis]) -> int | None:
        most = _MOST_LYING if any(axis.places for axis in axes) else _MOST
        if prod(len(axis.values) for axis in axes) > most:
            return None
        classes = {class_.name: class_ for class_ in self.plan.graph.classes}
        found = []
        for values in product(*(axis.values for axis in axes)):
            bound = {axis.bound: value for axis, value in zip(axes, values, strict=True)}
            gap = any(value is None for value in values)
            try:
                found.append(None if gap else evaluate(term, bound, classes))
            except (NotConstant, Undefined):
                return None
        memory = self.plan.memory
        return memory.constant(tuple(memory.listed(value) for value in found))


def looked_up(table: int, axes: list[Axis], positions: list[Expr]) -> Expr:
    """The value at some positions."""
    if len(axes) == 1 and axes[0].step == WIDTH:
        return Load(WIDTH, table, plus(positions[0], -axes[0].low))
    index: Expr = num(0)
    for axis, position in zip(axes, positions, strict=True):
        index = plus(times(index, len(axis.values)), axis.index(position))
    return word(table, index)


def known_lists(plan: Plan, members: Term | None) -> Known | None:
    """The members of a list of lists, if they are known before play."""
    if not isinstance(members, Const) or not isinstance(members.value, tuple):
        return None
    if not members.value or not all(isinstance(value, tuple) for value in members.value):
        return None
    return Known(members.value, tuple(map(plan.memory.listed, members.value)))


def is_within(type_: Type, wanted: Type) -> bool:
    """Whether every value of a type is one of another."""
    inner, outer = ends(type_), ends(wanted)
    if inner is not None and outer is not None:
        return outer[0] <= inner[0] and inner[1] <= outer[1]
    match type_, wanted:
        case (Square(), Square()):
            return True
        case Token(token_class), Token(wanted_class):
            return token_class == wanted_class
        case _:
            return False


def free_names(term: Term) -> dict[int, Bound]:
    """The names that a term reads and does not bind, by index."""
    parts = list(subterms(term))
    own = {part.bound.index for part in parts if isinstance(part, Fold)}
    return {p.index: p for p in parts if isinstance(p, Bound) and p.index not in own}


def _axis_of_lists(bound: Bound, known: Known) -> Axis | None:
    low, high = min(known.addresses), max(known.addresses)
    by_address = dict(zip(known.addresses, known.values, strict=True))
    if high - low > _MOST:
        return None
    values = tuple(by_address.get(at) for at in range(low, high + 1, WIDTH))
    return Axis(bound.index, values, low, WIDTH)


def _is_worth(term: Term) -> bool:
    """Whether looking up is less work than finding out."""
    return any(
        isinstance(part, Fold | Read)
        or (isinstance(part, Apply) and (isinstance(part.op, Function) or _asks_list(part)))
        for part in subterms(term)
    )


def _asks_list(term: Apply) -> bool:
    return any(is_list(arg.type) for arg in term.args)


def is_evaluable(term: Term, lying: bool = False) -> bool:
    """Whether a term can be evaluated for kinds in place of tokens; `lying`: that lie somewhere."""
    if has_tokens(term.type):
        return False
    match term:
        case Read(PlaceOfToken(), (Bound(type=Token()),)):
            return lying
        case Const() | Bound():
            return True
        case Read(Attribute() | KindOf(), (Bound(type=Token()),)):
            return True
        case Read():
            return False
        case Apply(Function() as called, args):
            tokens = (isinstance(arg, Bound) and isinstance(arg.type, Token) for arg in args)
            plain = (arg for token, arg in zip(tokens, args, strict=True) if not token)
            return all(is_evaluable(part, lying) for part in (*plain, *function_terms(called)))
        case _:
            return all(is_evaluable(part, lying) for part in children(term))


def _asks_surely(term: Term, index: int) -> bool:
    """Whether a term cannot be found out without what is printed on a token."""
    match term:
        case Read(Attribute() | KindOf(), (Bound(index=read),)):
            return read == index
        case Apply(Function() as called, args):
            first = called.cases[0]
            inner = first.value if first.when is None else first.when
            given = zip(called.params, args, strict=True)
            meant = [p.index for p, arg in given if isinstance(arg, Bound) and arg.index == index]
            plain = (arg for arg in args if not has_tokens(arg.type))
            return any(_asks_surely(inner, param) for param in meant) or any(
                _asks_surely(arg, index) for arg in plain
            )
        case Apply(_, args):
            return any(_asks_surely(arg, index) for arg in args)
        case Cond(test):
            return _asks_surely(test, index)
        case Fold(domain=domain):
            return _asks_surely(domain.members, index)
        case _:
            return False
