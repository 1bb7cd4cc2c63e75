"""Monte Carlo tree search for games in which everybody knows everything.

UCT (L. Kocsis and C. Szepesvári, ECML 2006) for any number of players, each of whom is taken to
want the most for himself.  Chance has nodes of its own, whose outcomes are drawn by their odds and
never chosen.  Positions whose end is certain are not tried any more (M. Winands, Y. Björnsson and
J.-T. Saito, Computers and Games 2008).
"""

from collections.abc import Hashable
from math import log, sqrt

from attrs import define, field

from ruleengine.players.mind import Allowance, Judge, Mind
from ruleengine.players.protocol import Turn
from ruleengine.players.rewards import Rewards
from ruleengine.players.spots import Spot, spot
from ruleengine.players.standing import Standing
from ruleengine.rng import Stream

EXPLORATION = 0.7
"""How much a player tries what he has tried little: near the half of the square root of two."""


@define(eq=False)
class _Node:
    """A position: what was tried there, and what came of it for who decides."""

    spot: Spot
    seat: int | None
    untried: list[int]
    children: dict[Hashable, "_Node"] = field(factory=dict)
    branches: dict[int, Hashable] = field(factory=dict)  # of chance, by the number drawn
    visits: list[int] = field(factory=list)
    totals: list[float] = field(factory=list)
    count: int = 0
    certain: Rewards | None = None

    @classmethod
    def at(cls, spot: Spot) -> "_Node":
        """That of a stop."""
        if spot.seat is None:
            return cls(spot, None, [], certain=spot.certain)
        many = spot.count
        return cls(spot, spot.seat, list(range(many)), visits=[0] * many, totals=[0.0] * many)


@define(eq=False)
class TreeSearch:
    """Thinks ahead in a tree that grows by one position a round."""

    allowance: Allowance
    stream: Stream
    cut: int | None = None
    standing: Standing | None = None
    exploration: float = EXPLORATION
    each: int = 1

    def pick(self, turn: Turn) -> int:
        """The rank of the answer he gives, from 0."""
        if len(turn.choices) == 1:
            return 0
        mind = Mind.of(turn.game)
        judge = Judge(mind, self.cut, self.standing, self.each)
        root = _Node.at(spot(mind, *mind.world(turn.view, self.stream)))
        goes_on, done = self.allowance.begin(), 0
        while root.certain is None and goes_on(done):
            self._round(judge, root)
            done += 1
        return _best(root, turn.seat)

    def _round(self, judge: Judge, root: _Node) -> None:
        """Goes down to a new position, plays on from there, and tells all on the way."""
        path: list[tuple[_Node, int]] = []
        node, fresh = root, False
        while node.certain is None and not fresh:
            if node.seat is None:
                node, fresh = self._drawn(node)
                continue
            fresh = bool(node.untried)
            step = self._picked(node)
            if fresh:
                node.children[step] = _Node.at(node.spot.after(step))
            path.append((node, step))
            node = node.children[step]
        worth = node.certain
        if worth is None:
            worth = node.spot.worth(judge, self.stream)
        for above, step in reversed(path):
            assert above.seat is not None
            above.count += 1
            above.visits[step] += 1
            above.totals[step] += worth[above.seat]
            _make_certain(above, above.seat)

    def _picked(self, node: _Node) -> int:
        """The answer to try: one that was not tried yet, else the one of most promise."""
        if node.untried:
            return node.untried.pop(self.stream.below(len(node.untried)))
        explored = self.exploration * sqrt(log(node.count))
        best, most = 0, -1.0
        for step, visits in enumerate(node.visits):
            if node.children[step].certain is None:
                promise = node.totals[step] / visits + explored / sqrt(visits)
                if promise > most:
                    best, most = step, promise
        return best

    def _drawn(self, node: _Node) -> tuple[_Node, bool]:
        """The position after chance has decided, and whether it is new."""
        number = self.stream.below(node.spot.count)
        if number not in node.branches:
            node.branches[number] = node.spot.branch(number)
        key = node.branches[number]
        fresh = key not in node.children
        if fresh:
            node.children[key] = _Node.at(node.spot.after(number))
        return node.children[key], fresh


def _make_certain(node: _Node, seat: int) -> None:
    """Takes over what is certain: one answer surely wins, or the ends of all are known."""
    found: Rewards | None = None
    for child in node.children.values():
        if child.certain is not None and (found is None or child.certain[seat] > found[seat]):
            found = child.certain
    if found is None:
        return
    known = all(child.certain is not None for child in node.children.values())
    if found[seat] == 1 or (known and not node.untried):
        node.certain = found


def _best(root: _Node, seat: int) -> int:
    """The answer tried most often, unless what is certain is at least as good."""
    open_, sure = -1, -1
    worth = -1.0
    for step, visits in enumerate(root.visits):
        child = root.children.get(step)
        if child is None:
            continue
        if child.certain is not None:
            if child.certain[seat] > worth:
                sure, worth = step, child.certain[seat]
        elif open_ < 0 or visits > root.visits[open_]:
            open_ = step
    if open_ < 0 or (sure >= 0 and worth >= root.totals[open_] / root.visits[open_]):
        return max(sure, 0)
    return open_
