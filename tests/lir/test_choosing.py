"""Sets of members, each once, of which look-alikes are taken from the first on."""

import struct
from itertools import combinations

import pytest

from compiler.lir.build import num
from compiler.lir.core import Program
from compiler.lir.stepwise.choosing import subsets
from compiler.lir.stepwise.code import Code, function, plus, put_at, times
from compiler.lir.stepwise.lists import ARENA, Arena, element, size
from compiler.lir.stepwise.plan import Memory
from compiler.lir.stepwise.ties import Keyed
from compiler.lir.verify import verify
from ruleengine.compiled.make import Which, make_machine

TWINS = (-1, -1, 0, -1, 2, 1)
"""Of six members the first, third and fifth are alike, and so are the second and the last."""

COLOURS = (1, 2, 1, 2, 1, 2)
RANKS = (3, 4, 3, 5, 3, 4)
_ROOM = 1000


def chosen(
    low: int,
    high: int,
    which: Which,
    *,
    twins: bool = False,
    keys: tuple[int, ...] = (),
    span: tuple[int, int] | None = None,
    in_a_row: bool = False,
) -> list[tuple[int, ...]]:
    """The sets that a machine goes through, as positions of members."""
    memory = Memory()
    arena = Arena(memory.words(1), memory.words(ARENA // 4), memory.constant((0,)), memory.words(8))
    members = memory.constant((len(TWINS), *range(len(TWINS))))
    alike = memory.constant((len(TWINS), *TWINS)) if twins else None
    keyed = []
    if keys:
        keyed.append(Keyed(num(memory.constant((len(keys), *keys))), in_a_row, span))
    told = memory.words(_ROOM)

    def body(code: Code) -> None:
        code.put(arena.clear())
        end = code.local("end", told)
        known = None if alike is None else num(alike)
        with subsets(code, memory, num(members), low, high, known, keyed) as (each, made):
            each.put(put_at(end, size(made)))
            with each.up_to(size(made)) as (inside, i):
                inside.put(put_at(end, element(made, i), plus(i, 1)))
            each.set(end, plus(plus(end, times(size(made), 4)), 4))
        code.give(end)

    made = function("run", (), body, exported=True)
    functions = (made, *arena.functions())
    program = Program("sets", functions, tuple(memory.data), -(-memory.end // 8) * 8)
    verify(program)
    machine = make_machine(program, which).machine
    end = machine.call("run")
    numbers = struct.unpack(f"<{(end - told) // 4}i", bytes(machine.memory[told:end]))
    found, at = [], 0
    while at < len(numbers):
        found.append(numbers[at + 1 : at + 1 + numbers[at]])
        at += 1 + numbers[at]
    return found


def tried(low: int, high: int) -> list[tuple[int, ...]]:
    """All sets of members, by size, then in their order."""
    return [s for size in range(low, high + 1) for s in combinations(range(len(TWINS)), size)]


def takes_first_twins(some: tuple[int, ...]) -> bool:
    """Whether with each member its look-alikes before it are in a set."""
    return all(TWINS[position] < 0 or TWINS[position] in some for position in some)


@pytest.mark.parametrize("which", ["wasm", "python"])
def test_sets_of_all_members(which: Which) -> None:
    """Sets come by size, then in the order of the members; look-alikes count once."""
    assert chosen(0, 6, which) == tried(0, 6)
    assert chosen(2, 3, which) == tried(2, 3)
    assert chosen(0, 6, which, twins=True) == [s for s in tried(0, 6) if takes_first_twins(s)]


@pytest.mark.parametrize("span", [None, (1, 2)])
def test_members_of_one_colour(span: tuple[int, int] | None) -> None:
    """Where members must be alike in something, no other sets are come to."""
    alike = [s for s in tried(1, 6) if len({COLOURS[position] for position in s}) == 1]

    assert chosen(1, 6, "wasm", keys=COLOURS, span=span) == alike
    assert chosen(1, 6, "wasm", twins=True, keys=COLOURS, span=span) == [
        s for s in alike if takes_first_twins(s)
    ]


@pytest.mark.parametrize("span", [None, (3, 5), (0, 9)])
def test_members_in_a_row(span: tuple[int, int] | None) -> None:
    """Where members must follow one another, none is twice and none too far from another."""
    rows = [
        s
        for s in tried(2, 4)
        if sorted(RANKS[position] for position in s)
        == list(range(min(RANKS[p] for p in s), min(RANKS[p] for p in s) + len(s)))
    ]

    assert chosen(2, 4, "wasm", keys=RANKS, span=span, in_a_row=True) == rows
    assert chosen(2, 4, "wasm", keys=RANKS, span=span, in_a_row=True, twins=True) == [
        s for s in rows if takes_first_twins(s)
    ]
