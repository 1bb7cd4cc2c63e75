"""Situations of a game that can come again, in groups, those they lead to first."""

from collections.abc import Sequence

from ruleengine.exploration import Spot


def groups(spots: Sequence[Spot]) -> list[list[int]]:
    """The strongly connected components, each behind all that it leads to (Tarjan's algorithm)."""
    number = [-1] * len(spots)
    low = [0] * len(spots)
    waiting: list[int] = []
    is_waiting = [False] * len(spots)
    found: list[list[int]] = []
    count = 0
    for root in range(len(spots)):
        if number[root] >= 0:
            continue
        path = [(root, 0)]
        while path:
            at, branch = path.pop()
            if branch == 0:
                number[at] = low[at] = count
                count += 1
                waiting.append(at)
                is_waiting[at] = True
            following = spots[at].next
            while branch < len(following):
                there = following[branch]
                branch += 1
                if number[there] < 0:
                    path += [(at, branch), (there, 0)]
                    break
                if is_waiting[there]:
                    low[at] = min(low[at], number[there])
            else:
                if low[at] == number[at]:
                    found.append(_closed(at, waiting, is_waiting))
                if path:
                    before = path[-1][0]
                    low[before] = min(low[before], low[at])
    return found


def _closed(at: int, waiting: list[int], is_waiting: list[bool]) -> list[int]:
    """Takes a group that is complete off the situations that wait."""
    group = []
    while True:
        member = waiting.pop()
        is_waiting[member] = False
        group.append(member)
        if member == at:
            return group[::-1]


def comes_again(group: Sequence[int], spots: Sequence[Spot]) -> bool:
    """Whether a game can come back to a situation of a group."""
    return len(group) > 1 or group[0] in spots[group[0]].next
