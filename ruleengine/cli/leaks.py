"""`leaks`: whether anything depends on what a seat cannot know."""

from time import perf_counter

import click

from compiler.graph.values import seat_text
from ruleengine.cli.options import (
    FOUND,
    Whole,
    all_loaded,
    as_json,
    chosen,
    configured,
    seeded,
    specs,
)
from ruleengine.cli.screen import JsonEntry, aligned, progress, say, say_json
from ruleengine.game import Instance
from ruleengine.leaks.leak import Found, Leak, Promise
from ruleengine.leaks.search import STOPS, Looked, find_leaks


@click.command("leaks", short_help="Look for anything that tells a seat what it cannot know.")
@specs
@click.option(
    "--stops",
    type=Whole(1),
    default=STOPS,
    show_default=True,
    metavar="N",
    help="Stops of random games to look at.",
)
@seeded
@configured
@as_json
def command(
    specs: tuple[str, ...],
    stops: int,
    seed: int,
    players: int | None,
    settings: tuple[str, ...],
    json_: bool,
) -> int:
    """Look for anything that tells a seat what it cannot know.

    At every stop of random games what a seat cannot know is dealt anew. Its options, the reasons it
    is given, what it is shown and what it hears next must stay the same. A leak is shown as two
    situations side by side. Steps that tell something of hidden cards by intention are listed. The
    exit code is 1 if there is a leak.
    """
    entries: list[JsonEntry] = []
    leaking = False
    for one in all_loaded(specs, chosen(players, settings)):
        begun = perf_counter()
        with progress(one.game.name, stops) as tell:
            done = [0]

            def advance(now: int, done: list[int] = done) -> None:
                tell(now - done[0])
                done[0] = now

            found = find_leaks(one.game, stops=stops, seed=seed, progress=advance)
        leaking |= bool(found.found)
        if json_:
            entries.append(looked_entry(one.game, found, perf_counter() - begun))
        else:
            show_looked(one.game, found)
    if json_:
        say_json(entries)
    return FOUND if leaking else 0


# ---- for people


def show_looked(game: Instance, looked: Looked) -> None:
    """What was looked at, what tells something, and the leaks."""
    many = len(looked.found)
    kept = f"{many} leak{'s' if many > 1 else ''}" if many else "nothing leaks"
    say(
        f"{game.name}, {game.seats} players: {kept}; "
        f"{looked.stops} stops, {looked.worlds} other worlds"
    )
    if not looked.worlds:
        say("  no world differed from the table: nothing is hidden, or nothing was dealt")
    for telling in looked.tellings:
        said = "confirmed" if telling.confirmed else "not confirmed, write `discloses`"
        say(f"  tells of hidden cards: {telling.titles[0]} ({said})  {telling.node.span or ''}")
    for found in looked.found:
        say()
        _show_leak(game, found)


def _show_leak(game: Instance, found: Found) -> None:
    leak = found.leak
    say(f"leak: {leak.promise.words} ({leak.promise.number})")
    say(f"  {_who(game, leak)}: {leak.about}")
    moves = found.record.partition("\n\n")[2].splitlines()
    say("  the play" if moves else "  before the first move")
    for move in moves:
        say(f"    {move}")
    differing = _differing(leak)
    if differing:
        say("  two situations that look alike to it")
        rows = [("", "one", "the other"), *leak.sides, *differing]
        for line in aligned(rows, left=3):
            say(f"    {line}")


def _who(game: Instance, leak: Leak) -> str:
    return "the public" if leak.seat == game.seats else f"player {seat_text(leak.seat)}"


def _differing(leak: Leak) -> list[tuple[str, str, str]]:
    """The lines that differ, beside each other."""
    length = max(len(leak.here), len(leak.there))
    here = (*leak.here, *[""] * (length - len(leak.here)))
    there = (*leak.there, *[""] * (length - len(leak.there)))
    label = "is told" if leak.promise in (Promise.ALIKE, Promise.NEXT) else "is"
    return [(label, a, b) for a, b in zip(here, there, strict=True) if a != b]


# ---- for programs


def looked_entry(game: Instance, looked: Looked, seconds: float) -> JsonEntry:
    """What came of looking, as programs read it."""
    return {
        "name": game.name,
        "players": game.seats,
        "configuration": dict(game.configuration.pairs),
        "stops": looked.stops,
        "worlds": looked.worlds,
        "disclosures": [
            {
                "step": telling.titles[0],
                "place": str(telling.node.span) if telling.node.span else None,
                "confirmed": telling.confirmed,
            }
            for telling in looked.tellings
        ],
        "leaks": [_leak_entry(game, found) for found in looked.found],
        "seconds": round(seconds, 6),
        "machine": "interpreter",
    }


def _leak_entry(game: Instance, found: Found) -> JsonEntry:
    leak = found.leak
    return {
        "property": leak.promise.number,
        "message": leak.promise.words,
        "seat": None if leak.seat == game.seats else seat_text(leak.seat),
        "about": leak.about,
        "here": list(leak.here),
        "there": list(leak.there),
        "sides": [list(side) for side in leak.sides],
        "moves": len(found.moves),
        "record": found.record,
    }
