"""Unseen cards are dealt so that all ways of laying single cards are equally likely."""

from collections import defaultdict
from fractions import Fraction
from itertools import permutations

import pytest

from ruleengine.knowledge.dealing import Demand, are_crossing, deal, permute
from ruleengine.knowledge.tape import Drawn, every
from ruleengine.rng import CHANCE, stream

Dealt = tuple[tuple[int, tuple[int, ...]], ...]

ALL = frozenset({0, 1, 2})
LOW = frozenset({0, 1})
HIGH = frozenset({1, 2})


def by_hand(cards: list[int], demands: list[Demand]) -> dict[Dealt, Fraction]:
    """Every order of single cards on the places, those that some place refuses left out."""
    single = [sort for sort, count in enumerate(cards) for _ in range(count)]
    places = [demand for demand in demands for _ in range(demand.free)]
    law: dict[Dealt, Fraction] = defaultdict(Fraction)
    for order in permutations(single):
        if all(sort in place.sorts for sort, place in zip(order, places, strict=True)):
            there: dict[int, list[int]] = {}
            for sort, place in zip(order, places, strict=True):
                there.setdefault(place.place, []).append(sort)
            law[_sorted(there)] += 1
    total = sum(law.values())
    return {key: count / total for key, count in law.items()}


def by_tape(cards: list[int], demands: list[Demand]) -> dict[Dealt, Fraction]:
    """The same with every tape."""
    law: dict[Dealt, Fraction] = defaultdict(Fraction)
    for dealt, probability in every(lambda tape: deal(cards, demands, tape)):
        law[_sorted(dealt)] += probability
    return dict(law)


def _sorted(there: dict[int, list[int]]) -> Dealt:
    return tuple(sorted((place, tuple(sorted(sorts))) for place, sorts in there.items()))


@pytest.mark.parametrize(
    ("cards", "demands"),
    [
        pytest.param([2, 1, 1], [Demand(1, 2, ALL), Demand(2, 2, ALL, False)], id="no filter"),
        pytest.param([2, 1, 2], [Demand(1, 3, ALL), Demand(2, 2, LOW)], id="one filter"),
        pytest.param(
            [2, 2, 1],
            [Demand(1, 1, ALL), Demand(2, 2, LOW), Demand(3, 2, frozenset({0}), False)],
            id="nested",
        ),
        pytest.param(
            [2, 0, 2],
            [Demand(1, 1, frozenset({0})), Demand(2, 1, HIGH), Demand(3, 2, ALL)],
            id="disjoint",
        ),
        pytest.param([1, 2, 1], [Demand(1, 2, LOW), Demand(2, 2, HIGH)], id="crossing"),
        pytest.param(
            [2, 2, 2],
            [Demand(1, 2, LOW), Demand(2, 2, HIGH), Demand(3, 2, ALL, False)],
            id="crossing, and the rest",
        ),
    ],
)
def test_every_way_of_laying_single_cards_is_as_likely(
    cards: list[int], demands: list[Demand]
) -> None:
    """Also where places admit only some cards, whether these overlap or not."""
    assert by_hand(cards, demands) == by_tape(cards, demands)


def test_the_known_part_of_a_place_does_not_change_the_odds_of_the_rest() -> None:
    """Of c, c, d one c is known to be in a place of two: the other is c or d by one half."""
    law = by_tape([1, 1], [Demand(1, 1, LOW), Demand(2, 1, LOW, False)])

    assert set(law.values()) == {Fraction(1, 2)}


def test_places_cross_if_each_refuses_something_that_the_other_takes() -> None:
    """Nested and disjoint places do not."""
    assert are_crossing([Demand(1, 1, LOW), Demand(2, 1, HIGH)])
    assert not are_crossing([Demand(1, 1, LOW), Demand(2, 1, ALL), Demand(3, 1, frozenset({2}))])


@pytest.mark.parametrize(
    ("cards", "demands"),
    [
        ([1, 1, 0], [Demand(1, 1, ALL)]),
        ([0, 0, 1], [Demand(1, 1, LOW)]),
        ([0, 0, 1], [Demand(1, 1, LOW, False)]),
    ],
)
def test_what_cannot_be_dealt_is_refused(cards: list[int], demands: list[Demand]) -> None:
    """Too many cards, or a card that no place takes."""
    with pytest.raises(ValueError, match="cards"):
        deal(cards, demands, Drawn(stream(1, 0, CHANCE)))


def test_all_orders_are_equally_likely() -> None:
    """Two equal cards and another have three orders."""
    law = {tuple(order): share for order, share in every(lambda tape: permute([0, 0, 1], tape))}

    assert law == dict.fromkeys([(0, 0, 1), (0, 1, 0), (1, 0, 0)], Fraction(1, 3))


def test_a_stream_deals_the_same_again() -> None:
    """Worlds are a function of a view and a tape."""
    demands = [Demand(1, 3, ALL), Demand(2, 3, ALL, False)]

    first, second = (deal([2, 2, 2], demands, Drawn(stream(7, 0, 1))) for _ in range(2))

    assert first == second
