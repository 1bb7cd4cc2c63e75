"""Runs a program as C, where the computer has a C compiler: fastest to run, slowest to make."""

import ctypes
import shutil
import subprocess
import sys
from mmap import mmap
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from compiler.emit.c import door_names, emit
from compiler.lir.core import Program
from ruleengine.compiled.machine import (
    Entry,
    Machine,
    Module,
    Signature,
    Stopped,
    Unavailable,
    exported,
    initial,
    read,
)

_WHOLE = 0xFFFF_FFFF_FFFF_FFFF
_TRIED = (("-march=native",), ())
"""Options by which a compiler counts bits in one instruction, and what to do if it knows none."""


def compiler() -> str | None:
    """The C compiler of this computer, if it has one."""
    return next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)


def compiled(program: Program) -> Module:
    """The program, ready to make machines.  Raises `Unavailable` if it is not compiled here."""
    command = compiler()
    if command is None or sys.byteorder != "little":
        raise Unavailable("there is no C compiler here" if command is None else "big-endian")
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        source, library = Path(folder, "program.c"), Path(folder, "program.so")
        source.write_text(emit(program), encoding="utf-8")
        options = ("-std=c11", "-O2", "-shared", "-fPIC", "-o", str(library), str(source))
        trouble = ""
        for more in _TRIED:
            done = subprocess.run(
                (command, *more, *options), capture_output=True, text=True, check=False
            )
            if done.returncode == 0:
                break
            trouble = done.stderr
        else:
            raise Unavailable(f"{command} does not compile this:\n{trouble}")
        try:
            return _CModule(program, ctypes.CDLL(str(library)))
        except OSError as error:
            raise Unavailable(f"what {command} made does not load: {error}") from error


@frozen
class _CModule:
    program: Program
    library: ctypes.CDLL
    name: str = "c"

    def machine(self) -> Machine:
        size = (self.program.memory + 7) // 8 * 8
        content = mmap(-1, size + 8)  # zeros that take no room before they are touched
        letter = ctypes.c_int32.from_buffer(content, size)
        memory = memoryview(content)[: self.program.memory]
        begin = ctypes.addressof(letter) - size
        initial(self.program, memory)
        doors = door_names(self.program)
        entries: dict[str, Entry] = {}
        for name, signature in exported(self.program).items():
            door = self.library[doors[name]]
            door.restype = ctypes.c_uint64
            door.argtypes = (ctypes.c_void_p, *[ctypes.c_uint64] * signature.params)
            entries[name] = _entry(door, begin, signature, letter)
        return Machine("c", memory, entries)


def _entry(door: Entry, memory: int, signature: Signature, letter: ctypes.c_int32) -> Entry:
    """Calls a function of the library; what it gives is the low bits of a register."""

    def entry(*numbers: int) -> int:
        signature.check(numbers)
        raw = door(memory, *[number & _WHOLE for number in numbers])
        if letter.value:
            left, letter.value = letter.value, 0
            raise Stopped(left - 1)
        return read(signature.result, raw)

    return entry
