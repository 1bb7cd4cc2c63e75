"""What variables hold on one way through a graph: known values, and the rest in memory.

A *carried* variable that is known is not written: whoever goes on knows it.  That makes the seat
to move, loops over seats and stakes part of the place in the program instead of part of memory.
"""

from collections.abc import Iterator
from itertools import product
from typing import TypeAlias

from attrs import define, evolve, field

from compiler.graph.codec import Scalar
from compiler.graph.core import Value, Variable
from compiler.graph.parts import Slot
from compiler.lir.build import add, binary, equal, num, sub
from compiler.lir.core import Expr, Number, Op
from compiler.lir.image import Image
from compiler.lir.reps import NO_MEMBER, Bits, Fails, Items, Known, Num, Rep, Unsupported
from compiler.lir.scalars import merged
from compiler.lir.writer import Writer
from compiler.types import Square, present

Member: TypeAlias = tuple[Variable, int, int]
"""A variable, the bank of its slot, and which member of the family."""


@define(eq=False)
class Values:
    """The variables, as one way through the graph knows them."""

    image: Image
    carried: frozenset[Variable]
    in_trigger: bool = False
    known: dict[Member, Rep] = field(factory=dict)

    def copy(self) -> "Values":
        """For a way that parts from this one."""
        return Values(self.image, self.carried, self.in_trigger, dict(self.known))

    # ---- reading

    def read(self, variable: Variable, keys: list[Rep]) -> Rep:
        """What a variable holds, `none` for a key of `none`."""
        if Known(None) in keys:
            return Known(None)
        slot = self.image.slot(variable, self.in_trigger)
        try:
            index = self._index(variable, keys)
        except Fails as fails:
            raise Unsupported("reading a member that a family does not have") from fails
        if isinstance(index, Number):
            found = self.known.get((variable, slot.bank, index.value))
            return self._from_memory(slot, index) if found is None else found
        all_of_it = [self._member(slot, at) for at in range(variable.size)]
        if not any((variable, slot.bank, at) in self.known for at in range(variable.size)):
            return self._from_memory(slot, index)
        return _one_of(index, all_of_it)

    def _member(self, slot: Slot, at: int) -> Rep:
        known = self.known.get((slot.variable, slot.bank, at))
        return self._from_memory(slot, num(at)) if known is None else known

    def _from_memory(self, slot: Slot, index: Expr) -> Rep:
        """What memory says; a square is one of a board."""
        found = self.image.read(slot, index)
        squares = list(self.image.boards)
        if isinstance(found, Num) and squares and isinstance(present(slot.variable.type), Square):
            return evolve(found, low=min(squares), high=max(squares))
        return found

    def _index(self, variable: Variable, keys: list[Rep]) -> Expr:
        """Which member keys name."""
        index: Expr = num(0)
        for listed, key in zip(variable.keys, keys, strict=True):
            index = add(binary(Op.MUL, index, num(len(listed))), _position(listed, key))
        return index

    # ---- writing

    def write(self, writer: Writer, variable: Variable, keys: list[Rep], value: Rep) -> None:
        """Gives a variable a value that fits."""
        slot = self.image.slot(variable, self.in_trigger)
        index = self._index(variable, keys)
        value = _settled(writer, value)
        if not isinstance(index, Number):
            self._write_somewhere(writer, slot, index, value)
            return
        member = (variable, slot.bank, index.value)
        if variable in self.carried and isinstance(value, Known):
            self.known[member] = value
            return
        writer.put(*self.image.write(slot, index, value))
        if isinstance(value, Known | Num | Bits):
            self.known[member] = value
        else:
            self.known.pop(member, None)

    def _write_somewhere(self, writer: Writer, slot: Slot, index: Expr, value: Rep) -> None:
        """Writes a member that is not known before play: all of the family must be in memory."""
        self.flush(writer, slot)
        writer.put(*self.image.write(slot, writer.keep(index), value))

    def flush(self, writer: Writer, slot: Slot) -> None:
        """Writes the known members of a family and forgets them."""
        for at in range(slot.variable.size):
            value = self.known.pop((slot.variable, slot.bank, at), None)
            if value is not None and slot.variable in self.carried and isinstance(value, Known):
                writer.put(*self.image.write(slot, num(at), value))

    # ---- what goes on

    def carry(self) -> tuple[tuple[Member, Value], ...]:
        """What those who go on know: the values of carried variables, in order of their slots."""
        found = {
            member: value.value
            for member, value in self.known.items()
            if member[0] in self.carried and isinstance(value, Known)
        }
        order = {slot.variable: at for at, slot in enumerate(self.image.layout.slots)}
        return tuple(sorted(found.items(), key=lambda row: (order[row[0][0]], row[0][1:])))

    def begin(self, carried: tuple[tuple[Member, Value], ...]) -> None:
        """Knows what was carried, and nothing else."""
        self.known = {member: Known(value) for member, value in carried}


def _one_of(index: Expr, found: list[Rep]) -> Rep:
    """The one at an index, where some are known and some in memory."""
    value = found[-1]
    for at in range(len(found) - 2, -1, -1):
        one = merged(equal(index, num(at)), found[at], value)
        if one is None:
            raise Unsupported("a member of a family of lists")
        value = one
    return value


def members(variable: Variable) -> Iterator[tuple[int, tuple[Value, ...]]]:
    """The members of a family: number and keys."""
    yield from enumerate(product(*variable.keys))


def fits(slot: Slot, value: Rep) -> bool:
    """Whether bounds show that a value fits a slot; others are checked when they are written."""
    match slot.codec, value:
        case Scalar(low, size, optional), Num(_, least, most, none):
            return low <= least and most < low + size and (optional or not none)
        case Scalar(low, size, optional), Known(None):
            return optional
        case Scalar(low, size), Known(int() as number):
            return low <= number < low + size
        case _:
            return True


def _position(listed: tuple[Value, ...], key: Rep) -> Expr:
    match key:
        case Known(value):
            if value not in listed:
                raise Fails(NO_MEMBER)
            return num(listed.index(value))
        case Num(expr, low, high, none):
            if none or listed != tuple(range(_int(listed[0]), _int(listed[-1]) + 1)):
                raise Unsupported("a member that may be missing")
            if low < _int(listed[0]) or high > _int(listed[-1]):
                raise Unsupported("a member that a family may not have")
            return sub(expr, num(_int(listed[0])))
        case _:
            raise Unsupported("a key that is no number")


def _int(value: Value) -> int:
    if not isinstance(value, int):
        raise Unsupported("a key that is no number")
    return value


def _settled(writer: Writer, value: Rep) -> Rep:
    """A value that stays what it is while memory changes."""
    match value:
        case Num(expr, low, high, none):
            return Num(writer.keep(expr, "v"), low, high, none)
        case Bits(expr, universe):
            return Bits(writer.keep(expr, "v"), universe)
        case Items(items) if all(isinstance(item.value, Known) for item in items):
            raise Unsupported("a list with missing elements in a variable")
        case _:
            return value
