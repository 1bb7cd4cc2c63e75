"""A game turned round the table: where the rules let anybody begin, seats differ only by name.

A rulebook says so with a `given` that is a player (who deals, who is youngest) for each seat alike.
Two games are played side by side, one in which it is a seat, one in which it is the seat to its
left: whatever one seat is asked, offered and wins, the one to its left is asked, offered and wins
in the other.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import define, field

from compiler.config import Configuration
from compiler.graph.core import Shape, Value
from compiler.graph.values import seat_text
from compiler.pipeline import Compiled, Spec
from compiler.types import Player
from ruleengine.configurations import usual
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.properties.laws import Broken, Finding, Law
from ruleengine.rng import CHANCE, Stream, stream
from ruleengine.stops import (
    ChanceStop,
    Choice,
    Decision,
    JointDecision,
    Outcome,
    Result,
    Stop,
    Terminal,
)
from ruleengine.table import UNRESOLVED, Table
from ruleengine.trail import moves

_PLAYS: Final = 3
_STOPS: Final = 150  # of one play
_SEAT: Final = re.compile(r"\b[A-Z]\b")
_WORD: Final = re.compile(r"\w+")
_PLAYER: Final = "player"

_LIST: Final = re.compile(r"\[([^\]]*)\]")

_Offer: TypeAlias = tuple[int, str, Choice | Outcome]
"""Whom something is offered (-1: chance), in which words, and the move."""

_Where: TypeAlias = tuple[str, int]
"""The words of a place, and a cell of it."""


def turned(spec: Spec, seed: int) -> Finding | str:
    """A play that comes out otherwise round the table; else what was looked at, in words."""
    begun = _Pair.of(spec)
    if begun is None:
        return "no given says that anybody may be the one"
    if any(place.square is not None for place in begun.here.graph.places):
        return "squares of a board do not turn with the seats: nothing was compared"
    found: Finding | None = None
    for number in range(_PLAYS):
        one = begun.differing(stream(seed, number, CHANCE))
        if one is not None and (found is None or len(one.ranks) < len(found.ranks)):
            found = one
    return found or f"in {_PLAYS} plays beside plays one seat on, `{begun.name}` set"


@define(eq=False)
class _Pair:
    """A game, and the same with one given fact one seat on.

    Hidden cards get their kinds in the order of their places, which another seat's place may come
    before: the kind that one side gives a card waits until the other side asks for it.
    """

    name: str
    here: Instance
    there: Instance
    _own: Mapping[str, str]  # words of kinds that belong to a seat: that of the next seat
    _waiting: tuple[dict[_Where, list[Value]], dict[_Where, list[Value]]] = field(init=False)
    _first: Table = field(init=False)  # of the side that goes first

    @classmethod
    def of(cls, spec: Spec) -> "_Pair | None":
        """That of the first given that is a player; with as few players as can be, but three if
        they may be, since of two each is the other."""
        known = list(usual(spec))
        first = next((one for one in known if one.players == 3), known[0])
        plain = spec.instantiate(first)
        if not isinstance(plain, Compiled):
            return None
        for given in spec.givens:
            if given.per is None and given.type.span.text == _PLAYER:
                name = given.name.text
                games = [
                    spec.instantiate(Configuration(first.players, {name: seat_text(seat)}))
                    for seat in (0, 1)
                ]
                here, there = (Instance.of(g) for g in games if isinstance(g, Compiled))
                return cls(name, here, there, dict(_own_kinds(here)))
        return None

    def differing(self, draw: Stream) -> Finding | None:
        """What differs first in one play, if anything does."""
        ranks: list[int] = []
        self._waiting = {}, {}
        one, other = self.here.interpreter.start(), self.there.interpreter.start()
        self._first = one
        try:
            for _ in range(_STOPS):
                stop = self._stop(0, one, draw, ranks)
                twin = self._stop(1, other, draw, [])
                pairs, twins = self._pairs(one, stop), self._pairs(other, twin)
                seen = [(self._on(who), self._turned(words)) for who, words, _ in pairs]
                if not _alike(seen, [pair[:2] for pair in twins]):
                    return self._found(ranks, seen, twins)
                if isinstance(stop, Terminal):
                    return None
                at = draw.below(len(pairs))
                move, image = pairs[at][2], _image(seen[at], twins)
                offered = moves(stop)
                ranks.append(offered.index(move) if move in offered else 0)
                _make(self.here, one, move)
                _make(self.there, other, image)
        except RuleError:
            pass  # that is for other laws
        return None

    def _stop(self, side: int, table: Table, draw: Stream, ranks: list[int]) -> Stop:
        """The next stop of one side that no hidden card makes."""
        machine = (self.here, self.there)[side].interpreter
        while True:
            stop = machine.advance(table)
            if not isinstance(stop, ChanceStop) or stop.outcomes[0].settles is None:
                return stop
            where = self._where(side, table, stop.outcomes[0].settles)
            waiting = self._waiting[side].get(where)
            if waiting:
                kind = waiting.pop(0)
                outcome = next((one for one in stop.outcomes if one.value == kind), None)
                outcome = outcome or stop.outcomes[0]
            else:
                number = draw.below(stop.outcomes.total)
                outcome = self._mirrored(side, table, stop) or stop.outcomes.drawn(number)
                self._waiting[1 - side].setdefault(where, []).append(outcome.value)
            ranks.append(stop.outcomes.index(outcome))
            machine.draw(table, outcome)

    def _mirrored(self, side: int, table: Table, stop: ChanceStop) -> Outcome | None:
        """The kind that a card has on the other side, where it was the last that was left."""
        token = stop.outcomes[0].settles
        if side == 0 or token is None:
            return None
        place = table.place[token]
        words = self.there.hearing.words.place(place)
        places = range(len(self._first.cells))
        twin = next(p for p in places if self._turned(self.here.hearing.words.place(p)) == words)
        mine, theirs = table.cells[place], self._first.cells[twin]
        if self.there.graph.places[place].shape is Shape.SET:
            left = _kinds(self.here, self._first, theirs) - _kinds(self.there, table, mine)
        else:
            at = mine.index(token)
            left = _kinds(self.here, self._first, theirs[at : at + 1])
        return next((one for one in stop.outcomes if left[one.value]), None)

    def _where(self, side: int, table: Table, token: int) -> _Where:
        """Where a card lies, as the second side calls it; in a set all are alike."""
        game, place = (self.here, self.there)[side], table.place[token]
        words = game.hearing.words.place(place)
        in_set = game.graph.places[place].shape is Shape.SET
        at = 0 if in_set else table.cells[place].index(token)
        return self._turned(words) if side == 0 else words, at

    def _pairs(self, table: Table, stop: Stop) -> list[_Offer]:
        """Whom a stop asks, what it offers him, and the move; chance asks nobody."""
        wording = self.here.wording
        match stop:
            case ChanceStop(outcomes=odds):
                words = wording.outcomes(odds)
                return [
                    (-1, f"{said} ({outcome.weight} of {odds.total})", outcome)
                    for said, outcome in zip(words, odds, strict=True)
                ]
            case Decision(seat=seat, choices=choices):
                return self._offered(table, seat, choices)
            case JointDecision(seats=seats):
                return [
                    pair for seat in seats for pair in self._offered(table, seat, stop.of(seat))
                ]
            case Terminal(result=result):
                nothing = Outcome("", 0, 1, 0)
                return [(who, words, nothing) for who, words in _won(result, self.here.seats)]

    def _offered(self, table: Table, seat: int, choices: Sequence[Choice]) -> list[_Offer]:
        words = self.here.wording.choices(table, choices)
        return [(seat, said, choice) for said, choice in zip(words, choices, strict=True)]

    def _on(self, seat: int) -> int:
        return seat if seat < 0 else (seat + 1) % self.here.seats

    def _turned(self, words: str) -> str:
        """The same words, every seat in them one on."""

        def on(found: re.Match[str]) -> str:
            seat = ord(found[0]) - ord("A")
            return seat_text(self._on(seat)) if seat < self.here.seats else found[0]

        return _WORD.sub(lambda found: self._own.get(found[0], found[0]), _SEAT.sub(on, words))

    def _found(
        self,
        ranks: list[int],
        wanted: list[tuple[int, str]],
        got: list[_Offer],
    ) -> Finding:
        there = [(who, words) for who, words, _ in got]
        message = (
            f"with `{self.name}` one seat on, this is lost: {_told(wanted, there)}; "
            f"and this is new: {_told(there, wanted)}"
        )
        broken = Broken(Law.SEATS, Law.SEATS.value, message)
        return Finding.of(broken, self.here.configuration, tuple(ranks))


def _alike(these: Sequence[tuple[int, str]], others: Sequence[tuple[int, str]]) -> bool:
    """Whether the same is offered; cards of several seats are listed in the order of the seats."""
    if Counter(these) == Counter(others):
        return True
    return Counter(map(_unordered, these)) == Counter(map(_unordered, others))


def _image(wanted: tuple[int, str], offered: Sequence[_Offer]) -> Choice | Outcome:
    """The move that is said in the same words, or in words of another order."""
    exact = [move for who, words, move in offered if (who, words) == wanted]
    alike = (move for who, words, move in offered if _unordered((who, words)) == _unordered(wanted))
    return exact[0] if exact else next(alike)


def _unordered(pair: tuple[int, str]) -> tuple[int, str]:
    who, words = pair
    return who, _LIST.sub(lambda found: ", ".join(sorted(found[1].split(", "))), words)


def _own_kinds(game: Instance) -> Iterator[tuple[str, str]]:
    """The words of kinds that belong to a seat, each with that of the next seat's."""
    for class_ in game.graph.classes:
        seats = [at for at, one in enumerate(class_.attributes) if isinstance(one.type, Player)]
        words = {kind.values: kind.word for kind in class_.kinds}
        for values, word in words.items() if seats else ():
            on = [
                (value + 1) % game.seats if at in seats and isinstance(value, int) else value
                for at, value in enumerate(values)
            ]
            if tuple(on) in words:
                yield word, words[tuple(on)]


def _kinds(game: Instance, table: Table, tokens: Sequence[int]) -> Counter[Value]:
    """The kinds of some cards that have one."""
    statics = game.interpreter.statics
    return Counter(statics.sort(table, t) for t in tokens if table.kind[t] != UNRESOLVED)


def _make(game: Instance, table: Table, move: Choice | Outcome) -> None:
    if isinstance(move, Outcome):
        game.interpreter.draw(table, move)
    else:
        game.interpreter.choose(table, move)


def _won(result: Result | None, seats: int) -> list[tuple[int, str]]:
    """What each seat gets at the end."""
    if result is None:
        return []
    scores = [f", {score} points" for score in result.scores or ()] or [""] * seats
    return [
        (seat, f"{'wins' if seat in result.winners else 'does not win'}{scores[seat]}")
        for seat in range(seats)
    ]


def _told(these: list[tuple[int, str]], others: list[tuple[int, str]]) -> str:
    """The first of these that is not among others."""
    for who, words in these:
        if (who, words) not in others:
            asked = "chance" if who < 0 else seat_text(who)
            return f"{asked}: `{words}`"
    return "nothing"
