"""Programs that nobody wrote, which keep all promises: no overflow, no end of memory, an end."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from attrs import Factory, define, field
from hypothesis import strategies as st

from compiler.lir.core import (
    COMPARISONS,
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
    Kind,
    Load,
    Local,
    Loop,
    Number,
    Op,
    Program,
    Return,
    Select,
    Set,
    Stmt,
    Store,
    Switch,
    Trap,
    Un,
    Unary,
)

T = TypeVar("T")

MEMORY = 64
EDGES = {
    INT: (0, 1, -1, 2, 7, 8, 255, 256, -(2**31), 2**31 - 1),
    WORD: (0, 1, 9, 2**31, 2**32 - 1),
    MASK: (0, 1, 2**32, 2**62, 2**63, 2**64 - 1),
}
LIMITS = {INT: (-(2**31), 2**31 - 1), WORD: (0, 2**32 - 1), MASK: (0, 2**64 - 1)}
LOCALS = {kind: tuple(Local(f"{kind.value}{number}", kind) for number in range(2)) for kind in Kind}
KINDS = (INT, WORD, MASK)
WHOLE = (Op.AND, Op.OR, Op.XOR)
MODULAR = (Op.ADD, Op.SUB, Op.MUL, *WHOLE, Op.DIV, Op.MOD, Op.SHL, Op.SHR)
BITS = {INT: 31, WORD: 32, MASK: 64}


@define
class Choices:
    """Choices read from bytes: one draw for a whole program.  Behind the end all are zero."""

    tape: Iterator[int]

    def upto(self, highest: int) -> int:
        """A number from 0 up to at most 255."""
        return next(self.tape, 0) % (highest + 1)

    def pick(self, options: Sequence[T]) -> T:
        """One of several; shrinks to the first."""
        return options[self.upto(len(options) - 1)]

    def number(self, kind: Kind) -> int:
        """A number of a type, often at an edge."""
        if self.upto(2):
            return self.pick(EDGES[kind])
        low, high = LIMITS[kind]
        raw = bytes(self.upto(255) for _ in range(8))
        return low + int.from_bytes(raw, "big") % (high - low + 1)


@define
class Expressions(Choices):
    """Makes expressions that call some functions."""

    functions: tuple[Function, ...]

    def leaf(self, kind: Kind) -> Expr:
        """A variable, set or not, or a constant."""
        if self.upto(2):
            return self.pick(LOCALS[kind])
        return Number(self.number(kind), kind)

    def expr(self, kind: Kind, depth: int) -> Expr:
        """An expression of a type."""
        if depth <= 0:
            return self.leaf(kind)
        match self.upto(8):
            case 0:
                return self.leaf(kind)
            case 1:
                width = self.pick({INT: (1, 2, 4), WORD: (4,), MASK: (8,)}[kind])
                return Load(width, *self.address(width, depth), kind)
            case 2:
                test = self.expr(self.pick(KINDS), depth - 1)
                return Select(test, self.expr(kind, depth - 1), self.expr(kind, depth - 1))
            case 3:
                fitting = [f for f in self.functions if f.result is kind]
                return self.call(self.pick(fitting), depth) if fitting else self.leaf(kind)
            case 4 | 5:
                return self.unary(kind, depth - 1)
            case _:
                return self.binary(kind, depth - 1)

    def address(self, width: int, depth: int) -> tuple[int, Expr | None]:
        """A place in memory: fixed, a row of numbers, or any multiple of the width."""
        base = width * self.upto(MEMORY // width // 2 - 1)
        rows = MEMORY // width // 2 - 1
        place = Binary(Op.AND, self.expr(INT, depth - 1), Number(rows))
        match self.upto(3):
            case 0:
                return base, None
            case 1:
                return base, Binary(Op.MUL, place, Number(width))
            case 2:
                return base, Binary(Op.SHL, place, Number(width.bit_length() - 1))
            case _:
                return base, Binary(Op.AND, self.expr(INT, depth - 1), Number(rows * width))

    def call(self, function: Function, depth: int) -> Call:
        """A call of a function with a result, or of one without in a `Do`."""
        args = tuple(self.expr(local.kind, depth - 1) for local in function.params)
        return Call(function.name, args, function.result or INT)

    def below(self, kind: Kind, bits: int, depth: int) -> Expr:
        """A number below a power of two."""
        return Binary(Op.AND, self.expr(kind, depth), Number((1 << bits) - 1, kind))

    def binary(self, kind: Kind, depth: int) -> Expr:
        """An operator on two numbers, within what it promises."""
        op = self.pick((*MODULAR, *(COMPARISONS_IN_ORDER if kind is INT else ())))
        if op in COMPARISONS:
            side = self.pick(KINDS)
            return Binary(op, self.expr(side, depth), self.expr(side, depth))
        right = self.right(op, kind, depth)
        if kind is not INT or op in (*WHOLE, Op.DIV, Op.MOD):
            return Binary(op, self.expr(kind, depth), right)
        if op is Op.SHR:
            return Binary(op, self.below(INT, 31, depth), right)
        if op is Op.SHL:
            return Binary(op, self.below(INT, 8, depth), self.below(INT, 4, depth))
        apart = Binary(Op.MOD, self.expr(INT, depth), Number(30000))
        signed = self.pick((apart, Binary(Op.SUB, apart, Number(20000))))
        return Binary(op, signed, self.below(INT, 15, depth))

    def right(self, op: Op, kind: Kind, depth: int) -> Expr:
        """What an operator takes on its right-hand side."""
        known = self.upto(1) == 0
        if op in (Op.DIV, Op.MOD):
            if known:
                return Number(self.pick((1, 2, 3, 8, 1000)), kind)
            return Binary(Op.ADD, self.below(kind, 4, depth), Number(1, kind))
        if op in (Op.SHL, Op.SHR):
            count = self.upto(BITS[kind] - 1)
            return Number(count, kind) if known else self.below(kind, 4, depth)
        return self.expr(kind, depth)

    def unary(self, kind: Kind, depth: int) -> Expr:
        """An operator on one number, within what it promises."""
        op = self.pick({INT: INTS, WORD: WORDS, MASK: MASKS}[kind])
        match op:
            case Un.NOT:
                return Unary(op, self.expr(self.pick(KINDS), depth))
            case Un.FLIP:
                return Unary(op, self.expr(kind, depth))
            case Un.LOWEST | Un.HIGHEST:
                bit = Number(1 << self.upto(63), MASK)
                return Unary(op, Binary(Op.OR, self.expr(MASK, depth), bit))
            case Un.MASK_TO_INT:
                return Unary(op, self.below(MASK, 31, depth))
            case Un.WORD_TO_INT:
                return Unary(op, self.below(WORD, 31, depth))
            case Un.INT_TO_MASK | Un.INT_TO_WORD:
                return Unary(op, self.below(INT, 31, depth))
            case Un.WORD_TO_MASK:
                return Unary(op, self.expr(WORD, depth))
            case Un.BITS | Un.MASK_TO_WORD:
                return Unary(op, self.expr(MASK, depth))


COMPARISONS_IN_ORDER = (Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE)
INTS = (Un.NOT, Un.BITS, Un.LOWEST, Un.HIGHEST, Un.MASK_TO_INT, Un.WORD_TO_INT)
WORDS = (Un.FLIP, Un.INT_TO_WORD, Un.MASK_TO_WORD)
MASKS = (Un.FLIP, Un.INT_TO_MASK, Un.WORD_TO_MASK)


@define
class Statements(Expressions):
    """Makes the statements of one function."""

    result: Kind | None = field(kw_only=True)
    made: int = 0  # loops so far
    around: list[str] = Factory(list)

    def block(self, depth: int) -> Block:
        """A few statements."""
        return tuple(stmt for _ in range(self.upto(3)) for stmt in self.stmts(depth))

    def stmts(self, depth: int) -> tuple[Stmt, ...]:
        """A statement, or a loop with what it needs before."""
        match self.upto(9 if depth else 4):
            case 0 | 1:
                local = self.pick(LOCALS[self.pick(KINDS)])
                return (Set(local, self.expr(local.kind, self.upto(3))),)
            case 2 | 3:
                width = self.pick((1, 2, 4, 8))
                kind = MASK if width == 8 else self.pick(KINDS)
                return (Store(width, *self.address(width, 2), self.expr(kind, 2)),)
            case 4:
                return (self.leaving(),)
            case 5:
                test = self.expr(self.pick(KINDS), 2)
                return (If(test, self.block(depth - 1), self.block(depth - 1)),)
            case 6:
                shared = self.block(depth - 1)
                cases = tuple(
                    self.pick((shared, ())) if self.upto(1) else self.block(depth - 1)
                    for _ in range(self.upto(4))
                )
                otherwise = self.block(depth - 1)
                return (Switch(Binary(Op.MOD, self.expr(INT, 1), Number(6)), cases, otherwise),)
            case 7 if self.functions:
                return (Do(self.call(self.pick(self.functions), 2)),)
            case _:
                return self.loop(depth)

    def leaving(self) -> Stmt:
        """What ends a loop, or the function."""
        if self.around and self.upto(4):
            name = self.pick(self.around)
            return Continue(name) if self.upto(1) else Break(name)
        if self.upto(4) == 4:
            return Trap(self.upto(3))
        return If(self.expr(INT, 2), (self.given(),))

    def given(self) -> Return:
        """The result."""
        return Return(None if self.result is None else self.expr(self.result, 2))

    def loop(self, depth: int) -> tuple[Stmt, ...]:
        """A loop of at most three rounds."""
        self.made += 1
        name, count = f"loop{self.made}", Local(f"count{self.made}")
        self.around.append(name)
        body = self.block(depth - 1)
        self.around.pop()
        ends = If(Binary(Op.GE, count, Number(3)), (Break(name),))
        counts = Set(count, Binary(Op.ADD, count, Number(1)))
        return Set(count, Number(0)), Loop(name, (ends, counts, *body))


def function(tape: Iterator[int], number: int, known: tuple[Function, ...]) -> Function:
    """A function that may call those known before."""
    choices = Choices(tape)
    params = tuple(LOCALS[kind][0] for kind in KINDS if choices.upto(1))
    result = choices.pick((*KINDS, None))
    maker = Statements(tape, known, result=result)
    body = (*maker.block(2), *maker.block(2), maker.given())
    inline = bool(choices.upto(1))
    return Function(f"f{number}", params, result, body, exported=True, inline=inline)


def program(tape: Iterator[int], count: int) -> Program:
    """A program of some functions, all of them exported."""
    known: tuple[Function, ...] = ()
    content = bytes(Choices(tape).upto(255) for _ in range(MEMORY // 2))
    for number in range(count):
        # Only the last two are called, so that no call takes long.
        known = (*known, function(tape, number, known[-2:]))
    return Program("generated", known, (Data(MEMORY // 4, content),), MEMORY)


Run = tuple[Program, list[tuple[str, tuple[int, ...]]]]


@st.composite
def runs(draw: st.DrawFn, count: int) -> Run:
    """A program and what to call, one after the other."""
    tape = iter(draw(st.binary(min_size=250 * count, max_size=400 * count)))
    calls = Choices(iter(draw(st.binary(min_size=10 * count, max_size=20 * count))))
    made = program(tape, count)
    args = [
        (one.name, tuple(calls.number(local.kind) for local in one.params))
        for one in made.functions
    ]
    return made, args
