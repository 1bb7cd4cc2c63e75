"""Defines are pure and never recursive: none may use itself, by whatever way."""

from compiler.diagnostic import Report
from compiler.resolve.errors import RecursiveDefine
from compiler.resolve.references import References, Use
from compiler.resolve.vocabulary import Vocabulary
from compiler.syntax import ast


def check_defines(vocabulary: Vocabulary, references: References) -> Report:
    """Each circle of defines is told once, at its first line."""
    defines = {n: d for n, d in vocabulary.names.items() if isinstance(d, ast.Define)}
    uses: dict[str, list[Use]] = {name: [] for name in defines}
    for use in references.uses:
        if isinstance(use.by, ast.Define) and use.word.text in defines:
            uses.setdefault(use.by.name.text, []).append(use)
    report = Report()
    told: set[str] = set()
    for name in defines:
        if name in told:
            continue
        circle = _circle(name, uses)
        if circle:
            told.update(use.word.text for use in circle)
            way = " → ".join((name, *(use.word.text for use in circle)))
            report.add(RecursiveDefine(name, way, span=circle[0].word.span))
    return report


def _circle(name: str, uses: dict[str, list[Use]]) -> tuple[Use, ...]:
    """The shortest way from a define back to itself; nothing if there is none."""
    ways: dict[str, tuple[Use, ...]] = {}
    waiting: list[tuple[str, tuple[Use, ...]]] = [(name, ())]
    while waiting:
        at, way = waiting.pop(0)
        for use in uses.get(at, ()):
            if use.word.text == name:
                return (*way, use)
            if use.word.text not in ways:
                ways[use.word.text] = (*way, use)
                waiting.append((use.word.text, ways[use.word.text]))
    return ()
