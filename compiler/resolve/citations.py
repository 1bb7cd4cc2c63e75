"""Who cites what: ids that do not exist, clauses that nobody implements, questions left open."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from compiler.clauses import Catalogue, CatalogueRuling, Clause, changed
from compiler.diagnostic import Report
from compiler.resolve.errors import MissingRuling, StaleCitation, UncitedClause, UnknownClause
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.declared import Item
from compiler.syntax.spelling import nearest
from compiler.syntax.walk import cited

MAX_TEXT = 90  # characters of a clause shown in a diagnostic


@frozen
class Citations:
    """The places that cite each id, in reading order.

    `rules` are those of rules, notes, invariants and claims; a scenario implements nothing.
    """

    rules: Mapping[str, tuple[Span, ...]]
    scenarios: Mapping[str, tuple[Span, ...]]

    def uncited(self, catalogue: Catalogue) -> tuple[Clause, ...]:
        """The mechanical clauses that no rule implements, in the order of the table."""
        return tuple(clause for clause in catalogue.mechanical if clause.id not in self.rules)

    def missing(self, catalogue: Catalogue) -> tuple[CatalogueRuling, ...]:
        """The questions of the catalogue that no rule decides or mentions."""
        return tuple(r for r in catalogue.rulings.values() if r.id not in self.rules)

    @property
    def all(self) -> tuple[tuple[str, Span], ...]:
        """Every citation: the id, and where it stands."""
        return tuple(
            (id_, span)
            for table in (self.rules, self.scenarios)
            for id_, spans in table.items()
            for span in spans
        )


def read_citations(items: Sequence[Item]) -> Citations:
    """The citations of some declarations."""
    rules: dict[str, tuple[Span, ...]] = {}
    scenarios: dict[str, tuple[Span, ...]] = {}
    for item in items:
        table = scenarios if isinstance(item, ast.Scenario | ast.ScenariosOf) else rules
        for word in cited(item):
            table[word.text] = (*table.get(word.text, ()), word.span)
    return Citations(rules, scenarios)


def check_citations(items: Sequence[Item], catalogue: Catalogue) -> Report:
    """What is cited must exist; what is mechanical should be cited, what is open decided."""
    citations = read_citations(items)
    report = unknown_clauses(citations, catalogue)
    at = _place(items)
    if at is not None:
        for clause in citations.uncited(catalogue):
            report.add(UncitedClause(clause.id, _short(clause.text), span=at))
        for ruling in citations.missing(catalogue):
            report.add(MissingRuling(ruling.id, _short(ruling.question), span=at))
    return report


def unknown_clauses(citations: Citations, catalogue: Catalogue) -> Report:
    """The citations of ids that the catalogue does not hold; also for files of scenarios."""
    report = Report()
    for id_, span in citations.all:
        if id_ not in catalogue:
            report.add(UnknownClause(id_, nearest(id_, catalogue.ids), span=span))
    return report


def stale_citations(
    items: Sequence[Item], catalogue: Catalogue, confirmed: Mapping[str, str]
) -> Report:
    """One warning for each citation of a text that has changed since it was confirmed."""
    stale = frozenset(changed(catalogue, confirmed))
    found = read_citations(items).all
    return Report.of(*(StaleCitation(id_, span=span) for id_, span in found if id_ in stale))


def _place(items: Sequence[Item]) -> Span | None:
    """Where a rulebook names its table of clauses."""
    rulebook = next((item for item in items if isinstance(item, ast.Rulebook)), None)
    if rulebook is None:
        return None
    lines = [line for line in rulebook.lines if isinstance(line, ast.ClausesFile)]
    return lines[0].span if lines else rulebook.span


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1].rstrip() + "…"
