"""Every machine does what a program means: programs that nobody wrote, and one judge."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from compiler.lir.core import Program
from compiler.lir.verify import verify
from ruleengine.compiled.c import compiler
from ruleengine.compiled.machine import Machine, Stopped
from ruleengine.compiled.make import make_machine
from tests.lir.evaluator import Evaluator, Trapped
from tests.lir.generated import arguments, programs

Outcome = tuple[str, int | None, bytes]


def expected(judge: Evaluator, function: str, numbers: tuple[int, ...]) -> Outcome:
    """What a call gives or which trap stops it, and memory afterwards."""
    try:
        given_back = judge.call(function, *numbers)
    except Trapped as trapped:
        return "stopped", trapped.code, bytes(judge.memory)
    return "gave", given_back, bytes(judge.memory)


def actual(machine: Machine, function: str, numbers: tuple[int, ...]) -> Outcome:
    """The same of a machine."""
    try:
        given_back = machine.call(function, *numbers)
    except Stopped as stopped:
        return "stopped", stopped.code, bytes(machine.memory)
    return "gave", given_back, bytes(machine.memory)


def agree(program: Program, machines: list[Machine], data: st.DataObject) -> None:
    """Calls every function on the judge and on the machines."""
    judge = Evaluator.of(program)
    for function in program.functions:
        numbers = data.draw(arguments(function))
        outcome = expected(judge, function.name, numbers)
        for machine in machines:
            assert outcome == actual(machine, function.name, numbers), machine.name


@settings(max_examples=60, deadline=None, phases=[Phase.generate])
@given(programs(4), st.data())
def test_machines_agree(program: Program, data: st.DataObject) -> None:
    """WebAssembly and generated Python give what the program means, and leave the same memory."""
    verify(program)
    agree(program, [make_machine(program, which).machine for which in ("wasm", "python")], data)


@pytest.mark.skipif(compiler() is None, reason="no C compiler")
@settings(max_examples=5, deadline=None, phases=[Phase.generate])
@given(programs(8), st.data())
def test_c_agrees(program: Program, data: st.DataObject) -> None:
    """So does C."""
    verify(program)
    agree(program, [make_machine(program, "c").machine], data)
