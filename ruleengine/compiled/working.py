"""Carries the interpreter's table over to the memory of a program that goes node by node, and back.

Tokens, flags and slots have the same numbers on both sides.  What everybody knows stays behind
where the program does not keep it: no rule reads it.
"""

import struct
from functools import cached_property

from attrs import define

from compiler.graph.core import Shape, Value
from compiler.lir.reps import NONE
from compiler.lir.stepwise.code import WIDTH
from compiler.lir.stepwise.plan import HEADER, Home, Plan
from ruleengine.statics import Statics
from ruleengine.table import Table


@define(eq=False, slots=False)
class Working:
    """Writes and reads tables for one plan."""

    plan: Plan
    statics: Statics

    @property
    def size(self) -> int:
        """Bytes of a table."""
        return self.plan.table_end - HEADER

    def write(self, table: Table) -> bytes:
        """The bytes of a table, which begin at the plan's `HEADER`, or at its `image`."""
        words = [0] * (self.size // WIDTH)

        def put(address: int, numbers: list[int]) -> None:
            begin = (address - HEADER) // WIDTH
            words[begin : begin + len(numbers)] = numbers

        plan = self.plan
        put(plan.node, [table.node])
        put(plan.depth, [len(table.stack)])
        put(plan.stack, table.stack)
        put(plan.fired, [table.fired])
        put(plan.held, [table.held])
        put(plan.in_trigger, [int(table.in_trigger)])
        put(plan.kind, table.kind)
        put(plan.pool, table.pool)
        put(plan.place, table.place)
        put(plan.face, list(map(int, table.face)))
        put(plan.flags, table.flags)
        tokens = zip(table.kind, table.pool, table.face, table.flags, strict=True)
        put(plan.look, [plan.looks(*token) for token in tokens])
        for place, cells in zip(plan.graph.places, table.cells, strict=True):
            upright = cells[::-1] if place.shape is Shape.PILE else cells
            put(plan.lying[place.index], [len(upright), *upright])
        for pool, counts in table.pools.items():
            put(plan.pooled + WIDTH * pool, [sum(counts)])
            put(plan.sorts[pool], counts)
        if plan.knows:
            put(plan.knows, table.knows)
            put(plan.looked, table.looked)
            for key, counts in table.facts.items():
                put(plan.facts[key], [sum(counts), *counts])
        for home, address, slot in self._slots:
            put(address, _numbers(home, table.values[slot]))
        return struct.pack(f"<{len(words)}i", *words)

    def read(self, content: bytes | memoryview) -> Table:
        """The table that bytes stand for; nobody knows anything on it if the program does not."""
        words = memoryview(bytes(content)).cast("i")

        def get(address: int, count: int) -> list[int]:
            begin = (address - HEADER) // WIDTH
            return list(words[begin : begin + count])

        plan = self.plan
        table = self.statics.new_table(get(plan.node, 1)[0])
        tokens = plan.tokens
        table.stack = get(plan.stack, get(plan.depth, 1)[0])
        table.fired, table.held = get(plan.fired, 1)[0], get(plan.held, 1)[0]
        table.in_trigger = bool(get(plan.in_trigger, 1)[0])
        table.kind, table.pool = get(plan.kind, tokens), get(plan.pool, tokens)
        table.place = get(plan.place, tokens)
        table.face = list(map(bool, get(plan.face, tokens)))
        table.flags = get(plan.flags, tokens)
        for place in plan.graph.places:
            at = place.index
            count = get(plan.lying[at], 1)[0]
            cells = get(plan.lying[at], 1 + count)[1:]
            table.cells[at] = cells[::-1] if place.shape is Shape.PILE else cells
            if plan.sorts[at] and get(plan.pooled + WIDTH * at, 1)[0]:
                class_index = plan.class_of(place)
                assert class_index is not None
                table.pools[at] = get(plan.sorts[at], plan.sort_count(class_index))
        if plan.knows:
            table.knows, table.looked = get(plan.knows, tokens), get(plan.looked, tokens)
            for key, fact in plan.facts.items():
                if get(fact, 1)[0]:
                    table.facts[key] = get(fact, 1 + self._sorts_at(key[1]))[1:]
        for home, address, slot in self._slots:
            count = 1 if home.room is None else 1 + home.room
            table.values[slot] = _value(home, get(address, count))
        return table

    def _sorts_at(self, place: int) -> int:
        """How many sorts a fact about a place counts."""
        class_index = self.plan.class_of(self.plan.graph.places[place])
        return 0 if class_index is None else self.plan.sort_count(class_index)

    @cached_property
    def _slots(self) -> list[tuple[Home, int, int]]:
        """Every slot: its home, its address and its number on a table."""
        return [
            (home, home.address + bank * home.shift + member * home.stride, first + member)
            for home in self.plan.homes.values()
            for bank, first in enumerate(self.statics.slots[home.variable].banks())
            for member in range(home.variable.size)
        ]


def _numbers(home: Home, value: Value) -> list[int]:
    if home.room is None:
        return [int(value)] if isinstance(value, int) else [NONE]
    if not isinstance(value, tuple):
        return [NONE]
    return [len(value), *(int(part) if isinstance(part, int) else NONE for part in value)]


def _value(home: Home, numbers: list[int]) -> Value:
    if home.room is None:
        return None if numbers[0] == NONE else numbers[0]
    if numbers[0] == NONE:
        return None
    return tuple(None if number == NONE else number for number in numbers[1 : 1 + numbers[0]])
