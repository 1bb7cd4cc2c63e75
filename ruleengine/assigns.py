"""Assignments: variables, faces, flags, and showing, which only others can see."""

from collections.abc import Callable
from typing import assert_never

from attrs import define

from compiler.graph.core import (
    Assign,
    FaceTarget,
    FlagTarget,
    Graph,
    HolderOf,
    KnownTarget,
    Node,
    Read,
    Term,
    Value,
    Variable,
)
from ruleengine.chance import Pools
from ruleengine.effects import Effect, block_of, with_event
from ruleengine.errors import Exposed, Fault
from ruleengine.fit import Fit, fit_of, shown
from ruleengine.knowledge.protocol import Assigned, Flagged, Observer, Shown, Turned
from ruleengine.statics import Statics
from ruleengine.table import UNRESOLVED, Table
from ruleengine.terms import Scope, Terms
from ruleengine.triggers import Triggers


@define(eq=False)
class Assigns:
    """Makes the assignments of one graph."""

    statics: Statics
    terms: Terms
    pools: Pools
    triggers: Triggers
    _fits: dict[Variable, Fit]

    @classmethod
    def of(cls, terms: Terms, pools: Pools, triggers: Triggers) -> "Assigns":
        """Those of a graph."""
        statics = terms.statics
        fits = {variable: fit_of(variable, statics) for variable in statics.variables}
        return cls(statics, terms, pools, triggers, fits)

    @property
    def graph(self) -> Graph:
        """The graph whose assignments these are."""
        return self.statics.graph

    def of_node(self, node: Node, step: Assign) -> Effect:
        """The effect of an assignment."""
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

        whose = self._whose(scope, step)

        def assign(table: Table, observer: Observer | None) -> None:
            try:
                kept = keep(table, value(table))
            except Fault as fault:
                raise Fault(f"{fault.message}{whose(table)}", fault.span) from fault
            at = slot(table)
            if observer is None:
                table.values[at] = kept
                return
            event = Assigned(node.id, at, kept)
            with_event(observer, table, event, places, lambda: store(table, at, kept))

        return assign

    def _whose(self, scope: Scope, step: Assign) -> Callable[[Table], str]:
        """Why there is no holder where one is to be kept; nothing where that is not the reason."""
        if not isinstance(step.value, Read) or step.value.source != HolderOf():
            return _no_reason
        of = scope.term(step.value.args[0])

        def whose(table: Table) -> str:
            token = of(table)
            if token is None:
                return "; there is no such token"
            place = self.graph.places[table.place[token] if isinstance(token, int) else 0]
            return (
                f"; it lies in `{place.label}`, which has no holder" if place.holder is None else ""
            )

        return whose

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
        block, face = block_of(scope, step.args[0]), scope.test(step.value)
        places = self.triggers.watch(node).places

        def turn(table: Table, observer: Observer | None) -> None:
            up = face(table)
            tokens = tuple([token for token in block(table) if table.face[token] != up])
            for token in tokens:
                if not self.graph.classes[self.statics.token_class[token]].is_card:
                    raise Fault("a piece has no face that could be hidden")
            hidden = [token for token in tokens if table.kind[token] == UNRESOLVED]
            if hidden:
                raise Exposed(self.terms.references.listed(table, hidden))

            def happen() -> None:
                for token in tokens:
                    table.face[token] = up

            with_event(observer, table, Turned(node.id, tokens, up), places, happen)

        return turn

    def _mark(self, node: Node, step: Assign, name: str) -> Effect:
        """Sets a flag or takes it off.  A sticky one is part of what hidden cards are: whole pools
        get it without being settled, single cards of a pool are settled first."""
        scope = self.terms.scope()
        block, flag = block_of(scope, step.args[0]), scope.test(step.value)
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
            hidden = dict.fromkeys(t for t in sticky if table.kind[t] == UNRESOLVED)
            whole, parts = self.pools.covered(table, hidden)
            if parts:
                raise Exposed(self.terms.references.listed(table, parts))

            def happen() -> None:
                for token in tokens:
                    if token not in hidden:
                        table.flags[token] = (table.flags[token] & ~(1 << bit)) | on << bit
                for pool in whole:
                    self.pools.flag(table, pool, bit, on)

            with_event(observer, table, Flagged(node.id, tokens, bit, on), places, happen)

        return mark

    def _show(self, node: Node, step: Assign) -> Effect:
        """Showing changes nothing on the table; but what is shown has a kind from then on."""
        scope = self.terms.scope()
        block, to = block_of(scope, step.args[0]), scope.term(step.value)
        places = self.triggers.watch(node).places

        def show(table: Table, observer: Observer | None) -> None:
            audience = to(table)
            seats = self.statics.everyone if audience is None else _mask(audience)
            tokens = block(table)
            hidden = [token for token in tokens if table.kind[token] == UNRESOLVED]
            if hidden and seats:
                raise Exposed(self.terms.references.listed(table, hidden))
            event = Shown(node.id, tokens, seats, audience is None)
            with_event(observer, table, event, places, _nothing)

        return show


def store(table: Table, slot: int, value: Value) -> None:
    """Puts a value that fits into a slot."""
    table.values[slot] = value


def _no_reason(_: Table) -> str:
    """What is said of a value that fits nothing by itself."""
    return ""


def _nothing() -> None:
    """What showing does to the table."""


def _mask(seats: Value) -> int:
    listed = seats if isinstance(seats, tuple) else (seats,)
    mask = 0
    for seat in listed:
        if isinstance(seat, int):
            mask |= 1 << seat
    return mask
