"""`python -m tests.benchmarks.starting`: from the text of a rulebook to the end of a first game.

Each round is a new process in which nothing is known yet, but for the table of the grammar, which
the first run on a computer leaves behind.  Python's own start and the imports are told apart.
"""

import argparse
import itertools
import json
import subprocess
import sys
from importlib import import_module
from statistics import median
from time import perf_counter, process_time
from typing import Final

from ruleengine import library

_STAGES: Final = ("imports", "rules", "game", "machine", "playout")
_FROM_TEXT: Final = _STAGES[1:]


def told(name: str) -> dict[str, tuple[float, float]]:
    """Seconds of each stage in this process: of the processor, and on the clock."""
    marks = [(process_time(), perf_counter())]

    def mark() -> None:
        marks.append((process_time(), perf_counter()))

    games, batch = import_module("ruleengine.game"), import_module("ruleengine.batch")
    mark()
    spec = games.open_spec(name)
    mark()
    game = games.load(spec)
    mark()
    batch.choose(game, "wasm")
    mark()
    list(batch.played(game, "wasm", 0, range(1), 100_000, 1, rows=True))
    mark()
    spans = itertools.pairwise(marks)
    return {
        stage: (after[0] - before[0], after[1] - before[1])
        for stage, (before, after) in zip(_STAGES, spans, strict=True)
    }


def measured(name: str, rounds: int) -> dict[str, tuple[float, float]]:
    """The median of each stage over new processes."""
    command = [sys.executable, "-m", "tests.benchmarks.starting", "--once", name]
    runs = [
        json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
        for _ in range(rounds)
    ]
    return {
        stage: (median(run[stage][0] for run in runs), median(run[stage][1] for run in runs))
        for stage in _STAGES
    }


def main() -> None:
    """Prints a table, a line for each rulebook."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.starting", description=__doc__
    )
    parser.add_argument("games", nargs="*", help="rulebooks; all that are shipped, if none is said")
    parser.add_argument("--rounds", type=int, default=5, help="how many processes for each")
    parser.add_argument("--once", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.once:
        sys.stdout.write(json.dumps(told(asked.once)))
        return
    stages = "".join(f"{stage:>9}" for stage in _STAGES)
    sys.stdout.write(f"{'processor seconds':18}{stages}  from text  on the clock\n")
    for name in asked.games or library.names():
        found = measured(name, asked.rounds)
        spent, passed = (sum(found[stage][side] for stage in _FROM_TEXT) for side in (0, 1))
        stages = "".join(f"{found[stage][0]:9.2f}" for stage in _STAGES)
        sys.stdout.write(f"{name:18}{stages}{spent:11.2f}{passed:14.2f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
