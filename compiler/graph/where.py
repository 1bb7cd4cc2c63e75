"""Where the tokens that a term means can lie, and which places it can name, as masks.

A mask has a bit for each place, by index.  Answers are never less than what can happen.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import define, field

from compiler.graph.core import (
    AllTokens,
    Apply,
    Bound,
    Cond,
    Const,
    Contents,
    Fold,
    FoldMode,
    Function,
    Graph,
    PlaceOfToken,
    Read,
    Term,
    Value,
    Variable,
)
from compiler.ops.lists import IN, IS, MINUS, TAKE, TAKE_LAST
from compiler.ops.numbers import NOT
from compiler.ops.row import Lookup
from compiler.types import ListOf, Optional, PlaceOf, SetOf, Square, Token, Type

State = Mapping[Variable, int]
"""Places of the tokens in a variable, or the places that it names."""

Masks = Mapping[int, tuple[int, int]]
"""For a bound name: the places that it can be, and the places where its tokens can lie."""

_NOTHING_BOUND: Masks = {}


@define
class Where:
    """Reads terms in a state; a variable that the state does not have may mean any of its type."""

    graph: Graph
    state: State = field(factory=dict)

    @property
    def anywhere(self) -> int:
        """All places."""
        return (1 << len(self.graph.places)) - 1

    def places(self, term: Term, bound: Masks = _NOTHING_BOUND) -> int:
        """The places that a term giving a place, or a list of places, can give."""
        match term:
            case Const(value):
                return union(1 << index for index in numbers(value))
            case Cond(_, then, otherwise):
                return self.places(then, bound) | self.places(otherwise, bound)
            case Bound(index=index) if index in bound:
                return bound[index][0]
            case Read(PlaceOfToken(), (token,)):
                return self.tokens(token, bound)
            case Read(Variable() as variable) if variable in self.state:
                return self.state[variable]
            case Fold():
                return self._folded(term, bound)[0]
            case Apply(Function() as function, args):
                return self._called(function, args, bound)[0]
            case Apply(Lookup() as table, args):
                return union(1 << index for index in numbers(_looked_up(table, args)))
            case Apply(_, args) if isinstance(innermost(term.type), PlaceOf):
                lists = [arg for arg in args if isinstance(innermost(arg.type), PlaceOf)]
                return union(self.places(arg, bound) for arg in lists) or self.of_type(term.type)
            case _:
                return self.of_type(term.type)

    def tokens(self, term: Term, bound: Masks = _NOTHING_BOUND) -> int:
        """The places where the tokens that a term gives can lie."""
        match term:
            case Const():
                return 0
            case Cond(_, then, otherwise):
                return self.tokens(then, bound) | self.tokens(otherwise, bound)
            case Bound(index=index) if index in bound:
                return bound[index][1]
            case Read(Contents(), (place,)):
                return self.places(place, bound)
            case Read(AllTokens(token_class)):
                return self.of_class(token_class)
            case Read(Variable() as variable) if variable in self.state:
                return self.state[variable]
            case Fold():
                return self._folded(term, bound)[1]
            case Apply(Function() as function, args):
                return self._called(function, args, bound)[1]
            case Apply(op, args):
                inside = _parts(op, args)
                found = union(self.tokens(arg, bound) for arg in inside)
                return found if inside else self.of_type(term.type)
            case _:
                return self.of_type(term.type)

    def both(self, term: Term, bound: Masks = _NOTHING_BOUND) -> tuple[int, int]:
        """Places it can be, and places where its tokens can lie."""
        match innermost(term.type):
            case Token():
                return 0, self.tokens(term, bound)
            case PlaceOf() | Square():
                named = self.places(term, bound)
                return named, named
            case _:
                return 0, 0

    def of_class(self, token_class: str) -> int:
        """All places where tokens of a class may lie."""
        classes = (None, token_class)
        return union(1 << p.index for p in self.graph.places if p.token_class in classes)

    def of_type(self, type_: Type) -> int:
        """All places that a value of a type may be, or may lie in."""
        match innermost(type_):
            case Square():
                classes = {p.token_class for p in self.graph.places if p.square is not None}
                return union(self.of_class(name) for name in classes if name is not None)
            case PlaceOf(token_class) | Token(token_class):
                return self.of_class(token_class)
            case _:
                return self.anywhere

    def _folded(self, term: Fold, bound: Masks) -> tuple[int, int]:
        """What a filter or map gives: the members it may keep, or what its body gives for them."""
        places, tokens = self.both(term.domain.members, bound)
        inner = {**bound, term.bound.index: (places, tokens)}
        if term.where is not None:
            kept = self.limit(term.where, True, is_bound(term.bound.index), inner)
            tokens &= kept
            inner[term.bound.index] = (places, tokens)
        if term.mode is FoldMode.MAP and term.body is not None:
            return self.both(term.body, inner)
        return places, tokens

    def _called(self, function: Function, args: tuple[Term, ...], bound: Masks) -> tuple[int, int]:
        inner = {at: self.both(arg, bound) for at, arg in enumerate(args)}
        given = [self.both(case.value, inner) for case in function.cases]
        return union(places for places, _ in given), union(tokens for _, tokens in given)

    def limit(
        self,
        test: Term,
        holds: bool,
        is_subject: Callable[[Term], bool],
        bound: Masks = _NOTHING_BOUND,
    ) -> int:
        """Where the subject of a test can lie once it is known whether the test holds."""
        match test:
            case Apply(op, (inner,)) if op is NOT:
                return self.limit(inner, not holds, is_subject, bound)
            case Cond(first, then, Const(False)):
                masks = (
                    self.limit(first, holds, is_subject, bound),
                    self.limit(then, holds, is_subject, bound),
                )
                return masks[0] & masks[1] if holds else masks[0] | masks[1]
            case Cond(first, Const(True), otherwise):
                masks = (
                    self.limit(first, holds, is_subject, bound),
                    self.limit(otherwise, holds, is_subject, bound),
                )
                return masks[0] | masks[1] if holds else masks[0] & masks[1]
            case Apply(op, (Read(PlaceOfToken(), (subject,)), place)) if op in (IS, IN):
                if not is_subject(subject):
                    return self.anywhere
                named = self.places(place, bound)
                if holds:
                    return named
                return self.anywhere & ~named if isinstance(place, Const) else self.anywhere
            case _:
                return self.anywhere


def is_bound(index: int) -> Callable[[Term], bool]:
    """Whether a term is a bound name."""
    return lambda term: isinstance(term, Bound) and term.index == index


def _parts(op: object, args: tuple[Term, ...]) -> list[Term]:
    """The arguments that the tokens of a result come from."""
    if op is MINUS:
        return [args[0]]
    if op in (TAKE, TAKE_LAST):
        return [args[1]]
    return [arg for arg in args if isinstance(innermost(arg.type), Token)]


def innermost(type_: Type) -> Type:
    """What lists, sets and options of a type hold in the end."""
    match type_:
        case SetOf(inner) | ListOf(inner) | Optional(inner):
            return innermost(inner)
        case _:
            return type_


def union(masks: Iterable[int]) -> int:
    """All that is in any mask."""
    found = 0
    for mask in masks:
        found |= mask
    return found


def numbers(value: Value) -> Iterator[int]:
    """The numbers in a value, however deep."""
    if isinstance(value, tuple):
        for part in value:
            yield from numbers(part)
    elif value is not None:
        yield value


def indices(mask: int) -> Iterator[int]:
    """The places in a mask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _looked_up(table: Lookup, args: tuple[Term, ...]) -> Value:
    """What a table can give where the keys that are known before play are these."""
    found: tuple[Value, ...] = (table.table,)
    for low, arg in zip(table.lows, args, strict=True):
        parts = [part for part in found if isinstance(part, tuple)]
        if isinstance(arg, Const) and isinstance(arg.value, int):
            at = arg.value - low
            found = tuple(part[at] for part in parts if 0 <= at < len(part))
        else:
            found = tuple(value for part in parts for value in part)
    return found
