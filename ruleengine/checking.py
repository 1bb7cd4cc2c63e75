"""What a check of a spec finds: its own text, every number of players, every reading once.

Types and bounds depend on the configuration, so an error may show in some of them only; what shows
in several is one finding.
"""

from collections.abc import Callable, Iterable

from attrs import frozen

from compiler.analysis.vacuity import idle_loops, twin_triggers
from compiler.clauses import Catalogue, confirmed_text, nearest_id, read_lock
from compiler.diagnostic import Report
from compiler.pipeline import Spec
from compiler.resolve.citations import Citations, read_citations
from ruleengine.configurations import configurations
from ruleengine.rehearsing import Rehearsals
from ruleengine.survey import Survey


@frozen
class Coverage:
    """How a spec and its table of clauses stand to each other, by ids."""

    catalogue: Catalogue
    citations: Citations

    @property
    def mechanical(self) -> tuple[str, ...]:
        """The clauses that rules must implement."""
        return tuple(clause.id for clause in self.catalogue.mechanical)

    @property
    def uncited(self) -> tuple[str, ...]:
        """Those that none implements."""
        return tuple(clause.id for clause in self.citations.uncited(self.catalogue))

    @property
    def missing(self) -> tuple[str, ...]:
        """The questions that are neither decided nor mentioned."""
        return tuple(ruling.id for ruling in self.citations.missing(self.catalogue))


@frozen
class Checked:
    """A spec, if there is one, and all that was found; `configurations` says in how many of them.

    `coverage` is `None` for a spec without a table of clauses.
    """

    spec: Spec | None
    report: Report
    configurations: int
    coverage: Coverage | None


def check(spec: Spec | Report, progress: Callable[[int], None] | None = None) -> Checked:
    """Everything that is wrong with a spec; `progress` is told of every configuration."""
    if isinstance(spec, Report):
        return Checked(None, spec, 0, None)
    report = Report()
    report.extend(spec.report)
    report.extend(spec.scenario_report)
    survey = Survey(spec)
    rehearsals = _rehearsals(spec)
    count = 0
    for configuration in configurations(spec):
        made = spec.instantiate(configuration)
        report.extend(made if isinstance(made, Report) else made.report)
        count += 1
        rehearsals.look(configuration, made)
        if not isinstance(made, Report):
            survey.look(made)
            report.extend(idle_loops(made.graph))
            report.extend(twin_triggers(made.graph))
        if progress is not None:
            progress(1)
    if not report.has_errors:
        for configuration in rehearsals.left():
            rehearsals.look(configuration, spec.instantiate(configuration))
            if progress is not None:
                progress(1)
        report.extend(survey.found())
    report.extend(rehearsals.report)
    return Checked(spec, spec.blamed(report), count, coverage(spec))


def _rehearsals(spec: Spec) -> Rehearsals:
    """Those of a spec; none if its files of scenarios cannot be read, which is told already."""
    return Rehearsals() if spec.scenario_report.has_errors else Rehearsals.of(spec)


def confirmation(spec: Spec, ids: Iterable[str]) -> str:
    """The lock file that confirms some clauses of a spec as they read now; all, if none is named.

    Raises `LookupError` for an id that the table of clauses does not hold, and for a spec without
    such a table.
    """
    if spec.catalogue is None:
        raise LookupError(f"{spec.name} has no table of clauses")
    wanted = tuple(ids)
    for id_ in wanted:
        if id_ not in spec.catalogue:
            near = nearest_id(id_, (*spec.catalogue.ids, "all"))
            hint = f"; did you mean `{near}`?" if near else ""
            raise LookupError(f"the table of clauses of {spec.name} has no `{id_}`{hint}")
    before = {} if spec.sources.lock is None else read_lock(spec.sources.lock)[0]
    return confirmed_text(spec.catalogue, before, wanted or spec.catalogue.ids)


def coverage(spec: Spec) -> Coverage | None:
    """What a spec cites of its table of clauses."""
    if spec.catalogue is None:
        return None
    told = (item for file in spec.scenario_files for item in file.items)
    items = (spec.heading, *spec.declarations, *told)
    return Coverage(spec.catalogue, read_citations(items))
