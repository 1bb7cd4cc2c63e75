"""A sweep as people and programs read it: a row for each point, plots, JSON."""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from compiler.graph.values import seat_text
from compiler.markup import Markup, joined, tag
from ruleengine.match import Ending
from ruleengine.measure.intervals import ALPHA, Interval, each, mean, share
from ruleengine.measure.plots import Dot, bars, dots
from ruleengine.measure.sweep import Point
from ruleengine.measure.sweep_watch import Use, plots
from ruleengine.tally import Row

_STYLE: Final = (
    "body{font:16px/1.5 sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;"
    "color-scheme:light dark}td{text-align:right;padding:0 .8em}th{text-align:left}"
    "table{margin:1rem 0;border-collapse:collapse}caption{text-align:left;font-weight:bold}"
    "figure{margin:1.5rem 0}svg{max-width:100%;height:auto}"
)


@frozen
class Summary:
    """What the games of a point come to; length is in steps (answers and outcomes of chance)."""

    point: Point
    games: int
    unfinished: int
    length: Interval | None
    score: Interval | None
    wins: tuple[Interval, ...]
    draws: Interval
    lengths: tuple[int, ...]
    scores: tuple[int, ...]


def summaries(found: Sequence[tuple[Point, Sequence[Row]]]) -> tuple[Summary, ...]:
    """Those of all points that were played; their intervals hold together."""
    many = sum(3 + (point.configuration.players or 0) for point, rows in found if rows)
    return tuple(_summary(point, rows, each(many)) for point, rows in found if rows)


def _summary(point: Point, rows: Sequence[Row], alpha: float) -> Summary:
    done = [row for row in rows if row.ending is Ending.FINISHED]
    lengths = tuple(row.decisions + row.draws for row in done)
    scores = tuple(score for row in done for score in row.scores or ())
    means = [sum(row.scores) / len(row.scores) for row in done if row.scores]
    return Summary(
        point,
        len(rows),
        len(rows) - len(done),
        mean([float(length) for length in lengths], alpha),
        mean(means, alpha),
        tuple(
            share(sum(seat in row.winners and not row.is_draw for row in done), len(done), alpha)
            for seat in range(point.configuration.players or 0)
        ),
        share(sum(row.is_draw for row in done), len(done), alpha),
        lengths,
        scores,
    )


HEADERS: Final = ("settings", "games", "not ended", "steps", "score", "wins", "draws")


def rows(found: Sequence[Summary]) -> list[tuple[str, ...]]:
    """A row for each point, under `HEADERS`."""
    return [
        (
            one.point.words,
            str(one.games),
            str(one.unfinished),
            _shown(one.length),
            _shown(one.score),
            " ".join(f"{seat_text(at)} {100 * w.value:.0f}" for at, w in enumerate(one.wins)),
            f"{100 * one.draws.value:.0f} %",
        )
        for one in found
    ]


def _shown(interval: Interval | None) -> str:
    if interval is None:
        return "-"
    return f"{interval.value:.1f} ± {(interval.high - interval.low) / 2:.1f}"


def html(
    name: str,
    found: Sequence[Summary],
    refused: Sequence[Point],
    seed: int,
    watched: Sequence[Use] = (),
) -> str:
    """A page with the table and plots, which needs nothing from elsewhere."""
    title = f"{name}: a sweep of {len(found)} points, seed {seed}"
    head = tag("tr", (tag("th", word) for word in HEADERS))
    table = tag(
        "table",
        head,
        (
            tag("tr", tag("th", first, scope="row"), (tag("td", cell) for cell in rest))
            for first, *rest in rows(found)
        ),
    )
    body = joined(
        tag("h1", title),
        table,
        tag("p", f"All intervals hold together with {100 * (1 - ALPHA):.0f} %."),
        _plots(found),
        plots(watched, len(found)),
        (tag("p", f"{point.words} was refused: {point.why}") for point in refused),
    )
    metas = joined(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width"),
        tag("title", title),
        tag("style", Markup(_STYLE)),
    )
    return f"<!doctype html>\n{tag('html', tag('head', metas), tag('body', body), lang='en')}\n"


def _plots(found: Sequence[Summary]) -> Markup:
    lengths = [Dot(one.point.words, one.length) for one in found if one.length is not None]
    scores = [Dot(one.point.words, one.score) for one in found if one.score is not None]
    wins = [
        Dot(f"{one.point.words}: {seat_text(seat)}", interval)
        for one in found
        for seat, interval in enumerate(one.wins)
    ]
    return joined(
        dots("Steps in a game", lengths) if lengths else None,
        dots("Mean score", scores) if scores else None,
        dots("Share of games won", wins) if wins else None,
        (bars(f"Steps in a game, {s.point.words}", s.lengths) for s in found if s.lengths),
        (bars(f"Scores, {s.point.words}", s.scores) for s in found if s.scores),
    )


def entry(
    name: str, found: Sequence[Summary], refused: Sequence[Point], seed: int
) -> dict[str, object]:
    """The same as programs read it."""
    return {
        "name": name,
        "seed": seed,
        "points": [
            {
                "players": one.point.configuration.players,
                "settings": dict(one.point.configuration.pairs),
                "games": one.games,
                "unfinished": one.unfinished,
                "length": _interval(one.length),
                "score": _interval(one.score),
                "wins": {seat_text(seat): _interval(w) for seat, w in enumerate(one.wins)},
                "draws": _interval(one.draws),
            }
            for one in found
        ],
        "refused": [{"settings": point.words, "why": point.why} for point in refused],
    }


def _interval(interval: Interval | None) -> object:
    if interval is None:
        return None
    return {"value": interval.value, "low": interval.low, "high": interval.high}
