"""What the chance steps of a graph draw: rolls, picks and blind takes, with their odds."""

from collections.abc import Callable
from typing import assert_never

from attrs import define

from compiler.graph.core import (
    Blind,
    Chance,
    DomainMode,
    Node,
    Pick,
    Roll,
    Shape,
    Value,
    Variable,
)
from compiler.graph.values import value_text
from compiler.types import ListOf, Type, element, has_tokens, present
from ruleengine.chance import Heap, Pools, die, settled_values
from ruleengine.effects import with_event
from ruleengine.errors import Fault
from ruleengine.fit import rank
from ruleengine.knowledge.protocol import Event, Observer, Picked, Rolled, Taken
from ruleengine.statics import Statics
from ruleengine.steps import Steps
from ruleengine.stops import Listed, Odds, Outcome, Throws
from ruleengine.subsets import orders, subsets
from ruleengine.table import UNRESOLVED, Table
from ruleengine.triggers import Watch
from ruleengine.twins import Twins, key_of

_Locate = Callable[[Table], int]


@define(eq=False)
class Draw:
    """One chance step: the odds on a table, and what an outcome does to it."""

    node: Node
    watch: Watch
    odds: Callable[[Table], Odds]
    apply: Callable[[Table, Outcome, Observer | None], None]
    may_expose: bool  # an outcome may ask for the kind of a hidden token


@define(eq=False)
class Draws:
    """Makes the draws of one graph."""

    statics: Statics
    steps: Steps
    twins: Twins
    pools: Pools

    def of_node(self, node: Node) -> Draw:
        """That of a node; `ValueError` if it draws nothing itself."""
        match node.step:
            case Chance(Roll() as roll):
                return self._roll(node, roll)
            case Chance(Pick() as pick):
                return self._pick(node, pick)
            case Chance(Blind() as blind):
                return self._blind(node, blind)
            case _:
                raise ValueError(f"nothing is drawn at node {node.id}")

    # ---- dice

    def _roll(self, node: Node, roll: Roll) -> Draw:
        throws = Throws(
            node.id,
            tuple(
                die(faces, tuple(self.word(variable.type, face) for face in faces))
                for variable, _, faces in roll.dice
            ),
        )
        scope = self.steps.terms.scope()
        slots = [
            self.steps.assigns.locate(scope, variable, args) for variable, args, _ in roll.dice
        ]
        variables = [variable for variable, _, _ in roll.dice]

        def apply(table: Table, outcome: Outcome, observer: Observer | None) -> None:
            found = tuple([slot(table) for slot in slots])
            thrown = outcome.value if isinstance(outcome.value, tuple) else ()

            def happen() -> None:
                for variable, slot, value in zip(variables, found, thrown, strict=True):
                    self.steps.assigns.store(table, variable, slot, value)

            self._tell(observer, table, Rolled(node.id, found, thrown), node, happen)

        watch = self.steps.triggers.watch(node)
        return Draw(node, watch, lambda _: throws, apply, watch.exposes)

    # ---- picks

    def _pick(self, node: Node, pick: Pick) -> Draw:
        scope = self.steps.terms.scope()
        members = scope.members(pick.domain.members)
        bounds = scope.bounds(pick.domain)
        where = None if pick.where is None else scope.test(pick.where)
        index = None if pick.bound is None else scope.place_for(pick.bound)
        of_tokens = has_tokens(pick.variable.type)
        mode = pick.domain.mode

        def candidates(whole: tuple[Value, ...], table: Table) -> list[Value]:
            match mode:
                case DomainMode.MEMBERS:
                    return list(whole)
                case DomainMode.SUBSETS:
                    low, high = bounds(table, len(whole))
                    return list(subsets(whole, range(len(whole)), low, high))
                case DomainMode.ORDERS:
                    return list(orders(whole, range(len(whole))))
                case _:
                    assert_never(mode)

        def odds(table: Table) -> Odds:
            looks = self.twins.to_chance(table)
            weights: dict[Value, int] = {}
            values: dict[Value, Value] = {}
            for value in candidates(members(table), table):
                if index is not None:
                    scope.env[index] = value
                if where is None or where(table):
                    key = key_of(value, looks) if of_tokens else value
                    if of_tokens and mode is DomainMode.SUBSETS and isinstance(key, tuple):
                        key = tuple(sorted(key, key=rank))
                    weights[key] = weights.get(key, 0) + 1
                    values.setdefault(key, value)
            if not values:
                raise Fault("there is nothing to pick from")
            return Listed(
                tuple(
                    Outcome(
                        self._word(table, pick.variable.type, values[key]),
                        values[key],
                        weight,
                        node.id,
                    )
                    for key, weight in weights.items()
                )
            )

        watch = self.steps.triggers.watch(node)
        return Draw(node, watch, odds, self._keeps(node, pick.variable, pick), may_expose=True)

    def _keeps(
        self, node: Node, variable: Variable, step: Pick | Blind
    ) -> Callable[[Table, Outcome, Observer | None], None]:
        """What a picked or taken value does: it is kept in the step's variable."""
        scope = self.steps.terms.scope()
        locate = self.steps.assigns.locate(scope, variable, step.args)
        actor = scope.term(step.actor) if isinstance(step, Blind) else None

        def apply(table: Table, outcome: Outcome, observer: Observer | None) -> None:
            slot, value = locate(table), outcome.value
            seat = None if actor is None else actor(table)
            event: Event = (
                Taken(node.id, slot, seat, value)
                if isinstance(seat, int)
                else Picked(node.id, slot, value)
            )

            def happen() -> None:
                self.steps.assigns.store(table, variable, slot, value)

            self._tell(observer, table, event, node, happen)

        return apply

    # ---- blind takes

    def _blind(self, node: Node, blind: Blind) -> Draw:
        scope = self.steps.terms.scope()
        locate: _Locate = self.steps.assigns.locate(scope, blind.variable, blind.args)
        actor = scope.term(blind.actor)
        in_order = isinstance(present(blind.variable.type), ListOf)

        def odds(table: Table) -> Odds:
            slot, seat = locate(table), actor(table)
            if not isinstance(seat, int):
                raise Fault("`none` where the seat that takes must be")
            value = table.values[slot]
            heaps = self._heaps(table, seat, slot, value)
            return Listed(
                tuple(
                    Outcome(self._word(table, blind.variable.type, found), found, weight, node.id)
                    for found, weight in settled_values(value, heaps, in_order)
                )
            )

        watch = self.steps.triggers.watch(node)
        return Draw(node, watch, odds, self._keeps(node, blind.variable, blind), may_expose=True)

    def _heaps(self, table: Table, seat: int, slot: int, value: Value) -> tuple[Heap, ...]:
        """The heaps from which a seat took blindly."""
        taken = value if isinstance(value, tuple) else (value,)
        looks = self.twins.to_seat(table, seat, frozenset({slot}))
        groups: dict[tuple[int, ...], list[int]] = {}
        for position, token in enumerate(taken):
            if isinstance(token, int) and self._is_blind(table, token, seat):
                groups.setdefault(looks(token), []).append(position)
        heaps = []
        for look, positions in groups.items():
            place = self.statics.graph.places[look[0]]
            alike = [
                token
                for token in self.steps.references.contents(table, place)
                if looks(token) == look
            ]
            contents: dict[int, list[int]] = {}
            for token in alike:
                contents.setdefault(self._content(table, token), []).append(token)
            kept = tuple(tuple(contents[content]) for content in sorted(contents))
            heaps.append(Heap(kept, tuple(positions)))
        return tuple(heaps)

    def _is_blind(self, table: Table, token: int, seat: int) -> bool:
        place = self.statics.graph.places[table.place[token]]
        return place.shape is Shape.SET and not self.twins.sees(table, token, seat)

    def _content(self, table: Table, token: int) -> int:
        """Orders contents: sorts ascending, then unresolved tokens by pool."""
        if table.kind[token] == UNRESOLVED:
            sorts = self.statics.sorts(self.statics.token_class[token])
            return sorts + table.pool[token]
        return self.statics.sort(table, token)

    # ---- words

    def _tell(
        self,
        observer: Observer | None,
        table: Table,
        event: Event,
        node: Node,
        happen: Callable[[], None],
    ) -> None:
        with_event(observer, table, event, self.steps.triggers.watch(node).places, happen)

    def _word(self, table: Table, type_: Type, value: Value) -> str:
        """A value as people write it: tokens by kind, unresolved ones as `?`."""
        if isinstance(value, tuple):
            inner = element(type_) or type_
            return ", ".join(self._word(table, inner, part) for part in value)
        if has_tokens(type_) and isinstance(value, int):
            kind = table.kind[value]
            class_ = self.statics.graph.classes[self.statics.token_class[value]]
            return "?" if kind == UNRESOLVED else class_.kinds[kind].word
        return self.word(type_, value)

    def word(self, type_: Type, value: Value) -> str:
        """A value that is no token as people write it."""
        return value_text(value, type_, self.statics.graph)
