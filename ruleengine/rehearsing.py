"""What is wrong with the scenarios of a spec, found without playing them.

A scenario is looked at in the configuration it asks for; those of one configuration share a game.
"""

from collections.abc import Iterator

from attrs import define, evolve, field

from compiler.config import UNWRITTEN, Configuration
from compiler.diagnostic import Report
from compiler.lower.errors import SeatsRefused
from compiler.lower.rehearsal import Rehearsal
from compiler.lower.scenarios import PLAYERS, Reader, setting_lines, settings_of
from compiler.lower.script import Written
from compiler.pipeline import Compiled, Spec


def configuration_of(scenario: Written) -> Configuration | Report:
    """The configuration that a scenario asks for, or what is wrong with how it is written."""
    players, settings = settings_of(scenario)
    told = [f"{name}={value}" for name, value in settings.items()]
    configuration, refused = Configuration.parse(told, players)
    return refused if refused.has_errors else configuration


def placed(report: Report, scenario: Written) -> Report:
    """What is wrong with a configuration, told at the line of the scenario that asks for it."""
    spans = setting_lines(scenario)
    moved = Report()
    for finding in report:
        said = finding.span.text if finding.span.file.name == UNWRITTEN else ""
        span = spans.get(said.partition("=")[0], finding.span)
        if isinstance(finding, SeatsRefused):
            span = spans.get(PLAYERS, scenario.span)
        moved.add(evolve(finding, span=span))
    return moved


@define(eq=False)
class Rehearsals:
    """The scenarios of a spec that are still to be looked at, by configuration."""

    report: Report = field(factory=Report)
    _left: dict[Configuration, list[Written]] = field(factory=dict)

    @classmethod
    def of(cls, spec: Spec) -> "Rehearsals":
        """All scenarios of a spec; what is wrong with how one asks for its game is reported."""
        made = cls()
        for scenario in spec.scenarios:
            wish = configuration_of(scenario)
            if isinstance(wish, Report):
                made.report.extend(placed(wish, scenario))
            else:
                made._left.setdefault(wish, []).append(scenario)
        return made

    def left(self) -> Iterator[Configuration]:
        """The configurations that scenarios ask for and that were not looked at."""
        yield from tuple(self._left)

    def look(self, configuration: Configuration, made: Compiled | Report) -> None:
        """Looks at the scenarios of a configuration, in its game or at why there is none."""
        for scenario in self._left.pop(configuration, ()):
            if isinstance(made, Report):
                self.report.extend(placed(made, scenario))
                continue
            reader = Reader(made.lowered.for_questions())
            Rehearsal(reader).look(scenario)
            self.report.extend(reader.report)
