"""What is sure wherever a step is come to: tests that came out so on all ways there.

Said of the rules as they stand, so it can be too careful, and never wrong: a test's answer, or a
value given, is sure until something may change what it looks at, and where ways meet, if it is so
on each.  A phase begins with what is sure wherever it is run or gone on as; after it holds what
is sure wherever it is over, and what was sure before and it cannot change.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from typing import Final, TypeVar

from attrs import evolve, frozen

from compiler.flowchart.opened import opened
from compiler.graph.core import (
    Apply,
    Assign,
    Branch,
    Call,
    Chance,
    Cond,
    Const,
    Flow,
    Function,
    Graph,
    Jump,
    Leave,
    Move,
    Node,
    Read,
    Return,
    Step,
    Term,
    Value,
    Variable,
)
from compiler.graph.evaluate import NotConstant, evaluate
from compiler.graph.exchange import replaced
from compiler.graph.settled import settled
from compiler.graph.walk import Access, reads, step_writes, subterms
from compiler.ops.lists import AS_SET, IS, JUST, LIST, SAME_MEMBERS, UNION
from compiler.ops.numbers import NOT
from compiler.ops.row import Undefined
from compiler.types import BOOL, present

_ROUNDS: Final = 20  # visits of one step, each in the mean, after which nothing is called sure

_Place = TypeVar("_Place")
Facts = Mapping[int, Value]
"""Terms, by their numbers, with the values that they surely have."""


@frozen
class _Known:
    """A term that something may be sure of: its number, those inside it, what it looks at."""

    number: int
    term: Term
    inside: frozenset[int]
    access: Access


class _Terms:
    """The terms of a graph by numbers, since comparing them takes long."""

    def __init__(self) -> None:
        self._numbers: dict[Term, int] = {}
        self._known: dict[int, _Known] = {}
        self._met: dict[int, tuple[Term, _Known]] = {}  # by identity

    def known(self, term: Term) -> _Known:
        """What is known of a term."""
        met = self._met.get(id(term))
        if met is None:
            met = self._met[id(term)] = term, self._looked_up(term)
        return met[1]

    def of(self, number: int) -> _Known:
        """The term of a number."""
        return self._known[number]

    def _looked_up(self, term: Term) -> _Known:
        number = self._number(term)
        if number not in self._known:
            inside = frozenset(map(self._number, filter(_may_be_sure, subterms(term))))
            self._known[number] = _Known(number, term, inside, reads(term))
        return self._known[number]

    def _number(self, term: Term) -> int:
        return self._numbers.setdefault(term, len(self._numbers))


def _may_be_sure(term: Term) -> bool:
    return isinstance(term, Apply) or (isinstance(term, Read) and not term.args)


@lru_cache(maxsize=4)
def sure(graph: Graph) -> "Sure":
    """What is sure in a graph."""
    return Sure(graph)


class Sure:
    """What is sure wherever a step of one graph is come to."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._terms = _Terms()
        self._asked: dict[int, Term] = {}  # what tests ask
        self._answers: dict[int, bool | None] = {}
        self._classes = {one.name: one for one in graph.classes}
        self._at: dict[int, Facts] = {}
        self._over: dict[str, Facts] = {}  # where a phase is over
        self._go_through()

    def told(self, term: Term, node_id: int) -> Term:
        """A term without what is sure where a step is come to."""
        facts = self._at.get(node_id)
        return self._under(term, facts) if facts else term

    def answer(self, node: Node) -> bool | None:
        """How a test surely comes out; `None` if that is not sure, or nothing is asked."""
        if node.id not in self._answers:
            self._answers[node.id] = self._answer(node)
        return self._answers[node.id]

    def _answer(self, node: Node) -> bool | None:
        if not isinstance(node.step, Branch) or isinstance(node.step.test, Const):
            return None
        if not self._at.get(node.id):
            return None
        match self.told(self._question(node, node.step.test), node.id):
            case Const(bool() as answer):
                return answer
            case _:
                return None

    # ---- from step to step

    def _go_through(self) -> None:
        begun = [trigger.phase for trigger in self._graph.triggers]
        waiting = [self._graph.start, *map(self._entry, begun)]
        self._at |= {node_id: {} for node_id in waiting}
        heapify(waiting)  # as the rules are written
        left = _ROUNDS * len(self._graph.nodes)
        while waiting and left:
            left -= 1
            node = self._graph.nodes[heappop(waiting)]
            while waiting and waiting[0] == node.id:
                heappop(waiting)
            over = self._left(node)
            if over is not None and self._meet(self._over, over, self._of_the_game(node.id)):
                for id_ in self._runs.get(over, ()):
                    if id_ in self._at:
                        heappush(waiting, id_)
            for following, facts in self._onwards(node):
                if self._meet(self._at, following, facts):
                    heappush(waiting, following)
        if waiting:
            self._at.clear()

    def _meet(self, known: dict[_Place, Facts], place: _Place, facts: Facts) -> bool:
        """Takes in that a game can come to a place so; whether that changes what is sure there."""
        before = known.get(place)
        both = facts if before is None else self._both(before, facts)
        known[place] = both
        return before is None or both != before

    def _of_the_game(self, node_id: int) -> Facts:
        """What is sure at a step of more than locals, which are gone when their phase is over."""
        return {
            number: value
            for number, value in self._at[node_id].items()
            if all(one.phase is None for one in self._terms.of(number).access.variables)
        }

    def _left(self, node: Node) -> str | None:
        """The phase that is over at a step."""
        match node.step:
            case Flow(Return()):
                return node.phase
            case Flow(Leave(phase)):
                return phase
            case _:
                return None

    @cached_property
    def _runs(self) -> dict[str, list[int]]:
        """The steps that run each phase."""
        found: dict[str, list[int]] = {}
        for node in self._graph.nodes:
            if isinstance(node.step, Flow) and isinstance(node.step.way, Call):
                found.setdefault(node.step.way.phase, []).append(node.id)
        return found

    def _onwards(self, node: Node) -> Iterator[tuple[int, Facts]]:
        """The steps that can come next, with what is sure on the way to each."""
        facts = self._at[node.id]
        match node.step:
            case Branch(test):
                test = self._under(self._question(node, test), facts)
                for following, answer in zip(node.next, (True, False), strict=True):
                    if not isinstance(test, Const) or test.value is answer:
                        yield following, self._with(facts, _says(test, answer))
            case Flow(Call(phase)):
                yield self._entry(phase), facts
                if phase in self._over:
                    kept = self._without(facts, self._written[phase])
                    yield from ((next_, {**kept, **self._over[phase]}) for next_ in node.next)
            case Flow(Jump(phase)):
                yield self._entry(phase), facts
            case _:
                after = self._without(facts, step_writes(node.step))
                if isinstance(node.step, Assign | Move | Chance):
                    for trigger in self._graph.triggers:
                        after = self._without(after, self._written[trigger.phase])
                after = self._with(after, _given(node.step))
                yield from ((following, after) for following in node.next)

    def _question(self, node: Node, test: Term) -> Term:
        if node.id not in self._asked:
            self._asked[node.id] = opened(test)
        return self._asked[node.id]

    def _entry(self, phase: str) -> int:
        return self._graph.phase(phase).entry

    @cached_property
    def _written(self) -> dict[str, Access]:
        """What a phase may change, with all that it runs, goes on as or sets off."""
        own: dict[str, list[Access]] = {phase.name: [] for phase in self._graph.phases}
        leads: dict[str, set[str]] = {name: set() for name in own}
        for node in self._graph.nodes:
            if node.phase not in own:
                continue
            own[node.phase].append(step_writes(node.step))
            if isinstance(node.step, Flow) and isinstance(node.step.way, Call | Jump):
                leads[node.phase].add(node.step.way.phase)
        for name in leads:
            leads[name].update(trigger.phase for trigger in self._graph.triggers)
        return {name: _together(own, _reached(name, leads)) for name in own}

    # ---- facts

    def _without(self, facts: Facts, written: Access) -> Facts:
        """What stays sure if something may be changed."""
        if not facts or not (written.variables or written.table):
            return facts
        return {
            number: value
            for number, value in facts.items()
            if not self._terms.of(number).access.meets(written)
        }

    def _with(self, facts: Facts, more: Iterable[tuple[Term, Value]]) -> Facts:
        told = {self._terms.known(term).number: value for term, value in more}
        return {**facts, **told} if told else facts

    def _both(self, one: Facts, other: Facts) -> Facts:
        """What is sure if either is."""
        if one == other:
            return one
        return {
            number: value
            for number, value in {**one, **other}.items()
            if self._says_so(one, number, value) and self._says_so(other, number, value)
        }

    def _says_so(self, facts: Facts, number: int, value: Value) -> bool:
        if number in facts:
            return facts[number] == value
        said = self._under(self._terms.of(number).term, facts)
        return isinstance(said, Const) and said.value == value

    def _under(self, term: Term, facts: Facts) -> Term:
        """A term where some facts hold."""
        if not facts or self._terms.known(term).inside.isdisjoint(facts):
            return term

        def instead(part: Term) -> Term | None:
            if not _may_be_sure(part):
                return None
            number = self._terms.known(part).number
            return Const(facts[number], type=part.type) if number in facts else None

        return settled(self._folded(replaced(term, instead)))

    def _folded(self, term: Term) -> Term:
        """A term with those parts worked out that are known."""
        match term:
            case Apply(op, args) if not isinstance(op, Function):
                parts = tuple(map(self._folded, args))
                made = term if parts == args else evolve(term, args=parts)
                if not all(isinstance(part, Const) for part in parts):
                    return made
                try:
                    return Const(evaluate(made, {}, self._classes), type=term.type)
                except (NotConstant, Undefined):
                    return made
            case Cond(test, then, otherwise):
                asked = self._folded(test)
                if isinstance(asked, Const):
                    return self._folded(then if asked.value else otherwise)
                return evolve(
                    term, test=asked, then=self._folded(then), otherwise=self._folded(otherwise)
                )
            case _:
                return term


def _says(test: Term, answer: bool) -> Iterator[tuple[Term, Value]]:
    """What is sure after a test came out so: of what `and` or `or` joins, each part."""
    match test:
        case Const():
            return
        case Apply(op, (inner,)) if op is NOT:
            yield from _says(inner, not answer)
        case Cond(first, then, Const(False)) if answer:
            yield from _says(first, True)
            yield from _says(then, True)
        case Cond(first, Const(True), otherwise) if not answer:
            yield from _says(first, False)
            yield from _says(otherwise, False)
        case Apply(op, (Read(Variable()) as read, Const(value))) if op is IS and answer:
            yield read, value
        case _ if test.type == BOOL:
            yield test, answer
        case _:
            return


def _given(step: Step) -> Iterator[tuple[Term, Value]]:
    """What is sure after a variable was given a value: that, or that there is something in it."""
    match step:
        case Assign(Variable() as variable, (), value):
            read = Read(variable, type=variable.type)
            if isinstance(value, Const):
                yield read, value.value
            elif _has_some(value):
                nothing = Const((), type=variable.type)
                yield Apply(SAME_MEMBERS, (read, nothing), type=BOOL), False
        case _:
            return


def _has_some(term: Term) -> bool:
    """Whether there is surely something in a list or set."""
    match term:
        case Apply(op, args) if op is LIST:
            return bool(args)
        case Apply(op, (one,)) if op is JUST:
            return present(one.type) is one.type
        case Apply(op, (inner,)) if op is AS_SET:
            return _has_some(inner)
        case Apply(op, args) if op is UNION:
            return any(map(_has_some, args))
        case _:
            return False


def _reached(name: str, leads: Mapping[str, set[str]]) -> list[str]:
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        at = waiting.pop()
        if at not in found:
            found[at] = None
            waiting += leads[at]
    return list(found)


def _together(own: Mapping[str, list[Access]], names: list[str]) -> Access:
    parts = [access for name in names for access in own[name]]
    variables = dict.fromkeys(variable for part in parts for variable in part.variables)
    return Access(tuple(variables), frozenset(touch for part in parts for touch in part.table))
