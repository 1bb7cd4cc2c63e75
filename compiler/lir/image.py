"""The state in memory: where fields are, and how values of variables are read and written there.

Memory holds the canonical bytes of a state from `base` on.  Tables of constants, which lowering
makes on the way, lie behind it.
"""

from collections.abc import Hashable
from itertools import pairwise
from typing import assert_never

from attrs import define, field

from compiler.graph.codec import Codec, Listed, Mask, Maybe, Scalar, Several, TokenRef, TokenSet
from compiler.graph.codec import atoms as atoms_of
from compiler.graph.core import Value, Variable
from compiler.graph.layout import Layout
from compiler.graph.parts import Bag, Board, Field, Multiset, Rows, Slot
from compiler.lir.build import (
    add,
    binary,
    both,
    choice,
    equal,
    mask,
    num,
    sub,
    to_int,
    to_mask,
    union,
)
from compiler.lir.core import INT, MASK, Data, Expr, Load, Number, Op, Stmt, Store
from compiler.lir.reps import NONE, Bits, Known, Num, Rep, TooMuch, Universe, Unsupported, is_none

_MOST_TERMS = 200_000
"""Terms evaluated for one program: some seconds.  The rulebooks' need tens of thousands."""

FIRST = num(0)
"""Where the first atom of a field is."""


@define(eq=False)
class Tables:
    """Constant tables of one program, each kept once."""

    first: int
    _data: list[Data] = field(factory=list, init=False)
    _known: dict[tuple[int, tuple[int, ...]], int] = field(factory=dict, init=False)
    _end: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._end = self.first

    @property
    def data(self) -> tuple[Data, ...]:
        """What memory has at first."""
        return tuple(self._data)

    @property
    def end(self) -> int:
        """The first free address, a multiple of 8."""
        return -(-self._end // 8) * 8

    def numbers(self, values: tuple[int, ...], index: Expr) -> Expr:
        """The number at an index from 0; ranges that rise evenly need no table."""
        if len(set(values)) == 1:
            return num(values[0])
        if len(values) == 2:
            return choice(equal(index, num(0)), num(values[0]), num(values[1]))
        step = values[1] - values[0]
        if all(b - a == step for a, b in pairwise(values)):
            return add(binary(Op.MUL, index, num(step)), num(values[0]))
        low, high = min(values), max(values)
        if low >= 0 and high < 1 << 16:
            width = 1 if high < 256 else 2
            return Load(width, self._place(width, values), _scaled(index, width))
        return Load(4, self._place(4, values), _scaled(index, 4), INT)

    def masks(self, values: tuple[int, ...], index: Expr) -> Expr:
        """The mask at an index from 0."""
        if len(set(values)) == 1:
            return mask(values[0])
        if len(values) == 2:
            return choice(equal(index, num(0)), mask(values[0]), mask(values[1]))
        return Load(8, self._place(8, values), _scaled(index, 8), MASK)

    def _place(self, width: int, values: tuple[int, ...]) -> int:
        key = (width, values)
        if key not in self._known:
            self._end = -(-self._end // width) * width
            content = b"".join(
                (value & ((1 << 8 * width) - 1)).to_bytes(width, "little") for value in values
            )
            self._data.append(Data(self._end, content))
            self._known[key] = self._end
            self._end += len(content)
        return self._known[key]


def _scaled(index: Expr, width: int) -> Expr:
    return binary(Op.MUL, index, num(width))


@define(eq=False)
class Image:
    """A state at an address."""

    layout: Layout
    base: int
    tables: Tables
    _slots: dict[tuple[Variable, int], Slot] = field(init=False)
    boards: dict[int, Board] = field(init=False)  # by place
    rows: dict[int, Rows] = field(init=False)  # by place
    bags: dict[int, tuple[Bag, ...]] = field(init=False)  # by place
    spent: int = field(default=0, init=False)  # terms evaluated so far
    masks: dict[Hashable, Expr] = field(factory=dict, init=False)  # conditions found before

    def __attrs_post_init__(self) -> None:
        plan = self.layout
        self._slots = {(slot.variable, slot.bank): slot for slot in plan.slots}
        self.boards = {place: board for board in plan.boards for place in board.places}
        self.rows = {place: rows for rows in plan.rows for place in rows.places}
        self.bags = {}
        for bag in plan.bags:
            self.bags[bag.place] = (*self.bags.get(bag.place, ()), bag)

    def spend(self) -> None:
        """Counts a term that is evaluated; `TooMuch` when there have been too many."""
        self.spent += 1
        if self.spent > _MOST_TERMS:
            raise TooMuch("conditions that look at too many squares")

    # ---- atoms

    def field(self, number: int) -> Field:
        """A field of the layout."""
        return self.layout.fields[number]

    def load(self, number: int, index: Expr = FIRST, *, as_mask: bool = False) -> Expr:
        """An atom of a field, as an `INT`, or a `MASK` if so asked or if it is 8 bytes wide."""
        entry = self.field(number)
        base, address = self._at(entry, index)
        loaded = Load(entry.width, base, address, MASK if entry.width == 8 else INT)
        return to_mask(loaded) if as_mask and entry.width < 8 else loaded

    def store(self, number: int, value: Expr, index: Expr = FIRST) -> Stmt:
        """Writes an atom."""
        entry = self.field(number)
        base, address = self._at(entry, index)
        if value.kind is MASK and entry.width < 8:
            value = to_int(value)
        elif value.kind is INT and entry.width == 8:
            value = to_mask(value)
        return Store(entry.width, base, address, value)

    def _at(self, entry: Field, index: Expr) -> tuple[int, Expr | None]:
        base = self.base + entry.offset
        scaled = _scaled(index, entry.width)
        if isinstance(scaled, Number):
            return base + scaled.value, None
        return base, scaled

    # ---- variables

    def slot(self, variable: Variable, in_trigger: bool) -> Slot:
        """Where a variable is; a local's second bank while a trigger runs."""
        banked = self._slots.get((variable, 1))
        return banked if in_trigger and banked is not None else self._slots[variable, 0]

    def read(self, slot: Slot, member: Expr) -> Rep:
        """What a variable holds."""
        return self._decoded(slot.codec, slot.field, self._first(slot, member))

    def write(self, slot: Slot, member: Expr, value: Rep) -> list[Stmt]:
        """Gives a variable a value that fits."""
        return self._encoded(slot.codec, slot.field, self._first(slot, member), value)

    def clear(self, slot: Slot, member: int) -> list[Stmt]:
        """Makes a slot what dead ones are."""
        count = atoms_of(slot.codec)
        first = member * count
        return [self.store(slot.field, num(0), num(first + at)) for at in range(count)]

    def _first(self, slot: Slot, member: Expr) -> Expr:
        return binary(Op.MUL, member, num(atoms_of(slot.codec)))

    def _decoded(self, codec: Codec, number: int, at: Expr) -> Rep:
        match codec:
            case Scalar(low, size, optional):
                atom = self.load(number, at)
                if not optional:
                    return Num(add(atom, num(low)), low, low + size - 1)
                there = add(atom, num(low - 1))
                return Num(choice(equal(atom, num(0)), num(NONE), there), low, low + size - 1, True)
            case Listed(values):
                faces = _numbers(values)
                atom = self.load(number, at)
                found = self.tables.numbers(faces, sub(atom, num(1)))
                value = choice(equal(atom, num(0)), num(NONE), found)
                return Num(value, min(faces), max(faces), True)
            case Mask(universe):
                return Bits(self.load(number, at, as_mask=True), Universe.of(universe))
            case TokenRef() | TokenSet() | Several() | Maybe():
                raise Unsupported(f"a variable kept as {type(codec).__name__}")
            case _:
                assert_never(codec)

    def _encoded(self, codec: Codec, number: int, at: Expr, value: Rep) -> list[Stmt]:
        match codec:
            case Scalar(low, _, optional):
                return [self.store(number, _scalar(low, optional, value), at)]
            case Listed(values):
                return [self.store(number, self._listed(_numbers(values), value), at)]
            case Mask(universe):
                return [self.store(number, as_mask(value, Universe.of(universe)), at)]
            case TokenRef() | TokenSet() | Several() | Maybe():
                raise Unsupported(f"a variable kept as {type(codec).__name__}")
            case _:
                assert_never(codec)

    def _listed(self, faces: tuple[int, ...], value: Rep) -> Expr:
        match value:
            case Known(None):
                return num(0)
            case Known(int() as face):
                return num(faces.index(face) + 1)
            case Num(expr, low, high, none):
                known = tuple(
                    faces.index(face) + 1 if face in faces else 0 for face in range(low, high + 1)
                )
                atom = self.tables.numbers(known, sub(expr, num(low)))
                return choice(is_none(expr), num(0), atom) if none else atom
            case _:
                raise Unsupported("a die with faces that are no numbers")

    # ---- sets of tokens

    def counts(self, contents: Multiset) -> dict[int, Expr]:
        """How many of each sort a multiset has."""
        if contents.counts is not None:
            return {
                sort: self.load(contents.counts, num(at)) for at, sort in enumerate(contents.sorts)
            }
        found: dict[int, Expr] = {}
        for sort in contents.sorts:
            bits = [
                self._plane_bit(plane.field, sort - plane.first)
                for plane in contents.planes
                if sort in plane.sorts
            ]
            total: Expr = num(0)
            for bit in bits:
                total = add(total, bit)
            found[sort] = total
        return found

    def _plane_bit(self, number: int, bit: int) -> Expr:
        atom = self.load(number, num(bit // 64), as_mask=True)
        return to_int(both(binary(Op.SHR, atom, mask(bit % 64)), mask(1)))

    def change(self, contents: Multiset, sort: int, count: Expr, by: int) -> list[Stmt]:
        """One more or one fewer of a sort, of which there are `count` now."""
        if contents.counts is not None:
            at = num(contents.sorts.index(sort))
            return [self.store(contents.counts, add(count, num(by)), at)]
        planes = [plane for plane in contents.planes if sort in plane.sorts]
        if len(planes) != 1:
            raise Unsupported("sets with several copies of a card, kept as planes")
        plane = planes[0]
        bit = sort - plane.first
        atom = self.load(plane.field, num(bit // 64), as_mask=True)
        flag = mask(1 << bit % 64)
        changed = union([atom, flag]) if by > 0 else binary(Op.XOR, atom, flag)
        return [self.store(plane.field, changed, num(bit // 64))]


def as_mask(value: Rep, universe: Universe) -> Expr:
    """A set of scalars as a mask of this universe."""
    match value:
        case Known(tuple() as members):
            if not all(universe.bit(member) is not None for member in members):
                raise Unsupported("a list outside its universe")
            return mask(universe.mask(members))
        case Known(None):
            return mask(0)
        case Bits(expr, own) if own == universe:
            return expr
        case _:
            raise Unsupported(f"a list as {type(value).__name__} in a variable")


def _scalar(low: int, optional: bool, value: Rep) -> Expr:
    match value:
        case Known(None):
            return num(0)
        case Known(int() as number):
            return num(number - low + optional)
        case Num(expr, _, _, none):
            atom = sub(expr, num(low - optional))
            return choice(is_none(expr), num(0), atom) if none else atom
        case _:
            raise Unsupported(f"a number as {type(value).__name__}")


def _numbers(values: tuple[Value, ...]) -> tuple[int, ...]:
    if not all(isinstance(value, int) for value in values):
        raise Unsupported("a die with faces that are no numbers")
    return tuple(value for value in values if isinstance(value, int))
