"""What of a spec a game can come to: its points, named by where they are written.

A point is the same in every configuration of a spec, so what games of one came to can be added to
those of another.  What is written once and is several nodes of a graph is one point.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, Self

from attrs import define, field, frozen

from compiler.graph.core import Branch, Choose, Clauses, Function, Graph, Node
from compiler.source import SourceFile, Span


class Sort(StrEnum):
    """What a point is."""

    STEP = "step"
    TEST = "test"
    OPTION = "option"
    GUARD = "guard"
    CASE = "case"


REACHED: Final = ""
YES: Final = "yes"
NO: Final = "no"
OFFERED: Final = "offered"
CHOSEN: Final = "chosen"
HOLDS: Final = "holds"
REFUSES: Final = "refuses"

DECLINE: Final = "decline"
OTHERWISE: Final = "otherwise"


@frozen(order=True)
class Point:
    """Something that can happen at a place of a spec: `file:line:column`, and what happens.

    `name` parts what is written at one place: the word of an option, `decline`, `otherwise`.
    """

    file: str
    line: int
    column: int
    sort: Sort
    name: str
    how: str

    @property
    def place(self) -> str:
        """Where it is written."""
        return f"{self.file}:{self.line}:{self.column}"


@frozen
class Meaning:
    """The line of a point, the phase it is in, and the clauses it makes happen.

    `clauses` are empty for points that only show that a rule was near: an option that is offered, a
    test that is false, a guard that holds.
    """

    words: str
    phase: str
    clauses: Clauses


@define(eq=False)
class Points:
    """The points of one graph, numbered, and which of them belongs to what.

    `apart` is a file whose rules are nobody's: the prelude.
    """

    graph: Graph
    apart: SourceFile
    meanings: dict[Point, Meaning] = field(factory=dict)
    steps: dict[int, int] = field(factory=dict)  # by node
    tests: dict[int, tuple[int, int]] = field(factory=dict)  # by node: yes, no
    options: dict[tuple[int, int], tuple[int, int]] = field(factory=dict)  # offered, chosen
    otherwise: dict[int, int] = field(factory=dict)  # by node
    guards: dict[tuple[int, int, int], tuple[int, int]] = field(factory=dict)  # holds, refuses
    cases: dict[int, int] = field(factory=dict)  # by identity: cases that say the same are two
    _numbers: dict[Point, int] = field(factory=dict)

    @classmethod
    def of(cls, graph: Graph, apart: SourceFile) -> Self:
        """Those of a graph; what the compiler added by itself has none."""
        points = cls(graph, apart)
        for node in graph.nodes:
            if node.span is not None:
                points._add_node(node, node.span)
        for function in graph.functions:
            points._add_function(function)
        return points

    @property
    def listed(self) -> tuple[Point, ...]:
        """All points, each at its number."""
        return tuple(self.meanings)

    # ---- making them

    def _add_node(self, node: Node, span: Span) -> None:
        phase = node.phase
        around = tuple(self._around(node))
        own = () if isinstance(node.step, Branch) else node.clauses
        self.steps[node.id] = self._add(span, Sort.STEP, "", REACHED, phase, (*own, *around))
        match node.step:
            case Branch():
                self.tests[node.id] = (
                    self._add(span, Sort.TEST, "", YES, phase, node.clauses),
                    self._add(span, Sort.TEST, "", NO, phase, ()),
                )
            case Choose():
                self._add_decision(node, node.step, span)
            case _:
                pass

    def _around(self, node: Node) -> Iterator[str]:
        """The clauses of the phase and of the named steps that a node is in."""
        named = node.named
        while named is not None:
            yield from self.graph.named[named].clauses
            named = self.graph.named[named].parent
        yield from next((p.clauses for p in self.graph.phases if p.name == node.phase), ())

    def _add_decision(self, node: Node, step: Choose, span: Span) -> None:
        phase = node.phase
        for at, option in enumerate(step.options):
            where, name = option.span or span, option.name
            self.options[node.id, at] = (
                self._add(where, Sort.OPTION, name, OFFERED, phase, ()),
                self._add(where, Sort.OPTION, name, CHOSEN, phase, option.clauses),
            )
            for number, guard in enumerate(option.guards):
                line = guard.span or where
                self.guards[node.id, at, number] = (
                    self._add(line, Sort.GUARD, name, HOLDS, phase, ()),
                    self._add(line, Sort.GUARD, name, REFUSES, phase, guard.clauses),
                )
        if step.optional:
            self.options[node.id, len(step.options)] = (
                self._add(span, Sort.OPTION, DECLINE, OFFERED, phase, ()),
                self._add(span, Sort.OPTION, DECLINE, CHOSEN, phase, ()),
            )
        if step.has_otherwise:
            self.otherwise[node.id] = self._add(span, Sort.OPTION, OTHERWISE, CHOSEN, phase, ())

    def _add_function(self, function: Function) -> None:
        for case in function.cases:
            span = case.span or function.span
            if span is not None and span.file != self.apart:
                clauses = (*case.clauses, *function.clauses)
                self.cases[id(case)] = self._add(
                    span, Sort.CASE, function.name, REACHED, "", clauses
                )

    def _add(
        self, span: Span, sort: Sort, name: str, how: str, phase: str, clauses: Clauses
    ) -> int:
        first = span.first
        point = Point(span.file.name, first.line, first.column, sort, name, how)
        known = self.meanings.get(point)
        before = () if known is None else known.clauses
        words = _line(span)
        self.meanings[point] = Meaning(words, phase, tuple(dict.fromkeys((*before, *clauses))))
        return self._numbers.setdefault(point, len(self._numbers))


def _line(span: Span) -> str:
    """The line where something begins, without what it cites."""
    return span.file.line(span.first.line).partition(" @")[0].partition(" --")[0].strip()
