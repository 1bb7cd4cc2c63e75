"""What the words on a chart mean: the tests behind its questions, the definitions that they use."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import Final

from attrs import evolve, frozen

from compiler.flowchart.loops import is_next
from compiler.flowchart.model import Chart, ChartNode, Kind, Meaning
from compiler.flowchart.opened import brief, opened
from compiler.flowchart.sure import sure
from compiler.graph.core import (
    Apply,
    Assign,
    Branch,
    Case,
    Choose,
    Clauses,
    Const,
    Function,
    Graph,
    Move,
    Node,
    Read,
    Term,
    Variable,
)
from compiler.graph.naming import is_verb, spoken
from compiler.graph.sentences import Sentences, capital
from compiler.graph.settled import computes, seats_told, settled
from compiler.graph.walk import subterms, terms_of, variable_reads, whole
from compiler.graph.words import PRELUDE, PlainWords
from compiler.types import BOOL, Bool

_ANSWERS: Final = frozenset({"yes", "no"})


def glossary(graph: Graph, drawn: Chart, matters: Callable[[Node], bool]) -> tuple[Meaning, ...]:
    """The meanings for a chart of steps, phase by phase: questions first, then what they use.

    `matters` says whether a change is more than bookkeeping.
    """
    telling = _Glossary(graph, drawn, matters)
    found: dict[tuple[str, str], Meaning] = {}
    for phase in dict.fromkeys(box.phase for box in drawn.nodes):
        for told in telling.of([box for box in drawn.nodes if box.phase == phase]):
            found.setdefault((told.word, told.means), told)
    return tuple(found.values())


def meaning(function: Function, sentences: Sentences) -> str:
    """A function in words: its cases one after the other."""
    known = sentences.words.known
    cases = [
        case
        for case in function.cases
        if case.when is None or settled(case.when, known) != Const(False, type=BOOL)
    ]
    cases = cases[: _needed(cases)]
    return "; ".join(sentences.case(case, first=not at) for at, case in enumerate(cases))


def _needed(cases: list[Case]) -> int:
    """How many cases come up, the first ones: behind those for every seat nothing is left."""
    left: dict[Term, set[int]] = {}
    for at, case in enumerate(cases, start=1):
        found = None if case.when is None else seats_told(case.when)
        if found is not None:
            seat, holding, all_ = found
            left.setdefault(seat, set(all_)).difference_update(holding)
            if not left[seat]:
                return at
    return len(cases)


@frozen
class _Entry:
    """What may be told of a word, by the letters by which it is found where it is used."""

    letters: re.Pattern[str]
    told: Meaning


class _Glossary:
    """The meanings of one chart in the making."""

    def __init__(self, graph: Graph, drawn: Chart, matters: Callable[[Node], bool]) -> None:
        self._graph = graph
        self._matters = matters
        self._drawn = drawn
        self._sentences = Sentences(graph)
        self._words: PlainWords = self._sentences.words
        self._kept = _kept_locals(graph)
        self._compared = {edge.label for edge in drawn.edges}
        self._applied = Counter(
            term.op.name
            for step in (graph.nodes[node_id].step for box in drawn.nodes for node_id in box.nodes)
            if isinstance(step, Branch)
            for term in subterms(step.test)
            if isinstance(term, Apply) and isinstance(term.op, Function)
        )

    def of(self, boxes: list[ChartNode]) -> Iterator[Meaning]:
        """What is told of some boxes: what their tests ask, then the words that are used."""
        asked = list(self._questions(boxes))
        yield from asked
        nodes = [self._graph.nodes[node_id] for box in boxes for node_id in box.nodes]
        nodes = [node for node in nodes if self._matters(node)]
        terms = [term for node in nodes for term in self._shown(node)]
        entries = list(self._entries(terms, boxes[0].phase))
        ids = {box.id for box in boxes}
        arrows = [edge for edge in self._drawn.edges if edge.source in ids]
        read = [text for box in boxes for text in (box.label, box.sub, box.actor)]
        read += [text for arrow in arrows for text in (arrow.label, arrow.sub)]
        read += [told.means for told in asked]
        done = [node.step for node in nodes if isinstance(node.step, Assign | Move)]
        read += map(self._sentences.step, done)  # also where a title stands for it
        yield from _used(entries, "\n".join(read))

    def _questions(self, boxes: list[ChartNode]) -> Iterator[Meaning]:
        """What is asked by tests that have a title."""
        for box in boxes:
            answers = {edge.label for edge in self._drawn.edges if edge.source == box.id}
            if box.kind is not Kind.QUESTION or not answers & _ANSWERS:
                continue
            for node in map(self._graph.nodes.__getitem__, box.nodes):
                if not isinstance(node.step, Branch) or isinstance(node.step.test, Const):
                    continue
                if node.title == box.label and not box.sub:
                    asked = self._asked(node, node.step.test)
                    if isinstance(asked, Read) and isinstance(asked.source, Variable):
                        continue  # a yes or no that the phase is given
                    said = capital(self._words.text(asked))
                    yield Meaning(box.label, said, box.phase, node.clauses)

    def _asked(self, node: Node, test: Term) -> Term:
        """What a test asks: for a local that keeps an answer, that; a word used once is told."""
        test = settled(test, self._words.known)
        if isinstance(test, Read) and isinstance(test.source, Variable):
            kept = self._kept.get(test.source)
            test = test if kept is None else kept.value
        once = isinstance(test, Apply) and self._applied[test.op.name] == 1
        told = opened(test) if once else brief(test, self._words)
        return sure(self._graph).told(told, node.id)

    def _entries(self, terms: list[Term], phase: str) -> Iterator[_Entry]:
        """The functions and locals that some terms use, and those that these use."""
        told: dict[Function | Variable, None] = {}
        waiting = terms
        while waiting:
            found = [one for one in map(_named, whole(*waiting)) if one not in told]
            fresh = [one for one in dict.fromkeys(found) if one is not None]
            told |= dict.fromkeys(fresh)
            waiting = [
                self._kept[one].value
                for one in fresh
                if isinstance(one, Variable) and one in self._kept
            ]
        for one in told:
            match one:
                case Function(name) as function if name not in PRELUDE and computes(function):
                    yield _Entry(_letters(function), self._defined(function, phase))
                case Variable(name) as variable if variable in self._kept:
                    kept = self._kept[variable]
                    said = self._words.text(kept.value)
                    said += f', at "{kept.title}"' if kept.title else ""
                    means = Meaning(capital(spoken(name)), said, phase)
                    if not self._is_set_in_a_box(name):
                        yield _Entry(_word(spoken(name)), means)
                case _:
                    pass

    def _is_set_in_a_box(self, name: str) -> bool:
        setting = f"Set {spoken(name)} to "
        return any(setting in box.label for box in self._drawn.nodes)

    def _defined(self, function: Function, phase: str) -> Meaning:
        head = self._words.text(Apply(function, function.params, type=function.type))
        clauses: dict[str, None] = dict.fromkeys(function.clauses)
        clauses |= dict.fromkeys(id_ for case in function.cases for id_ in case.clauses)
        cited: Clauses = tuple(clauses)
        return Meaning(capital(head), meaning(function, self._sentences), phase, cited)

    def _shown(self, node: Node) -> Iterator[Term]:
        """The terms that a chart shows of a step: conditions as it opens them."""
        match step := node.step:
            case Branch(test):
                yield from self._gone_through(test)
                compared = self._words.text(test) in self._compared
                yield test if compared else self._asked(node, test)
            case Choose(options=options):
                for option in options:
                    yield from (brief(guard.holds, self._words) for guard in option.guards)
                bare = tuple(evolve(option, guards=()) for option in options)
                yield from terms_of(evolve(step, options=bare))
            case _:
                yield from terms_of(step)

    def _gone_through(self, test: Term) -> Iterator[Term]:
        """What a loop goes through, if a test asks whether anything of it is left."""
        lists = {variable for variable, _ in variable_reads(test) if variable.hidden_name}
        for node in self._graph.nodes:
            if isinstance(node.step, Assign) and node.step.target in lists:
                yield node.step.value


def _named(term: Term) -> Function | Variable | None:
    """What of the spec has a name in a term: a function, a local."""
    match term:
        case Apply(Function() as function):
            return function
        case Read(Variable(phase=str()) as variable):
            return variable
        case _:
            return None


@frozen
class _Kept:
    """What a local keeps, and the author's title for keeping it, if there is one."""

    value: Term
    title: str


def _kept_locals(graph: Graph) -> dict[Variable, _Kept]:
    """The locals that keep what was worked out once, with that."""
    given = {param for phase in graph.phases for param in phase.params}
    found: dict[Variable, list[_Kept]] = {}
    for node in graph.nodes:
        match node.step:
            case Assign(Variable(phase=str()) as variable, (), value) if not is_next(node):
                value = sure(graph).told(value, node.id)
                found.setdefault(variable, []).append(_Kept(value, node.title))
            case Assign(Variable() as variable):
                given.add(variable)
            case _:
                pass
    return {
        variable: values[0]
        for variable, values in found.items()
        if len(values) == 1
        and variable not in given
        and not variable.hidden_name
        and not isinstance(values[0].value, Const | Read)
    }


def _letters(function: Function) -> re.Pattern[str]:
    """What stands wherever a function is used: of a statement all but its verb, which bends."""
    first, *rest = spoken(function.name).split()
    if not isinstance(function.type, Bool) or not is_verb(first):
        return _word(spoken(function.name))
    return _word(" ".join(rest)) if rest else re.compile(rf"\b{first.removesuffix('s')}", re.I)


def _word(letters: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(letters)}s?\b", re.I)


def _used(entries: Collection[_Entry], read: str) -> Iterator[Meaning]:
    """What is told of the words that a reader meets, on the chart or in what is told of others."""
    kept: set[str] = set()
    grown = True
    while grown:
        grown = False
        for entry in entries:
            if entry.told.word not in kept and entry.letters.search(read):
                kept.add(entry.told.word)
                read += f"\n{entry.told.means}"
                grown = True
    return (entry.told for entry in entries if entry.told.word in kept)
