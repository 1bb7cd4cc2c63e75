"""Rulings: exactly one reading is the default, and which of them stand together."""

from collections.abc import Iterable

from compiler.diagnostic import Report
from compiler.resolve.errors import NoDefault, TwoDefaults
from compiler.resolve.vocabulary import Vocabulary
from compiler.syntax import ast
from compiler.syntax.walk import walk


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


def read_beside(declarations: Iterable[ast.Declaration], name: str) -> tuple[str, ...]:
    """The rulings and gaps that are read in a declaration that also reads the one of that name."""
    listed = list(declarations)
    switches = [item.name.text for item in listed if isinstance(item, ast.Ruling | ast.Gap)]
    found: set[str] = set()
    for item in listed:
        names = {node.name.text for node in walk(item) if isinstance(node, ast.Name)}
        if name in names:
            found |= names
    return tuple(switch for switch in switches if switch in found and switch != name)
