"""Programs that go node by node leave the interpreter's bytes behind after every node."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define, field

from compiler.graph.core import Chance, Choose, End, Flow, Shuffle
from compiler.lir.stepwise.plan import HEADER
from compiler.lir.stepwise.pools import SELDOM
from compiler.lir.verify import verify
from ruleengine import library
from ruleengine.batch import lowered
from ruleengine.compiled.machine import Machine, Stopped
from ruleengine.compiled.make import Which, make_machine
from ruleengine.compiled.working import Working
from ruleengine.game import Instance, load
from ruleengine.match import Playing, random_players
from ruleengine.rng import CHANCE, stream
from ruleengine.table import Table

SEED = 2**33 + 7
_WORD = 2**32 - 1

LANGUAGE = tuple(sorted(Path("tests/language").glob("*.rules")))
"""Small games that use what the shipped rulebooks do not."""

SECRETS = tuple(
    path
    for path in sorted(Path("tests/knowledge/games").glob("*.rules"))
    if path.stem not in ("sorted", "either", "washing_openly")
)
"""Tiny games of hidden cards: one is refused, and two the interpreter plays better."""

LEFT = ("guests",)
"""Games some of which come to what machines leave to the interpreter: they are compared so far."""

HIDING = ("highjinks", "jinks", "klink", "kuhn", "leduc", "whist")
"""Shipped games in which somebody knows what he does not see."""

Passed = tuple[int, bytes]
"""A node whose step has been done, and the canonical bytes of the table then."""


def _waits(game: Instance, node: int) -> bool:
    """Whether a game may wait at a node."""
    match game.graph.nodes[node].step:
        case Choose() | Flow(End()):
            return True
        case Chance(drawn):
            return not isinstance(drawn, Shuffle)
        case _:
            return False


def expected(source: str | Path, number: int, nodes: int, *, knowing: bool) -> list[Passed]:
    """What the interpreter goes through in one random game, stops left out, about so far."""
    game = load(source)
    passed: list[Passed] = []

    def note(table: Table) -> None:
        passed.append((table.node, game.packing.pack(table)))

    for node in range(len(game.graph.nodes)):
        if not _waits(game, node):
            game.interpreter.watch(node, note)
    chance, observer = stream(SEED, number, CHANCE), game.knowledge if knowing else None
    Playing(game, random_players(game, SEED, number), chance, nodes, observer).to_the_end()
    return passed


@define(eq=False)
class Stepping:
    """A program, step by step."""

    game: Instance
    which: Which
    knowing: bool
    left: int = field(default=0, init=False)  # games that were left to the interpreter
    _machine: Machine = field(init=False)
    _working: Working = field(init=False)

    def __attrs_post_init__(self) -> None:
        made = lowered(self.game)
        program = made.knowing if self.knowing else made.stepwise
        verify(program.games.program)
        self._machine = make_machine(program.games.program, self.which).machine
        self._working = Working(program.plan, self.game.interpreter.statics)

    def passed(self, number: int) -> Iterator[Passed]:
        """What it goes through in one game, stops left out."""
        self._machine.call("seed", SEED & _WORD, SEED >> 32)
        self._machine.call("begin", number, 0)
        node = self._table().node
        while node >= 0:
            try:
                then = self._machine.call("step")
            except Stopped as stopped:
                if stopped.code != SELDOM:
                    raise
                self.left += 1
                return
            if not _waits(self.game, node) and then != node:
                table = self._table()
                table.node = node
                yield node, self.game.packing.pack(table)
            node = then

    def _table(self) -> Table:
        """The table as it lies in memory."""
        return self._working.read(self._machine.memory[HEADER : HEADER + self._working.size])


def _compare(
    source: str | Path, which: Which, numbers: range, nodes: int, *, knowing: bool = False
) -> None:
    stepping = Stepping(load(source), which, knowing)
    for number in numbers:
        ours = stepping.passed(number)
        for mine, theirs in zip(
            ours, expected(source, number, nodes, knowing=knowing), strict=False
        ):
            assert mine == theirs
    if stepping.left:
        assert Path(source).stem in LEFT
        assert stepping.left < len(numbers), "no game of it is played to its end"


@pytest.mark.parametrize("name", library.names())
def test_bytes_after_every_node(name: str) -> None:
    """The beginning of a random game of every shipped rulebook."""
    _compare(name, "wasm", range(1), 150)


@pytest.mark.parametrize("path", LANGUAGE, ids=lambda path: path.stem)
def test_what_the_language_can_say(path: Path) -> None:
    """So do small games that use the rest of the language, in generated Python too."""
    _compare(path, "wasm", range(1), 100)
    _compare(path, "python", range(1), 40)


@pytest.mark.parametrize("source", [*HIDING, *SECRETS], ids=str)
def test_what_everybody_knows_after_every_node(source: str | Path) -> None:
    """A machine that is asked to keeps knowledge to the last bit as the interpreter's observer."""
    _compare(source, "wasm", range(2), 150, knowing=True)


def test_nothing_is_kept_where_nobody_can_know() -> None:
    """Where everything lies open, a program that keeps knowledge is the one that does not."""
    made = lowered(load("jinxx"))
    assert made.knowing.games.program == made.stepwise.games.program


@pytest.mark.long
@pytest.mark.parametrize("source", [*HIDING, *SECRETS], ids=str)
def test_what_everybody_knows_in_whole_games(source: str | Path) -> None:
    """Whole games on every machine."""
    _compare(source, "wasm", range(10), 20_000, knowing=True)
    _compare(source, "python", range(1), 20_000, knowing=True)


@pytest.mark.long
@pytest.mark.parametrize("name", library.names())
def test_bytes_of_whole_games(name: str) -> None:
    """Whole games on every machine."""
    _compare(name, "wasm", range(10), 20_000)
    _compare(name, "python", range(2), 20_000)


def test_a_table_is_carried_over_and_back() -> None:
    """What a rule can read of a table is the same after a journey through memory."""
    game = load("highjinks")
    working = Working(lowered(game).stepwise.plan, game.interpreter.statics)
    table = game.interpreter.start()
    game.interpreter.advance(table)
    content = working.write(table)

    assert working.write(working.read(content)) == content
    assert game.packing.pack(working.read(content)) == game.packing.pack(table)
