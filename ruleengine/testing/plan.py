"""What a test is, how it came out, and how much is to be done to find out."""

from collections.abc import Callable
from enum import Enum
from typing import Final

from attrs import evolve, field, frozen

from compiler.graph.amounts import counted
from compiler.graph.core import Clauses
from ruleengine.coverage.ledger import Coverage
from ruleengine.properties.laws import Finding
from ruleengine.record import Record

NODE_LIMIT: Final = 20_000
"""Steps of a play after which it is given up: more than the longest shipped game takes."""

STATES: Final = 1_000
"""Situations up to which a game is gone through instead of being played."""

STOPS: Final = 30
"""Stops of random games at which leaks are looked for."""

STEPS: Final = 240_000
"""Steps of all plays of a spec together, unless more are asked for."""

COMPARED: Final = 6
"""Games that a compiled machine and the interpreter both play."""

TRIES: Final = 400
"""Plays that are tried to make one short in which something breaks."""


def _untold(_: int) -> None:
    """Nobody wants to know how far it is."""


class Sort(Enum):
    """What kind of test it is."""

    SCENARIO = "scenario"
    INVARIANT = "invariant"
    LAW = "law"
    CLAIM = "claim"


class Outcome(Enum):
    """How a test came out."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@frozen
class Counterexample:
    """The shortest play found in which something breaks.

    `record` is what `rulewright replay` reads, `story` the same in words with the clause of every
    step, `scenario` a scenario that fails as long as it breaks.
    """

    finding: Finding
    record: Record
    story: tuple[str, ...] = field(repr=False)
    scenario: str = field(repr=False)


@frozen
class Tested:
    """One test of a spec.

    `message` says what failed, why the test was skipped, or how it was decided; `text` is the line
    of the spec that is broken.
    """

    spec: str
    sort: Sort
    title: str
    outcome: Outcome
    message: str = ""
    hint: str = ""
    clauses: Clauses = ()
    place: str | None = None
    text: str = ""
    counterexample: Counterexample | None = None

    @property
    def name(self) -> str:
        """How a person picks it out: `klink scenario "Reset"`."""
        return f'{self.spec} {self.sort.value} "{self.title}"'


@frozen
class Plan:
    """How a spec is tested: how many plays in all, with which seed, on how many processes.

    Plays go through every number of players, with `readings` also every reading and the ends of
    every parameter, each `alone` or, where there are many, several of them at once, and `mixed`
    configurations besides.  Of each there is at least one play, and others as long as all plays
    together have not taken `steps`.  A game of
    at most `states` situations is gone through instead; of the others `watched` games of each
    configuration are played on a compiled machine besides.  At `stops` stops of random games it is
    dealt anew what is hidden; `compared` games are played by two machines.  Plays of `known` are
    tried first.
    Tests are those whose name contains one of `keywords`, if there are any; `progress` is told how
    many more plays have been made.
    """

    games: int
    seed: int = 0
    jobs: int = 1
    node_limit: int = NODE_LIMIT
    readings: bool = True
    alone: bool = False
    steps: int | None = STEPS
    mixed: int = 0
    watched: int = 0
    states: int = STATES
    tries: int = TRIES
    stops: int = STOPS
    compared: int = COMPARED
    known: tuple[Record, ...] = ()
    keywords: tuple[str, ...] = ()
    progress: Callable[[int], None] = _untold

    def wants(self, name: str) -> bool:
        """Whether a test of this name is asked for."""
        return not self.keywords or any(words in name for words in self.keywords)

    @property
    def silent(self) -> "Plan":
        """The same for another process: nobody is told how far it is."""
        return evolve(self, progress=_untold)


@frozen
class Searched:
    """How far the search of a spec went.

    Of `configurations`, `whole` were gone through wholly, with `states` situations together, the
    others in `plays`, of which `endless` were given up; of all these `ended` are ends of games.
    """

    configurations: int
    whole: int
    states: int
    plays: int
    endless: int
    coverage: Coverage = field(repr=False)
    watched: int = 0  # games on a compiled machine
    by_machine: int = 0  # configurations that a compiled machine went through
    stayed: str = ""  # why the first was not gone through
    ended: int = 0

    def __str__(self) -> str:
        parts = []
        if self.whole:
            every = "every one of" if self.whole == self.configurations else f"{self.whole} of"
            where = f"{every} {counted(self.configurations, 'configuration')}"
            if self.configurations == 1:
                where = "its one configuration"
            parts.append(
                f"all {counted(self.states, 'situation')} of {where}"
                + (f" ({self.by_machine} on a compiled machine)" if self.by_machine else "")
            )
        if self.plays:
            rest = self.configurations - self.whole
            parts.append(f"{counted(self.plays, 'play')} of {counted(rest, 'configuration')}")
        if self.watched:
            parts.append(f"{counted(self.watched, 'game')} on a compiled machine")
        return " and ".join(parts) or "nothing"
