"""What things at the table are called in views and logs: the same thing always by the same words.

Different things have different words, since logs are compared as text.
"""

from collections import Counter
from itertools import groupby

from attrs import define

from compiler.graph.core import Shape, TokenClass, Value, Variable
from compiler.types import Bool, Enum, ListOf, Optional, PlaceOf, Player, SetOf, Square, Type
from ruleengine.statics import Statics

HIDDEN = "?"
"""A face, or a value, that cannot be seen."""


@define(eq=False)
class Words:
    """The names of one graph's tokens, places and slots."""

    statics: Statics
    _sorts: tuple[tuple[str, ...], ...]  # per class and sort
    _slots: dict[int, tuple[str, Type]]  # per slot: its name and what it holds

    @classmethod
    def of(cls, statics: Statics) -> "Words":
        """Those of a graph."""
        sorts = tuple(_sort_words(token_class) for token_class in statics.graph.classes)
        repeated = Counter(word for words in sorts for word in words)
        qualified = tuple(
            tuple(word if repeated[word] == 1 else f"{token_class.name} {word}" for word in words)
            for token_class, words in zip(statics.graph.classes, sorts, strict=True)
        )
        words = cls(statics, qualified, {})
        taken: set[str] = set()
        for variable, slots in statics.slots.items():
            for first in slots.banks():
                for slot in range(first, first + variable.size):
                    name = words._slot_name(variable, slot - first)
                    name = name if name not in taken else f"{name}#{slot}"
                    taken.add(name)
                    words._slots[slot] = name, variable.type
        return words

    def sort(self, class_index: int, sort: int | None) -> str:
        """A face with its sticky flags: `KH`, `KH retired`."""
        return HIDDEN if sort is None else self._sorts[class_index][sort]

    def place(self, index: int) -> str:
        """A place as the spec writes it: `hand[A]`."""
        return self.statics.graph.places[index].label

    def spot(self, place: int, position: int) -> str:
        """A cell of a row, counted from 1 (top of a pile), or just the place."""
        label = self.place(place)
        if self.statics.graph.places[place].shape in (Shape.SET, Shape.ONE):
            return label
        return f"{label} {position}"

    def observers(self, mask: int) -> str:
        """Observers in a mask: `A`, `A, C`, `all` with the public, `nobody`."""
        public = self.statics.public
        if mask >> public & 1:
            return "all"
        names = [seat(number) for number in range(public) if mask >> number & 1]
        return ", ".join(names) or "nobody"

    def slot(self, slot: int) -> str:
        """A slot of `Table.values`: `stake[A]`; a local with its phase: `turn.looked`."""
        return self._slots[slot][0]

    def type(self, slot: int) -> Type:
        """What a slot of `Table.values` holds."""
        return self._slots[slot][1]

    def flags(self, mask: int) -> str:
        """The names of flags, each with a space before it."""
        bits = self.statics.flag_bits
        return "".join(f" {name}" for name, bit in bits.items() if mask >> bit & 1)

    def value(self, type_: Type, value: Value) -> str:
        """A value without tokens."""
        match type_, value:
            case _, None:
                return "none"
            case Optional(some), _:
                return self.value(some, value)
            case ((SetOf(inner) | ListOf(inner)), tuple()):
                return "[" + ", ".join(self.value(inner, part) for part in value) + "]"
            case Player(), int():
                return seat(value)
            case Enum(_, members), int():
                return members[value]
            case ((PlaceOf() | Square()), int()):
                return self.place(value)
            case Bool(), _:
                return "true" if value else "false"
            case _:
                return str(value)

    def _slot_name(self, variable: Variable, member: int) -> str:
        name = variable.name if variable.phase is None else f"{variable.phase}.{variable.name}"
        keys = self.statics.key_tuples[variable][member]
        if not keys:
            return name
        types = variable.key_types
        inside = ", ".join(self.value(type_, key) for type_, key in zip(types, keys, strict=True))
        return f"{name}[{inside}]"


def outcome(ending: str, value: Value) -> str:
    """How a game ended: `winners A, B`, `scores 2, -2`, `ranking [B] [A, C]`, `draw`."""
    parts = value if isinstance(value, tuple) else () if value is None else (value,)
    if ending == "scores":
        shown = ", ".join(str(part) for part in parts)
    elif ending == "ranking":
        shown = " ".join(f"[{_seats(group)}]" for group in parts)
    else:
        shown = _seats(parts)
    return f"{ending} {shown}".rstrip()


def _seats(value: Value) -> str:
    members = value if isinstance(value, tuple) else (value,)
    return ", ".join(seat(member) for member in members if isinstance(member, int))


def counted(words: list[str]) -> str:
    """Words in a row, equal neighbours counted: `K, ? ×3`."""
    runs = [(word, len(list(run))) for word, run in groupby(words)]
    return ", ".join(word if count == 1 else f"{word} ×{count}" for word, count in runs)


def seat(number: int) -> str:
    """A seat's letter, from `A`."""
    return chr(ord("A") + number)


def _sort_words(token_class: TokenClass) -> tuple[str, ...]:
    """The written words of kinds, numbered where one is written twice, and their sticky flags."""
    written = Counter(kind.word for kind in token_class.kinds)
    words = []
    for index, kind in enumerate(token_class.kinds):
        word = kind.word if written[kind.word] == 1 else f"{kind.word}#{index}"
        for sort in range(1 << len(token_class.sticky_flags)):
            names = [name for bit, name in enumerate(token_class.sticky_flags) if sort >> bit & 1]
            words.append(" ".join([word, *names]))
    return tuple(words)
