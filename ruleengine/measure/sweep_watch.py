"""What is done in the games of a sweep: options over time and clauses, point by point.

Some games of each point are watched move by move; they are among those that the sweep counts.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from compiler.config import Configuration
from compiler.markup import Markup, joined, tag
from compiler.pipeline import Spec
from compiler.source import SourceSet
from ruleengine.coverage.clauses import ClauseCoverage, clause_coverage
from ruleengine.measure.metrics import OptionUse, option_use
from ruleengine.measure.sweep import Plan, Point
from ruleengine.measure.watching import watch
from ruleengine.processes import compiled_game, spread

MOST: Final = 60
"""Points that a page shows so: nobody reads more."""

_DARKEST: Final = 70  # hundredths of the colour behind the largest number


@frozen
class Use:
    """The games of a point that were watched: how options were used, how often clauses came up.

    `clauses` is `None` for a spec without a table of them.
    """

    point: Point
    games: int
    options: Mapping[str, OptionUse]
    clauses: ClauseCoverage | None


@frozen
class Watched:
    """Some games of a point, as values that can be sent anywhere."""

    point: Point
    sources: SourceSet
    configuration: Configuration
    seed: int
    games: int
    node_limit: int


def watch_point(task: Watched) -> Use:
    """The games of one point."""
    game = compiled_game(task.sources, task.configuration)
    found = watch(game, task.games, seed=task.seed, chances=False, node_limit=task.node_limit)
    return Use(
        task.point,
        len(found.games),
        option_use(found.games),
        clause_coverage(game.compiled.spec, found.coverage),
    )


def uses(
    spec: Spec,
    points: Sequence[Point],
    games: int,
    plan: Plan,
    jobs: int,
    progress: Callable[[int], None] = lambda _: None,
) -> tuple[Use, ...]:
    """The first games of each point, in their order; `progress` is told how many are watched."""
    sources = evolve(spec.sources, scenarios=())
    tasks = [
        Watched(point, sources, point.configuration, plan.seed, games, plan.node_limit)
        for point in points
    ]
    found: dict[int, Use] = {}
    for at, use in spread(watch_point, tasks, jobs):
        found[at] = use
        progress(games)
    return tuple(found[at] for at in sorted(found))


# ---- on a page


def plots(found: Sequence[Use], points: int) -> Markup:
    """Tables in which the darker means the more often: options by tenths of a game, clauses."""
    if not found:
        return joined()
    games = max(use.games for use in found)
    left = f" The first {len(found)} of {points} points are shown." if len(found) < points else ""
    told = (
        f"How often each option was taken in {games} watched games of each point, by tenths of a "
        f"game.{left}"
    )
    decided = [_options(use) for use in found if use.options]
    return joined(
        tag("h2", "Options over time"),
        tag("p", told if decided else "Nobody ever decided anything."),
        decided,
        _clauses(found),
    )


def _options(use: Use) -> Markup:
    heads = ("option", "offered", "taken", *(f"{10 * tenth} %" for tenth in range(10)))
    lines = (
        tag(
            "tr",
            tag("th", name, scope="row"),
            tag("td", str(one.offered)),
            tag("td", str(one.taken)),
            (_heat(count, max(one.by_tenth)) for count in one.by_tenth),
        )
        for name, one in use.options.items()
    )
    head = tag("tr", (tag("th", word, scope="col") for word in heads))
    return tag("table", tag("caption", use.point.words), head, lines)


def _clauses(found: Sequence[Use]) -> Markup | None:
    """A line for each clause that came up anywhere, a column for each point, times in a game."""
    with_table = [(use, use.clauses) for use in found if use.clauses is not None]
    if not with_table:
        return None
    listed = with_table[0][1].mechanical
    lines = []
    for clause in listed:
        means = [its.times.get(clause, 0) / max(use.games, 1) for use, its in with_table]
        if any(means):
            cells = (_heat(round(one, 1), max(means)) for one in means)
            text = with_table[0][1].texts.get(clause, "")
            lines.append(tag("tr", tag("th", clause, scope="row", title=text), cells))
    heads = ("clause", *(use.point.words for use, _ in with_table))
    head = tag("tr", (tag("th", word, scope="col") for word in heads))
    return joined(
        tag("h2", "Clauses"),
        tag("p", "How often each clause came up, in the mean of the watched games of a point."),
        tag("table", head, lines),
    )


def _heat(count: float, most: float) -> Markup:
    share = round(_DARKEST * count / most) if most else 0
    shade = f"background:color-mix(in srgb,#d9822b {share}%,transparent)"
    return tag("td", f"{count:g}", style=shade)
