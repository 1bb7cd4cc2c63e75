"""How the key of a table is laid out: which byte says what.

Much is as in `compiler.graph.layout`, which has the room for every variable; tokens are simpler
here, a number for each.
"""

from collections.abc import Iterator
from enum import Enum, auto

from attrs import define, evolve, field, frozen

from compiler.analysis.sizes import most_members
from compiler.graph.codec import Codec, Listed, Mask, Maybe, Scalar, Several, TokenRef, TokenSet
from compiler.graph.core import Variable
from compiler.graph.frames import Frames, Unit
from compiler.graph.layout import Layout
from compiler.graph.parts import Slot
from compiler.graph.room import Room
from compiler.lir.reps import Unsupported
from compiler.lir.stepwise.plan import Plan
from compiler.types import SetOf, has_tokens, present

_MOST_BITS = 30  # values of a set that is spelled as bits

OUTSIDE, INSIDE, EITHER = range(3)  # of which masks of live slots


class Form(Enum):
    """How the value of a slot is spelled."""

    SCALAR = auto()
    SET = auto()  # of scalars: a bit for each, above one that says that there is a set
    TOKEN = auto()
    LIST = auto()
    TOKENS = auto()
    TOKEN_SET = auto()


@frozen
class Entry:
    """One slot: where it is in the table, and where and how in the key."""

    address: int
    bit: int
    bank: int  # of the masks of live slots
    form: Form
    width: int
    low: int
    room: int
    offset: int  # of the first member's field, while it is only asked for
    member: int
    size: int


@frozen(eq=False)
class Section:
    """Tokens of one class in one place."""

    place: int
    token_class: int


@define(eq=False)
class KeyForm:
    """Where everything is in a key of `size` bytes.

    `counts` has the number of tokens of each section, `codes` the tokens, one section behind the
    other; `pools` what the cards of each pool have between them.
    """

    plan: Plan
    layout: Layout
    size: int = field(default=0, init=False)
    sizes: dict[Variable, int] = field(init=False)
    sections: tuple[Section, ...] = field(init=False)
    counts: int = field(init=False)
    codes: int = field(init=False)
    code_width: int = field(init=False)
    control: dict[str, int] = field(init=False)
    pools: dict[int, int] = field(init=False)
    entries: tuple[Entry, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        plan = self.plan
        self.sizes = most_members(plan.graph)
        self.sections = tuple(self._parts())
        self.code_width = _width(self._code(self.most_kinds + len(plan.graph.places), 1) - 1)
        room, frames = Room(), Frames.of(plan.graph)
        control = self._asked_control(room)
        codes = room.ask("tokens", self.code_width, plan.tokens)
        counts = room.ask("how many", self.count_width, len(self.sections))
        pools = {
            pool.place: room.ask(
                "pool", 1, -(-plan.sort_count(plan.class_index(pool.token_class)) // self.packed)
            )
            for pool in self.layout.pools
        }
        entries = tuple(self._asked_slots(room, frames))
        fields, _, _, self.size = room.settle(frames)
        self.control = {name: fields[number].offset for name, number in control.items()}
        self.codes, self.counts = fields[codes].offset, fields[counts].offset
        self.pools = {place: fields[number].offset for place, number in pools.items()}
        self.entries = tuple(
            evolve(entry, offset=fields[entry.offset].offset + entry.member * entry.size)
            for entry in entries
        )

    @property
    def most_kinds(self) -> int:
        """Kinds of the class with most; a card without one is spelled as its pool above them."""
        return max((len(class_.kinds) for class_ in self.plan.graph.classes), default=0)

    @property
    def flags(self) -> int:
        """How many flags there are: bits below a token's face."""
        return len(self.plan.flag_bits)

    @property
    def count_width(self) -> int:
        """Bytes of a number of tokens."""
        return _width(self.plan.tokens)

    @property
    def packed(self) -> int:
        """How many of the counts of a pool a byte has room for."""
        copies = [kind.copies for class_ in self.plan.graph.classes for kind in class_.kinds]
        most = max(copies, default=0)
        if most >= 1 << 8:
            raise Unsupported("so many cards of a kind")
        return 8 // next(bits for bits in (1, 2, 4, 8) if most < 1 << bits)

    def _code(self, kind: int, face: int) -> int:
        return (2 * kind + face + 1) << self.flags

    def _parts(self) -> Iterator[Section]:
        for place in self.plan.graph.places:
            class_index = self.plan.class_of(place)
            if class_index is None:
                for each in range(len(self.plan.graph.classes)):
                    yield Section(place.index, each)
            else:
                yield Section(place.index, class_index)

    def _asked_control(self, room: Room) -> dict[str, int]:
        control = self.layout.control
        found = {"node": room.ask("node", 2)}
        if self.frames:
            found["stack"] = room.ask("stack", 2, self.frames)
            found["depth"] = room.ask("depth", 1)
        if control.fired is not None:
            found["fired"], found["held"] = room.ask("fired", 4), room.ask("held", 4)
            found["in_trigger"] = room.ask("in a trigger", 1)
        return found

    @property
    def frames(self) -> int:
        """Calls inside calls, at most."""
        stack = self.layout.control.stack
        return 0 if stack is None else self.layout.fields[stack].count

    def _asked_slots(self, room: Room, frames: Frames) -> Iterator[Entry]:
        """The slots, their fields by number."""
        plan = self.plan
        for slot in self.layout.slots:
            variable, home = slot.variable, plan.homes[slot.variable]
            form, width, low, elements = self._spelled(slot)
            is_row = form in (Form.LIST, Form.TOKENS, Form.TOKEN_SET)
            size = width * (1 + elements if is_row else 1)
            unit = None
            if variable.phase is not None:
                inside = bool(slot.bank) or variable.phase in frames.triggers
                unit = Unit(variable.phase, inside)
            count = size // width * variable.size
            number = room.ask(variable.name, width, count, unit=unit)
            for member in range(variable.size):
                address = home.address + member * home.stride + slot.bank * home.shift
                bit = plan.alive.slots.first[variable] + member
                bank = INSIDE if slot.bank else OUTSIDE if home.shift else EITHER
                yield Entry(address, bit, bank, form, width, low, elements, number, member, size)

    def _spelled(self, slot: Slot) -> tuple[Form, int, int, int]:
        """How the values of a slot are spelled: form, width, what is one, room for elements."""
        home, type_ = self.plan.homes[slot.variable], slot.variable.type
        if home.room is None:
            if has_tokens(type_):
                return Form.TOKEN, _width(self.plan.tokens), 0, 0
            low, high = _range(slot.codec)
            return Form.SCALAR, _width(high - low + 1), low, 0
        universe = _universe(slot.codec)
        if universe is not None:
            return Form.SET, _width((2 << len(universe)) - 1), universe.start, len(universe)
        room = min(home.room, _capacity(slot.codec, home.room))
        room = min(room, self.sizes.get(slot.variable, room))
        if has_tokens(type_) and isinstance(present(type_), SetOf):
            return Form.TOKEN_SET, 1, 0, -(-self.plan.tokens // 8)
        if has_tokens(type_):
            return Form.TOKENS, _width(self.plan.tokens + 1), 0, room
        low, high = _range(slot.codec)
        return Form.LIST, _width(max(high - low + 1, room + 1)), low, room

    # ---- functions

    def groups(self) -> Iterator[tuple[Form, int, int, tuple[Entry, ...]]]:
        """Entries that are spelled alike."""
        keys = dict.fromkeys((entry.form, entry.width, entry.room) for entry in self.entries)
        for key in keys:
            alike = tuple(e for e in self.entries if (e.form, e.width, e.room) == key)
            yield (*key, alike)


def _width(largest: int) -> int:
    return 1 if largest < 1 << 8 else 2 if largest < 1 << 16 else 4


def _range(codec: Codec) -> tuple[int, int]:
    """The least and the largest number in a value."""
    match codec:
        case Scalar(low, count):
            return low, low + count - 1
        case Listed(values) | Mask(values):
            numbers = [int(value) for value in values if isinstance(value, int)]
            return min(numbers, default=0), max(numbers, default=0)
        case Several(inner) | Maybe(inner):
            return _range(inner)
        case TokenRef() | TokenSet():
            return 0, 0


def _universe(codec: Codec) -> range | None:
    """What a set of scalars can have, where it is few numbers one after the other."""
    match codec:
        case Maybe(inner):
            return _universe(inner)
        case Mask(universe):
            numbers = [int(value) for value in universe if isinstance(value, int)]
            span = range(numbers[0], numbers[0] + len(universe)) if numbers else range(0)
            return span if 0 < len(span) <= _MOST_BITS and numbers == list(span) else None
        case _:
            return None


def _capacity(codec: Codec, otherwise: int) -> int:
    """How many elements a list can have."""
    match codec:
        case Several(_, capacity):
            return capacity
        case Mask(universe):
            return len(universe)
        case Maybe(inner):
            return _capacity(inner, otherwise)
        case _:
            return otherwise
