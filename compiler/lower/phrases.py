"""Types as people say them, and what to type where one type stands for another."""

import re
from collections.abc import Sequence
from typing import Final

from compiler.graph.core import Apply, Read, Term, TokenClass, Variable
from compiler.ops.lists import LIST
from compiler.ops.numbers import LIMIT
from compiler.syntax.declared import article
from compiler.syntax.spelling import nearest
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
    element,
    fits,
    present,
)

_FROM_TO: Final = re.compile(r"(\w+) *- *(\w+)")


def described(type_: Type) -> str:
    """A type with its article: `a player`, `a number (0..9)`, `a list of players`."""
    match type_:
        case Optional(some):
            return f"{described(some)} or `none`"
        case Int(low, high) if high - low >= LIMIT:
            return "a number"
        case Int(low, high):
            return f"the number {low}" if low == high else f"a number ({low}..{high})"
        case Bool():
            return "a test (true or false)"
        case Nothing():
            return "`none`"
        case PlaceOf(token_class):
            return f"a place for {token_class}" if token_class else "a place"
        case ListOf(PlaceOf()):
            return "a whole family of places"
        case ListOf(Nothing()):
            return "`empty`"
        case SetOf(inner) | ListOf(inner):
            return f"a {'set' if isinstance(type_, SetOf) else 'list'} of {several(inner)}"
        case Enum() | Player() | Square() | Token():
            return article(str(type_))


def several(type_: Type) -> str:
    """Many of a type: `players`, `numbers`."""
    match type_:
        case Optional(some):
            return several(some)
        case Int():
            return "numbers"
        case Bool():
            return "truths"
        case Player() | Square():
            return f"{type_}s"
        case SetOf() | ListOf():
            return "lists"
        case PlaceOf(token_class):
            return f"places for {token_class}"
        case _:
            return str(type_)


def kind_of(type_: Type) -> str:
    """The same without the bounds of a number."""
    return "a number" if isinstance(present(type_), Int) else described(present(type_))


def suggestion(term: Term, slot: Type, text: str) -> str:
    """What to type where a term, written so, stands for something that a slot takes."""
    found, wanted = present(term.type), present(slot)
    inside, inner = element(found), element(wanted)
    if isinstance(wanted, Bool) and isinstance(term.type, Optional):
        return f"whether there is one: `{text} is not none`"
    if is_family(term):
        return f"say which one: `{text}[…]`"
    if inside is None:
        return _suggestion_for_one(found, wanted, inner, text)
    if isinstance(inside, Token) and isinstance(inner, Square):
        return "go through the squares of the board: `all s in squares(b) where …`"
    if isinstance(wanted, Token) and isinstance(inside, Int):
        return f"several lie in a place: `zone held per player: set of {wanted.token_class}`"
    if isinstance(wanted, Int):
        return f"write `count({text})`"
    if isinstance(wanted, Bool):
        return f"write `{text} is not empty`"
    if inner is None and fits(inside, wanted):
        whole = isinstance(found, PlaceOf)
        return f"write `top of {text}`" if whole else f"write `first({text})`"
    return ""


def _suggestion_for_one(found: Type, wanted: Type, inner: Type | None, text: str) -> str:
    """The same where one thing was found."""
    if inner is not None and fits(found, inner):
        return f"write `[{text}]`"
    if isinstance(found, Token) and isinstance(wanted, Square):
        return f"where it lies is `{text}.place`; squares are gone through by `in squares(…)`"
    if isinstance(found, Square) and isinstance(wanted, Token):
        return f"what stands there is `top of {text}`"
    if isinstance(found, Token) and isinstance(wanted, Player):
        return f"in whose place it lies is `{text}.holder`; who played it, a variable must keep"
    if isinstance(wanted, Player) and isinstance(found, Int):
        return "seats are written `A`, `B`, …"
    if isinstance(wanted, Bool) and text in ("0", "1"):
        return "write `false`" if text == "0" else "write `true`"
    if isinstance(wanted, Bool) and text.isdecimal():
        return "a truth is `true` or `false`"
    if isinstance(wanted, Bool) and isinstance(found, Int):
        return f"compare it: `{text} > 0`, `{text} is 0`"
    if isinstance(wanted, Bool) and isinstance(found, Enum | Player | Token | Square):
        return f"compare it: `{text} is …`"
    return ""


def flag_meant(name: str, known: Sequence[str], held: TokenClass) -> str:
    """What to type where a flag stands that tokens of a class do not have."""
    near = nearest(name, known)
    if near:
        return f"did you mean `{near}`?"
    what = "card" if held.is_card else "piece"
    if name in (attribute.name for attribute in held.attributes):
        return (
            f"what `{held.name}` has as `{name}` stays as it is printed: write `flag {name}` "
            f"below `{what} {held.name}` in its place"
        )
    return (
        f"add `flag {name}` below `{what} {held.name}`, where it stays on, or at the end of the "
        "line of a zone, where it goes when the token leaves"
    )


def is_family(term: Term) -> bool:
    """Whether a term is a whole family of places or variables."""
    match term.type:
        case ListOf(PlaceOf()):
            return True
        case _:
            pass
    return (
        isinstance(term, Apply)
        and term.op is LIST
        and all(
            isinstance(a, Read) and isinstance(a.source, Variable) and a.args for a in term.args
        )
    )


def changing(*terms: Term) -> str:
    """The first variable that some terms read, if any does."""
    waiting = list(terms)
    while waiting:
        term = waiting.pop(0)
        if isinstance(term, Read) and isinstance(term.source, Variable):
            return term.source.name
        if isinstance(term, Read | Apply):
            waiting += term.args
    return ""


def arguments(number: int, noun: str = "argument") -> str:
    """So many arguments, in words."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def as_range(said: str, type_: Type) -> str:
    """What to type for numbers that are not told as a list: `3`, `1-3`."""
    ends = _FROM_TO.fullmatch(said)
    if ends is not None:
        return f"write `{ends[1]}..{ends[2]}`"
    return f"write `1..{said}`" if isinstance(present(type_), Int) else ""
