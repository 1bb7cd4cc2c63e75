"""What lies where, in atoms: sets, rows, boards and pools."""

from collections.abc import Sequence

from attrs import define

from compiler.graph.layout import Layout
from compiler.graph.parts import Board, Rows
from ruleengine.spelling import Cells, Heap, Look, Unpackable
from ruleengine.statics import Statics
from ruleengine.table import NO_POOL, UNRESOLVED, Table


@define(eq=False)
class _Set:
    """One place without order: a heap for each class, face and set of flags.

    Cards without a kind are counted in an atom for each pool and set of flags.
    """

    place: int
    heaps: dict[tuple[int, bool, int], Heap]
    unresolved: dict[tuple[int, int], int]
    pool_class: dict[int, int]


@define(eq=False)
class _Run:
    """Places that share a run of cells; `ends` is the first of their atoms, if there are any."""

    places: tuple[int, ...]
    token_class: int
    ends: int | None
    start: int
    capacity: int
    cells: Cells


@define(eq=False)
class _Board:
    """A board of single tokens: its squares with their bits, and an atom for each kind."""

    token_class: int
    face: bool
    squares: tuple[tuple[int, int], ...]
    by_bit: dict[int, int]
    atoms: tuple[int, ...]


@define(eq=False)
class TokenPacking:
    """Writes and reads where tokens lie, and what pools have."""

    _labels: tuple[str, ...]
    _class_of: tuple[int, ...]  # per token
    _first: tuple[int, ...]  # per class: its first token
    _sets: tuple[_Set, ...]
    _runs: tuple[_Run, ...]
    _boards: tuple[_Board, ...]
    _pools: dict[int, Heap]

    @classmethod
    def of(cls, plan: Layout, statics: Statics) -> "TokenPacking":
        """That of a layout."""
        return cls(
            tuple(place.label for place in statics.graph.places),
            statics.token_class,
            tuple(tokens.start for tokens in statics.class_tokens),
            tuple(
                _set_of(place, plan, statics)
                for place in dict.fromkeys(bag.place for bag in plan.bags)
            ),
            tuple(_run_of(run, plan, statics) for run in plan.rows),
            tuple(_board_of(board, plan, statics) for board in plan.boards),
            {pool.place: Heap.of(pool.contents, plan.fields) for pool in plan.pools},
        )

    # ---- writing

    def write(self, table: Table, atoms: list[int]) -> None:
        """Writes all tokens and pools; `Unpackable` where one lies as none can."""
        for set_ in self._sets:
            self._write_set(table, atoms, set_)
        for run in self._runs:
            self._write_run(table, atoms, run)
        for board in self._boards:
            for place, bit in board.squares:
                for token in table.cells[place]:
                    atoms[board.atoms[table.kind[token]]] |= bit
        for place, counts in table.pools.items():
            heap = self._pools.get(place)
            if heap is not None:
                heap.write(atoms, counts)
            elif any(counts):
                raise Unpackable(f"{self._labels[place]} has a pool, but nothing shuffles it")

    def _write_set(self, table: Table, atoms: list[int], set_: _Set) -> None:
        kind, face, flags, class_of = table.kind, table.face, table.flags, self._class_of
        for token in table.cells[set_.place]:
            sort = kind[token]
            if sort == UNRESOLVED:
                atom = set_.unresolved.get((table.pool[token], flags[token]))
                if atom is None or face[token]:
                    raise self._misplaced(set_.place)
                atoms[atom] += 1
                continue
            heap = set_.heaps.get((class_of[token], face[token], flags[token]))
            if heap is None:
                raise self._misplaced(set_.place)
            heap.add(atoms, sort)

    def _misplaced(self, place: int) -> Unpackable:
        return Unpackable(f"a token lies in {self._labels[place]} as none can")

    def _write_run(self, table: Table, atoms: list[int], run: _Run) -> None:
        kind, pool, face, flags = table.kind, table.pool, table.face, table.flags
        at, end = run.start, run.start + run.capacity
        number = run.cells.number
        for position, place in enumerate(run.places):
            for token in table.cells[place]:
                if at == end:
                    raise Unpackable(f"{self._labels[place]} is overfull")
                atoms[at] = number((kind[token], pool[token], face[token], flags[token]))
                at += 1
            if run.ends is not None:
                atoms[run.ends + position] = at - run.start

    # ---- reading

    def read(self, atoms: Sequence[int], table: Table) -> None:
        """Lays all tokens on a bare table, handing out the handles of each class in order."""
        following = list(self._first)
        for set_ in self._sets:
            self._read_set(atoms, table, following, set_)
        for run in self._runs:
            self._read_run(atoms, table, following, run)
        for board in self._boards:
            for kind, atom in enumerate(board.atoms):
                mask = atoms[atom]
                while mask:
                    lowest = mask & -mask
                    look = (kind, NO_POOL, board.face, 0)
                    _lay(table, following, board.token_class, board.by_bit[lowest], look)
                    mask ^= lowest
        for place, heap in self._pools.items():
            counts = heap.read(atoms)
            if counts is not None:
                table.pools[place] = counts

    def _read_set(
        self, atoms: Sequence[int], table: Table, following: list[int], set_: _Set
    ) -> None:
        for (class_index, face, flags), heap in set_.heaps.items():
            for kind in heap.each(atoms):
                _lay(table, following, class_index, set_.place, (kind, NO_POOL, face, flags))
        for (pool, flags), atom in set_.unresolved.items():
            for _ in range(atoms[atom]):
                look = (UNRESOLVED, pool, False, flags)
                _lay(table, following, set_.pool_class[pool], set_.place, look)

    def _read_run(
        self, atoms: Sequence[int], table: Table, following: list[int], run: _Run
    ) -> None:
        at = run.start
        for position, place in enumerate(run.places):
            if run.ends is None:
                end = at + (atoms[at] > 0)
            else:
                end = run.start + atoms[run.ends + position]
            while at < end:
                _lay(table, following, run.token_class, place, run.cells.look(atoms[at]))
                at += 1


def _lay(table: Table, following: list[int], class_index: int, place: int, look: Look) -> None:
    """Lays the next token of a class into a place, behind what lies there."""
    token = following[class_index]
    following[class_index] = token + 1
    table.place[token] = place
    table.cells[place].append(token)
    table.kind[token], table.pool[token], table.face[token], table.flags[token] = look


# ---- from the layout


def _mask(names: tuple[str, ...], statics: Statics) -> int:
    return sum(1 << statics.flag_bits[name] for name in names)


def _set_of(place: int, plan: Layout, statics: Statics) -> _Set:
    bags = [bag for bag in plan.bags if bag.place == place]
    counted = [part for part in plan.unresolved if part.place == place]
    return _Set(
        place,
        {
            (statics.class_index[bag.token_class], bag.face, _mask(bag.flags, statics)): Heap.of(
                bag.contents, plan.fields
            )
            for bag in bags
        },
        {
            (part.pool, _mask(part.flags, statics)): plan.fields[part.field].start
            for part in counted
        },
        {part.pool: statics.class_index[part.token_class] for part in counted},
    )


def _run_of(run: Rows, plan: Layout, statics: Statics) -> _Run:
    return _Run(
        run.places,
        statics.class_index[run.token_class],
        None if run.ends is None else plan.fields[run.ends].start,
        plan.fields[run.cells].start,
        run.capacity,
        Cells(run.code, tuple(statics.flag_bits[name] for name in run.code.flags)),
    )


def _board_of(board: Board, plan: Layout, statics: Statics) -> _Board:
    return _Board(
        statics.class_index[board.token_class],
        statics.graph.places[board.places[0]].face_up,
        tuple((place, 1 << bit) for bit, place in enumerate(board.places)),
        {1 << bit: place for bit, place in enumerate(board.places)},
        tuple(plan.fields[number].start for number in board.fields),
    )
