"""The net of situations: where each move leads."""

from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

from compiler.lir.exploring.breadth import CHANCE, ENDED
from ruleengine.stops import Result


@frozen
class Spot:
    """One situation: where each move leads, with its weight; the seat that moves, `None` for
    chance; and the result if it is an end."""

    next: tuple[int, ...]
    weights: tuple[int, ...]
    seat: int | None
    result: Result | None = None

    @property
    def asks(self) -> bool:
        """Whether a seat moves here."""
        return self.seat is not None


@frozen(eq=False)
class Net:
    """Situations by number, in the order they were found; a row of `rows` for each.

    Rows are as in `compiler.lir.exploring.breadth`, those of ends apart, of which only the first
    number means the same: `result` says how a situation ends.  `layers` has how many situations are
    so many moves away, moves that lead nowhere among them.
    """

    starts: Sequence[int]
    rows: Sequence[int]
    layers: tuple[int, ...]
    result: Callable[[int], Result]

    @property
    def size(self) -> int:
        """How many situations were looked at."""
        return len(self.starts) - 1

    def movers(self) -> Iterator[int]:
        """Who moves in each: a seat, `CHANCE`, or `ENDED`."""
        starts, rows = self.starts, self.rows
        return (rows[starts[at]] for at in range(self.size))

    def next(self, at: int) -> Sequence[int]:
        """Where the moves of a situation lead; `NOWHERE` for a move into a fault."""
        begin, end = self.starts[at], self.starts[at + 1]
        mover = self.rows[begin]
        if mover == ENDED:
            return ()
        return self.rows[begin + 1 : end : 2 if mover == CHANCE else 1]

    def spot(self, at: int) -> Spot:
        """One situation."""
        begin, end = self.starts[at], self.starts[at + 1]
        mover = self.rows[begin]
        if mover == ENDED:
            return Spot((), (), None, self.result(at))
        there = tuple(self.next(at))
        if mover == CHANCE:
            return Spot(there, tuple(self.rows[begin + 2 : end : 2]), None)
        return Spot(there, (1,) * len(there), mover)
