"""Moves of a woven program: what weaving knows, from one stop to the next.

The places are those of a program that plays games at random.  A stop has two: one comes to it by
the first, which writes the situation as canonical bytes, what nobody will read left out; the second
goes on from there, once for each move.  Games with hidden cards are left to other programs: there
chance may stop a step halfway.
"""

from collections.abc import Mapping
from typing import Final, assert_never

from attrs import define, evolve, field, frozen

from compiler.analysis.liveness import Liveness
from compiler.graph.codec import Codec, Listed, Mask, Maybe, Scalar, Several, TokenRef, TokenSet
from compiler.graph.codec import atoms as atoms_of
from compiler.graph.core import Chance, Choose, End, Flow, Step, Value
from compiler.graph.layout import Layout
from compiler.lir.build import add, binary, compare, equal, mask, num, sub, to_mask
from compiler.lir.chances import Draw
from compiler.lir.core import (
    INT,
    MASK,
    Block,
    Call,
    Continue,
    Do,
    Expr,
    Function,
    If,
    Load,
    Local,
    Loop,
    Number,
    Op,
    Return,
    Set,
    Stmt,
    Store,
    Switch,
    Trap,
)
from compiler.lir.decisions import Answers, Decision
from compiler.lir.exploring.breadth import CHANCE, ENDED
from compiler.lir.exploring.program import Moves
from compiler.lir.exploring.table import Desk, Ground, Key
from compiler.lir.image import Image, Tables
from compiler.lir.program import STATE, Start, carried_variables
from compiler.lir.promote import promoted
from compiler.lir.random import FUNCTIONS
from compiler.lir.reps import DEAD_END, UNDEFINED, Known, Rep, TooMuch, Unsupported
from compiler.lir.scalars import scalar
from compiler.lir.selection import nth_bit
from compiler.lir.stepwise.code import put_word
from compiler.lir.telling import IS_DRAW
from compiler.lir.values import Values
from compiler.lir.ways import Here, Way
from compiler.lir.weaver import PC, RUN, Result, Weaver
from compiler.lir.writer import Writer

_AT, _ONLY = Local("record"), Local("only_count")
_INDEX, _COUNT, _SELF = Local("index"), Local("count"), Local("self")
_MOST_PLACES: Final = 512


@frozen
class _Arrival:
    """A stop, as the place where one comes to it."""

    here: Here


@define(eq=False)
class _Seeker(Weaver):
    """Weaves the moves from stop to stop."""

    key: Key = field(kw_only=True)
    mover: int = field(kw_only=True)
    scores: int = field(default=0, init=False)
    numbers: dict[Here | _Arrival, int] = field(factory=dict, init=False)

    def begin(self, start: Here) -> None:
        """Writes all that can be come to from a stop."""
        known = tuple(row for row in start.carried if row[0][0] in self.carried)
        self._number(self.here(self._way(evolve(start, carried=known))))
        while len(self.blocks) < len(self.numbers):
            place = list(self.numbers)[len(self.blocks)]
            if isinstance(place, _Arrival):
                self.blocks.append(self._arriving(place.here))
            else:
                self.blocks.append(self._leaving(place))

    def _number(self, place: Here | _Arrival) -> int:
        if place not in self.numbers:
            if len(self.numbers) >= _MOST_PLACES:
                raise Unsupported("more places than a program should have")
            self.numbers[place] = len(self.numbers)
        return self.numbers[place]

    def _way(self, here: Here) -> Way:
        values = Values(self.image, self.carried, here.in_trigger)
        values.begin(here.carried)
        return Way(self.image, Writer(self.names), here.node, here.stack, values, self.drawing)

    # ---- between stops

    def goto(self, way: Way) -> None:
        way.writer.put(Set(PC, num(self._number(self.here(way)))), Continue(RUN))

    def _stop(self, way: Way) -> None:
        here = self.here(way)
        if isinstance(way.here.step, Flow):
            ended = evolve(way, stack=(), values=way.values.copy())
            ended.store(self.graph.ended, [], Known(1))
            here = self.here(ended)
        way.writer.put(Set(PC, num(self._number(_Arrival(here)))), Continue(RUN))

    # ---- coming to a stop

    def _arriving(self, here: Here) -> Block:
        way = self._way(here)
        match way.here.step:
            case Choose() as step if step.has_otherwise:
                trial = way.branch()
                decision = Decision.of(trial, step)
                none = trial.branch()
                none.go(none.here.next[-1])
                self.walk(none)
                asks = equal(trial.writer.keep(decision.count), num(1 if step.optional else 0))
                way.writer.put(*trial.writer.out, If(asks, none.writer.block))
            case Chance() as step:
                trial = way.branch()
                draw = Draw.of(trial, step)
                single = trial.branch()
                draw.take(single, num(0), by_weight=False)
                self.walk(single)
                count = trial.writer.keep(draw.count)
                if not isinstance(count, Number) or count.value < 2:
                    way.writer.put(
                        *trial.writer.out,
                        If(equal(count, num(0)), (Trap(UNDEFINED),)),
                        If(equal(count, num(1)), single.writer.block),
                    )
            case _:
                pass
        number = self._number(here)
        way.writer.put(*self._written(here), put_word(self.key.extra, number))
        way.writer.put(Do(Call("arrive", (_WEIGHT,))), Set(PC, _SELF), Continue(RUN))
        return way.writer.block

    def _written(self, here: Here) -> list[Stmt]:
        """Writes the canonical bytes as the key."""
        atoms = _Atoms(self.image, self.alive, here).found()
        words: dict[int, Expr] = {}
        for offset, (width, value) in sorted(atoms.items()):
            wide = value if width == 8 else to_mask(value)
            placed = binary(Op.SHL, wide, mask(8 * (offset % 8)))
            before = words.get(offset // 8, mask(0))
            words[offset // 8] = binary(Op.OR, before, placed)
        return [
            Store(8, self.key.address + 8 * at, None, words.get(whole, mask(0)))
            for at, whole in enumerate(self.key.kept)
        ]

    # ---- going on from one

    def _leaving(self, here: Here) -> Block:
        way = self._way(here)
        match way.here.step:
            case Choose() as step:
                self._asked(way, step)
            case Chance() as step:
                self._drawn(way, step)
            case Flow(End() as end):
                self._told(way, self._result(way, end))
            case _:
                self.walk(way, fresh=True)
        return way.writer.block

    def _asked(self, way: Way, step: Choose) -> None:
        looking = way.branch()
        decision = Decision.of(looking, step)
        count = looking.writer.keep(decision.count)
        looking.writer.put(
            Set(_COUNT, count),
            If(equal(_COUNT, num(0)), (Trap(DEAD_END),)),
            put_word(self.mover, _seat(decision.seat)),
            If(_ONLY, (Return(_COUNT),)),
            Set(_WEIGHT, num(1)),
        )
        way.writer.put(If(equal(_INDEX, num(0)), looking.writer.block), *self._next())
        self._take(way, decision, decision.answers, sub(_INDEX, num(1)))

    def _next(self) -> list[Stmt]:
        """On to the next move, from the situation as it was."""
        return [
            If(compare(Op.GE, _INDEX, _COUNT), (Return(_COUNT),)),
            *self.restored(),
            Set(_INDEX, add(_INDEX, num(1))),
        ]

    def restored(self) -> list[Stmt]:
        """The state of the record, atom by atom."""
        found: list[Stmt] = []
        layout = self.image.layout
        for number, entry in enumerate(layout.fields):
            if entry.offset < layout.core_size:
                kind = MASK if entry.width == 8 else INT
                for at in range(entry.count):
                    lies = self.key.offset(entry.offset + at * entry.width)
                    if lies is not None:
                        loaded = Load(entry.width, lies, _AT, kind)
                        found.append(self.image.store(number, loaded, num(at)))
        return found

    def _take(self, way: Way, decision: Decision, answers: tuple[Answers, ...], i: Expr) -> None:
        head, rest = answers[0], answers[1:]
        if not rest:
            decision.take(way, head, i)
            self.walk(way)
            return
        here, there = way.branch(), way.branch()
        decision.take(here, head, i)
        self.walk(here, parted=True)
        behind = there.writer.keep(sub(i, head.count), "i")
        self._take(there, decision, rest, behind)
        test = compare(Op.LT, i, head.count)
        way.writer.put(If(test, here.writer.block, there.writer.block))

    def _drawn(self, way: Way, step: Chance) -> None:
        looking = way.branch()
        draw = Draw.of(looking, step)
        looking.writer.put(
            Set(_COUNT, draw.count),
            put_word(self.mover, CHANCE),
            If(_ONLY, (Return(_COUNT),)),
        )
        way.writer.put(If(equal(_INDEX, num(0)), looking.writer.block), *self._next())
        index = way.writer.keep(sub(_INDEX, num(1)), "i")
        way.writer.put(Set(_WEIGHT, draw.weight(index, way)))
        draw.take(way, index, by_weight=False)
        self.walk(way)

    def _told(self, way: Way, result: Result) -> None:
        self.scores = max(self.scores, len(result.scores))
        way.writer.put(If(_ONLY, (Return(num(0)),)), put_word(self.mover, ENDED))
        drawn = binary(Op.MUL, result.is_draw, num(IS_DRAW))
        notes = [add(result.winners, drawn), *(score.expr for score in result.scores)]
        way.writer.put(*(Do(Call("note", (one,))) for one in notes), Return(num(0)))


_WEIGHT: Final = Local("weight")


def _seat(seat: Rep) -> Expr:
    return scalar(seat).expr


@define(eq=False)
class _Atoms:
    """The atoms of the core that are not zero, at a stop where much is known."""

    image: Image
    alive: Liveness
    here: Here
    _found: dict[int, tuple[int, Expr]] = field(factory=dict, init=False)

    def found(self) -> dict[int, tuple[int, Expr]]:
        """By offset: how wide, and the number."""
        layout = self.image.layout
        slots = {slot.field for slot in layout.slots}
        control = layout.control
        known = {control.node, control.depth, control.stack}
        if control.fired is not None:
            raise Unsupported("triggers")
        for number, entry in enumerate(layout.fields):
            if entry.offset < layout.core_size and number not in slots | known:
                for at in range(entry.count):
                    self._put(number, at)
        self._control()
        self._slots()
        return self._found

    def _put(self, number: int, at: int, value: Expr | None = None) -> None:
        entry = self.image.field(number)
        loaded = self.image.load(number, num(at))
        self._found[entry.offset + at * entry.width] = (
            entry.width,
            loaded if value is None else value,
        )

    def _control(self) -> None:
        control = self.image.layout.control
        self._put(control.node, 0, num(self.here.node))
        if control.depth is not None and control.stack is not None:
            self._put(control.depth, 0, num(len(self.here.stack)))
            for at, frame in enumerate(self.here.stack):
                self._put(control.stack, at, num(frame))
        elif self.here.stack:
            raise Unsupported("a call where there are none")

    def _slots(self) -> None:
        """What may still be read: known values, or what memory has."""
        here = self.here
        outside, inside = self.alive.now(here.node, here.stack, here.in_trigger)
        known = dict(here.carried)
        for slot in self.image.layout.slots:
            count = atoms_of(slot.codec)
            for member in range(slot.variable.size):
                bit = 1 << self.alive.slots.first[slot.variable] + member
                if not (inside if slot.bank else outside) & bit:
                    continue
                carried = (slot.variable, slot.bank, member)
                if carried in known:
                    value = _atom(slot.codec, known[carried])
                    self._put(slot.field, member * count, num(value))
                else:
                    for at in range(count):
                        self._put(slot.field, member * count + at)


def _atom(codec: Codec, value: Value) -> int:
    """The one atom of a value that is known."""
    match codec:
        case Scalar(low, _, optional):
            return 0 if not isinstance(value, int) else value - low + optional
        case Listed(values):
            return values.index(value) + 1 if value in values else 0
        case Mask(universe) if isinstance(value, tuple) or value is None:
            return sum(1 << universe.index(one) for one in value or ())
        case Mask() | TokenRef() | TokenSet() | Several() | Maybe():
            raise Unsupported(f"a known value kept as {type(codec).__name__}")
        case _:
            assert_never(codec)


# ---- programs


@frozen(eq=False)
class Woven:
    """The moves, and the number of each stop: what is kept in a record behind the key."""

    moves: Moves
    places: Mapping[Here, int]


def woven(layout: Layout, alive: Liveness, start: Start) -> Woven:
    """The moves of a game from its first stop; `Unsupported` if they cannot be woven."""
    refused: list[Unsupported] = []
    for level in (1, 2, 0):
        try:
            return _woven(layout, alive, start, level)
        except TooMuch:
            raise
        except Unsupported as unsupported:
            refused.append(unsupported)
    raise refused[0]


def _woven(layout: Layout, alive: Liveness, start: Start, level: int) -> Woven:
    ground = Ground(STATE + layout.size)
    key, desk = Key.of(ground, _words_kept(layout, alive)), Desk.of(ground)
    tables = Tables(ground.room(0))
    image = Image(layout, STATE, tables)
    carried = carried_variables(layout.graph, level)
    seeker = _Seeker(
        image,
        alive,
        carried,
        _unused,
        _unused,
        _unused,
        _refuse_cards,
        0,
        key=key,
        mover=desk.mover,
    )
    seeker.begin(Here(start.node, start.stack, False, start.values))
    blocks = seeker.blocks
    loop = Loop(RUN, (Switch(PC, tuple(blocks[:-1]), blocks[-1]),))
    begin: Block = (
        *seeker.restored(),
        Set(PC, Load(4, key.size, _AT, INT)),
        Set(_SELF, PC),
        Set(_INDEX, num(0)),
        loop,
    )
    look = promoted(Function("look", (_AT, _ONLY), INT, begin), STATE, layout)
    functions = (
        look,
        Function("expand", (_AT,), None, (Do(Call("look", (_AT, num(0)))),)),
        Function("moves", (_AT,), INT, (Return(Call("look", (_AT, num(1)))),)),
        nth_bit(),
        *FUNCTIONS,
    )
    name = layout.graph.name
    places = {here: at for here, at in seeker.numbers.items() if isinstance(here, Here)}
    made = Moves(name, functions, tables.end, tables.data, key, desk, seeker.scores)
    return Woven(made, places)


def _words_kept(layout: Layout, alive: Liveness) -> tuple[int, ...]:
    """The words of the core in which something may lie where a game waits."""
    live = 0
    for node in layout.graph.nodes:
        if _may_wait(node.step):
            live |= alive.at[node.id]
    for after in alive.after.values():
        live |= after
    slots = {slot.field: slot for slot in layout.slots}
    kept: set[int] = set()
    for number, entry in enumerate(layout.fields):
        slot = slots.get(number)
        if entry.offset < layout.core_size and (
            slot is None or alive.slots.mask(slot.variable) & live
        ):
            kept.update(range(entry.offset // 8, -(-(entry.offset + entry.size) // 8)))
    return tuple(sorted(kept))


def _may_wait(step: Step) -> bool:
    match step:
        case Choose() | Chance():
            return True
        case Flow(way):
            return isinstance(way, End)
        case _:
            return False


def _refuse_cards(writer: Writer, total: Expr, results: Expr) -> Expr:
    del writer, total, results
    raise Unsupported("hidden cards")


def _unused(weaver: Weaver, way: Way, found: object) -> None:
    raise AssertionError(weaver, way, found)
