"""Answers that are found together are picked one by one, in the order in which they come."""

import struct
from itertools import combinations

import pytest

from compiler.graph.core import Bound, Const, Domain, DomainMode, Option, Slot, Variable
from compiler.lir.build import num
from compiler.lir.core import Local, Program
from compiler.lir.stepwise.answers import DECLINE, MOST, Answers
from compiler.lir.stepwise.choosing import sets_together
from compiler.lir.stepwise.code import Code, function, is_, put_word, word
from compiler.lir.stepwise.lists import ARENA, OVERFLOW, Arena
from compiler.lir.stepwise.plan import Memory
from compiler.lir.stepwise.ties import Keyed
from compiler.lir.verify import verify
from compiler.types import ListOf, SetOf, Token, Type
from ruleengine.compiled.machine import Machine, Stopped
from ruleengine.compiled.make import Which, make_machine

CARDS = (30, 31, 32, 33, 34, 35)
TWINS = (-1, -1, 0, -1, -1, 1)
"""Of six cards the first and third are alike, and so are the second and the last."""

RANKS = (3, 4, 3, 5, 3, 4)
_WIDTH = 12


def option(type_: Type, mode: DomainMode) -> Option:
    """One with a single slot."""
    members = Const(CARDS, type=ListOf(Token("card")))
    slot = Slot(Bound("s", 0, type=type_), Domain(mode, members), None, Variable("s", type_))
    return Option("take", (slot,), ())


CARD = option(Token("card"), DomainMode.MEMBERS)
SET = option(SetOf(Token("card")), DomainMode.SUBSETS)


def machine_of(
    low: int, high: int, which: Which, many: int, twins: tuple[int, ...], row: bool
) -> tuple[Machine, int]:
    """A machine that picks: a card, a set, or nothing; and where it leaves what it picked."""
    memory = Memory()
    arena = Arena(memory.words(1), memory.words(ARENA // 4), memory.constant((0,)), memory.words(8))
    cards = num(memory.constant((many, *range(30, 30 + many))))
    alone = memory.constant((many, *(-1,) * many))
    alike = num(memory.constant((many, *twins))) if twins else num(alone)
    room = memory.eights(MOST * _WIDTH // 2)
    answers = Answers(_WIDTH, room, memory.words(1), memory.words(1))
    keyed = [Keyed(num(memory.constant((many, *RANKS))), True, (0, 9))] if row else []
    found = memory.words(2)

    def listed(code: Code) -> None:
        code.put(arena.clear())
        answers.clear(code)
        answers.add_tokens(code, 0, (), cards)
        with sets_together(code, memory, cards, low, high, (alike, alone), keyed) as (each, sets):
            answers.add_sets(each, 1, (), cards, sets)
        answers.add(code, DECLINE)
        code.give(word(answers.count))

    def picked(code: Code, number: Local) -> None:
        answer = answers.pick(code, number)
        code.put(put_word(found, answer.position))
        for position, its in enumerate((CARD, SET)):
            with code.when(is_(answer.position, position)) as one:
                one.put(put_word(found, answers.values(one, its, answer)[0], 1))

    functions = (
        function("list", (), listed, exported=True),
        function("pick", ("number",), picked, gives=None, exported=True),
        *answers.functions(),
        *arena.functions(),
    )
    program = Program("answers", functions, tuple(memory.data), -(-memory.end // 8) * 8)
    verify(program)
    return make_machine(program, which).machine, found


def picks(
    low: int, high: int, which: Which, *, twins: tuple[int, ...] = (), row: bool = False
) -> list[object]:
    """All answers, by their numbers: cards, sets, `None`."""
    machine, found = machine_of(low, high, which, len(CARDS), twins, row)

    def numbers(address: int, count: int) -> tuple[int, ...]:
        return struct.unpack_from(f"<{count}i", machine.memory, address)

    answers: list[object] = []
    for number in range(machine.call("list")):
        machine.call("pick", number)
        position, value = numbers(found, 2)
        if position == 1:
            (many,) = numbers(value, 1)
            answers.append(numbers(value + 4, many))
        else:
            answers.append(None if position == DECLINE else value)
    return answers


def sets(low: int, high: int) -> list[tuple[int, ...]]:
    """Sets of cards, by size, then in their order."""
    return [some for size in range(low, high + 1) for some in combinations(CARDS, size)]


def takes_first_twins(some: tuple[int, ...]) -> bool:
    """Whether with each card the one before it that is like it is in a set."""
    return all(TWINS[card - 30] < 0 or 30 + TWINS[card - 30] in some for card in some)


def in_a_row(some: tuple[int, ...]) -> bool:
    """Whether the ranks of some cards follow one another."""
    ranks = sorted(RANKS[card - 30] for card in some)
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))


@pytest.mark.parametrize("which", ["wasm", "python"])
@pytest.mark.parametrize(("low", "high"), [(0, 6), (2, 2), (3, 5), (6, 6)])
def test_each_is_picked_by_its_number(low: int, high: int, which: Which) -> None:
    """Cards first, sets as they are gone through, nothing last."""
    assert picks(low, high, which) == [*CARDS, *sets(low, high), None]


@pytest.mark.parametrize(("low", "high"), [(0, 6), (2, 2), (3, 5)])
def test_look_alikes_count_once(low: int, high: int) -> None:
    """Of cards that are the same to a seat, sets have the first ones."""
    alike = [some for some in sets(low, high) if takes_first_twins(some)]

    assert picks(low, high, "wasm", twins=TWINS) == [*CARDS, *alike, None]


def test_sets_in_a_row() -> None:
    """Sets that may not stand are not among them."""
    rows = [some for some in sets(2, 4) if in_a_row(some)]

    assert picks(2, 4, "wasm", row=True) == [*CARDS, *rows, None]
    alike = [some for some in rows if takes_first_twins(some)]
    assert picks(2, 4, "wasm", twins=TWINS, row=True) == [*CARDS, *alike, None]


@pytest.mark.parametrize(("many", "low"), [(20, 10), (64, 32), (40, 3)])
def test_more_sets_than_there_is_room_for(many: int, low: int) -> None:
    """Where there are more answers than a decision has room for, the machine stops."""
    machine, _ = machine_of(low, low, "wasm", many, (), False)

    with pytest.raises(Stopped) as stopped:
        machine.call("list")
    assert stopped.value.code == OVERFLOW
