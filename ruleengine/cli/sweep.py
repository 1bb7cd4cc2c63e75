"""`sweep`: games over a range of settings."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click

from compiler.config import Value
from compiler.pipeline import Spec
from ruleengine.cli.options import MOST_JOBS, SpecName, Whole, as_json, ruling_of, seeded, sound
from ruleengine.cli.screen import note, progress, say_json, say_table
from ruleengine.cli.writing import Target, write
from ruleengine.measure.store import Cell, NoStore, OtherSweep, Store, csv_text
from ruleengine.measure.sweep import Axis, Plan, Point, Spreading, here, points, sweep
from ruleengine.measure.sweep_page import HEADERS, Summary, entry, html, rows, summaries
from ruleengine.measure.sweep_watch import MOST as MOST_WATCHED
from ruleengine.measure.sweep_watch import Use, uses
from ruleengine.record import rules_digest

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?::(\d+))?")
_MOST = 10_000  # points of one sweep
_MOST_GAMES = 10_000_000  # at each point
_FORMS = (".csv", ".parquet", ".html")


@click.command("sweep", short_help="Play over a range of settings, numbers of players, readings.")
@click.argument("spec", type=SpecName(), metavar="SPEC")
@click.option(
    "--vary",
    "varied",
    multiple=True,
    metavar="NAME=VALUES",
    help="A setting and its values: 1..9, 10..100:10, or a,b,c; may be said several times.",
)
@click.option(
    "--readings", multiple=True, metavar="RULING", help="All readings of a ruling; as often."
)
@click.option("--players", metavar="N", help="Numbers of players: 3, 2..4, or 2,4.")
@click.option(
    "-n",
    "--games",
    type=Whole(1, _MOST_GAMES),
    default=100,
    show_default=True,
    metavar="N",
    help="Games at each point.",
)
@click.option(
    "-j", "--jobs", type=Whole(1, MOST_JOBS), metavar="N", help="Processes.  [default: all cores]"
)
@click.option(
    "--watch",
    "watched",
    type=Whole(0),
    default=5,
    show_default=True,
    metavar="N",
    help="Games of each point to watch for a page: options over time, clauses.",
)
@click.option("--dask", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler.")
@click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.sqlite",
    help="Keep all games here, and go on with what is there.",
)
@click.option(
    "-o",
    "--output",
    type=Target(),
    multiple=True,
    metavar="FILE",
    help="Rows as .csv or .parquet, plots as .html; may be said several times.",
)
@seeded
@as_json
def command(
    spec: str,
    varied: tuple[str, ...],
    readings: tuple[str, ...],
    players: str | None,
    games: int,
    watched: int,
    jobs: int | None,
    dask: str | None,
    store: Path | None,
    output: tuple[Path, ...],
    seed: int,
    json_: bool,
) -> None:
    """Play over a range of settings, numbers of players, readings.

    Every combination is a point. The same seed gives the same rows, however many processes or
    workers play them. A sweep with --store that was broken off goes on where it was.
    """
    for path in output:
        if path.suffix not in _FORMS:
            raise click.UsageError(f"`{path}` says no format; end it with .csv, .parquet or .html")
        if path.suffix == ".parquet":
            _extra("parquet")  # what is missing is said before anybody plays
    read = sound(spec)
    axes = [*map(_axis, varied), *(_readings(read, name) for name in readings)]
    found = _points(read, _numbers(players), axes)
    played = [point for point in found if not point.why]
    if not played:
        first = found[0]
        raise click.UsageError(f"no point can be played: {first.words} was refused: {first.why}")
    about = {"spec": read.name, "rules": rules_digest(read.sources), "seed": str(seed)}
    with _opened(store) as kept:
        _claim(kept, about)
        plan = Plan(games, seed)
        with (
            _resumable(kept, played, store, games),
            progress(read.name, games * len(played)) as tell,
        ):
            sweep(read, found, plan, kept, _spreading(jobs, dask), tell)
        refused = [point for point in found if point.why]
        told = summaries([(point, kept.rows(point.words, games)) for point in played])
        _say(read, told, refused, seed, json_)
        for path in output:
            if path.suffix == ".html":
                seen = _watched(read, played, min(watched, games), plan, jobs)
                write(path, html(read.name, told, refused, seed, seen).encode())
            else:
                table = kept.table([one.point.words for one in told], games)
                _put(path, table, about)


@contextmanager
def _resumable(
    kept: Store, played: Sequence[Point], path: Path | None, games: int
) -> Iterator[None]:
    """Says what is there of a sweep that is broken off, and how to go on."""
    try:
        yield
    except (KeyboardInterrupt, click.Abort):
        done = sum(len(kept.played(point.words)) for point in played)
        there = f"{done:,} of {games * len(played):,} games"
        if path is None:
            note(f"{there} were played and are lost; with `--store FILE` they are kept")
        else:
            note(f"{there} are kept in {path}: the same command goes on from there")
        raise


def _say(
    spec: Spec, told: Sequence[Summary], refused: Sequence[Point], seed: int, json_: bool
) -> None:
    for point in refused:
        note(f"{point.words} was refused: {point.why}")
    if json_:
        say_json([entry(spec.name, told, refused, seed)])
        return
    say_table(HEADERS, rows(told))


def _watched(
    spec: Spec, played: Sequence[Point], games: int, plan: Plan, jobs: int | None
) -> tuple[Use, ...]:
    """Some games of each point, move by move."""
    if not games:
        return ()
    some = played[:MOST_WATCHED]
    note(f"{spec.name}: watching {games} {'game' if games == 1 else 'games'} of each point")
    with progress(spec.name, games * len(some)) as tell:
        return uses(spec, some, games, plan, _jobs(jobs), tell)


def _put(path: Path, table: Iterator[tuple[Cell, ...]], about: Mapping[str, str]) -> None:
    """Writes rows as a file's ending asks for."""
    if path.suffix == ".csv":
        write(path, csv_text(table).encode())
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        _extra("parquet").write_parquet(table, path, about)


def _opened(path: Path | None) -> Store:
    try:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        return Store(path)
    except NoStore as error:
        raise click.UsageError(f"`{path}` is no store of a sweep: {error}") from error


def _claim(kept: Store, about: Mapping[str, str]) -> None:
    try:
        kept.claim(about)
    except OtherSweep as other:
        raise click.UsageError(f"the store holds other games: {other}; name another file") from None


def _jobs(jobs: int | None) -> int:
    return jobs or os.cpu_count() or 1


def _spreading(jobs: int | None, dask: str | None) -> Spreading:
    """Where the games are played."""
    if dask is None:
        return here(_jobs(jobs))
    cluster = _extra("dask")
    try:
        found: Spreading = cluster.there(dask)
    except cluster.NoCluster as error:
        raise click.UsageError(str(error)) from error
    return found


_DOORS = {"dask": "ruleengine.measure.cluster", "parquet": "ruleengine.measure.parquet"}


def _extra(name: str) -> ModuleType:
    """The module behind an extra; `UsageError` if what it needs is not installed."""
    try:
        return import_module(_DOORS[name])
    except ImportError as error:
        told = f"this needs the extra `{name}`: pip install 'rulewright[{name}]'"
        raise click.UsageError(told) from error


# ---- what is varied


def _points(spec: Spec, players: Sequence[int], axes: Sequence[Axis]) -> tuple[Point, ...]:
    many = max(len(players), 1)
    for axis in axes:
        many *= len(axis.values)
    if many > _MOST:
        raise click.UsageError(f"these are {many:,} points; at most {_MOST:,} are played")
    names = [axis.name for axis in axes]
    if len(set(names)) < len(names):
        raise click.UsageError("a setting is varied twice")
    return points(spec, players, axes)


def _axis(said: str) -> Axis:
    """`NAME=1..9`, `NAME=10..100:10` or `NAME=a,b,c`."""
    name, equals, text = said.partition("=")
    if not equals or not name.strip() or not text.strip():
        raise click.UsageError(f"`{said}` says no values: write NAME=1..9 or NAME=a,b,c")
    if name.strip() in ("players", "seats"):
        raise click.UsageError(f"how many play is said by `--players {text.strip()}`")
    return Axis(name.strip(), tuple(_values(text.strip())))


def _values(text: str) -> list[Value]:
    match = _RANGE.fullmatch(text)
    if match is None:
        parts = [part.strip() for part in text.split(",")]
        return [int(part) if re.fullmatch(r"-?\d+", part) else part for part in parts]
    low, high, step = int(match[1]), int(match[2]), int(match[3] or 1)
    if high < low or step == 0:
        raise click.UsageError(f"`{text}` holds no number")
    if (high - low) // step >= _MOST:
        raise click.UsageError(f"`{text}` holds more than {_MOST:,} numbers")
    return list(range(low, high + 1, step))


def _readings(spec: Spec, name: str) -> Axis:
    meant = ruling_of(spec, name)
    ruling = next(ruling for ruling in spec.rulings if ruling.name.text == meant)
    return Axis(meant, tuple(reading.name.text for reading in ruling.readings))


def _numbers(players: str | None) -> tuple[int, ...]:
    if players is None:
        return ()
    found = _values(players)
    if not all(isinstance(one, int) and one > 0 for one in found):
        raise click.UsageError(f"`{players}` are no numbers of players: write 3, 2..4, or 2,4")
    return tuple(one for one in found if isinstance(one, int))
