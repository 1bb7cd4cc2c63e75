"""Programs that break a promise are refused, with the function and the statement."""

import pytest

from compiler.diagnostic import InternalError
from compiler.lir.core import (
    INT,
    MASK,
    WORD,
    Binary,
    Block,
    Break,
    Call,
    Continue,
    Data,
    Do,
    Function,
    If,
    Load,
    Local,
    Loop,
    Number,
    Op,
    Program,
    Return,
    Select,
    Set,
    Store,
    Switch,
    Trap,
    Un,
    Unary,
)
from compiler.lir.text import program_text
from compiler.lir.verify import verify

N, W, M = Local("n"), Local("w", WORD), Local("m", MASK)
ZERO, WIDE = Number(0), Number(0, MASK)
END = Return(ZERO)
LEFT = Function("half", (M,), INT, (END,))

BROKEN: list[tuple[Block, str]] = [
    ((Set(N, WIDE), END), "f at `n = 0x0m`: mask where int is asked for"),
    ((Set(N, Binary(Op.ADD, ZERO, WIDE)), END), "f at `n = 0 + 0x0m`: mask where int is asked"),
    ((Set(Local("m"), ZERO), END), "f at `m = 0`: m has two types"),
    ((Set(N, Number(2**31)), END), "f at `n = 2147483648`: 2147483648 is no int"),
    ((Set(W, Number(-1, WORD)), END), "-1 is no word"),
    ((Set(M, Number(2**64, MASK)), END), "is no mask"),
    ((Set(N, Unary(Un.BITS, ZERO)), END), "f at `n = bits 0`: `bits` takes no int"),
    ((Set(N, Unary(Un.FLIP, ZERO)), END), "`~` takes no int"),
    ((Set(N, Select(ZERO, ZERO, WIDE)), END), "mask where int is asked for"),
    ((Set(M, Binary(Op.SHL, WIDE, Number(64, MASK))), END), "a shift by 64"),
    ((Set(N, Binary(Op.DIV, ZERO, ZERO)), END), "a division by 0"),
    ((Set(N, Call("half", (WIDE, WIDE))), END), "half takes 1 numbers"),
    ((Set(N, Call("half", (ZERO,))), END), "int where mask is asked for"),
    ((Set(M, Call("half", (WIDE,), MASK)), END), "half gives no mask"),
    ((Do(Call("gone", ())), END), "f at `do gone()`: there is no function gone"),
    ((Do(Call("f", (WIDE,))), END), "calls f"),
    ((Do(Call("back", ())), END), "calls f"),
    ((Break("up"), END), "f at `break up`: stands in no loop of that name"),
    ((Loop("up", (Break("up"),)), Continue("up"), END), "stands in no loop of that name"),
    ((Loop("up", (Loop("up", (Break("up"),)),)), END), "a loop around it has the same name"),
    ((Switch(WIDE, ()), END), "mask where int is asked for"),
    ((Return(WIDE),), "f at `return 0x0m`: the function gives another type"),
    ((Return(),), "the function gives another type"),
    ((If(ZERO, (END,)),), "f: a way through it gives no result"),
    ((Loop("up", (If(ZERO, (Break("up"),)),)),), "a way through it gives no result"),
    ((Switch(ZERO, ((END,),)),), "a way through it gives no result"),
    ((Trap(-1),), "f at `trap -1`: no such code"),
    ((Store(4, 64, None, ZERO), END), "f at `i32[64] = 0`: 64 lies outside memory"),
    ((Store(8, 4, None, WIDE), END), "4 is no place for 8 bytes"),
    ((Store(8, 0, None, ZERO), END), "no int is 8 bytes wide"),
    ((Store(1, 0, WIDE, ZERO), END), "mask where int is asked for"),
    ((Set(N, Load(2, 1)), END), "1 is no place for 2 bytes"),
    ((Set(N, Load(1, -1)), END), "-1 is no place for 1 bytes"),
    ((Set(N, Load(8, 0)), END), "no int is 8 bytes wide"),
    ((Set(M, Load(4, 0, None, MASK)), END), "no mask is 4 bytes wide"),
]


def program(body: Block, memory: int = 64, data: tuple[Data, ...] = ()) -> Program:
    """A program with a function of one number, another one, and one that calls the first."""
    back = Function("back", (), None, (Do(Call("f", (WIDE,))),))
    return Program("broken", (Function("f", (M,), INT, body), LEFT, back), data, memory)


@pytest.mark.parametrize(("body", "complaint"), BROKEN, ids=[said for _, said in BROKEN])
def test_broken(body: Block, complaint: str) -> None:
    """A broken promise is told."""
    with pytest.raises(InternalError) as told:
        verify(program(body))
    assert complaint in str(told.value)


def test_broken_memory() -> None:
    """Memory has a size, and what it has at first lies in it."""
    for memory, data in ((0, ()), (2**32, ()), (8, (Data(6, b"abc"),)), (8, (Data(-1, b"a"),))):
        with pytest.raises(InternalError):
            verify(program((END,), memory, data))


def test_two_of_one_name() -> None:
    """Functions have names of their own, and so have parameters."""
    with pytest.raises(InternalError, match="two functions are called half"):
        verify(Program("two", (LEFT, LEFT), (), 8))
    with pytest.raises(InternalError, match="two parameters are called m"):
        verify(Program("two", (Function("g", (M, M), None, ()),), (), 8))


KEPT: list[Block] = [
    (Loop("up", (If(M, (END,)), Set(M, Load(8, 56, None, MASK)))),),
    (If(M, (END,), (Trap(0),)),),
    (Switch(ZERO, ((END,), (Trap(1),)), (END,)),),
    (Loop("up", (Break("up"),)), Loop("up", (Break("up"),)), END),
]


@pytest.mark.parametrize("body", KEPT, ids=str)
def test_kept(body: Block) -> None:
    """What keeps all promises is accepted."""
    verify(program(body))


def test_text() -> None:
    """A program is written so that people can read it."""
    loop = Loop("up", (If(Binary(Op.GE, N, Number(3)), (Break("up"),), (Continue("up"),)),))
    place = Binary(Op.MUL, N, Number(8))
    body = (
        Store(
            8, 8, place, Binary(Op.AND, Number(255, MASK), Unary(Un.FLIP, Load(8, 0, place, MASK)))
        ),
        loop,
        Switch(Call("g", (Number(1, WORD),)), ((Set(N, ZERO),), ()), (Trap(4),)),
        Return(Select(N, Load(4, 0), Load(1, 4, N))),
    )
    function = Function("f", (N,), INT, body, exported=True, note="what it is")
    written = Program("small", (function,), (Data(8, b"\1\2"),), 64)
    assert program_text(written) == TEXT


TEXT = """\
program small, 64 bytes
data 8: 0102

function f(n: int) -> int exported -- what it is
    u64[8 + (n * 8)] = 0xffm & (~u64[n * 8])
    loop up
        if n >= 3
            break up
        else
            continue up
    switch g(1w)
    case 0
        n = 0
    case 1
    otherwise
        trap 4
    return n ? i32[0] : u8[4 + n]
"""
