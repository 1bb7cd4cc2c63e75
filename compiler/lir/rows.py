"""Piles, lists and single cells: tokens in an order, a number for each.

A cell is 0, or 1 + kind, or a number behind all kinds for a card of a pool that nobody has seen.
"""

from itertools import pairwise

from attrs import define, frozen

from compiler.graph.core import Graph, Place, Shape
from compiler.graph.parts import Pool, Rows
from compiler.lir.build import (
    NO,
    add,
    binary,
    bit_count,
    compare,
    equal,
    num,
    single,
    sub,
    total,
)
from compiler.lir.core import Break, Expr, If, Local, Loop, Op, Set, Stmt
from compiler.lir.image import Image
from compiler.lir.reps import Bits, InRow, Known, Num, Rep, Token, Universe, Unsupported
from compiler.lir.scalars import scalar
from compiler.lir.selection import member
from compiler.lir.writer import Writer

_WRITTEN_OUT = 12
"""Cells up to which a row is moved by single assignments."""


@frozen
class Row:
    """One ordered place that has a run of cells to itself."""

    place: Place
    rows: Rows


@define(eq=False)
class RowImage:
    """Reads and writes ordered places of a state."""

    image: Image

    @property
    def graph(self) -> Graph:
        """The graph whose places these are."""
        return self.image.layout.graph

    def row(self, place: int) -> Row:
        """The row of a place; `Unsupported` where several share their cells or tokens turn."""
        rows = self.image.rows[place]
        if len(rows.places) > 1:
            raise Unsupported("rows that share their cells")
        if rows.code.face_bits or rows.code.flags:
            raise Unsupported("rows whose tokens turn or carry flags")
        return Row(self.graph.places[place], rows)

    # ---- reading

    def length(self, row: Row) -> Expr:
        """How many tokens there are."""
        if row.rows.ends is None:
            return compare(Op.NE, self.cell(row, num(0)), num(0))
        return self.image.load(row.rows.ends)

    def cell(self, row: Row, at: Expr) -> Expr:
        """The number in a cell."""
        return self.image.load(row.rows.cells, at)

    def first(self, row: Row) -> Token:
        """The top of a pile, the first of a list, the token of a single cell."""
        number = self.cell(row, num(0))
        there = compare(Op.NE, number, num(0))
        kinds = row.rows.code.kinds
        hidden = bool(row.rows.code.pools)
        kind = Num(sub(number, num(1)), 0, kinds - 1 + len(row.rows.code.pools))
        return Token(
            row.rows.token_class,
            kind if kinds > 1 or hidden else Known(0),
            Known(row.place.index),
            InRow(row.rows, num(0)),
            there,
        )

    # ---- writing

    def take_first(self, writer: Writer, row: Row) -> None:
        """Removes the first token."""
        cells = row.rows.cells
        if row.rows.ends is None:
            writer.put(self.image.store(cells, num(0)))
            return
        writer.put(self.image.store(row.rows.ends, sub(self.length(row), num(1))))
        last = row.rows.capacity - 1
        if row.rows.capacity <= _WRITTEN_OUT:
            for at in range(last):
                writer.put(self.image.store(cells, self.cell(row, num(at + 1)), num(at)))
        else:
            here = Local(writer.names.fresh("at"))
            name = writer.names.fresh("up")
            move = self.image.store(cells, self.cell(row, add(here, num(1))), here)
            end = If(compare(Op.GE, here, self.length(row)), (Break(name),))
            writer.put(Set(here, num(0)), Loop(name, (end, move, Set(here, add(here, num(1))))))
            writer.put(self.image.store(cells, num(0), self.length(row)))
            return
        writer.put(self.image.store(cells, num(0), num(last)))

    def put_single(self, writer: Writer, row: Row, kind: Rep) -> Expr:
        """Lays a token into a single cell; whether the cell was taken."""
        if row.place.shape is not Shape.ONE:
            raise Unsupported("tokens that are put into rows")
        number = add(scalar(kind).expr, num(1))
        taken = writer.keep(compare(Op.NE, self.cell(row, num(0)), num(0)), "is_")
        writer.put(self.image.store(row.rows.cells, number))
        return taken

    # ---- hidden cards

    def pool(self, rows: Rows) -> Pool:
        """The pool of the hidden cards of a row, which must be all that lie anywhere."""
        if len(rows.code.pools) != 1:
            raise Unsupported("cards of several pools in a row")
        index = rows.code.pools[0]
        if rows.places != (index,):
            raise Unsupported("cards that lie unseen elsewhere than in their pile")
        others = [other for other in self.image.layout.rows if other is not rows]
        elsewhere = [*(pool for other in others for pool in other.code.pools)]
        elsewhere += [part.pool for part in self.image.layout.unresolved]
        if index in elsewhere:
            raise Unsupported("cards that lie unseen elsewhere than in their pile")
        return next(pool for pool in self.image.layout.pools if pool.place == index)

    def is_hidden(self, token: Token) -> Expr:
        """Whether a token of a row is a card nobody has seen."""
        if not isinstance(token.source, InRow) or not token.source.rows.code.pools:
            return NO
        return compare(Op.GE, scalar(token.kind).expr, num(token.source.rows.code.kinds))


@define(eq=False)
class Resolution:
    """What a card nobody has seen may be: drawn from its pool."""

    image: Image
    pool: Pool
    counts: dict[int, Expr]

    @classmethod
    def of(cls, image: Image, writer: Writer, pool: Pool) -> "Resolution":
        """Reads the pool."""
        class_ = image.layout.graph.token_class(pool.token_class)
        if class_.sticky_flags:
            raise Unsupported("shuffled cards that carry flags")
        counts = image.counts(pool.contents)
        return cls(image, pool, {sort: writer.keep(count) for sort, count in counts.items()})

    @property
    def total(self) -> Expr:
        """How many cards the pool has."""
        plane = self._plane()
        return total(list(self.counts.values())) if plane is None else bit_count(plane)

    @property
    def kinds(self) -> Expr:
        """How many different ones."""
        plane = self._plane()
        if plane is not None:
            return bit_count(plane)
        return total([compare(Op.GT, count, num(0)) for count in self.counts.values()])

    def _plane(self) -> Expr | None:
        """The mask of kinds, where each is there at most once."""
        planes = self.pool.contents.planes
        if len(planes) != 1:
            return None
        if planes[0].sorts != tuple(range(len(planes[0].sorts))) or len(planes[0].sorts) > 64:
            return None
        return self.image.load(planes[0].field, as_mask=True)

    def kind(self, writer: Writer, number: Expr) -> Num:
        """The kind for a number drawn below `total`."""
        plane = self._plane()
        sorts = self.pool.contents.sorts
        if plane is not None and sorts == tuple(range(len(sorts))):
            chosen = Bits(writer.keep(plane, "m"), Universe.of(sorts))
            found = scalar(member(writer, self.image.tables, chosen, number))
            return Num(found.expr, 0, sorts[-1])
        rank: Expr = num(sorts[0])
        passed: Expr = num(0)
        for sort, after in pairwise(sorts):
            passed = writer.keep(add(passed, self.counts[sort]))
            step = binary(Op.MUL, compare(Op.GE, number, passed), num(after - sort))
            rank = add(rank, step)
        return Num(writer.keep(rank), sorts[0], sorts[-1])

    def settle(self, kind: Expr) -> list[Stmt]:
        """Takes a kind out of the pool."""
        plane = self._plane()
        if plane is not None:
            gone = single(kind)
            field = self.pool.contents.planes[0].field
            return [self.image.store(field, binary(Op.XOR, plane, gone))]
        found: list[Stmt] = []
        for sort, count in self.counts.items():
            changed = tuple(self.image.change(self.pool.contents, sort, count, -1))
            found.append(If(equal(kind, num(sort)), changed))
        return found
