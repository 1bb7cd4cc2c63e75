"""Two graphs side by side: from where on they may not do the same.

Both are gone through together from their beginnings.  Where two nodes do the same, what follows is
compared; where they do not, or where ways part, is a *parting*.  A game that comes to no parting
goes the same way under both graphs.  Titles and clauses make no difference to what happens.
"""

from collections.abc import Iterator
from typing import Final

from attrs import define, field, fields, frozen, has

from compiler.graph.core import (
    Call,
    Chance,
    Choose,
    End,
    Flow,
    Function,
    Graph,
    Jump,
    Node,
    Place,
    TokenClass,
    Variable,
)
from compiler.ops.row import Lookup


@frozen
class Pairing:
    """How two graphs stand to each other.

    `partings` are nodes of the first at which a game may begin to differ.  `reason` says what makes
    them differ from the very start, if something does; then a game may differ before them.
    """

    partings: frozenset[int]
    reason: str = ""

    @property
    def same(self) -> bool:
        """Whether every game goes the same way under both."""
        return not self.partings and not self.reason


def pairing(old: Graph, new: Graph) -> Pairing:
    """How two graphs stand to each other."""
    likeness = Likeness(old, new)
    reason = likeness.declarations()
    return Pairing(frozenset(_partings(likeness)), reason)


def same(old: Graph, new: Graph) -> bool:
    """Whether every game goes the same way under both, looked at no further than need be."""
    likeness = Likeness(old, new)
    return not likeness.declarations() and next(_partings(likeness), None) is None


def entrances(graph: Graph, nodes: frozenset[int]) -> frozenset[int] | None:
    """Nodes that are no stops, one of which a game has passed before it comes to one of `nodes`.

    A stop that leaves nothing to decide is passed unseen, so what leads there stands for it.
    `None` if a game may come to `nodes` without any.
    """
    before = _before(graph)
    found: set[int] = set()
    waiting = [*nodes]
    seen = set(nodes)
    while waiting:
        node = waiting.pop()
        if not _stops(graph.nodes[node]):
            found.add(node)
            continue
        if node == graph.start:
            return None
        further = [one for one in before[node] if one not in seen]
        seen.update(further)
        waiting += further
    return frozenset(found)


def _before(graph: Graph) -> list[list[int]]:
    """For every node, those from which a game may come to it."""
    found: list[list[int]] = [[] for _ in graph.nodes]
    for node in graph.nodes:
        for after in (*node.next, *_entered(graph, node)):
            found[after].append(node.id)
    return found


def _entered(graph: Graph, node: Node) -> tuple[int, ...]:
    """Where the phase begins that a step calls or goes on as."""
    match node.step:
        case Flow(Call(phase) | Jump(phase)):
            return (graph.phase(phase).entry,)
        case _:
            return ()


def _stops(node: Node) -> bool:
    """Whether a game may wait at a node."""
    ends = isinstance(node.step, Flow) and isinstance(node.step.way, End)
    return ends or isinstance(node.step, Choose | Chance)


def _partings(likeness: "Likeness") -> Iterator[int]:
    old, new = likeness.old, likeness.new
    waiting = [(old.start, new.start)]
    for before, after in zip(old.triggers, new.triggers, strict=False):
        waiting.append((old.phase(before.phase).entry, new.phase(after.phase).entry))
    seen = set(waiting)
    while waiting:
        here, there = waiting.pop()
        one, other = old.nodes[here], new.nodes[there]
        if not likeness.nodes(one, other):
            yield here
            continue
        ways = zip(
            (*one.next, *_entered(old, one)), (*other.next, *_entered(new, other)), strict=True
        )
        further = [pair for pair in ways if pair not in seen]
        seen.update(further)
        waiting += further


_SILENT: Final = frozenset({"span", "clauses", "title"})
"""Fields that say where and why, not what."""


_TELLING: Final[dict[type, tuple[str, ...] | None]] = {}


def _telling(form: type) -> tuple[str, ...] | None:
    """The fields of a form that say what happens; `None` for what has no fields."""
    if form not in _TELLING:
        slots = fields(form) if has(form) else None
        _TELLING[form] = slots and tuple(s.name for s in slots if s.name not in _SILENT and s.eq)
    return _TELLING[form]


@define(eq=False)
class Likeness:
    """Whether parts of two graphs say the same; variables are the same as they were met before."""

    old: Graph
    new: Graph
    _partners: dict[Variable, Variable] = field(factory=dict)
    _taken: dict[Variable, Variable] = field(factory=dict)
    _functions: dict[tuple[Function, Function], bool] = field(factory=dict)

    def declarations(self) -> str:
        """What the declarations differ in, in a word; nothing if they do not."""
        old, new = self.old, self.new
        if old.seats != new.seats:
            return "the number of players"
        if not self.rows(old.classes, new.classes):
            return "the cards and pieces"
        if not self.rows(old.places, new.places):
            return "the places"
        if not self.alike(old.variables, new.variables):
            return "the variables"
        if not self.alike(
            tuple(trigger.condition for trigger in old.triggers),
            tuple(trigger.condition for trigger in new.triggers),
        ):
            return "what happens whenever something becomes true"
        return ""

    def nodes(self, one: Node, other: Node) -> bool:
        """Whether two nodes do the same, and have as many ways on."""
        return len(one.next) == len(other.next) and self.alike(one.step, other.step)

    def rows(
        self, ones: tuple[TokenClass | Place, ...], others: tuple[TokenClass | Place, ...]
    ) -> bool:
        """Whether two tables say the same row by row."""
        pairs = zip(ones, others, strict=False)
        return len(ones) == len(others) and all(self._same(one, other) for one, other in pairs)

    def alike(self, one: object, other: object) -> bool:
        """Whether two values say the same, wherever they were written."""
        if isinstance(one, Variable) and isinstance(other, Variable):
            return self._variables(one, other)
        if isinstance(one, Function) and isinstance(other, Function):
            return self.same_function(one, other)
        if isinstance(one, Lookup) and isinstance(other, Lookup):
            return (one.table, one.lows) == (other.table, other.lows)
        if isinstance(one, tuple) and isinstance(other, tuple):
            return len(one) == len(other) and all(map(self.alike, one, other))
        return type(one) is type(other) and self._same(one, other)

    def _same(self, one: object, other: object) -> bool:
        """Whether two values of one form say the same, field by field."""
        names = _telling(type(one))
        if names is None:
            return one == other
        return all(self.alike(getattr(one, name), getattr(other, name)) for name in names)

    def _variables(self, one: Variable, other: Variable) -> bool:
        partner = self._partners.get(one)
        if partner is not None or other in self._taken:
            return partner is other
        facts = ("name", "phase", "keys", "type")
        same = type(one) is type(other) and self.same_beginning(one, other)
        same = same and all(getattr(one, fact) == getattr(other, fact) for fact in facts)
        if same:
            self._partners[one] = other
            self._taken[other] = one
        return same and self.alike(one.readers, other.readers)

    def same_beginning(self, one: Variable, other: Variable) -> bool:
        """Whether two variables begin with the same."""
        return one.initial == other.initial

    def same_function(self, one: Function, other: Function) -> bool:
        pair = (one, other)
        if pair not in self._functions:
            self._functions[pair] = len(one.params) == len(other.params) and self.alike(
                one.cases, other.cases
            )
        return self._functions[pair]
