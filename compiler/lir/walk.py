"""Questions about the low-level form that every printer asks: what is inside what."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Final, assert_never

from attrs import frozen

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
    Return,
    Select,
    Set,
    Stmt,
    Store,
    Switch,
    Trap,
    Unary,
)

_OPERANDS: Final[dict[type, Callable[..., tuple[Expr, ...]]]] = {
    Local: lambda _: (),
    Number: lambda _: (),
    Binary: attrgetter("left", "right"),
    Load: lambda load: () if load.address is None else (load.address,),
    Unary: lambda unary: (unary.arg,),
    Select: attrgetter("test", "then", "otherwise"),
    Call: attrgetter("args"),
}

_TERMS: Final[dict[type, Callable[..., tuple[Expr, ...]]]] = {
    Set: lambda set_: (set_.value,),
    Store: lambda s: (s.value,) if s.address is None else (s.address, s.value),
    If: lambda if_: (if_.test,),
    Switch: lambda switch: (switch.number,),
    Do: lambda do: (do.call,),
    Return: lambda return_: () if return_.value is None else (return_.value,),
}

_BLOCKS: Final[dict[type, Callable[..., tuple[Block, ...]]]] = {
    If: attrgetter("then", "otherwise"),
    Loop: lambda loop: (loop.body,),
    Switch: lambda switch: (*switch.cases, switch.otherwise),
}


def operands(expr: Expr) -> tuple[Expr, ...]:
    """What an expression is made of, in the order in which it is evaluated."""
    return _OPERANDS[type(expr)](expr)


def terms(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement, in the order in which they are evaluated."""
    asked = _TERMS.get(type(stmt))
    return () if asked is None else asked(stmt)


def blocks(stmt: Stmt) -> tuple[Block, ...]:
    """The blocks of a statement."""
    asked = _BLOCKS.get(type(stmt))
    return () if asked is None else asked(stmt)


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
        if not isinstance(expr, Local | Number):
            waiting += reversed(operands(expr))


def calls_in(stmt: Stmt) -> bool:
    """Whether a statement calls anything."""
    return any(isinstance(part, Call) for one in statements((stmt,)) for part in parts(*terms(one)))


def order_matters(first: Expr, last: Expr) -> bool:
    """Whether it may matter which of two expressions is evaluated first: one of them calls."""
    sides = [
        [part for part in parts(side) if isinstance(part, Call | Load)] for side in (first, last)
    ]
    return all(sides) and any(isinstance(part, Call) for side in sides for part in side)


@frozen
class Facts:
    """What one walk through a function tells."""

    size: int  # how many statements and expressions it has
    calls: Counter[str]  # what it calls, and in how many places
    variables: dict[str, Kind]  # its locals and their types, parameters first


def facts(function: Function) -> Facts:
    """Walks through a function."""
    count, called = 0, Counter[str]()
    found = {local.name: local.kind for local in function.params}
    waiting: list[Expr] = []
    for stmt in statements(function.body):
        count += 1
        if isinstance(stmt, Set):
            found.setdefault(stmt.local.name, stmt.local.kind)
        waiting += terms(stmt)
        while waiting:
            expr = waiting.pop()
            count += 1
            if isinstance(expr, Local):
                found.setdefault(expr.name, expr.kind)
            elif not isinstance(expr, Number):
                if isinstance(expr, Call):
                    called[expr.function] += 1
                waiting += operands(expr)
    return Facts(count, called, found)


def callees_first(known: Mapping[str, Facts]) -> tuple[str, ...]:
    """The functions of a program, each after all that it calls (which are not recursive)."""
    done: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in done:
            for callee in known[name].calls:
                visit(callee)
            done[name] = None

    for name in known:
        visit(name)
    return tuple(done)


def read_unset(function: Function) -> frozenset[str]:
    """The locals that may be read before they are set: they must begin as zero."""
    unset: set[str] = set()
    _set_after(function.body, frozenset(local.name for local in function.params), unset)
    return frozenset(unset)


def _set_after(block: Block, known: frozenset[str], unset: set[str]) -> frozenset[str] | None:
    """What is surely set after a block that begins with `known`; `None` if nothing comes after."""
    after: frozenset[str] | None = known
    for stmt in block:
        waiting = list(terms(stmt))
        while waiting:
            part = waiting.pop()
            if not isinstance(part, Local):
                waiting += operands(part)
            elif part.name not in known:
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
