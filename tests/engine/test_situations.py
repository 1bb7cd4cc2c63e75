"""Machines and the interpreter find the same situations, in the same order, with the same moves."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from attrs import evolve

from compiler.lir.exploring.breadth import CHANCE
from compiler.lir.exploring.program import counting, exploring
from compiler.lir.verify import verify
from ruleengine.batch import MachineName, NoMachine, lowered
from ruleengine.compiled.c import compiler
from ruleengine.compiled.situations import Carrier, Situations, SteppingCarrier, carriers
from ruleengine.exploration import Walk, explore
from ruleengine.game import Instance, load
from ruleengine.rng import stream
from ruleengine.stops import ChanceStop, Decision, JointDecision, Outcome, Terminal
from ruleengine.table import Table
from ruleengine.trail import moves
from tests.engine.games import BLIND, ENDLESS, MIXED, STUCK, THREES, written

long = pytest.mark.long

WHOLE: list[tuple[str, int, dict[str, int]]] = [
    ("connect_four", 2, {"height": 3, "width": 3, "length": 3}),
    ("breakthrough", 2, {"height": 4, "width": 2}),
    ("nim", 2, {"heaps": 3}),
    ("kuhn", 2, {}),
    ("pig", 2, {"goal": 3, "faces": 2, "horizon": 6}),
]
"""Games that are small enough to be gone through whole."""

BEGUN: list[tuple[str, int, dict[str, int]]] = [
    ("leduc", 2, {}),
    ("jinks", 2, {}),
    ("reversi", 2, {}),
    ("whist", 4, {}),
    ("jinx", 2, {}),
    ("jinxx", 2, {}),
    ("klink", 3, {}),
    ("highjinks", 2, {}),
]
"""Games that are gone through as far as a limit."""


def game(spec: str, players: int, settings: Mapping[str, int]) -> Instance:
    """A game of so many seats."""
    return load(spec, players, None, **settings)


def rows(walk: Walk) -> tuple[list[int], list[tuple[int, ...]], list[tuple[int, ...]]]:
    """How many situations are how far away, where their moves lead, and how likely chance is."""
    spots = walk.spots
    return list(walk.net.layers), [spot.next for spot in spots], [spot.weights for spot in spots]


def gone_through(played: Instance, limit: int, machine: MachineName) -> Walk:
    """A walk on a machine."""
    walk = Walk(played, limit, None, machine)
    walk.run()
    return walk


@pytest.mark.parametrize(("spec", "players", "settings"), WHOLE)
@pytest.mark.parametrize("machine", ["wasm", pytest.param("python", marks=long)])
def test_whole_games(
    spec: str, players: int, settings: dict[str, int], machine: MachineName
) -> None:
    """A small game has the same situations, moves, odds and ends on every machine."""
    played = game(spec, players, settings)
    ours, theirs = gone_through(played, 9_000, machine), gone_through(played, 9_000, "interpreter")

    assert ours.complete
    assert (ours.played_by, theirs.played_by) == (machine, "interpreter")
    assert ours.spots == theirs.spots
    assert ours.net.layers == theirs.net.layers


@pytest.mark.parametrize(("spec", "players", "settings"), BEGUN[:2])
def test_games_begun(spec: str, players: int, settings: dict[str, int]) -> None:
    """The first situations of a large one, too: where moves lead, and how likely chance is."""
    played = game(spec, players, settings)
    ours = gone_through(played, 150, "wasm")

    assert ours.played_by == "wasm"
    assert rows(ours) == rows(gone_through(played, 150, "interpreter"))


@long
@pytest.mark.parametrize(("spec", "players", "settings"), BEGUN)
def test_games_gone_on_with(spec: str, players: int, settings: dict[str, int]) -> None:
    """So it is with thousands of situations."""
    played = game(spec, players, settings)

    assert rows(gone_through(played, 4_000, "wasm")) == rows(
        gone_through(played, 4_000, "interpreter")
    )


# ---- from the middle of a game


def stops(played: Instance, seed: int, every: int, most: int) -> Iterator[Table]:
    """Stops of a random play, some distance apart."""
    numbers, table = stream(seed, 0, 0), played.interpreter.start()
    for number in range(every * most):
        stop = played.interpreter.advance(table)
        if isinstance(stop, Terminal):
            return
        if number % every == 0:
            yield table.copy()
        match stop:
            case ChanceStop(outcomes=odds):
                played.interpreter.draw(table, odds.drawn(numbers.below(odds.total)))
            case Decision(choices=choices) | JointDecision(choices=(choices, *_)):
                played.interpreter.choose(table, choices[numbers.below(len(choices))])


def ahead(played: Instance, table: Table) -> list[bytes]:
    """What each move of a stop leads to, by the interpreter."""
    found = []
    for move in moves(played.interpreter.advance(table)):
        trial = table.copy()
        if isinstance(move, Outcome):
            played.interpreter.draw(trial, move)
        else:
            played.interpreter.choose(trial, move)
        played.interpreter.advance(trial)
        found.append(core(played, trial))
    return found


def core(played: Instance, table: Table) -> bytes:
    """What tells situations apart."""
    return played.packing.pack(table)[: played.packing.core_size]


def carrier(played: Instance) -> Carrier:
    """What goes node by node."""
    return next(one for one in carriers(lowered(played)) if isinstance(one, SteppingCarrier))


def check_play(played: Instance, seed: int, every: int, most: int) -> None:
    """At stops of a random play, a table is itself again, and moves lead where they should."""
    run = Situations.of(lowered(played), carrier(played), 5_000)
    for table in stops(played, seed, every, most):
        run.run(1, origin=table.copy())
        starts, rows_ = run.starts(), run.rows()
        step = 2 if rows_[0] == CHANCE else 1
        there = list(rows_[1 : starts[1] : step])

        assert core(played, run.table(0)) == core(played, table)
        assert [core(played, run.table(number)) for number in there] == ahead(played, table)


SOME = [("reversi", 2), ("jinks", 2)]
RULEBOOKS = [*SOME, ("whist", 4), ("jinx", 2), ("jinxx", 2), ("klink", 3), ("highjinks", 4)]


@pytest.mark.parametrize(("spec", "players"), SOME)
def test_moves_in_the_middle(spec: str, players: int) -> None:
    """Wherever a play is, a machine makes the moves that the interpreter makes."""
    check_play(load(spec, players), 1, 40, 4)


@long
@pytest.mark.parametrize(("spec", "players"), [*RULEBOOKS, ("leduc", 2)])
@pytest.mark.parametrize("seed", range(2, 6))
def test_moves_at_many_stops(spec: str, players: int, seed: int) -> None:
    """So it is at many stops of several plays."""
    check_play(load(spec, players), seed, 7, 40)


# ---- what stands in the way


def test_moves_into_faults(tmp_path: Path) -> None:
    """After which move a rule breaks down, and what is wrong then, the interpreter says."""
    path = written(tmp_path, STUCK)
    ours, theirs = explore(path), explore(path, machine="interpreter")

    assert ours.played_by == "wasm"
    assert ours.dead_ends == theirs.dead_ends
    assert ours.by_depth == theirs.by_depth


@pytest.mark.parametrize("text", [ENDLESS, THREES])
def test_what_situations_say(tmp_path: Path, text: str) -> None:
    """Counts, results, histories and means are the same, whatever found the situations."""
    path = written(tmp_path, text)
    ours, theirs = explore(path, machine="wasm"), explore(path, machine="interpreter")

    assert evolve(ours, played_by="interpreter") == theirs


@pytest.mark.parametrize("limit", [1, 2, 99, 100, 101, 1_000])
def test_limits(limit: int) -> None:
    """A limit breaks off behind the same situation."""
    ours = explore("tictactoe", limit=limit)
    theirs = explore("tictactoe", limit=limit, machine="interpreter")

    assert evolve(ours, played_by="interpreter") == theirs
    assert ours.is_unfinished


@pytest.mark.parametrize("depth", [0, 1, 3, 20])
def test_depths(depth: int) -> None:
    """So does a depth, which is what was asked for."""
    ours = explore("kuhn", depth=depth)
    theirs = explore("kuhn", depth=depth, machine="interpreter")

    assert evolve(ours, played_by="interpreter") == theirs
    assert not ours.is_unfinished


@long
@pytest.mark.skipif(compiler() is None, reason="there is no C compiler here")
def test_c() -> None:
    """C finds them too."""
    ours = explore("nim", machine="c")

    assert ours.played_by == "c"
    assert evolve(ours, played_by="interpreter") == explore("nim", machine="interpreter")


def test_scores_at_some_ends(tmp_path: Path) -> None:
    """Ends with scores and ends without are told apart."""
    path = written(tmp_path, MIXED)
    ours = explore(path, machine="wasm")

    assert ours.played_by == "wasm"
    assert evolve(ours, played_by="interpreter") == explore(path, machine="interpreter")


def test_no_machine(tmp_path: Path) -> None:
    """A game that no machine goes through is left to the interpreter, which is told."""
    path = written(tmp_path, BLIND)
    found = explore(path)

    assert found.played_by == "interpreter"
    assert "picking sets of tokens" in found.why
    with pytest.raises(NoMachine, match="no machine goes through"):
        explore(path, machine="wasm")


@pytest.mark.parametrize("spec", ["connect_four", "jinks"])
def test_programs_keep_their_promises(spec: str) -> None:
    """Programs are what printers expect."""
    played = load(spec)
    for one in carriers(lowered(played)):
        verify(exploring(one.moves, 1_000).program)
        verify(counting(one.moves).program)


def test_memory() -> None:
    """A situation of connect four takes less than 100 bytes, its moves included."""
    walk = gone_through(load("connect_four", 2, None, height=4, width=4), 200_000, "wasm")

    assert walk.bytes_used is not None
    assert walk.bytes_used / walk.states < 100
