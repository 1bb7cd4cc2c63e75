"""Who cites what: ids that do not exist, clauses that nobody implements, questions left open."""

from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname, join, normpath

from attrs import frozen

from compiler.clauses import Catalogue, CatalogueRuling, Clause, Kind, changed, nearest_id
from compiler.diagnostic import Diagnostic, Report
from compiler.resolve.errors import (
    MissingRuling,
    OnlyNoted,
    PhysicalRule,
    StaleCitation,
    UncitedClause,
    UnknownClause,
)
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.declared import Item
from compiler.syntax.walk import children, cited, cites_of, walk

MAX_TEXT = 90  # characters of a clause shown in a diagnostic


@frozen
class Citing:
    """One citation: the id, where it stands, and the stretch of the text that it is about.

    `is_done`: it stands at something that is done in play (a step, an option, a guard, a case of a
    define), not at a declaration that holds all the time.
    """

    clause: str
    span: Span
    about: Span
    is_done: bool


_DONE = (ast.Start, ast.PhaseDecl, ast.Whenever, ast.Define)


def citings(items: Sequence[Item]) -> Iterator[Citing]:
    """The citations of the rules among some declarations, in reading order."""
    for item in items:
        if isinstance(item, ast.Scenario | ast.ScenariosOf):
            continue
        for node in walk(item):
            if isinstance(node, ast.Tail):
                continue
            tails = (child for child in children(node) if isinstance(child, ast.Tail))
            words = [word for each in (node, *tails) for word in cites_of(each)]
            if words:
                about = _with_block(node)
                done = isinstance(item, _DONE)
                yield from (Citing(word.text, word.span, about, done) for word in words)


def _with_block(node: ast.Node) -> Span:
    """A line with all that stands below it, without its `elif` and `else`."""
    body: Sequence[ast.Node] = node.block if isinstance(node, ast.Branch) else (node,)
    spans = [part.span for part in walk(*body) if part.span.file == node.span.file]
    return Span(node.span.file, node.span.start, max((s.end for s in spans), default=node.span.end))


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
    for clause in citations.uncited(catalogue):
        at = _place(items, clause.span)
        if at is not None:
            report.add(UncitedClause(clause.id, _short(clause.text), span=at))
    for ruling in citations.missing(catalogue):
        at = _place(items, ruling.span)
        if at is not None:
            report.add(MissingRuling(ruling.id, _short(ruling.question), span=at))
    report.extend(_at_wrong_lines(items, catalogue))
    return report


def _at_wrong_lines(items: Sequence[Item], catalogue: Catalogue) -> Iterator[Diagnostic]:
    """Citations at lines that cannot do what the clause says."""
    noted: dict[str, list[Span]] = {}
    done: dict[str, list[Span]] = {}
    for item in items:
        if not isinstance(item, ast.Scenario | ast.ScenariosOf):
            if isinstance(item, ast.NoteDecl) and not _is_written(item):
                continue
            table = noted if isinstance(item, ast.NoteDecl) else done
            for word in cited(item):
                table.setdefault(word.text, []).append(word.span)
    for clause in catalogue.clauses.values():
        if clause.kind is Kind.MECHANICAL and clause.id in noted and clause.id not in done:
            yield OnlyNoted(clause.id, span=noted[clause.id][0])
        if clause.kind is Kind.PHYSICAL:
            for span in done.get(clause.id, ()):
                yield PhysicalRule(clause.id, span=span)


def _is_written(note: ast.NoteDecl) -> bool:
    """Whether an author wrote a note; a variant answers so for what it takes away."""
    return note.span.text.startswith("note")


def unknown_clauses(citations: Citations, catalogue: Catalogue) -> Report:
    """The citations of ids that the catalogue does not hold; also for files of scenarios."""
    report = Report()
    for id_, span in citations.all:
        if id_ not in catalogue:
            report.add(UnknownClause(id_, nearest_id(id_, catalogue.ids), span=span))
    return report


def stale_citations(
    items: Sequence[Item], catalogue: Catalogue, confirmed: Mapping[str, str]
) -> Report:
    """One warning for each citation of a text that has changed since it was confirmed."""
    stale = frozenset(changed(catalogue, confirmed))
    found = read_citations(items).all
    return Report.of(*(StaleCitation(id_, span=span) for id_, span in found if id_ in stale))


def _place(items: Sequence[Item], row: Span) -> Span | None:
    """Where a rulebook, or a variant of it, names the table that a row stands in."""
    rulebook = next((item for item in items if isinstance(item, ast.Rulebook)), None)
    if rulebook is None:
        return None
    lines = [line for line in rulebook.lines if isinstance(line, ast.ClausesFile)]
    named = (line for line in lines if _table(line) == row.file.name)
    return next(named, lines[0] if lines else rulebook).span


def _table(line: ast.ClausesFile) -> str:
    """The file that a line names, as it is called elsewhere."""
    return normpath(join(dirname(line.span.file.name), line.path.text))


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1].rstrip() + "…"
