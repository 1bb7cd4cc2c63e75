"""Two games side by side, played alike until they differ.

Both begin together, chance falls alike and every answer has the same rank, for as long as the same
is asked and the same lies on the table.  The first stop at which that is no longer so is where they
part: somebody else decides, other answers are legal, chance has other odds, something lies
elsewhere, somebody knows something else, or the games end otherwise.

A play is a row of numbers: an answer's rank at a decision, and at a chance stop a number below the
sum of the weights.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final, TypeAlias

from attrs import define, field, frozen

from compiler.graph.core import Shape
from compiler.graph.values import ValueWords, seat_text
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.match import Ending
from ruleengine.measure.shared import same_tokens, shared_variables
from ruleengine.rng import CHANCE, Stream, stream
from ruleengine.stops import (
    ChanceStop,
    Choice,
    Decision,
    JointDecision,
    Odds,
    Stop,
    Terminal,
    Throws,
)
from ruleengine.table import UNRESOLVED, Table
from ruleengine.tally import Row
from ruleengine.wording import result_words

Play: TypeAlias = tuple[int, ...]

Picking: TypeAlias = Callable[[Stop, int], int | None]
"""Which of so many numbers comes at a stop; `None` to break off."""

_NAMED: Final = 12  # answers, outcomes or cards that are listed
_WHOLE: Final = 4  # so many are listed on both sides, whatever they have in common


class What(Enum):
    """What is not the same; the value is how it is told."""

    FAULT = "a rule breaks down"
    WHO = "who decides"
    OPTIONS = "what may be answered"
    CHANCE = "the odds of chance"
    STATE = "what lies on the table"
    VALUE = "what is counted"
    KNOWLEDGE = "what somebody knows"
    RESULT = "how it ends"


@frozen
class Parting:
    """Where two games part: after which play, in what, and how it is in each.

    `about` names the place or variable, if it is one.
    """

    play: Play
    what: What
    about: str
    old: str
    new: str

    @property
    def matter(self) -> str:
        """What is not the same, in a few words."""
        match self.what:
            case What.STATE:
                return f"what lies in {self.about}"
            case What.VALUE:
                return f"what {self.about} is"
            case What.KNOWLEDGE:
                return f"what somebody knows of {self.about}"
            case _:
                return str(self.what.value)


@define(eq=False)
class Side:
    """One of the two games: its table, and where it stands."""

    game: Instance
    table: Table = field(init=False)
    stop: Stop | None = field(default=None, init=False)
    fault: str = field(default="", init=False)
    decisions: int = field(default=0, init=False)
    draws: int = field(default=0, init=False)

    def begin(self) -> None:
        """Goes to the first stop."""
        self.fault = ""
        self.decisions = self.draws = 0
        self.table = self.game.interpreter.start()
        self._advance()

    def go(self, number: int) -> None:
        """Answers the stop and goes to the next."""
        machine, seen = self.game.interpreter, self.game.knowledge
        try:
            match self.stop:
                case ChanceStop(outcomes=odds):
                    self.draws += 1
                    machine.draw(self.table, odds.drawn(number), seen)
                case Decision() | JointDecision():
                    self.decisions += 1
                    machine.choose(self.table, asked(self.stop)[number], seen)
                case _:
                    return
        except RuleError as error:
            self._broken(error)
            return
        self._advance()

    def kept(self) -> "Kept":
        """The side as it stands, to come back to."""
        return Kept(self.table.copy(), self.stop, self.fault)

    def back_to(self, kept: "Kept") -> None:
        """Stands again as it stood; how many moves were made is not known then."""
        self.table, self.stop, self.fault = kept.table.copy(), kept.stop, kept.fault

    @property
    def packed(self) -> bytes:
        """The situation as bytes, with who knows what."""
        return self.game.packing.pack(self.table)

    def to_the_end(self, picking: "Drawing", number: int, first: int, limit: int) -> Row:
        """Goes on alone; the row of game number `number`, which began after `first` steps of the
        machine and is given up after step `limit` of it."""
        machine = self.game.interpreter
        while self.stop is not None and not isinstance(self.stop, Terminal):
            if machine.taken > limit:
                return self._row(number, machine.taken - first, Ending.NODE_LIMIT)
            self.go(picking(self.stop, width(self.stop)))
        ending = Ending.RULE_ERROR if self.stop is None else Ending.FINISHED
        return self._row(number, machine.taken - first, ending)

    def _row(self, number: int, nodes: int, ending: Ending) -> Row:
        result = self.stop.result if isinstance(self.stop, Terminal) else None
        return Row(
            number,
            ending,
            self.decisions,
            self.draws,
            nodes,
            () if result is None else result.winners,
            result is not None and result.draw,
            None if result is None else result.scores,
            self.fault or None,
        )

    def _advance(self) -> None:
        try:
            self.stop = self.game.interpreter.advance(self.table, self.game.knowledge)
        except RuleError as error:
            self._broken(error)

    def _broken(self, error: RuleError) -> None:
        self.stop, self.fault = None, str(error)


@frozen
class Kept:
    """How a side stood."""

    table: Table
    stop: Stop | None
    fault: str


def asked(stop: Stop) -> tuple[Choice, ...]:
    """The choices of the seat that a decision asks first."""
    match stop:
        case Decision(choices=choices):
            return choices
        case JointDecision(choices=by_seat):
            return by_seat[0]
        case _:
            return ()


def width(stop: Stop | None) -> int:
    """How many numbers there are at a stop; 0 at the end."""
    if isinstance(stop, ChanceStop):
        return stop.outcomes.total
    return 0 if stop is None else len(asked(stop))


@define(eq=False)
class Lockstep:
    """Two games that can be played alike.

    Where both have the same cards, pieces and places, tokens are compared one by one, else by what
    they are called.
    """

    old: Side
    new: Side
    same_tokens: bool
    _slots: tuple[tuple[int, int, int], ...]  # where in each, and how many

    @classmethod
    def of(cls, old: Instance, new: Instance) -> "Lockstep":
        """That of two games; what only one of them has is not compared."""
        return cls(Side(old), Side(new), same_tokens(old, new), _slots(old, new))

    def play(self, picking: Picking, limit: int) -> Parting | None:
        """Plays until the games part; `None` if they do not within so many stops."""
        self.old.begin()
        self.new.begin()
        play: list[int] = []
        for _ in range(limit):
            parting = self.compare(tuple(play))
            if parting is not None:
                return parting
            stop = self.old.stop
            many = width(stop)
            number = None if stop is None or not many else picking(stop, many)
            if number is None:
                return None
            play.append(number)
            self.old.go(number)
            self.new.go(number)
        return None

    # ---- comparing

    def compare(self, play: Play) -> Parting | None:
        """What differs where both stand now."""
        old, new = self.old, self.new
        if old.stop is None or new.stop is None:
            if old.fault == new.fault:
                return None
            return Parting(play, What.FAULT, "", old.fault or "goes on", new.fault or "goes on")
        found = (
            self._who(old.stop, new.stop)
            or self._choices(old.stop, new.stop)
            or self._chance(old.stop, new.stop)
            or self._result(old.stop, new.stop)
            or self._tokens()
            or self._values()
            or self._knowledge()
        )
        return None if found is None else Parting(play, *found)

    def _who(self, old: Stop, new: Stop) -> "_Found | None":
        one, other = _decider(old), _decider(new)
        return None if one == other else (What.WHO, "", one, other)

    def _choices(self, old: Stop, new: Stop) -> "_Found | None":
        ones, others = asked(old), asked(new)
        if not ones and not others:
            return None
        if self.same_tokens and _signs(self.old.game, ones) == _signs(self.new.game, others):
            return None
        words = self.old.game.wording.choices(self.old.table, ones)
        others_words = self.new.game.wording.choices(self.new.table, others)
        if words == others_words:
            return None
        return What.OPTIONS, "", *_apart(words, others_words)

    def _chance(self, old: Stop, new: Stop) -> "_Found | None":
        if not isinstance(old, ChanceStop) or not isinstance(new, ChanceStop):
            return None
        one, other = _odds(old.outcomes), _odds(new.outcomes)
        return None if one == other else (What.CHANCE, "", *_apart(one, other))

    def _result(self, old: Stop, new: Stop) -> "_Found | None":
        if not isinstance(old, Terminal) or not isinstance(new, Terminal):
            return None
        if old.result == new.result:
            return None
        return What.RESULT, "", result_words(old.result), result_words(new.result)

    def _tokens(self) -> "_Found | None":
        one, other = self.old.table, self.new.table
        if self.same_tokens and _raw(one) == _raw(other):
            return None
        theirs = {place.label: place.index for place in self.new.game.graph.places}
        for place in self.old.game.graph.places:
            there = theirs.get(place.label)
            if there is None:
                continue
            before = _lying(self.old.game, one, place.index)
            after = _lying(self.new.game, other, there)
            if before != after:
                return What.STATE, place.label, *_apart(before, after)
        return None

    def _values(self) -> "_Found | None":
        old, new = self.old.table.values, self.new.table.values
        for one, other, size in self._slots:
            before, after = old[one : one + size], new[other : other + size]
            if before == after:
                continue
            at = next(i for i in range(size) if before[i] != after[i])
            name = self.old.game.hearing.words.slot(one + at)
            told = _variable(self.old, one + at), _variable(self.new, other + at)
            return What.VALUE, name, *told
        return None

    def _knowledge(self) -> "_Found | None":
        if not self.same_tokens:
            return None
        one, other = self.old.table, self.new.table
        for place in self.old.game.graph.places:
            for token in one.cells[place.index]:
                before, after = one.knows[token], other.knows[token]
                if before != after:
                    seats = self.old.game.seats
                    return (
                        What.KNOWLEDGE,
                        place.label,
                        _knowing(before, seats),
                        _knowing(after, seats),
                    )
        return None


_Found: TypeAlias = tuple[What, str, str, str]


# ---- what is compared


def _slots(old: Instance, new: Instance) -> tuple[tuple[int, int, int], ...]:
    """Where the shared variables lie in each, and how many slots they have."""
    statics = old.interpreter.statics, new.interpreter.statics
    return tuple(
        (statics[0].offset(one), statics[1].offset(other), one.size)
        for one, other in shared_variables(old.graph, new.graph)
    )


def _decider(stop: Stop) -> str:
    match stop:
        case Decision(seat=seat):
            return f"{seat_text(seat)} decides"
        case JointDecision(seats=seats):
            return f"{', '.join(map(seat_text, seats))} decide together"
        case ChanceStop():
            return "chance decides"
        case _:
            return "the game is over"


def _signs(game: Instance, choices: Sequence[Choice]) -> list[tuple[str, object]]:
    """What makes each answer what it is, quickly."""
    option = game.wording.option
    return [
        ("" if (taken := option(choice)) is None else taken.name, choice.values)
        for choice in choices
    ]


def _odds(odds: Odds) -> list[str]:
    if isinstance(odds, Throws):
        return [
            f"{label} ({weight} of {sum(die.weights)})"
            for die in odds.dice
            for label, weight in zip(die.labels, die.weights, strict=True)
        ]
    return [f"{outcome.label} ({outcome.weight} of {odds.total})" for outcome in odds]


def _raw(table: Table) -> tuple[object, ...]:
    return table.cells, table.kind, table.face, table.flags, table.pools


def _lying(game: Instance, table: Table, place: int) -> list[str]:
    """The tokens of a place in words, sorted where they have no order."""
    words = [_token(game, table, token) for token in table.cells[place]]
    return sorted(words) if game.graph.places[place].shape is Shape.SET else words


def _token(game: Instance, table: Table, token: int) -> str:
    """A token as somebody who sees everything calls it."""
    statics, words = game.interpreter.statics, game.hearing.words
    known = table.kind[token] != UNRESOLVED
    sort = statics.sort(table, token) if known else None
    face = (
        ""
        if table.face[token] or not game.graph.classes[statics.token_class[token]].is_card
        else " face down"
    )
    flags = words.flags(statics.open_flags(table, token))
    return f"{words.sort(statics.token_class[token], sort)}{face}{flags}"


def _variable(side: Side, slot: int) -> str:
    """What a variable holds."""
    game, table = side.game, side.table
    words = game.hearing.words
    said = ValueWords(game.graph, lambda token: _token(game, table, token))
    return said.text(table.values[slot], words.type(slot))


def _knowing(mask: int, seats: int) -> str:
    names = [seat_text(seat) for seat in range(seats) if mask >> seat & 1]
    return f"known to {', '.join(names)}" if names else "known to nobody"


def _apart(ones: Sequence[str], others: Sequence[str]) -> tuple[str, str]:
    """Two lists in words: all of both where they are short, else what the other has not."""
    if max(len(ones), len(others)) <= _WHOLE:
        return _listed(ones), _listed(others)
    only, other = Counter(ones) - Counter(others), Counter(others) - Counter(ones)
    if not only and not other:
        return "these, in another order", "these, in another order"
    if only.total() == len(ones):
        return _counted(only), _counted(other)
    return _besides(only), _besides(other)


def _besides(words: Counter[str]) -> str:
    """What one list has and the other has not, where both have something in common."""
    return f"also {_counted(words)}" if words else "only what both have"


def _counted(words: Counter[str]) -> str:
    return _listed([word if times == 1 else f"{times} of {word}" for word, times in words.items()])


def _listed(words: Sequence[str]) -> str:
    if not words:
        return "nothing"
    more = f" and {len(words) - _NAMED} more" if len(words) > _NAMED else ""
    between = "; " if any("," in word for word in words) else ", "
    return between.join(words[:_NAMED]) + more


# ---- who picks


@define(eq=False)
class Drawing:
    """Picks as game number `number` of a random run does, as long as both sides go alike."""

    chance: Stream
    seats: tuple[Stream, ...]

    @classmethod
    def of(cls, game: Instance, seed: int, number: int) -> "Drawing":
        """That of a game of a run."""
        streams = tuple(stream(seed, number, seat) for seat in range(game.seats))
        return cls(stream(seed, number, CHANCE), streams)

    def __call__(self, stop: Stop, many: int) -> int:
        """The number that comes."""
        if isinstance(stop, ChanceStop):
            return self.chance.below(many)
        return self.seats[asked(stop)[0].seat].below(many)


@define(eq=False)
class Following:
    """Picks the numbers of a play, brought into range, and 0 behind its end up to `length`."""

    play: Play
    length: int
    used: list[int] = field(factory=list)

    def __call__(self, _stop: Stop, many: int) -> int | None:
        """The number that comes."""
        at = len(self.used)
        if at >= self.length:
            return None
        number = self.play[at] % many if at < len(self.play) else 0
        self.used.append(number)
        return number


@define(eq=False)
class Drawn:
    """Picks numbers that were drawn on a machine, and 0 behind their end.

    Where there is one way, nothing is drawn.
    """

    numbers: Play
    _at: int = field(default=0, init=False)

    def __call__(self, _stop: Stop, many: int) -> int:
        """The number that comes."""
        if many == 1:
            return 0
        self._at += 1
        return self.numbers[self._at - 1] % many if self._at <= len(self.numbers) else 0
