"""Which scenarios can notice a fault: those that come to where it is.

What is counted is what each scenario of the whole rulebook comes to, line by line.  A step that a
scenario does not come to can be anything.  What leaves no trace, because a reading decides it or it
is a declaration, is thought to matter to every scenario that comes near.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Self, TypeAlias

from attrs import frozen

from compiler.lower.scenarios import settings_of
from compiler.lower.script import Written
from compiler.mutation.mutation import Mutation
from compiler.pipeline import Spec
from compiler.source import SourceFile
from ruleengine.coverage.points import Point
from ruleengine.scenario.covering import Covered, covered_scenarios
from ruleengine.scenario.run import Ran

_TOGETHER: Final = 6  # scenarios of one game that are played one after the other

Lines: TypeAlias = frozenset[int]
Asked: TypeAlias = tuple[int | None, tuple[tuple[str, str], ...]]
"""How many players, and the settings; none of them in a game as the rulebook comes."""


@frozen
class _Come:
    """The lines of the rulebook that a scenario comes to, of those that leave a trace in its game.

    `asked` is what it asks of that game; `clauses` are those that the scenario cites.
    """

    lines: Lines
    traced: Lines
    asked: Asked
    clauses: frozenset[str]


@frozen
class Reach:
    """What the scenarios of a spec come to, in the order of the files.

    `failing` is the title of the first that does not pass.
    """

    scenarios: tuple[_Come, ...]
    failing: str | None

    @classmethod
    def of(cls, spec: Spec) -> Self:
        """That of a spec, whose scenarios are run for it."""
        written = tuple(spec.scenarios)
        ran = tuple(covered_scenarios(spec))
        come = [
            _come(one, scenario, spec.sources.base)
            for one, scenario in zip(ran, written, strict=True)
        ]
        failing = (one.ran.title for one in ran if not _passed(one))
        return cls(tuple(come), next(failing, None))

    def order(self, mutation: Mutation) -> tuple[int, ...]:
        """The scenarios that may notice a fault, the likeliest first.

        Behind each come some others of its game: to make a game takes longer than to play several.
        """
        cited = frozenset(mutation.clauses)

        def key(at: int) -> tuple[bool, bool, bool, int]:
            one = self.scenarios[at]
            near = mutation.near or mutation.around
            _, settings = one.asked
            return not cited & one.clauses, not _meet(near, one.lines), bool(settings), at

        waiting = sorted(self._may_notice(mutation), key=key)
        found: list[int] = []
        while waiting:
            game = self.scenarios[waiting[0]].asked
            same = [at for at in waiting if self.scenarios[at].asked == game][:_TOGETHER]
            found += same
            waiting = [at for at in waiting if at not in same]
        return tuple(found)

    def _may_notice(self, mutation: Mutation) -> Iterator[int]:
        near, around = mutation.near, mutation.around
        for at, one in enumerate(self.scenarios):
            if near is None or (not _meet(near, one.traced) and not _meet(around, one.traced)):
                yield at
            elif _meet(near, one.traced):
                if _meet(near, one.lines):
                    yield at
            elif _meet(around, one.lines):
                yield at


def _come(one: Covered, scenario: Written, base: SourceFile) -> _Come:
    coverage = one.coverage
    players, settings = settings_of(scenario)
    come = {point for point, count in coverage.counts.items() if count}
    return _Come(
        _lines(come | one.begun, base),
        _lines(coverage.meanings, base),
        (players, tuple(sorted(settings.items()))),
        frozenset(one.ran.clauses),
    )


def _lines(points: Iterable[Point], base: SourceFile) -> Lines:
    return frozenset(point.line for point in points if point.file == base.name)


def _meet(some: range, lines: Lines) -> bool:
    return any(line in lines for line in some)


def _passed(one: Covered) -> bool:
    return isinstance(one.ran, Ran) and one.ran.failure is None
