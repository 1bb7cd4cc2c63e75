"""Answers as scenarios write them: which of the legal ones is meant, and why one is refused."""

from itertools import product

from attrs import define

from compiler.graph.core import Choose, Option, Value
from compiler.graph.values import ValueWords
from compiler.lower.script import Answered
from compiler.types import has_tokens
from ruleengine.interpreter import Interpreter
from ruleengine.scenario.errors import Broken
from ruleengine.scenario.tokens import Words
from ruleengine.stops import Choice, Decision, JointDecision, Stop
from ruleengine.table import Table
from ruleengine.whynot import Legal, NoSuchOption, NotInDomain, Refused

DECLINE = "decline"
MOST_TRIED = 200  # instances of an answer that are asked about when it should be refused
_FITTING = 6  # answers that fit what was said and are told


@define(eq=False)
class Answers:
    """Finds answers among the choices of a stop."""

    interpreter: Interpreter
    words: Words

    def step(self, choice: Choice) -> Choose:
        """The decision a choice belongs to."""
        step = self.interpreter.graph.nodes[choice.node].step
        if not isinstance(step, Choose):
            raise TypeError("a choice stands at a decision")
        return step

    def option(self, choice: Choice) -> Option | None:
        """The option a choice takes, `None` for the decline."""
        return None if choice.option is None else self.step(choice).options[choice.option]

    def choices(self, stop: Stop, seat: int | None = None) -> tuple[Choice, ...]:
        """The choices of a seat at a stop; without a seat, of the one that is asked first."""
        match stop:
            case Decision(_, asked, choices) if seat is None or asked == seat:
                return choices
            case JointDecision(_, seats, each) if seat is None or seat in seats:
                return each[0] if seat is None else stop.of(seat)
            case _:
                return ()

    def matches(self, table: Table, choice: Choice, answer: Answered) -> bool:
        """Whether a choice is the one that was said; slots that are left out fit any."""
        option = self.option(choice)
        if option is None:
            return answer.word == DECLINE
        if option.name != answer.word or len(answer.said) > len(option.slots):
            return False
        pairs = zip(option.slots, choice.values, answer.said, strict=False)
        return all(
            self.words.fits(table, value, said, slot.bound.type) for slot, value, (_, said) in pairs
        )

    def found(self, table: Table, choices: tuple[Choice, ...], answer: Answered) -> list[Choice]:
        """The choices an answer fits."""
        return [choice for choice in choices if self.matches(table, choice, answer)]

    def the_one(self, table: Table, choices: tuple[Choice, ...], answer: Answered) -> Choice | None:
        """The choice that was said; `Broken` if it fits several."""
        found = self.found(table, choices, answer)
        if len(found) > 1:
            told = self.listed(table, choices, tuple(found), _FITTING)
            raise Broken(f"this fits {len(found)} answers", answer.span, f"say which: {told}")
        return found[0] if found else None

    def has(self, choice: Choice, answer: Answered) -> bool:
        """Whether the decision a choice belongs to has an option that an answer names."""
        return answer.word in [option.name for option in self.step(choice).options if option.slots]

    def names(self) -> list[str]:
        """What the options of the game are called, in the order of its decisions."""
        steps = [node.step for node in self.interpreter.graph.nodes]
        options = [o for step in steps if isinstance(step, Choose) for o in step.options]
        return list(dict.fromkeys([*(option.name for option in options), DECLINE]))

    # ---- in words

    def listed(
        self, table: Table, choices: tuple[Choice, ...], told: tuple[Choice, ...], most: int
    ) -> str:
        """Some choices of a list as scenarios write them, the first of them if they are many."""
        texts = [self.spell(table, choice, choices) for choice in told[:most]]
        more = f" or {len(told) - most} others" if len(told) > most else ""
        return " or ".join(texts) + more

    def spell(self, table: Table, choice: Choice, choices: tuple[Choice, ...]) -> str:
        """A choice of a list as scenarios write it, so that it fits no other of the list."""
        text = self._spelled(table, choice, False)
        if all(other is choice or self._spelled(table, other, False) != text for other in choices):
            return text
        return self._spelled(table, choice, True)

    def form(self, choice: Choice, answer: Answered) -> str:
        """How the option that an answer names is written, if the answer is not written so."""
        for option in self.step(choice).options:
            wanted = [slot.preposition for slot in option.slots]
            told = [preposition for preposition, _ in answer.said]
            if option.name == answer.word and (
                len(told) > len(wanted)
                or any(a is not None and a != b for a, b in zip(told, wanted, strict=False))
            ):
                slots = (
                    f"{slot.preposition or ''} {slot.local.name}".strip() for slot in option.slots
                )
                return f"it is written `{' '.join([option.name, ', '.join(slots)]).strip()}`"
        return ""

    def _spelled(self, table: Table, choice: Choice, by_place: bool) -> str:
        option = self.option(choice)
        if option is None:
            return DECLINE

        def name(token: int) -> str:
            return self.words.spot(table, token, None if by_place else choice.seat)

        words = ValueWords(self.interpreter.graph, name)
        slots = []
        for slot, value in zip(option.slots, choice.values, strict=True):
            text = words.text(value, slot.bound.type)
            slots.append(f"{slot.preposition} {text}" if slot.preposition else text)
        return " ".join([option.name, ", ".join(slots)]).strip()

    # ---- refused

    def refused(
        self,
        table: Table,
        choices: tuple[Choice, ...],
        answer: Answered,
        clauses: tuple[str, ...],
    ) -> None:
        """Checks that an answer is refused, by a line that cites the clauses; else `Broken`."""
        if not choices:
            raise Broken("nobody is asked here", answer.span)
        if self.found(table, choices, answer):
            raise Broken("this is offered, not refused", answer.span)
        if answer.word != DECLINE:
            self._cites(self._refusing(table, choices, answer), answer, clauses)

    def refused_by(self, table: Table, choices: tuple[Choice, ...], answer: Answered) -> str:
        """What to add to “not offered”: the clauses that say so, if any do."""
        if not choices or answer.word == DECLINE:
            return ""
        try:
            cited = self._refusing(table, choices, answer)
        except Broken:
            return ""  # it can be no answer here, and cites nothing
        return f", refused by {', '.join(cited)}" if cited else ""

    def _refusing(
        self, table: Table, choices: tuple[Choice, ...], answer: Answered
    ) -> tuple[str, ...]:
        """The clauses of the lines that refuse an answer; `Broken` if it can be none here."""
        seat = choices[0].seat
        options = {option.name: option for option in self.step(choices[0]).options}
        if answer.word not in options:
            names = ", ".join(options)
            raise Broken(f"`{answer.word}` is no option here", answer.span, f"there are {names}")
        option = options[answer.word]
        if len(answer.said) < len(option.slots):
            return _citing(option)
        cited: list[str] = []
        for values in self._instances(table, option, answer):
            found = self.interpreter.why_not(table, answer.word, values, seat)
            match found:
                case Legal():
                    raise Broken("this is offered, not refused", answer.span)
                case NoSuchOption():
                    raise Broken(f"`{answer.word}` is no option here", answer.span)
                case Refused() | NotInDomain():
                    cited += found.clauses
                case _:
                    cited += option.clauses
        return tuple(dict.fromkeys(cited))

    def _cites(self, cited: tuple[str, ...], answer: Answered, clauses: tuple[str, ...]) -> None:
        missing = [clause for clause in clauses if clause not in cited]
        if missing:
            by = ", ".join(cited) or "no clause"
            raise Broken(f"refused by {by}, not by {', '.join(missing)}", answer.span)

    def _instances(self, table: Table, option: Option, answer: Answered) -> list[tuple[Value, ...]]:
        per_slot: list[list[Value]] = []
        for slot, (_, said) in zip(option.slots, answer.said, strict=False):
            if has_tokens(slot.bound.type):
                per_slot.append(list(self.words.said_tokens(table, said, slot.bound.type)))
                continue
            term = self.words.reader.term(said, slot.bound.type)
            if term is None:
                raise Broken(f"`{said.text}` does not fit here", said.span)
            per_slot.append([self.words.value(table, term)])
        return list(product(*per_slot))[:MOST_TRIED]


def _citing(option: Option) -> tuple[str, ...]:
    """The clauses of all lines of an option: where slots are left out any of them may refuse."""
    guards = (clause for guard in option.guards for clause in guard.clauses)
    return tuple(dict.fromkeys((*option.clauses, *guards)))
