"""Every name of a game bound to its declaration, and what can be told from names alone."""

from collections.abc import Sequence

from compiler.clauses import Catalogue
from compiler.diagnostic import Report
from compiler.resolve.calls import check_phase_names, check_phases_run, check_recursion, read_calls
from compiler.resolve.choices import check_options
from compiler.resolve.citations import check_citations
from compiler.resolve.defines import check_defines
from compiler.resolve.flow import Flow, check_falls_through, check_reached
from compiler.resolve.headings import check_headings
from compiler.resolve.leaving import check_leaving, check_ways_out
from compiler.resolve.references import read_references
from compiler.resolve.rulings import check_defaults
from compiler.resolve.usage import check_shadowing, check_usage, check_windows
from compiler.resolve.vocabulary import Vocabulary, read_vocabulary
from compiler.syntax.declared import Item


def resolve(
    items: Sequence[Item], catalogue: Catalogue | None = None, prelude: Sequence[Item] = ()
) -> tuple[Vocabulary, Report]:
    """The vocabulary of a game with its variants laid over, and what was found.

    `items` are the effective declarations, the heading among them; `prelude` is what every game
    begins with.  Without a catalogue citations are not looked at.
    """
    vocabulary, report = read_vocabulary(items, prelude)
    report.extend(check_headings(items))
    report.extend(check_defaults(vocabulary))
    report.extend(check_options(vocabulary))
    _check_references(vocabulary, report)
    _check_flow(vocabulary, report)
    if catalogue is not None:
        report.extend(check_citations(items, catalogue))
    return vocabulary, report


def _check_references(vocabulary: Vocabulary, report: Report) -> None:
    references = read_references(vocabulary.items)
    report.extend(check_shadowing(vocabulary, references))
    report.extend(check_windows(vocabulary, references))
    report.extend(check_usage(vocabulary, references))
    report.extend(check_defines(vocabulary, references))


def _check_flow(vocabulary: Vocabulary, report: Report) -> None:
    calls = read_calls(vocabulary)
    report.extend(check_phase_names(vocabulary))
    report.extend(check_phases_run(vocabulary, calls))
    report.extend(check_leaving(calls))
    report.extend(check_ways_out(calls))
    recursion = check_recursion(calls)
    report.extend(recursion)
    if not recursion.has_errors:  # which phases end means nothing while they run each other
        flow = Flow(calls)
        report.extend(check_reached(calls, flow))
        report.extend(check_falls_through(calls, flow))
