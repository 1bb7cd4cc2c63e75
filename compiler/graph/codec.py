"""How a value of a type becomes a fixed number of whole numbers, its *atoms*.

A codec says it; the canonical state holds the atoms of a slot one after another, all of one width.
Zero is what every atom of a dead slot is.
"""

from collections.abc import Sequence
from typing import TypeAlias

from attrs import evolve, frozen

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
    """One of `size` numbers from `low` on: the distance from `low`, plus 1 if there is `none`.

    `truth`: the numbers 0 and 1 stand for `false` and `true`.
    """

    low: int
    size: int
    optional: bool = False
    truth: bool = False


@frozen
class Listed:
    """One of these values: its position plus 1; 0 is `none`."""

    values: tuple[Value, ...]


@frozen
class Mask:
    """A set or ascending list of scalars: a bit for each of the universe, `WORD` to an atom."""

    universe: tuple[Value, ...]


@frozen
class TokenRef:
    """A token: its name, from 1 to `names`; 0 is `none`.  See `parts.Names`."""

    token_class: str
    names: int


@frozen
class TokenSet:
    """A set of tokens: bit n - 1 for the one called n, `WORD` to an atom."""

    token_class: str
    names: int


@frozen
class Several:
    """At most `capacity` values: how many, then each; unused atoms are 0.

    Those of a set ascend by their atoms.
    """

    element: "Codec"
    capacity: int
    is_set: bool


@frozen
class Maybe:
    """A value or `none`: 1 and the value, or zeros."""

    some: "Codec"


Codec: TypeAlias = Scalar | Listed | Mask | TokenRef | TokenSet | Several | Maybe


def atoms(codec: Codec) -> int:
    """How many atoms a codec makes."""
    match codec:
        case Scalar() | Listed() | TokenRef():
            return 1
        case Mask(universe):
            return words(len(universe))
        case TokenSet(_, names):
            return words(names)
        case Several(element, capacity):
            return 1 + capacity * atoms(element)
        case Maybe(some):
            return 1 + atoms(some)


def highest(codec: Codec) -> int:
    """The largest atom a codec can make."""
    match codec:
        case Scalar(size=count, optional=optional):
            return count if optional else count - 1
        case Listed(listed):
            return len(listed)
        case Mask(universe):
            return (1 << min(len(universe), WORD)) - 1
        case TokenRef(_, names):
            return names
        case TokenSet(_, names):
            return (1 << min(names, WORD)) - 1
        case Several(element, capacity):
            return max(capacity, highest(element))
        case Maybe(some):
            return max(1, highest(some))


def size(codec: Codec) -> int:
    """Bytes of the atoms a codec makes."""
    return atoms(codec) * width(highest(codec))


def words(bits: int) -> int:
    """How many atoms hold so many bits; at least one."""
    return max(1, -(-bits // WORD))


def width(largest: int) -> int:
    """Bytes of the narrowest atom that holds a number: 1, 2, 4 or 8."""
    for bytes_ in (1, 2, 4, 8):
        if largest < 1 << 8 * bytes_:
            return bytes_
    raise InternalError(f"no atom holds {largest}")


# ---- from types


@frozen
class Limits:
    """What is known of a variable beyond its type.

    `length`: the most elements of its list or set, if known.  `ascending`: its list always is.
    `unresolved`: it may mean cards without a kind.
    """

    length: int | None = None
    ascending: bool = False
    unresolved: bool = True


def codec(graph: Graph, type_: Type, limits: Limits) -> Codec:
    """How values of a type are kept."""
    match type_:
        case Optional(some):
            return _optional(codec(graph, some, limits))
        case SetOf(element) | ListOf(element):
            return _collection(graph, element, isinstance(type_, SetOf), limits)
        case _:
            return _scalar(graph, type_, limits)


def _optional(inner: Codec) -> Codec:
    match inner:
        case Scalar():
            return evolve(inner, optional=True)
        case TokenRef():
            return inner
        case _:
            return Maybe(inner)


def _scalar(graph: Graph, type_: Type, limits: Limits) -> Codec:
    match type_:
        case Int(low, high):
            return Scalar(low, high - low + 1)
        case Bool():
            return Scalar(0, 2, truth=True)
        case Enum(members=members):
            return Scalar(0, len(members))
        case Player(seats):
            return Scalar(0, seats)
        case Square() | PlaceOf():
            return Scalar(0, len(graph.places))
        case Token(token_class):
            return TokenRef(token_class, _names(graph, token_class, limits))
        case Nothing():
            return Scalar(0, 1)
        case _:
            raise InternalError(f"{type_} is no scalar")


def _names(graph: Graph, token_class: str, limits: Limits) -> int:
    """How many names the tokens of a class have: one each, and another while without a kind."""
    return tokens_of(graph.token_class(token_class)) * (1 + limits.unresolved)


def _collection(graph: Graph, element: Type, is_set: bool, limits: Limits) -> Codec:
    most = universe_size(graph, element)
    if most is None:
        raise InternalError(f"no bound for the length of a list of {element}")
    inner = codec(graph, element, limits)
    length = most if limits.length is None else min(most, limits.length)
    one_by_one = Several(inner, length, is_set)
    if isinstance(element, Token) and is_set:
        together: Codec = TokenSet(element.token_class, _names(graph, element.token_class, limits))
    else:
        universe = _universe(graph, element)
        if universe is None or not (is_set or limits.ascending):
            return one_by_one
        together = Mask(universe)
    return min(together, one_by_one, key=size)


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
