"""All scenarios of a spec: each on the instance it asks for, instances shared."""

from collections.abc import Callable, Iterator

from attrs import frozen

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.lower.scenarios import Reader, Written, settings_of
from compiler.pipeline import Compiled, Spec
from compiler.source import Span
from ruleengine.interpreter import Interpreter
from ruleengine.scenario.run import Ran, Run


@frozen
class Unreadable:
    """A scenario that could not run: what is wrong with its lines or its configuration."""

    title: str
    clauses: tuple[str, ...]
    span: Span
    report: Report


def run_scenarios(
    spec: Spec, wanted: Callable[[str], bool] = lambda _: True
) -> Iterator[Ran | Unreadable]:
    """Runs the scenarios whose titles are wanted, in file order."""
    tables: dict[Configuration, tuple[Interpreter, Compiled] | Report] = {}
    for scenario in spec.scenarios:
        if wanted(scenario.tail.text):
            yield _run(spec, scenario, tables)


def _run(
    spec: Spec,
    scenario: Written,
    tables: dict[Configuration, tuple[Interpreter, Compiled] | Report],
) -> Ran | Unreadable:
    players, settings = settings_of(scenario)
    told = [f"{name}={value}" for name, value in settings.items()]
    configuration, refused = Configuration.parse(told, players)
    if configuration not in tables:
        made = refused if refused.has_errors else spec.instantiate(configuration)
        tables[configuration] = (
            made if isinstance(made, Report) else (Interpreter.of(made.graph, scenario=True), made)
        )
    found = tables[configuration]
    title, clauses = scenario.tail.text, scenario.tail.clauses
    if isinstance(found, Report):
        return Unreadable(title, clauses, scenario.span, found)
    interpreter, compiled = found
    reader = Reader(compiled.lowered.for_questions())
    script = reader.script(scenario)
    if reader.report.has_errors:
        return Unreadable(title, clauses, scenario.span, reader.report)
    return Run.of(interpreter, reader).play(script)
