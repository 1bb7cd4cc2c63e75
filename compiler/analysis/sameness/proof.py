"""Whether two graphs are the same game: each step of one has its like in the other.

Both are gone through together, as `compiler.analysis.pairing` does, but more is overlooked:

- terms that come to the same for all values they can have, tests passed before considered;
- tests that come out one way only, and tests after which nothing depends on them;
- values given to what nobody reads, and effects that leave everything as it is;
- the order of effects neither of which touches what the other changes, phases that wait for nobody
  and draws of chance included.

Where nothing is left over, whoever plays decides the same among the same, chance has the same odds,
and every situation in which somebody waits is the same.
"""

from typing import Final

from attrs import define, evolve, field, frozen

from compiler.analysis.sameness.effects import Effects, Touched
from compiler.analysis.sameness.facts import facts
from compiler.analysis.sameness.meaning import Facts, Meant, Telling
from compiler.diagnostic import InternalError
from compiler.graph.core import (
    Apply,
    Assign,
    Branch,
    Call,
    Flow,
    Graph,
    Jump,
    Move,
    Node,
    Read,
    Shape,
    Term,
    Variable,
)
from compiler.graph.occupancy import Occupancy
from compiler.graph.walk import whole
from compiler.graph.where import indices
from compiler.ops.numbers import DIVIDE, MODULO
from compiler.types import Int, Nothing, Optional, certain

_LONGEST: Final = 12  # effects in a row that are put in another order


@frozen
class Open:
    """Where no like was found: at a node of the first graph, and if one value makes the difference,
    which."""

    node: int | None
    telling: Telling | None = None


def settled(graph: Graph, effects: Effects) -> Graph:
    """The graph in which moves say the side that their places would, and places ask for none.

    Where every place that a move may lead to keeps no order, it makes no difference to which end.
    """
    nodes = []
    asked = 0
    for node in graph.nodes:
        step = node.step
        if not isinstance(step, Move):
            nodes.append(node)
            continue
        _, target = effects.ends(node.id, step)
        places = [graph.places[index] for index in indices(target)]
        sides = {place.face_up for place in places}
        if step.face_up is None and len(sides) == 1:
            step = evolve(step, face_up=sides.pop())
        elif step.face_up is None:
            asked |= target
        if step.at_bottom and all(one.shape in (Shape.SET, Shape.ONE) for one in places):
            step = evolve(step, at_bottom=False)
        nodes.append(evolve(node, step=step))
    rows = tuple(
        place if asked >> place.index & 1 else evolve(place, face_up=True) for place in graph.places
    )
    return evolve(graph, nodes=tuple(nodes), places=rows)


@define(eq=False)
class Side:
    """One of the two graphs, and what is known of it.

    It can be kept, and be compared with many; `locally` it serves local proofs.
    """

    graph: Graph
    effects: Effects
    facts: tuple[Facts, ...]
    locally: bool

    @classmethod
    def of(cls, graph: Graph, lying: Occupancy, *, locally: bool = False) -> "Side":
        """A graph, and what can lie where in it."""
        effects = Effects(graph, None if locally else lying.found)
        return cls(settled(graph, effects), effects, facts(graph, effects), locally)

    def node(self, at: int) -> Node:
        return self.graph.nodes[at]

    @property
    def forgotten(self) -> frozenset[Variable]:
        """The variables that are given a value before anybody reads them."""
        begins: dict[str | None, int] = {one.name: one.entry for one in self.graph.phases}
        begins[None] = self.graph.start
        local = [one for phase in self.graph.phases for one in phase.locals]
        return frozenset(
            one
            for one in (*self.graph.variables, *local)
            if self.effects.unread(begins[one.phase], self.effects.slots.mask(one))
        )


def proved(old: Side, new: Side) -> bool:
    """Whether two graphs are shown to be the same game.

    What is shown locally rests on what the steps say that are not written alike, on what they
    name and on nothing else: it stays as long as these do, whatever else differs.
    """
    return unproved(old, new) is None


def unproved(old: Side, new: Side) -> Open | None:
    """Where it is not shown that two graphs are the same game; `None` if it is."""
    if old.locally != new.locally:
        raise InternalError("one side is for local proofs, and the other is not")
    meant = Meant(old.graph, new.graph, forgotten=old.forgotten, by_type=old.locally)
    proof = _Proof(old, new, meant)
    return None if proof.run() else Open(proof.open, proof.telling())


@define(eq=False)
class _Proof:
    """Pairs of nodes that must be alike, for as long as all are."""

    old: Side
    new: Side
    meant: Meant
    _seen: set[tuple[int, int]] = field(factory=set, init=False)
    _waiting: list[tuple[int, int]] = field(factory=list, init=False)
    _apart: tuple[int, int] | None = field(default=None, init=False)

    def run(self) -> bool:
        """Whether every step has its like."""
        old, new = self.old.graph, self.new.graph
        if len(old.triggers) != len(new.triggers) or self.meant.declarations():
            return False
        self._add(old.start, new.start)
        for one, other in zip(old.triggers, new.triggers, strict=True):
            self._add(old.phase(one.phase).entry, new.phase(other.phase).entry)
        while self._waiting:
            if not self._pair(*self._waiting.pop()):
                return False
        return True

    def _add(self, here: int, there: int) -> None:
        if (here, there) not in self._seen:
            self._seen.add((here, there))
            self._waiting.append((here, there))

    def _pair(self, here: int, there: int) -> bool:
        here, there = self._onward(here, new=False), self._onward(there, new=True)
        one, other = self.old.node(here), self.new.node(there)
        self.meant.begin(self.old.facts[here])
        if self.meant.nodes(one, other):
            for pair in zip(_ways(self.old.graph, one), _ways(self.new.graph, other), strict=True):
                self._add(*pair)
            return True
        if self._reordered(here, there):
            return True
        self._apart = here, there
        return False

    @property
    def open(self) -> int | None:
        """The node of the first graph at which it ended."""
        return None if self._apart is None else self._apart[0]

    def telling(self) -> Telling | None:
        """The one value that makes a difference there, if it is one."""
        if self._apart is None:
            return None
        here, there = self._apart
        self.meant.begin(self.old.facts[here])
        return self.meant.told_apart(self.old.node(here).step, self.new.node(there).step)

    # ---- what is overlooked

    def _onward(self, at: int, *, new: bool) -> int:
        """The first node from here on whose step makes a difference."""
        side = self.new if new else self.old
        passed = {at}
        while True:
            following = self._overlooked(side, at, new)
            if following is None or following in passed:
                return at
            passed.add(following)
            at = following

    def _overlooked(self, side: Side, at: int, new: bool) -> int | None:
        """Where it goes on, if a step makes no difference."""
        node = side.node(at)
        self.meant.begin(self.old.facts[at] if not new else ())
        match node.step:
            case Branch(test):
                if not _is_quiet(test):
                    return None
                answer = self.meant.always(test, new=new)
                if answer is not None:
                    return node.next[0 if answer else 1]
                return node.next[0] if node.next[0] == node.next[1] else None
            case Assign(Variable() as variable, args, value):
                if self._is_idle(side, node, variable, args, value):
                    return node.next[0]
                return None
            case _:
                return None

    def _is_idle(
        self, side: Side, node: Node, variable: Variable, args: tuple[Term, ...], value: Term
    ) -> bool:
        """Whether nobody reads what is given, or it was the value before."""
        if len(args) != len(variable.key_types):
            return False
        if not all(map(certain, (arg.type for arg in args), variable.key_types)):
            return False
        if not certain(value.type, variable.type):
            return False
        if not all(map(_is_quiet, (*args, value))):
            return False
        if value == Read(variable, args):
            return True
        slots = side.effects.slots
        member = slots.member(variable, args)
        written = slots.mask(variable) if member is None else member
        return side.effects.unread(node.next[0], written)

    # ---- order

    def _reordered(self, here: int, there: int) -> bool:
        """Whether the next few effects are the same in another order."""
        run, other = self._run(here, new=False), self._run(there, new=True)
        for length in range(2, min(len(run), len(other)) + 1):
            if self._is_order_of(run[:length], other[:length]):
                here = self.old.node(run[length - 1]).next[0]
                there = self.new.node(other[length - 1]).next[0]
                self._add(here, there)
                return True
        return False

    def _run(self, at: int, *, new: bool) -> list[int]:
        """The effects from a node on, as long as one follows upon the other."""
        side = self.new if new else self.old
        found: list[int] = []
        while len(found) < _LONGEST and at not in found:
            node = side.node(at)
            if len(node.next) != 1 or side.effects.touched(node) is None:
                break
            found.append(at)
            at = self._onward(node.next[0], new=new)
        return found

    def _is_order_of(self, run: list[int], other: list[int]) -> bool:
        left = list(other)
        called: list[tuple[int, int]] = []
        self.meant.begin(())
        for at in run:
            one = self.old.node(at)
            before = Touched()
            for position, candidate in enumerate(left):
                two = self.new.node(candidate)
                touched = self.new.effects.touched(two)
                if touched is None:
                    return False
                if touched.apart(before) and self.meant.alike(one.step, two.step):
                    called.append((at, candidate))
                    del left[position]
                    break
                before |= touched
            else:
                return False
        for at, candidate in called:
            ways = zip(
                _entered(self.old.graph, self.old.node(at)),
                _entered(self.new.graph, self.new.node(candidate)),
                strict=True,
            )
            for pair in ways:
                self._add(*pair)
        return True


def _ways(graph: Graph, node: Node) -> tuple[int, ...]:
    return (*node.next, *_entered(graph, node))


def _entered(graph: Graph, node: Node) -> tuple[int, ...]:
    match node.step:
        case Flow(Call(phase) | Jump(phase)):
            return (graph.phase(phase).entry,)
        case _:
            return ()


def _is_quiet(term: Term) -> bool:
    """Whether a term always has a value: nothing is counted with `none`, or divided by zero."""
    for part in whole(term):
        if isinstance(part, Apply):
            if part.op in (DIVIDE, MODULO):
                return False
            if isinstance(part.type, Int) and any(
                isinstance(arg.type, Optional | Nothing) for arg in part.args
            ):
                return False
    return True
