"""`python -m tests.fuzz [-n 20000] [--seed 1] [--seconds 100]`: many mutants, and what they break.

Takes the shipped specs in turn, and random sentences of the grammar; with `--of variants` or
`--of scenarios`, what lies beside specs.  Writes each text that breaks something to a folder, with
what it broke, and ends with 1 if there is any.
"""

import resource
import sys
import traceback
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Final

from attrs import define, field

from compiler.diagnostic import Report
from compiler.source import SourceSet
from ruleengine import library
from ruleengine.rng import CHANCE, stream
from tests.fuzz.beside import OF, mutants, tried_beside
from tests.fuzz.grammatical import sentence
from tests.fuzz.mutants import KINDS
from tests.fuzz.trying import SECONDS, laid_out, played, tried

LARGE_AMONG: Final = 16  # mutants of which one is of a large rulebook
SECONDS_BESIDE: Final = 10.0  # that a whole rulebook and what lies beside it may take
MEMORY: Final = 2 * 1024**3  # bytes that a run may take


def texts(seed: int, count: int) -> Iterator[tuple[str, bytes, SourceSet | None]]:
    """Mutants by name: their kind, their spec, their number."""
    large = [name for name in library.names() if (library.shipped() / name).is_dir()]
    small = [name for name in library.names() if name not in large]
    for number in range(count):
        random = stream(seed, number, CHANCE)
        choice = random.below(len(KINDS) + 2)
        if choice >= len(KINDS):
            yield f"sentence-{seed}-{number}", sentence(random).encode(), None
            continue
        names = small if random.below(LARGE_AMONG) else large
        name = names[random.below(len(names))]
        sources = library.read(name)
        if isinstance(sources, Report):
            raise SystemExit(f"{name} cannot be read")
        kind = KINDS[choice]
        yield f"{kind.__name__}-{name}-{seed}-{number}", kind(sources.base.text, random), sources


def main() -> int:
    """Tries them all, or until Ctrl-C; the exit code."""
    parser = ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("-n", type=int, default=20_000, help="mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600.0, help="of the processor's time")
    parser.add_argument("--of", choices=("rulebooks", *OF), default="rulebooks")
    parser.add_argument("--out", type=Path, default=Path("fuzz-findings"))
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    tally = Tally()
    with suppress(KeyboardInterrupt):  # what was tried until then is told
        tally.run(asked)
    tally.tell()
    return 1 if tally.broken else 0


@define
class Tally:
    """What came of the texts that were tried."""

    broken: Counter[str] = field(factory=Counter)
    done: int = 0
    playable: int = 0
    slowest: tuple[float, str] = (0.0, "")
    begun: float = field(factory=process_time)

    def run(self, asked: Namespace) -> None:
        """Tries texts until there are enough, or the time is over."""
        beside = asked.of in OF
        made = mutants(asked.of, asked.seed, asked.n) if beside else texts(asked.seed, asked.n)
        for name, data, sources in made:
            if process_time() - self.begun > asked.seconds:
                return
            if beside and sources is not None:
                said = self._tried_beside(asked.of, name, data, sources)
            else:
                said = self._tried(name, data, sources)
            self.done += 1
            if said:
                self.broken[said.strip().splitlines()[-1][:100]] += 1
                asked.out.mkdir(parents=True, exist_ok=True)
                (asked.out / f"{name}.rules").write_bytes(data)
                (asked.out / f"{name}.txt").write_text(said, encoding="utf-8")

    def _tried(self, name: str, data: bytes, sources: SourceSet | None) -> str:
        """What a text breaks, or nothing."""
        try:
            result = tried(data, sources)
            laid_out(data, result.report)
            if result.plays and not (sources is not None and sources.catalogue is not None):
                played(data, sources)
        except Exception:  # noqa: BLE001  whatever it is, it is a finding
            return traceback.format_exc()
        self.playable += result.plays
        self.slowest = max(self.slowest, (result.seconds, name))
        return f"took {result.seconds:.1f} s" if result.seconds > SECONDS else ""

    def _tried_beside(self, of: str, name: str, data: bytes, sources: SourceSet) -> str:
        """The same of a variant or a file of scenarios."""
        begun = process_time()
        try:
            _, plays = tried_beside(of, data, sources)
        except Exception:  # noqa: BLE001  whatever it is, it is a finding
            return traceback.format_exc()
        seconds = process_time() - begun
        self.playable += plays
        self.slowest = max(self.slowest, (seconds, name))
        return f"took {seconds:.1f} s" if seconds > SECONDS_BESIDE else ""

    def tell(self) -> None:
        """Says how many were tried, which was slowest, and what broke."""
        spent = process_time() - self.begun
        sys.stdout.write(f"{self.done} texts, {self.playable} of them games, in {spent:.0f} s\n")
        sys.stdout.write(f"slowest: {self.slowest[0]:.2f} s, {self.slowest[1]}\n")
        for what, count in self.broken.most_common():
            sys.stdout.write(f"{count:5} {what}\n")


if __name__ == "__main__":
    sys.exit(main())
