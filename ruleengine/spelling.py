"""How counts, cells and values are spelled in atoms; reading is the inverse of writing.

Atoms are a flat list of whole numbers; a part begins at some position of it.
"""

from collections.abc import Callable, Iterator
from typing import assert_never

from attrs import frozen

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


class Unpackable(Exception):
    """The table holds what no play can bring about: the layout has no room for it."""


# ---- bits


def write_bits(into: list[int], start: int, mask: int) -> None:
    """Spells a mask in as many atoms as it takes."""
    while mask:
        into[start] = mask & ((1 << WORD) - 1)
        mask >>= WORD
        start += 1


def read_bits(atoms_: list[int], field: Field) -> int:
    """The mask in a field."""
    mask = 0
    for position in reversed(range(field.start, field.start + field.count)):
        mask = mask << WORD | atoms_[position]
    return mask


# ---- counts


def write_counts(
    into: list[int], fields: tuple[Field, ...], contents: Multiset, counts: list[int]
) -> None:
    """Spells how many of each sort there are; `Unpackable` if more than can be."""
    for sort, count in enumerate(counts):
        if count > contents.copies[sort]:
            raise Unpackable(f"{count} of sort {sort} where at most {contents.copies[sort]} can be")
    if contents.counts is not None:
        start = fields[contents.counts].start
        for position, sort in enumerate(contents.sorts):
            into[start + position] = counts[sort]
    for more, plane in enumerate(contents.planes):
        mask = 0
        for sort in plane.sorts:
            if counts[sort] > more:
                mask |= 1 << sort - plane.first
        write_bits(into, fields[plane.field].start, mask)


def read_counts(atoms_: list[int], fields: tuple[Field, ...], contents: Multiset) -> list[int]:
    """How many of each sort there are."""
    counts = [0] * len(contents.copies)
    if contents.counts is not None:
        start = fields[contents.counts].start
        for position, sort in enumerate(contents.sorts):
            counts[sort] = atoms_[start + position]
    for plane in contents.planes:
        mask = read_bits(atoms_, fields[plane.field])
        for sort in plane.sorts:
            counts[sort] += mask >> sort - plane.first & 1
    return counts


# ---- cells


@frozen
class Cell:
    """A token as it lies: its kind, or the pool it belongs to; its face; positions of its flags."""

    kind: int | None
    pool: int | None
    face: bool
    flags: int


def write_cell(code: CellCode, cell: Cell) -> int:
    """The number of a cell with a token in it."""
    if cell.pool is None and cell.kind is not None:
        number = cell.kind + 1
    elif cell.pool in code.pools:
        number = code.kinds + 1 + code.pools.index(cell.pool)
    else:
        raise Unpackable("a card without a kind lies where none can")
    if cell.face not in code.faces:
        raise Unpackable(f"a token lies face {'up' if cell.face else 'down'} where none can")
    number |= cell.flags << code.bits + code.face_bits
    return number | (code.face_bits and not cell.face) << code.bits


def read_cell(code: CellCode, number: int) -> Cell:
    """The token in a cell that is not empty."""
    base = number & ((1 << code.bits) - 1)
    down = number >> code.bits & 1 if code.face_bits else not code.faces[0]
    flags = number >> code.bits + code.face_bits
    if base > code.kinds:
        return Cell(None, code.pools[base - code.kinds - 1], not down, flags)
    return Cell(base - 1, None, not down, flags)


# ---- values


def write_value(codec: Codec, value: Value, name: Callable[[int], int]) -> Iterator[int]:
    """The atoms of a value; `name` calls tokens.  `none` where there cannot be one is all zero."""
    match codec:
        case Scalar(low, _, optional):
            yield 0 if value is None else _number(value) - low + optional
        case Listed(values):
            yield 0 if value is None else values.index(value) + 1
        case TokenRef(_, names):
            yield 0 if value is None else _name(_number(value), names, name)
        case Mask(universe):
            mask = sum(1 << universe.index(member) for member in _members(value))
            yield from _words(mask, atoms(codec))
        case TokenSet(_, names):
            called = (_name(_number(token), names, name) for token in _members(value))
            yield from _words(sum(1 << number - 1 for number in called), atoms(codec))
        case Several(element, capacity, is_set):
            yield from _write_several(element, capacity, is_set, value, name)
        case Maybe(some):
            yield int(value is not None)
            yield from write_value(some, value, name)
        case _:
            assert_never(codec)


def _write_several(
    element: Codec, capacity: int, is_set: bool, value: Value, name: Callable[[int], int]
) -> Iterator[int]:
    members = [tuple(write_value(element, member, name)) for member in _members(value)]
    if len(members) > capacity:
        raise Unpackable(f"{len(members)} values where at most {capacity} can be")
    if is_set:
        members.sort()
    yield len(members)
    for member in members:
        yield from member
    for _ in range((capacity - len(members)) * atoms(element)):
        yield 0


def read_value(codec: Codec, take: Iterator[int], token: Callable[[str, int], int]) -> Value:
    """The value that atoms spell, taken one after another; `token` finds who is called so."""
    match codec:
        case Scalar(low, _, optional):
            number = next(take)
            return None if optional and not number else number + low - optional
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
            members = [read_value(element, take, token) for _ in range(capacity)]
            return tuple(members[:length])
        case Maybe(some):
            present = next(take)
            value = read_value(some, take, token)
            return value if present else None
        case _:
            assert_never(codec)


def _words(mask: int, count: int) -> Iterator[int]:
    for _ in range(count):
        yield mask & ((1 << WORD) - 1)
        mask >>= WORD


def _mask(take: Iterator[int], count: int) -> int:
    return sum(next(take) << WORD * at for at in range(count))


def _name(token: int, names: int, name: Callable[[int], int]) -> int:
    called = name(token)
    if called > names:
        raise Unpackable("a variable means a card without a kind where it cannot")
    return called


def _number(value: Value) -> int:
    if not isinstance(value, int):
        raise Unpackable(f"{value} is no single value")
    return value


def _members(value: Value) -> tuple[Value, ...]:
    if isinstance(value, int):
        raise Unpackable(f"{value} is no list or set")
    return () if value is None else value
