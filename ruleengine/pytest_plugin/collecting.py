"""Files of rules as pytest collects them.

What a file asks for is what stands in it: of a rulebook its own scenarios and all that plays
decide, of a file of scenarios these, of a variant what plays decide with it.  To collect, files are
parsed and nothing is compiled for a number of players; the plays of a spec are made once, when the
first of its tests is run that needs them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Self, TypeAlias

import pytest

from compiler.diagnostic import Report
from compiler.lower.script import Written
from compiler.pipeline import Spec, compile_rules, compile_sources
from compiler.render import full
from ruleengine import library
from ruleengine.library import Role
from ruleengine.scenario.suite import Stage, interpreter_of
from ruleengine.testing.asked import asked_tests
from ruleengine.testing.failing import failure
from ruleengine.testing.kept import FOLDER, Kept
from ruleengine.testing.plan import Outcome, Plan, Tested
from ruleengine.testing.scenarios import scenario_test

Playing: TypeAlias = Callable[[Spec, Plan], Iterator[Tested]]
"""Plays games of a spec, and says what came of it."""


class BrokenRules(Exception):
    """A test of rules that failed; the lines say how."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))


class RulesFile(pytest.File):
    """One file of rules."""

    def collect(self) -> Iterator[pytest.Item]:
        """Its tests."""
        spec = self.spec
        if isinstance(spec, Report):
            yield CheckItem.from_parent(self, name="check", report=spec)
            return
        for scenario in self._scenarios(spec):
            name = f"scenario: {scenario.tail.text}"
            yield ScenarioItem.from_parent(self, name=name, scenario=scenario)
        if self._role is not Role.SCENARIOS:
            for test in asked_tests(spec, self._plan(spec)):
                name = f"{test.sort.value}: {test.title}"
                yield PlayedItem.from_parent(self, name=name, test=test)

    @cached_property
    def spec(self) -> Spec | Report:
        """What the file belongs to; files of scenarios beside it are looked at by themselves."""
        sources = library.read(str(self.path))
        if isinstance(sources, Report):
            return sources
        compiled = compile_sources if self._role is Role.SCENARIOS else compile_rules
        return compiled(sources)

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
        kept = Kept(self.config.rootpath / FOLDER)
        # Whoever runs scenarios alone does not wait for what plays.
        play: Playing = import_module("ruleengine.testing.suite").game_tests
        found = {test.name: test for test in play(self.spec, self._plan(self.spec))}
        for test in found.values():
            kept.update(test)
        return found

    @cached_property
    def _role(self) -> Role | None:
        """What the file says it is."""
        heading = library.heading(self.path.read_text(encoding="utf-8", errors="replace"))
        return None if heading is None else heading.role

    def _plan(self, spec: Spec) -> Plan:
        """How much is played: of a variant less, unless it is asked for."""
        option = self.config.getoption
        return Plan(
            option("--rules-games"),
            option("--rules-seed"),
            readings=self._role is not Role.VARIANT or option("--rules-readings"),
            states=0 if not option("--rules-games") else Plan(0).states,
            stops=0 if not option("--rules-games") else Plan(0).stops,
            known=Kept(self.config.rootpath / FOLDER).known(spec.name),
        )

    def _scenarios(self, spec: Spec) -> Iterator[Written]:
        """The scenarios that stand in this file."""
        if self._role is Role.SCENARIOS:
            yield from spec.scenarios
            return
        own = self.path.resolve()
        yield from (one for one in spec.own_scenarios if Path(one.span.file.name).resolve() == own)


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


def brought(named: Sequence[Path]) -> Iterator[Path]:
    """The files of scenarios of the rulebooks among these files and folders, those left out that
    are among them already.
    """
    there = {path.resolve() for path in named}
    for path in named:
        if path.suffix != library.SUFFIX or not path.is_file():
            continue
        for told in library.scenario_files(path):
            whole = told.resolve()
            if there.isdisjoint((whole, *whole.parents)):
                there.add(whole)
                yield told


def _line(place: str | None, path: Path) -> int | None:
    """The line of a place, from 0, if it is in this file."""
    if place is None:
        return None
    name, line, _ = place.rsplit(":", 2)
    return int(line) - 1 if Path(name).name == path.name else None
