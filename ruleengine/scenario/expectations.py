"""What a scenario expects: answers offered and refused, odds, places, what seats can tell, ends."""

from typing import Final, assert_never

from attrs import define

from compiler.graph.core import Shape, Term, Value
from compiler.graph.notation import term_text
from compiler.graph.values import ValueWords, seat_text
from compiler.lower.script import (
    Answered,
    ChanceEvent,
    ChanceOdds,
    Expect,
    Expected,
    Holding,
    Holds,
    Items,
    Next,
    Offered,
    OnlyOptions,
    PlaceSpot,
    Ranking,
    Refused,
    Said,
    Scores,
    Sees,
    Spot,
    ValueSpot,
    Winners,
)
from compiler.source import Span
from ruleengine.scenario.course import Course, asked
from ruleengine.scenario.errors import Broken
from ruleengine.scenario.forcing import Forcing
from ruleengine.scenario.position import Setting
from ruleengine.scenario.tokens import Words
from ruleengine.stops import ChanceStop, Choice, Outcome, Result, Terminal
from ruleengine.table import Table

_TOLD: Final = 12  # answers or cards that a message lists


@define(eq=False)
class Expectations:
    """Compares the course of a scenario with what it expects; `Broken` if they differ."""

    course: Course
    words: Words
    forcing: Forcing

    def check(self, line: Expect) -> None:
        """Looks whether a line holds."""
        self.course.forced.clear()
        self.course.still = line.now
        try:
            self._check(line.expected, line)
        except Broken as broken:
            told = self.course.told()
            if not told:
                raise
            hint = f"{broken.hint}; " if broken.hint else ""
            before = "to look before that, write `expect now …`"
            raise Broken(broken.message, broken.span, f"{hint}{told}; {before}") from broken
        finally:
            self.course.still = False

    def _check(self, expected: Expected, line: Expect) -> None:
        answers, span = self.course.answers, line.span
        match expected:
            case OnlyOptions(only):
                self._only(only, span)
            case Offered(answer):
                choices = self.course.asking(answer)
                if not answers.found(self.course.table, choices, answer):
                    why = answers.refused_by(self.course.table, choices, answer)
                    raise Broken(f"this is not offered{why}", answer.span, self._offers(choices))
            case Refused(answer):
                choices = self.course.asking(answer)
                answers.refused(self.course.table, choices, answer, line.clauses)
            case ChanceOdds() | ChanceEvent():
                self._odds(expected, span)
            case Holding(term):
                self._holding(term, span)
            case Holds(spots, items):
                table, _ = self.course.past_forced()
                for spot in spots:
                    self._there(table, spot, items, span)
            case Sees(seat, spot, items):
                if isinstance(spot, PlaceSpot):
                    self._seen(seat, spot.place, items, span)
                else:
                    self._seen_value(seat, spot, items, span)
            case Next(seats):
                _, stop = self.course.past_forced()
                if asked(stop) != tuple(seats):
                    raise Broken(f"next, {self.course.say(stop)}", span)
            case Winners() | Scores() | Ranking():
                self._ended(expected, span)
            case _:
                assert_never(expected)

    # ---- options

    def _only(self, answers: tuple[Answered, ...], span: Span) -> None:
        course = self.course
        choices = course.asking(*answers)
        left = list(choices)
        for answer in answers:
            found = course.answers.found(course.table, tuple(left), answer)
            if not found:
                raise Broken("this is not offered", answer.span, self._offers(choices))
            left = [choice for choice in left if choice not in found]
        if left:
            more = course.answers.listed(course.table, choices, tuple(left), _TOLD)
            raise Broken("there are more options", span, f"also offered: {more}")

    def _offers(self, choices: tuple[Choice, ...]) -> str:
        course = self.course
        if not choices:
            return f"here, {course.say(course.arrive())}"
        return "offered: " + course.answers.listed(course.table, choices, choices, _TOLD)

    # ---- odds

    def _odds(self, expected: ChanceOdds | ChanceEvent, span: Span) -> None:
        stop = self.course.arrive()
        if not isinstance(stop, ChanceStop):
            raise Broken(f"no chance here: {self.course.say(stop)}", span)
        if isinstance(expected, ChanceEvent):
            fits = [o for o in stop.outcomes if self._makes(o, expected.term)]
        else:
            fits = [o for o in stop.outcomes if self.forcing.is_said(o, expected.said)]
        total = stop.outcomes.total
        weight = sum(outcome.weight for outcome in fits)
        if weight * expected.total != expected.weight * total:
            raise Broken(f"the odds are {weight} of {total}", span)

    def _makes(self, outcome: Outcome, term: Term) -> bool:
        """Whether a term is true once chance has decided so, before anything follows from it."""
        table = self.course.table.copy()
        self.course.interpreter.draw(table, outcome)
        return bool(self.words.value(table, term))

    # ---- what lies where

    def _holding(self, term: Term, span: Span) -> None:
        table, _ = self.course.past_forced()
        if not self.words.value(table, term):
            raise Broken("this does not hold", span, self.words.reading(table, term))

    def _there(self, table: Table, spot: Spot, items: Items, span: Span) -> None:
        if isinstance(spot, PlaceSpot):
            if not self.words.holds(table, spot.place, items):
                label = self.words.graph.places[spot.place].label
                raise Broken(f"{label} holds {self.words.contents(table, spot.place)}", span)
            return
        value = self._value(table, spot)
        if value != Setting(self.course.interpreter, self.words, table).value_of(spot, items, span):
            text = ValueWords(self.words.graph).text(value, spot.variable.type)
            raise Broken(f"{self._named(spot)} is {text}", span)

    def _named(self, spot: ValueSpot) -> str:
        """A variable as it was written: `points[B]`."""
        keys = ", ".join(term_text(key, self.words.graph) for key in spot.keys)
        return f"{spot.variable.name}[{keys}]" if keys else spot.variable.name

    def _value(self, table: Table, spot: ValueSpot) -> Value:
        slot = self._slot(table, spot)
        return None if slot is None else table.values[slot]

    def _slot(self, table: Table, spot: ValueSpot) -> int | None:
        keys = tuple(self.words.value(table, key) for key in spot.keys)
        return self.course.interpreter.statics.slots[spot.variable].at(keys, table.in_trigger)

    # ---- what a seat can tell

    def _seen(self, seat: int, place: int, items: Items, span: Span) -> None:
        table, _ = self.course.past_forced()
        known = self.words.known(table, place, seat)
        wanted = [self._sort_of(item.said, place) for item in items.items]
        ordered = self.words.graph.places[place].shape is not Shape.SET
        seen, told = (known, wanted) if ordered else (_sorted(known), _sorted(wanted))
        if items.open:
            seen = seen[: len(told)]
        if seen != told:
            shown = ["?" if kind is None else self._kind_word(kind, place) for kind in known]
            raise Broken(f"{seat_text(seat)} can tell: {_told(shown)}", span)

    def _seen_value(self, seat: int, spot: ValueSpot, items: Items, span: Span) -> None:
        table, _ = self.course.past_forced()
        slot = self._slot(table, spot)
        readers = 0 if slot is None else self.course.interpreter.sight.readers(table, slot)
        hidden = not readers >> seat & 1
        if hidden != any(item.said.node is None for item in items.items):
            can = "cannot" if hidden else "can"
            raise Broken(f"{seat_text(seat)} {can} see {spot.variable.name}", span)
        if not hidden:
            self._there(table, spot, items, span)

    def _sort_of(self, said: Said, place: int) -> int | None:
        if said.node is None:
            return None
        kind = self.words.kind(said, self.words.class_of(place))
        if kind is None:
            raise self.words.no_token(said, self.words.class_of(place))
        return kind

    def _kind_word(self, kind: int, place: int) -> str:
        return self.words.graph.token_class(self.words.class_of(place)).kinds[kind].word

    # ---- how it ended

    def _ended(self, expected: Winners | Scores | Ranking, span: Span) -> None:
        table, stop = self.course.past_forced()
        if not isinstance(stop, Terminal) or stop.result is None:
            raise Broken(f"the game has not ended: {self.course.say(stop)}", span)
        result: Result = stop.result
        match expected:
            case Winners(seats):
                if sorted(result.winners) != sorted(seats):
                    won = ", ".join(map(seat_text, result.winners)) or "nobody"
                    raise Broken(f"the winners are {won}", span)
            case Scores(scores):
                if result.scores is None:
                    raise Broken("the game ends without scores: it names winners", span)
                for seat, term in scores:
                    if result.scores[seat] != self.words.value(table, term):
                        raise Broken(f"{seat_text(seat)} has {result.scores[seat]}", span)
            case Ranking(term):
                ranks = tuple(tuple(group) for group in result.ranking)
                if ranks != self.words.value(table, term):
                    groups = (f"[{', '.join(map(seat_text, group))}]" for group in ranks)
                    raise Broken(f"the ranking is [{', '.join(groups)}]", span)
            case _:
                assert_never(expected)


def _sorted(kinds: list[int | None]) -> list[int | None]:
    return sorted(kinds, key=lambda k: (k is None, k or 0))


def _told(cards: list[str]) -> str:
    """Cards in a list that ends where only unknown ones follow."""
    known = max((at for at, card in enumerate(cards, 1) if card != "?"), default=0)
    if len(cards) <= max(known, _TOLD):
        return ", ".join(cards) or "nothing: it is empty"
    return ", ".join([*cards[: known + 1], "..."]) + f" ({len(cards)} in all)"
