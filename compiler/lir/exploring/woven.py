"""Moves of a woven program: what weaving knows, from one stop to the next.

The places are those of a program that plays games at random.  A stop has two: one comes to it by
the first, which writes the situation as canonical bytes, what nobody will read left out; the second
goes on from there, once for each move.  Games with hidden cards are left to other programs: there
chance may stop a step halfway.
"""

from collections.abc import Mapping
from typing import Final

from attrs import define, evolve, field, frozen

from compiler.analysis.liveness import Liveness
from compiler.graph.core import Chance, Choose, End, Flow
from compiler.graph.layout import Layout
from compiler.lir.build import add, binary, compare, equal, num, sub
from compiler.lir.chances import Draw
from compiler.lir.core import (
    INT,
    Block,
    Call,
    Continue,
    Do,
    Expr,
    Function,
    If,
    Local,
    Loop,
    Number,
    Op,
    Return,
    Set,
    Stmt,
    Switch,
    Trap,
)
from compiler.lir.decisions import Answers, Decision
from compiler.lir.exploring.atoms import Atoms, words_kept
from compiler.lir.exploring.breadth import CHANCE, ENDED
from compiler.lir.exploring.program import Moves
from compiler.lir.exploring.spelling import AT, Arrived, Spelling, spelling
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

_ONLY = Local("only_count")
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
    spelling: Spelling = field(init=False)
    scores: int = field(default=0, init=False)
    numbers: dict[Here | _Arrival, int] = field(factory=dict, init=False)
    _arrived: dict[int, Arrived] = field(factory=dict, init=False)  # by the position of its block

    def begin(self, start: Here) -> None:
        """Writes all that can be come to from a stop.

        How a situation is kept is known only when all stops are.
        """
        known = tuple(row for row in start.carried if row[0][0] in self.carried)
        first = self.here(self._way(evolve(start, carried=known)))
        self._number(first)
        while len(self.blocks) < len(self.numbers):
            place = list(self.numbers)[len(self.blocks)]
            if isinstance(place, _Arrival):
                self._arrived[len(self.blocks)] = self._arriving(place.here)
                self.blocks.append(())
            else:
                self.blocks.append(self._leaving(place))
        stops = [self._atoms(first), *(one.atoms for one in self._arrived.values())]
        self.spelling = spelling(self.key, self.image, stops, len(self.numbers))
        for position, arrived in self._arrived.items():
            self.blocks[position] = self._written(arrived)

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

    def _arriving(self, here: Here) -> Arrived:
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
        return Arrived(self._number(here), way.writer.block, self._atoms(here))

    def _atoms(self, here: Here) -> Mapping[int, tuple[int, Expr]]:
        return Atoms(self.image, self.alive, here).found()

    def _written(self, arrived: Arrived) -> Block:
        """Writes the situation as the key, and goes on from where the move was made."""
        return (
            *arrived.before,
            *self.spelling.written(arrived),
            Do(Call("arrive", (_WEIGHT,))),
            *self.spelling.restored(),
            Set(PC, _SELF),
            Continue(RUN),
        )

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
            Set(_INDEX, add(_INDEX, num(1))),
        ]

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


# ---- programs


@frozen(eq=False)
class Woven:
    """The moves, how situations are kept, and the number of each stop."""

    moves: Moves
    spelling: Spelling
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
    key, desk = Key.of(ground, words_kept(layout, alive)), Desk.of(ground)
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
        *seeker.spelling.restored(),
        Set(PC, seeker.spelling.place()),
        Set(_SELF, PC),
        Set(_INDEX, num(0)),
        loop,
    )
    look = promoted(Function("look", (AT, _ONLY), INT, begin), STATE, layout)
    functions = (
        look,
        Function("expand", (AT,), None, (Do(Call("look", (AT, num(0)))),)),
        Function("moves", (AT,), INT, (Return(Call("look", (AT, num(1)))),)),
        nth_bit(),
        *FUNCTIONS,
    )
    name = layout.graph.name
    places = {here: at for here, at in seeker.numbers.items() if isinstance(here, Here)}
    key = seeker.spelling.key
    made = Moves(name, functions, tables.end, tables.data, key, desk, seeker.scores)
    return Woven(made, seeker.spelling, places)


def _refuse_cards(writer: Writer, total: Expr, results: Expr) -> Expr:
    del writer, total, results
    raise Unsupported("hidden cards")


def _unused(weaver: Weaver, way: Way, found: object) -> None:
    raise AssertionError(weaver, way, found)
