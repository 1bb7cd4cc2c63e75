"""Runs a program as generated Python: slower than the other machines by far, but everywhere."""

import sys
from collections.abc import Mapping
from types import CodeType

from attrs import frozen

from compiler.emit.python import emit, function_names
from compiler.lir.core import Program
from ruleengine.compiled.machine import (
    Entry,
    Machine,
    Module,
    Stopped,
    Unavailable,
    exported,
    initial,
)


def compiled(program: Program) -> Module:
    """The program, ready to make machines.  Raises `Unavailable` where bytes are big-endian."""
    if sys.byteorder != "little":
        raise Unavailable("generated Python reads memory as the processor does: little-endian")
    code = compile(emit(program), f"<{program.name}>", "exec", dont_inherit=True)
    return _PythonModule(program, code, function_names(program))


@frozen
class _PythonModule:
    program: Program
    code: CodeType
    names: Mapping[str, str]
    name: str = "python"

    def machine(self) -> Machine:
        memory = bytearray((self.program.memory + 7) // 8 * 8)
        whole = memoryview(memory)
        initial(self.program, whole)
        views = {
            "_h": whole.cast("H"),
            "_w": whole.cast("I"),
            "_i": whole.cast("i"),
            "_q": whole.cast("Q"),
        }
        space = {"_b": memory, "_Trap": Stopped, **views}
        exec(self.code, space)
        entries = {name: _entry(space[self.names[name]]) for name in exported(self.program)}
        return Machine("python", whole[: self.program.memory], entries)


def _entry(function: object) -> Entry:
    """Makes whole numbers of truths and of nothing, and `Stopped` of what Python says."""
    assert callable(function)

    def entry(*numbers: int) -> int:
        try:
            return int(function(*numbers) or 0)
        except (IndexError, ZeroDivisionError, RecursionError) as error:
            raise Stopped(None, str(error)) from error

    return entry
