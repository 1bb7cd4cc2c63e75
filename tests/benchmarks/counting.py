"""`python -m tests.benchmarks.counting`: sequences of moves and distinct situations, in turns.

Everybody counts the same thing, and has to come to the same number.  Compiling is not counted.
Sequences are counted as is usual: at the last move but one, moves are only counted, not made.
"""

import argparse
import importlib
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from types import ModuleType
from typing import Final, Protocol, TypeAlias

from attrs import asdict, frozen

from ruleengine.batch import lowered
from ruleengine.compiled.c import compiler
from ruleengine.compiled.counts import Sequences
from ruleengine.compiled.make import Which
from ruleengine.compiled.situations import Situations, carriers
from ruleengine.exploration import Walk
from ruleengine.game import Instance, load

_BY_HAND: Final = Path(__file__).parent / "by_hand" / "states.c"
_MACHINES: Final[tuple[Which, ...]] = ("wasm", "c")
_SLOW: Final = 30_000  # what those count who are slow: so many situations, or a move or two less

Told: TypeAlias = tuple[int, float, float | None]
"""How many, the processor seconds it took to count them, and perhaps the bytes for each."""

Count: TypeAlias = Callable[[], Told]


@frozen
class Figure:
    """How many of something a contestant counts in a second: the median over the rounds."""

    what: str
    name: str
    count: int
    per_second: float
    bytes_each: float | None  # of memory, where it is known


@frozen
class Task:
    """Something to be counted, and who counts it; the first is what others are compared with."""

    what: str
    who: tuple[tuple[str, Count], ...]


# ---- ours


def sequences(game: Instance, depth: int, which: Which) -> Count:
    """Sequences of moves on a machine."""
    counting = Sequences.of(next(carriers(lowered(game))), which)

    def count() -> Told:
        begun = process_time()
        found = counting.count(depth)
        return found.by_depth[depth], process_time() - begun, None

    return count


def distinct(game: Instance, limit: int, which: Which) -> Count:
    """Distinct situations on a machine."""

    def count() -> Told:
        carrier = next(carriers(lowered(game)))
        run = Situations.of(lowered(game), carrier, limit, which)
        begun = process_time()
        run.run()
        return run.count, process_time() - begun, run.bytes_used / run.count

    return count


def by_reference(game: Instance) -> Count:
    """Distinct situations of the interpreter, up to a limit."""

    def count() -> Told:
        walk = Walk(game, _SLOW, None, "interpreter")
        begun = process_time()
        walk.run()
        return walk.states, process_time() - begun, None

    return count


# ---- others


def by_hand(program: Path, *words: str) -> Count:
    """A program written in C for this one thing."""

    def count() -> Told:
        done = subprocess.run((program, *words), capture_output=True, text=True, check=True)
        found, seconds = done.stdout.split()
        return int(found), float(seconds), None

    return count


class Played(Protocol):
    """A state of OpenSpiel."""

    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def legal_actions(self) -> list[int]:
        """What may be done."""

    def child(self, action: int) -> "Played":
        """What that leads to."""


def spiel(library: ModuleType, name: str, depth: int) -> Count:
    """Sequences of moves in OpenSpiel, through its Python interface."""

    def below(state: Played, left: int) -> int:
        if state.is_terminal():
            return 0
        actions = state.legal_actions()
        if left == 1:
            return len(actions)
        return sum([below(state.child(action), left - 1) for action in actions])

    def count() -> Told:
        state = library.load_game(name).new_initial_state()
        begun = process_time()
        found = below(state, depth)
        return found, process_time() - begun, None

    return count


# ---- tasks


def tasks(folder: Path) -> Iterator[Task]:
    """All that is counted on this computer."""
    program = _made(folder)
    hand = {
        "connect_four": ("perft", "6", "7", "9"),
        "breakthrough": ("pawns", "5"),
    }
    for name, depth in (("connect_four", 9), ("breakthrough", 5)):
        game = load(name)
        ours = [(f"ours, {which}", sequences(game, depth, which)) for which in _here()]
        others = [("C by hand", by_hand(program, *hand[name]))] if program else []
        if importlib.util.find_spec("pyspiel"):
            library = importlib.import_module("pyspiel")
            others.append(("OpenSpiel from Python", spiel(library, name, min(depth, 5))))
        yield Task(f"sequences of {depth} moves, {name}", (*ours, *others))
    game = load("connect_four", 2, None, height=4, width=5)
    ours = [(f"ours, {which}", distinct(game, 4_000_000, which)) for which in _here()]
    others = [("ours, interpreter", by_reference(game))]
    if program:
        others.append(("C by hand", by_hand(program, "count", "4", "5")))
    yield Task("positions of connect four 4x5", (*ours, *others))
    for name, players in (("jinxx", 2), ("jinks", 2), ("klink", 3), ("highjinks", 2)):
        game = load(name, players)
        ours = [(f"ours, {which}", distinct(game, 100_000, which)) for which in _here()]
        yield Task(f"situations of {name}", (*ours, ("ours, interpreter", by_reference(game))))


def _here() -> tuple[Which, ...]:
    return _MACHINES if compiler() else _MACHINES[:1]


def _made(folder: Path) -> Path | None:
    command = compiler()
    if command is None:
        return None
    program = folder / "states"
    options = ("-O3", "-march=native", "-o", str(program), str(_BY_HAND))
    subprocess.run((command, *options), check=True)
    return program


def measured(rounds: int) -> Iterator[Figure]:
    """All figures, task by task; everybody counts in turns."""
    with TemporaryDirectory() as folder:
        for task in tasks(Path(folder)):
            told: list[list[Told]] = [[] for _ in task.who]
            for _ in range(rounds):
                for (_, count), found in zip(task.who, told, strict=True):
                    found.append(count())
            for (name, _), found in zip(task.who, told, strict=True):
                rates = [many / max(seconds, 1e-9) for many, seconds, _ in found]
                yield Figure(task.what, name, found[0][0], median(rates), found[0][2])


def main() -> None:
    """Measures, prints ratios, and writes what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.counting")
    parser.add_argument("--rounds", type=int, default=3, help="how often everybody counts")
    parser.add_argument("--json", type=Path, help="a file for all figures")
    asked = parser.parse_args()
    figures: list[Figure] = []
    for figure in measured(asked.rounds):
        first = next((one for one in figures if one.what == figure.what), figure)
        figures.append(figure)
        ratio = first.per_second / figure.per_second
        each = figure.bytes_each
        sys.stdout.write(
            f"{figure.what:40} {figure.name:22} {figure.count:12,} "
            f"{figure.per_second / 1e6:10.3f} M/s   ours is {ratio:8.2f}x"
            f"{'' if each is None else f'   {each:.0f} bytes each'}\n"
        )
        sys.stdout.flush()
    if asked.json:
        told = json.dumps([asdict(figure) for figure in figures], indent=2)
        asked.json.write_text(told + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
