"""How a woven program keeps a situation: in one word where that is enough, else in several.

The canonical bytes of a situation are one number, of which most bits can never be set, and others
are known wherever a game can stop.  In one word lie the bits that can differ, in their order; above
them a number for all that is known; in the last byte the number of the place from which the program
goes on.  The place is no part of the key: several may be one situation.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from attrs import frozen

from compiler.graph.layout import Layout
from compiler.lir.build import binary, both, mask, num, to_int, to_mask
from compiler.lir.core import INT, MASK, Block, Expr, Load, Local, Number, Op, Stmt, Store
from compiler.lir.exploring.atoms import bits_of_fields
from compiler.lir.exploring.table import MOST_BITS, Key
from compiler.lir.image import Image
from compiler.lir.stepwise.code import put_word

AT: Final = Local("record")
"""Where the record of a situation is."""

_MOST_PLACES: Final = 1 << 64 - MOST_BITS

Atoms = Mapping[int, tuple[int, Expr]]
"""By their offset: how wide, and the number."""


@frozen(eq=False)
class Arrived:
    """A stop that is come to: its number, what is done before it is written, and its atoms."""

    number: int
    before: Block
    atoms: Atoms


class Spelling(Protocol):
    """Writes situations as records, and reads them."""

    @property
    def key(self) -> Key:
        """Where a situation is written."""

    def written(self, arrived: Arrived) -> list[Stmt]:
        """Writes a situation as the key."""

    def restored(self) -> list[Stmt]:
        """The state of a record, atom by atom."""

    def place(self) -> Expr:
        """The place of a record, behind `restored`."""

    def core(self, record: bytes) -> bytes:
        """The canonical bytes of a situation."""

    def record(self, core: bytes, place: int) -> bytes | None:
        """The record of a situation; `None` for one that no stop of the program is."""


@frozen(eq=False)
class Words:
    """The words of the canonical bytes that are not always zero, then the place."""

    key: Key
    image: Image

    def written(self, arrived: Arrived) -> list[Stmt]:
        """Writes a situation as the key."""
        words: dict[int, Expr] = {}
        for offset, (width, value) in sorted(arrived.atoms.items()):
            placed = binary(Op.SHL, _wide(width, value), mask(8 * (offset % 8)))
            words[offset // 8] = binary(Op.OR, words.get(offset // 8, mask(0)), placed)
        return [
            *(
                Store(8, self.key.address + 8 * at, None, words.get(whole, mask(0)))
                for at, whole in enumerate(self.key.kept)
            ),
            put_word(self.key.extra, arrived.number),
        ]

    def restored(self) -> list[Stmt]:
        """The state of a record, atom by atom."""
        found: list[Stmt] = []
        for number, at, offset, width in _atoms_of(self.image.layout):
            lies = self.key.offset(offset)
            if lies is not None:
                loaded = Load(width, lies, AT, MASK if width == 8 else INT)
                found.append(self.image.store(number, loaded, num(at)))
        return found

    def place(self) -> Expr:
        """The place of a record."""
        return Load(4, self.key.size, AT, INT)

    def core(self, record: bytes) -> bytes:
        """The canonical bytes of a situation."""
        content = bytearray(self.image.layout.core_size)
        for at, whole in enumerate(self.key.kept):
            content[8 * whole : 8 * whole + 8] = record[8 * at : 8 * at + 8]
        return bytes(content)

    def record(self, core: bytes, place: int) -> bytes | None:
        """The record of a situation; its hash is not known yet."""
        words = [core[8 * whole : 8 * whole + 8] for whole in self.key.kept]
        return b"".join(words) + struct.pack("<ii", place, 0)


@frozen(eq=False)
class OneWord:
    """The bits that can differ, what else is known by a number, and the place."""

    key: Key
    image: Image
    varying: int  # of the canonical bytes as one number, the bits that can differ
    known: tuple[int, ...]  # what the others can be, ascending

    def written(self, arrived: Arrived) -> list[Stmt]:
        """Writes a situation as the key."""
        spelled: Expr = mask(self._word(_constant(arrived.atoms), arrived.number) or 0)
        for offset, (width, value) in sorted(arrived.atoms.items()):
            if not isinstance(value, Number):
                placed = binary(Op.SHL, _wide(width, value), mask(self._position(offset)))
                spelled = binary(Op.OR, spelled, placed)
        return [Store(8, self.key.address, None, spelled)]

    def restored(self) -> list[Stmt]:
        """The state of a record, atom by atom."""
        found: dict[int, Stmt] = {}
        for number, at, offset, width in _atoms_of(self.image.layout):
            bits = (self.varying >> 8 * offset & (1 << 8 * width) - 1).bit_length()
            if bits:
                shifted = binary(Op.SHR, Load(8, 0, AT, MASK), mask(self._position(offset)))
                atom = both(shifted, mask((1 << bits) - 1))
                loaded = atom if width == 8 else to_int(atom)
                found[offset] = self.image.store(number, loaded, num(at))
        return list(found.values())

    def place(self) -> Expr:
        """The place of a record."""
        return to_int(binary(Op.SHR, Load(8, 0, AT, MASK), mask(MOST_BITS)))

    def core(self, record: bytes) -> bytes:
        """The canonical bytes of a situation."""
        word = int.from_bytes(record, "little") & (1 << MOST_BITS) - 1
        core = self.known[word >> self.varying.bit_count()]
        for bit, position, length in self._runs():
            core |= (word >> position & (1 << length) - 1) << bit
        return core.to_bytes(self.image.layout.core_size, "little")

    def record(self, core: bytes, place: int) -> bytes | None:
        """The record of a situation; `None` for one that no stop of the program is."""
        word = self._word(int.from_bytes(core, "little"), place)
        return None if word is None else word.to_bytes(8, "little")

    def _word(self, core: int, place: int) -> int | None:
        outside = core & ~self.varying
        if outside not in self.known:
            return None
        word = self.known.index(outside) << self.varying.bit_count()
        for bit, position, length in self._runs():
            word |= (core >> bit & (1 << length) - 1) << position
        return word | place << MOST_BITS

    def _position(self, offset: int) -> int:
        """Where the lowest bit of an atom lies in the word."""
        return (self.varying & (1 << 8 * offset) - 1).bit_count()

    def _runs(self) -> Iterator[tuple[int, int, int]]:
        """Bits that follow one another: the first, where it lies in the word, and how many."""
        left, bit, position = self.varying, 0, 0
        while left:
            skipped = (left & -left).bit_length() - 1
            left, bit = left >> skipped, bit + skipped
            length = (~left & left + 1).bit_length() - 1
            yield bit, position, length
            left, bit, position = left >> length, bit + length, position + length


def spelling(key: Key, image: Image, stops: Sequence[Atoms], places: int) -> Spelling:
    """How to keep the situations whose stops have these atoms; `key` is for several words."""
    layout, varying = image.layout, 0
    bits: dict[int, int] = {}
    of_field = bits_of_fields(layout)
    for number, _, offset, _ in _atoms_of(layout):
        bits[offset] = max(bits.get(offset, 0), of_field[number])
    for atoms in stops:
        for offset, (width, value) in atoms.items():
            if not isinstance(value, Number):
                if bits[offset] == 8 * width == 32:  # no `INT` has so many
                    return Words(key, image)
                varying |= (1 << bits[offset]) - 1 << 8 * offset
    known = tuple(sorted({_constant(atoms) & ~varying for atoms in stops}))
    total = varying.bit_count() + (len(known) - 1).bit_length()
    if total > MOST_BITS or places > _MOST_PLACES:
        return Words(key, image)
    return OneWord(Key.one_word(key.address, total), image, varying, known)


def _constant(atoms: Atoms) -> int:
    """What is known of the canonical bytes, as one number."""
    found: Iterable[int] = (
        value.value << 8 * offset
        for offset, (_, value) in atoms.items()
        if isinstance(value, Number)
    )
    return sum(found)


def _wide(width: int, value: Expr) -> Expr:
    return value if width == 8 else to_mask(value)


def _atoms_of(layout: Layout) -> Iterator[tuple[int, int, int, int]]:
    """The atoms of the core: field, number within it, offset, width."""
    for number, entry in enumerate(layout.fields):
        if entry.offset < layout.core_size:
            for at in range(entry.count):
                yield number, at, entry.offset + at * entry.width, entry.width
