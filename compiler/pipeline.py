"""The stages in order: files to a `Spec`, a `Spec` and a `Configuration` to what a machine runs.

A spec is checked whatever its configuration: its form, its names, its citations.  Types and bounds
depend on parameters and numbers of players; they are found when an instance is made, and `check`
makes one for every number of players and every reading.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from importlib import import_module
from types import ModuleType
from typing import Final
from weakref import WeakValueDictionary

from attrs import define, evolve, field, frozen

from compiler.analysis.errors import ReadingWithoutEffect
from compiler.check.disclosure import check_disclosures
from compiler.check.sight import check_sight
from compiler.clauses import Catalogue, Clause, read_catalogue, read_lock
from compiler.collecting import uncollected
from compiler.config import Configuration, validated
from compiler.diagnostic import Diagnostic, Report, ScenariosElsewhere
from compiler.graph.core import Graph
from compiler.graph.layout import Layout, layout
from compiler.graph.occupancy import Occupancy, occupancy
from compiler.graph.verify import verify
from compiler.lower.declarations import Declarations
from compiler.lower.errors import SeatsRefused, UnknownName
from compiler.lower.instance import Lowered, lower
from compiler.lower.seats import seats_allowed
from compiler.markup import joined, tag
from compiler.resolve.citations import read_citations, stale_citations, unknown_clauses
from compiler.resolve.errors import NeverRolled, RulingNeverRead, UnusedName
from compiler.resolve.headings import heading_of
from compiler.resolve.resolve import resolve
from compiler.resolve.rulings import read_beside
from compiler.resolve.vocabulary import Vocabulary, left_of
from compiler.source import SourceFile, SourceSet, Span
from compiler.syntax import ast
from compiler.syntax.errors import RestUnread
from compiler.syntax.parse import MAX_ERRORS, parse
from compiler.variant.around import around
from compiler.variant.changes import Change, Written, changes
from compiler.variant.expanded import expanded
from compiler.variant.merge import merge, taken_away

MOST_ERRORS: Final = MAX_ERRORS
"""Errors of form that are told of one file, unless somebody asks for all."""

_MISSING = UnknownName | UnusedName | RulingNeverRead | NeverRolled | ReadingWithoutEffect
_TAKEN: Final = "this edit takes it away, or what reads it"
_OF: Final = re.compile(r"^scenarios +of +(\w+)", re.MULTILINE)
_TREES: Final = 24  # files whose trees are kept, since variants and scenarios are read again soon


class BrokenScenarios(ValueError):
    """Scenarios are asked for, and something is wrong with a file of them; `report` says what."""

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__("; ".join(found.headline for found in report.errors))


@frozen(eq=False)
class Spec:
    """A rulebook with its variants laid over it: resolved, and ready for any configuration."""

    name: str
    title: str
    sources: SourceSet = field(repr=False)
    declarations: tuple[ast.Declaration, ...] = field(repr=False)
    heading: ast.Rulebook = field(repr=False)
    vocabulary: Vocabulary = field(repr=False)
    catalogue: Catalogue | None = field(repr=False)
    report: Report = field(repr=False)
    _made: "WeakValueDictionary[Configuration, Compiled]" = field(
        factory=WeakValueDictionary, init=False, repr=False
    )

    @property
    def rulings(self) -> tuple[ast.Ruling | ast.Gap, ...]:
        """The declared rulings and gaps, in file order."""
        return tuple(d for d in self.declarations if isinstance(d, ast.Ruling | ast.Gap))

    @property
    def gaps(self) -> tuple[ast.Gap, ...]:
        """What the rulebook does not say at all, in file order."""
        return tuple(d for d in self.declarations if isinstance(d, ast.Gap))

    def read_beside(self, ruling: str) -> tuple[str, ...]:
        """The rulings that are read where this one is, so that it may hang on them."""
        return read_beside(self.declarations, ruling)

    @property
    def params(self) -> tuple[ast.Param, ...]:
        """The declared parameters."""
        return tuple(d for d in self.declarations if isinstance(d, ast.Param))

    @property
    def givens(self) -> tuple[ast.Given, ...]:
        """The declared outside facts."""
        return tuple(d for d in self.declarations if isinstance(d, ast.Given))

    @property
    def invariants(self) -> tuple[ast.InvariantDecl, ...]:
        """The declared invariants, in file order."""
        return tuple(d for d in self.declarations if isinstance(d, ast.InvariantDecl))

    @property
    def claims(self) -> tuple[ast.ClaimDecl, ...]:
        """The declared claims, in file order."""
        return tuple(d for d in self.declarations if isinstance(d, ast.ClaimDecl))

    @property
    def own_scenarios(self) -> tuple[ast.Scenario, ...]:
        """The scenarios that stand in the rulebook itself, or in variants laid over it."""
        return tuple(d for d in self.declarations if isinstance(d, ast.Scenario))

    @property
    def scenario_files(self) -> tuple[ast.File, ...]:
        """The files of scenarios, read when first asked for; raises `BrokenScenarios`."""
        files, report = self._told
        if report.has_errors:
            raise BrokenScenarios(report)
        return files

    @property
    def scenario_report(self) -> Report:
        """What was found in the files of scenarios: their form, and the clauses they cite."""
        files, report = self._told
        found = Report.of(*report, *self.astray_report)
        if self.catalogue is not None:
            for file in files:
                found.extend(unknown_clauses(read_citations(file.items), self.catalogue))
        return found

    @property
    def astray_report(self) -> Report:
        """The files of scenarios that seem to be meant for this spec and name another."""
        report = Report()
        own = self.name.rpartition("+")[2]
        for source in self.sources.astray:
            for said in _OF.finditer(source.text):
                report.add(ScenariosElsewhere(said[1], own, span=source.span(*said.span(1))))
        return report

    @cached_property
    def _told(self) -> tuple[tuple[ast.File, ...], Report]:
        return _told(self.sources)

    @property
    def scenarios(self) -> Iterator[ast.Scenario]:
        """All scenarios, those in the rulebook itself first; may raise `BrokenScenarios`.

        A file is read when the scenarios before it have been taken.
        """
        yield from self.own_scenarios
        for source in self.sources.scenarios:
            report = Report()
            file = _parsed(source, report)
            if report.has_errors:
                raise BrokenScenarios(self._told[1])
            items = () if file is None else file.items
            yield from (item for item in items if isinstance(item, ast.Scenario))

    @cached_property
    def _declared(self) -> Declarations:
        """The declarations, as all configurations share them."""
        return Declarations(self.declarations)

    def _repr_html_(self) -> str:
        """The rulebook at a glance, for notebooks: who plays, how much is cited, what was open."""
        cited = read_citations((self.heading, *self.declarations))
        facts = [("players", _ranges(self.seats()))]
        if self.catalogue is not None:
            needed = len(self.catalogue.mechanical)
            done = needed - len(cited.uncited(self.catalogue))
            facts.append(("mechanical clauses with a rule", f"{done} of {needed}"))
        broken = self._told[1].has_errors
        told = "cannot be read" if broken else str(sum(1 for _ in self.scenarios))
        facts.append(("scenarios", told))
        for ruling in self.rulings:
            usual = [r.title.text for r in ruling.readings if r.default is not None]
            facts.append((f"{ruling.name.text}: {ruling.tail.text}", ", ".join(usual)))
        rows = (tag("tr", tag("th", name, scope="row"), tag("td", said)) for name, said in facts)
        return joined(tag("b", self.title), " ", tag("code", self.name), tag("table", rows))

    def blamed(self, report: Report) -> Report:
        """The findings; those about what a variant took away with the edit that did."""
        if not self.sources.variants or not any(isinstance(one, _MISSING) for one in report):
            return report
        files = _read(self.sources)
        taken = {} if isinstance(files, Report) else taken_away(files.base, files.variants)
        return Report.of(*(_noted(finding, taken) for finding in report))

    def seats(self, values: Mapping[str, str | int] | None = None) -> tuple[int, ...]:
        """The numbers of players a configuration allows, in ascending order."""
        return seats_allowed(_seats_line(self.heading), self._declared, values or {})[0]

    def instantiate(self, configuration: Configuration) -> "Compiled | Report":
        """The game for a configuration, or why it is refused; the same one while it is in use."""
        found = self._made.get(configuration)
        if found is not None:
            return found
        made = self._instance(configuration)
        if isinstance(made, Compiled):
            self._made[configuration] = made
        return made

    def to_draw(self, configuration: Configuration) -> "Compiled | Report":
        """The game with the branches that the configuration makes impossible: for charts only."""
        return self._instance(configuration, whole=True)

    @uncollected
    def _instance(
        self, configuration: Configuration, *, whole: bool = False
    ) -> "Compiled | Report":
        values, refused = validated(self.vocabulary, configuration)
        if refused.has_errors:
            return refused
        line = _seats_line(self.heading)
        allowed, report = seats_allowed(line, self._declared, values)
        if report.has_errors:
            return report
        seats = configuration.players or min(allowed)
        if seats not in allowed:
            clauses = line.tail.clauses
            return Report.of(SeatsRefused(seats, _ranges(allowed), clauses, span=line.span))
        lowered, found = lower(self.name, self.title, self._declared, seats, values, whole=whole)
        if lowered is None:
            return found
        if whole:
            lying = occupancy(lowered.graph)
            return Compiled(self, configuration, lowered, lying, found, whole=True)
        verify(lowered.graph)
        lying = occupancy(lowered.graph)
        told = check_sight(lowered.graph, lying)
        if told.has_errors:
            return told
        found.extend(check_disclosures(lowered.graph, lying))
        return Compiled(self, configuration, lowered, lying, found)


@define(eq=False)
class Compiled:
    """One graph and one layout: a rulebook for a number of players, parameters and readings."""

    spec: Spec
    configuration: Configuration
    lowered: Lowered = field(repr=False)
    lying: Occupancy = field(repr=False)
    report: Report = field(repr=False)
    whole: bool = field(default=False, kw_only=True)  # with impossible branches: never to be played

    @property
    def graph(self) -> Graph:
        """What is run, drawn and analysed."""
        return self.lowered.graph

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.graph.seats

    @cached_property
    def layout(self) -> Layout:
        """The state vector's fields."""
        return layout(self.graph, self.lying)

    def _repr_svg_(self) -> str | None:
        """The chart of the whole game, for notebooks; `None` where nothing can draw it."""
        draw: Callable[..., str | None] = _painter().picture
        return draw(self.graph, self._clauses)

    def _repr_mimebundle_(self, **_wanted: object) -> dict[str, str]:
        """The chart as a picture where something draws it, and as text for all other readers."""
        draw: Callable[..., dict[str, str]] = _painter().bundle
        return draw(self.graph, self._clauses)

    @property
    def _clauses(self) -> Mapping[str, Clause]:
        return {} if self.spec.catalogue is None else self.spec.catalogue.clauses


def _painter() -> ModuleType:
    """What draws for notebooks; whoever only plays does not wait until it is loaded."""
    return import_module("compiler.flowchart.notebook")


@uncollected
def compile_sources(sources: SourceSet) -> "Spec | Report":
    """A spec from its files, those of scenarios too, or what is wrong with any of them."""
    spec = compile_rules(sources)
    if isinstance(spec, Report):
        _, found = _told(sources)
        return Report.of(*spec, *found)
    found = spec.scenario_report
    return found if found.has_errors else spec


@uncollected
def compile_rules(sources: SourceSet, tree: ast.File | None = None) -> "Spec | Report":
    """A spec from its files, or what is wrong with its rules; scenarios are read when asked for.

    `tree` is that of the rulebook, where somebody has read it already.
    """
    files = _read(sources, tree)
    if isinstance(files, Report):
        return files
    items, report = merge(files.base, files.variants)
    prelude = left_of(files.prelude.items, items)
    vocabulary, found = resolve(items, files.catalogue, prelude)
    report.extend(found.errors if report.has_errors else found)  # what is unused may be no fault
    if files.catalogue is not None and sources.lock is not None:
        confirmed, found = read_lock(sources.lock)
        report.extend(found)
        report.extend(stale_citations(items, files.catalogue, confirmed))
    headings = [item for item in items if isinstance(item, ast.Rulebook)]
    if report.has_errors or not headings:
        return report
    names = [headings[0].name.text, *files.variant_names]
    declarations = tuple(
        item
        for item in (*prelude, *items)
        if not isinstance(item, ast.Rulebook | ast.ScenariosOf | ast.Variant)
    )
    return Spec(
        "+".join(names),
        headings[0].tail.text,
        sources,
        declarations,
        headings[0],
        vocabulary,
        files.catalogue,
        report,
    )


def expanded_text(sources: SourceSet) -> "str | Report":
    """A rulebook with its variants laid over it, written out, or what is wrong with the files."""
    files = _read(sources)
    if isinstance(files, Report):
        return files
    items, report = merge(files.base, files.variants)
    return report if report.has_errors else expanded(items, (files.base, *files.variants))


def changed(old: SourceSet, new: SourceSet) -> "tuple[Change, ...] | Report":
    """What changed between two rulebooks as they are written, or what is wrong with the files."""
    before, after = _written(old), _written(new)
    if isinstance(before, Report):
        return before
    return after if isinstance(after, Report) else changes(before, after)


def named_around(old: SourceSet, new: SourceSet) -> "frozenset[str] | Report":
    """The names that stand around what changed between two rulebooks, or what is wrong there."""
    before, after = _written(old), _written(new)
    if isinstance(before, Report):
        return before
    return after if isinstance(after, Report) else around(before, after)


def _written(sources: SourceSet) -> Written | Report:
    """A rulebook with its variants laid over it."""
    files = _read(sources)
    if isinstance(files, Report):
        return files
    items, report = merge(files.base, files.variants)
    return report if report.has_errors else Written(items, (files.base, *files.variants))


@frozen(eq=False)
class _Files:
    """Every file of rules, parsed."""

    prelude: ast.File
    base: ast.File
    variants: tuple[ast.File, ...]
    catalogue: Catalogue | None

    @property
    def variant_names(self) -> tuple[str, ...]:
        """The names of the variants laid over, in order."""
        items = (item for file in self.variants for item in file.items)
        return tuple(item.name.text for item in items if isinstance(item, ast.Variant))


@lru_cache(maxsize=_TREES)
def _tree(source: SourceFile) -> tuple[ast.File | None, Report]:
    """The tree of a file, which many specs may share: prelude, rulebook and scenarios of variants.

    Nobody changes either part.
    """
    return parse(source)


def _read(sources: SourceSet, tree: ast.File | None = None) -> _Files | Report:
    report = Report()
    prelude, found = _tree(sources.prelude)
    report.extend(found)
    base = _parsed(sources.base, report) if tree is None else tree
    variants = tuple(f for v in sources.variants if (f := _parsed(v, report)) is not None)
    catalogue = _catalogue(sources, report)
    if base is None or prelude is None or report.has_errors:
        return report
    return _Files(prelude, base, variants, catalogue)


def _told(sources: SourceSet) -> tuple[tuple[ast.File, ...], Report]:
    """The files of scenarios, parsed, and what their form shows."""
    report = Report()
    files = tuple(f for s in sources.scenarios if (f := _parsed(s, report)) is not None)
    return files, report


def _parsed(source: SourceFile, report: Report) -> ast.File | None:
    tree, found = _tree(source)
    report.extend(found)
    if tree is not None and not found.has_errors:
        _, found = heading_of(tree)
        report.extend(found)
    return tree


def _catalogue(sources: SourceSet, report: Report) -> Catalogue | None:
    tables = [table for table in (sources.catalogue, *sources.tables) if table is not None]
    if not tables:
        return None
    catalogue, found = read_catalogue(*tables)
    report.extend(found)
    return catalogue


def _noted(finding: Diagnostic, taken: Mapping[str, Span]) -> Diagnostic:
    """A finding with the edit that took away what it is about, if one did."""
    if not isinstance(finding, _MISSING):
        return finding
    if isinstance(finding, ReadingWithoutEffect):
        names: tuple[str, ...] = finding.reading, finding.ruling
    else:
        names = (finding.name,)
    told = _TAKEN
    if isinstance(finding, RulingNeverRead | UnusedName | NeverRolled):
        way_out = f"outside `in`, `remove {finding.name}` takes it out too"
        told = f"this edit takes away what reads it; {way_out}"
    spans = [taken[name] for name in names if name in taken]
    return evolve(finding, notes=(*finding.notes, *((span, told) for span in spans[:1])))


def _seats_line(heading: ast.Rulebook) -> ast.Seats:
    return next(line for line in heading.lines if isinstance(line, ast.Seats))


def _ranges(numbers: tuple[int, ...]) -> str:
    """Numbers of players as people say them: `2 to 4`."""
    if len(numbers) > 1 and numbers == tuple(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return " or ".join(map(str, numbers))


def is_cut_off(report: Report) -> bool:
    """Whether some file has so many errors of form that it was not read to its end."""
    return any(isinstance(found, RestUnread) for found in report)


def every_error(report: Report) -> Report:
    """A report with all errors of form, also of files that were not read to their end."""
    left = {found.span.file for found in report if isinstance(found, RestUnread)}
    whole = Report.of(*(found for found in report if found.span.file not in left))
    for file in left:
        whole.extend(parse(file, sys.maxsize)[1])
    return whole
