"""Best play where nothing is hidden: backward induction, and expectiminimax where games can repeat.

A game that cannot repeat is solved from its ends backwards with fractions: each seat takes the
answer that is worth most to it (the first of several).  Where situations can come again, two seats
of a zero-sum game are solved by value iteration, a game that never ends being worth nothing; then
both policies are held fixed, and their chain is solved and compared.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from attrs import frozen

from ruleengine.exploration import Spot
from ruleengine.solve.chain import chances
from ruleengine.solve.groups import comes_again, groups
from ruleengine.solve.worth import Number, is_zero_sum
from ruleengine.stops import Result

ROUNDS: Final = 100_000
"""Rounds of value iteration over one group of situations before it is given up."""

_STILL: Final = 1e-13  # less change than this in a round is none
_BETTER: Final = 1e-9  # an answer must be worth so much more than an earlier one to be taken
_AGREES: Final = 1e-7  # what a policy is worth may differ so much from the iteration

Worth = Callable[[Result], Sequence[Fraction]]


class NotSolvable(Exception):
    """A game for which there is no method here, and why."""


@frozen
class Best:
    """What best play gives each seat, and which answer (by rank) it takes in each situation.

    `answers` of the first situation have what each is worth to the seat that is asked.
    """

    worths: tuple[Number, ...]
    method: str
    policy: dict[int, int]
    answers: tuple[Number, ...]


def best(spots: Sequence[Spot], seats: int, worth: Worth) -> Best:
    """Best play from the first situation."""
    parts = groups(spots)
    again = any(comes_again(group, spots) for group in parts)
    if not again:
        return _backwards([group[0] for group in parts], spots, worth)
    ends = [worth(spot.result) for spot in spots if spot.result is not None]
    if seats != 2 or not is_zero_sum(ends):
        raise NotSolvable(
            "situations can come again, and that is solved only for two players of whom one loses "
            "what the other gains"
        )
    return _iterated(parts, spots, worth)


def _backwards(order: Sequence[int], spots: Sequence[Spot], worth: Worth) -> Best:
    values: dict[int, tuple[Fraction, ...]] = {}
    policy: dict[int, int] = {}
    has_chance = False
    for at in order:
        spot = spots[at]
        ahead = [values[there] for there in spot.next]
        if spot.result is not None:
            values[at] = tuple(worth(spot.result))
        elif spot.seat is None:
            has_chance = True
            values[at] = _expected(spot, ahead)
        else:
            seat = spot.seat
            policy[at] = max(range(len(ahead)), key=lambda k: (ahead[k][seat], -k))
            values[at] = ahead[policy[at]]
    method = "backward induction with chance" if has_chance else "backward induction"
    return Best(values[0], method, policy, _offered(spots[0], values))


def _offered(spot: Spot, values: dict[int, tuple[Fraction, ...]]) -> tuple[Number, ...]:
    if spot.seat is None:
        return ()
    return tuple(values[there][spot.seat] for there in spot.next)


def _expected(spot: Spot, ahead: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...]:
    total = sum(spot.weights)
    return tuple(
        sum((w * value for w, value in zip(spot.weights, column, strict=True)), Fraction()) / total
        for column in zip(*ahead, strict=True)
    )


# ---- games that can repeat


def _iterated(parts: Sequence[Sequence[int]], spots: Sequence[Spot], worth: Worth) -> Best:
    value = [0.0] * len(spots)
    for group in parts:
        if spots[group[0]].result is not None:
            result = spots[group[0]].result
            value[group[0]] = 0.0 if result is None else float(worth(result)[0])
            continue
        _settle(group, spots, value)
    policy = {at: _taken(spot, value) for at, spot in enumerate(spots) if spot.seat is not None}
    found: Number = value[0]

    def weights(at: int) -> Sequence[int]:
        taken = policy.get(at)
        spot = spots[at]
        return spot.weights if taken is None else [k == taken for k in range(len(spot.next))]

    checked = chances(spots, 2, worth, weights).worths[0]
    if abs(float(checked) - value[0]) <= _AGREES:
        found = checked
    first = spots[0]
    side = 1 if first.seat == 0 else -1
    offered = () if first.seat is None else tuple(side * value[there] for there in first.next)
    return Best((found, -found), "value iteration, policies checked", policy, offered)


def _settle(group: Sequence[int], spots: Sequence[Spot], value: list[float]) -> None:
    """Improves the values of a group until nothing changes any more."""
    for _ in range(ROUNDS):
        change = 0.0
        for at in group:
            spot = spots[at]
            ahead = [value[there] for there in spot.next]
            if not ahead:
                continue
            if spot.seat is None:
                total = sum(spot.weights)
                new = sum(w * v for w, v in zip(spot.weights, ahead, strict=True)) / total
            else:
                new = max(ahead) if spot.seat == 0 else min(ahead)
            change = max(change, abs(new - value[at]))
            value[at] = new
        if change < _STILL:
            return
    raise NotSolvable(f"{len(group)} situations that can come again do not settle")


def _taken(spot: Spot, value: Sequence[float]) -> int:
    """The first answer that no other is clearly better than."""
    side = 1 if spot.seat == 0 else -1
    taken = 0
    for k, there in enumerate(spot.next):
        if side * value[there] > side * value[spot.next[taken]] + _BETTER:
            taken = k
    return taken
