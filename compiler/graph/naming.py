"""What things are called, and how verbs bend, in plain English."""

import re
from collections.abc import Container, Sequence
from typing import Final

from compiler.graph.amounts import plural
from compiler.graph.core import Value
from compiler.graph.values import ValueWords
from compiler.types import Bool, Enum, Int, ListOf, SetOf, Type, element, present

_LINES: Final = re.compile(r"lines\((\w+), (\d+)\)")
_KEYED: Final = re.compile(r"(\w+)\[(.*)\]")
_HELPING: Final = ("can", "has", "is", "may", "must", "was", "will")
_PLURALS: Final = {"is": "are", "has": "have", "was": "were", "does": "do"}


def spoken(name: str) -> str:
    """A name of a spec as words."""
    return name.replace("_", " ")


def listed(parts: Sequence[str], joint: str = "and") -> str:
    """Things in a row: `a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {joint} {parts[-1]}"


def place_words(label: str) -> str:
    """A place by its label: `hand[A]` is "A's hand", `grid[2, 3]` "grid 2, 3"."""
    found = _KEYED.fullmatch(label)
    if found is None:
        return spoken(label)
    name, key = found.groups()
    if len(key) == 1 and key.isupper():
        return f"{key}'s {spoken(name)}"
    return f"{spoken(name)} {spoken(key)}"


class PlainValues(ValueWords):
    """Values as people say them."""

    def text(self, value: Value, type_: Type) -> str:
        """A value of a type; names of members without underscores."""
        kind = present(type_)
        words = super().text(value, type_)
        return spoken(words) if isinstance(kind, Enum) or isinstance(value, tuple) else words

    def _place(self, index: int) -> str:
        return place_words(super()._place(index))

    def _several(self, values: tuple[Value, ...], type_: Type) -> str:
        inner = element(type_)
        whole = None if inner is None or not values else self._whole(values, present(inner))
        lines = _LINES.fullmatch(whole or "")
        if lines is not None:
            return f"lines of {lines[2]} on {lines[1]}"
        if whole is not None:
            return whole.replace("..", " to ")
        inside = type_ if inner is None else inner
        if isinstance(present(inside), ListOf):
            return listed([self._paired(value, inside) for value in values])
        return listed([self.text(value, inside) for value in values]) if values else "empty"

    def _paired(self, value: Value, type_: Type) -> str:
        """A list in a list."""
        inner = element(type_)
        if not isinstance(value, tuple) or inner is None:
            return self.text(value, type_)
        return " with ".join(self.text(part, inner) for part in value)


def sort(kind: Type, cards: Container[str] = ()) -> str:
    """What a value is, as people say it: "a number", "an agent", "number cards".

    `cards` are the names of the classes that are cards.
    """
    match kind:
        case Int():
            return "a number"
        case Bool():
            return "yes or no"
        case ListOf(inner) | SetOf(inner):
            return plural(_noun(inner, cards))
        case _:
            return one_of_kind(_noun(kind, cards))


def _noun(kind: Type, cards: Container[str]) -> str:
    word = str(present(kind))
    name = spoken(word)
    return f"{name} card" if word in cards and not name.endswith("card") else name


def contrary(name: str) -> str:
    """A name that says something, denied: "not on summon", "the ender does not pay"."""
    subject, _, verb = name.rpartition(" ")
    if subject and is_verb(verb):
        return f"{subject} {denied(verb)}"
    return f"not {name}"


_NO_VERBS: Final = frozenset(
    "a an all and another any anybody anything both each either enough every few how in is it its "
    "less many may more most much must no nobody none not nothing of one one's or own same some "
    "somebody something still such than that the these they this those to two was what when where "
    "which who whom whose why with yet you".split()
)
"""Words that no order begins with."""


def answers(question: str) -> tuple[str, str]:
    """What is said to a question whether something is done: it, and that it is not.

    "Block?" is answered "Block" and "Do not block"; "Another one?", which is no order, "yes", "no".
    """
    asked, mark, rest = question.partition("?")
    first = asked.split(" ", 1)[0].lower()
    if not mark or rest or not first:
        return "chosen", "declined"
    if first in _NO_VERBS or not first.isalpha():
        return "yes", "no"
    return asked, f"Do not {asked[:1].lower()}{asked[1:]}"


_WHICH: Final = re.compile(r"(\w+(ed|ive|ing)|current|first|last|next|other|second)")
"""Words that say which one of several."""


def player_called(name: str) -> str:
    """A player by the name of a spec: "player p", "active player", "defender"."""
    if len(name) == 1 and name.islower():
        return f"player {name}"
    return f"{name} player" if _WHICH.fullmatch(name) else name


def one_of_kind(kind: str) -> str:
    """One of a kind: "an agent"."""
    return f"an {kind}" if kind[:1].lower() in "aeiou" else f"a {kind}"


# ---- verbs


def is_verb(words: str) -> bool:
    """Whether a name reads as a verb after its subject: "may enter", "lies open"."""
    first = words.split()[0]
    ends = first.endswith("s") and not first.endswith("ss")
    return first in _HELPING or (len(first) > 3 and ends)


def denied(verb: str) -> str:
    """A verb's contrary: "is not straight", "does not fit"."""
    first, _, rest = verb.partition(" ")
    if first == "has":
        return f"has no {rest}"
    if first in _HELPING:
        return f"{first} not {rest}"
    if first.endswith("ies"):
        stem = f"{first[:-3]}y"
    elif first.endswith(("ches", "shes", "sses", "xes")):
        stem = first[:-2]
    else:
        stem = first[:-1]
    return f"does not {stem} {rest}".rstrip()


def agreeing(verb: str) -> str:
    """A verb as it follows several: "are equal", "have line"."""
    first, *rest = verb.split()
    return " ".join((_PLURALS.get(first, first), *rest))
