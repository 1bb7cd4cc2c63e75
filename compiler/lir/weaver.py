"""Weaves the ways through a graph into places of one loop: `switch` on where one is.

A *place* is a node with what is known there: the stack, the seat to move, loops over seats.  Stops
are places, and so is where ways meet.  What lies between is written out on every way.
"""

from collections.abc import Callable

from attrs import define, field, frozen

from compiler.analysis.liveness import Liveness
from compiler.graph.core import Chance, Choose, End, Ending, Flow, Graph, Variable
from compiler.lir.build import NO, add, binary, choice, equal, mask, num, single, to_int
from compiler.lir.chances import Draw
from compiler.lir.core import Block, Continue, Expr, If, Local, Number, Op, Set, Stmt, Trap
from compiler.lir.decisions import Answers, Decision
from compiler.lir.image import Image
from compiler.lir.reps import DEAD_END, Bits, Items, Known, Num, Rep, Unsupported, is_none
from compiler.lir.scalars import scalar
from compiler.lir.sequences import extreme, items
from compiler.lir.values import Values
from compiler.lir.ways import Drawing, Here, Way
from compiler.lir.writer import Names, Writer

PC = Local("place")
STEPS = Local("nodes")
RUN = "run"
_SHORT = 8  # statements that are rather written twice than jumped to


@frozen
class Result:
    """How a game ended: a mask of winners, whether it is a draw, and the scores, if any."""

    winners: Expr
    is_draw: Expr
    scores: tuple[Num, ...]


@define(eq=False)
class Weaver:
    """Weaves one program; `choose`, `chance` and `end` say what happens at stops."""

    image: Image
    alive: Liveness
    carried: frozenset[Variable]
    choose: Callable[["Weaver", Way, Decision], None]
    chance: Callable[["Weaver", Way, Draw], None]
    end: Callable[["Weaver", Way, Result], None]
    drawing: Drawing
    most_places: int
    names: Names = field(factory=Names, init=False)
    places: dict[Here, int] = field(factory=dict, init=False)
    blocks: list[Block] = field(factory=list, init=False)
    _entered: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        if self.graph.triggers:  # they would have to be asked after every effect
            raise Unsupported("rules that fire by themselves")
        self._entered = [0] * len(self.graph.nodes)
        for node in self.graph.nodes:
            for then in node.next:
                self._entered[then] += 1
        for phase in self.graph.phases:
            self._entered[phase.entry] += 2

    @property
    def graph(self) -> Graph:
        """The graph that is woven."""
        return self.image.layout.graph

    def weave(self, start: Here) -> int:
        """Writes all that can be come to from a place; its number."""
        values = Values(self.image, self.carried, start.in_trigger)
        values.begin(start.carried)
        way = Way(self.image, Writer(self.names), start.node, start.stack, values, self.drawing)
        first = self.number(self.here(way))
        while len(self.blocks) < len(self.places):
            here = list(self.places)[len(self.blocks)]
            self.blocks.append(self._block(here))
        return first

    def number(self, here: Here) -> int:
        """The number of a place."""
        if here not in self.places:
            if len(self.places) >= self.most_places:
                raise Unsupported("more places than a program should have")
            self.places[here] = len(self.places)
        return self.places[here]

    def _block(self, here: Here) -> Block:
        values = Values(self.image, self.carried, here.in_trigger)
        values.begin(here.carried)
        way = Way(self.image, Writer(self.names), here.node, here.stack, values, self.drawing)
        step = way.here.step
        match step:
            case Choose():
                self._choice(way, step)
            case Chance():
                self.chance(self, way, Draw.of(way, step))
            case _:
                self.walk(way, fresh=True)
        return way.writer.block

    def _choice(self, way: Way, step: Choose) -> None:
        decision = Decision.of(way, step)
        count = way.writer.keep(decision.count)
        if not _surely(decision.answers):
            none = way.branch()
            if step.has_otherwise:
                none.go(none.here.next[-1])
                self.walk(none)
            else:
                none.writer.put(Trap(DEAD_END))
            way.writer.put(If(equal(count, num(0)), none.writer.block))
        if count != num(0):
            self.choose(self, way, decision)

    # ---- between places

    def walk(self, way: Way, *, fresh: bool = False, parted: bool = False) -> None:
        """Goes on until a place is come to, and writes the way there."""
        while not way.failed:
            if way.is_stop():
                self._stop(way)
                return
            if not fresh and self._entered[way.node] > 1 and self._meets(way, parted):
                self.goto(way)
                return
            fresh = False
            test = way.test()
            seat = way.picked_seat()
            if seat is not None:
                self._each_seat(way, seat)
                return
            if test is None:
                way.step()
            elif isinstance(test, Number):
                way.go(way.here.next[0 if test.value else 1])
            else:
                self._part(way, test)
                return

    def _each_seat(self, way: Way, seat: Num) -> None:
        """A way for every seat that it may be: what follows knows which."""
        kept = way.writer.keep(seat.expr)
        seats: list[int | None] = [None] if seat.none else []
        seats += range(seat.low, seat.high + 1)
        rest: Block = ()
        for number, one in enumerate(seats):
            arm = way.branch()
            arm.give_seat(one)
            self.walk(arm, parted=True)
            test = is_none(kept) if one is None else equal(kept, num(one))
            rest = (If(test, arm.writer.block, rest),) if number else arm.writer.block
        way.writer.put(*rest)

    def _part(self, way: Way, test: Expr) -> None:
        held = way.writer.keep(test, "is_")
        arms = []
        for following in way.here.next:
            arm = way.branch()
            arm.go(following)
            self.walk(arm, parted=True)
            arms.append(arm.writer.block)
        way.writer.put(If(held, arms[0], arms[1]))

    def _meets(self, way: Way, parted: bool) -> bool:
        """Whether to jump to where ways meet, rather than to write out what follows."""
        mark = (way.node, way.stack, way.values.carry())
        if mark in way.been:
            return True
        way.been = way.been | {mark}
        return parted and not self._is_short(way)

    def _is_short(self, way: Way) -> bool:
        """Whether the next stop is near, with nothing to be decided before."""
        trial = way.branch()
        while not trial.failed and not trial.is_stop():
            mark = (trial.node, trial.stack, trial.values.carry())
            test = trial.test()
            if trial.picked_seat() or (test is not None and not isinstance(test, Number)):
                return False
            if self._entered[trial.node] > 1 and mark in trial.been - {mark}:
                return False
            if test is None:
                trial.step()
            else:
                trial.go(trial.here.next[0 if test.value else 1])
            if len(trial.writer.out) > _SHORT or trial.steps > way.steps + 50:
                return False
        return True

    def _stop(self, way: Way) -> None:
        step = way.here.step
        if isinstance(step, Flow) and isinstance(step.way, End):
            way.steps += 1
            self.end(self, way, self._result(way, step.way))
        else:
            self.goto(way)

    def goto(self, way: Way) -> None:
        """Jumps to the place one has come to."""
        here = self.here(way)
        way.writer.put(*self.counted(way), Set(PC, num(self.number(here))), Continue(RUN))

    def counted(self, way: Way) -> list[Stmt]:
        """Adds the nodes of a way to those of the game."""
        found = [Set(STEPS, add(STEPS, num(way.steps)))] if way.steps else []
        way.steps = 0
        return list(found)

    def here(self, way: Way) -> Here:
        """The place one stands at; what nobody will read is forgotten."""
        in_trigger = way.values.in_trigger
        outside, inside = self.alive.now(way.node, way.stack, in_trigger)
        kept = []
        for (variable, bank, member), value in way.values.carry():
            bit = 1 << self.alive.slots.first[variable] + member
            live = inside if bank or in_trigger else outside
            if (live | (0 if bank else outside)) & bit:
                kept.append(((variable, bank, member), value))
        return Here(way.node, way.stack, in_trigger, tuple(kept))

    # ---- the end

    def _result(self, way: Way, end: End) -> Result:
        seats = self.graph.seats
        everyone = (1 << seats) - 1
        value = Known(None) if end.value is None else way.reader().term(end.value)
        match end.ending:
            case Ending.DRAW:
                players = way.reader().values.read(self.graph.players, [])
                return Result(_seats(players), num(1), ())
            case Ending.WINNERS:
                winners = way.writer.keep(_seats(value))
                alone = num(seats == 1)
                is_draw = NO if alone == num(1) else equal(winners, num(everyone))
                return Result(winners, is_draw, ())
            case Ending.SCORES:
                return _by_score(way, value, seats)
            case Ending.RANKING:
                raise Unsupported("an end with a ranking")


def _by_score(way: Way, value: Rep, seats: int) -> Result:
    scores = [scalar(item.value) for item in items(value).items]
    kept = [Num(way.writer.keep(one.expr), one.low, one.high, one.none) for one in scores]
    best = scalar(extreme(value, largest=True))
    top = way.writer.keep(best.expr)
    winners: Expr = num(0)
    for seat, one in enumerate(kept):
        winners = add(winners, choice(equal(one.expr, top), num(1 << seat), num(0)))
    winners = way.writer.keep(winners)
    is_draw = equal(winners, num((1 << seats) - 1)) if seats > 1 else NO
    return Result(winners, is_draw, tuple(kept))


def _seats(value: Rep) -> Expr:
    """The seats that a value names, as a number with a bit for each."""
    match value:
        case Known(int() as seat):
            return num(1 << seat)
        case Known(tuple() as seats):
            return num(sum({1 << seat for seat in seats if isinstance(seat, int)}))
        case Num(expr):
            return to_int(single(expr))
        case Bits(expr):
            return to_int(expr)
        case Items(found):
            one: Expr = mask(0)
            for item in found:
                bit = single(scalar(item.value).expr)
                one = binary(Op.OR, one, choice(item.when, bit, mask(0)))
            return to_int(one)
        case _:
            raise Unsupported("an end that names nobody")


def _surely(answers: tuple[Answers, ...]) -> bool:
    """Whether there is an answer whatever the play."""
    return any(isinstance(a.count, Number) and a.count.value > 0 for a in answers)
