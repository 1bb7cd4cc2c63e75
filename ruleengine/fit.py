"""Whether a value fits a slot of a type, and the one form it is kept in.

Sets are kept each element once, scalars ascending, tokens by handle (they are put in their order
when read).  What does not fit is a `Fault`: the spec is at fault.
"""

from collections.abc import Callable
from typing import TypeAlias, assert_never

from compiler.graph.core import Value, Variable
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
)
from ruleengine.errors import Fault, Unresolved
from ruleengine.statics import Statics
from ruleengine.table import Table

Fit: TypeAlias = Callable[[Table, Value], Value]
"""From a value to the form it is kept in; raises `Fault`."""


def fit(type_: Type, statics: Statics) -> Fit:
    """The check and the form of one type."""
    match type_:
        case Int(low, high):
            return _within(low, high, f"{low}..{high}")
        case Bool():
            return _within(0, 1, "true or false")
        case Enum(name, members):
            return _within(0, len(members) - 1, f"`{name}`")
        case Player():
            return _within(0, statics.graph.seats - 1, "a player")
        case Square():
            return _one_of(
                frozenset(p.index for p in statics.graph.places if p.square is not None), "a square"
            )
        case PlaceOf(token_class):
            return _one_of(
                frozenset(p.index for p in statics.graph.places if p.token_class == token_class),
                f"a place of `{token_class}`",
            )
        case Token(token_class, kind):
            return _token(statics, token_class, kind)
        case Nothing():
            return _nothing
        case Optional(some):
            return _optional(fit(some, statics))
        case SetOf(inner):
            return _set(fit(inner, statics))
        case ListOf(inner):
            return _list(fit(inner, statics))
        case _:
            assert_never(type_)


def fit_of(variable: Variable, statics: Statics) -> Fit:
    """The check for a variable, which a failure names."""
    plain = fit(variable.type, statics)
    if variable.hidden_name:
        return plain

    def named(table: Table, value: Value) -> Value:
        try:
            return plain(table, value)
        except Fault as fault:
            raise Fault(f"`{variable.name}`: {fault.message}", fault.span) from fault

    return named


def shown(value: Value) -> str:
    """A value in an error, as the machine holds it."""
    match value:
        case None:
            return "`none`"
        case bool():
            return str(value).lower()
        case tuple():
            return f"[{', '.join(map(shown, value))}]"
        case _:
            return str(value)


def _within(low: int, high: int, wanted: str) -> Fit:
    def within(_: Table, value: Value) -> Value:
        if isinstance(value, int) and low <= value <= high:
            return value
        raise Fault(f"{shown(value)} is not {wanted}")

    return within


def _one_of(allowed: frozenset[int], wanted: str) -> Fit:
    def one_of(_: Table, value: Value) -> Value:
        if value in allowed:
            return value
        raise Fault(f"{shown(value)} is not {wanted}")

    return one_of


def _token(statics: Statics, token_class: str, kind: str | None) -> Fit:
    handles = statics.class_tokens[statics.class_index[token_class]]
    if kind is None:
        return _one_of(frozenset(handles), f"a `{token_class}`")
    kinds = frozenset(dict(statics.graph.token_class(token_class).named_kinds)[kind])

    def token(table: Table, value: Value) -> Value:
        if isinstance(value, int) and value in handles:
            if table.kind[value] < 0:
                raise Unresolved(value)
            if table.kind[value] in kinds:
                return value
        raise Fault(f"{shown(value)} is not a `{kind}`")

    return token


def _nothing(_: Table, value: Value) -> Value:
    if value is None:
        return None
    raise Fault(f"{shown(value)} stands where only `none` may be")


def _optional(some: Fit) -> Fit:
    return lambda table, value: None if value is None else some(table, value)


def _elements(inner: Fit, table: Table, value: Value) -> list[Value]:
    if not isinstance(value, tuple):
        raise Fault(f"{shown(value)} stands where a list must be")
    return [inner(table, element) for element in value]


def _set(inner: Fit) -> Fit:
    def kept(table: Table, value: Value) -> Value:
        return tuple(sorted(dict.fromkeys(_elements(inner, table, value)), key=rank))

    return kept


def _list(inner: Fit) -> Fit:
    def kept(table: Table, value: Value) -> Value:
        elements = _elements(inner, table, value)
        if len(set(elements)) < len(elements):
            raise Fault("a stored list has each element once")
        return tuple(elements)

    return kept


def rank(value: Value) -> tuple[int, ...]:
    """Orders values of one type: `none` first, numbers ascending, lists like words."""
    match value:
        case None:
            return (-1,)
        case int():
            return (0, value)
        case tuple():
            return tuple(part for element in value for part in (1, *rank(element)))
        case _:
            assert_never(value)
