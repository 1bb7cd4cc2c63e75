"""Random streams in the low-level form: the published numbers, on every machine that runs here."""

import pytest
from attrs import evolve

from compiler.lir import random as lir_random
from compiler.lir.core import Program
from compiler.lir.verify import verify
from ruleengine.compiled.c import compiler
from ruleengine.compiled.machine import Machine
from ruleengine.compiled.make import Which, make_machine
from ruleengine.rng import CHANCE, Stream, stream
from tests.unit.test_rng import VECTORS, hexes

RUN, HERE = 16, 32
WORD = 2**32
MACHINES: tuple[Which, ...] = ("wasm", "python", "c") if compiler() else ("wasm", "python")


@pytest.fixture(scope="module", params=MACHINES)
def machine(request: pytest.FixtureRequest) -> Machine:
    """A machine on which all functions of random streams can be called."""
    functions = tuple(evolve(one, exported=True) for one in lir_random.FUNCTIONS)
    program = Program("random", functions, (), 64)
    verify(program)
    return make_machine(program, request.param).machine


def state(machine: Machine) -> tuple[int, ...]:
    """The words of the stream that is drawn from."""
    return tuple(machine.memory[HERE : HERE + lir_random.STREAM_BYTES].cast("I"))


def put(machine: Machine, source: Stream) -> None:
    """Lets the machine go on from where a stream has got to."""
    for number, word in enumerate(source.state):
        at = HERE + 4 * number
        machine.memory[at : at + 4] = word.to_bytes(4, "little")


def test_vectors(machine: Machine) -> None:
    """Every machine draws the published numbers."""
    for seed, game, name, begins, first, thousandth in VECTORS:
        number = 0 if name == CHANCE else name + 1
        halves = (seed % WORD, seed // WORD, game % WORD, game // WORD)
        machine.call(lir_random.SEED_STREAM, HERE, *halves, number)
        assert hexes(list(state(machine))) == f"{begins} 0000001f"

        words = [machine.call(lir_random.NEXT32, HERE) for _ in range(1000)]
        assert (first, thousandth) == (hexes(words[:4]), hexes(words[-1:]))


def test_runs(machine: Machine) -> None:
    """What is left after the seed begins every stream of a run."""
    machine.call(lir_random.SEED_RUN, RUN, 20250101, 3)
    for game, name in ((0, 0), (5, 2), (2**40 + 1, 1)):
        machine.call(lir_random.START_STREAM, HERE, RUN, game % WORD, game // WORD, name)
        expected = stream(20250101 + 3 * WORD, game, name - 1 if name else CHANCE)
        assert expected.state == state(machine)


def test_below(machine: Machine) -> None:
    """Numbers below n are those of the reference, and as many words are drawn."""
    expected = stream(7, 0, CHANCE)
    put(machine, expected)
    for n in (6, 1, 2, 52, 1, 3 * 2**29 + 1, 2**31 - 1, *[2**30 + 1] * 40, 6):
        assert expected.below(n) == machine.call(lir_random.BELOW, HERE, n)
    assert expected.state == state(machine)


def test_unfair_words(machine: Machine) -> None:
    """A word that would make a number likelier than others is dropped."""
    expected = Stream(WORD - 5, 5, 9, 0)  # its next word is 0
    put(machine, expected)
    assert expected.below(3) == machine.call(lir_random.BELOW, HERE, 3)
    assert expected.state == state(machine)
    assert expected.state[3] == 2


def test_last_fair_word(machine: Machine) -> None:
    """The first word that leaves as much as there are unfair ones is kept: 3 x aaaaaaab is 2 1."""
    expected = Stream(0xAAAAAAAB - 5, 5, 9, 0)
    put(machine, expected)
    assert expected.below(3) == machine.call(lir_random.BELOW, HERE, 3)
    assert expected.state == state(machine)
    assert expected.state[3] == 1
