"""Questions about the low-level form that every printer asks: what is inside what."""

from collections import Counter
from collections.abc import Iterator
from typing import assert_never

from compiler.lir.core import (
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
    Program,
    Return,
    Select,
    Set,
    Stmt,
    Store,
    Switch,
    Trap,
    Unary,
)


def operands(expr: Expr) -> tuple[Expr, ...]:
    """What an expression is made of, in the order in which it is evaluated."""
    match expr:
        case Local() | Number():
            return ()
        case Binary(_, left, right):
            return left, right
        case Load(_, _, address):
            return () if address is None else (address,)
        case Unary(_, arg):
            return (arg,)
        case Select(test, then, otherwise):
            return test, then, otherwise
        case Call(_, args):
            return args
        case _:
            assert_never(expr)


def terms(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement, in the order in which they are evaluated."""
    match stmt:
        case Set(_, value):
            return (value,)
        case Store(_, _, address, value):
            return (value,) if address is None else (address, value)
        case If(test):
            return (test,)
        case Switch(number):
            return (number,)
        case Do(call):
            return (call,)
        case Return(value):
            return () if value is None else (value,)
        case Loop() | Break() | Continue() | Trap():
            return ()
        case _:
            assert_never(stmt)


def blocks(stmt: Stmt) -> tuple[Block, ...]:
    """The blocks of a statement."""
    match stmt:
        case If(_, then, otherwise):
            return then, otherwise
        case Loop(_, body):
            return (body,)
        case Switch(_, cases, otherwise):
            return *cases, otherwise
        case Set() | Store() | Break() | Continue() | Do() | Return() | Trap():
            return ()
        case _:
            assert_never(stmt)


def statements(block: Block) -> Iterator[Stmt]:
    """Every statement of a block and of the blocks in it, the outer ones first."""
    waiting = list(reversed(block))
    while waiting:
        stmt = waiting.pop()
        yield stmt
        for inner in reversed(blocks(stmt)):
            waiting += reversed(inner)


def parts(*exprs: Expr) -> Iterator[Expr]:
    """Every expression in some expressions, themselves included."""
    waiting = list(reversed(exprs))
    while waiting:
        expr = waiting.pop()
        yield expr
        waiting += reversed(operands(expr))


def order_matters(first: Expr, last: Expr) -> bool:
    """Whether it may matter which of two expressions is evaluated first: one of them calls."""
    sides = [
        [part for part in parts(side) if isinstance(part, Call | Load)] for side in (first, last)
    ]
    return all(sides) and any(isinstance(part, Call) for side in sides for part in side)


def size(function: Function) -> int:
    """How many statements and expressions a function has."""
    return sum(1 + sum(1 for _ in parts(*terms(stmt))) for stmt in statements(function.body))


def calls(function: Function) -> Counter[str]:
    """Which functions a function calls, and in how many places."""
    return Counter(
        part.function
        for stmt in statements(function.body)
        for part in parts(*terms(stmt))
        if isinstance(part, Call)
    )


def variables(function: Function) -> dict[str, Kind]:
    """The locals of a function and their types, parameters first."""
    found = {local.name: local.kind for local in function.params}
    for stmt in statements(function.body):
        if isinstance(stmt, Set):
            found.setdefault(stmt.local.name, stmt.local.kind)
        for part in parts(*terms(stmt)):
            if isinstance(part, Local):
                found.setdefault(part.name, part.kind)
    return found


def callees_first(program: Program) -> tuple[Function, ...]:
    """The functions of a program, each after all that it calls (which are not recursive)."""
    named = {function.name: function for function in program.functions}
    done: dict[str, Function] = {}

    def visit(function: Function) -> None:
        if function.name not in done:
            for name in calls(function):
                visit(named[name])
            done[function.name] = function

    for function in program.functions:
        visit(function)
    return tuple(done.values())


def read_unset(function: Function) -> frozenset[str]:
    """The locals that may be read before they are set: they must begin as zero."""
    unset: set[str] = set()
    _set_after(function.body, frozenset(local.name for local in function.params), unset)
    return frozenset(unset)


def _set_after(block: Block, known: frozenset[str], unset: set[str]) -> frozenset[str] | None:
    """What is surely set after a block that begins with `known`; `None` if nothing comes after."""
    after: frozenset[str] | None = known
    for stmt in block:
        for part in parts(*terms(stmt)):
            if isinstance(part, Local) and part.name not in known:
                unset.add(part.name)
        match stmt:
            case Set(local):
                after = known | {local.name}
            case If() | Switch():
                ways = [_set_after(inner, known, unset) for inner in blocks(stmt)]
                open_ways = [way for way in ways if way is not None]
                after = frozenset.intersection(*open_ways) if open_ways else None
            case Loop(_, body):
                _set_after(body, known, unset)
            case Return() | Trap() | Break() | Continue():
                after = None
            case Store() | Do():
                pass
            case _:
                assert_never(stmt)
        if after is None:
            return None
        known = after
    return known
