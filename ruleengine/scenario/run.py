"""Runs a scenario on the reference interpreter, line by line.

Chance that no line forces is drawn from one fixed stream, hidden cards that come to light included.
Expectations about the state look past stops with a single answer; those about options and chance
look at the stop itself.  Invariants are tested at every stop and where their phase begins, unless
the given position breaks them.
"""

from difflib import get_close_matches
from typing import assert_never

from attrs import define, frozen

from compiler.graph.titled import titled_nodes
from compiler.graph.values import seat_text
from compiler.lower.scenarios import Reader
from compiler.lower.script import At, ChanceForced, Expect, Line, Made, Position, Script
from compiler.source import Span
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.events import Knowledge
from ruleengine.rng import CHANCE, stream
from ruleengine.scenario.answers import Answers
from ruleengine.scenario.course import MOST_FORCED, Course, only_answer
from ruleengine.scenario.errors import Broken, Failure
from ruleengine.scenario.expectations import Expectations
from ruleengine.scenario.forcing import Forcing
from ruleengine.scenario.laws import Laws
from ruleengine.scenario.position import Setting
from ruleengine.scenario.tokens import Words
from ruleengine.stops import ChanceStop, Choice, Stop

_TOLD = 8  # answers that a message lists


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

    words: Words
    course: Course
    forcing: Forcing
    expectations: Expectations
    _checked: int = 0

    @classmethod
    def of(
        cls, interpreter: Interpreter, reader: Reader, knowledge: Knowledge, laws: Laws
    ) -> "Run":
        """A run that has not begun; knowledge and laws are those of the interpreter."""
        laws.begin()
        words = Words(interpreter, reader)
        course = Course(
            interpreter,
            Answers(interpreter, words),
            knowledge,
            laws,
            stream(0, 0, CHANCE),
            interpreter.start(),
        )
        forcing = Forcing(course, words)
        return cls(words, course, forcing, Expectations(course, words, forcing))

    def play(self, script: Script) -> Ran:
        """Carries out all lines; stops at the first that fails."""
        failure: Failure | None = None
        at = script.span
        try:
            self._begin(script)
            for line in script.lines:
                at = line.span
                self._line(line)
        except Broken as broken:
            failure = Failure(broken.message, broken.span or at, broken.hint)
        except RuleError as error:
            phase = f"in phase `{error.where.phase}`; " if error.where is not None else ""
            hint = f"{phase}the scenario is at {at}" if error.span is not None else ""
            failure = Failure(error.message, error.span or at, hint)
        unchecked = self.course.laws.unchecked
        return Ran(script.title, script.clauses, script.span, failure, self._checked, unchecked)

    # ---- beginning

    def _begin(self, script: Script) -> None:
        positions = [line for line in script.lines if isinstance(line, Position)]
        ats = [line for line in script.lines if isinstance(line, At)]
        if not positions and not ats:
            return
        course, interpreter = self.course, self.course.interpreter
        course.table = interpreter.prepared()
        setting = Setting(interpreter, self.words, course.table)
        for position in positions:
            setting.set_up(position)
        at = ats[0] if ats else At("start", (), None, script.span)
        within = None if at.title is None else self._titled(at, at.title)
        interpreter.enter(course.table, at.phase, at.args, within)
        course.laws.given(course.table)

    def _titled(self, at: At, title: str) -> int:
        """The first node of a phase inside the named step, decision or question."""
        here = titled_nodes(self.course.interpreter.graph, at.phase)
        if title not in here:
            names = ", ".join(f"“{name}”" for name in here if name) or "nothing"
            raise Broken(f"nothing in `{at.phase}` is called “{title}”", at.span, f"it has {names}")
        return here[title]

    # ---- lines

    def _line(self, line: Line) -> None:
        match line:
            case Position() | At():
                return
            case ChanceForced():
                self.forcing.force(line)
            case Made():
                self._make(line)
            case Expect():
                self._checked += 1
                self.expectations.check(line)
            case _:
                assert_never(line)

    def _make(self, line: Made) -> None:
        """Gives an answer; stops on the way are answered if they have one answer, or by chance.

        Where an answer on the way has the same name, it is the line that is wrong.
        """
        course, answers = self.course, self.course.answers
        self._known(line)
        refused: Broken | None = None
        course.forced.clear()
        for _ in range(MOST_FORCED):
            stop = course.shown()
            choices = answers.choices(stop, line.seat)
            if choices:
                found = answers.the_one(course.table, choices, line.answer)
                if found is not None:
                    course.choose(found)
                    return
                if answers.has(choices[0], line.answer):
                    refused = refused or self._not_possible(line, stop, choices)
            only = only_answer(stop)
            if only is not None:
                course.force(only)
            elif isinstance(stop, ChanceStop) and refused is None:
                course.by_chance(stop)
            else:
                raise refused or self._by_itself(self._not_possible(line, stop, choices))

    def _by_itself(self, broken: Broken) -> Broken:
        """The same, with what had gone on by itself until then."""
        told = "; ".join(part for part in (broken.hint, self.course.told()) if part)
        return Broken(broken.message, broken.span, told)

    def _known(self, line: Made) -> None:
        """Checks that an option of the game is called so, before stops on the way are passed."""
        answers, table, word = self.course.answers, self.course.table, line.answer.word
        names = answers.names()
        if word in names:
            return
        near = get_close_matches(word, names, 1)
        if near:
            hint = f"did you mean `{near[0]}`?"
        elif choices := answers.choices(self.course.shown(), line.seat):
            told = answers.listed(table, choices, choices, _TOLD)
            hint = f"{seat_text(line.seat)} can: {told}"
        else:
            hint = f"there are {', '.join(names)}"
        raise Broken(f"no option of this game is called `{word}`", line.answer.span, hint)

    def _not_possible(self, line: Made, stop: Stop, choices: tuple[Choice, ...]) -> Broken:
        who = seat_text(line.seat)
        answers = self.course.answers
        if not choices:
            return Broken(f"{who} is not asked here: {self.course.say(stop)}", line.span)
        table = self.course.table
        message = f"{who} cannot answer this"
        hint = answers.form(choices[0], line.answer)
        if not hint:
            message += answers.refused_by(table, choices, line.answer)
            hint = f"{who} can: {answers.listed(table, choices, choices, _TOLD)}"
        return Broken(message, line.answer.span, hint)
