"""Best play where something is hidden: the sequence form, a linear program, and its proof.

A mixed strategy is the weight of each sequence: 1 for the empty one, and the weights of the
sequences of an information set add up to that of the sequence that led there.  The program finds
weights for the first seat that do best against the best answer (Koller, Megiddo, von Stengel 1996).

The program is solved in floating point, so what it found is taken as two strategies and judged with
fractions: what the first seat gets at least with its strategy, and at most against the second's, by
exact best answers.  Where the two agree the value is proved.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from attrs import frozen

from ruleengine.solve.histories import Histories, Moment
from ruleengine.solve.linear import maximized
from ruleengine.solve.program import Program

_DENOMINATORS: Final = (12, 60, 840, 10**4, 10**6)  # probabilities are tried as such fractions

Strategy = Mapping[int, Fraction]
"""The probability of each sequence of a seat where it is the seat's turn to continue with it."""


@frozen
class Equilibrium:
    """The value of a game to the first seat, between two bounds that are proved, and strategies of
    both seats that keep to them."""

    low: Fraction
    high: Fraction
    strategies: tuple[Strategy, Strategy]

    @property
    def is_exact(self) -> bool:
        """Whether the value is known exactly."""
        return self.low == self.high


def equilibrium(game: Histories) -> Equilibrium:
    """The value of a zero-sum game of two, and how to reach it."""
    program = _program(game)
    x, y = maximized(program)
    found: Equilibrium | None = None
    for denominator in _DENOMINATORS:
        first = _strategy(game.moments[0], x, denominator)
        second = _strategy(game.moments[1], y, denominator)
        tried = Equilibrium(
            -best_answer(game, 1, first), best_answer(game, 0, second), (first, second)
        )
        if found is None or tried.high - tried.low < found.high - found.low:
            found = tried
        if found.is_exact:
            break
    assert found is not None
    return found


def uniform_strategy(moments: Sequence[Moment]) -> Strategy:
    """Every answer equally likely."""
    return {
        sequence: Fraction(1, len(moment.sequences))
        for moment in moments
        for sequence in moment.sequences
    }


def best_answer(game: Histories, seat: int, against: Strategy) -> Fraction:
    """The most that a seat can get against a strategy of the other, exactly."""
    other = 1 - seat
    weights = _weights(game.moments[other], against)
    side = 1 if seat == 0 else -1
    worth = [Fraction()] * game.sizes[seat]
    for key, payoff in game.payoffs.items():
        worth[key[seat]] += side * payoff * weights[key[other]]
    for moment in reversed(game.moments[seat]):
        worth[moment.parent] += max(worth[sequence] for sequence in moment.sequences)
    return worth[0]


def _weights(moments: Sequence[Moment], strategy: Strategy) -> dict[int, Fraction]:
    """The weight of each sequence."""
    found = {0: Fraction(1)}
    for moment in moments:
        for sequence in moment.sequences:
            found[sequence] = found[moment.parent] * strategy[sequence]
    return found


def _strategy(moments: Sequence[Moment], weights: Sequence[float], denominator: int) -> Strategy:
    """Probabilities near those that weights mean, that add up to one."""
    found: dict[int, Fraction] = {}
    for moment in moments:
        total = sum(max(0.0, weights[sequence]) for sequence in moment.sequences)
        shares = [
            Fraction(max(0.0, weights[s]) / total).limit_denominator(denominator)
            if total > 1e-9
            else Fraction(1)
            for s in moment.sequences
        ]
        all_ = sum(shares)
        if not all_:
            shares, all_ = [Fraction(1)] * len(shares), Fraction(len(shares))
        for sequence, share in zip(moment.sequences, shares, strict=True):
            found[sequence] = share / all_
    return found


def _program(game: Histories) -> Program:
    """Unknowns: the first seat's weights, then what the game is worth at each of the second seat's
    information sets and, first of these, at all."""
    first, second = game.moments
    size = game.sizes[0]
    equal: list[dict[int, Fraction]] = [{0: Fraction(1)}]
    for moment in first:
        row = dict.fromkeys(moment.sequences, Fraction(1))
        row[moment.parent] = row.get(moment.parent, Fraction()) - 1
        equal.append(row)
    most: list[dict[int, Fraction]] = [{} for _ in range(game.sizes[1])]
    for (one, other), payoff in game.payoffs.items():
        most[other][one] = most[other].get(one, Fraction()) - payoff
    most[0][size] = Fraction(1)
    for at, moment in enumerate(second, 1):
        most[moment.parent][size + at] = most[moment.parent].get(size + at, Fraction()) - 1
        for sequence in moment.sequences:
            most[sequence][size + at] = Fraction(1)
    return Program(
        size + 1 + len(second),
        {size: Fraction(1)},
        equal,
        [Fraction(1)] + [Fraction()] * len(first),
        most,
        range(size, size + 1 + len(second)),
    )
