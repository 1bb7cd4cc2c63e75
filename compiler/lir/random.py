"""The random streams of `docs/decisions/002-random-streams.md` in the low-level form.

A stream is four `WORD`s in memory, at a multiple of four: a, b, c and the counter.  A program that
draws takes in `FUNCTIONS` and calls them by the names below.

A batch calls `SEED_RUN` once; every stream of every game then begins with `START_STREAM`, which
takes up the state that this left.  `SEED_STREAM` does both, for a single game.
"""

from typing import Final

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
    Return,
    Set,
    Store,
    Un,
    Unary,
)

SEED_RUN: Final = "seed_run"
"""`(address, seed_low, seed_high)`: the state after the seed, where all streams of a run begin."""

START_STREAM: Final = "start_stream"
"""`(address, run, game_low, game_high, stream)`: a stream, of a run whose state is at `run`."""

SEED_STREAM: Final = "seed_stream"
"""`(address, seed_low, seed_high, game_low, game_high, stream)`: a stream, from its full name."""

NEXT32: Final = "next32"
"""`(address) -> WORD`: the next word."""

BELOW: Final = "below"
"""`(address, n: INT) -> INT`: from 0 up to n - 1, each as likely; nothing is drawn if n is 1."""

STREAM_BYTES: Final = 16

_REDRAWN: Final = "below_redrawn"
_START: Final = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 1)
_ROUNDS: Final = 15

_AT = Local("address")
_N = Local("n")
_STATE = tuple(Local(name, WORD) for name in ("a", "b", "c", "counter"))
_A, _B, _C, _COUNTER = _STATE
_RESULT = Local("result", WORD)


def _word(value: int) -> Number:
    return Number(value, WORD)


def _add(left: Expr, right: Expr) -> Expr:
    return Binary(Op.ADD, left, right)


def _xor(left: Expr, right: Expr) -> Expr:
    return Binary(Op.XOR, left, right)


def _loaded(address: Expr) -> Block:
    return tuple(Set(word, Load(4, 4 * i, address, WORD)) for i, word in enumerate(_STATE))


def _stored(address: Expr) -> Block:
    return tuple(Store(4, 4 * i, address, word) for i, word in enumerate(_STATE))


def _round() -> Block:
    """One round on the state in locals; `result` is what it gives."""
    rotated = Binary(Op.OR, Binary(Op.SHL, _C, _word(21)), Binary(Op.SHR, _C, _word(11)))
    return (
        Set(_RESULT, _add(_add(_A, _B), _COUNTER)),
        Set(_COUNTER, _add(_COUNTER, _word(1))),
        Set(_A, _xor(_B, Binary(Op.SHR, _B, _word(9)))),
        Set(_B, _add(_C, Binary(Op.SHL, _C, _word(3)))),
        Set(_C, _add(rotated, _RESULT)),
    )


def _mixed(words: tuple[Local, ...]) -> Block:
    """Words mixed into the state in locals, so that each of their bits reaches all of it."""
    left = Local("rounds")
    absorbed = tuple(Set(part, _xor(part, word)) for part, word in zip(_STATE, words, strict=False))
    again = (
        *_round(),
        Set(left, Binary(Op.SUB, left, Number(1))),
        If(Unary(Un.NOT, left), (Break("mix"),)),
    )
    return (*absorbed, Set(left, Number(_ROUNDS)), Loop("mix", again))


def _seed_run() -> Function:
    seed = Local("seed_low", WORD), Local("seed_high", WORD)
    begin = tuple(Set(part, _word(value)) for part, value in zip(_STATE, _START, strict=True))
    return Function(SEED_RUN, (_AT, *seed), None, (*begin, *_mixed(seed), *_stored(_AT)))


def _start_stream() -> Function:
    run = Local("run")
    name = Local("game_low", WORD), Local("game_high", WORD), Local("stream", WORD)
    body = (*_loaded(run), *_mixed(name), *_stored(_AT))
    return Function(START_STREAM, (_AT, run, *name), None, body)


def _seed_stream() -> Function:
    seed = Local("seed_low", WORD), Local("seed_high", WORD)
    name = Local("game_low", WORD), Local("game_high", WORD), Local("stream", WORD)
    body = (Do(Call(SEED_RUN, (_AT, *seed))), Do(Call(START_STREAM, (_AT, _AT, *name))))
    return Function(SEED_STREAM, (_AT, *seed, *name), None, body)


def _next32() -> Function:
    body = (*_loaded(_AT), *_round(), *_stored(_AT), Return(_RESULT))
    return Function(NEXT32, (_AT,), WORD, body, inline=True)


_PRODUCT = Local("product", MASK)


def _drawn() -> Expr:
    """A word times n: above 32 bits the number, below them what tells whether it is fair."""
    word = Unary(Un.WORD_TO_MASK, Call(NEXT32, (_AT,), WORD))
    return Binary(Op.MUL, word, Unary(Un.INT_TO_MASK, _N))


def _below() -> Function:
    low = Unary(Un.MASK_TO_WORD, _PRODUCT)
    body = (
        If(Binary(Op.EQ, _N, Number(1)), (Return(Number(0)),)),
        Set(_PRODUCT, _drawn()),
        If(
            Binary(Op.LT, low, Unary(Un.INT_TO_WORD, _N)),
            (Set(_PRODUCT, Call(_REDRAWN, (_AT, _N, _PRODUCT), MASK)),),
        ),
        Return(Unary(Un.MASK_TO_INT, Binary(Op.SHR, _PRODUCT, Number(32, MASK)))),
    )
    return Function(BELOW, (_AT, _N), INT, body, inline=True)


def _redrawn() -> Function:
    """Goes on drawing until the number is fair; seldom needed, hence a function of its own."""
    bound, refused = Local("bound", WORD), Local("refused", WORD)
    body = (
        Set(bound, Unary(Un.INT_TO_WORD, _N)),
        Set(refused, Binary(Op.MOD, Binary(Op.SUB, _word(0), bound), bound)),
        Loop(
            "draw",
            (
                If(
                    Binary(Op.GE, Unary(Un.MASK_TO_WORD, _PRODUCT), refused),
                    (Return(_PRODUCT),),
                ),
                Set(_PRODUCT, _drawn()),
            ),
        ),
    )
    return Function(_REDRAWN, (_AT, _N, _PRODUCT), MASK, body)


FUNCTIONS: Final = (
    _seed_run(),
    _start_stream(),
    _seed_stream(),
    _next32(),
    _below(),
    _redrawn(),
)
"""All of them, for a program to take in; what is not called costs a few bytes."""
