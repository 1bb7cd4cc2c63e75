"""A program that goes node by node and leaves a trace: what lay on the table whenever it drew.

At every draw, of a player or of chance, a number is kept that stands for who drew among how many,
for what lies where, and for what some variables hold, and for all that was so before.  So two games
with one trace went alike, and where traces differ first, games part.  Beside it, nodes can be
watched: whether a game came to them.

What was drawn is kept too, and a row of numbers can be put in the place of chance: so a play is
tried again, shortened or changed, by the machine alone.
"""

from collections.abc import Iterator
from typing import Final

from attrs import evolve, frozen

from compiler.graph.core import Shape, Variable
from compiler.lir.build import add, binary, choice, compare, num, sub, to_mask
from compiler.lir.core import (
    INT,
    MASK,
    WORD,
    Binary,
    Block,
    Break,
    Call,
    Do,
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
    Store,
    Trap,
    Un,
    Unary,
)
from compiler.lir.random import BELOW
from compiler.lir.reps import DEAD_END
from compiler.lir.stepwise.code import WIDTH
from compiler.lir.stepwise.plan import Plan
from compiler.lir.stepwise.program import Stepwise

MOST_DRAWS: Final = 1 << 14
"""Draws of a game that have a place of their own; all others share the last."""

TRACE_WIDTH: Final = 8

_PLAIN: Final = "_plain"  # behind the name of a function that another one stands in for
_NOTE: Final = "note_draw"
_FACTOR: Final = 0x9E3779B97F4A7C15  # odd, and its bits are evenly spread
_HASH = Local("hash", MASK)
_SUM, _ONE = Local("sum", MASK), Local("one", MASK)
_AT, _COUNT, _MANY = Local("at"), Local("count"), Local("many")
_LIST, _TOKEN = Local("list"), Local("token")
_STREAM = Local("stream")
_NUMBER = Local("number")
_NUMBER_WIDTH: Final = 4

FORCED: Final = -1
"""In the place of what came of a draw: there was one way."""

RANDOM: Final = -1
"""In the place of a number of draws: chance decides, and games are played to their end."""


@frozen
class Compared:
    """What a trace tells of: contents of places or, without `tokens`, how many lie there; slots."""

    places: tuple[int, ...]
    variables: tuple[Variable, ...]
    tokens: bool = True


@frozen(eq=False)
class Traced:
    """The program, and where its trace is.

    Before a game the host writes zeros from `begin` to `trace`.  Behind it there are the hash of
    all draws, at `draws` their number, at `taken` how many of them left something to draw, at
    `seen` a byte for each node, 1 if it was come to, and at `trace` a hash of eight bytes for each
    draw.  What traces tell is written to `tables`.

    `numbers` has what came of each draw, in four bytes, `FORCED` where there was one way.  The host
    writes numbers to `tape` and to `asked` how many: they are brought into range and taken, and at
    the draw behind them the machine stops; `RANDOM` if there are none.
    """

    stepwise: Stepwise
    begin: int
    draws: int
    seen: int
    trace: int
    numbers: int
    tape: int
    asked: int
    tables: "Tables"


def traced(stepwise: Stepwise, watched: frozenset[int]) -> Traced:
    """The program with its trace, which tells of nothing until it is written what it tells."""
    program = stepwise.games.program
    begin = -(-program.memory // 8) * 8
    draws, taken, seen = begin + 8, begin + 12, begin + 16
    nodes = len(stepwise.plan.graph.nodes)
    trace = -(-(seen + nodes) // 8) * 8
    numbers = trace + TRACE_WIDTH * MOST_DRAWS
    tape = numbers + _NUMBER_WIDTH * MOST_DRAWS
    asked = tape + _NUMBER_WIDTH * MOST_DRAWS
    tables = Tables.of(stepwise.plan, asked + 8)
    note = _note(stepwise.plan, tables, begin, draws, trace)
    below = _below(draws, taken, numbers, tape, asked)
    names = {BELOW: below, **{f"n{node}": _watched(node, seen) for node in watched}}
    functions: list[Function] = [note]
    for function in program.functions:
        instead = names.pop(function.name, None)
        if instead is None:
            functions.append(function)
        else:
            functions += [evolve(function, name=function.name + _PLAIN), instead]
    assert not names, "nothing would be traced"
    made = Program(
        program.name,
        tuple(functions),
        program.data,
        -(-tables.end // 8) * 8,
    )
    kept = evolve(stepwise, games=evolve(stepwise.games, program=made))
    return Traced(kept, begin, draws, seen, trace, numbers, tape, asked, tables)


def _below(draws: int, taken: int, numbers: int, tape: int, asked: int) -> Function:
    """Draws, or takes the number that is asked for; notes it before and keeps what came."""
    at = binary(Op.MUL, _COUNT, num(_NUMBER_WIDTH))
    wanted = Load(4, asked, None, INT)
    next_ = binary(Op.MUL, _AT, num(_NUMBER_WIDTH))
    body: Block = (
        Set(_COUNT, Load(4, draws, None, INT)),
        Do(Call(_NOTE, (_STREAM, _MANY))),
        If(
            compare(Op.LE, _MANY, num(1)),
            (Store(4, numbers, at, num(FORCED)), Return(num(0))),
        ),
        Set(_AT, Load(4, taken, None, INT)),
        If(
            compare(Op.LT, wanted, num(0)),
            (Set(_NUMBER, Call(BELOW + _PLAIN, (_STREAM, _MANY))),),
            (
                If(compare(Op.GE, _AT, wanted), (Trap(DEAD_END),)),
                Set(_NUMBER, binary(Op.MOD, Load(4, tape, next_, INT), _MANY)),
            ),
        ),
        Store(4, taken, None, add(_AT, num(1))),
        Store(4, numbers, at, _NUMBER),
        Return(_NUMBER),
    )
    return Function(BELOW, (_STREAM, _MANY), INT, body)


def _watched(node: int, seen: int) -> Function:
    """A node that notes that it was come to."""
    body = (Store(1, seen + node, None, num(1)), Return(Call(f"n{node}{_PLAIN}", ())))
    return Function(f"n{node}", (), INT, body)


@frozen
class Tables:
    """Addresses of what traces tell, kept behind them: how many there are, then one by one.

    There are five tables: lists with an order, lists without one, lists of which only the length
    is told, words, and lists of words.
    """

    plan: Plan
    begins: tuple[int, ...]
    end: int

    @classmethod
    def of(cls, plan: Plan, begin: int) -> "Tables":
        """Room for all places and all variables of a game."""
        places = len(plan.graph.places)
        slots = sum(variable.size for variable in plan.graph.variables)
        begins, end = [], begin
        for most in (places, places, places, slots, slots):
            begins.append(end)
            end += WIDTH * (1 + most)
        return cls(plan, tuple(begins), end)

    def told(self, compared: Compared) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The words to write, and where, for traces to tell this."""
        plan = self.plan
        found: tuple[list[int], ...] = ([], [], [], [], [])
        rows, sets, lengths, words, lists = found
        for at in compared.places:
            is_set = plan.graph.places[at].shape is Shape.SET
            which = lengths if not compared.tokens else sets if is_set else rows
            which.append(plan.lying[at])
        for variable in compared.variables:
            home = plan.homes[variable]
            some = [home.address + member * home.stride for member in range(variable.size)]
            (words if home.room is None else lists).extend(some)
        for begin, addresses in zip(self.begins, found, strict=True):
            yield begin, (len(addresses), *addresses)


def _note(plan: Plan, tables: Tables, begin: int, draws: int, trace: int) -> Function:
    """Adds a draw to the trace."""
    asked = add(binary(Op.MUL, _STREAM, num(1 << 16)), _MANY)
    rows, sets, lengths, words, lists = tables.begins
    element = Load(4, 0, add(_LIST, binary(Op.MUL, _COUNT, num(WIDTH))), WORD)
    count = Load(4, draws, None, INT)
    body: tuple[Stmt, ...] = (
        Set(_HASH, Load(8, begin, None, MASK)),
        _mix(_HASH, to_mask(asked)),
        *_each_list(rows, _in_order(plan)),
        *_each_list(sets, _in_any_order(plan)),
        *_each_list(lengths, ()),
        *_each(words, (_mix(_HASH, _wide(Load(4, 0, _LIST, WORD))),)),
        *_each_list(lists, _members((_mix(_HASH, _wide(element)),))),
        Store(8, begin, None, _HASH),
        Set(_COUNT, count),
        Store(8, trace, binary(Op.MUL, _COUNT, num(TRACE_WIDTH)), _HASH),
        If(
            compare(Op.LT, _COUNT, num(MOST_DRAWS - 1)),
            (Store(4, draws, None, add(_COUNT, num(1))),),
        ),
    )
    return Function(_NOTE, (_STREAM, _MANY), None, body)


def _each(table: int, inside: Block) -> Block:
    """Goes through the addresses of a table."""
    at = binary(Op.MUL, _AT, num(WIDTH))
    body = (
        If(compare(Op.GE, _AT, Load(4, table, None, INT)), (Break("table"),)),
        Set(_LIST, Load(4, table + WIDTH, at, INT)),
        *inside,
        Set(_AT, add(_AT, num(1))),
    )
    return (Set(_AT, num(0)), Loop("table", body))


def _each_list(table: int, inside: Block) -> Block:
    """Mixes in how long each list of a table is, then what is inside."""
    length = Load(4, 0, _LIST, INT)
    return _each(table, (Set(_COUNT, length), _mix(_HASH, _wide(Load(4, 0, _LIST, WORD))), *inside))


def _in_order(plan: Plan) -> Block:
    """Mixes in the tokens of a list one by one."""
    step = (Set(_TOKEN, _next()), *_look(plan), _mix(_HASH, _ONE))
    return _members(step)


def _in_any_order(plan: Plan) -> Block:
    """Mixes in the tokens of a list together."""
    scattered = (
        Set(_TOKEN, _next()),
        *_look(plan),
        _mix(_ONE, Number(0, MASK)),
        _mix(_ONE, Number(0, MASK)),
    )
    step = (*scattered, Set(_SUM, binary(Op.ADD, _SUM, _ONE)))
    return (Set(_SUM, Number(0, MASK)), *_members(step), _mix(_HASH, _SUM))


def _members(step: Block) -> Block:
    """Goes through a list from its end."""
    body = (
        If(compare(Op.LE, _COUNT, num(0)), (Break("members"),)),
        *step,
        Set(_COUNT, sub(_COUNT, num(1))),
    )
    return (Loop("members", body),)


def _next() -> Expr:
    """The element at the end that is left."""
    return Load(4, 0, add(_LIST, binary(Op.MUL, _COUNT, num(WIDTH))), INT)


def _look(plan: Plan) -> Block:
    """What a token is to somebody who sees everything: kind, face, flags."""
    at = binary(Op.MUL, _TOKEN, num(WIDTH))
    kind = add(Load(4, plan.kind, at, INT), num(1))  # none is 0
    front = add(binary(Op.MUL, kind, num(2)), choice(Load(4, plan.face, at, INT), num(1), num(0)))
    flags = to_mask(Load(4, plan.flags, at, INT))
    return (Set(_ONE, binary(Op.OR, binary(Op.SHL, to_mask(front), Number(32, MASK)), flags)),)


def _wide(word: Expr) -> Expr:
    return Unary(Un.WORD_TO_MASK, word)


def _mix(into: Local, value: Expr) -> Stmt:
    """Takes a number into a hash, so that each of its bits reaches many."""
    high = Binary(Op.SHR, into, Number(29, MASK))
    return Set(
        into,
        Binary(Op.MUL, Binary(Op.XOR, Binary(Op.XOR, into, high), value), Number(_FACTOR, MASK)),
    )
