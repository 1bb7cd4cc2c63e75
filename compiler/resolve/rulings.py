"""Every ruling is read in some way when nobody chooses: exactly one reading is its default."""

from compiler.diagnostic import Report
from compiler.resolve.errors import NoDefault, TwoDefaults
from compiler.resolve.vocabulary import Vocabulary
from compiler.syntax import ast


def check_defaults(vocabulary: Vocabulary) -> Report:
    """Rulings and gaps with no default, or several."""
    report = Report()
    for item in vocabulary.items:
        if not isinstance(item, ast.Ruling | ast.Gap):
            continue
        marks = [reading.default for reading in item.readings if reading.default is not None]
        if not marks:
            report.add(NoDefault(item.name.text, span=item.name.span))
        for mark in marks[1:]:
            notes = ((marks[0].span, "the first one"),)
            report.add(TwoDefaults(item.name.text, span=mark.span, notes=notes))
    return report
