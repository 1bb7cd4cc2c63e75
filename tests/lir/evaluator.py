"""What a program means, as plainly as can be said: the judge over all machines."""

from collections.abc import Callable
from operator import (
    add,
    and_,
    eq,
    floordiv,
    ge,
    gt,
    le,
    lshift,
    lt,
    mod,
    mul,
    ne,
    or_,
    rshift,
    sub,
    xor,
)
from typing import assert_never

from attrs import Factory, define

from compiler.lir.core import (
    INT,
    WORD,
    Binary,
    Block,
    Break,
    Call,
    Continue,
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

MEANING: dict[Op, Callable[[int, int], int]] = {
    Op.ADD: add,
    Op.SUB: sub,
    Op.MUL: mul,
    Op.DIV: floordiv,
    Op.MOD: mod,
    Op.AND: and_,
    Op.OR: or_,
    Op.XOR: xor,
    Op.SHL: lshift,
    Op.SHR: rshift,
    Op.EQ: eq,
    Op.NE: ne,
    Op.LT: lt,
    Op.LE: le,
    Op.GT: gt,
    Op.GE: ge,
}


class Trapped(Exception):
    """A `Trap`, with its code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Overflow(Exception):
    """An `INT` left its bounds: the program breaks its promise."""


@define
class _Given(Exception):
    value: int | None


def cut(kind: Kind, value: int) -> int:
    """A number as its type keeps it."""
    if kind is INT:
        if not -(2**31) <= value < 2**31:
            raise Overflow(value)
        return int(value)
    return value % (2**32 if kind is WORD else 2**64)


@define
class Evaluator:
    """A memory, and the functions that work on it."""

    functions: dict[str, Function]
    memory: bytearray

    @classmethod
    def of(cls, program: Program) -> "Evaluator":
        """The program at its beginning."""
        memory = bytearray(program.memory)
        for data in program.data:
            memory[data.address : data.address + len(data.content)] = data.content
        return cls({function.name: function for function in program.functions}, memory)

    def call(self, name: str, *numbers: int) -> int:
        """What a function gives; 0 for nothing."""
        function = self.functions[name]
        names = (local.name for local in function.params)
        frame = _Frame(self, dict(zip(names, numbers, strict=True)))
        try:
            frame.block(function.body)
        except _Given as given:
            return given.value or 0
        assert function.result is None, f"{name} gives nothing"
        return 0


@define
class _Frame:
    machine: Evaluator
    locals: dict[str, int] = Factory(dict)

    def block(self, block: Block) -> Break | Continue | None:
        """Runs statements; gives the one that leaves a loop, if one does."""
        for stmt in block:
            leave = self.stmt(stmt)
            if leave is not None:
                return leave
        return None

    def stmt(self, stmt: Stmt) -> Break | Continue | None:
        """Runs a statement."""
        match stmt:
            case Set(local, value):
                self.locals[local.name] = self.expr(value)
            case Store(width, base, address, value):
                at = base + (0 if address is None else self.expr(address))
                number = self.expr(value) % 256**width
                assert 0 <= at <= len(self.machine.memory) - width
                self.machine.memory[at : at + width] = number.to_bytes(width, "little")
            case If(test, then, otherwise):
                return self.block(then if self.expr(test) else otherwise)
            case Loop():
                return self.loop(stmt)
            case Break() | Continue():
                return stmt
            case Switch(number, cases, otherwise):
                chosen = self.expr(number)
                return self.block(cases[chosen] if 0 <= chosen < len(cases) else otherwise)
            case Do(call):
                self.expr(call)
            case Return(value):
                raise _Given(None if value is None else self.expr(value))
            case Trap(code):
                raise Trapped(code)
            case _:
                assert_never(stmt)
        return None

    def loop(self, stmt: Loop) -> Break | Continue | None:
        """Runs a loop."""
        while True:
            leave = self.block(stmt.body)
            if leave == Break(stmt.name):
                return None
            if leave is not None and leave != Continue(stmt.name):
                return leave

    def expr(self, expr: Expr) -> int:
        """The value of an expression."""
        match expr:
            case Number(value):
                return value
            case Local(name):
                return self.locals.get(name, 0)
            case Load(width, base, address):
                at = base + (0 if address is None else self.expr(address))
                assert 0 <= at <= len(self.machine.memory) - width
                raw = self.machine.memory[at : at + width]
                return int.from_bytes(raw, "little", signed=width == 4 and expr.kind is INT)
            case Binary(op, left, right):
                return cut(expr.kind, MEANING[op](self.expr(left), self.expr(right)))
            case Unary(op, arg):
                return unary(op, expr.kind, self.expr(arg))
            case Select(test, then, otherwise):
                return self.expr(then if self.expr(test) else otherwise)
            case Call(function, args):
                return self.machine.call(function, *map(self.expr, args))
            case _:
                assert_never(expr)


def unary(op: Un, kind: Kind, value: int) -> int:
    """The value of an operator on one number."""
    bits = [number for number in range(64) if value >> number & 1]
    match op:
        case Un.NOT:
            return int(value == 0)
        case Un.FLIP:
            return cut(kind, ~value)
        case Un.BITS:
            return len(bits)
        case Un.LOWEST:
            return bits[0]
        case Un.HIGHEST:
            return bits[-1]
        case _:
            assert value >= 0, op
            return cut(kind, value)
