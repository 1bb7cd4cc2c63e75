"""What a program tells of the games it plays: totals over all, and a row for each if one asks."""

from typing import Final

from attrs import frozen

from compiler.lir.build import NO, add, binary, both, choice, compare, num, sub, to_mask
from compiler.lir.core import (
    MASK,
    WORD,
    Call,
    Do,
    Expr,
    Function,
    If,
    Load,
    Local,
    Op,
    Program,
    Set,
    Stmt,
    Store,
)
from compiler.lir.random import SEED_RUN

RESULTS: Final = 512
"""Where the totals are."""

GAMES, DECISIONS, DRAWS, NODES, DRAWN, UNFINISHED, FEWEST, MOST, UNSCORED = range(9)
"""Numbers at `RESULTS`, eight bytes each; then wins by seat, then sums of scores by seat."""

TOTALS: Final = 9

IS_DRAW: Final = 1 << 16
IS_UNSCORED: Final = 1 << 17
"""Beside the mask of winners: whether a game is a draw, and has no scores though others have."""

ROWS: Final = 256
"""Rows that fit the buffer for single games."""

_ROW = Local("row")


def row_bytes(seats: int) -> int:
    """How long a row is."""
    return 20 + 4 * seats


@frozen
class Addresses:
    """Where things are in the memory of a program."""

    state: int
    rows: int
    row_bytes: int
    memory: int


@frozen(eq=False)
class Games:
    """A program that plays games, and where its results are.

    `playouts(game_low, game_high, count, rows, limit)` plays games from a number on; `rows` is 1 if
    each is to be told in a row: how it ended, winners with `IS_DRAW` and `IS_UNSCORED`, decisions,
    draws and nodes, scores; four bytes each.  `seed(low, high)` comes first.  A game is finished if
    it ends within `limit` nodes.
    """

    program: Program
    addresses: Addresses
    seats: int
    scored: bool
    places: int
    score_low: int


@frozen
class Told:
    """What is known of a game that is over: numbers, and truths; `winners` are -1 if it is not."""

    winners: Expr
    is_draw: Expr
    decisions: Expr
    draws: Expr
    nodes: Expr
    scores: tuple[Expr, ...]  # empty where there are none
    least_score: int
    unscored: Expr = NO  # whether this one has none, though others have

    def told(self, seats: int, rows: int, wanted: Expr) -> list[Stmt]:
        """Adds it to the totals; writes a row if that is wanted."""
        unfinished = compare(Op.LT, self.winners, num(0))
        counts: list[Stmt] = [
            _count(GAMES, num(1)),
            _count(DECISIONS, self.decisions),
            _count(DRAWS, self.draws),
            _count(NODES, self.nodes),
            _count(DRAWN, self.is_draw),
            _least(FEWEST, self.decisions),
            _greatest(MOST, self.decisions),
        ]
        if self.unscored != NO:
            counts.append(_count(UNSCORED, self.unscored))
        for seat in range(seats):
            won = binary(Op.SHR, both(self.winners, num(1 << seat)), num(seat))
            counts.append(_count(TOTALS + seat, choice(self.is_draw, num(0), won)))
        for seat, score in enumerate(self.scores):
            above = sub(score, num(self.least_score))
            counts.append(_count(TOTALS + seats + seat, choice(self.unscored, num(0), above)))
        return [
            If(unfinished, (_count(UNFINISHED, num(1)),), tuple(counts)),
            If(wanted, tuple(self._row(seats, rows, unfinished))),
        ]

    def _row(self, seats: int, rows: int, unfinished: Expr) -> list[Stmt]:
        outcome = add(self.winners, binary(Op.MUL, self.is_draw, num(IS_DRAW)))
        outcome = add(outcome, binary(Op.MUL, self.unscored, num(IS_UNSCORED)))
        values = (
            unfinished,
            choice(unfinished, num(0), outcome),
            self.decisions,
            self.draws,
            self.nodes,
            *self.scores,
        )
        stores = [Store(4, rows + 4 * at, _ROW, value) for at, value in enumerate(values)]
        return [*stores, Set(_ROW, add(_ROW, num(row_bytes(seats))))]


def _count(number: int, by: Expr) -> Stmt:
    at = RESULTS + 8 * number
    return Store(8, at, None, add(Load(8, at, None, MASK), to_mask(by)))


def _least(number: int, value: Expr) -> Stmt:
    at = RESULTS + 8 * number
    wide = to_mask(value)
    held = Load(8, at, None, MASK)
    return If(compare(Op.LT, wide, held), (Store(8, at, None, wide),))


def _greatest(number: int, value: Expr) -> Stmt:
    at = RESULTS + 8 * number
    wide = to_mask(value)
    held = Load(8, at, None, MASK)
    return If(compare(Op.GT, wide, held), (Store(8, at, None, wide),))


def seeding(run: int) -> Function:
    """Takes up the seed of a run: `run` is where the state after it lies."""
    low, high = Local("low", WORD), Local("high", WORD)
    body = (Do(Call(SEED_RUN, (num(run), low, high))),)
    return Function("seed", (low, high), None, body, exported=True)
