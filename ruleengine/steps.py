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
    FaceTarget,
    FlagTarget,
    Flow,
    Graph,
    Jump,
    KnownTarget,
    Leave,
    Move,
    Node,
    Return,
    Shape,
    Shuffle,
    Term,
    Value,
    Variable,
)
from compiler.types import Optional
from ruleengine.arranging import Arrangement, arrangements
from ruleengine.chance import Pools
from ruleengine.errors import Exposed, Fault
from ruleengine.fit import Fit, fit, shown
from ruleengine.knowledge.protocol import (
    Assigned,
    Event,
    Flagged,
    Moved,
    Observer,
    Shown,
    Shuffled,
    Turned,
)
from ruleengine.references import References
from ruleengine.sight import Sight
from ruleengine.statics import Statics
from ruleengine.table import UNRESOLVED, Table
from ruleengine.terms import Scope, Terms
from ruleengine.triggers import Triggers

HALT = -1

StepFunction: TypeAlias = Callable[[Table, Observer | None], int]
Effect: TypeAlias = Callable[[Table, Observer | None], None]


@define(eq=False)
class Steps:
    """Makes the step functions of one graph."""

    statics: Statics
    terms: Terms
    references: References
    sight: Sight
    pools: Pools
    triggers: Triggers
    _arranged: dict[int, Arrangement]
    _fits: dict[Variable, Fit]

    @classmethod
    def of(cls, terms: Terms, sight: Sight, pools: Pools, triggers: Triggers) -> "Steps":
        """Those of a graph."""
        statics = terms.statics
        fits = {variable: fit(variable.type, statics) for variable in statics.variables}
        return cls(
            statics,
            terms,
            terms.references,
            sight,
            pools,
            triggers,
            arrangements(statics.graph),
            fits,
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
                return self._effect(node, self._assign(node, node.step))
            case Move():
                return self._effect(node, self._move(node, node.step))
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
                raise Exposed(self.in_order(table, unsettled))
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

    # ---- moves

    def _move(self, node: Node, move: Move) -> Effect:
        scope = self.terms.scope()
        block = self._block(scope, move.tokens)
        target = scope.term(move.place)
        count = None if move.count is None else scope.term(move.count)
        places = self.triggers.watch(node).places
        arranged = node.id in self._arranged
        arranger = self._arranger(node)

        def effect(table: Table, observer: Observer | None) -> None:
            tokens = block(table)
            if count is not None:
                _check_count(count(table), tokens)
            place = target(table)
            if not isinstance(place, int):
                raise Fault("`none` where a place to move to must be")
            self._check_room(table, tokens, place)
            if table.pools:
                self._check_shown(table, tokens, place, move.face_up)
            if observer is None:
                self._carry(table, tokens, place, move)
                return
            event = Moved(
                node.id,
                tokens,
                tuple([table.place[token] for token in tokens]),
                tuple([table.cells[table.place[token]].index(token) for token in tokens]),
                place,
                arranged,
                None if arranger is None else arranger(table),
            )
            with_event(
                observer, table, event, places, lambda: self._carry(table, tokens, place, move)
            )

        return effect

    def _arranger(self, node: Node) -> Callable[[Table], int | None] | None:
        arrangement = self._arranged.get(node.id)
        if arrangement is None or arrangement.seat is None:
            return None
        closure = self.terms.closed(arrangement.seat)

        def arranger(table: Table) -> int | None:
            seat = closure(table)
            return seat if isinstance(seat, int) else None

        return arranger

    def _block(self, scope: Scope, term: Term) -> Callable[[Table], tuple[int, ...]]:
        """The tokens a term gives, as one block."""
        closure = scope.term(term)

        def block(table: Table) -> tuple[int, ...]:
            value = closure(table)
            if isinstance(value, int):
                return (value,)
            tokens = value if isinstance(value, tuple) else (None,)
            found = tuple(dict.fromkeys(token for token in tokens if isinstance(token, int)))
            if None in tokens:
                raise Fault("`none` where a token must be")
            return found

        return block

    def _check_room(self, table: Table, tokens: tuple[int, ...], target: int) -> None:
        place = self.graph.places[target]
        if place.token_class is not None:
            class_index = self.statics.class_index[place.token_class]
            for token in tokens:
                if self.statics.token_class[token] != class_index:
                    raise Fault(f"{place.label} takes only {place.token_class}")
        if place.kinds is not None:
            hidden = [token for token in tokens if table.kind[token] == UNRESOLVED]
            if hidden:
                raise Exposed(self.in_order(table, hidden))
            if any(table.kind[token] not in place.kinds for token in tokens):
                raise Fault(f"{place.label} does not take a token of this kind")
        capacity = 1 if place.shape is Shape.ONE else place.capacity
        if capacity is not None:
            arriving = sum(table.place[token] != target for token in tokens)
            if len(table.cells[target]) + arriving > capacity:
                raise Fault(f"{place.label} holds no more than {capacity}")

    def _check_shown(
        self, table: Table, tokens: tuple[int, ...], target: int, face_up: bool | None
    ) -> None:
        """What anybody will see must have a kind first."""
        hidden = [token for token in tokens if table.kind[token] == UNRESOLVED]
        if hidden:
            up = self.graph.places[target].face_up if face_up is None else face_up
            if up or self.sight.viewers(table, target):
                raise Exposed(self.in_order(table, hidden))

    def _carry(self, table: Table, tokens: tuple[int, ...], target: int, move: Move) -> None:
        """Moves tokens that may be moved."""
        place = self.graph.places[target]
        up = place.face_up if move.face_up is None else move.face_up
        pools: dict[int, None] = {}
        for token in tokens:
            source = table.place[token]
            table.cells[source].remove(token)
            class_index = self.statics.token_class[token]
            table.face[token] = up or not self.graph.classes[class_index].is_card
            if source != target:
                table.place[token] = target
                table.flags[token] &= self.statics.sticky[class_index]
            if table.kind[token] == UNRESOLVED:
                pools[table.pool[token]] = None
        cells = table.cells[target]
        if place.shape is Shape.PILE and not move.at_bottom:
            cells[:0] = tokens
        else:
            cells += tokens
        for pool in pools:
            self.pools.settle(table, pool)

    def in_order(self, table: Table, tokens: list[int]) -> list[int]:
        """Tokens in place order."""
        return list(self.references.in_order(table, tuple(tokens)))

    # ---- assignments

    def _assign(self, node: Node, step: Assign) -> Effect:
        match step.target:
            case Variable() as variable:
                return self._assign_variable(node, step, variable)
            case FaceTarget():
                return self._turn(node, step)
            case FlagTarget(name):
                return self._mark(node, step, name)
            case KnownTarget():
                return self._show(node, step)
            case _:
                assert_never(step.target)

    def _assign_variable(self, node: Node, step: Assign, variable: Variable) -> Effect:
        scope = self.terms.scope()
        value = scope.term(step.value)
        slot = self.locate(scope, variable, step.args)
        keep = self._fits[variable]
        places = self.triggers.watch(node).places

        def assign(table: Table, observer: Observer | None) -> None:
            kept = keep(table, value(table))
            at = slot(table)
            if observer is None:
                table.values[at] = kept
                return
            event = Assigned(node.id, at, kept)
            with_event(observer, table, event, places, lambda: store(table, at, kept))

        return assign

    def locate(
        self, scope: Scope, variable: Variable, args: tuple[Term, ...]
    ) -> Callable[[Table], int]:
        """Which slot of a variable keys name now."""
        slots = self.statics.slots[variable]
        if not args and not slots.shift:
            first = slots.first
            return lambda _: first
        keys = [scope.term(arg) for arg in args]

        def locate(table: Table) -> int:
            found = tuple([key(table) for key in keys])
            slot = slots.at(found, table.in_trigger)
            if slot is None:
                raise Fault(f"`{variable.name}` has no member {shown(found)}")
            return slot

        return locate

    def store(self, table: Table, variable: Variable, slot: int, value: Value) -> Value:
        """Puts a value into a slot if it fits, in the form it is kept in."""
        kept = table.values[slot] = self._fits[variable](table, value)
        return kept

    def _turn(self, node: Node, step: Assign) -> Effect:
        scope = self.terms.scope()
        block, face = self._block(scope, step.args[0]), scope.test(step.value)
        places = self.triggers.watch(node).places

        def turn(table: Table, observer: Observer | None) -> None:
            up = face(table)
            tokens = tuple([token for token in block(table) if table.face[token] != up])
            for token in tokens:
                if not self.graph.classes[self.statics.token_class[token]].is_card:
                    raise Fault("a piece has no face that could be hidden")
            hidden = [token for token in tokens if table.kind[token] == UNRESOLVED]
            if hidden:
                raise Exposed(self.in_order(table, hidden))

            def happen() -> None:
                for token in tokens:
                    table.face[token] = up

            with_event(observer, table, Turned(node.id, tokens, up), places, happen)

        return turn

    def _mark(self, node: Node, step: Assign, name: str) -> Effect:
        scope = self.terms.scope()
        block, flag = self._block(scope, step.args[0]), scope.test(step.value)
        places = self.triggers.watch(node).places
        bit = self.statics.flag_bits[name]

        def mark(table: Table, observer: Observer | None) -> None:
            on, tokens = flag(table), block(table)
            sticky = [
                token
                for token in tokens
                if self.statics.sticky[self.statics.token_class[token]] >> bit & 1
            ]
            for token in tokens:
                place = self.graph.places[table.place[token]]
                if token not in sticky and name not in place.flags:
                    raise Fault(f"{place.label} has no flag `{name}`")
            hidden = [token for token in sticky if table.kind[token] == UNRESOLVED]
            if hidden:
                raise Exposed(self.in_order(table, hidden))

            def happen() -> None:
                for token in tokens:
                    table.flags[token] = (table.flags[token] & ~(1 << bit)) | on << bit

            with_event(observer, table, Flagged(node.id, tokens, bit, on), places, happen)

        return mark

    def _show(self, node: Node, step: Assign) -> Effect:
        """Showing changes nothing on the table; but what is shown has a kind from then on."""
        scope = self.terms.scope()
        block, to = self._block(scope, step.args[0]), scope.term(step.value)
        places = self.triggers.watch(node).places

        def show(table: Table, observer: Observer | None) -> None:
            audience = to(table)
            seats = self.statics.everyone if audience is None else _mask(audience)
            tokens = block(table)
            hidden = [token for token in tokens if table.kind[token] == UNRESOLVED]
            if hidden and seats:
                raise Exposed(self.in_order(table, hidden))
            event = Shown(node.id, tokens, seats, audience is None)
            with_event(observer, table, event, places, _nothing)

        return show


def with_event(
    observer: Observer | None,
    table: Table,
    event: Event,
    places: tuple[int, ...],
    happen: Callable[[], None],
) -> None:
    """Lets something happen, told to the observer before and after."""
    if observer is None:
        happen()
        return
    observer.before(table, event, places)
    happen()
    observer.after(table, event, places)


def store(table: Table, slot: int, value: Value) -> None:
    """Puts a value that fits into a slot."""
    table.values[slot] = value


def _nothing() -> None:
    """What showing does to the table."""


def _mask(seats: Value) -> int:
    listed = seats if isinstance(seats, tuple) else (seats,)
    mask = 0
    for seat in listed:
        if isinstance(seat, int):
            mask |= 1 << seat
    return mask


def _without(value: Value, lost: frozenset[int]) -> Value:
    """A value without the tokens that are lost: shorter lists, `none` for a single one."""
    if isinstance(value, tuple):
        return tuple([_without(part, lost) for part in value if part not in lost])
    return None if value in lost else value


def _check_count(count: Value, tokens: tuple[int, ...]) -> None:
    if not isinstance(count, int):
        raise Fault("`none` where a number of tokens must be")
    if len(tokens) < count:
        raise Fault(f"{count} tokens are to be moved, but there are only {len(tokens)}")
