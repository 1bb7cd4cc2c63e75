"""Two specs, variants, configurations or revisions side by side.

What changed in words, whether it changes anything in play, and what it comes to in many games.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import field, frozen

from compiler.config import Configuration
from compiler.diagnostic import InternalError, Report
from compiler.pipeline import changed
from compiler.variant.changes import Change
from ruleengine.game import Instance
from ruleengine.match import Ending, Move, random_match
from ruleengine.measure.elsewhere import Elsewhere, Scope, elsewhere
from ruleengine.measure.intervals import (
    Interval,
    each,
    games_for_mean,
    games_for_share,
    mean,
    share,
)
from ruleengine.measure.neutral import Verdict, compared
from ruleengine.simulation import simulate
from ruleengine.stops import Choice, Stop
from ruleengine.table import Table
from ruleengine.tally import Row

NODE_LIMIT: Final = 200_000
"""Steps after which a game is given up."""

_WATCHED: Final = 100  # games in which it is counted how often each option is taken


@frozen
class Side:
    """One of the two: how it was named, and its game."""

    said: str
    game: Instance = field(repr=False)


@frozen
class Measured:
    """Many games of one side.

    `length` is in steps (answers and outcomes of chance), `score` the mean over the seats;
    `options` counts answers by the option taken in the first of the games; `deviation` is that of
    lengths.
    """

    games: int
    unfinished: int
    length: Interval | None
    score: Interval | None
    wins: tuple[Interval, ...]
    draws: Interval
    deviation: float
    options: Mapping[str, int]


@frozen
class Figures:
    """Both sides measured, and what it takes to see a difference.

    `length`, `score` and `wins` are the second less the first.  A difference of `size` in a seat's
    chance, or of that share of the length, shows with these many games of each.
    """

    old: Measured
    new: Measured
    length: Interval | None
    score: Interval | None
    wins: tuple[Interval, ...]
    comparisons: int
    size: float
    games_for_chance: int
    games_for_length: int


@frozen
class Difference:
    """All that was found about two sides."""

    old: Side
    new: Side
    settings: tuple[tuple[str, str, str], ...]
    changes: tuple[Change, ...]
    verdict: Verdict
    scope: Scope
    figures: Figures | None

    @property
    def neutral(self) -> bool | None:
        """Whether both are the same wherever they were compared; `None` if it was not decided."""
        return self.scope.neutral(self.verdict)

    @property
    def compared(self) -> tuple[Elsewhere, ...]:
        """The games that were chosen, then the others that were gone through."""
        chosen = Elsewhere(Configuration(), self.old.game, self.new.game, self.verdict)
        return (chosen, *self.scope.tried)

    @property
    def parted(self) -> Elsewhere | None:
        """The first of these that part."""
        return next((one for one in self.compared if one.verdict.witness is not None), None)


@frozen
class Plan:
    """How two sides are compared: how many pairs of situations are looked at, how many games are
    played on how many processes, and which difference should be seen."""

    states: int
    games: int = 0
    seed: int = 0
    jobs: int = 1
    size: float = 0.05


def difference_of(old: Side, new: Side, plan: Plan) -> Difference:
    """What differs between two games of as many players."""
    found = changed(old.game.compiled.spec.sources, new.game.compiled.spec.sources)
    if isinstance(found, Report):
        raise InternalError("rules that were compiled do not compile again")
    verdict = compared(old.game, new.game, plan.states)
    return Difference(
        old,
        new,
        settings(old.game.configuration, new.game.configuration),
        found,
        verdict,
        elsewhere(old.game, new.game, verdict, plan.states),
        figures(old.game, new.game, plan) if plan.games else None,
    )


def settings(old: Configuration, new: Configuration) -> tuple[tuple[str, str, str], ...]:
    """The settings that are not the same in both, with the value in each."""
    ones, others = old.values, new.values
    return tuple(
        (name, str(ones.get(name, "as usual")), str(others.get(name, "as usual")))
        for name in sorted({*ones, *others})
        if ones.get(name) != others.get(name)
    )


# ---- many games


def figures(old: Instance, new: Instance, plan: Plan) -> Figures:
    """Both sides in as many games, with the same seed."""
    runs = [
        simulate(game, plan.games, seed=plan.seed, jobs=plan.jobs, node_limit=NODE_LIMIT).rows
        for game in (old, new)
    ]
    seats = old.seats
    scored = any(row.scores is not None for row in runs[0] + runs[1])
    many = 1 + scored + seats
    alpha = each(many)
    one = measured(old, runs[0], plan, alpha)
    other = measured(new, runs[1], plan, alpha)
    usual = 0.0 if one.length is None else one.length.value
    return Figures(
        one,
        other,
        _less(one.length, other.length),
        _less(one.score, other.score),
        tuple(_apart(a, b) for a, b in zip(one.wins, other.wins, strict=True)),
        many,
        plan.size,
        games_for_share(plan.size, 1 / seats),
        games_for_mean(plan.size * usual, one.deviation) if usual else 0,
    )


def measured(game: Instance, rows: Sequence[Row], plan: Plan, alpha: float) -> Measured:
    """One side."""
    done = [row for row in rows if row.ending is Ending.FINISHED]
    lengths = [float(row.decisions + row.draws) for row in done]
    scores = [sum(row.scores) / len(row.scores) for row in done if row.scores is not None]
    found = mean(lengths, alpha)
    middle = 0.0 if found is None else found.value
    spread = sum((length - middle) ** 2 for length in lengths) / max(len(lengths) - 1, 1)
    return Measured(
        len(rows),
        len(rows) - len(done),
        found,
        mean(scores, alpha),
        tuple(
            share(sum(seat in row.winners and not row.is_draw for row in done), len(done), alpha)
            for seat in range(game.seats)
        ),
        share(sum(row.is_draw for row in done), len(done), alpha),
        spread**0.5,
        options_taken(game, min(plan.games, _WATCHED), plan.seed),
    )


def options_taken(game: Instance, games: int, seed: int) -> Mapping[str, int]:
    """How often each option was taken, by its name."""
    taken: Counter[str] = Counter()

    def watch(_table: Table, _stop: Stop, move: Move | None) -> None:
        if isinstance(move, Choice):
            option = game.wording.option(move)
            taken["decline" if option is None else option.name] += 1

    for number in range(games):
        random_match(game, seed, number, node_limit=NODE_LIMIT, watching=watch)
    return dict(sorted(taken.items()))


def _less(one: Interval | None, other: Interval | None) -> Interval | None:
    """The difference of two independent means."""
    return None if one is None or other is None else _apart(one, other)


def _apart(one: Interval, other: Interval) -> Interval:
    """The difference of two independent figures, by R. G. Newcombe (Statistics in Medicine 17)."""
    middle = other.value - one.value
    below = ((other.value - other.low) ** 2 + (one.high - one.value) ** 2) ** 0.5
    above = ((other.high - other.value) ** 2 + (one.value - one.low) ** 2) ** 0.5
    return Interval(middle, middle - below, middle + above)
