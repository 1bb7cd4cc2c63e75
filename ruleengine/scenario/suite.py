"""All scenarios of a spec: each on the instance it asks for, instances shared."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from attrs import define, field, frozen

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.lower.scenarios import Reader
from compiler.lower.script import Written
from compiler.pipeline import Compiled, Spec
from compiler.source import Span
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.events import Knowledge
from ruleengine.rehearsing import configuration_of, placed
from ruleengine.scenario.laws import Laws
from ruleengine.scenario.run import Ran, Run


@frozen
class Unreadable:
    """A scenario that could not run: what is wrong with its lines or its configuration."""

    title: str
    clauses: tuple[str, ...]
    span: Span
    report: Report


@frozen(eq=False)
class _Game:
    """What all scenarios of one configuration share."""

    compiled: Compiled
    interpreter: Interpreter
    knowledge: Knowledge
    laws: Laws

    @classmethod
    def of(cls, compiled: Compiled, making: "Making") -> "_Game":
        interpreter = making(compiled)
        knowledge = Knowledge.of(interpreter.terms, interpreter.sight)
        return cls(compiled, interpreter, knowledge, Laws.of(interpreter))


Making: TypeAlias = Callable[[Compiled], Interpreter]
"""Makes the interpreter that the scenarios of one configuration run on."""


def interpreter_of(compiled: Compiled) -> Interpreter:
    """The reference, as scenarios need it."""
    return Interpreter.of(compiled.graph, scenario=True)


@define(eq=False)
class Stage:
    """Where the scenarios of a spec are run, one after the other; games are made once."""

    spec: Spec
    making: "Making"
    _games: "dict[Configuration, _Game | Report]" = field(factory=dict)

    def run(self, scenario: Written) -> Ran | Unreadable:
        """Runs a scenario on the instance it asks for."""
        wish = configuration_of(scenario)
        if isinstance(wish, Report):
            return _run(scenario, wish)
        if wish not in self._games:
            self._games[wish] = _game(self.spec, wish, self.making)
        return _run(scenario, self._games[wish])

    def run_all(self, chosen: Sequence[Written]) -> Iterator[Ran | Unreadable]:
        """Runs these, and forgets each game behind the last that is played in it."""
        asked = [configuration_of(scenario) for scenario in chosen]
        left = Counter(wish for wish in asked if isinstance(wish, Configuration))
        for scenario, wish in zip(chosen, asked, strict=True):
            yield self.run(scenario)
            if isinstance(wish, Configuration):
                left[wish] -= 1
                if not left[wish]:
                    self.clear(wish)  # nobody needs it any more, and there may be many

    def clear(self, configuration: Configuration) -> None:
        """Forgets a game."""
        self._games.pop(configuration, None)


def run_scenarios(
    spec: Spec,
    wanted: Callable[[str], bool] = lambda _: True,
    making: Making = interpreter_of,
) -> Iterator[Ran | Unreadable]:
    """Runs the scenarios whose titles are wanted, in file order.

    The first is run as soon as its file is read; the files behind it wait.
    """
    stage = Stage(spec, making)
    written = (scenario for scenario in spec.scenarios if wanted(scenario.tail.text))
    yield from map(stage.run, islice(written, 1))
    yield from stage.run_all(tuple(written))


def run_written(
    spec: Spec, chosen: Sequence[Written], making: Making = interpreter_of
) -> Iterator[Ran | Unreadable]:
    """Runs these scenarios of a spec, in their order."""
    return Stage(spec, making).run_all(chosen)


def _game(spec: Spec, wish: Configuration, making: Making) -> _Game | Report:
    made = spec.instantiate(wish)
    return made if isinstance(made, Report) else _Game.of(made, making)


def _run(scenario: Written, found: _Game | Report) -> Ran | Unreadable:
    title, clauses = scenario.tail.text, scenario.tail.clauses
    if isinstance(found, Report):
        return Unreadable(title, clauses, scenario.span, placed(found, scenario))
    reader = Reader(found.compiled.lowered.for_questions())
    script = reader.script(scenario)
    if reader.report.has_errors:
        return Unreadable(title, clauses, scenario.span, reader.report)
    return Run.of(found.interpreter, reader, found.knowledge, found.laws).play(script)
