"""Automatic steps as functions of the table: each node of a graph is read once.

A step function does the whole of one step and returns the node that comes next, or `HALT` where a
game waits.  It changes nothing before it is sure: if a hidden token must get its kind first, it
raises `Unresolved` (a term reads it) or `Exposed` (the step would show it, or needs to know it),
and is called again afterwards.
"""

from collections.abc import Callable
from typing import TypeAlias, assert_never

from attrs import define

from compiler.graph.core import (
    Assign,
    Branch,
    Call,
    Chance,
    Choose,
    End,
    Flow,
    Graph,
    Jump,
    Leave,
    Move,
    Node,
    Return,
    Shape,
    Shuffle,
    Term,
    Value,
)
from compiler.types import Optional
from ruleengine.assigns import Assigns
from ruleengine.chance import Pools
from ruleengine.effects import Effect, with_event
from ruleengine.errors import Exposed, Fault
from ruleengine.knowledge.protocol import Observer, Shuffled
from ruleengine.moves import Moves
from ruleengine.references import References
from ruleengine.sight import Sight
from ruleengine.statics import Statics
from ruleengine.table import UNRESOLVED, Table
from ruleengine.terms import Terms
from ruleengine.triggers import Triggers

HALT = -1

StepFunction: TypeAlias = Callable[[Table, Observer | None], int]


@define(eq=False)
class Steps:
    """Makes the step functions of one graph."""

    statics: Statics
    terms: Terms
    references: References
    sight: Sight
    pools: Pools
    triggers: Triggers
    moves: Moves
    assigns: Assigns

    @classmethod
    def of(cls, terms: Terms, sight: Sight, pools: Pools, triggers: Triggers) -> "Steps":
        """Those of a graph."""
        return cls(
            terms.statics,
            terms,
            terms.references,
            sight,
            pools,
            triggers,
            Moves.of(terms, sight, pools, triggers),
            Assigns.of(terms, pools, triggers),
        )

    @property
    def graph(self) -> Graph:
        """The graph whose steps these are."""
        return self.statics.graph

    def of_node(self, node: Node, eager: bool) -> StepFunction | None:
        """A node's function; `None` for one at which a game may wait."""
        match node.step:
            case Branch(test):
                return self._branch(node, test)
            case Assign():
                return self._effect(node, self.assigns.of_node(node, node.step))
            case Move():
                return self._effect(node, self.moves.of_node(node, node.step))
            case Chance(Shuffle(place)):
                return self._shuffling(node, place, eager)
            case Chance() | Choose() | Flow(End()):
                return None
            case Flow(way):
                return self._flow(node, way)
            case _:
                assert_never(node.step)

    # ---- ways on

    def _branch(self, node: Node, test: Term) -> StepFunction:
        holds = self.terms.scope().test(test)
        if_true, if_false = node.next
        return lambda table, _: if_true if holds(table) else if_false

    def _flow(self, node: Node, way: Call | Jump | Return | Leave | End) -> StepFunction:
        match way:
            case Call(phase):
                entry, here = self.graph.phase(phase).entry, node.id

                def call(table: Table, _: Observer | None) -> int:
                    table.stack.append(here)
                    return entry

                return call
            case Jump(phase):
                target = self.graph.phase(phase).entry
                return lambda _table, _: target
            case Return():
                return lambda table, _: self.leave(table)
            case Leave(phase):
                return lambda table, _: self._leave_phase(table, phase)
            case End():
                return lambda _table, _: HALT
            case _:
                assert_never(way)

    def leave(self, table: Table) -> int:
        """Leaves the innermost frame: where it goes on, `HALT` if nothing called it."""
        if not table.stack:
            return HALT
        frame = table.stack.pop()
        if frame >= 0:
            return self.graph.nodes[frame].next[0]
        return self.triggers.end(table, -1 - frame)

    def _leave_phase(self, table: Table, phase: str) -> int:
        nodes = self.graph.nodes
        running = nodes[table.node].phase
        depth = len(table.stack)
        while running != phase:
            depth -= 1
            if depth < 0:
                raise Fault(f"`{phase}` is to be left, but it is not running")
            frame = table.stack[depth]
            running = nodes[frame if frame >= 0 else -1 - frame].phase
        interrupted = any(frame < 0 for frame in table.stack[depth:])
        del table.stack[depth:]
        if interrupted:
            table.in_trigger = False
        then = self.leave(table)
        return self.triggers.end(table, then) if interrupted and then != HALT else then

    # ---- effects

    def _effect(self, node: Node, effect: Effect) -> StepFunction:
        """An effect with the triggers it may set off."""
        watch = self.triggers.watch(node)
        then = node.next[0]
        if not watch.places and not watch.triggers:

            def plain(table: Table, observer: Observer | None) -> int:
                effect(table, observer)
                return then

            return plain

        def watched(table: Table, observer: Observer | None) -> int:
            if table.pools and watch.exposes:
                trial = table.copy()
                effect(trial, None)
                self.triggers.foresee(trial, table, watch)
            effect(table, observer)
            return self.triggers.after(table, watch, then)

        return watched

    def _shuffling(self, node: Node, place: Term, eager: bool) -> StepFunction:
        """A shuffle; what lies open afterwards, or all if `eager`, gets its kinds at once."""
        step = self._effect(node, self._shuffle(node, place))

        def shuffling(table: Table, observer: Observer | None) -> int:
            then = step(table, observer)
            exposed = self.exposed(table, eager)
            if exposed:
                table.node = then
                raise Exposed(exposed)
            return then

        return shuffling

    def exposed(self, table: Table, eager: bool) -> list[int]:
        """The unresolved tokens that somebody sees, or all of them if `eager`, in place order."""
        if not table.pools:
            return []
        if eager:
            cells = [token for place in table.cells for token in place]
            return [token for token in cells if table.kind[token] == UNRESOLVED]
        return self.sight.visible_unresolved(table)

    def _shuffle(self, node: Node, term: Term) -> Effect:
        closure = self.terms.closed(term)
        places = self.triggers.watch(node).places

        def shuffle(table: Table, observer: Observer | None) -> None:
            place = closure(table)
            if not isinstance(place, int):
                raise Fault("`none` where a place to shuffle must be")
            unsettled = self.pools.before_shuffle(table, place)
            if unsettled:
                raise Exposed(self.references.listed(table, unsettled))
            self.pools.check_alike(table, place)

            def happen() -> None:
                self._forget(table, place)
                self.pools.shuffle(table, place)

            with_event(observer, table, Shuffled(node.id, place), places, happen)

        return shuffle

    def _forget(self, table: Table, place: int) -> None:
        """A card that is shuffled away cannot be followed: no variable means it any more."""
        if self.graph.places[place].shape not in (Shape.LIST, Shape.PILE):
            return
        lost = frozenset(table.cells[place])
        for slot, type_ in self.references.live_slots(table):
            kept = _without(table.values[slot], lost)
            if kept is None and table.values[slot] is not None and not isinstance(type_, Optional):
                raise Fault("a card that a variable must refer to is lost among those shuffled")
            table.values[slot] = kept


def _without(value: Value, lost: frozenset[int]) -> Value:
    """A value without the tokens that are lost: shorter lists, `none` for a single one."""
    if isinstance(value, tuple):
        return tuple([_without(part, lost) for part in value if part not in lost])
    return None if value in lost else value
