"""Where a game waits: for a seat, for several at once, for chance, or for nothing any more."""

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import prod
from typing import TypeAlias, overload

from attrs import field, frozen

from compiler.graph.core import Value


@frozen
class Choice:
    """One legal answer: its rank in the list of them, the option and a value for every slot.

    `option` is the position in `Choose.options`; `None` declines.
    """

    index: int
    option: int | None
    values: tuple[Value, ...]
    seat: int
    node: int


@frozen
class Decision:
    """A seat must choose one of these."""

    node: int
    seat: int
    choices: tuple[Choice, ...]


@frozen
class JointDecision:
    """Several seats choose, sealed: those that still have to, each with its choices."""

    node: int
    seats: tuple[int, ...]
    choices: tuple[tuple[Choice, ...], ...]

    def of(self, seat: int) -> tuple[Choice, ...]:
        """The choices of a seat that still has to choose; `KeyError` for another."""
        if seat not in self.seats:
            raise KeyError(seat)
        return self.choices[self.seats.index(seat)]


@frozen
class Outcome:
    """One result of chance and its weight among them.

    `settles` is the hidden token that gets the sort `value`; `None` for what a step draws itself.
    """

    label: str
    value: Value
    weight: int
    node: int
    settles: int | None = None


class Odds(Sequence[Outcome]):
    """Outcomes in canonical order, their odds exact: `weight` of `total`."""

    @property
    @abstractmethod
    def total(self) -> int:
        """The sum of all weights."""

    @abstractmethod
    def drawn(self, number: int) -> Outcome:
        """The outcome for a number drawn uniformly from 0 up to below `total`."""


@frozen
class Listed(Odds):
    """Outcomes one by one."""

    outcomes: tuple[Outcome, ...]
    _ends: tuple[int, ...] = field(init=False, repr=False)

    @_ends.default
    def _sum_up(self) -> tuple[int, ...]:
        return tuple(accumulate(outcome.weight for outcome in self.outcomes))

    @property
    def total(self) -> int:
        """The sum of all weights."""
        return self._ends[-1]

    def drawn(self, number: int) -> Outcome:
        """The outcome for a number drawn uniformly from 0 up to below `total`."""
        return self.outcomes[bisect_right(self._ends, number)]

    @overload
    def __getitem__(self, index: int) -> Outcome: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Outcome]: ...

    def __getitem__(self, index: int | slice) -> Outcome | Sequence[Outcome]:
        return self.outcomes[index]

    def __len__(self) -> int:
        return len(self.outcomes)


@frozen
class Die:
    """The different faces of a die in the order given, how often each is there, and their names."""

    faces: tuple[Value, ...]
    weights: tuple[int, ...]
    labels: tuple[str, ...]
    ends: tuple[int, ...] = field(init=False, repr=False)

    @ends.default
    def _sum_up(self) -> tuple[int, ...]:
        return tuple(accumulate(self.weights))


@frozen
class Throws(Odds):
    """All results of dice thrown together, the last die changing fastest; never listed whole."""

    node: int
    dice: tuple[Die, ...]

    @property
    def total(self) -> int:
        """The sum of all weights."""
        return prod(sum(die.weights) for die in self.dice)

    def drawn(self, number: int) -> Outcome:
        """The outcome for a number drawn uniformly from 0 up to below `total`."""
        faces = []
        behind = self.total
        for die in self.dice:
            behind //= sum(die.weights)
            face = bisect_right(die.ends, number // behind)
            before = die.ends[face] - die.weights[face]
            number = (number - before * behind) // die.weights[face]
            faces.append(face)
        return self._outcome(tuple(faces))

    def _outcome(self, faces: tuple[int, ...]) -> Outcome:
        thrown = tuple(zip(self.dice, faces, strict=True))
        return Outcome(
            ", ".join(die.labels[face] for die, face in thrown),
            tuple(die.faces[face] for die, face in thrown),
            prod(die.weights[face] for die, face in thrown),
            self.node,
        )

    @overload
    def __getitem__(self, index: int) -> Outcome: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Outcome]: ...

    def __getitem__(self, index: int | slice) -> Outcome | Sequence[Outcome]:
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(len(self))))
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index %= len(self)
        faces = []
        for die in reversed(self.dice):
            index, face = divmod(index, len(die.faces))
            faces.append(face)
        return self._outcome(tuple(reversed(faces)))

    def __len__(self) -> int:
        return prod(len(die.faces) for die in self.dice)


@frozen
class ChanceStop:
    """Chance decides: by the odds of a step, or which sort a hidden token is."""

    node: int
    outcomes: Odds


@frozen
class Result:
    """How a game ended: who won, the scores if there are any, groups of seats best first.

    `draw` is true if the spec says so or nobody is behind anybody.
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...] | None
    ranking: tuple[tuple[int, ...], ...]
    draw: bool


@frozen
class Terminal:
    """The end; `result` is `None` where a phase that began a scenario returned to nobody."""

    node: int
    result: Result | None


Stop: TypeAlias = Decision | JointDecision | ChanceStop | Terminal
