"""Small programs with results worked out by hand, on every machine that runs here."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from compiler.emit.wasm import emit
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
    Select,
    Set,
    Store,
    Switch,
    Trap,
    Un,
    Unary,
)
from compiler.lir.verify import verify
from compiler.lir.walk import parts
from ruleengine.compiled import wasm
from ruleengine.compiled.c import compiler
from ruleengine.compiled.machine import Machine, Stopped, Unavailable
from ruleengine.compiled.make import Made, Which, make_machine

N, J, S = Local("n"), Local("j"), Local("s")
W, V = Local("w", WORD), Local("v", WORD)
M, K = Local("m", MASK), Local("k", MASK)
LOW, HIGH = -(2**31), 2**31 - 1
WORDS, MASKS = 2**32, 2**64

HERE: tuple[Which, ...] = ("wasm", "python", "c") if compiler() else ("wasm", "python")


@pytest.fixture(params=HERE)
def which(request: pytest.FixtureRequest) -> Which:
    """A machine that runs here."""
    name: Which = request.param
    return name


def made(which: Which, *functions: Function, data: tuple[Data, ...] = ()) -> Made:
    """A machine for some functions and 64 bytes."""
    program = Program("small", functions, data, 64)
    verify(program)
    return make_machine(program, which)


def machine(which: Which, *functions: Function) -> Machine:
    """The same, alone."""
    return made(which, *functions).machine


def one(name: str, params: tuple[Local, ...], *body: Expr | Block) -> Function:
    """An exported function: statements, or an expression to give."""
    block = tuple(
        stmt for part in body for stmt in (part if isinstance(part, tuple) else (Return(part),))
    )
    returns = [part for part in body if not isinstance(part, tuple)]
    return Function(name, params, returns[0].kind if returns else INT, block, exported=True)


def plus(left: Expr, right: int) -> Expr:
    """A sum with a constant."""
    return Binary(Op.ADD, left, Number(right, left.kind))


OPERATORS: list[tuple[Expr, tuple[int, ...], int]] = [
    (Binary(Op.DIV, N, J), (7, 2), 3),
    (Binary(Op.DIV, N, J), (-7, 2), -4),
    (Binary(Op.DIV, N, J), (-8, 2), -4),
    (Binary(Op.MOD, N, J), (-7, 5), 3),
    (Binary(Op.MOD, N, J), (-10, 5), 0),
    (Binary(Op.MOD, N, J), (LOW, HIGH), HIGH - 1),
    (Binary(Op.DIV, N, Number(8)), (-1, 0), -1),
    (Binary(Op.DIV, N, Number(8)), (-8, 0), -1),
    (Binary(Op.MOD, N, Number(8)), (-1, 0), 7),
    (Binary(Op.MOD, N, Number(6)), (-1, 0), 5),
    (Binary(Op.LT, N, J), (-1, 1), 1),
    (Binary(Op.SHL, N, J), (-3, 2), -12),
    (Binary(Op.SHR, N, J), (HIGH, 30), 1),
    (Binary(Op.XOR, N, J), (-1, 5), -6),
    (Binary(Op.ADD, W, V), (WORDS - 1, 2), 1),
    (Binary(Op.SUB, W, V), (0, 1), WORDS - 1),
    (Binary(Op.MUL, W, V), (WORDS - 1, WORDS - 1), 1),
    (Binary(Op.SHL, W, V), (3, 31), 2**31),
    (Binary(Op.SHR, W, V), (2**31, 31), 1),
    (Binary(Op.LT, W, V), (WORDS - 1, 1), 0),
    (Binary(Op.DIV, W, V), (WORDS - 1, 2), 2**31 - 1),
    (Binary(Op.MOD, W, V), (WORDS - 6, 10), 0),
    (Unary(Un.FLIP, W), (5, 0), WORDS - 6),
    (Binary(Op.ADD, M, K), (MASKS - 1, 2), 1),
    (Binary(Op.MUL, M, K), (2**32 + 1, 2**32 + 1), 2**33 + 1),
    (Binary(Op.SHL, M, K), (3, 63), 2**63),
    (Binary(Op.SHR, M, K), (2**63, 63), 1),
    (Binary(Op.GT, M, K), (2**63, 1), 1),
    (Binary(Op.MOD, M, K), (MASKS - 1, 10), 5),
    (Binary(Op.AND, M, Unary(Un.FLIP, K)), (2**63 + 5, 4), 2**63 + 1),
    (Binary(Op.AND, Unary(Un.FLIP, M), Unary(Un.FLIP, K)), (0, 0), MASKS - 1),
    (Unary(Un.BITS, M), (MASKS - 1, 0), 64),
    (Unary(Un.LOWEST, M), (2**63, 0), 63),
    (Unary(Un.LOWEST, Binary(Op.ADD, M, K)), (8, 4), 2),
    (Unary(Un.HIGHEST, M), (2**63 + 1, 0), 63),
    (Unary(Un.HIGHEST, M), (1, 0), 0),
    (Unary(Un.NOT, M), (2**32, 0), 0),
    (Unary(Un.NOT, N), (0, 0), 1),
    (Binary(Op.EQ, M, Number(0, MASK)), (2**40, 0), 0),
    (Binary(Op.NE, M, Number(0, MASK)), (2**40, 0), 1),
    (Unary(Un.NOT, Unary(Un.NOT, N)), (7, 0), 1),
    (Unary(Un.MASK_TO_WORD, M), (2**63 + 9, 0), 9),
    (Unary(Un.INT_TO_MASK, N), (HIGH, 0), HIGH),
    (Unary(Un.WORD_TO_MASK, W), (WORDS - 1, 0), WORDS - 1),
    (Unary(Un.MASK_TO_INT, M), (HIGH, 0), HIGH),
    (Select(M, N, Number(9)), (2**63, 4), 4),
    (Select(N, Binary(Op.DIV, J, N), Number(-1)), (0, 4), -1),
    (Select(Binary(Op.LT, N, J), N, J), (5, -5), -5),
    (plus(Select(Unary(Un.NOT, N), Number(5), J), 1), (0, 3), 6),
]


def test_operators(which: Which) -> None:
    """Dividing rounds down, numbers wrap at 32 and 64 bits, the highest bit is no sign."""
    functions = [one(f"f{at}", used(expr), expr) for at, (expr, _, _) in enumerate(OPERATORS)]
    runs = machine(which, *functions)
    assert [result for _, _, result in OPERATORS] == [
        runs.call(f"f{at}", *args[: len(used(expr))])
        for at, (expr, args, _) in enumerate(OPERATORS)
    ]


def used(expr: Expr) -> tuple[Local, ...]:
    """The locals in an expression, in the order in which they appear."""
    return tuple(dict.fromkeys(part for part in parts(expr) if isinstance(part, Local)))


COMPARED = {
    Op.EQ: [0, 1, 0],
    Op.NE: [1, 0, 1],
    Op.LT: [1, 0, 0],
    Op.LE: [1, 1, 0],
    Op.GT: [0, 0, 1],
    Op.GE: [0, 1, 1],
}


def test_comparisons(which: Which) -> None:
    """Less, equal and greater are told apart, as a value, as a test, and denied."""
    functions = []
    for op in COMPARED:
        compared, denied = Binary(op, N, J), Unary(Un.NOT, Binary(op, N, J))
        yes, no = (Return(Number(1)),), (Return(Number(0)),)
        leaves = (Loop("once", (If(denied, (Break("once"),)), *yes)),)
        functions += [
            one(f"value{op.name}", (N, J), compared),
            one(f"test{op.name}", (N, J), (If(compared, yes, no),), Number(9)),
            one(f"denied{op.name}", (N, J), (If(denied, no, yes),), Number(9)),
            one(f"left{op.name}", (N, J), leaves, Number(0)),
        ]
    runs = machine(which, *functions)
    for op, expected in COMPARED.items():
        for way in ("value", "test", "denied", "left"):
            assert expected == [runs.call(f"{way}{op.name}", n, 0) for n in (-1, 0, 1)]


def test_memory(which: Which) -> None:
    """Memory is little-endian; narrow numbers have no sign, a word of four bytes may have one."""
    runs = machine(
        which,
        one("u8", (N,), Load(1, 1, N)),
        one("u16", (N,), Load(2, 0, Binary(Op.MUL, N, Number(2)))),
        one("i32", (), Load(4, 4)),
        one("u32", (), Load(4, 4, None, WORD)),
        one("u64", (N,), Load(8, 8, Binary(Op.SHL, N, Number(3)), MASK)),
        one("put", (N, M), (Store(1, 16, N, N), Store(2, 18, None, M), Store(4, 20, None, M)), N),
        one("wide", (M,), (Store(8, 24, None, M), Store(4, 32, None, Number(-2))), M),
    )
    runs.memory[:16] = bytes([1, 255, 254, 128, 255, 255, 255, 255, *range(8, 16)])
    assert (runs.call("u8", 0), runs.call("u8", 2), runs.call("u16", 1)) == (255, 128, 0x80FE)
    assert (runs.call("i32"), runs.call("u32")) == (-1, WORDS - 1)
    assert runs.call("u64", 0) == 0x0F0E0D0C0B0A0908

    runs.call("put", 1, 0x1_8765_4321)
    runs.call("wide", 2**63 + 1)
    assert runs.memory[16:36].hex() == "00012143214365870100000000000080feffffff"


def test_data(which: Which) -> None:
    """Memory begins as the program says, also in the next machine."""
    first = made(which, one("get", (), Load(2, 2)), data=(Data(1, b"\1\2\3"), Data(60, b"end!")))
    assert bytes(first.machine.memory) == b"\0\1\2\3" + bytes(56) + b"end!"

    first.machine.memory[2] = 9
    second = first.module.machine()
    assert (first.machine.call("get"), second.call("get")) == (0x309, 0x302)


def count_to(limit: Expr, name: str, *body: Block) -> Block:
    """A loop in which `j` runs from 1 up to a limit."""
    ends = If(Binary(Op.GE, J, limit), (Break(name),))
    return (Loop(name, (ends, Set(J, plus(J, 1)), *(s for block in body for s in block))),)


def test_loops(which: Which) -> None:
    """Loops are left and begun again from inside others."""
    adds = (Set(S, Binary(Op.ADD, S, J)),)
    odd = (If(Binary(Op.MOD, J, Number(2)), (), (Continue("up"),)),)
    inner = (
        Loop(
            "inner",
            (
                If(Binary(Op.GT, J, Number(6)), (Break("outer"),)),
                Set(J, plus(J, 1)),
                Loop(
                    "third",
                    (If(Binary(Op.MOD, J, Number(3)), (Continue("outer"),)), Break("inner")),
                ),
            ),
        ),
        Set(S, plus(S, 100)),
    )
    straight = Loop("in", (If(Binary(Op.MOD, J, Number(2)), (Continue("up"),), (Break("in"),)),))
    runs = machine(
        which,
        one("even", (N,), count_to(N, "up", (straight,), adds), S),
        one("sum", (N,), count_to(N, "up", adds), S),
        one("odd", (N,), count_to(N, "up", odd, adds), S),
        one("nested", (), (Loop("outer", inner),), Binary(Op.ADD, S, J)),
    )
    assert runs.call("sum", 100) == 5050
    assert runs.call("odd", 9) == 25
    assert runs.call("even", 9) == 20
    assert runs.call("nested") == 207


def test_switch(which: Which) -> None:
    """A case for each number, and one way for all others, negative ones too."""
    cases: tuple[Block, ...] = tuple((Return(Number(10 * n)),) for n in range(5))
    gaps: tuple[Block, ...] = ((Set(S, Number(1)),), (), cases[3], cases[3], (Set(S, Number(2)),))
    runs = machine(
        which,
        one("all", (N,), (Switch(N, cases, (Return(Number(-1)),)),), Number(-2)),
        one("gaps", (N,), (Switch(N, gaps),), S),
    )
    assert [runs.call("all", n) for n in (0, 1, 2, 3, 4, 5, -1)] == [0, 10, 20, 30, 40, -1, -1]
    assert [runs.call("gaps", n) for n in (0, 1, 2, 3, 4, 5, LOW)] == [1, 0, 30, 30, 2, 0, 0]


def test_calls(which: Which) -> None:
    """What is called works on the memory of all, from left to right, inlined or not."""
    step = (Store(4, 0, None, plus(Load(4, 0), 1)),)
    nexts = [
        Function(f"next{inline:d}", (), INT, (*step, Return(Load(4, 0))), inline=inline)
        for inline in (False, True)
    ]
    lists = [
        one(
            f"list{inline}",
            (),
            (Store(1, 8, Call(f"next{inline}", ()), Call(f"next{inline}", ())),),
            Binary(
                Op.SUB,
                Binary(Op.MUL, Load(4, 0), Call(f"next{inline}", ())),
                Binary(Op.MUL, Call(f"next{inline}", ()), Number(10)),
            ),
        )
        for inline in (0, 1)
    ]
    takes = Function("takes", (N, J), INT, (Return(Binary(Op.SUB, Binary(Op.MUL, N, N), J)),))
    pairs = [
        one(f"pair{inline}", (), Call("takes", (Call(f"next{inline}", ()),) * 2))
        for inline in (0, 1)
    ]
    kept = one("kept", (N,), (Set(S, Binary(Op.ADD, S, N)),), S)
    both = one("both", (N,), Binary(Op.MUL, Call("kept", (N,)), Call("kept", (plus(N, 1),))))
    for inline in (0, 1):
        runs = machine(which, *nexts, *lists, takes, *pairs, kept, both)
        assert runs.call(f"list{inline}") == 2 * 3 - 40
        assert runs.memory[9] == 2
        assert runs.call(f"pair{inline}") == 5 * 5 - 6
        assert runs.call("both", 4) == 20


def test_traps(which: Which) -> None:
    """A trap says its code, memory stays as it was, and the machine goes on."""
    stops = Function("stops", (N,), None, (If(N, (Trap(7),)), Trap(0)), inline=True)
    tries = (Store(1, 3, None, N), Do(Call("stops", (N,))))
    runs = machine(which, stops, one("try", (N,), tries, Number(1)), one("get", (), Load(1, 3)))
    for number, code in ((5, 7), (0, 0), (9, 7)):
        with pytest.raises(Stopped) as stopped:
            runs.call("try", number)
        assert (code, number) == (stopped.value.code, runs.call("get"))


@pytest.mark.parametrize("name", ["wasm", "python"])
def test_end_of_memory(name: Which) -> None:
    """Reading far behind the end stops without a code, and the machine goes on."""
    runs = machine(name, one("get", (N,), Load(1, 8, N)), one("trap", (), (Trap(5),), Number(1)))
    with pytest.raises(Stopped):
        runs.call("trap")
    with pytest.raises(Stopped) as stopped:
        runs.call("get", 10**6)
    assert (stopped.value.code, runs.call("get", 1)) == (None, 0)


def test_wrong_calls(which: Which) -> None:
    """Too many numbers, or too few, are refused."""
    runs = machine(which, one("same", (N,), N))
    for numbers in ((), (1, 2)):
        with pytest.raises(TypeError):
            runs.call("same", *numbers)


def test_public_calls() -> None:
    """Where the quick way into WebAssembly does not work, the documented one gives the same."""
    wide = one("wide", (M, N), Binary(Op.ADD, M, Unary(Un.INT_TO_MASK, N)))
    least = one("least", (), Number(LOW))
    none = Function("none", (), None, (Return(),), exported=True)
    stop = one("stop", (), (Trap(3),), N)
    program = Program("small", (wide, one("word", (W,), W), least, none, stop), (), 64)
    verify(program)
    for quick in (True, False):
        runs = wasm.module(program, emit(program), quick).machine()
        assert runs.call("wide", MASKS - 1, 2) == 1
        assert runs.call("wide", 2**63, 1) == 2**63 + 1
        assert runs.call("word", WORDS - 1) == WORDS - 1
        assert (runs.call("least"), runs.call("none")) == (LOW, 0)
        with pytest.raises(Stopped) as stopped:
            runs.call("stop")
        assert stopped.value.code == 3
    assert wasm.is_quick()


def test_threads(which: Which) -> None:
    """Machines of one module have memories of their own and may run at the same time."""
    total = (*count_to(N, "up", (Store(4, 0, None, Binary(Op.ADD, Load(4, 0), J)),)),)
    first = made(which, one("sum", (N,), total, Load(4, 0)))
    machines = [first.machine, first.module.machine()]
    with ThreadPoolExecutor() as pool:
        sums = list(pool.map(lambda runs, n: runs.call("sum", n), machines, (20000, 30000)))
    assert sums == [200010000, 450015000]


def test_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where WebAssembly does not load, generated Python runs, and that is told."""
    monkeypatch.delattr("ruleengine.compiled.wasm")
    monkeypatch.setitem(sys.modules, "ruleengine.compiled.wasm", None)
    fallback = made("auto", one("same", (N,), N))
    assert (fallback.machine.name, fallback.machine.call("same", 5)) == ("python", 5)
    assert "running generated Python instead" in fallback.why
    with pytest.raises(Unavailable):
        made("wasm", one("same", (N,), N))


def test_auto() -> None:
    """Where WebAssembly runs, it is taken, and there is nothing to tell."""
    chosen = made("auto", one("same", (N,), N))
    assert (chosen.machine.name, chosen.why) == ("wasm", "")
