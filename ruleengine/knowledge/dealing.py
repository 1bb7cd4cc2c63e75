"""Hands out unseen cards to the places where they may lie, all ways equally likely.

A way says for every single card which free place it takes; cards of one sort count as different
cards.  Some places admit only some sorts.
"""

from collections.abc import Callable, Sequence
from functools import cache

from attrs import evolve, frozen

from ruleengine.knowledge.tape import Tape


@frozen
class Demand:
    """`free` cards are wanted for a place that admits `sorts`; in an order that matters or not."""

    place: int
    free: int
    sorts: frozenset[int]
    ordered: bool = True


def are_crossing(demands: Sequence[Demand]) -> bool:
    """Whether two places admit sorts in common and each also some that the other does not."""
    filters = {demand.sorts for demand in demands}
    return any(a & b and a - b and b - a for a in filters for b in filters)


def deal(cards: Sequence[int], demands: Sequence[Demand], tape: Tape) -> dict[int, list[int]]:
    """Per place the sorts dealt to it, in the order dealt.

    `cards` has the number of cards of each sort, as many in all as are wanted; `ValueError` if
    there is no way to deal them.  Places that admit least are served first; the last one takes
    what is left without a draw if its order does not matter.
    """
    left = list(cards)
    present = frozenset(sort for sort, count in enumerate(cards) if count)
    asked = sorted(
        (evolve(demand, sorts=demand.sorts & present) for demand in demands if demand.free),
        key=lambda demand: (len(demand.sorts), not demand.ordered, demand.place),
    )
    seats = [demand for demand in asked for _ in range(demand.free)]
    if sum(left) != len(seats):
        raise ValueError(f"{sum(left)} cards for {len(seats)} places")
    ways = _Ways.of(left, asked, seats) if are_crossing(asked) else None
    dealt: dict[int, list[int]] = {}
    for position, demand in enumerate(seats):
        if demand is asked[-1] and not demand.ordered:
            break
        weights = [count if sort in demand.sorts else 0 for sort, count in enumerate(left)]
        if ways is not None:
            weights = ways.weigh(position, left, weights)
        if not any(weights):
            raise ValueError("the cards that are left fit no place that is left")
        sort = tape.pick(weights)
        left[sort] -= 1
        dealt.setdefault(demand.place, []).append(sort)
    rest = [sort for sort, count in enumerate(left) for _ in range(count)]
    if rest:
        if not asked[-1].sorts.issuperset(rest):
            raise ValueError("the cards that are left fit no place that is left")
        dealt[asked[-1].place] = rest
    return dealt


def permute(cards: Sequence[int], tape: Tape) -> list[int]:
    """The cards, given as a list of sorts, in an order drawn from all orders."""
    left: dict[int, int] = {}
    for sort in sorted(cards):
        left[sort] = left.get(sort, 0) + 1
    order = []
    for _ in cards:
        sort = list(left)[tape.pick(list(left.values()))]
        left[sort] -= 1
        order.append(sort)
    return order


@frozen(eq=False)
class _Ways:
    """In how many ways the rest can be dealt; sorts that the same places admit are one group."""

    groups: tuple[int, ...]  # per sort
    ways: Callable[[int, tuple[int, ...]], int]  # from a seat on, with so many cards of each group

    @classmethod
    def of(cls, cards: Sequence[int], asked: Sequence[Demand], seats: Sequence[Demand]) -> "_Ways":
        signatures = [tuple(sort in demand.sorts for demand in asked) for sort in range(len(cards))]
        numbers = {signature: at for at, signature in enumerate(dict.fromkeys(signatures))}
        groups = tuple(numbers[signature] for signature in signatures)
        admitted = [sorted({groups[sort] for sort in demand.sorts}) for demand in seats]

        @cache
        def ways(position: int, sizes: tuple[int, ...]) -> int:
            if position == len(seats):
                return 1
            return sum(
                sizes[group] * ways(position + 1, _without(sizes, group))
                for group in admitted[position]
                if sizes[group]
            )

        return cls(groups, ways)

    def weigh(self, position: int, left: Sequence[int], weights: Sequence[int]) -> list[int]:
        """The weights of sorts for a seat, times the ways to go on from each."""
        sizes = [0] * (max(self.groups) + 1)
        for sort, count in enumerate(left):
            sizes[self.groups[sort]] += count
        return [
            weight and weight * self.ways(position + 1, _without(tuple(sizes), self.groups[sort]))
            for sort, weight in enumerate(weights)
        ]


def _without(sizes: tuple[int, ...], group: int) -> tuple[int, ...]:
    return (*sizes[:group], sizes[group] - 1, *sizes[group + 1 :])
