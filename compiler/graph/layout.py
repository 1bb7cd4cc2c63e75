"""The canonical state of a game: which byte holds what.

A state is core | knowledge.  Each is a run of unsigned little-endian atoms, the widest first,
padded to 8 bytes; `parts` says what they spell.  Equal situations have equal core bytes: tokens
have no names here, twins are counted, and what nobody will read is zero.
"""

from collections.abc import Iterator
from itertools import product

from attrs import define, evolve, field, frozen

from compiler.diagnostic import InternalError
from compiler.graph.bounds import Bounds
from compiler.graph.codec import (
    Codec,
    Limits,
    Listed,
    Mask,
    Maybe,
    Scalar,
    Several,
    TokenSet,
    atoms,
    codec,
    highest,
    width,
    words,
)
from compiler.graph.core import (
    Die,
    Graph,
    Place,
    Shape,
    TokenClass,
    Variable,
)
from compiler.graph.frames import Frames, Unit
from compiler.graph.occupancy import Occupancy, capacity, classes_in, kinds_in, occupancy
from compiler.graph.parts import (
    Bag,
    Board,
    CellCode,
    Control,
    Facts,
    Field,
    Multiset,
    Names,
    Plane,
    Pool,
    Rows,
    Sight,
    Slot,
    Unresolved,
)
from compiler.graph.room import Room
from compiler.graph.values import seat_text
from compiler.graph.where import innermost
from compiler.types import Token


@frozen(eq=False)
class Layout:
    """All fields, the core's first, and what they spell; `format` is for `struct`."""

    graph: Graph
    fields: tuple[Field, ...]
    format: str
    core_size: int
    size: int
    bags: tuple[Bag, ...]
    unresolved: tuple[Unresolved, ...]
    rows: tuple[Rows, ...]
    boards: tuple[Board, ...]
    pools: tuple[Pool, ...]
    slots: tuple[Slot, ...]
    control: Control
    sights: tuple[Sight, ...]
    facts: tuple[Facts, ...]
    names: tuple[Names, ...]  # in the order of the classes

    def describe(self) -> str:
        """A line for each field, by offset; a field that shares room with others says so."""
        lines = [f"{self.graph.name}: {self.size} bytes, {self.core_size} of them core"]
        taken = 0
        for entry in sorted(self.fields, key=lambda entry: (entry.offset, -entry.size)):
            shared = "|" if entry.offset < taken else " "
            lines.append(f"{entry.offset:6} {shared} {_shape(entry):9} {entry.name}")
            taken = max(taken, entry.offset + entry.size)
        return "\n".join(lines) + "\n"


def layout(graph: Graph, lies: Occupancy | None = None) -> Layout:
    """The canonical state of a graph; what can lie where is found, if it is not known yet."""
    return _Planner(graph, lies or occupancy(graph)).plan()


def _shape(entry: Field) -> str:
    return f"u{8 * entry.width}" + (f" x {entry.count}" if entry.count != 1 else "")


# ---- what needs room


@define
class _Planner:
    """Goes through places, variables, control and knowledge, and asks for room."""

    graph: Graph
    lies: Occupancy
    room: Room = field(factory=Room, init=False)

    def plan(self) -> Layout:
        boards = tuple(self._boards())
        squares = {index for board in boards for index in board.places}
        bags = tuple(self._bags())
        unresolved = tuple(self._unresolved())
        rows = tuple(self._rows(squares))
        pools = tuple(self._pools())
        frames = Frames.of(self.graph)
        slots = tuple(self._slots(frames))
        control = self._control(frames)
        sights = tuple(self._sights(rows))
        facts = tuple(self._facts())
        fields, letters, core, size = self.room.settle(frames)
        return Layout(
            self.graph,
            fields,
            letters,
            core,
            size,
            bags,
            unresolved,
            rows,
            boards,
            pools,
            slots,
            control,
            sights,
            facts,
            tuple(map(_names, self.graph.classes)),
        )

    # -- sets

    def _multiset(self, name: str, copies: tuple[int, ...], *, knows: bool = False) -> Multiset:
        planes = _planes(copies)
        cost = sum(
            words(len(_window(sorts))) * width((1 << min(64, len(_window(sorts)))) - 1)
            for sorts in planes
        )
        count_width = width(max(copies, default=0))
        present = sum(1 for most in copies if most)
        if present * count_width < cost:
            counts = self.room.ask(f"{name}: how many", count_width, present, knows=knows)
            return Multiset(copies, (), counts)
        return Multiset(
            copies,
            tuple(
                Plane(
                    self._bits(f"{name}: more than {j}", len(_window(sorts)), knows),
                    sorts[0],
                    sorts,
                )
                for j, sorts in enumerate(planes)
            ),
            None,
        )

    def _bits(self, name: str, bits: int, knows: bool) -> int:
        """A field with so many bits."""
        atom = 8 if bits > 64 else width((1 << bits) - 1)
        return self.room.ask(name, atom, words(bits), knows=knows)

    def _bags(self) -> Iterator[Bag]:
        for place in self._of_shape(Shape.SET):
            for part in classes_in(self.graph, place):
                for face, flags in self._looks(place, part):
                    name = f"{place.label} {part.name}{_look(face, flags)}"
                    copies = self._carriers(_copies(place, part), part, flags)
                    if not flags or any(copies):
                        contents = self._multiset(name, copies)
                        yield Bag(place.index, part.name, face, flags, contents)

    def _looks(self, place: Place, part: TokenClass) -> Iterator[tuple[bool, tuple[str, ...]]]:
        """Faces and sets of flags that tokens of a class have in a place: up before down."""
        possible = self.lies.flags[place.index]
        flags = tuple(f for f in possible if f in part.sticky_flags or f in place.flags)
        for face in self.lies.faces[place.index]:
            for chosen in _subsets(flags):
                yield face, chosen

    def _unresolved(self) -> Iterator[Unresolved]:
        for place in self._of_shape(Shape.SET):
            for pool in self.lies.pools[place.index]:
                part = self._pool_class(pool)
                most = capacity(self.graph, place)
                for flags in _subsets(self._open_flags(place, part)):
                    label = self.graph.places[pool].label
                    name = f"{place.label} unresolved of {label}{_look(False, flags)}"
                    counted = self.room.ask(name, width(most))
                    yield Unresolved(place.index, part.name, flags, pool, counted)

    def _open_flags(self, place: Place, part: TokenClass) -> tuple[str, ...]:
        """The flags that a card without a kind can carry: sticky ones belong to its sort."""
        flags = self.lies.flags[place.index]
        return tuple(f for f in flags if f in place.flags and f not in part.sticky_flags)

    # -- rows and boards

    def _boards(self) -> Iterator[Board]:
        for zone in dict.fromkeys(p.zone for p in self.graph.places if p.square is not None):
            squares = tuple(p for p in self.graph.places if p.zone == zone)
            board = self._bitboard(zone, squares)
            if board is not None:
                yield board

    def _bitboard(self, zone: str, squares: tuple[Place, ...]) -> Board | None:
        part = self.graph.token_class(squares[0].token_class or "")
        plain = all(
            place.shape is Shape.ONE
            and place.square is not None
            and place.token_class == part.name
            and len(self.lies.faces[place.index]) == 1
            and not self.lies.flags[place.index]
            and not self.lies.pools[place.index]
            for place in squares
        )
        atom = width((1 << min(len(squares), 64)) - 1)
        if not plain or len(squares) > 64 or len(part.kinds) * atom > 2 * len(squares):
            return None
        fields = tuple(self.room.ask(f"{zone} {kind.word}", atom) for kind in part.kinds)
        return Board(
            zone,
            part.name,
            tuple(place.index for place in squares),
            fields,
        )

    def _rows(self, boards: set[int]) -> Iterator[Rows]:
        for part in self.graph.classes:
            mine = [
                place
                for place in self.graph.places
                if place.token_class == part.name
                and place.shape is not Shape.SET
                and place.index not in boards
            ]
            tokens = sum(kind.copies for kind in part.kinds)
            long = [place for place in mine if place.shape is not Shape.ONE]
            if len(long) > 1 and sum(capacity(self.graph, p) for p in long) > 2 * tokens:
                yield self._run(f"{part.name} in rows", part, long, tokens)
                mine = [place for place in mine if place.shape is Shape.ONE]
            for place in mine:
                yield self._run(place.label, part, [place], capacity(self.graph, place))

    def _run(self, name: str, part: TokenClass, places: list[Place], cells: int) -> Rows:
        lies = self.lies
        indices = [place.index for place in places]
        code = CellCode(
            len(part.kinds),
            tuple(sorted({pool for index in indices for pool in lies.pools[index]})),
            tuple(f for f in (True, False) if any(f in lies.faces[index] for index in indices)),
            tuple(dict.fromkeys(name for index in indices for name in lies.flags[index])),
        )
        single = len(places) == 1 and places[0].shape is Shape.ONE
        ends = None if single else self.room.ask(f"{name}: ends", width(cells), len(places))
        return Rows(
            tuple(indices),
            part.name,
            ends,
            self.room.ask(f"{name}: cells", width(code.largest), cells),
            cells,
            code,
        )

    # -- hidden chance

    def _pools(self) -> Iterator[Pool]:
        for index in sorted({pool for pools in self.lies.pools for pool in pools}):
            part = self._pool_class(index)
            name = f"pool of {self.graph.places[index].label}"
            yield Pool(index, part.name, self._multiset(name, self._sorts(part)))

    def _pool_class(self, pool: int) -> TokenClass:
        name = self.graph.places[pool].token_class
        if name is None:
            raise InternalError("the box is shuffled")
        return self.graph.token_class(name)

    def _sorts(self, part: TokenClass, place: Place | None = None) -> tuple[int, ...]:
        """Copies of each sort: kinds, times two for every sticky flag; 0 where none can have it."""
        copies = _copies(place, part) if place else tuple(kind.copies for kind in part.kinds)
        every = range(1 << len(part.sticky_flags))
        carried = [
            self._carriers(
                copies, part, tuple(f for at, f in enumerate(part.sticky_flags) if n >> at & 1)
            )
            for n in every
        ]
        return tuple(column[kind] for kind in range(len(copies)) for column in carried)

    def _carriers(
        self, copies: tuple[int, ...], part: TokenClass, flags: tuple[str, ...]
    ) -> tuple[int, ...]:
        """Copies of each kind, 0 of those that cannot carry these flags."""
        sticky = tuple(flag for flag in flags if flag in part.sticky_flags)
        return tuple(
            most if self.lies.can_carry(part.name, sticky, kind) else 0
            for kind, most in enumerate(copies)
        )

    # -- variables

    def _slots(self, frames: Frames) -> Iterator[Slot]:
        bounds = Bounds(self.graph)
        for variable in dict.fromkeys(
            (*self.graph.variables, self.graph.players, self.graph.ended)
        ):
            yield self._slot(variable, 0, None, self._codec(variable, bounds))
        for phase in self.graph.phases:
            for variable in dict.fromkeys((*phase.params, *phase.locals)):
                kept = self._codec(variable, bounds)
                inside = phase.name in frames.triggers
                yield self._slot(variable, 0, Unit(phase.name, inside), kept)
                if phase.name in frames.banked:
                    yield self._slot(variable, 1, Unit(phase.name, True), kept)

    def _slot(self, variable: Variable, bank: int, unit: Unit | None, kept: Codec) -> Slot:
        name = variable.name if unit is None else f"{unit.phase}.{variable.name}"
        name += " in a trigger" if bank else ""
        atom = width(highest(kept))
        asked = self.room.ask(name, atom, atoms(kept) * variable.size, unit=unit)
        return Slot(variable, bank, kept, asked)

    def _codec(self, variable: Variable, bounds: Bounds) -> Codec:
        """How a variable is kept; one without a value before play can hold `none`."""
        if isinstance(variable, Die):
            return Listed(tuple(dict.fromkeys(variable.faces)))
        limits = Limits(
            bounds.length(variable), bounds.ascends(variable), self._may_be_unresolved(variable)
        )
        kept = codec(self.graph, variable.type, limits)
        match kept:
            case Scalar() if variable.initial is None:
                return evolve(kept, optional=True)
            case Mask() | TokenSet() | Several():
                maybe = variable.initial is None and variable.phase is None
                return Maybe(kept) if maybe else kept
            case _:
                return kept

    def _may_be_unresolved(self, variable: Variable) -> bool:
        """Whether a variable may mean cards without a kind; what scenarios give may be anything."""
        held = self.lies.found.held.get(variable, 0)
        if any(variable in phase.params for phase in self.graph.phases):
            held = (1 << len(self.graph.places)) - 1
        token = innermost(variable.type)
        names = {token.token_class} if isinstance(token, Token) else set()
        return any(
            self.lies.pools[place.index] and held >> place.index & 1
            for place in self.graph.places
            if place.token_class in names
        )

    # -- control

    def _control(self, frames: Frames) -> Control:
        depth = frames.depth()
        triggers = len(self.graph.triggers)
        atom = width((1 << triggers) - 1)
        return Control(
            self.room.ask("node", 2),
            self.room.ask("depth of the stack", width(depth)) if depth else None,
            self.room.ask("stack", 2, depth) if depth else None,
            self.room.ask("triggers waiting", atom) if triggers else None,
            self.room.ask("triggers that hold", atom) if triggers else None,
            self.room.ask("in a trigger", 1) if triggers else None,
        )

    # -- knowledge

    def _sights(self, rows: tuple[Rows, ...]) -> Iterator[Sight]:
        public = self.graph.seats
        for index, run in enumerate(rows):
            knows = tuple(sorted({o for place in run.places for o in self.lies.unseen[place]}))
            if not knows:
                continue
            looked = tuple(observer for observer in knows if observer != public)
            name = ", ".join(self.graph.places[place].label for place in run.places)
            name += f": looked at by {''.join(map(seat_text, looked))}"
            name += f", known to {''.join(map(seat_text, looked))} and everybody"
            bits = run.capacity * (len(looked) + len(knows))
            yield Sight(index, looked, knows, self._bits(name, bits, True))

    def _facts(self) -> Iterator[Facts]:
        for place in self.graph.places:
            if not self.lies.facts[place.index] or place.token_class is None:
                continue
            part = self.graph.token_class(place.token_class)
            for observer in self.lies.unseen[place.index]:
                name = f"{place.label} has, as {_observer(self.graph, observer)} knows"
                contents = self._multiset(name, self._sorts(part, place), knows=True)
                yield Facts(observer, place.index, part.name, contents)

    def _of_shape(self, shape: Shape) -> Iterator[Place]:
        return (place for place in self.graph.places if place.shape is shape)


def _names(part: TokenClass) -> Names:
    first = [1]
    for kind in part.kinds:
        first.append(first[-1] + kind.copies)
    return Names(part.name, tuple(first[:-1]), first[-1])


def _observer(graph: Graph, observer: int) -> str:
    return "everybody" if observer == graph.seats else seat_text(observer)


def _look(face: bool, flags: tuple[str, ...]) -> str:
    return "".join(f" {word}" for word in (("up" if face else "down"), *flags))


def _subsets(flags: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for chosen in product((False, True), repeat=len(flags)):
        yield tuple(name for name, on in zip(flags, chosen, strict=True) if on)


def _copies(place: Place, part: TokenClass) -> tuple[int, ...]:
    """How many of each kind of a class a place can hold; 0 for what it does not admit."""
    admitted = frozenset(kinds_in(place, part))
    most = place.capacity
    return tuple(
        0 if kind not in admitted else row.copies if most is None else min(row.copies, most)
        for kind, row in enumerate(part.kinds)
    )


def _planes(copies: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """For each j, the sorts that can have more than j copies."""
    return tuple(
        tuple(sort for sort, most in enumerate(copies) if most > j)
        for j in range(max(copies, default=0))
    )


def _window(sorts: tuple[int, ...]) -> range:
    return range(sorts[0], sorts[-1] + 1)
