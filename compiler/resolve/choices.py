"""The options of a decision: their names differ, and their guards do not go in circles."""

from collections.abc import Mapping, Sequence

from compiler.diagnostic import Report
from compiler.resolve.errors import GuardCycle, TwoOptions
from compiler.resolve.vocabulary import Vocabulary
from compiler.syntax import ast
from compiler.syntax.walk import walk


def check_options(vocabulary: Vocabulary) -> Report:
    """Two options of one name, and guards that ask, by way of others, for their own option."""
    report = Report()
    for decision, options in vocabulary.options.items():
        for option in decision.options:
            first = options[option.name.text]
            if first is not option:
                notes = ((first.name.span, "the first one"),)
                report.add(TwoOptions(option.name.text, span=option.name.span, notes=notes))
        report.extend(_cycles(options))
    return report


def _cycles(options: Mapping[str, ast.Option]) -> Report:
    report = Report()
    asked = {name: _asked(option) for name, option in options.items()}
    for name, questions in asked.items():
        for can in questions:
            if name in _reached(can.option.text, asked):
                report.add(GuardCycle(name, span=can.span))
    return report


def _asked(option: ast.Option) -> tuple[ast.Can, ...]:
    """What the slots and guards of an option ask of its siblings."""
    guards = [line for line in option.lines or () if isinstance(line, ast.Guard)]
    return tuple(n for n in walk(*(option.slots or ()), *guards) if isinstance(n, ast.Can))


def _reached(name: str, asked: Mapping[str, Sequence[ast.Can]]) -> frozenset[str]:
    found = {name}
    waiting = [name]
    while waiting:
        for can in asked.get(waiting.pop(), ()):
            if can.option.text not in found:
                found.add(can.option.text)
                waiting.append(can.option.text)
    return frozenset(found)
