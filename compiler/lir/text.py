"""The low-level form as text for people: what a printer was given."""

from collections.abc import Iterator
from typing import assert_never

from compiler.lir.core import (
    INT,
    MASK,
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

_INDENT = "    "


def program_text(program: Program) -> str:
    """A whole program."""
    head = [f"program {program.name}, {program.memory} bytes"]
    head += [f"data {data.address}: {data.content.hex()}" for data in program.data]
    return "\n\n".join(("\n".join(head), *map(function_text, program.functions))) + "\n"


def function_text(function: Function) -> str:
    """One function."""
    params = ", ".join(f"{local.name}: {local.kind.value}" for local in function.params)
    words = [f"function {function.name}({params})"]
    words += [] if function.result is None else [f"-> {function.result.value}"]
    words += ["exported"] * function.exported + ["inline"] * function.inline
    words += [f"-- {function.note}"] * bool(function.note)
    return "\n".join((" ".join(words), *_block(function.body, 1)))


def statement_text(stmt: Stmt) -> str:
    """A statement without the blocks in it."""
    match stmt:
        case Set(local, value):
            return f"{local.name} = {expression_text(value)}"
        case Store(width, base, address, value):
            return f"{_place(width, base, address, value.kind)} = {expression_text(value)}"
        case If(test):
            return f"if {expression_text(test)}"
        case Loop(name):
            return f"loop {name}"
        case Break(loop):
            return f"break {loop}"
        case Continue(loop):
            return f"continue {loop}"
        case Switch(number):
            return f"switch {expression_text(number)}"
        case Do(call):
            return f"do {expression_text(call)}"
        case Return(value):
            return "return" if value is None else f"return {expression_text(value)}"
        case Trap(code):
            return f"trap {code}"
        case _:
            assert_never(stmt)


def expression_text(expr: Expr) -> str:
    """An expression; what has parts stands in brackets where it is a part itself."""
    match expr:
        case Local(name):
            return name
        case Number(value, kind):
            return _number(value, kind)
        case Load(width, base, address):
            return _place(width, base, address, expr.kind)
        case Binary(op, left, right):
            return f"{_inner(left)} {op.value} {_inner(right)}"
        case Unary(Un.FLIP, arg):
            return f"~{_inner(arg)}"
        case Unary(op, arg):
            return f"{op.value} {_inner(arg)}"
        case Select(test, then, otherwise):
            return f"{_inner(test)} ? {_inner(then)} : {_inner(otherwise)}"
        case Call(function, args):
            return f"{function}({', '.join(map(expression_text, args))})"
        case _:
            assert_never(expr)


def _inner(expr: Expr) -> str:
    text = expression_text(expr)
    return f"({text})" if isinstance(expr, Binary | Unary | Select) else text


def _number(value: int, kind: Kind) -> str:
    """A `WORD` ends in `w`; a `MASK` is written as bits are read."""
    if kind is MASK:
        return f"{value:#x}m"
    return f"{value}w" if kind is WORD else str(value)


def _place(width: int, base: int, address: Expr | None, kind: Kind) -> str:
    sign = "i" if width == 4 and kind is INT else "u"
    at = str(base) if address is None else expression_text(address)
    if address is not None and base:
        at = f"{base} + {_inner(address)}"
    return f"{sign}{8 * width}[{at}]"


def _block(block: Block, depth: int) -> Iterator[str]:
    for stmt in block:
        yield _INDENT * depth + statement_text(stmt)
        match stmt:
            case If(_, then, otherwise):
                yield from _block(then, depth + 1)
                if otherwise:
                    yield _INDENT * depth + "else"
                    yield from _block(otherwise, depth + 1)
            case Loop(_, body):
                yield from _block(body, depth + 1)
            case Switch(_, cases, otherwise):
                for number, case in enumerate(cases):
                    yield f"{_INDENT * depth}case {number}"
                    yield from _block(case, depth + 1)
                if otherwise:
                    yield _INDENT * depth + "otherwise"
                    yield from _block(otherwise, depth + 1)
            case Set() | Store() | Break() | Continue() | Do() | Return() | Trap():
                pass
            case _:
                assert_never(stmt)
