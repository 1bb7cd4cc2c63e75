"""Answers as players type them: which legal one is meant, and why another is refused.

Legal answers go by the words of `wording`.  An answer that is not offered is read by the types of
its slots, so that the rule which forbids it can be named.
"""

import re
from collections.abc import Sequence
from itertools import islice, product
from typing import Final, assert_never

from attrs import define, frozen

from compiler.graph.core import Choose, Clauses, Option, Value
from compiler.graph.core import Slot as OptionSlot
from compiler.graph.values import seat_text
from compiler.graph.words import PlainWords
from compiler.source import Span
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
    present,
)
from ruleengine.interpreter import Interpreter
from ruleengine.stops import Choice
from ruleengine.table import Table
from ruleengine.whynot import (
    Answer,
    Legal,
    NoSuchOption,
    NotDeclinable,
    NothingFits,
    NotInDomain,
    Reading,
    Refused,
    WrongCount,
)
from ruleengine.wording import Wording

_COMMA: Final = re.compile(r" ?, ?")
_INSIDE: Final = re.compile(r"(?<=[\[(]) | (?=[\])])")  # blanks next to a bracket, inside of it
_MOST_TRIED: Final = 64  # ways to take an answer in which names are shared by twins


@frozen
class Reason:
    """Whether an answer is legal, and what says so: a sentence, clauses, a place in the spec.

    `part` is what was typed and is no value of its slot, if that is why.
    """

    legal: bool
    words: str
    clauses: Clauses = ()
    span: Span | None = None
    part: str = ""

    def __str__(self) -> str:
        cited = f"  @{' @'.join(self.clauses)}" if self.clauses else ""
        return f"{self.words}{cited}"


@frozen
class _Unread:
    """A part of an answer that is no value of its slot."""

    text: str
    wanted: str


@define(eq=False)
class Answers:
    """Reads the answers of one graph."""

    interpreter: Interpreter
    wording: Wording

    def find(self, table: Table, choices: Sequence[Choice], text: str) -> Choice | None:
        """The legal answer that goes by these words, `None` if there is none."""
        wanted = plain(text)
        for words, choice in zip(self.wording.choices(table, choices), choices, strict=True):
            if plain(words) == wanted:
                return choice
        return None

    def why(self, table: Table, choices: Sequence[Choice], seat: int, text: str) -> Reason:
        """Whether a seat may answer so now, and if not, why."""
        found = self.find(table, choices, text)
        if found is not None:
            return self._legal(found)
        name, _, rest = plain(text).partition(" ")
        option = self._option(table, name)
        if option is None:
            return self._reason(table, seat, self.interpreter.why_not(table, name, (), seat))
        parts = _split(rest)
        meant: list[tuple[Value, ...]] = []
        for slot, part in zip(option.slots, parts, strict=False):
            values = self._read(table, seat, slot, part)
            if isinstance(values, _Unread):
                said = f"`{values.text}` is no {values.wanted}"
                return Reason(False, said, option.clauses, part=values.text)
            meant.append(values)
        if len(parts) > len(option.slots):
            return self._reason(table, seat, WrongCount(option, len(option.slots)))
        answers = (
            (self.interpreter.why_not(table, name, values, seat), values)
            for values in islice(product(*meant), _MOST_TRIED)
        )
        answer, values = max(answers, key=lambda tried: _nearness(tried[0]))
        taken = "this"
        if isinstance(answer, NotInDomain) and answer.slot < len(values):
            type_ = option.slots[answer.slot].local.type
            taken = f"`{self.wording.value(table, type_, values[answer.slot], seat)}`"
        return self._reason(table, seat, answer, choices, taken)

    def _option(self, table: Table, name: str) -> Option | None:
        step = self.interpreter.graph.nodes[table.node].step
        if not isinstance(step, Choose):
            raise ValueError("nobody is asked here")
        return next((option for option in step.options if option.name == name), None)

    # ---- reading values

    def _read(
        self, table: Table, seat: int, slot: OptionSlot, text: str
    ) -> tuple[Value, ...] | _Unread:
        """The values that a part of an answer may mean: several twins may bear one name."""
        bare = text
        if slot.preposition and text.startswith(f"{slot.preposition} "):
            bare = text.removeprefix(f"{slot.preposition} ")
        kind = present(slot.local.type)
        twins = (
            self._bearers(table, seat, kind.token_class, bare) if isinstance(kind, Token) else ()
        )
        if twins:
            return twins
        value = self._value(table, seat, slot.local.type, bare)
        return value if isinstance(value, _Unread) else (value,)

    def _value(self, table: Table, seat: int, type_: Type, text: str) -> Value | _Unread:
        named: dict[str, int]
        match type_:
            case Optional(some):
                return None if text == "none" else self._value(table, seat, some, text)
            case SetOf(inner) | ListOf(inner):
                return self._several(table, seat, inner, text)
            case Int():
                return int(text) if re.fullmatch(r"-?\d+", text) else _Unread(text, "number")
            case Bool():
                named = {"true": True, "false": False}
            case Enum(members=members, codes=codes):
                named = {code: at for at, code in enumerate(codes) if code is not None}
                named |= {member: at for at, member in enumerate(members)}
            case Player(seats):
                named = {seat_text(number): number for number in range(seats)}
            case Square() | PlaceOf():
                places = self.interpreter.graph.places
                named = {plain(place.label): place.index for place in places}
            case Token(token_class):
                found = self._bearers(table, seat, token_class, text)
                return found[0] if found else _Unread(text, str(type_))
            case Nothing():
                return None if text == "none" else _Unread(text, "value")
            case _:
                assert_never(type_)
        return named[text] if text in named else _Unread(text, str(type_))

    def _several(self, table: Table, seat: int, inner: Type, text: str) -> Value | _Unread:
        bare = text.removeprefix("[").removesuffix("]").strip()
        values: list[Value] = []
        taken: set[int] = set()
        for part in _split(bare) if bare not in ("", "empty") else ():
            if isinstance(present(inner), Token):
                value: Value | _Unread = self._another(table, seat, inner, part, taken)
            else:
                value = self._value(table, seat, inner, part)
            if isinstance(value, _Unread):
                return value
            values.append(value)
        return tuple(values)

    def _another(
        self, table: Table, seat: int, inner: Type, text: str, taken: set[int]
    ) -> int | _Unread:
        """A token of that name that has not been named yet: two twins are two tokens."""
        kind = present(inner)
        if isinstance(kind, Token):
            for token in self._bearers(table, seat, kind.token_class, text):
                if token not in taken:
                    taken.add(token)
                    return token
        return _Unread(text, str(inner))

    def _bearers(self, table: Table, seat: int, token_class: str, text: str) -> tuple[int, ...]:
        """The tokens that a seat calls so, in the order of where they lie."""
        statics = self.interpreter.statics
        tokens = statics.class_tokens[statics.class_index[token_class]]
        called = tuple(token for token in tokens if text in self._names(table, token, seat))
        return self.interpreter.references.in_order(table, called)

    def _names(self, table: Table, token: int, seat: int) -> tuple[str, str]:
        short = self.wording.token(table, token, seat)
        return plain(short), plain(self.wording.token(table, token, seat, at_length=True))

    # ---- reasons

    def _legal(self, choice: Choice) -> Reason:
        option = self.wording.option(choice)
        return Reason(True, "this is legal", () if option is None else option.clauses)

    def _reason(
        self,
        table: Table,
        seat: int,
        answer: Answer,
        choices: Sequence[Choice] = (),
        taken: str = "this",
    ) -> Reason:
        """What says so in words; `taken` is the value that no domain holds."""
        words = PlainWords(self.interpreter.graph)
        match answer:
            case Legal(index):
                return self._legal(choices[index]) if choices else Reason(True, "this is legal")
            case NoSuchOption(names):
                offered = ", ".join(f"`{name}`" for name in names)
                return Reason(False, f"the options here are {offered}")
            case WrongCount(option, slots):
                said = f"`{option.name}` stands alone" if not slots else ""
                return Reason(
                    False, said or f"`{option.name}` needs {slots} more words", option.clauses
                )
            case NothingFits(option, at, reading):
                slot = option.slots[at]
                found = self.wording.reading(table, reading, words.text(reading.term), seat)
                said = f"there is nothing for `{slot.preposition or slot.local.name}`: {found}"
                return Reason(False, said, option.clauses, option.span)
            case NotDeclinable():
                return Reason(False, "this decision must be answered")
            case NotInDomain(option, at, where, readings):
                domain = words.domain(answer.domain or option.slots[at].domain)
                if where is None:
                    said = f"{taken} is not among {domain}"
                else:
                    name = option.slots[at].local.name
                    said = f"{taken} cannot be `{name}`: it must hold that {words.text(where)}"
                said += self._because(table, seat, readings, words)
                return Reason(False, said, answer.clauses, option.span)
            case Refused(guard=guard, readings=readings):
                said = f"it must hold that {words.text(guard.holds)}"
                said += self._because(table, seat, readings, words)
                return Reason(False, said, answer.clauses, answer.span)
            case _:
                assert_never(answer)

    def _because(
        self, table: Table, seat: int, readings: tuple[Reading, ...], words: PlainWords
    ) -> str:
        """What a refusing line reads: ", but A's score is 3"."""
        told = (
            self.wording.reading(table, reading, words.text(reading.term), seat)
            for reading in readings
        )
        parts = tuple(dict.fromkeys(told))
        return f", but {', and '.join(parts)}" if parts else ""


def _nearness(answer: Answer) -> tuple[int, int, bool]:
    """How far an answer got before something refused it."""
    match answer:
        case Legal():
            return 3, 0, True
        case Refused():
            return 2, 0, True
        case NotInDomain(slot=at, where=where):
            return 1, at, where is not None
        case NothingFits(slot=at):
            return 1, at, False
        case _:
            return 0, 0, False


def plain(text: str) -> str:
    """Words with single spaces between them, behind a comma too: `grid[ 1,2]` is `grid[1, 2]`."""
    words = _INSIDE.sub("", " ".join(text.split()))
    return _COMMA.sub(", ", words).strip() if "," in words else words


def _split(text: str) -> list[str]:
    """Parts between commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "[(") - (character in "])")
        if character == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return [*parts, last] if last or parts else []
