"""Which clauses of a rulebook games made happen.

A clause is reached if a rule that cites it was *in play*:

- a step: it was done, or a step inside it, or one of the phase that cites it;
- a test (`if`, `until`, `for`): it came out true; if a reading decides it, what is in it was done;
- an option: it was chosen;
- a guard: it refused an answer;
- a case of a `define`: its value was used;
- anything else (cards, zones, parameters, rulings, variables, notes, invariants): it is in force as
  soon as there is a game.
"""

from collections.abc import Mapping
from typing import Self

from attrs import frozen

from compiler.pipeline import Spec
from compiler.resolve.citations import citings
from compiler.source import Span
from ruleengine.coverage.ledger import Coverage, Share


@frozen
class ClauseCoverage:
    """The mechanical clauses of a spec, and how often each was made to happen.

    A clause in `in_force` is cited by a declaration, which holds in every game.
    """

    mechanical: tuple[str, ...]
    times: Mapping[str, int]
    in_force: frozenset[str]
    cited: Mapping[str, tuple[Span, ...]]
    texts: Mapping[str, str]

    @property
    def reached(self) -> tuple[str, ...]:
        """Those that were."""
        return tuple(clause for clause in self.mechanical if self.is_reached(clause))

    @property
    def unreached(self) -> tuple[str, ...]:
        """Those that were not, in the order of the table."""
        return tuple(clause for clause in self.mechanical if not self.is_reached(clause))

    @property
    def share(self) -> Share:
        """How many were."""
        return Share(len(self.reached), len(self.mechanical))

    def is_reached(self, clause: str) -> bool:
        """Whether a clause was made to happen, or is in force."""
        return clause in self.in_force or bool(self.times.get(clause))


def clause_coverage(spec: Spec, coverage: Coverage) -> ClauseCoverage | None:
    """What games made happen of the clauses of a spec; `None` if it has no table of them."""
    if spec.catalogue is None:
        return None
    texts = {clause.id: clause.text for clause in spec.catalogue.mechanical}
    mechanical = tuple(texts)
    places = _Places.of(coverage)
    times = dict(coverage.clauses)
    in_force: set[str] = set()
    spans: dict[str, tuple[Span, ...]] = {}
    for citing in citings((spec.heading, *spec.declarations)):
        clause = citing.clause
        spans[clause] = (*spans.get(clause, ()), citing.span)
        if not citing.is_done:
            in_force.update((clause,) if coverage.counts else ())
        elif not places.has(clause, citing.about):
            times[clause] = times.get(clause, 0) + places.inside(citing.about)
    return ClauseCoverage(mechanical, times, frozenset(in_force), spans, texts)


@frozen
class _Places:
    """Where the points of a coverage are: by line, and by line and clause."""

    counts: Mapping[tuple[str, int], int]
    cited: frozenset[tuple[str, int, str]]

    @classmethod
    def of(cls, coverage: Coverage) -> Self:
        """Those of a coverage."""
        counts: dict[tuple[str, int], int] = {}
        for point, count in coverage.counts.items():
            at = point.file, point.line
            counts[at] = max(counts.get(at, 0), count)
        cited = frozenset(
            (point.file, point.line, clause)
            for point, meaning in coverage.meanings.items()
            for clause in meaning.clauses
        )
        return cls(counts, cited)

    def has(self, clause: str, around: Span) -> bool:
        """Whether what begins here is a point that stands for a clause."""
        return (around.file.name, around.first.line, clause) in self.cited

    def inside(self, around: Span) -> int:
        """How often something inside was come to: where a line itself leaves no step, as a test
        that a reading decides, or a step that is only a heading."""
        lines = range(around.first.line, around.beyond.line + 1)
        return max((self.counts.get((around.file.name, line), 0) for line in lines), default=0)
