"""`leaks`: whether anything depends on what a seat cannot know."""

from time import perf_counter
from typing import Final

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
from ruleengine.cli.screen import JsonEntry, aligned, announce, progress, say, say_json
from ruleengine.game import Instance
from ruleengine.leaks.leak import Found
from ruleengine.leaks.search import STOPS, Looked, find_leaks
from ruleengine.leaks.telling import alike, hides, kept, leak_lines, promised, sides

_CONFIRM: Final = 'not confirmed: if it is meant, write `discloses "{}"`'


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
    exit code is 1 if there is a leak, or
    if nothing could be compared though something is hidden.
    """
    entries: list[JsonEntry] = []
    leaking = False
    for one in all_loaded(specs, chosen(players, settings)):
        begun = perf_counter()
        announce(f"{one.game.name}: dealing anew what is hidden at {stops} stops ...")
        with progress(one.game.name, stops) as tell:
            done = [0]

            def advance(now: int, done: list[int] = done) -> None:
                tell(now - done[0])
                done[0] = now

            found = find_leaks(one.game, stops=stops, seed=seed, progress=advance)
        leaking |= bool(found.found) or untold(one.game, found)
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
    say(
        f"{game.name}, {game.seats} players: {kept(game, looked)}; "
        f"{looked.stops} stops, {looked.worlds} other worlds"
    )
    if untold(game, looked):
        say("  at no stop anything hidden could lie otherwise: look at more --stops")
    for telling in looked.tellings:
        said = "confirmed" if telling.confirmed else _CONFIRM.format(telling.titles[0])
        say(f"  tells of hidden cards: {telling.titles[0]} ({said})  {telling.node.span or ''}")
    for found in looked.found:
        say()
        for line in leak_lines(game, found):
            say(line)
        rows = sides(found.leak)
        if rows:
            say(alike(game, found.leak))
        for line in aligned(rows, left=3) if rows else ():
            say(f"    {line}")
        say(promised(found.leak))


def untold(game: Instance, looked: Looked) -> bool:
    """Whether nothing was compared though there is something to hide."""
    return not looked.found and not looked.worlds and hides(game)


# ---- for programs


def looked_entry(game: Instance, looked: Looked, seconds: float) -> JsonEntry:
    """What came of looking, as programs read it."""
    return {
        "name": game.name,
        "players": game.seats,
        "configuration": dict(game.configuration.pairs),
        "stops": looked.stops,
        "worlds": looked.worlds,
        "hidden": hides(game),
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
