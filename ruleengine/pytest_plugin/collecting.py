"""Files of rules as pytest collects them.

What a file asks for is what stands in it: of a rulebook its own scenarios and all that plays
decide, of a file of scenarios these, of a variant what plays decide with it.  The plays of a spec
are made once, when the first of its tests is run that needs them.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import pytest

from compiler.diagnostic import Report
from compiler.lower.script import Written
from compiler.pipeline import Spec, compile_sources
from compiler.render import full
from ruleengine import library
from ruleengine.library import Heading, Role
from ruleengine.scenario.suite import Stage, interpreter_of
from ruleengine.testing.failing import failure
from ruleengine.testing.kept import FOLDER, Kept
from ruleengine.testing.plan import Outcome, Plan, Tested
from ruleengine.testing.scenarios import scenario_test
from ruleengine.testing.suite import asked_tests, game_tests


class BrokenRules(Exception):
    """A test of rules that failed; the lines say how."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))


class RulesFile(pytest.File):
    """One file of rules."""

    def collect(self) -> Iterator[pytest.Item]:
        """Its tests."""
        heading = library.heading(self.path.read_text(encoding="utf-8", errors="replace"))
        spec = self.spec
        if isinstance(spec, Report):
            yield CheckItem.from_parent(self, name="check", report=spec)
            return
        yield from self._scenarios(spec)
        if heading is None or heading.role is not Role.SCENARIOS:
            for test in asked_tests(spec, self._plan(spec, heading)):
                name = f"{test.sort.value}: {test.title}"
                yield PlayedItem.from_parent(self, name=name, test=test)

    @cached_property
    def spec(self) -> Spec | Report:
        """What the file belongs to, compiled."""
        sources = library.read(str(self.path))
        return sources if isinstance(sources, Report) else compile_sources(sources)

    @cached_property
    def stage(self) -> Stage:
        """Where its scenarios are run."""
        if isinstance(self.spec, Report):
            raise BrokenRules(full(self.spec).splitlines())
        return Stage(self.spec, interpreter_of)

    @cached_property
    def played(self) -> dict[str, Tested]:
        """How the tests came out that plays decide, by name."""
        if isinstance(self.spec, Report):
            return {}
        heading = library.heading(self.path.read_text(encoding="utf-8", errors="replace"))
        kept = Kept(self.config.rootpath / FOLDER)
        found = {test.name: test for test in game_tests(self.spec, self._plan(self.spec, heading))}
        for test in found.values():
            kept.update(test)
        return found

    def _plan(self, spec: Spec, heading: Heading | None) -> Plan:
        """How much is played: of a variant less, unless it is asked for."""
        option = self.config.getoption
        variant = heading is not None and heading.role is Role.VARIANT
        return Plan(
            option("--rules-games"),
            option("--rules-seed"),
            readings=not variant or option("--rules-readings"),
            states=0 if not option("--rules-games") else Plan(0).states,
            stops=0 if not option("--rules-games") else Plan(0).stops,
            known=Kept(self.config.rootpath / FOLDER).known(spec.name),
        )

    def _scenarios(self, spec: Spec) -> Iterator[pytest.Item]:
        """The scenarios that stand in this file."""
        for scenario in spec.scenarios:
            if Path(scenario.span.file.name).resolve() == self.path.resolve():
                name = f"scenario: {scenario.tail.text}"
                yield ScenarioItem.from_parent(self, name=name, scenario=scenario)


class RulesItem(pytest.Item):
    """One test of a file of rules."""

    parent: RulesFile
    line: int | None = None

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it is written, and its name."""
        return self.path, self.line, self.name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: object) -> str:
        """What failed in words of the spec; the traceback only for what is no failure of it."""
        if isinstance(excinfo.value, BrokenRules):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def judge(self, test: Tested) -> None:
        """Passes, skips or fails, as a test came out."""
        if test.outcome is Outcome.SKIPPED:
            pytest.skip(test.message)
        if test.outcome is Outcome.FAILED:
            raise BrokenRules(failure(test))


class ScenarioItem(RulesItem):
    """A scenario."""

    def __init__(self, *, scenario: Written, **rest: Any) -> None:
        super().__init__(**rest)
        self.scenario = scenario
        self.line = scenario.span.first.line - 1

    @classmethod
    def from_parent(cls, parent: pytest.Collector, **rest: Any) -> Self:
        """One that belongs to a file."""
        made: Self = super().from_parent(parent, **rest)
        return made

    def runtest(self) -> None:
        """Runs it."""
        stage = self.parent.stage
        self.judge(scenario_test(stage.spec.name, stage.run(self.scenario)))


class PlayedItem(RulesItem):
    """A law, an invariant or a claim."""

    def __init__(self, *, test: Tested, **rest: Any) -> None:
        super().__init__(**rest)
        self.test = test
        self.line = _line(test.place, self.path)

    def runtest(self) -> None:
        """Plays, or has played."""
        self.judge(self.parent.played[self.test.name])


class CheckItem(RulesItem):
    """A file that does not compile."""

    def __init__(self, *, report: Report, **rest: Any) -> None:
        super().__init__(**rest)
        self.report = report

    def runtest(self) -> None:
        """Fails."""
        raise BrokenRules(full(self.report).splitlines())


def _line(place: str | None, path: Path) -> int | None:
    """The line of a place, from 0, if it is in this file."""
    if place is None:
        return None
    name, line, _ = place.rsplit(":", 2)
    return int(line) - 1 if Path(name).name == path.name else None
