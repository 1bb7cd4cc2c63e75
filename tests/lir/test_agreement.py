"""Every machine does what a program means: programs that nobody wrote, and one judge."""

import pytest
from hypothesis import Phase, given, settings

from compiler.lir.verify import verify
from ruleengine.compiled.c import compiler
from ruleengine.compiled.machine import Machine, Stopped
from ruleengine.compiled.make import Which, make_machine
from tests.lir.evaluator import Evaluator, Trapped
from tests.lir.generated import Run, runs

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


def agree(run: Run, *names: Which) -> None:
    """Calls every function on the judge and on the machines, and looks for promises kept."""
    program, calls = run
    verify(program)
    judge = Evaluator.of(program)
    machines = [make_machine(program, which).machine for which in names]
    for function, numbers in calls:
        outcome = expected(judge, function, numbers)
        for machine in machines:
            assert outcome == actual(machine, function, numbers), machine.name


@settings(max_examples=60, deadline=None, phases=[Phase.generate])
@given(runs(4))
def test_machines_agree(run: Run) -> None:
    """WebAssembly and generated Python give what the program means, and leave the same memory."""
    agree(run, "wasm", "python")


@pytest.mark.skipif(compiler() is None, reason="no C compiler")
@settings(max_examples=6, deadline=None, phases=[Phase.generate])
@given(runs(8))
def test_c_agrees(run: Run) -> None:
    """So does C."""
    agree(run, "c")
