"""Tables as canonical bytes, and back.

Handles are forgotten: tables that differ only in which of several twins lies where pack alike, and
unpacking gives tokens handles in the order of the layout.  What may no longer be read is packed as
zero and unpacked as `none`.
"""

import struct
from collections.abc import Sequence

from attrs import define, field

from compiler.graph.layout import Layout, layout
from compiler.graph.parts import RESUME
from ruleengine.knowing import KnowledgePacking
from ruleengine.lying import TokenPacking
from ruleengine.references import References
from ruleengine.remembering import ValuePacking
from ruleengine.spelling import Unpackable
from ruleengine.statics import Statics
from ruleengine.table import NO_POOL, UNRESOLVED, Table


@define(eq=False)
class Packing:
    """Packs and unpacks the tables of one graph."""

    statics: Statics
    references: References
    layout: Layout
    _struct: struct.Struct = field(init=False, repr=False)
    _empty: list[int] = field(init=False, repr=False)
    _tokens: TokenPacking = field(init=False, repr=False)
    _values: ValuePacking = field(init=False, repr=False)
    _knowledge: KnowledgePacking = field(init=False, repr=False)

    @classmethod
    def of(cls, statics: Statics, references: References | None = None) -> "Packing":
        """That of a graph; `references` says what may still be read."""
        known = References.of(statics) if references is None else references
        return cls(statics, known, layout(statics.graph))

    def __attrs_post_init__(self) -> None:
        self._struct = struct.Struct(self.layout.format)
        self._empty = list(self._struct.unpack(bytes(self.layout.size)))
        self._tokens = TokenPacking.of(self.layout, self.statics)
        self._values = ValuePacking.of(self.layout, self.statics, self.references)
        self._knowledge = KnowledgePacking.of(self.layout, self.statics)

    @property
    def core_size(self) -> int:
        """Bytes of the core, which comes first: equality of states is equality of cores."""
        return self.layout.core_size

    @property
    def size(self) -> int:
        """Bytes of a state, knowledge included."""
        return self.layout.size

    def pack(self, table: Table) -> bytes:
        """The canonical bytes; `Unpackable` where the layout has no room for what lies there."""
        atoms = self._empty[:]
        self._tokens.write(table, atoms)
        self._values.write(table, atoms)
        self._write_control(table, atoms)
        self._knowledge.write(table, atoms)
        try:
            return self._struct.pack(*atoms)
        except struct.error as error:
            raise Unpackable("a value lies outside its bounds") from error

    def unpack(self, data: bytes) -> Table:
        """The table with these bytes, its tokens numbered in the order of the layout."""
        atoms = self._struct.unpack(data)
        table = self._bare(atoms)
        self._tokens.read(atoms, table)
        self._values.read(atoms, table)
        self._knowledge.read(atoms, table)
        return table

    # ---- control

    def _write_control(self, table: Table, atoms: list[int]) -> None:
        control = self.layout.control
        self._put(atoms, control.node, table.node)
        self._put(atoms, control.depth, len(table.stack))
        room = 0 if control.stack is None else self.layout.fields[control.stack].count
        if len(table.stack) > room:
            raise Unpackable("the stack is higher than calls can make it")
        if control.stack is not None:
            start = self.layout.fields[control.stack].start
            for position, entry in enumerate(table.stack):
                atoms[start + position] = RESUME - 1 - entry if entry < 0 else entry
        self._put(atoms, control.fired, table.fired)
        self._put(atoms, control.held, table.held)
        self._put(atoms, control.in_trigger, int(table.in_trigger))

    def _put(self, atoms: list[int], number: int | None, value: int) -> None:
        if number is not None:
            atoms[self.layout.fields[number].start] = value
        elif value:
            raise Unpackable("a trigger or a call where there are none")

    def _get(self, atoms: Sequence[int], number: int | None) -> int:
        return 0 if number is None else atoms[self.layout.fields[number].start]

    def _bare(self, atoms: Sequence[int]) -> Table:
        """A table with nothing on it yet, standing where the bytes say."""
        control = self.layout.control
        tokens = self.statics.tokens
        depth = self._get(atoms, control.depth)
        first = 0 if control.stack is None else self.layout.fields[control.stack].start
        stack = [
            RESUME - 1 - entry if entry >= RESUME else entry
            for entry in atoms[first : first + depth]
        ]
        return Table(
            kind=[UNRESOLVED] * tokens,
            pool=[NO_POOL] * tokens,
            place=[0] * tokens,
            face=[False] * tokens,
            flags=[0] * tokens,
            looked=[0] * tokens,
            knows=[0] * tokens,
            cells=[[] for _ in self.statics.graph.places],
            pools={},
            facts={},
            values=[None] * self.statics.size,
            node=self._get(atoms, control.node),
            stack=stack,
            fired=self._get(atoms, control.fired),
            held=self._get(atoms, control.held),
            in_trigger=bool(self._get(atoms, control.in_trigger)),
        )
