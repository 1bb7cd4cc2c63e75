"""The value types of the language: what a slot can hold, and what fits where.

A type is a set of values with known bounds, so that every slot of the state has a width.  Values
are plain: integers for numbers, enum members (ordinal), players (seat, 0-based), places and squares
(place index) and tokens (a handle private to one machine); `None` for `none`; tuples for lists and
sets.  What an integer means is known from the type alone.
"""

from typing import TypeAlias

from attrs import field, frozen


@frozen
class Int:
    """Whole numbers from `low` to `high`, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@frozen
class Bool:
    """`true` or `false`."""

    def __str__(self) -> str:
        return "bool"


@frozen
class Enum:
    """A finite ordered type; a value is the ordinal of its member.  Rulings are enums too."""

    name: str
    members: tuple[str, ...]
    codes: tuple[str | None, ...] = field(default=(), eq=False)

    def __str__(self) -> str:
        return self.name


@frozen
class Player:
    """A seat at the table, 0-based, clockwise."""

    seats: int

    def __str__(self) -> str:
        return "player"


@frozen
class Square:
    """A square of a board; a value is the index of its place."""

    def __str__(self) -> str:
        return "square"


@frozen
class PlaceOf:
    """A place for tokens of one class (a zone, a member of a family); `ordered` unless a set."""

    token_class: str
    ordered: bool = field(default=False, eq=False)

    def __str__(self) -> str:
        return f"place of {self.token_class}"


@frozen
class Token:
    """A card or piece of a class; `kind` narrows it to a named part of the class."""

    token_class: str
    kind: str | None = None

    def __str__(self) -> str:
        return self.kind or self.token_class


@frozen
class Nothing:
    """The type of `none`, and the element type of `empty`."""

    def __str__(self) -> str:
        return "none"


@frozen
class SetOf:
    """Values of one type, each once, in canonical order."""

    element: "Type"

    def __str__(self) -> str:
        return f"set of {self.element}"


@frozen
class ListOf:
    """Values of one type in an order that matters."""

    element: "Type"

    def __str__(self) -> str:
        return f"list of {self.element}"


@frozen
class Optional:
    """A value of `some`, or `none`."""

    some: "Type"

    def __str__(self) -> str:
        return f"{self.some} or none"


Type: TypeAlias = (
    Int | Bool | Enum | Player | Square | PlaceOf | Token | Nothing | SetOf | ListOf | Optional
)

BOOL = Bool()
NOTHING = Nothing()
SQUARE = Square()


def optional(some: Type) -> Type:
    """`some or none`, never nested."""
    return some if isinstance(some, Optional | Nothing) else Optional(some)


def present(type_: Type) -> Type:
    """The type without `none`."""
    return type_.some if isinstance(type_, Optional) else type_


def has_tokens(type_: Type) -> bool:
    """Whether values of a type are or contain tokens."""
    match type_:
        case Token():
            return True
        case SetOf(inner) | ListOf(inner) | Optional(inner):
            return has_tokens(inner)
        case _:
            return False


def element(type_: Type) -> Type | None:
    """What a list, set or place holds; `None` for anything else."""
    type_ = present(type_)
    if isinstance(type_, SetOf | ListOf):
        return type_.element
    return Token(type_.token_class) if isinstance(type_, PlaceOf) else None


def fits(value: Type, slot: Type) -> bool:
    """Whether every `value` can stand where a `slot` is asked for, bounds aside.

    Bounds, `none` and narrowing to a kind are not asked for here: where they cannot be shown to
    hold, the machine checks them.  Lists and sets stand for each other: a list that becomes a set
    is put in canonical order, a set that becomes a list keeps that order.
    """
    value, slot = present(value), present(slot)
    if value is slot or isinstance(value, Nothing) or isinstance(slot, Nothing):
        return True
    inside, wanted = element(value), element(slot)
    if isinstance(slot, PlaceOf | Square):
        if isinstance(slot, Square) or isinstance(value, Square):
            return isinstance(value, Square | PlaceOf)
        return value == slot
    if inside is not None and wanted is not None:
        return fits(inside, wanted)
    match value, slot:
        case (Int(), Int()) | (Bool(), Bool()):
            return True
        case Enum(name=a), Enum(name=b):
            return a == b
        case Player(), Player():
            return True
        case Token(token_class=a), Token(token_class=b):
            return a == b
        case _:
            return False


def certain(value: Type, slot: Type) -> bool:
    """Whether every value of `value` is a value of `slot`, so that no check is needed."""
    if isinstance(value, Optional | Nothing) and not isinstance(slot, Optional | Nothing):
        return False
    value, slot = present(value), present(slot)
    if isinstance(value, Nothing):
        return True
    match value, slot:
        case Int(low, high), Int(least, most):
            return least <= low and high <= most
        case Token(_, _), Token(_, None):
            return True
        case Token(_, a), Token(_, b):
            return a == b
        case ((SetOf(a) | ListOf(a)), (SetOf(b) | ListOf(b))):
            return certain(a, b)
        case _:
            return fits(value, slot)


def possible(value: Type, slot: Type) -> bool:
    """Whether some value of `value` is one of `slot`: what cannot be is an error, not a check."""
    value, slot = present(value), present(slot)
    match value, slot:
        case Int(low, high), Int(least, most):
            return low <= most and least <= high
        case _:
            return True


def join(a: Type, b: Type) -> Type | None:
    """The smallest type that holds all values of both, or `None` if there is none."""
    if isinstance(a, Nothing):
        return b if isinstance(b, SetOf | ListOf) else optional(b)
    if isinstance(b, Nothing):
        return join(b, a)
    if isinstance(a, Optional) or isinstance(b, Optional):
        some = join(present(a), present(b))
        return None if some is None else optional(some)
    match a, b:
        case Int(low, high), Int(least, most):
            return Int(min(low, least), max(high, most))
        case Token(c, k), Token(d, j) if c == d:
            return Token(c, k if k == j else None)
        case (SetOf(x), SetOf(y)):
            both = join_elements(x, y)
            return None if both is None else SetOf(both)
        case ((SetOf() | ListOf() | PlaceOf()), (SetOf() | ListOf() | PlaceOf())) if a != b:
            return _join_lists(element(a), element(b))
        case _:
            return a if fits(a, b) and fits(b, a) else None


def _join_lists(a: Type | None, b: Type | None) -> Type | None:
    both = join_elements(a, b) if a is not None and b is not None else None
    return None if both is None else ListOf(both)


def join_elements(a: Type, b: Type) -> Type | None:
    """What a list holds that has the elements of both; `empty` adds none."""
    if isinstance(a, Nothing):
        return b
    if isinstance(b, Nothing):
        return a
    return join(a, b)


def values(type_: Type) -> tuple[int | bool | None, ...] | None:
    """All values of a finite scalar type in canonical order; `None` if they depend on the state."""
    match type_:
        case Int(low, high):
            return tuple(range(low, high + 1))
        case Bool():
            return (False, True)
        case Enum(members=members):
            return tuple(range(len(members)))
        case Player(seats):
            return tuple(range(seats))
        case Optional(some):
            inner = values(some)
            return None if inner is None else (None, *inner)
        case Nothing():
            return (None,)
        case _:
            return None
