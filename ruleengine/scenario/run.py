"""Runs a scenario on the reference interpreter, line by line.

Chance that no line forces is drawn from one fixed stream, hidden cards that come to light included.
Expectations about the state look past stops with a single answer; those about options and chance
look at the stop itself.  Invariants are tested at every stop, unless the given position breaks
them.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import assert_never

from attrs import define, field, frozen

from compiler.graph.core import Chance as ChanceStep
from compiler.graph.core import Invariant, Roll, Shape, Term, Value
from compiler.graph.values import ValueWords, seat_text
from compiler.lower.scenarios import (
    Answered,
    At,
    ChanceForced,
    ChanceOdds,
    Expect,
    Holding,
    Holds,
    Items,
    Line,
    Made,
    Next,
    Offered,
    OnlyOptions,
    PlaceSpot,
    Position,
    Ranking,
    Reader,
    Refused,
    Said,
    Scores,
    Script,
    Sees,
    Spot,
    Winners,
)
from compiler.ops.lists import elements
from compiler.source import Span
from compiler.types import Type
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.events import Knowledge
from ruleengine.rng import CHANCE, Stream, stream
from ruleengine.scenario.answers import DECLINE, Answers
from ruleengine.scenario.errors import Broken, Failure
from ruleengine.scenario.position import Setting
from ruleengine.scenario.tokens import Words
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
from ruleengine.table import Table

MOST_FORCED = 1_000  # stops with one answer that are looked past for one line


@frozen
class Ran:
    """How one scenario went: nothing failed, or the first thing that did."""

    title: str
    clauses: tuple[str, ...]
    span: Span
    failure: Failure | None
    expectations: int
    unchecked: tuple[str, ...] = ()  # invariants the given position breaks already


@define(eq=False)
class Run:
    """One scenario on one table."""

    interpreter: Interpreter
    reader: Reader
    words: Words
    answers: Answers
    knowledge: Knowledge
    dice: Stream
    table: Table
    invariants: list[tuple[Invariant, Callable[[Table], bool]]]
    _stop: Stop | None = None
    _checked: int = 0
    _unchecked: list[str] = field(factory=list)

    @classmethod
    def of(cls, interpreter: Interpreter, reader: Reader) -> "Run":
        """A run that has not begun."""
        words = Words(interpreter, reader)
        knowledge = Knowledge.of(interpreter.terms, interpreter.sight)
        return cls(
            interpreter,
            reader,
            words,
            Answers(interpreter, words),
            knowledge,
            stream(0, 0, CHANCE),
            interpreter.start(),
            [(inv, _holds(interpreter, inv)) for inv in interpreter.graph.invariants],
        )

    def play(self, script: Script) -> Ran:
        """Carries out all lines; stops at the first that fails."""
        failure: Failure | None = None
        try:
            self._begin(script)
            for line in script.lines:
                self._line(line)
        except Broken as broken:
            failure = Failure(broken.message, broken.span or script.span, broken.hint)
        except RuleError as error:
            failure = Failure(str(error), error.span or script.span)
        unchecked = tuple(self._unchecked)
        return Ran(script.title, script.clauses, script.span, failure, self._checked, unchecked)

    # ---- beginning

    def _begin(self, script: Script) -> None:
        positions = [line for line in script.lines if isinstance(line, Position)]
        ats = [line for line in script.lines if isinstance(line, At)]
        if not positions and not ats:
            return
        self.table = self.interpreter.prepared()
        setting = Setting(self.interpreter, self.words, self.table)
        for position in positions:
            setting.set_up(position)
        at = ats[0] if ats else At("start", (), None, script.span)
        self.interpreter.enter(self.table, at.phase, at.args)
        if at.title is not None:
            self.table.node = self._titled(at)
        for invariant, holds in self.invariants[:]:
            if not holds(self.table):
                self._unchecked.append(invariant.title)
                self.invariants.remove((invariant, holds))

    def _titled(self, at: At) -> int:
        """The first node of a phase inside the named step, decision or question."""
        graph = self.interpreter.graph
        for node in graph.nodes:
            if node.phase != at.phase:
                continue
            titles = [node.title]
            named = node.named
            while named is not None:
                titles.append(graph.named[named].title)
                named = graph.named[named].parent
            if at.title in titles:
                return node.id
        raise Broken(f"nothing in `{at.phase}` is called “{at.title}”", at.span)

    # ---- going on

    def _arrive(self) -> Stop:
        """The stop the table stands at."""
        if self._stop is None:
            self._stop = self.interpreter.advance(self.table, self.knowledge)
            self._check_invariants(self._stop)
        return self._stop

    def _choose(self, choice: Choice) -> None:
        self.interpreter.choose(self.table, choice, self.knowledge)
        self._stop = None

    def _draw(self, outcome: Outcome) -> None:
        self.interpreter.draw(self.table, outcome, self.knowledge)
        self._stop = None

    def _by_chance(self, stop: ChanceStop) -> None:
        self._draw(stop.outcomes.drawn(self.dice.below(stop.outcomes.total)))

    def _shown(self) -> Stop:
        """The stop ahead, once the hidden cards on the way have come to light."""
        for _ in range(MOST_FORCED):
            stop = self._arrive()
            if not isinstance(stop, ChanceStop) or not _is_hidden(stop):
                return stop
            self._by_chance(stop)
        raise RuleError("chance goes on without end")

    def _asking(self, *answers: Answered) -> tuple[Choice, ...]:
        """What can be answered: a lone decline is given unless the line speaks of it."""
        declined = any(answer.word == DECLINE for answer in answers)
        for _ in range(MOST_FORCED):
            stop = self._shown()
            only = _only_answer(stop)
            if declined or only is None or only.option is not None:
                return self.answers.choices(stop)
            self._choose(only)
        raise RuleError("forced answers go on without end")

    def _past_forced(self) -> tuple[Table, Stop]:
        """The table as it stands once all stops with one answer are answered, on a copy."""
        stop = self._shown()
        if _only_answer(stop) is None:
            return self.table, stop
        kept, dice = self.table.copy(), self.dice.state
        for _ in range(MOST_FORCED):
            only = _only_answer(stop)
            if only is None:
                break
            self._choose(only)
            stop = self._shown()
        seen = self.table
        self.table, self._stop, self.dice = kept, None, Stream.at(dice)
        return seen, stop

    def _check_invariants(self, stop: Stop) -> None:
        if isinstance(stop, Terminal) and stop.result is None:
            return
        for invariant, holds in self.invariants:
            if invariant.at_phase is not None and not self._begins(invariant.at_phase):
                continue
            if invariant.at_decisions and not isinstance(stop, Decision | JointDecision):
                continue
            if not holds(self.table):
                where = invariant.span
                raise RuleError(f"the invariant “{invariant.title}” is broken", None, where)

    def _begins(self, phase: str) -> bool:
        return self.table.node == self.interpreter.graph.phase(phase).entry

    # ---- lines

    def _line(self, line: Line) -> None:
        match line:
            case Position() | At():
                return
            case ChanceForced():
                self._force(line)
            case Made():
                self._make(line)
            case Expect():
                self._checked += 1
                self._expect(line)
            case _:
                assert_never(line)

    def _force(self, line: ChanceForced) -> None:
        for _ in range(MOST_FORCED):
            stop = self._arrive()
            if isinstance(stop, ChanceStop):
                self._give(stop, line.items, line.span)
                return
            only = _only_answer(stop)
            if only is None:
                raise Broken(f"no chance here: {self._say(stop)}", line.span)
            self._choose(only)

    def _give(self, stop: ChanceStop, items: Items, span: Span) -> None:
        settles = stop.outcomes[0].settles
        said = [item.said for item in items.items]
        if settles is not None:
            parts = [part for one in said for part in self.reader.words(one)]
            self._settle(stop, self.table.place[settles], parts)
            return
        found = [o for o in stop.outcomes if self._is_outcome(o, said)]
        if not found:
            text = ", ".join(one.text for one in said)
            can = ", ".join(o.label for o in stop.outcomes[:8])
            raise Broken(f"`{text}` cannot come here", span, f"here come {can}")
        self._draw(found[0])

    def _settle(self, stop: ChanceStop, place: int, parts: list[Said]) -> None:
        """Gives the top cells of a place these kinds: a scripted deal."""
        token_class = self.words.class_of(place)
        sorts = []
        for part in parts:
            kind = self.words.kind(part, token_class)
            if kind is None:
                raise Broken(f"`{part.text}` is no {token_class}", part.span)
            sorts.append(kind)
        first = next(o for o in stop.outcomes if o.settles is not None)
        wanted = [o for o in stop.outcomes if o.value == sorts[0]]
        if not wanted or first.settles is None:
            raise Broken(f"`{parts[0].text}` cannot come here", parts[0].span)
        self.interpreter.script(self.table, place, tuple(sorts))
        self._stop = None

    def _is_outcome(self, outcome: Outcome, said: list[Said]) -> bool:
        """Whether an outcome is what was said: one item per die, or a list for all of them."""
        step = self.interpreter.graph.nodes[outcome.node].step
        if isinstance(step, ChanceStep) and isinstance(step.distribution, Roll):
            dice = step.distribution.dice
            if len(said) != len(dice) and len(said) == 1:
                said = list(self.reader.words(said[0]))
            if len(said) != len(dice):
                return False
            thrown = elements(outcome.value)
            return all(
                self._is_value(value, one, variable.type)
                for value, one, (variable, _, _) in zip(thrown, said, dice, strict=True)
            )
        variable = getattr(getattr(step, "distribution", None), "variable", None)
        if variable is None or len(said) != 1:
            return False
        return self.words.fits(self.table, outcome.value, said[0], variable.type)

    def _is_value(self, value: Value, said: Said, type_: Type) -> bool:
        return self.words.fits(self.table, value, said, type_)

    def _make(self, line: Made) -> None:
        for _ in range(MOST_FORCED):
            stop = self._shown()
            choices = self.answers.choices(stop, line.seat)
            if choices:
                found = self.answers.the_one(self.table, choices, line.answer)
                if found is not None:
                    self._choose(found)
                    return
            only = _only_answer(stop)
            if only is not None:
                self._choose(only)
            elif isinstance(stop, ChanceStop):
                self._by_chance(stop)
            else:
                raise self._not_possible(line, stop, choices)

    def _not_possible(self, line: Made, stop: Stop, choices: tuple[Choice, ...]) -> Broken:
        who = seat_text(line.seat)
        if not choices:
            return Broken(f"{who} is not asked here: {self._say(stop)}", line.span)
        can = " or ".join(self.answers.spell(self.table, choice) for choice in choices[:8])
        return Broken(f"{who} cannot answer this", line.answer.span, f"{who} can: {can}")

    # ---- expectations

    def _expect(self, line: Expect) -> None:
        match line.expected:
            case OnlyOptions(answers):
                self._only(answers, line)
            case Offered(answer):
                choices = self._asking(answer)
                if not self.answers.found(self.table, choices, answer):
                    raise Broken("this is not offered", answer.span, self._offers(choices))
            case Refused(answer):
                choices = self._asking(answer)
                self.answers.refused(self.table, choices, answer, line.clauses)
            case ChanceOdds():
                self._odds(line.expected, line.span)
            case Holding(term):
                table, _ = self._past_forced()
                if not self.words.value(table, term):
                    raise Broken("this does not hold", line.span, self._values(table, term))
            case Holds(spots, items):
                table, _ = self._past_forced()
                for spot in spots:
                    self._there(table, spot, items, line.span)
            case Sees():
                self._seen(line.expected, line.span)
            case Next(seats):
                _, stop = self._past_forced()
                asked = _asked(stop)
                if asked != tuple(seats):
                    raise Broken(f"next is {self._say(stop)}", line.span)
            case Winners() | Scores() | Ranking():
                self._ended(line.expected, line.span)
            case _:
                assert_never(line.expected)

    def _only(self, answers: tuple[Answered, ...], line: Expect) -> None:
        choices = self._asking(*answers)
        left = list(choices)
        for answer in answers:
            found = self.answers.found(self.table, tuple(left), answer)
            if not found:
                raise Broken("this is not offered", answer.span, self._offers(choices))
            left = [choice for choice in left if choice not in found]
        if left:
            more = " or ".join(self.answers.spell(self.table, choice) for choice in left[:8])
            raise Broken("there are more options", line.span, f"also offered: {more}")

    def _offers(self, choices: tuple[Choice, ...]) -> str:
        if not choices:
            return f"here is {self._say(self._arrive())}"
        return "offered: " + " or ".join(self.answers.spell(self.table, c) for c in choices[:12])

    def _odds(self, expected: ChanceOdds, span: Span) -> None:
        stop = self._arrive()
        if not isinstance(stop, ChanceStop):
            raise Broken(f"no chance here: {self._say(stop)}", span)
        fits = [o for o in stop.outcomes if self._fits_chance(o, expected.said)]
        odds = Fraction(sum(o.weight for o in fits), stop.outcomes.total)
        if odds != Fraction(expected.weight, expected.total):
            raise Broken(f"the odds are {odds}", span)

    def _fits_chance(self, outcome: Outcome, said: Said) -> bool:
        if outcome.settles is None:
            return self._is_outcome(outcome, [said])
        token_class = self.words.class_of(self.table.place[outcome.settles])
        return self.words.kind(said, token_class) == outcome.value

    def _there(self, table: Table, spot: Spot, items: Items, span: Span) -> None:
        if isinstance(spot, PlaceSpot):
            if not self.words.holds(table, spot.place, items):
                label = self.interpreter.graph.places[spot.place].label
                raise Broken(f"{label} holds {self.words.contents(table, spot.place)}", span)
            return
        setting = Setting(self.interpreter, self.words, table)
        keys = tuple(self.words.value(table, key) for key in spot.keys)
        slot = self.interpreter.statics.slots[spot.variable].at(keys, table.in_trigger)
        value = None if slot is None else table.values[slot]
        if value != setting.value_of(spot, items, span):
            text = ValueWords(self.interpreter.graph).text(value, spot.variable.type)
            raise Broken(f"it is {text}", span)

    def _seen(self, expected: Sees, span: Span) -> None:
        table, _ = self._past_forced()
        if not isinstance(expected.spot, PlaceSpot):
            self._seen_value(table, expected, span)
            return
        place = expected.spot.place
        known = self.words.known(table, place, expected.seat)
        wanted = [self._sort_of(item.said, place) for item in expected.items.items]
        ordered = self.interpreter.graph.places[place].shape is not Shape.SET
        seen, asked = (known, wanted) if ordered else (_sorted(known), _sorted(wanted))
        if expected.items.open:
            seen = seen[: len(asked)]
        if seen != asked:
            who = seat_text(expected.seat)
            text = ", ".join("?" if s is None else self._kind_word(s, place) for s in known)
            raise Broken(f"{who} can tell: {text or 'empty'}", span)

    def _seen_value(self, table: Table, expected: Sees, span: Span) -> None:
        if isinstance(expected.spot, PlaceSpot):
            return
        spot = expected.spot
        keys = tuple(self.words.value(table, key) for key in spot.keys)
        slot = self.interpreter.statics.slots[spot.variable].at(keys, table.in_trigger)
        hidden = (
            slot is None or not self.interpreter.sight.readers(table, slot) >> expected.seat & 1
        )
        wants_hidden = any(item.said.node is None for item in expected.items.items)
        if hidden != wants_hidden:
            who = seat_text(expected.seat)
            raise Broken(f"{who} {'cannot' if hidden else 'can'} see it", span)
        if not hidden:
            self._there(table, spot, expected.items, span)

    def _sort_of(self, said: Said, place: int) -> int | None:
        if said.node is None:
            return None
        kind = self.words.kind(said, self.words.class_of(place))
        if kind is None:
            raise Broken(f"`{said.text}` is no {self.words.class_of(place)}", said.span)
        return kind

    def _kind_word(self, kind: int, place: int) -> str:
        name = self.words.class_of(place)
        return self.interpreter.graph.token_class(name).kinds[kind].word

    def _ended(self, expected: Winners | Scores | Ranking, span: Span) -> None:
        table, stop = self._past_forced()
        if not isinstance(stop, Terminal) or stop.result is None:
            raise Broken(f"the game has not ended: {self._say(stop)}", span)
        result: Result = stop.result
        match expected:
            case Winners(seats):
                if sorted(result.winners) != sorted(seats):
                    won = ", ".join(map(seat_text, result.winners)) or "nobody"
                    raise Broken(f"the winners are {won}", span)
            case Scores(scores):
                for seat, term in scores:
                    score = None if result.scores is None else result.scores[seat]
                    if score != self.words.value(table, term):
                        raise Broken(f"{seat_text(seat)} has {score}", span)
            case Ranking(term):
                ranks = tuple(tuple(group) for group in result.ranking)
                if ranks != self.words.value(table, term):
                    text = "; ".join(", ".join(map(seat_text, group)) for group in ranks)
                    raise Broken(f"the ranking is {text}", span)
            case _:
                assert_never(expected)

    def _values(self, table: Table, term: Term) -> str:
        return self.words.reading(table, term)

    def _say(self, stop: Stop) -> str:
        """A stop in a few words."""
        match stop:
            case Decision(node, seat, _):
                return f"{seat_text(seat)} decides{self._titled_text(node)}"
            case JointDecision(node, seats, _):
                who = ", ".join(map(seat_text, seats))
                return f"{who} decide{self._titled_text(node)}"
            case ChanceStop(node, outcomes):
                return f"chance decides{self._titled_text(node)} ({len(outcomes)} outcomes)"
            case Terminal(_, None):
                return "the phase has ended"
            case Terminal():
                return "the game has ended"
            case _:
                assert_never(stop)

    def _titled_text(self, node: int) -> str:
        title = self.interpreter.graph.nodes[node].title
        return f" “{title}”" if title else ""


def _holds(interpreter: Interpreter, invariant: Invariant) -> Callable[[Table], bool]:
    closures = [interpreter.terms.closed(fact.term) for fact in invariant.facts]
    return lambda table: all(closure(table) for closure in closures)


def _is_hidden(stop: ChanceStop) -> bool:
    """Whether a stop settles what a hidden card is."""
    return stop.outcomes[0].settles is not None


def _only_answer(stop: Stop) -> Choice | None:
    """The answer of a stop that has just one."""
    match stop:
        case Decision(_, _, (only,)):
            return only
        case JointDecision(_, _, each) if len(each[0]) == 1:
            return each[0][0]
        case _:
            return None


def _asked(stop: Stop) -> tuple[int, ...]:
    match stop:
        case Decision(_, seat, _):
            return (seat,)
        case JointDecision(_, seats, _):
            return seats
        case _:
            return ()


def _sorted(kinds: list[int | None]) -> list[int | None]:
    return sorted(kinds, key=lambda k: (k is None, k or 0))
