"""What players call the answers of a decision and the results of chance.

An answer is written as in a scenario: `attack with KH, on B`.  A token is called by its face if
the chooser sees it, else by where it lies (`drawn[1]`), so that no word tells more than he knows.
Within one list all words differ, which makes them names: a record keeps them and reads them back.
"""

from collections import Counter
from collections.abc import Sequence

from attrs import define

from compiler.graph.core import Choose, Contents, Option, Read, Shape, Value
from compiler.graph.naming import PlainValues
from compiler.graph.values import ValueWords, seat_text
from compiler.types import Type
from ruleengine.knowledge.words import Words
from ruleengine.sight import Sight
from ruleengine.statics import Statics
from ruleengine.stops import Choice, Die, Odds, Outcome, Result, Throws
from ruleengine.table import UNRESOLVED, Table
from ruleengine.whynot import Reading

DECLINE = "decline"


@define(eq=False)
class Wording:
    """Names the answers and outcomes of one graph."""

    statics: Statics
    sight: Sight
    words: Words

    # ---- answers

    def choices(self, table: Table, choices: Sequence[Choice]) -> tuple[str, ...]:
        """What the answers of one list are called, each by words of its own."""
        found = [self.choice(table, choice) for choice in choices]
        if _differ(found):
            return tuple(found)
        repeated = Counter(found)
        found = [
            words if repeated[words] == 1 else self.choice(table, choice, at_length=True)
            for words, choice in zip(found, choices, strict=True)
        ]
        return _numbered(found)

    def choice(self, table: Table, choice: Choice, at_length: bool = False) -> str:
        """An answer in words; `at_length` says of every token where it lies."""
        option = self.option(choice)
        if option is None:
            return DECLINE
        parts = []
        for slot, value in zip(option.slots, choice.values, strict=True):
            words = self.value(table, slot.local.type, value, choice.seat, at_length)
            parts.append(f"{slot.preposition} {words}" if slot.preposition else words)
        return f"{option.name} {', '.join(parts)}" if parts else option.name

    def option(self, choice: Choice) -> Option | None:
        """The option that an answer takes; `None` declines."""
        step = self.statics.graph.nodes[choice.node].step
        if choice.option is None or not isinstance(step, Choose):
            return None
        return step.options[choice.option]

    # ---- values

    def value(
        self, table: Table, type_: Type, value: Value, seat: int, at_length: bool = False
    ) -> str:
        """A value of a type as a seat knows it."""

        def name(token: int) -> str:
            return self.token(table, token, seat, at_length)

        return ValueWords(self.statics.graph, name).text(value, type_)

    def told(self, table: Table, type_: Type, value: Value, seat: int) -> str:
        """A value as a seat knows it, in a sentence: "A and C"."""

        def name(token: int) -> str:
            return self.token(table, token, seat)

        return PlainValues(self.statics.graph, name).text(value, type_)

    def reading(self, table: Table, reading: Reading, said: str, seat: int) -> str:
        """What a term comes to, as a seat knows it: "A's score is 3", "trick holds KH and 9C".

        `said` is the term in words.
        """
        value, type_ = reading.value, reading.term.type
        match reading.term:
            case Read(Contents()) if isinstance(value, tuple):
                seen = tuple(token for token in value if self._is_seen(table, token, seat))
                told = [self.told(table, type_, seen, seat)] if seen else []
                if hidden := len(value) - len(seen):
                    told.append(f"{hidden} face down")
                return f"{said} holds {' and '.join(told)}" if told else f"{said} is empty"
            case _:
                return f"{said} is {self.told(table, type_, value, seat)}"

    def _is_seen(self, table: Table, token: Value, seat: int) -> bool:
        return (
            isinstance(token, int)
            and table.kind[token] != UNRESOLVED
            and bool(self.sight.sees(table, token) >> seat & 1)
        )

    def token(self, table: Table, token: int, seat: int, at_length: bool = False) -> str:
        """A token as a seat knows it: its face, or where it lies."""
        place = table.place[token]
        shape = self.statics.graph.places[place].shape
        label = self.words.place(place)
        in_row = shape in (Shape.LIST, Shape.PILE)
        spot = f"{label}[{table.cells[place].index(token) + 1}]" if in_row else label
        if not self._is_seen(table, token, seat):
            return spot if shape is not Shape.SET else f"one of {label}"
        face = self.words.sort(self.statics.token_class[token], self.statics.sort(table, token))
        if not at_length:
            return face
        flags = self.words.flags(self.statics.open_flags(table, token))
        return f"{face}{flags} at {spot}"

    # ---- chance

    def outcomes(self, odds: Odds) -> tuple[str, ...]:
        """What the outcomes of one stop are called, each by words of its own."""
        return _numbered([outcome.label for outcome in odds])

    def outcome(self, odds: Odds, outcome: Outcome) -> str:
        """What one outcome of a stop is called."""
        if isinstance(odds, Throws):
            return outcome.label
        return self.outcomes(odds)[odds.index(outcome)]

    def find_outcome(self, odds: Odds, said: str) -> Outcome | None:
        """The outcome that goes by these words, `None` if there is none."""
        wanted = " ".join(said.split())
        if isinstance(odds, Throws):
            return _thrown(odds, wanted)
        words = self.outcomes(odds)
        return odds[words.index(wanted)] if wanted in words else None


def _thrown(odds: Throws, said: str) -> Outcome | None:
    """The throw of these faces; it is not looked for among all throws, which are many."""
    faces = _faces(odds.dice, said)
    if faces is None:
        return None
    rank = 0
    for die, face in zip(odds.dice, faces, strict=True):
        rank = rank * len(die.faces) + face
    return odds[rank]


def _faces(dice: Sequence[Die], said: str) -> tuple[int, ...] | None:
    """The face of each die in words with commas between them; a face may have commas too."""
    for face, label in enumerate(dice[0].labels):
        if len(dice) == 1 and label == said:
            return (face,)
        if len(dice) > 1 and said.startswith(f"{label}, "):
            rest = _faces(dice[1:], said.removeprefix(f"{label}, "))
            if rest is not None:
                return (face, *rest)
    return None


def result_words(result: Result | None) -> str:
    """How a game ended: `A wins, 12 to 9`, `a draw`, `A and C win`."""
    if result is None:
        return "no result"
    scores = "" if result.scores is None else f" ({' : '.join(map(str, result.scores))})"
    if result.draw:
        return f"a draw{scores}"
    names = [seat_text(seat) for seat in result.winners]
    if len(names) < 2:
        return f"{names[0] if names else 'nobody'} wins{scores}"
    return f"{', '.join(names[:-1])} and {names[-1]} win{scores}"


def _differ(words: Sequence[str]) -> bool:
    return len(set(words)) == len(words)


def _numbered(words: Sequence[str]) -> tuple[str, ...]:
    """The same words, equal ones counted: `KH`, `KH #2`."""
    if _differ(words):
        return tuple(words)
    met: Counter[str] = Counter()
    found = []
    for word in words:
        met[word] += 1
        found.append(word if met[word] == 1 else f"{word} #{met[word]}")
    return tuple(found)
