"""What became of a mutant."""

from collections.abc import Mapping, Sequence
from enum import Enum

from attrs import asdict, frozen

from compiler.mutation.mutation import Mutation


class Fate(Enum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"
    REFUSED = "refused"


@frozen
class Verdict:
    """A mutant's fate.

    `by` names the test that kills it: a scenario, an invariant, a law; for an equivalent one how it
    was proved, for a refused one what the compiler says.  Of a survivor `parts` tells the shortest
    play that was found in which it differs from the rulebook, and `scenario` would kill it; where
    there is no such play `why` explains that nothing notices it, which is no proof.
    """

    name: str
    fate: Fate
    by: str = ""
    parts: str = ""
    scenario: str = ""
    why: str = ""

    def entry(self) -> dict[str, str]:
        """As plain values."""
        return {**asdict(self), "fate": self.fate.value}

    @classmethod
    def read(cls, entry: Mapping[str, str]) -> "Verdict":
        """From plain values; `ValueError` or `KeyError` if they are none of a verdict."""
        return cls(
            entry["name"],
            Fate(entry["fate"]),
            entry["by"],
            entry["parts"],
            entry["scenario"],
            entry.get("why", ""),
        )


@frozen
class Tally:
    """All verdicts of a run, each with its mutation, in the order of the text."""

    verdicts: tuple[tuple[Mutation, Verdict], ...]

    def of(self, fate: Fate) -> tuple[tuple[Mutation, Verdict], ...]:
        """Those with a fate."""
        return tuple(pair for pair in self.verdicts if pair[1].fate is fate)

    @property
    def judged(self) -> int:
        """Mutants that compile and were not proved equivalent."""
        return len(self.of(Fate.KILLED)) + len(self.of(Fate.SURVIVED))

    @property
    def share(self) -> float | None:
        """The part of those that was killed; `None` if there are none."""
        return len(self.of(Fate.KILLED)) / self.judged if self.judged else None

    @property
    def explained(self) -> int:
        """Survivors of which no play is known in which they differ."""
        return sum(bool(verdict.why) for _, verdict in self.of(Fate.SURVIVED))

    @property
    def survivors(self) -> Mapping[str, Sequence[tuple[Mutation, Verdict]]]:
        """Survivors by the clauses of their lines, in the order of the text."""
        found: dict[str, list[tuple[Mutation, Verdict]]] = {}
        for pair in self.of(Fate.SURVIVED):
            found.setdefault(" ".join(pair[0].clauses), []).append(pair)
        return found
