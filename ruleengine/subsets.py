"""Subsets and orders of a domain, twins once, in canonical order.

Subsets come by size, then in the order of the members; of equal members the first ones are taken.
Orders come in the order of positions.
"""

from collections.abc import Callable, Iterator, Sequence

from compiler.graph.core import Value

Elements = tuple[Value, ...]


def subsets(
    members: Elements,
    keys: Sequence[Value],
    low: int,
    high: int,
    hopeless: Callable[[Elements, Elements], bool] | None = None,
) -> Iterator[Elements]:
    """The sets of `low` to `high` members; `keys` are equal for members that are twins.

    `hopeless` tells of a set, and of the members that may still be added to it, that neither it nor
    any larger one is wanted.
    """
    if low > high:
        return
    count = len(members)
    before = _twin_before(keys)
    level: list[tuple[int, ...]] = [()]
    for size in range(high + 1):
        if size >= low:
            for chosen in level:
                yield tuple([members[at] for at in chosen])
        if size < high:
            level = [
                larger
                for chosen in level
                for at in range(chosen[-1] + 1 if chosen else 0, count)
                if before[at] < 0 or before[at] in chosen
                for larger in ((*chosen, at),)
                if hopeless is None
                or not hopeless(tuple([members[i] for i in larger]), members[at + 1 :])
            ]


def orders(members: Elements, keys: Sequence[Value]) -> Iterator[Elements]:
    """The permutations, each once."""
    before = _twin_before(keys)
    count = len(members)

    def extend(chosen: tuple[int, ...]) -> Iterator[Elements]:
        if len(chosen) == count:
            yield tuple([members[at] for at in chosen])
            return
        for at in range(count):
            if at not in chosen and (before[at] < 0 or before[at] in chosen):
                yield from extend((*chosen, at))

    return extend(())


def once(members: Elements, keys: Sequence[Value]) -> Elements:
    """Each member once, the first of its twins."""
    before = _twin_before(keys)
    return tuple([member for member, twin in zip(members, before, strict=True) if twin < 0])


def _twin_before(keys: Sequence[Value]) -> list[int]:
    """Per position, the last earlier one with an equal key, or -1."""
    last: dict[Value, int] = {}
    before = []
    for at, key in enumerate(keys):
        before.append(last.get(key, -1))
        last[key] = at
    return before
