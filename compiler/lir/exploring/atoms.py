"""What of a state is written at a stop of a woven program, atom by atom."""

from collections.abc import Iterator
from typing import assert_never

from attrs import define, field

from compiler.analysis.liveness import Liveness
from compiler.graph.codec import (
    WORD,
    Codec,
    Listed,
    Mask,
    Maybe,
    Scalar,
    Several,
    TokenRef,
    TokenSet,
    highest,
)
from compiler.graph.codec import atoms as atoms_of
from compiler.graph.core import Chance, Choose, End, Flow, Step, Value
from compiler.graph.layout import Layout
from compiler.graph.parts import Multiset
from compiler.lir.build import num
from compiler.lir.core import Expr
from compiler.lir.image import Image
from compiler.lir.reps import Unsupported
from compiler.lir.ways import Here


@define(eq=False)
class Atoms:
    """The atoms of the core that are not zero, at a stop where much is known."""

    image: Image
    alive: Liveness
    here: Here
    _found: dict[int, tuple[int, Expr]] = field(factory=dict, init=False)

    def found(self) -> dict[int, tuple[int, Expr]]:
        """By offset: how wide, and the number."""
        layout = self.image.layout
        slots = {slot.field for slot in layout.slots}
        control = layout.control
        known = {control.node, control.depth, control.stack}
        if control.fired is not None:
            raise Unsupported("triggers")
        for number, entry in enumerate(layout.fields):
            if entry.offset < layout.core_size and number not in slots | known:
                for at in range(entry.count):
                    self._put(number, at)
        self._control()
        self._slots()
        return self._found

    def _put(self, number: int, at: int, value: Expr | None = None) -> None:
        entry = self.image.field(number)
        loaded = self.image.load(number, num(at))
        self._found[entry.offset + at * entry.width] = (
            entry.width,
            loaded if value is None else value,
        )

    def _control(self) -> None:
        control = self.image.layout.control
        self._put(control.node, 0, num(self.here.node))
        if control.depth is not None and control.stack is not None:
            self._put(control.depth, 0, num(len(self.here.stack)))
            for at, frame in enumerate(self.here.stack):
                self._put(control.stack, at, num(frame))
        elif self.here.stack:
            raise Unsupported("a call where there are none")

    def _slots(self) -> None:
        """What may still be read: known values, or what memory has."""
        here = self.here
        outside, inside = self.alive.now(here.node, here.stack, here.in_trigger)
        known = dict(here.carried)
        for slot in self.image.layout.slots:
            count = atoms_of(slot.codec)
            for member in range(slot.variable.size):
                bit = 1 << self.alive.slots.first[slot.variable] + member
                if not (inside if slot.bank else outside) & bit:
                    continue
                carried = (slot.variable, slot.bank, member)
                if carried in known:
                    value = _atom(slot.codec, known[carried])
                    self._put(slot.field, member * count, num(value))
                else:
                    for at in range(count):
                        self._put(slot.field, member * count + at)


def _atom(codec: Codec, value: Value) -> int:
    """The one atom of a value that is known."""
    match codec:
        case Scalar(low, _, optional):
            return 0 if not isinstance(value, int) else value - low + optional
        case Listed(values):
            return values.index(value) + 1 if value in values else 0
        case Mask(universe) if isinstance(value, tuple) or value is None:
            return sum(1 << universe.index(one) for one in value or ())
        case Mask() | TokenRef() | TokenSet() | Several() | Maybe():
            raise Unsupported(f"a known value kept as {type(codec).__name__}")
        case _:
            assert_never(codec)


def words_kept(layout: Layout, alive: Liveness) -> tuple[int, ...]:
    """The words of the core in which something may lie where a game waits."""
    live = 0
    for node in layout.graph.nodes:
        if _may_wait(node.step):
            live |= alive.at[node.id]
    for after in alive.after.values():
        live |= after
    slots = {slot.field: slot for slot in layout.slots}
    kept: set[int] = set()
    for number, entry in enumerate(layout.fields):
        slot = slots.get(number)
        if entry.offset < layout.core_size and (
            slot is None or alive.slots.mask(slot.variable) & live
        ):
            kept.update(range(entry.offset // 8, -(-(entry.offset + entry.size) // 8)))
    return tuple(sorted(kept))


def _may_wait(step: Step) -> bool:
    match step:
        case Choose() | Chance():
            return True
        case Flow(way):
            return isinstance(way, End)
        case _:
            return False


def bits_of_fields(layout: Layout) -> dict[int, int]:
    """How many bits an atom of a field can need, by the number of the field; all, if not said."""
    found = {slot.field: highest(slot.codec).bit_length() for slot in layout.slots}
    for board in layout.boards:
        found.update(dict.fromkeys(board.fields, min(len(board.places), WORD)))
    for bag in layout.bags:
        found.update(_bits_of_sets(bag.contents))
    for pool in layout.pools:
        found.update(_bits_of_sets(pool.contents))
    for rows in layout.rows:
        found[rows.cells] = rows.code.largest.bit_length()
    return {
        number: min(found.get(number, WORD), 8 * entry.width)
        for number, entry in enumerate(layout.fields)
    }


def _bits_of_sets(contents: Multiset) -> Iterator[tuple[int, int]]:
    if contents.counts is not None:
        yield contents.counts, max(contents.copies).bit_length()
    for plane in contents.planes:
        yield plane.field, min(plane.sorts[-1] - plane.first + 1, WORD)
