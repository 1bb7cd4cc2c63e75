"""The random streams of a game, for loops in which whole games are played.

All are started together, since their rounds do not wait for one another; then each lies in memory
for the functions of `random`.  Kept in locals they would push the state of the game out of the
registers: pig was a third slower.
"""

from typing import Final

from attrs import define, field

from compiler.lir.build import binary, num, sub
from compiler.lir.core import (
    WORD,
    Block,
    Break,
    Call,
    Expr,
    If,
    Load,
    Local,
    Loop,
    Number,
    Op,
    Set,
    Stmt,
    Store,
    Un,
    Unary,
)
from compiler.lir.random import BELOW, STREAM_BYTES
from compiler.lir.writer import Writer

_ROUNDS: Final = 15


def _word(value: int) -> Number:
    return Number(value, WORD)


def _add(left: Expr, right: Expr) -> Expr:
    return binary(Op.ADD, left, right)


def _state(stream: int) -> tuple[Local, Local, Local, Local]:
    """The words of a stream: a, b, c and the counter."""
    a, b, c, counter = (Local(f"{word}_{stream}", WORD) for word in ("a", "b", "c", "n"))
    return a, b, c, counter


def _round(stream: int, result: Local) -> list[Stmt]:
    """The next word, in `result`."""
    a, b, c, counter = _state(stream)
    rotated = binary(Op.OR, binary(Op.SHL, c, _word(21)), binary(Op.SHR, c, _word(11)))
    return [
        Set(result, _add(_add(a, b), counter)),
        Set(counter, _add(counter, _word(1))),
        Set(a, binary(Op.XOR, b, binary(Op.SHR, b, _word(9)))),
        Set(b, _add(c, binary(Op.SHL, c, _word(3)))),
        Set(c, _add(rotated, result)),
    ]


@define(eq=False)
class Streams:
    """The streams that a program draws from; `run` is where the state after the seed lies."""

    run: int
    used: dict[int, None] = field(factory=dict, init=False)

    def start(self, game_low: Local, game_high: Local) -> Block:
        """Starts those that are used, for a game."""
        numbers = sorted(self.used)
        if not numbers:
            return ()
        found: list[Stmt] = []
        for number in numbers:
            mixed: tuple[Expr, ...] = (game_low, game_high, _word(number))
            for at, word in enumerate(_state(number)):
                begin: Expr = Load(4, self.run + 4 * at, None, WORD)
                found.append(Set(word, binary(Op.XOR, begin, mixed[at]) if at < 3 else begin))
        left = Local("rounds")
        rounds = [stmt for number in numbers for stmt in _round(number, Local("word", WORD))]
        again = (
            *rounds,
            Set(left, sub(left, num(1))),
            If(Unary(Un.NOT, left), (Break("mix"),)),
        )
        stored = [
            Store(4, self._at(number) + 4 * at, None, word)
            for number in numbers
            for at, word in enumerate(_state(number))
        ]
        return (*found, Set(left, num(_ROUNDS)), Loop("mix", again), *stored)

    def below(self, writer: Writer, stream: int, count: Expr) -> Expr:
        """A number below `count`, which is known to be at least 1; nothing is drawn for 1."""
        self.used[stream] = None
        if count == num(1):
            return num(0)
        return writer.keep(Call(BELOW, (num(self._at(stream)), count)), "r")

    def _at(self, stream: int) -> int:
        """Where the state of a stream lies."""
        return self.run + STREAM_BYTES * (1 + stream)
