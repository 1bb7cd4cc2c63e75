"""What the words on a chart mean: the tests behind its questions, the definitions that they use."""

from collections.abc import Collection, Iterator

from attrs import evolve

from compiler.flowchart.asking import brief, opened
from compiler.flowchart.model import Chart, ChartNode, Kind, Meaning
from compiler.graph.core import (
    Apply,
    Branch,
    Choose,
    Const,
    Function,
    Graph,
    Step,
    Term,
)
from compiler.graph.sentences import Sentences, capital
from compiler.graph.settled import computes
from compiler.graph.walk import terms_of, whole
from compiler.graph.words import PRELUDE, PlainWords


def glossary(graph: Graph, drawn: Chart) -> tuple[Meaning, ...]:
    """The meanings for a chart of steps, phase by phase: questions first, then what they use."""
    sentences = Sentences(graph)
    found: dict[tuple[str, str], Meaning] = {}
    for phase in dict.fromkeys(box.phase for box in drawn.nodes):
        boxes = [box for box in drawn.nodes if box.phase == phase]
        for told in (
            *_questions(graph, drawn, boxes, sentences.words),
            *_definitions(graph, drawn, boxes, sentences),
        ):
            found.setdefault((told.word, told.means), told)
    return tuple(found.values())


def _questions(
    graph: Graph, drawn: Chart, boxes: list[ChartNode], words: PlainWords
) -> Iterator[Meaning]:
    """What is asked by tests that have a title."""
    for box in boxes:
        answers = {edge.label for edge in drawn.edges if edge.source == box.id}
        if box.kind is not Kind.QUESTION or not answers & {"yes", "no"}:
            continue
        for node in map(graph.nodes.__getitem__, box.nodes):
            if not isinstance(node.step, Branch) or isinstance(node.step.test, Const):
                continue
            if node.title == box.label and not box.sub:
                said = capital(words.text(opened(node.step.test)))
                yield Meaning(box.label, said, box.phase, node.clauses)


def _definitions(
    graph: Graph, drawn: Chart, boxes: list[ChartNode], sentences: Sentences
) -> Iterator[Meaning]:
    """The functions of the spec that the steps of some boxes apply, and those that these apply."""
    steps = [graph.nodes[node_id].step for box in boxes for node_id in box.nodes]
    compared = {edge.label for edge in drawn.edges}
    applied = [
        term.op
        for term in whole(
            *(term for step in steps for term in _shown(step, sentences.words, compared))
        )
        if isinstance(term, Apply) and isinstance(term.op, Function)
    ]
    for function in dict.fromkeys(applied):
        if function.name not in PRELUDE and computes(function):
            head = sentences.words.text(Apply(function, function.params, type=function.type))
            clauses = dict.fromkeys(function.clauses)
            clauses |= dict.fromkeys(id_ for case in function.cases for id_ in case.clauses)
            means = meaning(function, sentences)
            yield Meaning(capital(head), means, boxes[0].phase, tuple(clauses))


def _shown(step: Step, words: PlainWords, compared: Collection[str]) -> Iterator[Term]:
    """The terms that a chart shows of a step: conditions as it opens them."""
    match step:
        case Branch(test):
            yield test if words.text(test) in compared else opened(test)
        case Choose(options=options):
            yield from (brief(guard.holds, words) for option in options for guard in option.guards)
            bare = tuple(evolve(option, guards=()) for option in options)
            yield from terms_of(evolve(step, options=bare))
        case _:
            yield from terms_of(step)


def meaning(function: Function, sentences: Sentences) -> str:
    """A function in words: its cases one after the other."""
    return "; ".join(
        sentences.case(case, first=not number) for number, case in enumerate(function.cases)
    )
