"""What runs a program of the low-level form: functions to call, and the memory they share.

`ruleengine.machine` speaks of games; this is the floor below it, which knows none.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from attrs import frozen

from compiler.lir.core import MASK, WORD, Function, Kind, Program

Entry = Callable[..., int]
"""A function of a program: takes and gives whole numbers; 0 where the function gives nothing."""


class Stopped(Exception):
    """A program stopped by a trap.  `code` is what the trap says, `None` if it says nothing.

    It says nothing where memory ends or a stack is full.  Memory stays as it was when it stopped,
    and the machine can be called again.
    """

    def __init__(self, code: int | None, why: str = "") -> None:
        super().__init__(why or f"it came to what machines leave to the interpreter (trap {code})")
        self.code = code


class Unavailable(Exception):
    """A machine does not run here; the message says why."""


@frozen(eq=False)
class Machine:
    """One memory and the functions that work on it.  One thread at a time may call it.

    `name` is its kind: `wasm`, `python` or `c`.  `memory` has the bytes of the program's memory, to
    read and to write; it never moves.
    """

    name: str
    memory: memoryview
    entries: Mapping[str, Entry]

    def entry(self, function: str) -> Entry:
        """An exported function, to be called often."""
        return self.entries[function]

    def call(self, function: str, *numbers: int) -> int:
        """What an exported function gives.  Raises `Stopped`."""
        return self.entries[function](*numbers)


class Module(Protocol):
    """A compiled program; makes machines cheaply, each with a memory of its own."""

    @property
    def name(self) -> str:
        """What kind of machine it makes."""

    def machine(self) -> Machine:
        """A machine with fresh memory."""


@frozen
class Signature:
    """How many numbers a function takes, and of what type its result is."""

    name: str
    params: int
    result: Kind | None

    @classmethod
    def of(cls, function: Function) -> "Signature":
        """The signature of a function."""
        return cls(function.name, len(function.params), function.result)

    def check(self, numbers: tuple[int, ...]) -> None:
        """Raises `TypeError` if there are too few numbers or too many."""
        if len(numbers) != self.params:
            raise TypeError(f"{self.name} takes {self.params} numbers, not {len(numbers)}")


def exported(program: Program) -> dict[str, Signature]:
    """The functions that a machine for the program can be asked to call."""
    return {f.name: Signature.of(f) for f in program.functions if f.exported}


def read(kind: Kind | None, raw: int) -> int:
    """The number that the low bits of a register stand for, as a number of that type."""
    if kind is None:
        return 0
    if kind is MASK:
        return raw & 0xFFFF_FFFF_FFFF_FFFF
    raw &= 0xFFFF_FFFF
    return raw if kind is WORD or raw < 1 << 31 else raw - (1 << 32)


def initial(program: Program, memory: memoryview) -> None:
    """Writes what memory has at first, into zeros."""
    for data in program.data:
        memory[data.address : data.address + len(data.content)] = data.content
