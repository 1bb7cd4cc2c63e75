"""Decisions: how many answers are legal, and what the i-th one does.

Answers come in the canonical order: option by option, in each by the values of its slots.  A slot
over known values is a mask; the answers of several slots are counted by going through the first.
"""

from collections.abc import Callable
from typing import TypeAlias

from attrs import define, frozen

from compiler.graph.core import Bound as BoundName
from compiler.graph.core import Choose, DomainMode, Guard, Node, Option, Slot, Term
from compiler.graph.walk import subterms
from compiler.lir.build import (
    NO,
    YES,
    add,
    all_of,
    binary,
    bit_count,
    both,
    choice,
    compare,
    lowest,
    mask,
    num,
    sub,
    total,
)
from compiler.lir.conditions import Conditions
from compiler.lir.core import MASK, Break, Expr, If, Local, Loop, Op, Set
from compiler.lir.reader import Reader
from compiler.lir.reps import Bits, Items, Known, Num, Rep, Universe, Unsupported, exists
from compiler.lir.scalars import merged, scalar
from compiler.lir.selection import member
from compiler.lir.sequences import items, value_of_bit
from compiler.lir.ways import Way
from compiler.lir.writer import Writer
from compiler.types import Type, element

Picked: TypeAlias = tuple[Rep, ...]
"""A value for each slot of an option."""


@frozen
class Answers:
    """The answers of one option: how many, and how the i-th one is found; writes what it needs."""

    position: int
    count: Expr
    pick: Callable[[Writer, Expr], Picked]


@define(eq=False)
class Decision:
    """One decision, as one way comes to it."""

    node: Node
    step: Choose
    seat: Rep
    answers: tuple[Answers, ...]

    @classmethod
    def of(cls, way: Way, step: Choose) -> "Decision":
        """Writes what must be known before an answer is picked."""
        if step.joint:
            raise Unsupported("decisions of several seats at once")
        reader = way.reader()
        seat = reader.term(step.actor)
        found = []
        for position, option in enumerate(step.options):
            asked = _Asked(reader, option)
            found.append(asked.answers(position))
        if step.optional:
            found.append(Answers(len(step.options), YES, lambda _writer, _index: ()))
        return cls(way.here, step, seat, tuple(answer for answer in found if exists(answer.count)))

    @property
    def count(self) -> Expr:
        """How many answers there are."""
        return total([answer.count for answer in self.answers])

    def take(self, way: Way, answers: Answers, index: Expr) -> None:
        """Gives the answer of an option and goes on behind it."""
        picked = answers.pick(way.writer, index)
        if answers.position < len(self.step.options):
            slots = self.step.options[answers.position].slots
            for slot, value in zip(slots, picked, strict=True):
                way.store(slot.local, [], value)
        way.go(self.node.next[answers.position])


@define(eq=False)
class _Asked:
    """One option of a decision."""

    reader: Reader
    option: Option

    def answers(self, position: int) -> Answers:
        levels = _levels(self.option)
        first = all_of([self.reader.test(guard.holds) for guard, level in levels if level < 0])
        if not exists(first):
            return Answers(position, NO, lambda _writer, _index: ())
        slots = self.option.slots
        if not slots:
            count = self.reader.writer.keep(first, "is_")
            return Answers(position, count, lambda _writer, _index: ())
        tests = [
            (*_where(slot), *(guard.holds for guard, level in levels if level == at))
            for at, slot in enumerate(slots)
        ]
        if len(slots) == 1:
            return self._one(position, first, slots[0], tests[0])
        return self._several(position, first, tests)

    # ---- one slot

    def _one(self, position: int, first: Expr, slot: Slot, tests: tuple[Term, ...]) -> Answers:
        found = self._members(self.reader, slot, tests)
        if isinstance(found, Bits):
            kept = self.reader.writer.keep(choice(first, found.expr, mask(0)), "m")
            chosen = Bits(kept, found.universe)
            count = self.reader.writer.keep(bit_count(kept))
            tables = self.reader.image.tables
            return Answers(
                position, count, lambda writer, index: (member(writer, tables, chosen, index),)
            )
        return self._listed(position, first, found)

    def _listed(self, position: int, first: Expr, found: Items) -> Answers:
        """A short list of values, some of which may be missing."""
        kept = [
            (self.reader.writer.keep(both(first, item.when), "is_"), item.value)
            for item in found.items
            if exists(item.when)
        ]
        count = self.reader.writer.keep(total([when for when, _ in kept]))

        def pick(_: Writer, index: Expr) -> Picked:
            return (_picked(kept, index),)

        return Answers(position, count, pick)

    def _members(self, reader: Reader, slot: Slot, tests: tuple[Term, ...]) -> Bits | Items:
        """The values of a slot that pass its tests."""
        if slot.domain.mode is not DomainMode.MEMBERS:
            raise Unsupported(f"choosing {slot.domain.mode.value}")
        listed = reader.term(slot.domain.members)
        universe, expr = as_members(reader, listed, slot.domain.members.type, slot.bound, tests)
        if universe is not None:
            for test in tests:
                expr = both(expr, Conditions(reader).where_mask(universe, slot.bound, test))
            return Bits(expr, universe)
        kept = []
        for item in items(listed).items:
            inside = reader.within({**reader.env, slot.bound.index: item.value})
            when = all_of([item.when, *(inside.test(test) for test in tests)])
            kept.append(type(item)(item.value, when))
        return Items(tuple(kept))

    # ---- several slots

    def _several(self, position: int, first: Expr, tests: list[tuple[Term, ...]]) -> Answers:
        count = Local(self.reader.writer.names.fresh("count"))
        self.reader.writer.put(Set(count, num(0)))
        inner = self.reader.writer.inner()
        self._nest(inner, tests, {}, lambda writer, here, _: writer.put(_more(count, here)))
        self.reader.writer.put(If(first, inner.block))

        def pick(writer: Writer, index: Expr) -> Picked:
            return self._found(writer, tests, index)

        return Answers(position, count, pick)

    def _nest(
        self,
        writer: Writer,
        tests: list[tuple[Term, ...]],
        values: dict[int, Rep],
        leaf: "Callable[[Writer, Bits, dict[int, Rep]], object]",
    ) -> None:
        """Loops over all slots but the last, whose mask is handed on."""
        at = len(values)
        slot = self.option.slots[at]
        env = {**self.reader.env}
        for earlier, value in zip(self.option.slots, values.values(), strict=False):
            env[earlier.bound.index] = value
        reader = self.reader.at(writer, env)
        found = self._members(reader, slot, tests[at])
        if not isinstance(found, Bits):
            raise Unsupported("several slots over lists")
        kept = Bits(writer.keep(found.expr, "m"), found.universe)
        if at == len(self.option.slots) - 1:
            leaf(writer, kept, values)
            return
        rest = Local(writer.names.fresh("rest"), MASK)
        name = writer.names.fresh("each")
        inner = writer.inner()
        inner.put(If(binary(Op.EQ, rest, mask(0)), (Break(name),)))
        bit = inner.keep(lowest(rest))
        value = value_of_bit(kept, bit, self.reader.image.tables)
        if isinstance(value, Num):
            value = Num(inner.keep(value.expr), value.low, value.high, value.none)
        inner.put(Set(rest, both(rest, binary(Op.SUB, rest, mask(1)))))
        self._nest(inner, tests, {**values, at: value}, leaf)
        writer.put(Set(rest, kept.expr), Loop(name, inner.block))

    def _found(self, writer: Writer, tests: list[tuple[Term, ...]], index: Expr) -> Picked:
        """Goes through all answers again, up to the one at an index."""
        left = Local(writer.names.fresh("left"))
        writer.put(Set(left, index))
        slots = self.option.slots
        kept = [Local(writer.names.fresh("slot")) for _ in slots]
        ranges: list[tuple[int, int]] = []
        around = writer.names.fresh("find")

        def leaf(inner: Writer, chosen: Bits, values: dict[int, Rep]) -> None:
            here = inner.keep(bit_count(chosen.expr))
            hit = inner.inner()
            last = member(hit, self.reader.image.tables, chosen, left)
            found = [*values.values(), last]
            ranges[:] = [_range(value) for value in found]
            hit.put(*(Set(local, _expr(value)) for local, value in zip(kept, found, strict=True)))
            hit.put(Break(around))
            inner.put(If(compare(Op.LT, left, here), hit.block), Set(left, sub(left, here)))

        inner = writer.inner()
        self._nest(inner, tests, {}, leaf)
        inner.put(Break(around))
        writer.put(Loop(around, inner.block))
        return tuple(Num(local, low, high) for local, (low, high) in zip(kept, ranges, strict=True))


def _more(count: Local, here: Bits) -> Set:
    return Set(count, add(count, bit_count(here.expr)))


def _where(slot: Slot) -> tuple[Term, ...]:
    return () if slot.where is None else (slot.where,)


def _picked(kept: list[tuple[Expr, Rep]], index: Expr) -> Rep:
    """The value at an index of a list of which some elements are missing."""
    from_last: Rep | None = None
    for at in range(len(kept) - 1, -1, -1):
        when, value = kept[at]
        if from_last is None:
            from_last = value
        else:
            before = total([w for w, _ in kept[:at]])
            here = both(when, compare(Op.EQ, before, index))
            one = merged(here, value, from_last)
            if one is None:
                raise Unsupported("one of different things")
            from_last = one
    return Known(None) if from_last is None else from_last


def as_members(
    reader: Reader, listed: Rep, type_: Type, bound: BoundName, tests: tuple[Term, ...]
) -> tuple[Universe | None, Expr]:
    """Known values as a mask, with all that are there; no universe if they are too many."""
    match listed:
        case Bits(expr, universe):
            return universe, expr
        case Known(tuple() as values) if values and len(values) <= 64:
            if all(isinstance(value, int) for value in values):
                universe = Conditions(reader).universe(
                    values, element(type_) or bound.type, bound, tests
                )
                return universe, mask(universe.full)
        case _:
            pass
    return None, mask(0)


def _levels(option: Option) -> list[tuple[Guard, int]]:
    """Each guard with the last slot that it, or a guard before it, reads; -1 if none does."""
    position = {slot.bound.index: at for at, slot in enumerate(option.slots)}
    levels = []
    level = -1
    for guard in option.guards:
        inside = [part for part in subterms(guard.holds) if isinstance(part, BoundName)]
        level = max([level, *(position[part.index] for part in inside if part.index in position)])
        levels.append((guard, level))
    return levels


def _expr(value: Rep) -> Expr:
    return scalar(value).expr


def _range(value: Rep) -> tuple[int, int]:
    number = scalar(value)
    return number.low, number.high


def some_answer(count: Expr) -> Expr:
    """Whether there is an answer."""
    return compare(Op.GT, count, num(0))
