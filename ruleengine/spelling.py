"""How counts, cells and values are spelled in atoms; reading is the inverse of writing.

Atoms are a flat list of whole numbers, in the order of the layout's format.  What is written was
zero before.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, assert_never

from attrs import define, field, frozen

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
    atoms,
)
from compiler.graph.core import Value
from compiler.graph.parts import CellCode, Field, Multiset
from ruleengine.table import NO_POOL, UNRESOLVED

_FULL = (1 << WORD) - 1

Called: TypeAlias = Callable[[int], int]
"""From a token's handle to what variables call it."""

Caller: TypeAlias = Callable[[str, int], int]
"""From a class and what variables call one of its tokens to the handle."""


class Unpackable(Exception):
    """The table holds what no play can bring about: the layout has no room for it."""


# ---- bits


def write_bits(into: list[int], start: int, mask: int) -> None:
    """Spells a mask in as many atoms as it takes."""
    while mask:
        into[start] = mask & _FULL
        mask >>= WORD
        start += 1


def read_bits(from_: Sequence[int], entry: Field) -> int:
    """The mask in a field."""
    mask = 0
    for position in reversed(range(entry.start, entry.start + entry.count)):
        mask = mask << WORD | from_[position]
    return mask


# ---- counts


@frozen(eq=False)
class Heap:
    """A multiset among the atoms.

    `copies[sort]` has an atom and a bit for every copy there can be, the first copy first; where
    numbers are kept instead, one atom and no bit.  `bits` has every atom with its sorts by bit.
    """

    copies: tuple[tuple[tuple[int, int], ...], ...]
    most: tuple[int, ...]
    bits: tuple[tuple[int, tuple[int, ...]], ...]
    counted: bool

    @classmethod
    def of(cls, contents: Multiset, fields: tuple[Field, ...]) -> "Heap":
        """Where a multiset of the layout is."""
        copies: list[list[tuple[int, int]]] = [[] for _ in contents.copies]
        bits: list[tuple[int, tuple[int, ...]]] = []
        if contents.counts is not None:
            start = fields[contents.counts].start
            for position, sort in enumerate(contents.sorts):
                copies[sort].append((start + position, 0))
                bits.append((start + position, (sort,)))
        for plane in contents.planes:
            start = fields[plane.field].start
            for sort in plane.sorts:
                word, bit = divmod(sort - plane.first, WORD)
                copies[sort].append((start + word, 1 << bit))
            for word in range(fields[plane.field].count):
                first = plane.first + word * WORD
                bits.append((start + word, tuple(range(first, first + WORD))))
        return cls(
            tuple(map(tuple, copies)), contents.copies, tuple(bits), contents.counts is not None
        )

    def add(self, into: list[int], sort: int) -> None:
        """One more of a sort; `Unpackable` if all there can be are there."""
        for atom, bit in self.copies[sort]:
            if not bit and into[atom] < self.most[sort]:
                into[atom] += 1
                return
            if not into[atom] & bit:
                into[atom] |= bit
                return
        raise Unpackable(f"more than {self.most[sort]} of sort {sort}")

    def write(self, into: list[int], counts: list[int]) -> None:
        """So many of each sort."""
        for sort, count in enumerate(counts):
            if not count:
                continue
            if count > self.most[sort]:
                raise Unpackable(f"{count} of sort {sort}, of which {self.most[sort]} can be")
            if self.counted:
                into[self.copies[sort][0][0]] = count
                continue
            for atom, bit in self.copies[sort][:count]:
                into[atom] |= bit

    def each(self, from_: Sequence[int]) -> Iterator[int]:
        """The sorts, as often as they are there."""
        for atom, sorts in self.bits:
            mask = from_[atom]
            if self.counted:
                for _ in range(mask):
                    yield sorts[0]
                continue
            while mask:
                lowest = mask & -mask
                yield sorts[lowest.bit_length() - 1]
                mask ^= lowest

    def read(self, from_: Sequence[int]) -> list[int] | None:
        """How many of each sort there are; `None` for nothing at all."""
        counts = [0] * len(self.most)
        found = 0
        for atom, sorts in self.bits:
            mask = from_[atom]
            found |= mask
            if self.counted:
                counts[sorts[0]] = mask
                continue
            while mask:
                lowest = mask & -mask
                counts[sorts[lowest.bit_length() - 1]] += 1
                mask ^= lowest
        return counts if found else None


# ---- cells

Look: TypeAlias = tuple[int, int, bool, int]
"""A token as it lies: its kind (or none yet), its pool (or none), face up, mask of flags."""


@define(eq=False)
class Cells:
    """The numbers of tokens in cells of one code, remembered once they were asked for."""

    code: CellCode
    flag_bits: tuple[int, ...]  # of the flags of the code, in `Table.flags`
    _numbers: dict[Look, int] = field(factory=dict, init=False)
    _looks: dict[int, Look] = field(factory=dict, init=False)

    def number(self, look: Look) -> int:
        """How a token is spelled; `Unpackable` if it cannot lie so."""
        found = self._numbers.get(look)
        if found is None:
            found = self._numbers[look] = self._spelled(look)
        return found

    def look(self, number: int) -> Look:
        """The token that is spelled so."""
        found = self._looks.get(number)
        if found is None:
            found = self._looks[number] = self._read(number)
        return found

    def _spelled(self, look: Look) -> int:
        kind, pool, face, flags = look
        code = self.code
        if kind != UNRESOLVED:
            number = kind + 1
        elif pool in code.pools:
            number = code.kinds + 1 + code.pools.index(pool)
        else:
            raise Unpackable("a card without a kind lies where none can")
        if face not in code.faces:
            raise Unpackable(f"a token lies face {'up' if face else 'down'} where none can")
        if flags & ~sum(1 << bit for bit in self.flag_bits):
            raise Unpackable("a token carries a flag where none can")
        if code.face_bits and not face:
            number |= 1 << code.bits
        for position, bit in enumerate(self.flag_bits):
            number |= (flags >> bit & 1) << code.bits + code.face_bits + position
        return number

    def _read(self, number: int) -> Look:
        code = self.code
        base = number & ((1 << code.bits) - 1)
        face = not number >> code.bits & 1 if code.face_bits else code.faces[0]
        marks = number >> code.bits + code.face_bits
        flags = sum((marks >> at & 1) << bit for at, bit in enumerate(self.flag_bits))
        if base > code.kinds:
            return UNRESOLVED, code.pools[base - code.kinds - 1], face, flags
        return base - 1, NO_POOL, face, flags


# ---- values


def write_value(codec: Codec, value: Value, called: Called) -> Iterator[int]:
    """The atoms of a value.  `none` where there cannot be one is all zero."""
    match codec:
        case Scalar(low, _, optional):
            yield 0 if value is None else _number(value) - low + optional
        case Listed(values):
            yield 0 if value is None else values.index(value) + 1
        case TokenRef(_, names):
            yield 0 if value is None else _name(_number(value), names, called)
        case Mask(universe):
            mask = sum(1 << universe.index(member) for member in _members(value))
            yield from _words(mask, atoms(codec))
        case TokenSet(_, names):
            numbers = (_name(_number(token), names, called) for token in _members(value))
            yield from _words(sum(1 << number - 1 for number in numbers), atoms(codec))
        case Several(element, capacity, is_set):
            yield from _write_several(element, capacity, is_set, value, called)
        case Maybe(some):
            yield int(value is not None)
            yield from write_value(some, value, called)
        case _:
            assert_never(codec)


def _write_several(
    element: Codec, capacity: int, is_set: bool, value: Value, called: Called
) -> Iterator[int]:
    members = [tuple(write_value(element, member, called)) for member in _members(value)]
    if len(members) > capacity:
        raise Unpackable(f"{len(members)} values where at most {capacity} can be")
    if is_set:
        members.sort()
    yield len(members)
    for member in members:
        yield from member
    for _ in range((capacity - len(members)) * atoms(element)):
        yield 0


def read_value(codec: Codec, take: Iterator[int], token: Caller) -> Value:
    """The value that atoms spell, taken one after another."""
    match codec:
        case Scalar(low, _, optional, truth):
            number = next(take)
            if optional and not number:
                return None
            return bool(number - optional) if truth else number + low - optional
        case Listed(values):
            number = next(take)
            return values[number - 1] if number else None
        case TokenRef(token_class, _):
            number = next(take)
            return token(token_class, number) if number else None
        case Mask(universe):
            mask = _mask(take, atoms(codec))
            return tuple(value for bit, value in enumerate(universe) if mask >> bit & 1)
        case TokenSet(token_class, names):
            mask = _mask(take, atoms(codec))
            return tuple(token(token_class, bit + 1) for bit in range(names) if mask >> bit & 1)
        case Several(element, capacity):
            length = next(take)
            return tuple(read_value(element, take, token) for _ in range(min(length, capacity)))
        case Maybe(some):
            present = next(take)
            value = read_value(some, take, token)
            return value if present else None
        case _:
            assert_never(codec)


def _words(mask: int, count: int) -> Iterator[int]:
    for _ in range(count):
        yield mask & _FULL
        mask >>= WORD


def _mask(take: Iterator[int], count: int) -> int:
    return sum(next(take) << WORD * at for at in range(count))


def _name(token: int, names: int, called: Called) -> int:
    name = called(token)
    if name > names:
        raise Unpackable("a variable means a card without a kind where it cannot")
    return name


def _number(value: Value) -> int:
    if not isinstance(value, int):
        raise Unpackable(f"{value} is no single value")
    return value


def _members(value: Value) -> tuple[Value, ...]:
    if isinstance(value, int):
        raise Unpackable(f"{value} is no list or set")
    return () if value is None else value
