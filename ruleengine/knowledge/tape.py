"""Where a world's chance comes from: a random stream, or all possible draws one after the other."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Protocol, TypeVar

from attrs import define, field

from ruleengine.rng import Stream

T = TypeVar("T")


class Tape(Protocol):
    """A source of draws."""

    def pick(self, weights: Sequence[int]) -> int:
        """An index, as likely as its weight among all; at least one weight is positive."""


@define
class Drawn:
    """Draws from a random stream, one number for each pick."""

    stream: Stream

    def pick(self, weights: Sequence[int]) -> int:
        """An index drawn at random."""
        number = self.stream.below(sum(weights))
        return next(at for at, end in enumerate(accumulate(weights)) if number < end)


@define
class _Scripted:
    """Repeats given picks, then takes the first possible one; notes what else was possible."""

    script: list[int]
    odds: list[Sequence[int]] = field(factory=list)

    def pick(self, weights: Sequence[int]) -> int:
        """The index in the script, or the first with a positive weight."""
        if len(self.odds) == len(self.script):
            self.script.append(next(at for at, weight in enumerate(weights) if weight))
        self.odds.append(weights)
        return self.script[len(self.odds) - 1]

    def probability(self) -> Fraction:
        """How likely the picks made are."""
        result = Fraction(1)
        for at, weights in zip(self.script, self.odds, strict=True):
            result *= Fraction(weights[at], sum(weights))
        return result

    def following(self) -> list[int] | None:
        """The next script in order; `None` after the last."""
        script = self.script[:]
        while script:
            weights = self.odds[len(script) - 1]
            last = script.pop()
            for at in range(last + 1, len(weights)):
                if weights[at]:
                    return [*script, at]
        return None


def every(run: Callable[[Tape], T]) -> Iterator[tuple[T, Fraction]]:
    """The results of a function for all tapes, each with its probability; results may repeat."""
    script: list[int] | None = []
    while script is not None:
        tape = _Scripted(script)
        result = run(tape)
        yield result, tape.probability()
        script = tape.following()
