"""A game in which every answer is as likely as it is said to be: a Markov chain, solved.

Situations that can come again are solved as a system of linear equations, group by group from the
ends of the game backwards; all others by taking means.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from attrs import frozen

from ruleengine.exploration import Spot
from ruleengine.solve.groups import comes_again, groups
from ruleengine.solve.linear import solved
from ruleengine.solve.worth import Number
from ruleengine.stops import Result

Weights = Callable[[int], Sequence[Number]]
"""The weights of the moves of a situation, by its number."""

_NOTHING = Fraction()


@frozen
class Chances:
    """How a game goes on average.

    `ends`: the probability that it ends at all; `wins` that a seat wins and the game is no draw;
    `worths` what each seat gets on average.  `decisions` and `moves` (those of chance included) are
    those of a whole game, `None` if games may go on for ever.
    """

    ends: Number
    wins: tuple[Number, ...]
    draw: Number
    worths: tuple[Number, ...]
    decisions: Number | None
    moves: Number | None

    @property
    def is_exact(self) -> bool:
        """Whether every figure is a fraction."""
        figures = (self.ends, *self.wins, self.draw, *self.worths, self.decisions, self.moves)
        return not any(isinstance(figure, float) for figure in figures)


def uniform(spots: Sequence[Spot]) -> Weights:
    """Every legal answer equally likely, chance by its odds."""
    return lambda at: spots[at].weights


def chances(
    spots: Sequence[Spot],
    seats: int,
    worth: Callable[[Result], Sequence[Fraction]],
    weights: Weights | None = None,
) -> Chances:
    """How the games go that begin in the first situation."""
    weighing = uniform(spots) if weights is None else weights
    ending = _that_end(spots, weighing)
    values: list[Sequence[Number]] = [()] * len(spots)
    width = 2 * seats + 4
    for group in groups(spots):
        inside = [at for at in group if ending[at]]
        for at in group:
            values[at] = (_NOTHING,) * width
        if not inside:
            continue
        if comes_again(group, spots):
            rows, sides = _equations(inside, spots, weighing, values)
            for at, value in zip(inside, solved(rows, sides), strict=True):
                values[at] = value
        else:
            (at,) = inside
            result = spots[at].result
            values[at] = (
                _mean(spots[at], weighing(at), values)
                if result is None
                else _at_end(result, seats, worth(result))
            )
    found = values[0]
    surely = all(ending[at] for at in _reached(spots, weighing))
    return Chances(
        Fraction(1) if surely else found[-3],
        tuple(found[:seats]),
        found[seats],
        tuple(found[seats + 1 : 2 * seats + 1]),
        found[-2] if surely else None,
        found[-1] if surely else None,
    )


def _mean(
    spot: Spot, weights: Sequence[Number], values: Sequence[Sequence[Number]]
) -> list[Number]:
    """What a situation comes to whose successors are known."""
    total = sum(weights)
    found: list[Number] = [Fraction() for _ in values[spot.next[0]]]
    for weight, there in zip(weights, spot.next, strict=True):
        if weight:
            share = weight / total if isinstance(weight, float) else Fraction(weight) / total
            found = [a + share * b for a, b in zip(found, values[there], strict=True)]
    found[-2] += spot.asks
    found[-1] += 1
    return found


def _equations(
    group: Sequence[int],
    spots: Sequence[Spot],
    weighing: Weights,
    values: Sequence[Sequence[Number]],
) -> tuple[list[dict[int, Number]], list[list[Number]]]:
    """Each situation's value by those of its group, and what comes from outside the group.

    Members that cannot end are worth nothing, and stand for nothing here.
    """
    place = {at: i for i, at in enumerate(group)}
    rows, sides = [], []
    for at in group:
        spot, weights = spots[at], weighing(at)
        sides.append(_mean(spot, weights, values))  # members of the group are nothing so far
        row: dict[int, Number] = {}
        total = sum(weights)
        for weight, there in zip(weights, spot.next, strict=True):
            if weight and there in place:
                share = weight / total if isinstance(weight, float) else Fraction(weight) / total
                row[place[there]] = row.get(place[there], Fraction()) + share
        rows.append(row)
    return rows, sides


def _that_end(spots: Sequence[Spot], weighing: Weights) -> list[bool]:
    """For each situation, whether a game can end from there."""
    before: list[list[int]] = [[] for _ in spots]
    for at, spot in enumerate(spots):
        for weight, there in zip(weighing(at), spot.next, strict=True):
            if weight:
                before[there].append(at)
    found = [spot.result is not None for spot in spots]
    pending = [at for at, is_end in enumerate(found) if is_end]
    while pending:
        for at in before[pending.pop()]:
            if not found[at]:
                found[at] = True
                pending.append(at)
    return found


def _reached(spots: Sequence[Spot], weighing: Weights) -> set[int]:
    """The situations that a game can come to."""
    found = {0}
    pending = [0]
    while pending:
        at = pending.pop()
        for weight, there in zip(weighing(at), spots[at].next, strict=True):
            if weight and there not in found:
                found.add(there)
                pending.append(there)
    return found


def _at_end(result: Result, seats: int, worths: Sequence[Fraction]) -> list[Number]:
    """Wins, draw, worths, whether it ends, decisions and moves still to come."""
    alone = [Fraction(seat in result.winners and not result.draw) for seat in range(seats)]
    return [*alone, Fraction(result.draw), *worths, Fraction(1), Fraction(), Fraction()]
