"""Why an answer is legal or not: the rule that decides, what it reads now, and its clauses.

An answer that is asked about is typed as one that is given; what is left out may be anything, and
then every way to fill it is looked at.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Final, assert_never

from attrs import define, frozen

from compiler.graph.core import Choose, Clauses, Const, Guard, Option, Value
from compiler.graph.naming import listed
from compiler.graph.sentences import Sentences
from compiler.graph.values import seat_text
from compiler.ops.row import Undefined
from compiler.source import Span
from compiler.types import has_tokens
from ruleengine.answers import plain
from ruleengine.errors import Fault, RuleError, Unresolved
from ruleengine.game import Instance
from ruleengine.options import AskedOption, Asking
from ruleengine.play.citing import Citing, rule_text, where
from ruleengine.play.lines import Line, Look, paragraph
from ruleengine.play.matching import meant
from ruleengine.play.offers import Offers, answerable, mentions, option_named
from ruleengine.play.parting import parted, shape
from ruleengine.play.telling import ANONYMOUS
from ruleengine.stops import Choice
from ruleengine.table import Table
from ruleengine.twins import Looks
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
from ruleengine.wording import DECLINE

_MOST_TRIED: Final = 400  # ways to fill what was left out
_MOST_TOLD: Final = 3  # rules that refuse some of them
_MOST_NAMED: Final = 6  # answers named that are alike
_LONGEST: Final = 100  # letters of what is told of a value
_RULED_OUT: Final = "this configuration rules it out"
_WORD: Final = re.compile(r"\w+")


@frozen
class Verdict:
    """Whether an answer is legal, and what decides it.

    `rules` are the lines that decide (all that hold, or the one that fails), each with where it is
    written; `values` say what the failing one reads.  What is not `read` is no answer of the game.
    """

    words: str
    legal: bool
    rules: tuple[tuple[str, Span | None], ...]
    values: tuple[str, ...]
    clauses: Clauses
    note: str = ""
    read: bool = True


@define(eq=False)
class Reasons:
    """Answers for one game."""

    game: Instance
    citing: Citing

    def verdicts(
        self, table: Table, choices: Sequence[Choice], seat: int, typed: str
    ) -> tuple[Verdict, ...]:
        """One verdict for each answer that may be meant; at least one."""
        offers = Offers.of(self.game, table, choices)
        numbered = [offer for offer in offers if offer.number == typed.strip()]
        if numbered:
            return (self._legal(table, numbered[0].choice, numbered[0].words),)
        step = self.game.graph.nodes[table.node].step
        if not isinstance(step, Choose):
            raise ValueError("nobody is asked here")
        options = option_named(step, typed) or _nameless(step)
        tried = [
            (option, values)
            for option in options
            for values in islice(self._instances(table, seat, option), _MOST_TRIED)
        ]
        words = [self._words(table, seat, option, values) for option, values in tried]
        answers = [
            answerable(option, text, text.removeprefix(option.name).strip())
            for (option, _), text in zip(tried, words, strict=True)
        ]
        wanted = meant(typed, answers)
        if not wanted and (legal := offers.meant(typed)):
            return tuple(self._legal(table, offer.choice, offer.words) for offer in legal)
        if not wanted and len(options) > 1 and all(mentions(typed, one) for one in options):
            wanted = tuple(range(len(tried)))
        if not wanted:
            return (self._by_words(table, offers, seat, typed, options),)
        return tuple(self._verdict(table, seat, *tried[at], words[at], choices) for at in wanted)

    def lines(self, verdicts: Sequence[Verdict], width: int) -> tuple[Line, ...]:
        """Verdicts as people read them: one in full; of several, alike ones together."""
        if len(verdicts) == 1:
            return tuple(self._in_full(verdicts[0], width))
        found: list[Line] = []
        legal = [v.words.removeprefix(f"{ANONYMOUS} ") for v in verdicts if v.legal]
        if legal:
            found += _wrapped(f"Legal: {_several(legal)}.", width, Look.PLAIN)
        refused: dict[object, list[Verdict]] = {}
        for verdict in verdicts:
            if not verdict.legal:
                refused.setdefault((verdict.rules, verdict.note), []).append(verdict)
        for alike in list(refused.values())[:_MOST_TOLD]:
            found += self._refused_alike(alike, width)
        if len(refused) > _MOST_TOLD:
            found.append(Line(f"and {len(refused) - _MOST_TOLD} more reasons", Look.NOTE))
        return tuple(found)

    # ---- as people read it

    def _in_full(self, verdict: Verdict, width: int) -> Iterator[Line]:
        answer = "Yes" if verdict.legal else "No"
        ending = ", because nothing forbids it." if not verdict.rules else ", because"
        if verdict.note:
            ending = f": {verdict.note}"
        state = "is legal" if verdict.legal else "is not legal"
        words = verdict.words.removeprefix(f"{ANONYMOUS} ")
        yield from _wrapped(f"{answer}: {words} {state}{ending}", width, Look.PLAIN)
        yield from self._because(verdict, width)

    def _because(self, verdict: Verdict, width: int) -> Iterator[Line]:
        for rule, span in verdict.rules:
            place = where(span)
            text = f"{rule}  ({place})" if place else rule
            look = Look.PLAIN if verdict.legal else Look.WRONG
            yield from (Line(line, look) for line in paragraph(text, width, "  ", "      "))
        if verdict.values:
            text = f"here {listed(verdict.values)}"
            yield from (Line(line, Look.PLAIN) for line in paragraph(text, width, "  ", "      "))
        yield from self.citing.lines(verdict.clauses, width)

    def _refused_alike(self, verdicts: Sequence[Verdict], width: int) -> Iterator[Line]:
        words = [verdict.words.removeprefix(f"{ANONYMOUS} ") for verdict in verdicts]
        ending = f": {verdicts[0].note}" if verdicts[0].note else ", because"
        yield from _wrapped(f"Not legal: {_several(words)}{ending}", width, Look.PLAIN)
        yield from self._because(verdicts[0], width)

    # ---- finding out

    def _instances(self, table: Table, seat: int, option: Option) -> Iterator[tuple[Value, ...]]:
        """Ways to fill an option's slots from their domains, guards not asked."""
        asking = self.game.interpreter.asking(table.node)
        asking.seat(seat)
        asked = next(one for one in asking.options if one.option is option)
        looks = asking.twins.to_seat(table, seat, asking.sealed)
        return _filled(table, seat, asking, asked, looks, ())

    def _words(self, table: Table, seat: int, option: Option, values: tuple[Value, ...]) -> str:
        step = self.game.graph.nodes[table.node].step
        options = step.options if isinstance(step, Choose) else ()
        choice = Choice(0, options.index(option), values, seat, table.node)
        return self.game.wording.choice(table, choice)

    def _verdict(
        self,
        table: Table,
        seat: int,
        option: Option,
        values: tuple[Value, ...],
        words: str,
        choices: Sequence[Choice],
    ) -> Verdict:
        try:
            answer = self.game.interpreter.why_not(table, option.name, values, seat)
        except RuleError as error:
            return Verdict(words, False, (), (), option.clauses, f"it has no meaning here: {error}")
        return self._of(table, seat, answer, words, choices)

    def _of(
        self, table: Table, seat: int, answer: Answer, words: str, choices: Sequence[Choice]
    ) -> Verdict:
        match answer:
            case Legal(index):
                said = self.game.wording.choices(table, choices)[index]
                return self._legal(table, choices[index], said)
            case Refused():
                return self._refused(table, seat, answer, words)
            case NotInDomain():
                return self._outside(table, seat, answer, words)
            case NoSuchOption(names):
                note = f"the options here are {listed(names)}"
            case WrongCount(option, slots) | NothingFits(option, slots):
                note = "say all of it" if slots else f"`{option.name}` stands alone"
            case NotDeclinable():
                note = "this decision must be answered"
            case _:
                assert_never(answer)
        return Verdict(words, False, (), (), (), note)

    def _legal(self, table: Table, choice: Choice, words: str) -> Verdict:
        option = self.game.wording.option(choice)
        if option is None:
            return Verdict(words, True, (), (), self.game.graph.nodes[table.node].clauses)
        rules = tuple(map(self._rule, option.guards))
        cited = [*option.clauses]
        for guard in option.guards:
            cited += guard.clauses
        return Verdict(words, True, rules, (), tuple(dict.fromkeys(cited)))

    def _refused(self, table: Table, seat: int, answer: Refused, words: str) -> Verdict:
        guard = answer.guard
        if isinstance(guard.holds, Const):
            written = (rule_text(guard.span), guard.span)  # what it asks is no longer in the graph
            return Verdict(words, False, (written,), (), guard.clauses, _RULED_OUT)
        values = self._values(table, seat, answer.readings)
        said = Sentences(self.game.graph)
        cases = [(said.case(d.case), d.case.span) for d in answer.deciders]
        rules = (self._rule(guard), *cases)
        return Verdict(words, False, rules, values, answer.clauses)

    def _rule(self, guard: Guard) -> tuple[str, Span | None]:
        """A guard in words, and where it is written; one that is settled as it is written."""
        if isinstance(guard.holds, Const):
            return rule_text(guard.span), guard.span
        return Sentences(self.game.graph).guard(guard), guard.span

    def _outside(self, table: Table, seat: int, answer: NotInDomain, words: str) -> Verdict:
        terms = Sentences(self.game.graph).words
        domain = terms.domain(answer.domain or answer.option.slots[answer.slot].domain)
        limit = "" if answer.where is None else f" where {terms.text(answer.where)}"
        rule = f"what may be chosen is {domain}{limit}"
        rules = ((rule, answer.option.span),)
        return Verdict(
            words, False, rules, self._values(table, seat, answer.readings), answer.clauses
        )

    def _values(self, table: Table, seat: int, readings: Sequence[Reading]) -> tuple[str, ...]:
        """What a rule reads: "A's score is 3"."""
        terms = Sentences(self.game.graph).words
        told = (
            self.game.wording.reading(table, reading, terms.text(reading.term), seat)
            for reading in readings
        )
        return tuple(dict.fromkeys(words for words in told if len(words) <= _LONGEST))

    def _by_words(
        self,
        table: Table,
        offers: Offers,
        seat: int,
        typed: str,
        options: Sequence[Option],
    ) -> Verdict:
        """An answer that no domain holds, read by what each slot takes."""
        choices = tuple(offer.choice for offer in offers)
        if typed.strip().lower() == DECLINE:
            answer = self.game.interpreter.why_not(table, DECLINE, (), seat)
            return self._of(table, seat, answer, DECLINE, choices)
        if len(options) != 1:
            overview = self._overview(table, offers, options, typed)
            read = typed.strip().partition(" ")[0] in self._names()
            return Verdict(f"`{typed}`", False, (), (), (), overview, read)
        option = options[0]
        rest = parted(
            _behind_name(plain(typed), option, self.game.graph.nodes[table.node].title),
            option,
            self._board(),
        )
        words = f"{option.name} {self._spelled(rest)}".strip()
        if not rest and option.slots:
            rules = (_option_rule(option), *map(self._rule, option.guards))
            note = "nothing that there is to choose fits"
            return Verdict(option.name, False, rules, (), option.clauses, note)
        reason = self.game.answers.why(table, choices, seat, words)
        if reason.legal:
            return Verdict(words, True, tuple(map(self._rule, option.guards)), (), reason.clauses)
        rules = () if reason.span is None else (_option_rule(option),)
        note, read = reason.words, True
        if reason.part and _takes_tokens(option):
            note = f"nothing that you can see here is called `{reason.part}`"
            read = len(option.slots) == 1
        elif reason.span is None and len(option.slots) > 1:
            note, read = reason.words if reason.part else "this cannot be read", False
        legal = [o.words for o in offers if o.words.startswith(f"{option.name} ")]
        if legal:
            note += f"; an answer looks like `{legal[0]}`"
        elif not read:
            note += f"; an answer is written `{shape(option)}`"
        return Verdict(words, False, rules, (), reason.clauses, note, read)

    def _overview(self, table: Table, offers: Offers, options: Sequence[Option], typed: str) -> str:
        """What could be meant here at all."""
        if typed.strip().isdecimal() and (numbers := [offer.number for offer in offers]):
            return f"the numbers here are {numbers[0]} to {numbers[-1]}"
        step = self.game.graph.nodes[table.node].step
        known = options or (step.options if isinstance(step, Choose) else ())
        names = [option.name for option in known if option.name != ANONYMOUS]
        if names:
            near = get_close_matches(typed.split()[0] if typed.split() else "", names, 1)
            meant_ = f"; did you mean `{near[0]}`?" if near else ""
            return f"the options here are {listed(names)}{meant_}"
        looks = next((f"`{offer.words}`" for offer in offers), "nothing")
        return f"an answer here looks like {looks}"

    def _board(self) -> str:
        """The only board there is; empty where there are several, or none."""
        boards = {place.zone for place in self.game.graph.places if place.square is not None}
        return boards.pop() if len(boards) == 1 else ""

    def begins_option(self, word: str) -> bool:
        """Whether an option of the game is called so, or begins so."""
        return any(name.startswith(word) for name in self._names())

    def _names(self) -> frozenset[str]:
        """The options of all decisions of the game."""
        steps = [node.step for node in self.game.graph.nodes]
        choices = [step for step in steps if isinstance(step, Choose)]
        return frozenset(option.name for step in choices for option in step.options)

    def _spelled(self, typed: str) -> str:
        """What was typed with seats, cards and members of enums written as the spec does."""
        graph = self.game.graph
        known = {seat_text(one).lower(): seat_text(one) for one in range(graph.seats)}
        for token_class in graph.classes:
            known |= {kind.word.lower(): kind.word for kind in token_class.kinds}
        return _WORD.sub(lambda found: known.get(found[0].lower(), found[0]), typed)


def _filled(
    table: Table,
    seat: int,
    asking: Asking,
    asked: AskedOption,
    looks: Looks,
    values: tuple[Value, ...],
) -> Iterator[tuple[Value, ...]]:
    if len(values) == len(asked.slots):
        yield values
        return
    slot = asked.slots[len(values)]
    try:
        for value in asking.candidates(table, seat, slot, looks):
            asking.scope.env[slot.index] = value
            if slot.where is None or slot.where(table):
                yield from _filled(table, seat, asking, asked, looks, (*values, value))
    except (Fault, Undefined, Unresolved):
        return  # a domain that has no meaning unless the guards before it hold


def _nameless(step: Choose) -> tuple[Option, ...]:
    """The one option of a decision that has no name: what is typed can only be about it."""
    only = [option for option in step.options if option.name == ANONYMOUS]
    return tuple(only) if len(step.options) == 1 else ()


def _behind_name(typed: str, option: Option, title: str) -> str:
    """What was typed without the option's name, which one without a name does not need; the first
    word of the decision's title may stand for that."""
    first, _, rest = typed.partition(" ")
    asked = (option.title or title).lower().split(" ")[0]
    if option.name == ANONYMOUS and first not in (ANONYMOUS, asked):
        return typed
    return rest


def _takes_tokens(option: Option) -> bool:
    return any(has_tokens(slot.local.type) for slot in option.slots)


def _option_rule(option: Option) -> tuple[str, Span | None]:
    return rule_text(option.span), option.span


def _several(words: Sequence[str]) -> str:
    more = len(words) - _MOST_NAMED
    named = "; ".join(words[:_MOST_NAMED])
    return f"{named}; and {more} more" if more > 0 else named


def _wrapped(text: str, width: int, look: Look) -> list[Line]:
    return [Line(line, look) for line in paragraph(text, width, "", "  ")]
