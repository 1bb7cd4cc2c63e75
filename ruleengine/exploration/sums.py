"""What the net of situations says."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from attrs import define, frozen

from compiler.lir.exploring.breadth import CHANCE, ENDED, NOWHERE
from ruleengine.exploration.found import Expected, Exploration, Tree
from ruleengine.exploration.net import Net
from ruleengine.exploration.walk import Walk, ranks, result_of
from ruleengine.stops import Result
from ruleengine.wording import result_words

EXACT_LIMIT: Final = 50_000
"""Situations up to which exact expectations are worked out."""


def found(walk: Walk) -> Exploration:
    """What a finished walk says."""
    net, game = walk.net, walk.game
    totals = _totals(walk)
    # Where nothing is found though something was asked, the rules break down before the first stop.
    begins = net.size > 0 or walk.reach == 0
    plays = _plays(net, totals) if walk.complete and begins else None
    exact = plays is not None and net.size <= EXACT_LIMIT and not walk.dead_ends
    cut = walk.reach is not None and not walk.broken_off and begins
    tree = None
    if plays is not None:
        tree = plays.tree or _tree(net, walk.reach)
    elif cut:
        tree = _tree(net, walk.reach)
    return Exploration(
        game.name,
        game.configuration,
        game.seats,
        walk.complete,
        net.layers,
        totals.decisions,
        totals.chance,
        totals.ends.total(),
        walk.dead_ends,
        _by_words(totals.ends),
        None if plays is None else plays.histories,
        None if plays is None else plays.endings,
        None if plays is None else plays.longest,
        _Means(net, game.seats).of(plays.order) if plays is not None and exact else None,
        tree,
        walk.cores,
        walk.played_by,
        walk.why,
    )


@frozen
class _Totals:
    """How many situations ask a seat and wait for chance, how many end how; and, where a machine
    counted them, whole plays."""

    decisions: int
    chance: int
    ends: Counter[Result]
    plays: "_Plays | None" = None


def _totals(walk: Walk) -> _Totals:
    """What was added up on a machine, or is here."""
    net, sums = walk.net, walk.sums
    if sums is None:
        movers = Counter(net.movers())
        asked = sum(count for mover, count in movers.items() if mover >= 0)
        return _Totals(asked, movers[CHANCE], _endings(net))
    if sums.endings is None or ranks(walk.game):
        ends, come_to = _endings(net), Counter[Result]()
        if sums.layers is not None:
            come_to = _endings(net, sums.ways.__getitem__)
    else:
        ends, come_to = Counter(), Counter()
        for one in sums.endings:
            result = result_of((one.told,), walk.game.seats)
            ends[result] += one.situations
            come_to[result] += one.ways
    plays = None if sums.layers is None else _layered(net, sums.layers, come_to)
    return _Totals(sums.decisions, sums.chance, ends, plays)


def _layered(
    net: Net, layers: tuple[tuple[int, ...], ...], endings: Mapping[Result, int]
) -> "_Plays":
    """Whole plays, from the ways to each layer."""
    by_depth, endings_by_depth = [1], [0]
    for ended, _, _, ahead in layers:
        endings_by_depth[-1] = ended
        if ahead:
            by_depth.append(ahead)
            endings_by_depth.append(0)
    decisions, chance = sum(layer[1] for layer in layers), sum(layer[2] for layer in layers)
    return _plays_of(net, by_depth, endings_by_depth, (decisions, chance), endings)


def _endings(net: Net, ways: Callable[[int], int] = lambda _: 1) -> Counter[Result]:
    """How many situations end so, each as often as it can be come to."""
    found: Counter[Result] = Counter()
    for at, mover in enumerate(net.movers()):
        if mover == ENDED:
            found[net.result(at)] += ways(at)
    return found


def _by_words(ends: Counter[Result]) -> dict[str, int]:
    told: Counter[str] = Counter()
    for result, count in ends.items():
        told[result_words(result)] += count
    return dict(sorted(told.items()))


# ---- whole plays


@frozen
class _Plays:
    """Sequences of moves, of a game in which no situation comes again."""

    order: Sequence[int]
    histories: int
    endings: int
    longest: int
    tree: Tree | None = None


def _plays(net: Net, totals: _Totals) -> _Plays | None:
    """What whole plays come to; `None` if a situation can come again."""
    found = totals.plays or _Layers(net).plays()
    if found is not None:
        return found
    order = _in_order(net)
    if order is None:
        return None
    paths, moves = [0] * net.size, [0] * net.size
    paths[0] = 1
    nowhere = longest = 0
    for at in order:
        for there in net.next(at):
            if there == NOWHERE:
                nowhere += paths[at]
                longest = max(longest, moves[at] + 1)
            else:
                paths[there] += paths[at]
                moves[there] = max(moves[there], moves[at] + 1)
    endings = sum(paths[at] for at, mover in enumerate(net.movers()) if mover == ENDED)
    return _Plays(order, sum(paths) + nowhere, endings, max(longest, *moves))


@define(eq=False)
class _Layers:
    """Sequences of moves where every move leads one layer on, so that all of them can be counted
    while going through the situations once."""

    net: Net

    def plays(self) -> _Plays | None:
        """What whole plays come to; `None` if some move leads elsewhere."""
        net = self.net
        paths = [0] * net.size
        paths[0] = 1
        by_depth, endings_by_depth = [1], [0]
        decisions = chance = begin = 0
        end = 1
        while begin < end:
            ahead = ended = 0
            following = end
            for at in range(begin, end):
                ways, mover = paths[at], net.rows[net.starts[at]]
                if mover == ENDED:
                    ended += ways
                    continue
                decisions += ways * (mover >= 0)
                chance += ways * (mover == CHANCE)
                there = net.next(at)
                ahead += ways * len(there)
                for to in there:
                    if to >= end:
                        paths[to] += ways
                        following = max(following, to + 1)
                    elif to != NOWHERE:
                        return None
            endings_by_depth[-1] = ended
            if ahead:
                by_depth.append(ahead)
                endings_by_depth.append(0)
            begin, end = end, following
        endings = _endings(net, paths.__getitem__)
        return _plays_of(net, by_depth, endings_by_depth, (decisions, chance), endings)


def _plays_of(
    net: Net,
    by_depth: list[int],
    endings_by_depth: list[int],
    asked: tuple[int, int],
    endings: Mapping[Result, int],
) -> _Plays:
    """Whole plays, counted by their length; how often a seat and chance were asked."""
    tree = Tree(tuple(by_depth), tuple(endings_by_depth), *asked, dict(endings))
    order = range(net.size)
    return _Plays(order, sum(by_depth), sum(endings_by_depth), len(by_depth) - 1, tree)


def _in_order(net: Net) -> list[int] | None:
    """The situations so that moves lead onwards only; `None` if some can come again."""
    into = [0] * net.size
    for at in range(net.size):
        for there in net.next(at):
            if there != NOWHERE:
                into[there] += 1
    ready = [0] if not into[0] else []
    order = []
    while ready:
        at = ready.pop()
        order.append(at)
        for there in net.next(at):
            if there != NOWHERE:
                into[there] -= 1
                if not into[there]:
                    ready.append(there)
    return order if len(order) == net.size else None


def by_number(net: Net, reach: int | None) -> tuple[int, ...]:
    """Sequences of moves by their number, as far as situations were looked at."""
    return _tree(net, reach).by_depth


def _tree(net: Net, reach: int | None) -> Tree:
    """Sequences of moves, layer by layer; those that lead to one situation go on together."""
    by_depth: list[int] = []
    endings_by_depth: list[int] = []
    endings: Counter[Result] = Counter()
    decisions = chance = 0
    layer = Counter({0: 1})
    while layer:
        by_depth.append(layer.total())
        endings_by_depth.append(0)
        following: Counter[int] = Counter()
        layer.pop(NOWHERE, None)
        if len(by_depth) - 1 == reach:
            break
        for at, ways in layer.items():
            mover = net.rows[net.starts[at]]
            if mover == ENDED:
                endings_by_depth[-1] += ways
                endings[net.result(at)] += ways
                continue
            decisions += ways * (mover >= 0)
            chance += ways * (mover == CHANCE)
            for there in net.next(at):
                following[there] += ways
        layer = following
    return Tree(tuple(by_depth), tuple(endings_by_depth), decisions, chance, dict(endings))


# ---- what random play comes to


@define(eq=False)
class _Means:
    """Backwards from the ends: the mean over all moves, by their weight."""

    net: Net
    seats: int

    def of(self, order: Sequence[int]) -> Expected:
        """What play at random comes to from the beginning."""
        net, seats = self.net, self.seats
        spots = [net.spot(at) for at in range(net.size)]
        scored = all(s.result is None or s.result.scores is not None for s in spots)
        values: dict[int, tuple[Fraction, ...]] = {}
        for at in reversed(order):
            spot = spots[at]
            if spot.result is not None:
                values[at] = _at_end(spot.result, seats, scored)
                continue
            total = sum(spot.weights)
            ahead = [values[there] for there in spot.next]
            mean = [
                sum((w * value for w, value in zip(spot.weights, column, strict=True)), Fraction())
                / total
                for column in zip(*ahead, strict=True)
            ]
            mean[-1] += spot.asks
            values[at] = tuple(mean)
        told = values[0]
        return Expected(
            told[:seats],
            told[seats],
            told[seats + 1 : 2 * seats + 1],
            told[2 * seats + 1 : -1] if scored else None,
            told[-1],
        )


def _at_end(result: Result, seats: int, scored: bool) -> tuple[Fraction, ...]:
    """Wins, draw, shares, scores if all games have them, decisions still to come."""
    share = Fraction(1, len(result.winners)) if result.winners else Fraction()
    won = [seat in result.winners for seat in range(seats)]
    scores = result.scores if scored and result.scores is not None else ()
    return (
        *(Fraction(each and not result.draw) for each in won),
        Fraction(result.draw),
        *(share * each for each in won),
        *map(Fraction, scores),
        Fraction(),
    )
