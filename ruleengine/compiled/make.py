"""Chooses the machine that runs a program."""

from typing import Final, Literal, assert_never

from attrs import frozen

from compiler.lir.core import INT, Binary, Function, Local, Number, Op, Program, Return
from ruleengine.compiled import c, python
from ruleengine.compiled.machine import Machine, Module, Unavailable

Which = Literal["auto", "wasm", "python", "c"]


@frozen
class Made:
    """A machine, what makes more of them, and why it is not the one that was hoped for."""

    machine: Machine
    module: Module
    why: str = ""


def make_machine(program: Program, which: Which = "auto") -> Made:
    """A machine for a program that `verify` accepts.

    `auto` is WebAssembly, and generated Python where that does not run; `why` says so then, to be
    told once.  A machine that is asked for by name and does not run raises `Unavailable`.
    """
    if which != "auto":
        module = _compiled(program, which)
        return Made(module.machine(), module)
    try:
        module = _compiled(program, "wasm")
        return Made(module.machine(), module)
    except Unavailable as error:
        module = python.compiled(program)
        return Made(module.machine(), module, f"{error}; running generated Python instead")


_N: Final = Local("n")
_TRIAL: Final = Program(
    "trial",
    (Function("next", (_N,), INT, (Return(Binary(Op.ADD, _N, Number(1))),), exported=True),),
    (),
    8,
)


def trouble(which: Which) -> str | None:
    """Why a machine does not run on this computer; `None` if it does."""
    try:
        found = make_machine(_TRIAL, which).machine.call("next", 41)
    except Unavailable as error:
        return str(error)
    return None if found == 42 else "it counts wrongly"


def _compiled(program: Program, which: Which) -> Module:
    match which:
        case "python":
            return python.compiled(program)
        case "c":
            return c.compiled(program)
        case "auto" | "wasm":
            return _wasm(program)
        case _:
            assert_never(which)


def _wasm(program: Program) -> Module:
    """Imports Wasmtime only here: it takes a while, and is not on every computer."""
    try:
        from ruleengine.compiled import wasm
    except (ImportError, OSError, RuntimeError) as error:
        raise Unavailable(f"WebAssembly does not run here: {error}") from error
    return wasm.compiled(program)
