"""A program as a WebAssembly module: bytes that any engine of WebAssembly runs.

The module imports nothing.  It exports its memory as `memory`, and the functions that are marked
so under their names.  A trap leaves its code, plus one, in four bytes at `mailbox(program)` and
then stops; what stops for another reason leaves nothing there.
"""

from compiler.emit.inlining import inlined
from compiler.emit.wasm_code import Unit, code
from compiler.emit.wasm_format import TYPE, constant, section, text, unsigned, vector
from compiler.lir.core import INT, Function, Program
from compiler.lir.walk import facts, read_unset

_PAGE = 0x10000


def mailbox(program: Program) -> int:
    """The address, behind the memory of the program, where a trap leaves its code plus one."""
    return (program.memory + 7) // 8 * 8


def emit(program: Program) -> bytes:
    """The module of a program that `verify` accepts."""
    named = {function.name: function for function in program.functions}
    known = {function.name: facts(function) for function in program.functions}
    inside = inlined(program, known)
    kept = [f for f in program.functions if f.exported or f.name not in inside]
    numbers = {function.name: number for number, function in enumerate(kept)}
    unset = {name: read_unset(named[name]) for name in inside}
    unit = Unit(named, known, numbers, inside, unset, mailbox(program))
    signatures = list(dict.fromkeys(_signature(function) for function in kept))
    pages = unsigned((unit.mailbox + 4 + _PAGE - 1) // _PAGE)
    exports = [text(f.name) + b"\0" + unsigned(numbers[f.name]) for f in kept if f.exported]
    bodies = [code(function, unit) for function in kept]
    return b"".join(
        (
            b"\0asm\1\0\0\0",
            section(1, vector(signatures)),
            section(3, vector(unsigned(signatures.index(_signature(f))) for f in kept)),
            section(5, vector([b"\1" + pages + pages])),
            section(7, vector([text("memory") + b"\2\0", *exports])),
            section(10, vector(unsigned(len(body)) + body for body in bodies)),
            section(11, vector(_data(data.address, data.content) for data in program.data)),
            section(0, text("name") + _names(program.name, kept)),
        )
    )


def _signature(function: Function) -> bytes:
    results = () if function.result is None else (function.result,)
    params = vector(bytes((TYPE[local.kind],)) for local in function.params)
    return b"\x60" + params + vector(bytes((TYPE[kind],)) for kind in results)


def _data(address: int, content: bytes) -> bytes:
    return b"\0" + constant(INT, address) + b"\x0b" + unsigned(len(content)) + content


def _names(module: str, functions: list[Function]) -> bytes:
    """The names of the module and its functions, which an engine shows where it traps."""
    named = vector(unsigned(index) + text(f.name) for index, f in enumerate(functions))
    return section(0, text(module)) + section(1, named)
