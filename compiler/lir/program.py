"""The programs of a game: many random games at once, and one step at a time.

Memory is: the state of the random streams, results, the state of the game, tables.  `PLAY` is one
loop in which whole games are played; the fields of the state that are only met by name live in
locals there.  `STEP` has the same places, keeps the state as canonical bytes, and stops at stops.
"""

from collections.abc import Mapping
from typing import Final

from attrs import define, field, frozen

from compiler.analysis.liveness import Liveness
from compiler.graph.core import Graph, Variable
from compiler.graph.layout import Layout
from compiler.lir.build import (
    add,
    choice,
    compare,
    equal,
    num,
    sub,
)
from compiler.lir.chances import Draw
from compiler.lir.core import (
    INT,
    MASK,
    WORD,
    Binary,
    Block,
    Break,
    Expr,
    Function,
    If,
    Load,
    Local,
    Loop,
    Number,
    Op,
    Program,
    Return,
    Set,
    Stmt,
    Switch,
)
from compiler.lir.decisions import Answers, Decision
from compiler.lir.image import Image, Tables
from compiler.lir.promote import promoted
from compiler.lir.random import FUNCTIONS
from compiler.lir.reps import Known, Num, TooMuch, Unsupported
from compiler.lir.selection import nth_bit
from compiler.lir.streams import Streams
from compiler.lir.telling import ROWS, Addresses, Games, Told, row_bytes, seeding
from compiler.lir.ways import Carried, Here, Way
from compiler.lir.weaver import PC, RUN, STEPS, Result, Weaver
from compiler.lir.writer import Writer
from compiler.types import Bool, Enum, Int, ListOf, Player, SetOf, Type, present

RUN_STATE: Final = 0
STATE: Final = 1024

_MOST_PLACES: Final = {2: 64, 1: 512, 0: 4096}
"""Places of a program by how much is known at each: more is faster as long as it is little."""

_FEW: Final = 12
"""So few places that it is worth trying how many there are when more is known."""

_DECIDED, _DRAWN = Local("decisions"), Local("draws")
_WINNERS, _IS_DRAW = Local("winners"), Local("is_draw")
_GAME_LOW, _GAME_HIGH = Local("game_low", WORD), Local("game_high", WORD)
_LEFT, _ROWS, _LIMIT = Local("left"), Local("rows"), Local("limit")
_GAMES = "games"


@frozen(eq=False)
class Resumed:
    """A program whose games all go on from one stop, which the host writes to `begin`.

    There it writes the number of the place, eight bytes, then the canonical bytes of the core.
    `entrances` are the numbers of the places by what is known there.
    """

    games: Games
    begin: int
    entrances: Mapping[Here, int]


def carried_variables(graph: Graph, level: int) -> frozenset[Variable]:
    """Those whose known values are part of the place: none, the few-valued ones, also counts."""
    variables = [*graph.variables, graph.players]
    for phase in graph.phases:
        variables += [*phase.params, *phase.locals]
    if level == 0:
        return frozenset()
    return frozenset(v for v in variables if _is_control(v.type, level))


def _is_control(type_: Type, level: int) -> bool:
    match present(type_):
        case Player() | Bool() | Enum():
            return True
        case ListOf(inner) | SetOf(inner):
            return isinstance(present(inner), Player)
        case Int(low, high):
            return level > 1 and high - low <= 32
        case _:
            return False


@frozen
class Start:
    """The first stop of a game: where it is, what variables hold, and its canonical bytes."""

    node: int
    stack: tuple[int, ...]
    values: Carried
    content: bytes
    nodes: int  # gone through before it


@define(eq=False)
class _Play:
    """Writes the loop in which games are played."""

    layout: Layout
    alive: Liveness
    start: Start
    level: int
    scored: bool = field(default=False, init=False)
    low: int = field(default=0, init=False)
    streams: Streams = field(factory=lambda: Streams(RUN_STATE), init=False)
    begin: int = field(default=0, init=False)
    entrances: Mapping[Here, int] = field(factory=dict, init=False)

    def games(self) -> Games:
        graph = self.layout.graph
        tables = Tables(STATE + self.layout.size)
        image = Image(self.layout, STATE, tables)
        carried = carried_variables(graph, self.level)
        stops = (self._choose, self._chance, self._end, self._draw)
        weaver = Weaver(image, self.alive, carried, *stops, _MOST_PLACES[self.level])
        known = tuple(row for row in self.start.values if row[0][0] in carried)
        first = weaver.weave(Here(self.start.node, self.start.stack, False, known))
        rows = tables.end
        self.begin = -(-(rows + ROWS * row_bytes(graph.seats)) // 8) * 8
        memory = self.begin + 8 + self.layout.core_size
        self.entrances = weaver.places
        body = self._body(image, first, tuple(weaver.blocks), rows)
        playouts = Function(
            "playouts", (_GAME_LOW, _GAME_HIGH, _LEFT, _ROWS, _LIMIT), None, body, exported=True
        )
        program = Program(
            graph.name,
            (promoted(playouts, STATE, self.layout), seeding(RUN_STATE), nth_bit(), *FUNCTIONS),
            tables.data,
            -(-memory // 8) * 8,
        )
        where = Addresses(STATE, rows, row_bytes(graph.seats), program.memory)
        return Games(program, where, graph.seats, self.scored, len(weaver.blocks), self.low)

    # ---- stops

    def _choose(self, weaver: Weaver, way: Way, decision: Decision) -> None:
        count = way.writer.keep(decision.count)
        way.writer.put(Set(_DECIDED, add(_DECIDED, num(1))))
        index = self._below(way.writer, decision.seat, count)
        self._take(weaver, way, decision, decision.answers, index)

    def _take(
        self,
        weaver: Weaver,
        way: Way,
        decision: Decision,
        answers: tuple[Answers, ...],
        index: Expr,
    ) -> None:
        head, rest = answers[0], answers[1:]
        if not rest:
            decision.take(way, head, index)
            weaver.walk(way)
            return
        here, there = way.branch(), way.branch()
        decision.take(here, head, index)
        weaver.walk(here, parted=True)
        behind = there.writer.keep(sub(index, head.count), "i")
        self._take(weaver, there, decision, rest, behind)
        way.writer.put(If(compare(Op.LT, index, head.count), here.writer.block, there.writer.block))

    def _below(self, writer: Writer, seat: object, count: Expr) -> Expr:
        """The player's draw."""
        match seat:
            case Known(int() as known):
                return self.streams.below(writer, 1 + known, count)
            case Num(expr, low, high):
                return self._below_of(writer, expr, range(low, high + 1), count)
            case _:
                raise Unsupported("a decision of nobody")

    def _below_of(self, writer: Writer, seat: Expr, seats: range, count: Expr) -> Expr:
        """The draw of a player who is not known."""
        drawn = Local(writer.names.fresh("i"))
        kept = writer.keep(seat)
        for one in seats:
            inner = writer.inner()
            number = self.streams.below(inner, 1 + one, count)
            inner.put(Set(drawn, number))
            writer.put(If(equal(kept, num(one)), inner.block))
        return drawn

    def _draw(self, writer: Writer, total: Expr, results: Expr) -> Expr:
        """Chance gives a hidden card its kind; the step that asked for it is gone through again."""
        again = compare(Op.GT, results, num(1))
        writer.put(Set(STEPS, add(STEPS, num(1))), Set(_DRAWN, add(_DRAWN, again)))
        count = choice(again, total, num(1))
        return self.streams.below(writer, 0, writer.keep(count))

    def _chance(self, weaver: Weaver, way: Way, draw: Draw) -> None:
        number: Expr = num(0)
        if draw.count != num(1):
            drawn = choice(compare(Op.GT, draw.count, num(1)), num(1), num(0))
            way.writer.put(Set(_DRAWN, add(_DRAWN, drawn)))
            number = self.streams.below(way.writer, 0, way.writer.keep(draw.total))
        draw.take(way, number, by_weight=True)
        weaver.walk(way)

    def _end(self, weaver: Weaver, way: Way, result: Result) -> None:
        way.writer.put(
            *weaver.counted(way), Set(_WINNERS, result.winners), Set(_IS_DRAW, result.is_draw)
        )
        for seat, score in enumerate(result.scores):
            self.scored = True
            self.low = min(self.low, score.low)
            way.writer.put(Set(_score(seat), score.expr))
        way.writer.put(Break(RUN))

    # ---- around

    def _body(self, image: Image, first: int, blocks: tuple[Block, ...], rows: int) -> Block:
        over = compare(Op.GT, STEPS, _LIMIT)
        run = Loop(
            RUN,
            (
                If(over, (Set(_WINNERS, num(-1)), Break(RUN))),
                Switch(PC, blocks[:-1], blocks[-1]) if len(blocks) > 1 else _only(blocks),
            ),
        )
        game: Block = (
            If(equal(_LEFT, num(0)), (Return(),)),
            *self.streams.start(_GAME_LOW, _GAME_HIGH),
            *self._fresh(image),
            *self._first(first),
            Set(_DECIDED, num(0)),
            Set(_DRAWN, num(0)),
            run,
            If(over, (Set(_WINNERS, num(-1)),)),  # also if it ended before anybody looked
            *self._told().told(self.layout.graph.seats, rows, _ROWS),
            Set(_LEFT, sub(_LEFT, num(1))),
            Set(_GAME_LOW, Binary(Op.ADD, _GAME_LOW, Number(1, WORD))),
            If(
                Binary(Op.EQ, _GAME_LOW, Number(0, WORD)),
                (Set(_GAME_HIGH, Binary(Op.ADD, _GAME_HIGH, Number(1, WORD))),),
            ),
        )
        return (Loop(_GAMES, game),)

    def _first(self, place: int) -> list[Stmt]:
        """Where a game begins, and the nodes before."""
        return [Set(PC, num(place)), Set(STEPS, num(self.start.nodes))]

    def _fresh(self, image: Image) -> list[Stmt]:
        """The state in which a game begins, atom by atom."""
        found: list[Stmt] = []
        for number, entry in enumerate(self.layout.fields):
            if entry.offset >= self.layout.core_size:
                continue
            for at in range(entry.count):
                begin = entry.offset + at * entry.width
                found.append(image.store(number, self._atom(begin, entry.width), num(at)))
        return found

    def _atom(self, begin: int, width: int) -> Expr:
        """What an atom of the state holds when a game begins."""
        value = int.from_bytes(self.start.content[begin : begin + width], "little")
        return Number(value, MASK if width == 8 else INT)

    def _told(self) -> Told:
        """What is kept of a game that is over."""
        scores = tuple(map(_score, range(self.layout.graph.seats))) if self.scored else ()
        return Told(_WINNERS, _IS_DRAW, _DECIDED, _DRAWN, STEPS, scores, self.low)


@define(eq=False)
class _PlayOn(_Play):
    """Writes the same loop, but every game goes on from the stop at `begin`."""

    def resumed(self) -> Resumed:
        """The program and its entrances."""
        return Resumed(self.games(), self.begin, self.entrances)

    def _first(self, place: int) -> list[Stmt]:
        del place  # the host says where a game goes on
        return [Set(PC, Load(4, self.begin, None, INT)), Set(STEPS, num(0))]

    def _atom(self, begin: int, width: int) -> Expr:
        return Load(width, self.begin + 8 + begin, None, MASK if width == 8 else INT)


def _score(seat: int) -> Local:
    return Local(f"score{seat}")


def _only(blocks: tuple[Block, ...]) -> Stmt:
    return Switch(PC, (), blocks[0])


def playing(layout: Layout, alive: Liveness, start: Start) -> Games:
    """The program that plays random games from a stop; `Unsupported` if one cannot be made.

    Seats and truths are known at each place; where that makes few places, counts are too.
    """
    try:
        found = _Play(layout, alive, start, 1).games()
    except TooMuch:
        raise
    except Unsupported as unsupported:
        return _otherwise(layout, alive, start, unsupported)
    if found.places > _FEW:
        return found
    try:
        return _Play(layout, alive, start, 2).games()
    except Unsupported:
        return found


def resuming(layout: Layout, alive: Liveness, start: Start) -> Resumed:
    """The program that plays on from any stop; `Unsupported` if one cannot be made.

    A place is found in it for every stop that can be come to.
    """
    refused: list[Unsupported] = []
    for level in (1, 2, 0):
        try:
            return _PlayOn(layout, alive, start, level).resumed()
        except TooMuch:
            raise
        except Unsupported as unsupported:
            refused.append(unsupported)
    raise refused[0]


def _otherwise(layout: Layout, alive: Liveness, start: Start, why: Unsupported) -> Games:
    """With more or with less known at each place than usual."""
    for level in (2, 0):
        try:
            return _Play(layout, alive, start, level).games()
        except Unsupported:
            continue
    raise why
