"""Keeps fields of the state in locals where a function meets them only by name.

A field that is read or written at an index that depends on the play stays in memory, and so do
those of which only some atoms are met.  What calls do to memory does not matter: they only touch
their streams.
"""

from collections.abc import Callable

from compiler.graph.layout import Layout
from compiler.lir.core import (
    INT,
    MASK,
    Binary,
    Block,
    Call,
    Do,
    Expr,
    Function,
    If,
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
    Unary,
)
from compiler.lir.walk import blocks, operands, terms


def promoted(function: Function, base: int, layout: Layout) -> Function:
    """The function with atoms of the state at `base` as locals, where that is the same."""
    moving: set[int] = set()
    _each(function.body, lambda expr: _note(expr, moving), lambda stmt: _note_store(stmt, moving))
    kept = {
        base + entry.offset + at * entry.width: entry.width
        for entry in layout.fields
        if base + entry.offset not in moving
        for at in range(entry.count)
    }
    return Function(
        function.name,
        function.params,
        function.result,
        _block(function.body, kept),
        function.exported,
        function.inline,
        function.note,
    )


def _note(expr: Expr, moving: set[int]) -> None:
    if isinstance(expr, Load) and expr.address is not None:
        moving.add(expr.base)


def _note_store(stmt: Stmt, moving: set[int]) -> None:
    if isinstance(stmt, Store) and stmt.address is not None:
        moving.add(stmt.base)


def _each(block: Block, see: Callable[[Expr], None], see_statement: Callable[[Stmt], None]) -> None:
    for stmt in block:
        see_statement(stmt)
        for expr in terms(stmt):
            _inside(expr, see)
        for inner in blocks(stmt):
            _each(inner, see, see_statement)


def _inside(expr: Expr, see: Callable[[Expr], None]) -> None:
    see(expr)
    for part in operands(expr):
        _inside(part, see)


def _atom(base: int, width: int) -> Local:
    return Local(f"at{base}", MASK if width == 8 else INT)


def _block(block: Block, kept: dict[int, int]) -> Block:
    return tuple(_statement(stmt, kept) for stmt in block)


def _statement(stmt: Stmt, kept: dict[int, int]) -> Stmt:
    match stmt:
        case Set(local, value):
            return Set(local, _expr(value, kept))
        case Store(width, base, None, value) if kept.get(base) == width:
            return Set(_atom(base, width), _expr(value, kept))
        case Store(width, base, address, value):
            moved = None if address is None else _expr(address, kept)
            return Store(width, base, moved, _expr(value, kept))
        case If(test, then, otherwise):
            return If(_expr(test, kept), _block(then, kept), _block(otherwise, kept))
        case Loop(name, body):
            return Loop(name, _block(body, kept))
        case Switch(number, cases, otherwise):
            return Switch(
                _expr(number, kept),
                tuple(_block(case, kept) for case in cases),
                _block(otherwise, kept),
            )
        case Do(Call(function, args, kind)):
            return Do(Call(function, tuple(_expr(arg, kept) for arg in args), kind))
        case Return(value):
            return Return(None if value is None else _expr(value, kept))
        case _:
            return stmt


def _expr(expr: Expr, kept: dict[int, int]) -> Expr:
    match expr:
        case Load(width, base, None) if kept.get(base) == width:
            return _atom(base, width)
        case Load(width, base, address, kind):
            return Load(width, base, None if address is None else _expr(address, kept), kind)
        case Binary(op, left, right):
            return Binary(op, _expr(left, kept), _expr(right, kept))
        case Unary(op, arg):
            return Unary(op, _expr(arg, kept))
        case Select(test, then, otherwise):
            return Select(_expr(test, kept), _expr(then, kept), _expr(otherwise, kept))
        case Call(function, args, kind):
            return Call(function, tuple(_expr(arg, kept) for arg in args), kind)
        case Number() | Local():
            return expr
