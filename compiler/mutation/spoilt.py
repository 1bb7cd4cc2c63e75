"""The tree of a rulebook with a fault in it: only the declaration that is spoilt is read again.

Every other node is that of the whole rulebook, and says where it stands there.
"""

from functools import lru_cache

from compiler.diagnostic import InternalError, Report
from compiler.mutation.mutation import Mutation
from compiler.source import SourceFile
from compiler.syntax import ast
from compiler.syntax.parse import parse


def spoilt(mutation: Mutation) -> ast.File | Report:
    """The tree of a mutant of a rulebook that can be read, or what is wrong with its form."""
    file = _tree(mutation.span.file)
    items: list[ast.Rulebook | ast.ScenariosOf | ast.Variant | ast.Declaration] = []
    for item in file.items:
        if item.span.first.line != mutation.around.start:
            items.append(item)
            continue
        text = _declaration(mutation)
        if not text.strip():
            continue
        made, report = parse(SourceFile(mutation.span.file.name, text))
        if made is None:
            return report
        items += made.items
    return ast.File(tuple(items), span=file.span)


@lru_cache(maxsize=4)
def _tree(source: SourceFile) -> ast.File:
    tree, _ = parse(source)
    if tree is None:
        raise InternalError("a rulebook in which faults were found cannot be read")
    return tree


def _declaration(mutation: Mutation) -> str:
    """The spoilt declaration on the lines where it stands, and nothing else."""
    lines = mutation.span.file.text.split("\n")
    above, rows = mutation.around.start - 1, mutation.around.stop - 1
    begin, end = (sum(len(line) + 1 for line in lines[:row]) for row in (above, rows))
    more = len(mutation.after) - len(mutation.span.text)
    return "\n" * above + mutation.text[begin : end + more]
