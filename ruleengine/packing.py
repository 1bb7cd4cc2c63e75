"""Tables as canonical bytes, and back.

Handles are forgotten: tables that differ only in which of several twins lies where pack alike, and
unpacking gives tokens handles in the order of the layout.  What may no longer be read is packed as
zero and unpacked as `none`.
"""

from collections.abc import Iterator, Mapping
from struct import Struct

from attrs import define, field, frozen

from compiler.graph.core import Variable
from compiler.graph.layout import Layout, layout
from compiler.graph.parts import RESUME, Bag, Board, Rows, Sight, Slot, Unresolved
from ruleengine.references import References
from ruleengine.spelling import (
    Cell,
    Unpackable,
    read_bits,
    read_cell,
    read_counts,
    read_value,
    write_bits,
    write_cell,
    write_counts,
    write_value,
)
from ruleengine.statics import Statics
from ruleengine.table import NO_POOL, UNRESOLVED, Table


@frozen(eq=False)
class _Home:
    """A variable in one bank: its members in `Table.values`, in the atoms, and when they matter."""

    slot: Slot
    first: int  # in `Table.values`
    start: int  # in the atoms
    step: int  # atoms of a member
    live: int  # bit of the first member in masks of liveness
    inside: bool  # whether it is the bank of triggers; a local of a trigger's own block has one


@define(eq=False)
class Packing:
    """Packs and unpacks the tables of one graph."""

    statics: Statics
    references: References
    layout: Layout
    _struct: Struct = field(init=False, repr=False)
    _length: int = field(init=False, repr=False)
    _bags: dict[tuple[int, int, bool, int], int] = field(init=False, repr=False)
    _unresolved: dict[tuple[int, int, int], int] = field(init=False, repr=False)
    _sets: frozenset[int] = field(init=False, repr=False)
    _homes: tuple[_Home, ...] = field(init=False, repr=False)
    _looked: list[int] = field(init=False, repr=False)  # per place: observers with room there
    _knows: list[int] = field(init=False, repr=False)

    @classmethod
    def of(cls, statics: Statics, references: References | None = None) -> "Packing":
        """That of a graph; `references` says what may still be read."""
        known = References.of(statics) if references is None else references
        return cls(statics, known, layout(statics.graph))

    def __attrs_post_init__(self) -> None:
        plan = self.layout
        self._struct = Struct(plan.format)
        self._length = max((entry.start + entry.count for entry in plan.fields), default=0)
        self._bags = {
            (bag.place, self._class(bag.token_class), bag.face, self._flag_mask(bag.flags)): at
            for at, bag in enumerate(plan.bags)
        }
        self._unresolved = {
            (part.place, part.pool, self._flag_mask(part.flags)): at
            for at, part in enumerate(plan.unresolved)
        }
        self._homes = tuple(self._home(slot) for slot in plan.slots)
        self._looked = [0] * len(self.statics.graph.places)
        self._knows = [0] * len(self.statics.graph.places)
        for sight in plan.sights:
            for place in plan.rows[sight.rows].places:
                self._looked[place] = sum(1 << observer for observer in sight.looked)
                self._knows[place] = sum(1 << observer for observer in sight.knows)
        self._sets = frozenset(bag.place for bag in plan.bags)

    @property
    def core_size(self) -> int:
        """Bytes of the core, which comes first: equality of states is equality of cores."""
        return self.layout.core_size

    @property
    def size(self) -> int:
        """Bytes of a state, knowledge included."""
        return self.layout.size

    def _class(self, name: str) -> int:
        return self.statics.class_index[name]

    def _flag_mask(self, names: tuple[str, ...]) -> int:
        return sum(1 << self.statics.flag_bits[name] for name in names)

    def _home(self, slot: Slot) -> _Home:
        slots = self.statics.slots[slot.variable]
        entry = self.layout.fields[slot.field]
        return _Home(
            slot,
            slots.first + slots.shift * slot.bank,
            entry.start,
            entry.count // slot.variable.size,
            self.references.alive.slots.first[slot.variable],
            slot.bank == 1,
        )

    # ---- to bytes

    def pack(self, table: Table) -> bytes:
        """The canonical bytes; `Unpackable` where the layout has no room for what lies there."""
        atoms = [0] * self._length
        self._write_sets(table, atoms)
        for run in self.layout.rows:
            self._write_run(table, atoms, run)
        for board in self.layout.boards:
            self._write_board(table, atoms, board)
        self._write_pools(table, atoms)
        self._write_values(table, atoms)
        self._write_control(table, atoms)
        self._write_knowledge(table, atoms)
        return self._struct.pack(*atoms)

    def _write_sets(self, table: Table, atoms: list[int]) -> None:
        plan = self.layout
        counts = [[0] * len(bag.contents.copies) for bag in plan.bags]
        nobody = [0] * len(plan.unresolved)
        for place in self._sets:
            for token in table.cells[place]:
                kind = table.kind[token]
                if kind == UNRESOLVED:
                    nobody[self._group(table, token)] += 1
                else:
                    counts[self._group(table, token)][kind] += 1
        for bag, found in zip(plan.bags, counts, strict=True):
            write_counts(atoms, plan.fields, bag.contents, found)
        for part, number in zip(plan.unresolved, nobody, strict=True):
            atoms[plan.fields[part.field].start] = number

    def _group(self, table: Table, token: int) -> int:
        """The bag of a token in a set; for one without a kind, what counts it."""
        place, flags = table.place[token], table.flags[token]
        if table.kind[token] == UNRESOLVED:
            found = self._unresolved.get((place, table.pool[token], flags))
        else:
            key = (place, self.statics.token_class[token], table.face[token], flags)
            found = self._bags.get(key)
        if found is None:
            label = self.statics.graph.places[place].label
            raise Unpackable(f"a token lies in {label} as none can")
        return found

    def _write_run(self, table: Table, atoms: list[int], run: Rows) -> None:
        start = self.layout.fields[run.cells].start
        position = 0
        for number, place in enumerate(run.places):
            for token in table.cells[place]:
                if position == run.capacity:
                    raise Unpackable(f"more than {run.capacity} tokens in a row")
                atoms[start + position] = write_cell(run.code, self._cell(table, run, token))
                position += 1
            if run.ends is not None:
                atoms[self.layout.fields[run.ends].start + number] = position

    def _cell(self, table: Table, run: Rows, token: int) -> Cell:
        flags = 0
        for position, name in enumerate(run.code.flags):
            flags |= (table.flags[token] >> self.statics.flag_bits[name] & 1) << position
        if self._flag_mask(run.code.flags) & table.flags[token] != table.flags[token]:
            raise Unpackable("a token carries a flag where none can")
        kind, pool = table.kind[token], table.pool[token]
        if kind == UNRESOLVED:
            return Cell(None, pool, table.face[token], flags)
        return Cell(kind, None, table.face[token], flags)

    def _write_board(self, table: Table, atoms: list[int], board: Board) -> None:
        for place, bit in zip(board.places, board.bits, strict=True):
            for token in table.cells[place]:
                atoms[self.layout.fields[board.fields[table.kind[token]]].start] |= 1 << bit

    def _write_pools(self, table: Table, atoms: list[int]) -> None:
        unwritten = dict(table.pools)
        for pool in self.layout.pools:
            counts = unwritten.pop(pool.place, None)
            if counts is not None:
                write_counts(atoms, self.layout.fields, pool.contents, counts)
        for place, counts in unwritten.items():
            if any(counts):
                label = self.statics.graph.places[place].label
                raise Unpackable(f"{label} has a pool, but nothing shuffles it")

    def _write_values(self, table: Table, atoms: list[int]) -> None:
        referred = self.references.signatures(table)
        names = self._names(table, referred) if referred else {}
        for home, member in self._live(table):
            value = table.values[home.first + member]
            at = home.start + member * home.step
            try:
                for number in write_value(home.slot.codec, value, names.__getitem__):
                    atoms[at] = number
                    at += 1
            except (ValueError, KeyError) as error:
                name = home.slot.variable.name
                raise Unpackable(f"{name} is {value}, which it cannot be") from error

    def _names(self, table: Table, referred: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
        """What variables call each token; twins are told apart by what refers to them."""
        plan = self.layout
        used: list[dict[int, int]] = [{} for _ in plan.names]
        names: dict[int, int] = {}
        for place, cells in enumerate(table.cells):
            lying = cells
            if place in self._sets and len(cells) > 1:
                lying = sorted(
                    cells,
                    key=lambda token: (
                        self._group(table, token),
                        token not in referred,
                        referred.get(token, ()),
                    ),
                )
            for token in lying:
                index, kind = self.statics.token_class[token], table.kind[token]
                before = used[index].get(kind, 0)
                used[index][kind] = before + 1
                calls = plan.names[index]
                first = calls.unresolved if kind == UNRESOLVED else calls.first[kind]
                names[token] = first + before
        return names

    def _live(self, table: Table) -> Iterator[tuple[_Home, int]]:
        """The members of variables that may still be read, by bank."""
        outside, inside = self.references.alive.now(table.node, table.stack, table.in_trigger)
        for home in self._homes:
            if home.slot.variable.phase is None or self._lone(home.slot.variable):
                mask = outside | inside
            else:
                mask = inside if home.inside else outside
            mask >>= home.live
            for member in range(home.slot.variable.size):
                if mask >> member & 1:
                    yield home, member

    def _lone(self, variable: Variable) -> bool:
        """Whether a variable has the same slots inside and outside triggers."""
        return not self.statics.slots[variable].shift

    def _write_control(self, table: Table, atoms: list[int]) -> None:
        control = self.layout.control
        self._put(atoms, control.node, table.node)
        self._put(atoms, control.depth, len(table.stack))
        for position, entry in enumerate(table.stack):
            if control.stack is None or position >= self.layout.fields[control.stack].count:
                raise Unpackable("the stack is higher than calls can make it")
            number = RESUME - 1 - entry if entry < 0 else entry
            atoms[self.layout.fields[control.stack].start + position] = number
        self._put(atoms, control.fired, table.fired)
        self._put(atoms, control.held, table.held)
        self._put(atoms, control.in_trigger, int(table.in_trigger))

    def _put(self, atoms: list[int], number: int | None, value: int) -> None:
        if number is not None:
            atoms[self.layout.fields[number].start] = value
        elif value:
            raise Unpackable("a trigger or a call where there are none")

    def _write_knowledge(self, table: Table, atoms: list[int]) -> None:
        self._check_knowledge(table)
        for sight in self.layout.sights:
            run = self.layout.rows[sight.rows]
            mask = position = 0
            for place in run.places:
                for token in table.cells[place]:
                    for at, (observer, looked) in enumerate(_watchers(sight)):
                        seen = (table.looked if looked else table.knows)[token] >> observer & 1
                        mask |= seen << at * run.capacity + position
                    position += 1
            write_bits(atoms, self.layout.fields[sight.field].start, mask)
        unwritten = dict(table.facts)
        for fact in self.layout.facts:
            counts = unwritten.pop((fact.observer, fact.place), None)
            if counts is not None:
                write_counts(atoms, self.layout.fields, fact.contents, counts)
        for (observer, place), counts in unwritten.items():
            if any(counts):
                label = self.statics.graph.places[place].label
                raise Unpackable(f"observer {observer} knows of {label} what nobody can")

    def _check_knowledge(self, table: Table) -> None:
        for token, place in enumerate(table.place):
            looked = table.looked[token] & ~self._looked[place]
            knows = table.knows[token] & ~self._knows[place]
            if looked or knows:
                label = self.statics.graph.places[place].label
                raise Unpackable(f"somebody has seen a card of {label} that nobody can have")

    # ---- from bytes

    def unpack(self, data: bytes) -> Table:
        """The table with these bytes, its tokens numbered in the order of the layout."""
        atoms = list(self._struct.unpack(data))
        table = self._bare(atoms)
        lying = _Lying(self.statics, table)
        for at, bag in enumerate(self.layout.bags):
            self._read_bag(atoms, lying, bag)
            if at + 1 == len(self.layout.bags) or self.layout.bags[at + 1].place != bag.place:
                for part in self.layout.unresolved:
                    if part.place == bag.place:
                        self._read_unresolved(atoms, lying, part)
        for run in self.layout.rows:
            self._read_run(atoms, lying, run)
        for board in self.layout.boards:
            self._read_board(atoms, lying, board)
        for pool in self.layout.pools:
            counts = read_counts(atoms, self.layout.fields, pool.contents)
            if any(counts):
                table.pools[pool.place] = counts
        self._read_values(atoms, table)
        self._read_knowledge(atoms, table)
        return table

    def _bare(self, atoms: list[int]) -> Table:
        """A table with nothing on it yet: places, values and knowledge are still to be read."""
        control = self.layout.control
        tokens = self.statics.tokens
        entries = () if control.stack is None else self._atoms(atoms, control.stack)
        stack = [
            RESUME - 1 - entry if entry >= RESUME else entry
            for entry in entries[: self._get(atoms, control.depth)]
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

    def _atoms(self, atoms: list[int], number: int) -> list[int]:
        entry = self.layout.fields[number]
        return atoms[entry.start : entry.start + entry.count]

    def _get(self, atoms: list[int], number: int | None) -> int:
        return 0 if number is None else atoms[self.layout.fields[number].start]

    def _read_bag(self, atoms: list[int], lying: "_Lying", bag: Bag) -> None:
        flags = self._flag_mask(bag.flags)
        counts = read_counts(atoms, self.layout.fields, bag.contents)
        for kind, count in enumerate(counts):
            for _ in range(count):
                cell = Cell(kind, None, bag.face, flags)
                lying.lay(bag.token_class, bag.place, cell)

    def _read_unresolved(self, atoms: list[int], lying: "_Lying", part: Unresolved) -> None:
        flags = self._flag_mask(part.flags)
        for _ in range(self._get(atoms, part.field)):
            cell = Cell(None, part.pool, False, flags)
            lying.lay(part.token_class, part.place, cell)

    def _read_run(self, atoms: list[int], lying: "_Lying", run: Rows) -> None:
        cells = self._atoms(atoms, run.cells)
        ends = [int(cells[0] > 0)] if run.ends is None else self._atoms(atoms, run.ends)
        position = 0
        for place, end in zip(run.places, ends, strict=True):
            while position < end:
                cell = read_cell(run.code, cells[position])
                flags = self._flag_mask(
                    tuple(n for at, n in enumerate(run.code.flags) if cell.flags >> at & 1)
                )
                whole = Cell(cell.kind, cell.pool, cell.face, flags)
                lying.lay(run.token_class, place, whole)
                position += 1

    def _read_board(self, atoms: list[int], lying: "_Lying", board: Board) -> None:
        face = self.statics.graph.places[board.places[0]].face_up
        for place, bit in zip(board.places, board.bits, strict=True):
            for kind, number in enumerate(board.fields):
                if self._get(atoms, number) >> bit & 1:
                    cell = Cell(kind, None, face, 0)
                    lying.lay(board.token_class, place, cell)

    def _read_values(self, atoms: list[int], table: Table) -> None:
        called = {
            (self.statics.token_class[token], name): token
            for token, name in self._names(table, {}).items()
        }

        def token_of(token_class: str, name: int) -> int:
            return called[self._class(token_class), name]

        for home, member in self._live(table):
            start = home.start + member * home.step
            take = iter(atoms[start : start + home.step])
            table.values[home.first + member] = read_value(home.slot.codec, take, token_of)

    def _read_knowledge(self, atoms: list[int], table: Table) -> None:
        for sight in self.layout.sights:
            run = self.layout.rows[sight.rows]
            mask = read_bits(atoms, self.layout.fields[sight.field])
            position = 0
            for place in run.places:
                for token in table.cells[place]:
                    for at, (observer, looked) in enumerate(_watchers(sight)):
                        seen = mask >> at * run.capacity + position & 1
                        (table.looked if looked else table.knows)[token] |= seen << observer
                    position += 1
        for fact in self.layout.facts:
            counts = read_counts(atoms, self.layout.fields, fact.contents)
            if any(counts):
                table.facts[fact.observer, fact.place] = counts


def _watchers(sight: Sight) -> Iterator[tuple[int, bool]]:
    """Observers in the order of their bits, and whether it is about having looked."""
    yield from ((observer, True) for observer in sight.looked)
    yield from ((observer, False) for observer in sight.knows)


@define(eq=False)
class _Lying:
    """Lays tokens on a bare table, handing out the handles of each class in order."""

    statics: Statics
    table: Table
    _next: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._next = [tokens.start for tokens in self.statics.class_tokens]

    def lay(self, token_class: str, place: int, cell: Cell) -> None:
        """Lays the next token of a class into a place, behind what lies there."""
        index = self.statics.class_index[token_class]
        token = self._next[index]
        self._next[index] += 1
        table = self.table
        table.place[token] = place
        table.cells[place].append(token)
        table.face[token] = cell.face
        table.flags[token] = cell.flags
        if cell.pool is not None:
            table.pool[token] = cell.pool
        elif cell.kind is not None:
            table.kind[token] = cell.kind
