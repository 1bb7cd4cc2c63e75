"""`docs/performance.md`, from the figures of one run."""

import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Final

from tests.benchmarks.counting import Figure as Count
from tests.benchmarks.measure import Figure

_RIVAL: Final = "OpenSpiel"
_BOUND: Final = "C by hand"
_OURS: Final = "ours, WebAssembly"

_HEAD: Final = """# Performance

Random games a second of processor time on one core, each figure the median of {rounds} rounds in
which everybody played in turns. Compiling is not counted. Mean numbers of decisions are compared in
the same run, which stops if they differ. This page is written by

    python -m tests.benchmarks --page docs/performance.md

Measured on {machine}.
"""

_COUNTING: Final = """Sequences of moves (perft) and distinct situations, each the median of some
rounds in which everybody counted in turns; the counts of all must be the same. From
`python -m tests.benchmarks.counting --json FILE`, and `--counts FILE` of the command above. A
machine is made anew each time, so that touching its memory for the first time is counted."""

_FOOT: Final = """
## What is compared, and what is not

- OpenSpiel is driven as its users drive it from Python: `pyspiel.evaluate_bots` with two uniformly
  random bots, a state made for each game. Its C++ core alone is faster than that.
- C by hand is a program for this one game, with a mask for each side and nothing that another game
  would need; it is an upper bound. It draws from the same generator, but its games are its own.
- Our machines play the same games as the reference interpreter, number for number; tests compare
  them. They keep totals, and draw from a separate stream for chance and for every seat.
- WebAssembly and C are made from the same low-level form. C needs a compiler on the computer.
- A random player need not list the legal options to take one of them. Woven programs take one from
  counts and masks; the row "options listed" makes the list first, node by node.
- No rule reads who knows what, and random players do not look; the row "knowledge kept" is
  WebAssembly that keeps it all the same (`docs/decisions/054-knowledge-on-machines.md`).
- Not compared: engines that are not installed by pip, engines that play thousands of games in
  lockstep on graphics processors, several cores, search, and the time to write the rules down.
- Games of masks (the first eight) are woven into one loop; the others go node by node, which takes
  every rulebook and is slower (`docs/decisions/012-node-by-node.md`).
"""


def machine() -> str:
    """What the figures hold for: processor, cores, Python and the versions that matter."""
    told = [_processor(), f"{os.cpu_count()} cores", platform.system()]
    told.append(f"Python {platform.python_version()}")
    for package in ("wasmtime", "open_spiel"):
        try:
            told.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            told.append(f"without {package}")
    return ", ".join(told)


def _processor() -> str:
    """The model of the processor, where the system tells it."""
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        for line in listed.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def page(figures: list[Figure], rounds: int, counts: list[Count] | None = None) -> str:
    """The whole page; with what was counted, if that was."""
    lines = [_HEAD.format(rounds=rounds, machine=machine()), "## Ratios", ""]
    lines += ratios(figures)
    for game in dict.fromkeys(figure.game for figure in figures):
        lines += ["", f"## {game}", ""]
        lines += ["| who | games a second | range | decisions and chance a second | decisions |"]
        lines += ["| --- | ---: | ---: | ---: | ---: |"]
        lines += [_row(figure) for figure in figures if figure.game == game]
    return "\n".join([*lines, *_counted(counts or []), _FOOT])


def _counted(counts: list[Count]) -> list[str]:
    """Sequences of moves and distinct situations, as a table; nothing if none were counted."""
    if not counts:
        return []
    rows = [
        f"| {one.what} | {one.name} | {one.count:,} | {_short(one.per_second)} "
        f"| {'-' if one.bytes_each is None else f'{one.bytes_each:.0f}'} |"
        for one in counts
    ]
    head = ["| what | who | how many | a second | bytes each |", "| --- | --- |" + " ---: |" * 3]
    return ["", "## Counting", "", *_COUNTING.splitlines(), "", *head, *rows]


def ratios(figures: list[Figure]) -> list[str]:
    """How many times as fast WebAssembly is as the others, as a table."""
    lines = [
        f"| game | to {_RIVAL} | to {_BOUND} | to the interpreter |",
        "| --- |" + " ---: |" * 3,
    ]
    for game in dict.fromkeys(figure.game for figure in figures):
        speeds = {figure.name: figure.per_second for figure in figures if figure.game == game}
        ours = speeds.get(_OURS)
        if ours is not None:
            others = (_RIVAL, _BOUND, "ours, interpreter")
            cells = [_times(ours / speeds[name]) if name in speeds else "-" for name in others]
            lines.append(f"| {game} | {' | '.join(cells)} |")
    return lines


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"


def _row(figure: Figure) -> str:
    span = f"{_short(figure.slowest)} to {_short(figure.fastest)}"
    events = _short(figure.events_per_second)
    return (
        f"| {figure.name} | {_short(figure.per_second)} | {span} | {events} "
        f"| {figure.decisions:.2f} |"
    )


def _short(number: float) -> str:
    """Three figures, with k, M or G."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {letter}"
    return f"{number:.3g}"
