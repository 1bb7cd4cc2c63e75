"""Runs a program as WebAssembly, in Wasmtime.  The only module that imports `wasmtime`.

A call through the public interface looks up types and takes tens of microseconds.  The same call
through the C function below it takes half a microsecond, so that one is used where a small program
shows that it works; what it needs of the package is not public.
"""

import ctypes
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, Literal

import wasmtime
from attrs import frozen
from wasmtime import _ffi

from compiler.diagnostic import InternalError
from compiler.emit.wasm import emit, mailbox
from compiler.lir.core import (
    INT,
    MASK,
    WORD,
    Binary,
    Function,
    Kind,
    Local,
    Op,
    Program,
    Return,
    Trap,
    Un,
    Unary,
)
from ruleengine.compiled.machine import (
    Entry,
    Machine,
    Module,
    Signature,
    Stopped,
    Unavailable,
    exported,
    read,
)

_WHOLE: Final = 0xFFFF_FFFF_FFFF_FFFF
_FORMATS: Final[dict[Kind, Literal["i", "I", "Q"]]] = {INT: "i", WORD: "I", MASK: "Q"}


def compiled(program: Program) -> Module:
    """The program, ready to make machines.  Raises `Unavailable` if none can be made here."""
    content = emit(program)
    engine = _engine()
    try:
        wasmtime.Module.validate(engine, content)
    except wasmtime.WasmtimeError as error:
        raise InternalError(f"{program.name} is no WebAssembly: {error}") from error
    return module(program, content, is_quick())


@cache
def _engine() -> wasmtime.Engine:
    """The one engine of the process: what is compiled by one cannot run in another."""
    return wasmtime.Engine()


def module(program: Program, content: bytes, quick: bool) -> Module:
    """The bytes of a program, compiled; `quick` says how its functions are called."""
    try:
        code = wasmtime.Module(_engine(), content)
    except wasmtime.WasmtimeError as error:
        raise Unavailable(f"WebAssembly is not compiled here: {error}") from error
    return _WasmModule(code, exported(program), program.memory, mailbox(program), quick)


@frozen
class _WasmModule:
    module: wasmtime.Module
    signatures: Mapping[str, Signature]
    size: int
    mailbox: int
    quick: bool
    name: str = "wasm"

    def machine(self) -> Machine:
        store = wasmtime.Store(_engine())
        try:
            exports = wasmtime.Instance(store, self.module, []).exports(store)
        except wasmtime.WasmtimeError as error:
            raise Unavailable(f"WebAssembly does not run here: {error}") from error
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        content = memory.get_buffer_ptr(store, self.mailbox + 4)
        content.__dict__["store"] = store  # who holds the memory holds what it belongs to
        letter = ctypes.c_uint32.from_buffer(content, self.mailbox)
        make = _quick_entry if self.quick else _public_entry
        entries: dict[str, Entry] = {}
        for name, signature in self.signatures.items():
            function = exports[name]
            assert isinstance(function, wasmtime.Func)
            entries[name] = make(store, function, signature, letter)
        return Machine("wasm", memoryview(content).cast("B")[: self.size], entries)


def _stopped(letter: ctypes.c_uint32, why: BaseException) -> Stopped:
    """What a trap left in the mailbox, which is empty afterwards."""
    left, letter.value = letter.value, 0
    return Stopped(left - 1) if left else Stopped(None, str(why))


# ---- calls


def _public_entry(
    store: wasmtime.Store, function: wasmtime.Func, signature: Signature, letter: ctypes.c_uint32
) -> Entry:
    """Calls a function as the package's documentation says."""

    def entry(*numbers: int) -> int:
        signature.check(numbers)
        try:
            result = function(store, *numbers)
        except wasmtime.Trap as trap:
            raise _stopped(letter, trap) from trap
        return read(signature.result, result or 0)

    return entry


@cache
def _caller() -> Callable[[int, int, int, int, int], int | None]:
    """The C function that calls a function whose numbers lie in cells of 16 bytes.

    It takes the store, the function, the cells and how many, and where to put a trap; it gives an
    error.  All are addresses.
    """
    caller = _ffi.dll["wasmtime_func_call_unchecked"]
    address = ctypes.c_void_p
    caller.argtypes = [address, address, address, ctypes.c_size_t, address]
    caller.restype = address
    return caller


def _quick_entry(
    store: wasmtime.Store, function: wasmtime.Func, signature: Signature, letter: ctypes.c_uint32
) -> Entry:
    """Calls a function through C; numbers go in, and one comes back, in cells that stay."""
    caller, params, count = _caller(), signature.params, max(signature.params, 1)
    cells = (ctypes.c_uint64 * (2 * count))()
    whole = memoryview(cells).cast("B")
    places, result = whole.cast("Q"), whole.cast(_FORMATS[signature.result or INT])
    handle, trap = function._func, ctypes.c_void_p()
    context, handle_at = ctypes.addressof(store._context().contents), ctypes.addressof(handle)
    cells_at, trap_at = ctypes.addressof(cells), ctypes.addressof(trap)
    gives = signature.result is not None

    def entry(*numbers: int) -> int:
        if len(numbers) != params:
            signature.check(numbers)
        place = 0
        for number in numbers:
            places[place] = number & _WHOLE
            place += 2
        error = caller(context, handle_at, cells_at, count, trap_at)
        if error or trap.value:
            raise _failed(error, trap, handle, letter)
        return result[0] if gives else 0

    return entry


def _failed(
    error: int | None, trap: ctypes.c_void_p, _: object, letter: ctypes.c_uint32
) -> Exception:
    """What to raise after a call through C; the trap is taken over from there."""
    if error:
        kind = ctypes.POINTER(_ffi.wasmtime_error_t)
        return wasmtime.WasmtimeError._from_ptr(ctypes.cast(error, kind))
    pointer = ctypes.cast(trap, ctypes.POINTER(_ffi.wasm_trap_t))
    trap.value = None
    return _stopped(letter, wasmtime.Trap._from_ptr(pointer))


def _trial() -> Program:
    """A program with numbers of each type, and a trap."""
    mask, word = Local("mask", MASK), Local("word", WORD)
    low, wide = Unary(Un.MASK_TO_WORD, mask), Unary(Un.WORD_TO_MASK, word)
    both = Binary(Op.ADD, mask, wide)
    functions = (
        Function("masks", (mask, word), MASK, (Return(both),), exported=True),
        Function("words", (word, mask), WORD, (Return(Binary(Op.XOR, low, word)),), exported=True),
        Function("stop", (), None, (Trap(5),), exported=True),
    )
    return Program("trial", functions, (), 8)


@cache
def is_quick() -> bool:
    """Whether calls through C work with the installed package."""
    program = _trial()
    try:
        machine = module(program, emit(program), quick=True).machine()
        masks = machine.call("masks", 2**63 + 5, 2**32 - 1)
        words = machine.call("words", 2**32 - 1, 2**40 + 1)
        if (masks, words) == (2**63 + 2**32 + 4, 2**32 - 2):
            machine.call("stop")
    except Stopped as stopped:
        return stopped.code == 5
    except (AttributeError, TypeError, ValueError, ctypes.ArgumentError, wasmtime.WasmtimeError):
        return False
    return False
