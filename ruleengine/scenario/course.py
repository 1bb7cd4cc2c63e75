"""The play of one scenario: where its table stands, and the ways past stops with one answer."""

from typing import Final, assert_never

from attrs import define, field

from compiler.graph.core import Blind, Node, Pick, Roll
from compiler.graph.core import Chance as ChanceStep
from compiler.graph.values import seat_text
from compiler.lower.script import Answered
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.events import Knowledge
from ruleengine.rng import Stream
from ruleengine.scenario.answers import DECLINE, Answers
from ruleengine.scenario.laws import Laws
from ruleengine.stops import (
    ChanceStop,
    Choice,
    Decision,
    JointDecision,
    Outcome,
    Stop,
    Terminal,
)
from ruleengine.table import Table

_TOLD: Final = 6  # answers that a message lists

MOST_FORCED: Final = 1_000
"""Stops with one answer that are looked past for one line."""


@define(eq=False)
class Course:
    """A table that is played on, and the stop it stands at."""

    interpreter: Interpreter
    answers: Answers
    knowledge: Knowledge
    laws: Laws
    dice: Stream
    table: Table
    forced: list[str] = field(factory=list)  # answers that were given because there was no other
    still: bool = False  # whether nothing is looked past
    _stop: Stop | None = None

    # ---- one stop after the other

    def arrive(self) -> Stop:
        """The stop the table stands at."""
        if self._stop is None:
            self._stop = self.interpreter.advance(self.table, self.knowledge)
            self.laws.look(self.table, self._stop)
        return self._stop

    def choose(self, choice: Choice) -> None:
        """Takes an answer."""
        self.interpreter.choose(self.table, choice, self.knowledge)
        self._stop = None

    def draw(self, outcome: Outcome) -> None:
        """Lets chance decide so."""
        self.interpreter.draw(self.table, outcome, self.knowledge)
        self._stop = None

    def by_chance(self, stop: ChanceStop) -> None:
        """Lets chance decide as the scenario's fixed stream has it."""
        self.draw(stop.outcomes.drawn(self.dice.below(stop.outcomes.total)))

    def changed(self) -> None:
        """The table was changed otherwise: what it stands at must be found again."""
        self._stop = None

    # ---- past what needs no line

    def force(self, only: Choice) -> None:
        """Gives the one answer there is, and keeps it for who asks how this came about."""
        said = self.answers.spell(self.table, only, (only,))
        self.forced.append(f"{seat_text(only.seat)}: {said}")
        self.choose(only)

    def told(self) -> str:
        """What went on by itself, and how to look before it; nothing if nothing did."""
        if not self.forced:
            return ""
        first, *others = self.forced[:_TOLD]
        more = f" and {len(self.forced) - _TOLD} more" if len(self.forced) > _TOLD else ""
        return (
            f"the game went on by itself, as there was one answer only: "
            f"{', '.join((first, *others))}{more}"
        )

    def shown(self) -> Stop:
        """The stop ahead, once the hidden cards on the way have come to light."""
        for _ in range(MOST_FORCED):
            stop = self.arrive()
            if not isinstance(stop, ChanceStop) or not is_hidden(stop):
                return stop
            self.by_chance(stop)
        raise RuleError("chance goes on without end")

    def asking(self, *answers: Answered) -> tuple[Choice, ...]:
        """What can be answered: a lone decline is given unless an answer speaks of it."""
        declined = self.still or any(answer.word == DECLINE for answer in answers)
        for _ in range(MOST_FORCED):
            stop = self.shown()
            only = only_answer(stop)
            if declined or only is None or only.option is not None:
                return self.answers.choices(stop)
            self.choose(only)
        raise RuleError("forced answers go on without end")

    def past_forced(self) -> tuple[Table, Stop]:
        """The table as it stands once all stops with one answer are answered, on a copy."""
        self.forced.clear()
        if self.still:
            return self.table, self.arrive()
        stop = self.shown()
        if only_answer(stop) is None:
            return self.table, stop
        kept, dice = self.table.copy(), self.dice.state
        for _ in range(MOST_FORCED):
            only = only_answer(stop)
            if only is None:
                break
            self.force(only)
            stop = self.shown()
        seen = self.table
        self.table, self._stop, self.dice = kept, None, Stream.at(dice)
        return seen, stop

    # ---- in words

    def say(self, stop: Stop) -> str:
        """A stop in a few words."""
        match stop:
            case Decision(node, seat, _):
                return f"{seat_text(seat)} decides{self._title(node)}"
            case JointDecision(node, seats, _):
                who = ", ".join(map(seat_text, seats))
                return f"{who} decide{self._title(node)}"
            case ChanceStop():
                return f"chance decides {self.drawn(stop)} ({len(stop.outcomes)} outcomes)"
            case Terminal(_, None):
                return "the phase has ended, and nobody called it"
            case Terminal():
                return "the game has ended"
            case _:
                assert_never(stop)

    def drawn(self, stop: ChanceStop) -> str:
        """What chance decides at a stop: the dice, what is picked, which hidden card it is."""
        settled = stop.outcomes[0].settles
        if settled is not None:
            return f"what {self.answers.words.spot(self.table, settled, None)} is"
        step = self.interpreter.graph.nodes[stop.node].step
        match step:
            case ChanceStep(Roll(dice)):
                return ", ".join(dict.fromkeys(variable.name for variable, _, _ in dice))
            case ChanceStep(Pick(variable=variable)):
                return variable.name
            case ChanceStep(Blind(variable=variable)):
                return f"which of those that look alike {variable.name} is"
            case _:
                return f"“{title(self.interpreter, stop.node)}”"

    def _title(self, node: int) -> str:
        name = title(self.interpreter, node)
        return f" “{name}”" if name else ""


def title(interpreter: Interpreter, node: int) -> str:
    """What a step is called: by its question, else by the named step around it."""
    found: Node = interpreter.graph.nodes[node]
    if found.title or found.named is None:
        return found.title
    return interpreter.graph.named[found.named].title


def is_hidden(stop: ChanceStop) -> bool:
    """Whether a stop settles what a hidden card is."""
    return stop.outcomes[0].settles is not None


def only_answer(stop: Stop) -> Choice | None:
    """The answer of a stop that has just one."""
    match stop:
        case Decision(_, _, (only,)):
            return only
        case JointDecision(_, _, each) if len(each[0]) == 1:
            return each[0][0]
        case _:
            return None


def asked(stop: Stop) -> tuple[int, ...]:
    """The seats a stop asks."""
    match stop:
        case Decision(_, seat, _):
            return (seat,)
        case JointDecision(_, seats, _):
            return seats
        case _:
            return ()
