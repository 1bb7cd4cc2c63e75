"""The legal options of a decision, in canonical order, and why an answer is not among them.

Everything here is asked on behalf of one seat: tokens that it cannot tell apart are one option, and
hidden ones are listed so that the list tells nothing about them.
"""

from collections.abc import Callable, Iterator
from typing import assert_never

from attrs import define

from compiler.graph.core import (
    Bound,
    Choose,
    DomainMode,
    Guard,
    Node,
    Option,
    Slot,
    Term,
    Value,
)
from compiler.graph.walk import subterms
from compiler.types import has_tokens
from ruleengine.errors import Fault
from ruleengine.pruning import hopeless
from ruleengine.stops import Choice
from ruleengine.subsets import Elements, once, orders, subsets
from ruleengine.table import Table
from ruleengine.terms import Hopeless, Members, Scope, Terms, held
from ruleengine.twins import Looks, Twins, key_of

Test = Callable[[Table], bool]


@define(eq=False)
class AskedSlot:
    """One slot, ready to be enumerated."""

    slot: Slot
    index: int
    members: Members
    bounds: Callable[[Table, int], tuple[int, int]]
    where: Test | None
    guards: tuple[Test, ...]  # those that can be tested once this slot has a value
    hopeless: Hopeless | None
    has_tokens: bool


@define(eq=False)
class AskedOption:
    """One option, ready to be enumerated: guards are tested as early as their order allows."""

    option: Option
    first: tuple[Test, ...]  # guards that read no slot
    slots: tuple[AskedSlot, ...]


@define(eq=False)
class Asking:
    """One decision of a graph."""

    node: Node
    step: Choose
    scope: Scope
    twins: Twins
    options: tuple[AskedOption, ...]
    sealed: frozenset[int]  # slots of `Table.values` with sealed picks

    @classmethod
    def of(cls, node: Node, terms: Terms, twins: Twins, prune: bool = True) -> "Asking":
        """That of a node that asks; without `prune` every subset is tried."""
        step = node.step
        if not isinstance(step, Choose):
            raise ValueError(f"nobody is asked at node {node.id}")
        scope = terms.scope()
        if step.seat is not None:
            scope.place_for(step.seat)
        options = tuple(_asked_option(option, scope, prune) for option in step.options)
        sealed: set[int] = set()
        if step.joint:
            for option in step.options:
                for slot in option.slots:
                    slots = terms.statics.slots[slot.local]
                    for first in slots.banks():
                        sealed.update(range(first, first + slot.local.size))
        return cls(node, step, scope, twins, options, frozenset(sealed))

    def choices(self, table: Table, seat: int) -> tuple[Choice, ...]:
        """The legal options of a seat; `decline` last."""
        self.seat(seat)
        looks = self.twins.to_seat(table, seat, self.sealed)
        found: list[Choice] = []
        for position, asked in enumerate(self.options):
            for values in self._legal(table, seat, asked, looks):
                found.append(Choice(len(found), position, values, seat, self.node.id))
        if self.step.optional:
            found.append(Choice(len(found), None, (), seat, self.node.id))
        return tuple(found)

    def seat(self, seat: int) -> None:
        """Binds the seat that is asked."""
        if self.step.seat is not None:
            self.scope.env[self.step.seat.index] = seat

    # ---- sealed picks

    def has_picked(self, table: Table, seat: int) -> bool:
        """Whether a seat's pick of a joint decision is in."""
        return table.values[self._pick_slot(table, seat)] not in (None, 0)

    def pick(self, table: Table, seat: int, position: int) -> None:
        """Seals a pick: an option by its position, declining as one more."""
        table.values[self._pick_slot(table, seat)] = position + 1

    def _pick_slot(self, table: Table, seat: int) -> int:
        picked = self.step.picked
        if picked is None:
            raise Fault("a joint decision without a place for its picks")
        slot = self.scope.terms.statics.slots[picked].at((seat,), table.in_trigger)
        if slot is None:
            raise Fault("a joint decision asks somebody who has no place for his pick")
        return slot

    # ---- enumeration

    def candidates(
        self, table: Table, seat: int, asked: AskedSlot, looks: Looks
    ) -> Iterator[Value]:
        """The members of a slot's domain, `where` not yet asked; earlier slots have values."""
        members = asked.members(table)
        if asked.has_tokens:
            members = self.twins.presented(table, members, seat, looks)
            keys: Elements = tuple([key_of(member, looks) for member in members])
        else:
            keys = members
        match asked.slot.domain.mode:
            case DomainMode.MEMBERS:
                return iter(once(members, keys))
            case DomainMode.ORDERS:
                return orders(members, keys)
            case DomainMode.SUBSETS:
                low, high = asked.bounds(table, len(members))
                return subsets(members, keys, low, high, held(asked.hopeless, table))
            case _:
                assert_never(asked.slot.domain.mode)

    def _legal(
        self, table: Table, seat: int, asked: AskedOption, looks: Looks
    ) -> Iterator[tuple[Value, ...]]:
        if not all(guard(table) for guard in asked.first):
            return iter(())
        return self._filled(table, seat, asked.slots, looks, ())

    def _filled(
        self,
        table: Table,
        seat: int,
        slots: tuple[AskedSlot, ...],
        looks: Looks,
        values: tuple[Value, ...],
    ) -> Iterator[tuple[Value, ...]]:
        if len(values) == len(slots):
            yield values
            return
        asked = slots[len(values)]
        env, where = self.scope.env, asked.where
        for value in self.candidates(table, seat, asked, looks):
            env[asked.index] = value
            if where is not None and not where(table):
                continue
            if all(guard(table) for guard in asked.guards):
                yield from self._filled(table, seat, slots, looks, (*values, value))


def _asked_option(option: Option, scope: Scope, prune: bool) -> AskedOption:
    levels = guard_levels(option)
    slots = []
    for position, slot in enumerate(option.slots):
        index = scope.place_for(slot.bound)
        guards = [guard for guard, level in levels if level == position]
        slots.append(
            AskedSlot(
                slot,
                index,
                scope.members(slot.domain.members),
                scope.bounds(slot.domain),
                None if slot.where is None else scope.test(slot.where),
                tuple(scope.test(guard.holds) for guard in guards),
                _hopeless(slot, guards, scope) if prune else None,
                has_tokens(slot.local.type),
            )
        )
    first = tuple(scope.test(guard.holds) for guard, level in levels if level < 0)
    return AskedOption(option, first, tuple(slots))


def guard_levels(option: Option) -> list[tuple[Guard, int]]:
    """Each guard with the last slot that it, or a guard before it, reads; -1 if none does.

    A guard may rely on those before it, so it is never tested before they are.
    """
    position = {slot.bound.index: at for at, slot in enumerate(option.slots)}
    levels = []
    level = -1
    for guard in option.guards:
        read = [position[index] for index in _bound_indices(guard.holds) if index in position]
        level = max([level, *read])
        levels.append((guard, level))
    return levels


def _bound_indices(term: Term) -> set[int]:
    return {part.index for part in subterms(term) if isinstance(part, Bound)}


def _hopeless(slot: Slot, guards: list[Guard], scope: Scope) -> Hopeless | None:
    """The test that gives up sets early."""
    if slot.domain.mode is not DomainMode.SUBSETS:
        return None
    conditions = [guard.holds for guard in guards]
    if slot.where is not None:
        conditions.insert(0, slot.where)
    return hopeless(scope, slot.bound, conditions)


def given_up_by(asked: AskedSlot, conditions: list[Term], scope: Scope) -> list[Hopeless]:
    """The test that gives up sets early for the sake of some conditions alone, if any does."""
    found = hopeless(scope, asked.slot.bound, conditions)
    return [] if found is None else [found]
