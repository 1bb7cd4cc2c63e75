"""Answers as people say them: `AM from A's tree 2 to grid[2, 1]`, `the 1st of drawn`.

A record has words of its own for the same answers; both are understood when they are typed.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from attrs import define

from compiler.graph.core import Option, Place, Shape, Value
from compiler.graph.values import ValueWords
from compiler.types import PlaceOf, Square, Type, has_tokens, present
from ruleengine.play.names import Names, ordinal
from ruleengine.stops import Choice
from ruleengine.table import UNRESOLVED, Table
from ruleengine.wording import Wording


@define(eq=False)
class Spoken:
    """The answers of one list in words for the seat that gives them."""

    wording: Wording
    names: Names
    table: Table
    _places: Mapping[str, set[int]]  # by face, where the tokens lie that answers are about

    @classmethod
    def of(
        cls, wording: Wording, names: Names, table: Table, choices: Sequence[Choice]
    ) -> "Spoken":
        """Those of a decision."""
        places: dict[str, set[int]] = defaultdict(set)
        found = cls(wording, names, table, places)
        for choice in choices:
            for token in found._tokens(choice):
                places[found._face(token, choice.seat)].add(table.place[token])
        return found

    def behind(self, choice: Choice) -> str:
        """What is said of an answer behind its option's name; nothing for one without slots."""
        option = self.wording.option(choice)
        if option is None:
            return ""
        said = ""
        for slot, value in zip(option.slots, choice.values, strict=True):
            words = self._value(slot.local.type, value, choice.seat)
            if slot.preposition:
                said += f" {slot.preposition} {words}"
            else:
                said += f", {words}" if said else words
        return said.strip()

    def _tokens(self, choice: Choice) -> Iterator[int]:
        """The tokens that an answer is about."""
        option: Option | None = self.wording.option(choice)
        for slot, value in zip(option.slots if option else (), choice.values, strict=True):
            if has_tokens(slot.local.type):
                yield from _numbers(value)

    def _value(self, type_: Type, value: Value, seat: int) -> str:
        if has_tokens(type_):
            if isinstance(value, tuple):
                return ", ".join(self._token(token, seat) for token in _numbers(value)) or "nothing"
            return self._token(value, seat) if isinstance(value, int) else "none"
        if isinstance(value, int) and isinstance(present(type_), Square | PlaceOf):
            return self.names.place(value)
        words = ValueWords(self.names.graph).text(value, type_)
        return words.strip("[]") if isinstance(value, tuple) else words

    def _token(self, token: int, seat: int) -> str:
        """A face, and where it lies if it lies at several places; else only where it lies."""
        face = self._face(token, seat)
        place = self._place(token)
        if face:
            many = len(self._places[face]) > 1
            return f"{face} from {self.names.place(place.index)}" if many else face
        if place.shape is Shape.SET or place.shape is Shape.ONE:
            noun = self.names.noun(self.wording.statics.token_class[token])
            article = "a" if place.shape is Shape.SET else "the"
            return f"{article} {noun} of {self.names.place(place.index)}"
        at = self.table.cells[place.index].index(token) + 1
        return f"the {ordinal(at)} of {self.names.place(place.index)}"

    def _place(self, token: int) -> Place:
        return self.names.graph.places[self.table.place[token]]

    def _face(self, token: int, seat: int) -> str:
        """The face of a token if the seat sees it, else nothing."""
        statics = self.wording.statics
        seen = self.wording.sight.sees(self.table, token) >> seat & 1
        if self.table.kind[token] == UNRESOLVED or not seen:
            return ""
        return self.wording.words.sort(statics.token_class[token], statics.sort(self.table, token))


def _numbers(value: Value) -> Iterator[int]:
    """The numbers in a value."""
    for part in value if isinstance(value, tuple) else (value,):
        if isinstance(part, int):
            yield part
