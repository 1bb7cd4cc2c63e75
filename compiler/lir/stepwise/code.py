"""Statements as one writes them: blocks inside blocks, locals with fresh names."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Self, TypeAlias

from attrs import define, evolve

from compiler.lir.build import add, binary, compare, num
from compiler.lir.core import (
    INT,
    Binary,
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
    Return,
    Set,
    Store,
    Trap,
)
from compiler.lir.writer import Names, Writer

Value: TypeAlias = Expr | int
"""A number, known or not."""

WIDTH: Final = 4
"""Bytes of a number in memory."""


def expr(value: Value) -> Expr:
    """A number as an expression."""
    return num(value) if isinstance(value, int) else value


def times(index: Value, by: int) -> Expr:
    """A multiple."""
    return binary(Op.MUL, expr(index), num(by))


def word(base: int, index: Value = 0) -> Expr:
    """The number at an address that is known, or an element of the array that begins there."""
    if isinstance(index, int):
        return Load(WIDTH, base + WIDTH * index)
    return Load(WIDTH, base, times(index, WIDTH))


def put_word(base: int, value: Value, index: Value = 0) -> Store:
    """Writes it."""
    if isinstance(index, int):
        return Store(WIDTH, base + WIDTH * index, None, expr(value))
    return Store(WIDTH, base, times(index, WIDTH), expr(value))


def at(pointer: Value, index: Value = 0) -> Expr:
    """Number `index` behind the one that a pointer points to."""
    base, address = _behind(pointer, index)
    return Load(WIDTH, base, address)


def put_at(pointer: Value, value: Value, index: Value = 0) -> Store:
    """Writes it."""
    base, address = _behind(pointer, index)
    return Store(WIDTH, base, address, expr(value))


def _behind(pointer: Value, index: Value) -> tuple[int, Expr]:
    """A known number of bytes, and the address that they are behind."""
    match index:
        case int():
            return WIDTH * index, expr(pointer)
        case Binary(Op.ADD, inner, Number(more)) if more >= 0:
            return WIDTH * more, add(expr(pointer), times(inner, WIDTH))
        case _:
            return 0, add(expr(pointer), times(index, WIDTH))


def is_(left: Value, right: Value) -> Expr:
    """Whether two numbers are one."""
    return compare(Op.EQ, expr(left), expr(right))


def differ(left: Value, right: Value) -> Expr:
    """Whether they are not."""
    return compare(Op.NE, expr(left), expr(right))


def less(left: Value, right: Value) -> Expr:
    """Whether one is below another."""
    return compare(Op.LT, expr(left), expr(right))


def at_least(left: Value, right: Value) -> Expr:
    """Whether one is not below another."""
    return compare(Op.GE, expr(left), expr(right))


def joined(left: Value, right: Value) -> Expr:
    """The bits of both numbers; of truths, whether one holds."""
    return binary(Op.OR, expr(left), expr(right))


def plus(left: Value, right: Value) -> Expr:
    """The sum."""
    return add(expr(left), expr(right))


@define(eq=False)
class Code(Writer):
    """Statements of one block, in the order in which they run."""

    def inner(self) -> Self:
        """For a block inside: the same names, statements of its own."""
        return evolve(self, out=[])

    def local(self, stem: str, value: Value, kind: Kind = INT) -> Local:
        """A local of its own, which may be set again."""
        local = Local(self.names.fresh(stem), kind)
        self.put(Set(local, expr(value)))
        return local

    def set(self, local: Local, value: Value) -> None:
        """Gives a local a value."""
        self.put(Set(local, expr(value)))

    def step(self, local: Local, by: Value = 1) -> None:
        """Adds to a local."""
        self.put(Set(local, plus(local, by)))

    def do(self, function: str, *args: Value) -> None:
        """Calls what gives nothing."""
        self.put(Do(Call(function, tuple(map(expr, args)))))

    def give(self, value: Value | None = None) -> None:
        """Leaves the function."""
        self.put(Return(None if value is None else expr(value)))

    def give_if(self, test: Expr, value: Value | None = None) -> None:
        """Leaves the function if a test holds."""
        with self.when(test) as inside:
            inside.give(value)

    def trap_if(self, test: Expr, code: int) -> None:
        """Stops the machine if a test holds."""
        self.put(If(test, (Trap(code),)))

    @contextmanager
    def when(self, test: Expr) -> Iterator[Self]:
        """What is done only if a test holds."""
        inside = self.inner()
        yield inside
        self.put(If(test, inside.block))

    @contextmanager
    def either(self, test: Expr) -> Iterator[tuple[Self, Self]]:
        """What is done if a test holds, and what if not."""
        yes, no = self.inner(), self.inner()
        yield yes, no
        self.put(If(test, yes.block, no.block))

    @contextmanager
    def loop(self, stem: str = "loop") -> "Iterator[Loops]":
        """What is done again and again until it is left."""
        inside = Loops(self.names, name=self.names.fresh(stem))
        yield inside
        self.put(Loop(inside.name, inside.block))

    @contextmanager
    def up_to(self, count: Value, first: Value = 0) -> "Iterator[tuple[Loops, Local]]":
        """What is done for each number from the first to below a count, which is kept."""
        end = self.keep(expr(count))
        index = self.local("i", plus(first, -1))
        with self.loop() as inside:
            inside.step(index)
            inside.leave_if(at_least(index, end))
            yield inside, index


@define(eq=False)
class Loops(Code):
    """The block of a loop."""

    name: str = ""

    def leave(self) -> None:
        """Ends the loop."""
        self.put(Break(self.name))

    def leave_from(self, code: Code) -> None:
        """Ends the loop, said in a block inside it."""
        code.put(Break(self.name))

    def leave_if(self, test: Expr) -> None:
        """Ends the loop if a test holds."""
        self.put(If(test, (Break(self.name),)))

    def again(self) -> None:
        """Begins it again."""
        self.put(Continue(self.name))

    def again_if(self, test: Expr) -> None:
        """Begins it again if a test holds."""
        self.put(If(test, (Continue(self.name),)))


def function(
    name: str,
    params: tuple[str, ...],
    body: Callable[..., None],
    *,
    gives: Kind | None = INT,
    inline: bool = False,
    exported: bool = False,
    note: str = "",
) -> Function:
    """A function whose body is written by one that is given the code and the parameters."""
    code = Code(Names())
    locals_ = tuple(Local(f"p_{param}") for param in params)
    body(code, *locals_)
    return Function(name, locals_, gives, code.block, exported, inline, note)


def act(name: str, params: tuple[str, ...], body: Callable[..., None]) -> Function:
    """A function that gives nothing."""
    return function(name, params, body, gives=None)


def call(name: str, *args: Value) -> Expr:
    """What a function gives."""
    return Call(name, tuple(map(expr, args)))
