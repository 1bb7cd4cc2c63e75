"""Situations of one word: how they are spelled, and the table in which they are found."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from attrs import evolve

from compiler.lir.core import Local, Program, Store
from compiler.lir.exploring.breadth import Finding
from compiler.lir.exploring.single import FACTORS, Single
from compiler.lir.exploring.spelling import OneWord, Words
from compiler.lir.exploring.table import Desk, Ground, Key
from compiler.lir.stepwise.code import Code, function
from compiler.lir.verify import verify
from ruleengine.batch import lowered
from ruleengine.compiled.make import make_machine
from ruleengine.exploration import explore
from ruleengine.game import load
from tests.engine.games import written

BITS = 40
HERE = 1 << 56  # a place, which lies above the key

DOUBLING = """rulebook doubling "Seventy times left or right"
    seats 2..2
var step: 0..70 = 0
var side: 0..1 = 0

start
    repeat
        if step is 70 "Through?"
            end draw
        A chooses "Which way?"
            left "Left"
                side = 0
            right "Right"
                side = 1
        step = step + 1
"""


def mixed(word: int) -> int:
    """The bits of a key in the order in which the table has them."""
    for factor in FACTORS:
        word = (word ^ word >> BITS // 2) * factor % (1 << BITS)
    return word


def unmixed(word: int) -> int:
    """The key that is mixed so."""
    for factor in reversed(FACTORS):
        word = word * pow(factor, -1, 1 << BITS) % (1 << BITS)
        word ^= word >> BITS // 2
    return word


def numbers(words: Sequence[int]) -> list[int]:
    """The numbers that the table gives to keys."""
    ground = Ground(1024)
    key, desk = Key.one_word(ground.room(8), BITS), Desk.of(ground)
    finding = Finding.of(ground, key, desk, 4_000, 1 << 24)

    def put(code: Code, low: Local, high: Local) -> None:
        code.put(Store(4, key.address, None, low), Store(4, key.address + 4, None, high))
        code.do("arrive", 1)

    functions = (
        *finding.functions(),
        function("expand", ("record",), lambda code, _: code.give(), gives=None),
        function("put", ("low", "high"), put, gives=None, exported=True),
    )
    program = Program("words", functions, (), ground.room(0))
    verify(program)
    machine = make_machine(program).machine
    machine.call("clear")
    for word in words:
        machine.call("put", word % (1 << 32), word >> 32)
    machine.call("answer")
    rows = machine.memory[finding.rows : finding.rows + 4 * len(words)].cast("i")
    return list(rows)


def expected(words: Sequence[int]) -> list[int]:
    """Numbers in the order in which keys come first."""
    known: dict[int, int] = {}
    return [known.setdefault(word % HERE, len(known)) for word in words]


def test_mixing_can_be_undone() -> None:
    """No two keys are mixed into one."""
    words = [0, 1, (1 << BITS) - 1, *(n * 0x1234567 % (1 << BITS) for n in range(100))]

    assert [unmixed(mixed(word)) for word in words] == words


def test_words_are_numbered() -> None:
    """Keys get numbers in the order in which they come first, while the table doubles."""
    words = [HERE + n * n * 7 % 6_007 * 0x10001 for n in range(8_000)]

    assert isinstance(Finding.of(Ground(0), Key.one_word(0, BITS), Desk(0, 0), 9, 99).table, Single)
    assert numbers(words) == expected(words)


@pytest.mark.parametrize(("home", "many"), [(0, 300), (1, 300), ((1 << 12) - 1, 200)])
def test_words_in_one_place(home: int, many: int) -> None:
    """Many keys that belong in one place of the table find room, at its edges too."""
    words = [unmixed((home << BITS - 12) + n * 890_000) for n in range(many)] * 2

    assert numbers(words) == expected(words)


def test_spelling() -> None:
    """A situation is itself again; a large board does not fit into a word."""
    played = load("connect_four", 2, None, height=4, width=5)
    spelling = lowered(played).moves.spelling
    table = played.interpreter.start()
    played.interpreter.advance(table)
    core = played.packing.pack(table)[: played.packing.core_size]
    record = spelling.record(core, 3)

    assert isinstance(spelling, OneWord)
    assert record is not None
    assert (spelling.core(record), record[7]) == (core, 3)
    assert spelling.record(b"\xff" * len(core), 3) is None
    assert isinstance(lowered(load("breakthrough")).moves.spelling, Words)


def test_more_ways_than_a_word_holds(tmp_path: Path) -> None:
    """Sequences of moves are counted exactly where a machine cannot count them."""
    path = written(tmp_path, DOUBLING)
    ours = explore(path, machine="wasm")

    assert ours.endings == 2**70
    assert evolve(ours, played_by="interpreter") == explore(path, machine="interpreter")
