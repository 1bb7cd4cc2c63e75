"""How near games came to what they never came to."""

from collections.abc import Iterator
from typing import Final

from attrs import define, frozen

from ruleengine.coverage.clauses import ClauseCoverage
from ruleengine.coverage.ledger import Coverage
from ruleengine.coverage.points import CHOSEN, HOLDS, NO, OFFERED, REFUSES, YES, Point, Sort

_NEVER: Final = 0  # how near: nothing of it was come to


@frozen
class Miss:
    """What did not happen, where it is written, its line, and what stood in the way.

    `near` is greater the nearer games came.
    """

    point: Point
    text: str
    why: str
    near: int


@frozen
class Missed:
    """A clause that was never made happen, and the nearest miss of the rules that cite it."""

    clause: str
    text: str
    miss: Miss | None

    @property
    def why(self) -> str:
        """What stood in the way, in words."""
        if self.miss is None:
            return "no configuration that was played has a rule for it"
        return f"{self.miss.point.place}: {self.miss.text}: {self.miss.why}"


def missed(coverage: Coverage, clauses: ClauseCoverage) -> tuple[Missed, ...]:
    """Every unreached clause with its nearest miss, in the order of the table."""
    near = _Near.of(coverage)
    found = []
    for clause in clauses.unreached:
        misses = [near.miss(p) for p, m in coverage.meanings.items() if clause in m.clauses]
        best = max(misses, key=lambda miss: miss.near, default=None)
        found.append(Missed(clause, clauses.texts.get(clause, ""), best))
    return tuple(found)


def misses(coverage: Coverage) -> tuple[Miss, ...]:
    """Every point that was never come to, in the order of the text."""
    near = _Near.of(coverage)
    return tuple(near.miss(point) for point in coverage.unreached)


@define(eq=False)
class _Near:
    """Says what stood in the way."""

    coverage: Coverage
    tests: tuple[Point, ...]  # the way in, of every test

    @classmethod
    def of(cls, coverage: Coverage) -> "_Near":
        """For the points of a coverage."""
        tests = (p for p in coverage.meanings if p.sort is Sort.TEST and p.how == YES)
        return cls(coverage, tuple(sorted(tests)))

    def miss(self, point: Point) -> Miss:
        """How near games came to a point that they did not come to."""
        near, why = self._why(point)
        return Miss(point, self.coverage.meanings[point].words, why, near)

    def _why(self, point: Point) -> tuple[int, str]:
        match point.sort, point.how:
            case (Sort.TEST, how):
                tried = self._times(point, NO if how == YES else YES)
                never = "true" if how == YES else "false"
                return self._counted(point, tried, f"never {never}", "tried")
            case (Sort.GUARD, how):
                tried = self._times(point, HOLDS if how == REFUSES else REFUSES)
                never = "refused nothing" if how == REFUSES else "refused everything"
                return self._counted(point, tried, never, "asked")
            case (Sort.OPTION, how) if how == CHOSEN:
                tried = self._times(point, OFFERED)
                return self._counted(point, tried, "never chosen", "offered")
            case _:
                return self._around(point)

    def _counted(self, point: Point, tried: int, never: str, verb: str) -> tuple[int, str]:
        """What was tried so often without success, or why it was not even tried."""
        if not tried:
            return self._around(point)
        times = "once" if tried == 1 else f"{tried:,} times"
        return tried, f"{never}, {verb} {times}"

    def _times(self, point: Point, how: str) -> int:
        other = Point(point.file, point.line, point.column, point.sort, point.name, how)
        return self.coverage.times(other)

    def _around(self, point: Point) -> tuple[int, str]:
        """The innermost test around a point that did not let games in."""
        for test in self._enclosing(point):
            if not self.coverage.times(test):
                tried = self._times(test, NO)
                words = self.coverage.meanings[test].words
                if tried:
                    return tried, f"line {test.line} was never true: {words} ({tried:,} times)"
        return _NEVER, "games never came near"

    def _enclosing(self, point: Point) -> Iterator[Point]:
        """The tests whose blocks a point stands in, innermost first: blocks are indented."""
        column = point.column
        for test in reversed(self.tests):
            above = test.file == point.file and test.line < point.line
            if above and test.column < column:
                column = test.column
                yield test
