"""`explore`: every situation of a game."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import get_args

import click

from compiler.config import Configuration
from compiler.graph.values import seat_text
from ruleengine.batch import MachineName, NoMachine
from ruleengine.cli.options import (
    FOUND,
    Whole,
    all_loaded,
    as_json,
    chosen,
    configured,
    machine,
    specs,
)
from ruleengine.cli.screen import JsonEntry, note, progress, say, say_json, say_table
from ruleengine.exploration import (
    STATE_LIMIT,
    Expected,
    Exploration,
    Tree,
    explore,
    perft,
)
from ruleengine.wording import result_words


@click.command("explore", short_help="Count every situation a game can come to.")
@specs
@click.option(
    "--limit",
    type=Whole(1),
    default=STATE_LIMIT,
    show_default=True,
    metavar="N",
    help="Situations after which to break off.",
)
@click.option(
    "--depth",
    type=Whole(0),
    default=None,
    metavar="N",
    help="Moves to look ahead; all, unless said.",
)
@click.option(
    "--perft",
    "counted",
    type=Whole(0),
    default=None,
    metavar="N",
    help="Instead, count all sequences of up to N moves, one by one.",
)
@click.option(
    "--knowledge",
    "knowing",
    is_flag=True,
    help="Tell situations apart by who knows what, too.",
)
@configured
@machine(*get_args(MachineName))
@as_json
def command(
    specs: tuple[str, ...],
    limit: int,
    depth: int | None,
    counted: int | None,
    knowing: bool,
    players: int | None,
    settings: tuple[str, ...],
    machine: MachineName,
    json_: bool,
) -> int:
    """Count every situation a game can come to.

    Situations differ if anything differs that a rule can read; who knows what is left out, unless
    you ask for it. For small games without repetition the result of random play is given exactly.
    A compiled machine does it where there is one, which the answer says. The exit code is 1 if
    some way leads to a dead end, or there are more situations than the limit allows.
    """
    configuration = chosen(players, settings)
    if counted is not None:
        if knowing:
            raise click.UsageError(
                "--perft counts sequences: --knowledge makes no difference to it"
            )
        return _count(specs, counted, configuration, machine, json_)
    found: list[tuple[Exploration, float]] = []
    entries: list[JsonEntry] = []
    for one in all_loaded(specs, configuration):
        begun = perf_counter()
        if not json_:
            note(f"{one.game.name}: going through its situations")
        with _refused(), progress(one.game.name, None) as tell:
            result = explore(
                one.game,
                limit=limit,
                depth=depth,
                machine=machine,
                knowing=knowing,
                progress=tell,
            )
        seconds = perf_counter() - begun
        found.append((result, seconds))
        entries.append(exploration_entry(result, seconds, one.seconds, limit))
    if json_:
        say_json(entries)
    else:
        show_explorations(found, limit)
    bad = any(result.dead_ends or result.is_unfinished for result, _ in found)
    return FOUND if bad else 0


def _count(
    specs: tuple[str, ...],
    depth: int,
    configuration: Configuration,
    machine: MachineName,
    json_: bool,
) -> int:
    """`--perft`: sequences of moves by their number."""
    entries: list[JsonEntry] = []
    rows: list[tuple[str, ...]] = []
    for one in all_loaded(specs, configuration):
        begun = perf_counter()
        if not json_:
            note(f"{one.game.name}: counting sequences of {depth} moves")
        with _refused(), progress(one.game.name, None) as tell:
            counts = perft(one.game, depth, machine, tell)
        seconds = perf_counter() - begun
        if counts.why and not json_:
            note(counts.why)
        numbered = enumerate(counts.by_depth)
        rows += [(one.game.name, str(at), str(many), counts.played_by) for at, many in numbered]
        entries.append(
            {
                "name": one.game.name,
                "players": one.game.seats,
                "configuration": dict(one.game.configuration.pairs),
                "sequences": list(counts.by_depth),
                "seconds": round(seconds, 6),
                "compile_seconds": round(one.seconds, 6),
                "machine": counts.played_by,
                "why": counts.why,
            }
        )
    if json_:
        say_json(entries)
    else:
        say_table(("spec", "moves", "sequences", "machine"), rows)
    return 0


@contextmanager
def _refused() -> Iterator[None]:
    """A machine that was asked for by name and does not do it is a wrong use."""
    try:
        yield
    except NoMachine as error:
        raise click.UsageError(str(error)) from error


def unfinished(found: Exploration, limit: int) -> str:
    """That there is more than was looked at, in words."""
    if found.states <= limit:
        return f"{found.name}: unfinished: memory holds no more than {found.states:,} situations"
    return (
        f"{found.name}: unfinished: more than {limit:,} situations, "
        f"{found.looked_at:,} looked at; --limit allows more, --depth fewer moves"
    )


def exploration_entry(
    found: Exploration, seconds: float, compile_seconds: float, limit: int
) -> JsonEntry:
    """An exploration as programs read it; fractions are text."""
    return {
        "name": found.name,
        "players": found.seats,
        "configuration": dict(found.configuration.pairs),
        "complete": found.complete,
        "states": found.states,
        "without_knowledge": found.cores,
        "terminals": found.terminals,
        "decisions": found.decisions,
        "chance": found.chance,
        "dead_ends": len(found.dead_ends),
        "depth": found.depth,
        "by_depth": list(found.by_depth),
        "histories": found.histories,
        "endings": found.endings,
        "longest": found.longest,
        "tree": None if found.tree is None else _tree_entry(found.tree),
        "results": dict(found.results),
        "expected": None if found.expected is None else _expected_entry(found.expected),
        "seconds": round(seconds, 6),
        "compile_seconds": round(compile_seconds, 6),
        "machine": found.played_by,
        "why": found.why,
        "unfinished": unfinished(found, limit) if found.is_unfinished else None,
    }


def _tree_entry(tree: Tree) -> JsonEntry:
    return {
        "by_depth": list(tree.by_depth),
        "endings_by_depth": list(tree.endings_by_depth),
        "decisions": tree.decisions,
        "chance": tree.chance,
        "endings": {result_words(result): count for result, count in tree.endings.items()},
    }


def _expected_entry(expected: Expected) -> JsonEntry:
    def by_seat(values: tuple[object, ...]) -> JsonEntry:
        return {seat_text(seat): str(value) for seat, value in enumerate(values)}

    return {
        "wins": by_seat(expected.wins),
        "draw": str(expected.draw),
        "shares": by_seat(expected.shares),
        "scores": None if expected.scores is None else by_seat(expected.scores),
        "decisions": str(expected.decisions),
    }


def show_explorations(found: list[tuple[Exploration, float]], limit: int) -> None:
    """Explorations as a table, then what random play comes to and what went wrong."""
    headers = (
        "spec",
        "states",
        "decisions",
        "chance",
        "terminals",
        "dead ends",
        "depth",
        "histories",
        "seconds",
        "machine",
    )
    say_table(
        headers,
        [
            (
                result.name,
                str(result.states) if result.complete else f"> {result.states}",
                str(result.decisions),
                str(result.chance),
                str(result.terminals),
                str(len(result.dead_ends)),
                str(result.depth),
                "-" if result.histories is None else str(result.histories),
                f"{seconds:.2f}",
                result.played_by,
            )
            for result, seconds in found
        ],
    )
    for result, _ in found:
        if result.expected is not None:
            wins = [
                f"{seat_text(seat)} wins {value} ({float(value):.4f})"
                for seat, value in enumerate(result.expected.wins)
            ]
            drawn = result.expected.draw
            say(
                f"{result.name}, played at random: {', '.join(wins)}, "
                f"draw {drawn} ({float(drawn):.4f}); "
                f"{float(result.expected.decisions):.4f} decisions"
            )
        if result.tree is not None and not result.complete:
            counts = " ".join(map(str, result.tree.by_depth))
            say(f"{result.name}, sequences of moves by their number: {counts}")
        if result.cores is not None:
            say(f"{result.name}: {result.cores} situations if who knows what is left out")
        if result.why:
            note(result.why)
        if result.is_unfinished:
            note(unfinished(result, limit))
        for end in result.dead_ends[:10]:
            note(f"{result.name}: dead end after {end.depth} moves: {end.error}")
