"""What is certain before play: that a sealed decision has somebody to ask.

Said of the rules as they stand, so it can be too careful, and never wrong: everybody is asked, or
those about whom the option that was picked, or the test before, already says that there is one.
"""

from collections.abc import Iterator
from typing import Any

from attrs import fields, frozen

from compiler.graph.core import (
    Apply,
    Assign,
    Bound,
    Branch,
    Call,
    Choose,
    Cond,
    Const,
    Domain,
    Flow,
    Fold,
    FoldMode,
    Function,
    Graph,
    Jump,
    Node,
    Read,
    Term,
    Variable,
)
from compiler.graph.walk import TERMS, variable_reads
from compiler.ops.lists import IN, LIST, UNION


def asked_of(node: Node) -> Variable | None:
    """What a test asks about, if it is one variable that the compiler made."""
    if not isinstance(node.step, Branch):
        return None
    asked = {variable for variable, _ in variable_reads(node.step.test)}
    only = asked.pop() if len(asked) == 1 else None
    return only if only is not None and only.hidden_name else None


def always_asked(graph: Graph) -> frozenset[int]:
    """The tests whether a sealed decision has anybody to ask which it always has."""
    thinned = _after_leaving(graph)
    found = [node for node in graph.nodes if _opens(graph, node)]
    return frozenset(
        node.id for node in found if _Certain(graph, node.phase in thinned).asked(node)
    )


def _after_leaving(graph: Graph) -> frozenset[str]:
    """The phases in which somebody may have left the game, or leaves it."""
    runs: dict[str, set[str]] = {phase.name: set() for phase in graph.phases}
    goes: dict[str, set[str]] = {phase.name: set() for phase in graph.phases}
    for node in graph.nodes:
        match node.step:
            case Flow(Call(phase)):
                runs[node.phase].add(phase)
            case Flow(Jump(phase)):
                goes[node.phase].add(phase)
            case _:
                pass
    found = {node.phase for node in graph.nodes if _gives(node, graph.players)}
    while more := {one for one in runs if runs[one] & found} - found:
        found |= more  # it comes back to who ran it
    if found & {trigger.phase for trigger in graph.triggers}:
        return frozenset(runs)
    while more := {one for name in found for one in runs[name] | goes[name]} - found:
        found |= more
    return frozenset(found)


def _opens(graph: Graph, node: Node) -> bool:
    """Whether a test only asks if a sealed decision has anybody to ask."""
    if asked_of(node) is None or node.title:
        return False
    sealed = graph.nodes[node.next[1]].step
    return isinstance(sealed, Choose) and sealed.joint and sealed.actor == Read(_only(node))


def _only(node: Node) -> Variable:
    asked = asked_of(node)
    assert asked is not None
    return asked


@frozen
class _Certain:
    """Proofs about one graph."""

    graph: Graph
    _some_left: bool

    def asked(self, node: Node) -> bool:
        """Whether what such a test looks at never is empty."""
        steps = [other for other in self.graph.nodes if _gives(other, _only(node))]
        return bool(steps) and all(
            isinstance(one.step, Assign) and self._some(one.step.value, tuple(self._known(one)))
            for one in steps
        )

    def _some(self, term: Term, known: tuple[Term, ...]) -> bool:
        """Whether a list surely has a member."""
        match term:
            case Const(tuple() as members):
                return bool(members)
            case Read(source) if source is self.graph.players:
                return not self._some_left
            case Apply(Function(cases=(only,))):
                return only.when is None and self._some(only.value, ())
            case Apply(op, args) if op is LIST:
                return bool(args)
            case Apply(op, args) if op is UNION:
                return any(self._some(arg, known) for arg in args)
            case Fold(FoldMode.FILTER):
                if any(_says_so(fact, term) for fact in known):
                    return True
                return self._all_pass(term) and self._some(term.domain.members, known)
            case _:
                return False

    def _all_pass(self, of: Fold) -> bool:
        """Whether a filter lets everybody through: those who are in the game, while nobody left."""
        match of.where:
            case None:
                return True
            case Apply(op, (Bound(index=index), Read(source))) if op is IN:
                plays = source is self.graph.players and not self._some_left
                return plays and index == of.bound.index
            case _:
                return False

    def _known(self, node: Node) -> Iterator[Term]:
        """What has to hold where a step is come to: guards of the option, the test just before."""
        before = [other for other in self.graph.nodes if node.id in other.next]
        if len(before) != 1:
            return
        last = before[0]
        ways = [position for position, next_ in enumerate(last.next) if next_ == node.id]
        match last.step:
            case Choose(options=options, joint=False) if len(ways) == 1 and ways[0] < len(options):
                option = options[ways[0]]
                if not option.slots:
                    yield from (part for guard in option.guards for part in _parts(guard.holds))
            case Branch(test) if ways == [0]:
                yield from _parts(test)
            case Assign(Variable(hidden_name=True) as other):
                read = {variable for variable, _ in variable_reads(*_values(node))}
                if other not in read:
                    yield from self._known(last)
            case _:
                return


def _values(node: Node) -> Iterator[Term]:
    if isinstance(node.step, Assign):
        yield node.step.value


def _gives(node: Node, variable: Variable) -> bool:
    return isinstance(node.step, Assign) and node.step.target is variable


def _parts(test: Term) -> Iterator[Term]:
    """What holds if a test does: of several joined by "and", each."""
    match test:
        case Cond(first, then, Const(value)) if not value:
            yield from _parts(first)
            yield from _parts(then)
        case _:
            yield test


def _says_so(fact: Term, of: Fold) -> bool:
    """Whether a fact says that somebody passes a filter."""
    match fact:
        case Fold(FoldMode.SOME, bound, domain, where, body):
            tests = [test for test in (where, body) if test is not None]
            if of.where is None or len(tests) != 1:
                return False
            names = {bound.index: of.bound.index}
            return alike(domain, of.domain, {}) and alike(tests[0], of.where, names)
        case _:
            return False


def alike(one: object, other: object, names: dict[int, int]) -> bool:
    """Whether two terms say the same, whatever their bound names are."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Bound) and isinstance(other, Bound):
        return names.get(one.index, one.index) == other.index
    if isinstance(one, Fold) and isinstance(other, Fold):
        names = {**names, one.bound.index: other.bound.index}
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(
            alike(a, b, names) for a, b in zip(one, other, strict=True)
        )
    if isinstance(one, (*TERMS, Domain)):
        kept: Any = [field.name for field in fields(type(one)) if field.eq]
        return all(alike(getattr(one, name), getattr(other, name), names) for name in kept)
    return one == other
