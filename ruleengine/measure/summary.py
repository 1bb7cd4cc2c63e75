"""Figures as programs and people read them: JSON, rows of CSV, percentages in words."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from statistics import fmean, stdev

from compiler.graph.values import seat_text
from ruleengine.match import Ending
from ruleengine.measure.intervals import Interval, mean, share
from ruleengine.measure.ladder import Step, bot_wins
from ruleengine.measure.metrics import Figure, histogram, option_use, seat_shares
from ruleengine.measure.watching import Watching
from ruleengine.players.naming import RANDOM
from ruleengine.simulation import Simulation
from ruleengine.tally import Row


def percent(interval: Interval) -> str:
    """A share with its interval: `56 % (49 to 63)`."""
    low, high = 100 * interval.low, 100 * interval.high
    return f"{100 * interval.value:.0f} % ({low:.0f} to {high:.0f})"


def number(interval: Interval) -> str:
    """A mean with its interval: `18.2 (17.5 to 18.9)`."""
    return f"{interval.value:.3g} ({interval.low:.3g} to {interval.high:.3g})"


def words(figure: Figure) -> str:
    """A figure with its interval; a dash where there are too few games."""
    if figure.interval is None:
        return "-"
    return percent(figure.interval) if figure.is_share else number(figure.interval)


def interval_entry(interval: Interval | None) -> dict[str, float] | None:
    """A figure and the ends of its interval."""
    if interval is None:
        return None
    return {"value": interval.value, "low": interval.low, "high": interval.high}


def seats_entry(run: Simulation) -> dict[str, object]:
    """The wins of each seat, its share of the games that somebody won, and the fair one."""
    return {
        one.seat: {"wins": one.wins, "share": interval_entry(one.interval), "fair": one.fair}
        for one in seat_shares(run.totals)
    }


def spread_entry(rows: Sequence[Row]) -> dict[str, object]:
    """How long games were, and what scores were made, where rows were kept."""
    done = [row for row in rows if row.ending is Ending.FINISHED]
    lengths = [row.decisions for row in done]
    found: dict[str, object] = {}
    if len(lengths) > 1:
        found["lengths"] = {
            "mean": interval_entry(mean(lengths)),
            "deviation": stdev(lengths),
            "histogram": [list(one) for one in histogram(lengths)],
        }
    scores = [row.scores for row in done if row.scores is not None]
    if len(scores) > 1:
        found["score_spread"] = {
            seat_text(seat): {
                "mean": interval_entry(mean(column)),
                "deviation": stdev(column),
                "histogram": [list(one) for one in histogram(column)],
            }
            for seat, column in enumerate(zip(*scores, strict=True))
        }
    return found


def bots_entry(run: Simulation) -> list[dict[str, object]]:
    """What each bot won of the finished games, wins together shared."""
    if run.cast is None:
        return []
    found: list[dict[str, object]] = []
    for at, bot in enumerate(run.cast.bots[: run.seats]):
        wins, games = bot_wins(run, at)
        found.append(
            {
                "bot": bot.said,
                "games": games,
                "wins": wins,
                "share": interval_entry(share(wins, games)),
                "reproducible": not bot.is_timed,
            }
        )
    return found


def moves_entry(watched: Watching) -> dict[str, object]:
    """What was offered and taken in games that were watched, and which clauses they came to."""
    use = option_use(watched.games)
    return {
        "watched": len(watched.games),
        "branching": fmean([one.answers for game in watched.games for one in game.asked])
        if any(game.asked for game in watched.games)
        else None,
        "options": {
            name: {"offered": one.offered, "taken": one.taken, "by_tenth": list(one.by_tenth)}
            for name, one in use.items()
        },
        "clauses": dict(sorted(watched.coverage.clauses.items())),
    }


def figure_entries(figures: Sequence[Figure]) -> list[Mapping[str, object]]:
    """Figures with what they mean."""
    return [
        {
            "name": figure.key,
            "title": figure.title,
            "meaning": figure.meaning,
            "source": figure.source or None,
            "games": figure.games,
            "is_share": figure.is_share,
            "interval": interval_entry(figure.interval),
        }
        for figure in figures
    ]


def step_entry(step: Step) -> dict[str, object]:
    """One rung against the one below."""
    return {
        "upper": step.upper.said,
        "lower": step.lower.said,
        "games": step.games,
        "wins": step.wins,
        "share": interval_entry(step.interval),
        "fair": step.fair,
        "skill": step.skill,
        "verdict": step.verdict,
        "reproducible": not (step.upper.is_timed or step.lower.is_timed),
    }


# ---- rows


def csv_text(runs: Sequence[Simulation]) -> str:
    """A row for each game of some runs, under the names of the columns."""
    most = max((run.seats for run in runs), default=0)
    seats = [seat_text(seat) for seat in range(most)]
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    scores, bots = [f"score_{seat}" for seat in seats], [f"bot_{seat}" for seat in seats]
    table.writerow([*_COLUMNS, *scores, *bots])
    for run in runs:
        table.writerows(_cells(run, row, most) for row in run.rows)
    return text.getvalue()


_COLUMNS = ("spec", "game", "ending", "decisions", "draws_of_chance", "nodes", "winners", "draw")


def _cells(run: Simulation, row: Row, most: int) -> Iterator[object]:
    yield from (run.name, row.game, row.ending.value, row.decisions, row.draws, row.nodes)
    yield " ".join(map(seat_text, row.winners))
    yield int(row.is_draw)
    scores = row.scores or ()
    yield from scores
    yield from [""] * (most - len(scores))
    cast = run.cast
    seated = (
        [] if cast is None else [cast.bots[at].said for at in cast.seating(run.seats, row.game)]
    )
    yield from seated or [RANDOM] * run.seats
    yield from [""] * (most - run.seats)
