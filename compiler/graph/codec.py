"""How a value of a type becomes a fixed number of whole numbers, its *atoms*.

A codec says it; the canonical state holds the atoms of a slot one after another, all of one width.
Zero is what every atom of a dead slot is.
"""

from collections.abc import Sequence
from typing import TypeAlias

from attrs import frozen

from compiler.diagnostic import InternalError
from compiler.graph.core import Graph, TokenClass, Value
from compiler.types import (
    Bool,
    Enum,
    Int,
    ListOf,
    Nothing,
    Optional,
    PlaceOf,
    Player,
    SetOf,
    Square,
    Token,
    Type,
    values,
)

WORD = 64
"""Bits of the widest atom."""


@frozen
class Scalar:
    """One of `size` numbers from `low` on: the distance from `low`, plus 1 if there is `none`."""

    low: int
    size: int
    optional: bool = False


@frozen
class Listed:
    """One of these values: its position plus 1; 0 is `none`."""

    values: tuple[Value, ...]


@frozen
class Mask:
    """A set of scalars: a bit for each value of the universe, `WORD` to an atom."""

    universe: tuple[Value, ...]


@frozen
class TokenRef:
    """A token: the number of the spot it lies on, from 1; 0 is `none`."""

    token_class: str


@frozen
class Several:
    """At most `capacity` values: how many, then each; unused atoms are 0.

    Of a set the order is the canonical one and says nothing.
    """

    element: "Codec"
    capacity: int
    is_set: bool


@frozen
class Maybe:
    """A value or `none`: 1 and the value, or zeros."""

    some: "Codec"


Codec: TypeAlias = Scalar | Listed | Mask | TokenRef | Several | Maybe


def atoms(codec: Codec) -> int:
    """How many atoms a codec makes."""
    match codec:
        case Scalar() | Listed() | TokenRef():
            return 1
        case Mask(universe):
            return words(len(universe))
        case Several(element, capacity):
            return 1 + capacity * atoms(element)
        case Maybe(some):
            return 1 + atoms(some)


def highest(codec: Codec, spots: dict[str, int]) -> int:
    """The largest atom a codec can make; `spots` has the number of spots of each class."""
    match codec:
        case Scalar(_, size, optional):
            return size if optional else size - 1
        case Listed(listed):
            return len(listed)
        case Mask(universe):
            return (1 << min(len(universe), WORD)) - 1
        case TokenRef(token_class):
            return spots[token_class]
        case Several(element, capacity):
            return max(capacity, highest(element, spots))
        case Maybe(some):
            return max(1, highest(some, spots))


def words(bits: int) -> int:
    """How many atoms hold so many bits; at least one."""
    return max(1, -(-bits // WORD))


def width(largest: int) -> int:
    """Bytes of the narrowest atom that holds a number: 1, 2, 4 or 8."""
    for size in (1, 2, 4, 8):
        if largest < 1 << 8 * size:
            return size
    raise InternalError(f"no atom holds {largest}")


# ---- from types


def codec(graph: Graph, type_: Type, capacity: int | None = None) -> Codec:
    """How values of a type are kept; `capacity` bounds the length of a list or set of tokens."""
    match type_:
        case Optional(some):
            inner = codec(graph, some, capacity)
            return _optional(inner)
        case SetOf(element) | ListOf(element):
            return _collection(graph, element, isinstance(type_, SetOf), capacity)
        case _:
            return _scalar(graph, type_)


def _optional(inner: Codec) -> Codec:
    match inner:
        case Scalar(low, size):
            return Scalar(low, size, optional=True)
        case TokenRef():
            return inner
        case _:
            return Maybe(inner)


def _scalar(graph: Graph, type_: Type) -> Codec:
    match type_:
        case Int(low, high):
            return Scalar(low, high - low + 1)
        case Bool():
            return Scalar(0, 2)
        case Enum(members=members):
            return Scalar(0, len(members))
        case Player(seats):
            return Scalar(0, seats)
        case Square() | PlaceOf():
            return Scalar(0, len(graph.places))
        case Token(token_class):
            return TokenRef(token_class)
        case Nothing():
            return Scalar(0, 1)
        case _:
            raise InternalError(f"{type_} is no scalar")


def _collection(graph: Graph, element: Type, is_set: bool, capacity: int | None) -> Codec:
    inner = codec(graph, element)
    most = universe_size(graph, element)
    if most is None:
        raise InternalError(f"no bound for the length of a list of {element}")
    if is_set:
        universe = _universe(graph, element)
        if universe is not None:
            return Mask(universe)
    return Several(inner, most if capacity is None else min(most, capacity), is_set)


def _universe(graph: Graph, element: Type) -> tuple[Value, ...] | None:
    """The scalars of a type in canonical order, or `None` if it is no scalar or names tokens."""
    match element:
        case Square() | PlaceOf():
            return places_of(graph, element)
        case Optional(Square() | PlaceOf() as some):
            return (None, *places_of(graph, some))
        case _:
            return values(element)


def places_of(graph: Graph, type_: Square | PlaceOf) -> tuple[int, ...]:
    """The places that a value of this type can be, by index."""
    if isinstance(type_, Square):
        return tuple(place.index for place in graph.places if place.square is not None)
    classes = (None, type_.token_class)
    return tuple(place.index for place in graph.places if place.token_class in classes)


def universe_size(graph: Graph, element: Type) -> int | None:
    """How many values a type has, or `None` if too many to count out; a token's are its class's."""
    match element:
        case Token(token_class, kind):
            return tokens_of(graph.token_class(token_class), kind)
        case Optional(some):
            inner = universe_size(graph, some)
            return None if inner is None else inner + 1
        case SetOf(inside):
            inner = universe_size(graph, inside)
            return None if inner is None or inner > 16 else 1 << inner
        case ListOf(inside):
            inner = universe_size(graph, inside)
            return None if inner is None or inner > 5 else _arrangements(inner)
        case _:
            universe = _universe(graph, element)
            return None if universe is None else len(universe)


def _arrangements(members: int) -> int:
    """In how many ways some of so many members stand in a row."""
    total = 1
    for length in range(1, members + 1):
        total = total * length + 1
    return total


def tokens_of(token_class: TokenClass, kind: str | None = None) -> int:
    """How many tokens of a class, or of a named part of it, there are."""
    named = dict(token_class.named_kinds)
    kinds: Sequence[int] = range(len(token_class.kinds)) if kind is None else named[kind]
    return sum(token_class.kinds[index].copies for index in kinds)
