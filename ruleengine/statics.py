"""What a graph fixes once for all tables: token handles, flag bits, slots of values, sorts.

Token handles run class by class, kind by kind, copy by copy.  Slots of `Table.values` run over the
game's variables, then the locals of all phases; locals of phases that can run inside a trigger and
outside have a second bank behind everything, `bank_shift` further on, used while a trigger runs.
Observers are the seats, then the public.
"""

from itertools import product

from attrs import field, frozen

from compiler.graph import numbering
from compiler.graph.core import Graph, Value, Variable
from ruleengine.table import NO_POOL, UNRESOLVED, Table

BOX = 0


@frozen(eq=False)
class Slots:
    """Where the slots of one variable are: `first + shift if in_trigger else first`, and on.

    A family's slot is the sum of `strides[i] * positions[i][key]`.
    """

    variable: Variable
    first: int
    shift: int
    strides: tuple[int, ...]
    positions: tuple[dict[Value, int], ...]

    def at(self, keys: tuple[Value, ...], in_trigger: bool) -> int | None:
        """The slot for these keys, `None` if the family has no such member."""
        slot = self.first + self.shift if in_trigger else self.first
        for stride, positions, key in zip(self.strides, self.positions, keys, strict=True):
            position = positions.get(key)
            if position is None:
                return None
            slot += stride * position
        return slot

    def banks(self) -> tuple[int, ...]:
        """The first slot of each bank."""
        return (self.first, self.first + self.shift) if self.shift else (self.first,)


@frozen(eq=False)
class Statics:
    """The derived numbers of one graph; see `statics_of`."""

    graph: Graph
    token_class: tuple[int, ...]  # position in `Graph.classes`, per token
    first_kind: tuple[int, ...]  # kind at the start, per token
    class_tokens: tuple[range, ...]  # handles of each class
    class_index: dict[str, int]
    flag_bits: dict[str, int]  # name of a flag -> number of its bit in `Table.flags`
    sticky: tuple[int, ...]  # per class: mask of the flags that stay when a token moves
    sticky_bits: tuple[tuple[int, ...], ...]  # per class: the same, as bit numbers as declared
    variables: tuple[Variable, ...]  # in the order of their slots in the first bank
    slots: dict[Variable, Slots]
    size: int  # the number of slots, both banks
    bank_shift: int
    banked: frozenset[str]  # phases whose locals have a second bank
    key_tuples: dict[Variable, tuple[tuple[Value, ...], ...]] = field(repr=False)

    @property
    def tokens(self) -> int:
        """The number of tokens."""
        return len(self.token_class)

    @property
    def public(self) -> int:
        """The number of the observer who sees what everybody sees."""
        return self.graph.seats

    @property
    def everyone(self) -> int:
        """The mask of all seats."""
        return (1 << self.graph.seats) - 1

    def offset(self, variable: Variable) -> int:
        """The first slot of a variable, in the first bank."""
        return self.slots[variable].first

    # ---- sorts: kinds with their sticky flags

    def sorts(self, class_index: int) -> int:
        """How many sorts a class has: its kinds, times two for every sticky flag."""
        return len(self.graph.classes[class_index].kinds) << len(self.sticky_bits[class_index])

    def sort(self, table: Table, token: int) -> int:
        """What a resolved token looks like from the front: its kind and its sticky flags.

        `kind * 2**s` plus, for the class's `s` sticky flags in the order declared, bit 0 up.
        """
        class_index = self.token_class[token]
        bits = self.sticky_bits[class_index]
        value = table.kind[token] << len(bits)
        flags = table.flags[token]
        for position, bit in enumerate(bits):
            value |= (flags >> bit & 1) << position
        return value

    def give_sort(self, table: Table, token: int, sort: int) -> None:
        """Makes a token one of that sort; its other flags stay."""
        class_index = self.token_class[token]
        bits = self.sticky_bits[class_index]
        table.kind[token] = sort >> len(bits)
        flags = table.flags[token] & ~self.sticky[class_index]
        for position, bit in enumerate(bits):
            flags |= (sort >> position & 1) << bit
        table.flags[token] = flags

    def open_flags(self, table: Table, token: int) -> int:
        """The flags that show on a token whichever way it lies: all but the sticky ones."""
        return table.flags[token] & ~self.sticky[self.token_class[token]]

    def pool_class(self, pool: int) -> int:
        """The class of the tokens of a pool, by position in `Graph.classes`."""
        name = self.graph.places[pool].token_class
        if name is None:
            raise ValueError("the box is no pool")
        return self.class_index[name]

    def new_table(self, node: int | None = None) -> Table:
        """A table with all tokens face up in the box, and every variable as before play."""
        values: list[Value] = [None] * self.size
        for variable, slots in self.slots.items():
            for first in slots.banks():
                for slot in range(first, first + variable.size):
                    values[slot] = variable.initial
        cells: list[list[int]] = [[] for _ in self.graph.places]
        cells[BOX] = list(range(self.tokens))
        return Table(
            kind=list(self.first_kind),
            pool=[NO_POOL] * self.tokens,
            place=[BOX] * self.tokens,
            face=[True] * self.tokens,
            flags=[0] * self.tokens,
            looked=[0] * self.tokens,
            knows=[0] * self.tokens,
            cells=cells,
            pools={},
            facts={},
            values=values,
            node=self.graph.start if node is None else node,
        )


def statics_of(graph: Graph) -> Statics:
    """The numbers of a graph."""
    token_class, first_kind, class_tokens = numbering.token_numbers(graph.classes)
    flag_bits = numbering.flag_bits(graph)
    sticky_bits = tuple(
        tuple(flag_bits[name] for name in class_.sticky_flags) for class_ in graph.classes
    )
    banked = numbering.banked_phases(graph)
    single, double = numbering.variables_in_order(graph, banked)
    slots, first = {}, 0
    shift = sum(variable.size for variable in double)
    for variable in single + double:
        slots[variable] = _slots(variable, first, shift if variable in double else 0)
        first += variable.size
    return Statics(
        graph=graph,
        token_class=token_class,
        first_kind=first_kind,
        class_tokens=class_tokens,
        class_index={class_.name: index for index, class_ in enumerate(graph.classes)},
        flag_bits=flag_bits,
        sticky=tuple(sum(1 << bit for bit in bits) for bits in sticky_bits),
        sticky_bits=sticky_bits,
        variables=(*single, *double),
        slots=slots,
        size=first + shift,
        bank_shift=shift,
        banked=banked,
        key_tuples={variable: tuple(product(*variable.keys)) for variable in slots},
    )


def is_unresolved(table: Table, token: int) -> bool:
    """Whether nobody, not even the table, knows a token's kind yet."""
    return table.kind[token] == UNRESOLVED


def _slots(variable: Variable, first: int, shift: int) -> Slots:
    strides = []
    stride = 1
    for keys in reversed(variable.keys):
        strides.append(stride)
        stride *= len(keys)
    positions = tuple({key: at for at, key in enumerate(keys)} for keys in variable.keys)
    return Slots(variable, first, shift, tuple(reversed(strides)), positions)
