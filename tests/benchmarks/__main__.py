"""`python -m tests.benchmarks`: ours, OpenSpiel and programs in C, in turns in one run."""

import argparse
import json
from pathlib import Path

from ruleengine import library
from tests.benchmarks.contestants import PEERS
from tests.benchmarks.counting import Figure as Count
from tests.benchmarks.measure import measured
from tests.benchmarks.page import machine, page, ratios


def main() -> None:
    """Measures, prints ratios, and writes what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    rest = [name for name in library.names() if name not in PEERS]
    parser.add_argument("games", nargs="*", help="rulebooks; all that are shipped, if none is said")
    parser.add_argument("--rounds", type=int, default=3, help="how often everybody plays")
    parser.add_argument("--seconds", type=float, default=0.5, help="about how long each time")
    parser.add_argument("--json", type=Path, help="a file for all figures")
    parser.add_argument("--page", type=Path, help="a file for the page about them")
    parser.add_argument("--counts", type=Path, help="what `counting --json` wrote, for the page")
    asked = parser.parse_args()
    figures = []
    for figure in measured(tuple(asked.games or [*PEERS, *rest]), asked.rounds, asked.seconds):
        figures.append(figure)
        print(f"{figure.game:14} {figure.name:24} {figure.per_second:14,.0f} games/s", flush=True)
    print("\n".join(ratios(figures)))
    if asked.json:
        document = {"machine": machine(), "rounds": asked.rounds}
        told = {**document, "figures": [figure.mapping for figure in figures]}
        asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    if asked.page:
        text = asked.counts.read_text(encoding="utf-8") if asked.counts else "[]"
        counts = [Count(**one) for one in json.loads(text)]
        asked.page.write_text(page(figures, asked.rounds, counts), encoding="utf-8")


if __name__ == "__main__":
    main()
