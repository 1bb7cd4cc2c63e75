"""What a rulebook says, for those who judge by all its configurations and read no syntax."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.walk import walk

_SETTINGS = (ast.Param, ast.Given, ast.Ruling, ast.Gap)


@frozen
class WrittenGuard:
    """A guard as it stands in the text, and the option that it is of."""

    option: str
    option_span: Span
    span: Span


def written_guards(declarations: Sequence[ast.Node]) -> Iterator[WrittenGuard]:
    """The guards of all options, in reading order."""
    for node in walk(*declarations):
        if isinstance(node, ast.Option | ast.Choice):
            name = node.name.text if isinstance(node, ast.Option) else "choose"
            for line in node.lines or ():
                if isinstance(line, ast.Guard):
                    yield WrittenGuard(name, node.span, line.span)


def written_questions(declarations: Sequence[ast.Node]) -> Iterator[Span]:
    """The questions of branches and of loops, in reading order; of all, their whole lines."""
    for node in walk(*declarations):
        if isinstance(node, ast.Branch | ast.Elif | ast.Until):
            yield node.span


@frozen
class WrittenLoop:
    """A `repeat` as it stands in the text: all of it, and the line that says how long."""

    span: Span
    asks: Span


def written_loops(declarations: Sequence[ast.Node]) -> Iterator[WrittenLoop]:
    """Every `repeat`, outer ones first."""
    for node in walk(*declarations):
        if isinstance(node, ast.Repeat):
            whole = [part.span for part in walk(node)]
            end = max(span.end for span in whole)
            asks = node.span if node.until is None else node.until.span
            yield WrittenLoop(node.span.file.span(node.span.start, end), asks)


def written_triggers(declarations: Sequence[ast.Node]) -> dict[Span, str]:
    """What each `whenever` asks, in the words of the text."""
    found = (node for node in declarations if isinstance(node, ast.Whenever))
    return {node.span: node.test.span.text for node in found}


def settable(declarations: Sequence[ast.Node]) -> frozenset[str]:
    """The names of all settings, and of what is defined by them: who could try every mixture?"""
    found = {d.name.text for d in declarations if isinstance(d, _SETTINGS)}
    defined = [d for d in declarations if isinstance(d, ast.Define | ast.KindDecl)]
    before = -1
    while before != len(found):
        before = len(found)
        found |= {d.name.text for d in defined if not found.isdisjoint(_names(d))}
    return frozenset(found)


def _names(node: ast.Node) -> set[str]:
    return {each.text for each in walk(node) if isinstance(each, ast.Word)}


@frozen
class Unfilled:
    """A place to which nothing is ever moved: its name, what it is for, where it is declared."""

    name: str
    kind: str
    span: Span


def unfilled(declarations: Sequence[ast.Node]) -> Iterator[Unfilled]:
    """The places that stay empty; none, where a local or a define says what is moved where."""
    zones = {d.name.text: d for d in declarations if isinstance(d, ast.Zone)}
    boards = {d.name.text for d in declarations if isinstance(d, ast.Board)}
    targets: set[str] = set()
    for node in walk(*declarations):
        if isinstance(node, ast.Move):
            place = node.place.of if isinstance(node.place, ast.Index) else node.place
            named = place.name.text if isinstance(place, ast.Name) else ""
            if named not in {"box", *zones, *boards}:
                return
            targets.add(named)
    for name, zone in zones.items():
        if name not in targets and not name.startswith("_"):
            yield Unfilled(name, zone.shape.holds.text, zone.name.span)
