"""Where the table of a game lies in memory: tokens, places, pools, variables, control.

Everything is numbers of four bytes.  What is in `table` begins a game and is copied there from an
image; behind it lies what a step needs for itself.  Token handles, flag bits and slots of variables
are numbered as the interpreter numbers them, so that a table can be carried over and back.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

from attrs import define, field, frozen

from compiler.analysis.liveness import Liveness
from compiler.graph import numbering
from compiler.graph.core import Apply, Const, Graph, Place, Shape, Term, Value, Variable
from compiler.graph.layout import Layout
from compiler.lir.core import Data
from compiler.lir.reps import NONE, Unsupported
from compiler.lir.stepwise.code import WIDTH
from compiler.ops import lists
from compiler.ops.row import Lookup
from compiler.types import (
    Bool,
    Enum,
    Int,
    ListOf,
    Nothing,
    Optional,
    PlaceOf,
    Player,
    SetOf,
    Square,
    Token,
    Type,
    has_tokens,
    present,
)

BOX: Final = 0
UNRESOLVED: Final = -1
NO_POOL: Final = -1
FALSE, TRUE = 0, 1

HEADER: Final = 1024
"""Where the table begins; random streams and results lie before it."""

MOST_KINDS: Final = 1 << 12
"""Above all kinds: what orders tokens without a kind, with their pool added."""

_MOST_FLAGS: Final = 14
_DEPTH: Final = 64
"""Calls inside calls; phases do not call themselves, so that no game needs as many."""


def is_list(type_: Type) -> bool:
    """Whether values of a type are lists or sets, kept behind a pointer."""
    return isinstance(present(type_), SetOf | ListOf)


def may_be_none(type_: Type) -> bool:
    """Whether `none` is a value of the type."""
    return isinstance(type_, Optional | Nothing)


@frozen(eq=False)
class Home:
    """Where the slots of a variable are: `size` of `stride` bytes from `address` on.

    The second bank, used while a trigger runs, lies `shift` bytes further on.  A slot is a number,
    or for a list `room` elements behind their count, which is `NONE` for none.
    """

    variable: Variable
    address: int
    stride: int
    shift: int
    room: int | None


@frozen(eq=False)
class TokenSlot:
    """A slot that refers to tokens: what tells twins apart while it is live."""

    home: Home
    member: int
    second: bool  # of the second bank
    bit: int  # in the masks of liveness

    @property
    def address(self) -> int:
        """Where it lies."""
        home = self.home
        return home.address + self.member * home.stride + (home.shift if self.second else 0)

    @property
    def is_ordered(self) -> bool:
        """Whether it tells the positions in it apart."""
        return isinstance(present(self.home.variable.type), ListOf)


@define(eq=False)
class Memory:
    """Gives out addresses, one behind the other, and keeps what lies there at first."""

    end: int = HEADER
    data: list[Data] = field(factory=list)
    _known: dict[tuple[int, ...], int] = field(factory=dict, init=False)

    def words(self, count: int) -> int:
        """Room for so many numbers."""
        begin = self.end
        self.end += WIDTH * count
        return begin

    def eights(self, count: int) -> int:
        """Room for so many times eight bytes, at a multiple of eight."""
        self.end = -(-self.end // 8) * 8
        return self.words(2 * count)

    def constant(self, numbers: tuple[int, ...]) -> int:
        """Numbers that never change; the same ones lie in one place."""
        if numbers not in self._known:
            begin = self._known[numbers] = self.words(len(numbers))
            content = b"".join(n.to_bytes(WIDTH, "little", signed=True) for n in numbers)
            self.data.append(Data(begin, content))
        return self._known[numbers]

    def listed(self, value: Value) -> int:
        """A constant value: a number itself, the address of a list."""
        match value:
            case None:
                return NONE
            case int():
                return int(value)
            case tuple():
                return self.constant((len(value), *map(self.listed, value)))


@define(eq=False)
class Plan:
    """The addresses of one graph."""

    graph: Graph
    alive: Liveness
    memory: Memory
    token_class: tuple[int, ...]
    first_kind: tuple[int, ...]
    class_tokens: tuple[range, ...]
    flag_bits: dict[str, int]
    sticky_bits: tuple[tuple[int, ...], ...]  # per class
    # the table: arrays by token, by place
    kind: int = 0
    pool: int = 0
    place: int = 0
    face: int = 0
    flags: int = 0
    look: int = 0  # what orders tokens of a set
    tidy: int = 0  # per place: whether its set is in order, whatever refers to its tokens
    pooled: int = 0  # unresolved tokens of each place's pool
    lying: tuple[int, ...] = ()  # where the tokens of each place are, as a list
    sorts: tuple[int, ...] = ()  # where the counts of each place's pool are, 0 for the box
    homes: dict[Variable, Home] = field(factory=dict)
    # what everybody knows, if it is kept; by token, by observer and place
    knows: int = 0
    looked: int = 0
    facts: dict[tuple[int, int], int] = field(factory=dict)  # a total, then one number a sort
    node: int = 0
    depth: int = 0
    stack: int = 0
    fired: int = 0
    held: int = 0
    in_trigger: int = 0
    table_end: int = 0
    # for a step
    image: int = 0
    token_slots: tuple[TokenSlot, ...] = ()

    @property
    def tokens(self) -> int:
        """The number of tokens."""
        return len(self.token_class)

    def sort_count(self, class_index: int) -> int:
        """How many sorts a class has: its kinds, times two for every sticky flag."""
        return len(self.graph.classes[class_index].kinds) << len(self.sticky_bits[class_index])

    def class_index(self, name: str) -> int:
        """The position of a class."""
        return [class_.name for class_ in self.graph.classes].index(name)

    def class_of(self, place: Place) -> int | None:
        """The class that a place is for; `None` for the box."""
        return None if place.token_class is None else self.class_index(place.token_class)

    def shape(self, term: Term) -> Shape | None:
        """How places that a term gives keep their tokens, if that is the same for all of them."""
        places = self.graph.places
        match term:
            case Const(value):
                shapes = {places[one].shape for one in _scalars(value)}
            case Apply(Lookup(table=table)):
                shapes = {places[one].shape for one in _scalars(table)}
            case Apply(lists.ITEM, (Const(value), _)):
                shapes = {places[one].shape for one in _scalars(value)}
            case _ if present(term.type) == Square():
                shapes = {place.shape for place in places if place.square is not None}
            case _:
                return None
        return shapes.pop() if len(shapes) == 1 else None

    def may_hide(self, class_index: int) -> bool:
        """Whether tokens of a class can be without a kind."""
        return self.graph.classes[class_index].is_card

    def looks(self, kind: int, pool: int, face: bool, flags: int) -> int:
        """What orders tokens of one set: kind, face, flags; those without a kind last, by pool."""
        front = (MOST_KINDS + pool if kind < 0 else kind) << 1 | (not face)
        return front << len(self.flag_bits) | flags

    def slots(self, variable: Variable) -> Iterator[tuple[int, tuple[Value, ...]]]:
        """The members of a family and their keys."""
        yield from enumerate(product(*variable.keys))


_SMALL: Final = 64


def small_values(plan: Plan) -> int:
    """Values of small types are below this."""
    return max(_SMALL, plan.tokens, len(plan.graph.places))


def is_small(type_: Type | None) -> bool:
    """Whether all values of a type are small numbers, from 0."""
    match type_:
        case Token() | PlaceOf() | Square() | Player() | Bool():
            return True
        case Enum(members=members):
            return len(members) <= _SMALL
        case Int(low, high):
            return low >= 0 and high < _SMALL
        case _:
            return False


def plan_of(graph: Graph, alive: Liveness, known: Layout | None = None) -> Plan:
    """The plan of a graph; `Unsupported` where a variable has no bounded room.

    With a layout what everybody knows is kept too, as far as that has room for it.
    """
    token_class, first_kind, class_tokens = numbering.token_numbers(graph.classes)
    bits = numbering.flag_bits(graph)
    plan = Plan(
        graph,
        alive,
        Memory(),
        token_class,
        first_kind,
        class_tokens,
        bits,
        tuple(tuple(bits[name] for name in class_.sticky_flags) for class_ in graph.classes),
    )
    most = max((plan.sort_count(at) for at in range(len(graph.classes))), default=0)
    if most > MOST_KINDS or len(bits) > _MOST_FLAGS:
        raise Unsupported("so many kinds or flags")
    _lay_table(plan)
    if known is not None:
        _lay_knowledge(plan, known)
    plan.table_end = plan.memory.end
    # Tables are copied eight bytes at a time, the last of which may be nobody's.
    plan.image = plan.memory.eights(-(-(plan.table_end - HEADER) // 8))
    plan.token_slots = _token_slots(plan)
    return plan


def _lay_table(plan: Plan) -> None:
    memory, places = plan.memory, plan.graph.places
    plan.node, plan.depth = memory.words(1), memory.words(1)
    plan.fired, plan.held, plan.in_trigger = (memory.words(1) for _ in range(3))
    plan.stack = memory.words(_DEPTH)
    plan.kind, plan.pool, plan.place, plan.face, plan.flags, plan.look = (
        memory.words(plan.tokens) for _ in range(6)
    )
    plan.tidy, plan.pooled = memory.words(len(places)), memory.words(len(places))
    plan.lying = tuple(memory.words(1 + _room(plan, place)) for place in places)
    plan.sorts = tuple(_sorts(plan, place) for place in places)
    banked = numbering.banked_phases(plan.graph)
    single, double = numbering.variables_in_order(plan.graph, banked)
    for variable in (*single, *double):
        room = _list_room(plan, variable.type)
        stride = WIDTH if room is None else WIDTH * (1 + room)
        address = memory.words(variable.size * stride // WIDTH)
        plan.homes[variable] = Home(variable, address, stride, 0, room)
    for variable in double:
        home = plan.homes[variable]
        second = memory.words(variable.size * home.stride // WIDTH)
        shift = second - home.address
        plan.homes[variable] = Home(variable, home.address, home.stride, shift, home.room)


def _lay_knowledge(plan: Plan, layout: Layout) -> None:
    plan.knows, plan.looked = plan.memory.words(plan.tokens), plan.memory.words(plan.tokens)
    for fact in layout.facts:
        sorts = plan.sort_count(plan.class_index(fact.token_class))
        plan.facts[fact.observer, fact.place] = plan.memory.words(1 + sorts)


def _room(plan: Plan, place: Place) -> int:
    """Cells of a place: never more than there are tokens of its class."""
    class_index = plan.class_of(place)
    return plan.tokens if class_index is None else len(plan.class_tokens[class_index])


def _sorts(plan: Plan, place: Place) -> int:
    class_index = plan.class_of(place)
    if class_index is None or not plan.may_hide(class_index):
        return 0
    return plan.memory.words(plan.sort_count(class_index))


def _scalars(value: Value) -> Iterator[int]:
    """The numbers in a value, however deep in it."""
    if isinstance(value, tuple):
        for one in value:
            yield from _scalars(one)
    elif value is not None:
        yield int(value)


def _list_room(plan: Plan, type_: Type) -> int | None:
    """Elements of a list: each at most once; `None` for what is no list."""
    match present(type_):
        case SetOf(inner) | ListOf(inner):
            return _values(plan, inner)
        case _:
            return None


def _values(plan: Plan, type_: Type) -> int:
    """How many values a type has."""
    match type_:
        case Int(low, high):
            if high - low >= MOST_KINDS:
                raise Unsupported(f"a list of numbers from {low} to {high} in a variable")
            return high - low + 1
        case Bool():
            return 2
        case Enum(members=members):
            return len(members)
        case Player(seats):
            return seats
        case Square() | PlaceOf():
            return len(plan.graph.places)
        case Token(token_class):
            return len(plan.class_tokens[plan.class_index(token_class)])
        case Nothing():
            return 1
        case Optional(some):
            return _values(plan, some) + 1
        case SetOf() | ListOf():
            raise Unsupported("a list of lists in a variable")


def _token_slots(plan: Plan) -> tuple[TokenSlot, ...]:
    """Ascending, those of the second bank last."""
    first, second = [], []
    live = plan.alive.slots.first
    for variable, home in plan.homes.items():
        if has_tokens(variable.type):
            for member in range(variable.size):
                bit = live[variable] + member
                first.append(TokenSlot(home, member, False, bit))
                if home.shift:
                    second.append(TokenSlot(home, member, True, bit))
    return (*first, *second)
