"""Whole programs: all situations of a game, or sequences of moves counted by their number."""

from typing import Final

from attrs import frozen

from compiler.lir.core import Data, Function, Program
from compiler.lir.exploring.breadth import Finding
from compiler.lir.exploring.perft import Counting
from compiler.lir.exploring.summing import Summing
from compiler.lir.exploring.table import SPARE, Desk, Ground, Key

LARGEST: Final = (1 << 31) - (1 << 17)
"""Bytes that addresses reach."""

_WAYS: Final = 8 * 8  # the share of memory for ways, eight bytes each, is the eighth part


@frozen(eq=False)
class Moves:
    """The moves of one game: functions, the memory they need, where the host finds what.

    `expand(record)` makes every move of a situation, `moves(record)` only counts them.  `scores`
    are told behind the winners where a game ends.
    """

    name: str
    functions: tuple[Function, ...]
    end: int  # of the memory that they need
    data: tuple[Data, ...]
    key: Key
    desk: Desk
    scores: int


@frozen(eq=False)
class Exploring:
    """A program that goes through situations, and where it keeps them."""

    program: Program
    finding: Finding
    summing: Summing


@frozen(eq=False)
class Perft:
    """A program that counts sequences of moves, and where it keeps the counts."""

    program: Program
    counting: Counting


def exploring(moves: Moves, limit: int, largest: int = LARGEST) -> Exploring:
    """The program that goes through up to `limit` situations, in up to `largest` bytes."""
    ground = Ground(moves.end)
    room = min(limit + SPARE, largest // _WAYS)
    summing = Summing.of(ground, room, is_scored=moves.scores > 0)
    finding = Finding.of(ground, moves.key, moves.desk, limit, largest)
    functions = (*finding.functions(), *summing.functions(finding.starts, finding.rows))
    return Exploring(_program(moves, functions, ground), finding, summing)


def counting(moves: Moves) -> Perft:
    """The program that counts sequences of moves."""
    ground = Ground(moves.end)
    counted = Counting.of(ground, moves.key, moves.desk)
    return Perft(_program(moves, counted.functions(), ground), counted)


def _program(moves: Moves, around: tuple[Function, ...], ground: Ground) -> Program:
    functions = (*around, *moves.functions)
    return Program(moves.name, functions, moves.data, ground.room(0))
