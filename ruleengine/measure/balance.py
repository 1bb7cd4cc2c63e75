"""Whether a game is balanced, gathered: many games, some watched, a ladder of bots, rulings.

How much is played follows from what plays: a thousand games where they are compiled, some dozens
where the interpreter plays them.
"""

from collections.abc import Callable, Iterator
from typing import Final

from attrs import frozen

from ruleengine.batch import choose
from ruleengine.casting import Cast
from ruleengine.coverage.clauses import ClauseCoverage, clause_coverage
from ruleengine.game import Instance
from ruleengine.match import NODE_LIMIT
from ruleengine.measure.intervals import Interval
from ruleengine.measure.ladder import Step, ladder
from ruleengine.measure.metrics import Figure, SeatShare, figures, seat_bias, seat_shares
from ruleengine.measure.rulings import Plan as RulingPlan
from ruleengine.measure.rulings import Rulings, rulings
from ruleengine.measure.rulings_page import first
from ruleengine.measure.watching import Watching, watch
from ruleengine.players.mind import Clock, Mind
from ruleengine.players.naming import Bot, bots
from ruleengine.players.standing import spec_standing
from ruleengine.simulation import Simulation, simulate

_GAMES: Final = {True: 2000, False: 60}
_WATCHED: Final = {True: 60, False: 6}
_LADDER: Final = {True: 20, False: 8}
_ROUNDS: Final = 100  # of the highest rung, where games are short
_SHRINK: Final = 400  # stops to make a play short of which the page says only where it parts
_FEWEST_ROUNDS: Final = 10
_FLAT: Final = 8  # playouts of the rung in the middle, at least
_THOUGHTS: Final = {True: 60_000, False: 12_000}  # rounds in a minute or so: all open, or secrets
_RUNGS_OF_LONG: Final = "random,flat:8"
_RUNGS_BY_SCORE: Final = "random,greedy:1"
_LONG: Final = 3000  # nodes of a game in which thinking takes too long for a first look


@frozen
class Plan:
    """How much is played.  What is `None` is chosen by how fast the game is played.

    `rungs` are bots from the weakest up; none at all leaves the ladder out.  `ruling_games` are the
    games for each reading; 0 leaves rulings unmeasured.
    """

    games: int | None = None
    watched: int | None = None
    seed: int = 0
    jobs: int = 1
    node_limit: int = NODE_LIMIT
    cast: Cast | None = None
    score: str | None = None
    rungs: tuple[Bot, ...] | None = None
    ladder_games: int | None = None
    ruling_games: int = 0
    clock: Clock | None = None
    progress: Callable[[str], None] = lambda _: None


@frozen(eq=False)
class Balance:
    """What was found out about one game; `no_ladder` says why there is none."""

    game: Instance
    run: Simulation
    watching: Watching
    figures: tuple[Figure, ...]
    ladder: tuple[Step, ...]
    no_ladder: str
    rulings: Rulings | None

    @property
    def seats(self) -> tuple[SeatShare, ...]:
        """The wins of each seat; none where nobody ever won over anybody."""
        totals = self.run.totals
        return seat_shares(totals) if totals.finished > totals.drawn and self.run.seats > 1 else ()

    @property
    def bias(self) -> Interval | None:
        """How far the seat furthest from its fair share is from it."""
        return seat_bias(self.seats) if self.seats else None

    @property
    def clauses(self) -> ClauseCoverage | None:
        """How often the games that were watched came to each clause."""
        return clause_coverage(self.game.compiled.spec, self.watching.coverage)


def balance(game: Instance, plan: Plan) -> Balance:
    """Plays, watches and compares.

    Raises `NoStanding` where a bot needs a score that is not there.
    """
    quick = choose(game, "auto").name != "interpreter" and plan.cast is None
    games = _GAMES[quick] if plan.games is None else plan.games
    watched = _WATCHED[quick] if plan.watched is None else plan.watched
    plan.progress("games")
    run = simulate(
        game,
        games,
        seed=plan.seed,
        jobs=plan.jobs,
        node_limit=plan.node_limit,
        cast=plan.cast,
        clock=plan.clock,
    )
    plan.progress("watched games")
    watching = watch(
        game,
        min(watched, games),
        seed=plan.seed,
        cast=run.cast,
        clock=plan.clock,
        node_limit=plan.node_limit,
    )
    steps, why = _ladder(game, run, plan)
    return Balance(
        game,
        run,
        watching,
        figures(run.totals, run.rows, watching.games),
        steps,
        why,
        _rulings(game, plan),
    )


def _ladder(game: Instance, run: Simulation, plan: Plan) -> tuple[tuple[Step, ...], str]:
    """The rungs one against the other, or why there are none."""
    if game.seats < 2:
        return (), "Nobody plays against anybody."
    if run.totals.finished and not run.totals.decisions:
        return (), "Nobody ever decides anything: all of it is chance."
    rounds = _affordable(game, run)
    short = rounds >= _FEWEST_ROUNDS
    rungs = _rungs(game, plan, rounds) if plan.rungs is None else plan.rungs
    if not rungs:
        return (), "No bots were asked for."
    plan.progress("ladder")
    games = _LADDER[short] if plan.ladder_games is None else plan.ladder_games
    steps = ladder(
        game,
        rungs,
        games,
        seed=plan.seed,
        score=plan.score,
        clock=plan.clock,
        jobs=plan.jobs,
        node_limit=plan.node_limit,
    )
    return tuple(steps), ""


def _affordable(game: Instance, run: Simulation) -> int:
    """For how many rounds a bot may think about a decision if a ladder is to take a minute or so;
    0 where games are long."""
    totals = run.totals
    if totals.nodes > _LONG * totals.finished:
        return 0
    decisions = _LADDER[True] * totals.decisions // max(totals.finished, 1)
    return min(_ROUNDS, _THOUGHTS[Mind.of(game).is_open] // max(decisions, 1))


def _rungs(game: Instance, plan: Plan, rounds: int) -> tuple[Bot, ...]:
    """The rungs that can be tried in that time."""
    if rounds >= _FEWEST_ROUNDS:
        return bots(f"random,flat:{max(rounds // 5, _FLAT)},mcts:{rounds}")
    scored = plan.score is not None or spec_standing(game) is not None
    return bots(_RUNGS_BY_SCORE if scored else _RUNGS_OF_LONG)


def _rulings(game: Instance, plan: Plan) -> Rulings | None:
    spec = game.compiled.spec
    if not plan.ruling_games or not spec.rulings:
        return None
    plan.progress("rulings")
    chosen = RulingPlan(plan.ruling_games, plan.seed, plan.jobs, shrink=_SHRINK)
    return rulings(spec, game.configuration, chosen)


# ---- in words


def findings(found: Balance) -> Iterator[str]:
    """What a designer should know first, each in a sentence."""
    totals = found.run.totals
    for reason, count in totals.unfinished.items():
        yield f"{count} of {totals.games} games did not end ({reason.replace('-', ' ')})."
    yield from _of_seats(found)
    if totals.finished and totals.drawn * 2 > totals.finished:
        yield f"{100 * totals.drawn / totals.finished:.0f} % of the games are drawn."
    yield from map(_of_step, found.ladder)
    if found.no_ladder:
        yield f"Whether skill matters was not tried. {found.no_ladder}"
    idle = () if found.clauses is None else found.clauses.unreached
    if idle:
        games = len(found.watching.games)
        what = "1 clause" if len(idle) == 1 else f"{len(idle)} clauses"
        where = "1 watched game" if games == 1 else f"{games} watched games"
        yield f"{what} never came up in {where}: {', '.join(idle)}."
    for answer in () if found.rulings is None else first(found.rulings):
        yield f"The ruling {answer.asked.ruling} matters: {answer.asked.question}"


def _of_seats(found: Balance) -> Iterator[str]:
    unfair = [one for one in found.seats if not one.is_fair]
    for one in unfair:
        more = "more" if one.interval.value > one.fair else "less"
        low, high = 100 * one.interval.low, 100 * one.interval.high
        yield (
            f"Seat {one.seat} wins {more} than its share: {100 * one.interval.value:.0f} % "
            f"({low:.0f} to {high:.0f}) where {100 * one.fair:.0f} % would be fair."
        )
    if found.bias is not None and not unfair:
        yield (
            "No seat was seen to be better or worse than its share of wins; with so many games a "
            f"difference of {100 * found.bias.high:.0f} points could still hide."
        )


def _of_step(step: Step) -> str:
    low, high = 100 * step.interval.low, 100 * step.interval.high
    told = {"stronger": "beats", "weaker": "loses to"}.get(step.verdict, "is not told apart from")
    return (
        f"{step.upper.said} {told} {step.lower.said}: it wins {100 * step.interval.value:.0f} % "
        f"({low:.0f} to {high:.0f}) of {step.games} games, {100 * step.fair:.0f} % would be chance."
    )
