"""A leak in words: whom something is told, the play, two situations side by side."""

from collections.abc import Iterator
from typing import Final

from compiler.graph.values import seat_text
from ruleengine.game import Instance
from ruleengine.leaks.leak import Found, Leak, Promise
from ruleengine.leaks.search import Looked

_BY_RULES: Final = frozenset({Promise.ALIKE, Promise.NEXT, Promise.OPTIONS})  # the others are ours


def hides(game: Instance) -> bool:
    """Whether there is anything in a game that somebody may not see."""
    secret = any(
        reader is not None for variable in game.graph.variables for reader in variable.readers
    )
    return secret or any(game.compiled.lying.unseen)


def kept(game: Instance, looked: Looked) -> str:
    """What came of looking, in a few words."""
    many = len(looked.found)
    if many:
        return f"{many} leak{'s' if many > 1 else ''}"
    if looked.worlds:
        return "nothing leaks"
    return "nothing was compared" if hides(game) else "nothing is hidden"


def leak_lines(game: Instance, found: Found) -> Iterator[str]:
    """A leak, whom it concerns, and the play that leads there."""
    leak = found.leak
    yield f"leak: {said(game, leak)}"
    moves = found.record.partition("\n\n")[2].splitlines()
    yield "  the play" if moves else "  before the first move"
    yield from (f"    {move}" for move in moves)


def said(game: Instance, leak: Leak) -> str:
    """A leak in a sentence: who can tell something and by what, or what the engine does wrong."""
    who = _who(game, leak)
    if leak.promise in _BY_RULES:
        return f"{who} can tell what is hidden by {leak.about}"
    return f"the engine breaks its word to {who}, about {leak.about}"


def promised(leak: Leak) -> str:
    """The promise that is broken, as the page on hidden information calls it."""
    return f"  promised in every game: {leak.promise.words} ({leak.promise.number})"


def alike(game: Instance, leak: Leak) -> str:
    """What is said above two situations beside each other."""
    return f"  two situations that {_who(game, leak)} cannot tell apart but by this"


def sides(leak: Leak) -> tuple[tuple[str, str, str], ...]:
    """What differs between two situations that look alike to whom something is told: the place, or
    what is said, and both contents; nothing if it does not differ."""
    differing = _differing(leak)
    return (("", "one", "the other"), *leak.sides, *differing) if differing else ()


def _who(game: Instance, leak: Leak) -> str:
    return "the public" if leak.seat == game.seats else f"player {seat_text(leak.seat)}"


def _differing(leak: Leak) -> list[tuple[str, str, str]]:
    """The lines that differ, beside each other."""
    length = max(len(leak.here), len(leak.there))
    here = (*leak.here, *[""] * (length - len(leak.here)))
    there = (*leak.there, *[""] * (length - len(leak.there)))
    label = "is told" if leak.promise in (Promise.ALIKE, Promise.NEXT) else "is"
    if leak.promise is Promise.NEXT:
        label = f"{seat_text(leak.seat)} hears"
    return [(label, a, b) for a, b in zip(here, there, strict=True) if a != b]
