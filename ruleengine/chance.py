"""Chance: which results there are, how likely each is, and what it does to the table.

Hidden tokens get their kind late: when somebody first sees them or a rule first reads them.  Until
then their pool knows how many of each sort they have between them, and every way of handing these
out is equally likely.  Odds are whole numbers out of a total.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import product
from math import comb, prod

from attrs import define, field, frozen

from compiler.graph.core import Shape, Value
from ruleengine.errors import Fault
from ruleengine.statics import BOX, Statics
from ruleengine.stops import Die, Listed, Outcome
from ruleengine.table import NO_POOL, UNRESOLVED, Table

# ---- hidden tokens


@define(eq=False)
class Pools:
    """Settles what hidden tokens are, for one graph."""

    statics: Statics
    _labels: dict[tuple[int, int], str] = field(factory=dict)

    def odds(self, table: Table, token: int) -> Listed:
        """Which sorts an unresolved token may be."""
        pool = table.pool[token]
        return Listed(
            tuple(
                Outcome(self.sort_label(pool, sort), sort, count, table.node, token)
                for sort, count in enumerate(table.pools[pool])
                if count
            )
        )

    def sort_label(self, pool: int, sort: int) -> str:
        """A sort as people write it: the kind's word, then the sticky flags it carries."""
        found = self._labels.get((pool, sort))
        if found is None:
            found = self._labels[pool, sort] = self._spelled(pool, sort)
        return found

    def _spelled(self, pool: int, sort: int) -> str:
        class_ = self.statics.graph.classes[self.statics.pool_class(pool)]
        bits = len(class_.sticky_flags)
        carried = [name for at, name in enumerate(class_.sticky_flags) if sort >> at & 1]
        return " ".join((class_.kinds[sort >> bits].word, *carried))

    def resolve(self, table: Table, token: int, sort: int) -> None:
        """Makes an unresolved token one of a sort that its pool still has."""
        pool = table.pool[token]
        self._take(table, token, sort)
        self.settle(table, pool)

    def _take(self, table: Table, token: int, sort: int) -> None:
        pool = table.pool[token]
        counts = table.pools.get(pool)
        if counts is None or not 0 <= sort < len(counts) or not counts[sort]:
            raise Fault("chance cannot give a hidden token a kind that none of them is")
        counts[sort] -= 1
        if not any(counts):
            del table.pools[pool]
        self.statics.give_sort(table, token, sort)
        table.pool[token] = NO_POOL

    def settle(self, table: Table, pool: int) -> None:
        """If a pool has one sort left, its tokens outside their pile are of that sort."""
        counts = table.pools.get(pool)
        if counts is None:
            return
        left = [sort for sort, count in enumerate(counts) if count]
        if len(left) == 1:
            for token in self.strays(table, pool):
                self._take(table, token, left[0])

    def strays(self, table: Table, pool: int) -> list[int]:
        """The unresolved tokens of a pool that lie elsewhere than in the place it is named for."""
        tokens = self.statics.class_tokens[self.statics.pool_class(pool)]
        return [token for token in tokens if table.pool[token] == pool != table.place[token]]

    # ---- flags that are part of a face

    def covered(self, table: Table, hidden: Collection[int]) -> tuple[list[int], list[int]]:
        """The pools all of whose tokens are among `hidden` ones, and the tokens of the others."""
        inside = Counter(table.pool[token] for token in hidden)
        whole = [pool for pool, count in inside.items() if count == sum(table.pools[pool])]
        return sorted(whole), [token for token in hidden if table.pool[token] not in whole]

    def flag(self, table: Table, pool: int, bit: int, on: bool) -> None:
        """Sets a sticky flag on all tokens of a pool, or takes it off: sorts become one."""
        counts = table.pools[pool]
        part = 1 << self.statics.sticky_bits[self.statics.pool_class(pool)].index(bit)
        for sort, count in enumerate(counts):
            if bool(sort & part) is not on:
                counts[sort ^ part] += count
                counts[sort] = 0
        self.settle(table, pool)

    # ---- shuffling

    def before_shuffle(self, table: Table, place: int) -> list[int]:
        """The tokens to be resolved before a place can be shuffled: those a pool cannot follow."""
        if self._is_shuffled(table, place):
            return []
        found = self.strays(table, place)
        inside = table.cells[place]
        for pool in {table.pool[token] for token in inside} - {NO_POOL, place}:
            here = [token for token in inside if table.pool[token] == pool]
            if len(here) < sum(table.pools[pool]):
                found += here
        return found

    def _is_shuffled(self, table: Table, place: int) -> bool:
        """Whether nothing is known of the order: all one pool, or no order at all."""
        if self.statics.graph.places[place].shape not in (Shape.LIST, Shape.PILE):
            return True
        pools = {table.pool[token] for token in table.cells[place]}
        return not pools or (len(pools) == 1 and NO_POOL not in pools)

    def shuffle(self, table: Table, place: int) -> None:
        """Pours a place into its own pool; what had to be resolved before has been."""
        if self._is_shuffled(table, place):
            return
        if place == BOX:
            raise Fault("the box cannot be shuffled")
        counts = [0] * self.statics.sorts(self.statics.pool_class(place))
        for sort, count in enumerate(table.pools.pop(place, ())):
            counts[sort] += count
        for token in table.cells[place]:
            pool = table.pool[token]
            if pool == NO_POOL:
                counts[self.statics.sort(table, token)] += 1
            elif pool in table.pools:
                for sort, count in enumerate(table.pools.pop(pool)):
                    counts[sort] += count
            self._hide(table, token, place)
        table.pools[place] = counts

    def _hide(self, table: Table, token: int, pool: int) -> None:
        table.kind[token] = UNRESOLVED
        table.pool[token] = pool
        table.flags[token] &= ~self.statics.sticky[self.statics.token_class[token]]

    def check_alike(self, table: Table, place: int) -> None:
        """Cards to be shuffled must lie alike, or their order could be followed."""
        looks = {
            (table.face[token], self.statics.open_flags(table, token))
            for token in table.cells[place]
        }
        if len(looks) > 1:
            raise Fault("cards that lie differently, or carry different flags, cannot be shuffled")


# ---- dice


def die(faces: tuple[Value, ...], labels: tuple[str, ...]) -> Die:
    """A die with these equally likely faces; equal ones are one result."""
    kept = tuple(dict.fromkeys(faces))
    return Die(
        kept,
        tuple(faces.count(face) for face in kept),
        tuple(labels[faces.index(face)] for face in kept),
    )


# ---- blind takes


@frozen
class Heap:
    """Tokens that somebody cannot tell apart: what there is of each content, and how many he takes.

    `contents` lists handles by content, in canonical order; `positions` are the taken ones' places
    in the list that is to be settled.
    """

    contents: tuple[tuple[int, ...], ...]
    positions: tuple[int, ...]


def takes(heap: Heap, in_order: bool) -> Iterator[tuple[tuple[int, ...], int]]:
    """What may have been taken from a heap, with weights: as a sequence, or as a set.

    The tokens come in the order of `positions`; of equal contents the first are taken.
    """
    sizes = [len(tokens) for tokens in heap.contents]
    count = len(heap.positions)
    if in_order:
        for kinds in product(range(len(sizes)), repeat=count):
            weight = 1
            tokens = []
            for at, kind in enumerate(kinds):
                taken = kinds[:at].count(kind)
                weight *= sizes[kind] - taken
                if weight:
                    tokens.append(heap.contents[kind][taken])
            if weight:
                yield tuple(tokens), weight
        return
    for numbers in _splits(sizes, count):
        tokens = []
        for kind, number in enumerate(numbers):
            tokens += heap.contents[kind][:number]
        yield tuple(tokens), prod(comb(a, b) for a, b in zip(sizes, numbers, strict=True))


def _splits(sizes: list[int], count: int) -> Iterator[tuple[int, ...]]:
    """Ways to take `count` in all, most of the first contents first."""
    if not sizes:
        if count == 0:
            yield ()
        return
    for number in range(min(sizes[0], count), -1, -1):
        for rest in _splits(sizes[1:], count - number):
            yield (number, *rest)


def settled_values(
    value: Value, heaps: tuple[Heap, ...], in_order: bool
) -> Iterator[tuple[Value, int]]:
    """All values that a blind take may turn out to be, with weights."""
    for taken in product(*(tuple(takes(heap, in_order)) for heap in heaps)):
        weight = prod(odds for _, odds in taken)
        tokens = list(value) if isinstance(value, tuple) else [value]
        for heap, (found, _) in zip(heaps, taken, strict=True):
            for position, token in zip(heap.positions, found, strict=True):
                tokens[position] = token
        yield tuple(tokens) if isinstance(value, tuple) else tokens[0], weight
