"""A leak in words: whom something is told, the play, two situations side by side."""

from collections.abc import Iterator

from compiler.graph.values import seat_text
from ruleengine.game import Instance
from ruleengine.leaks.leak import Found, Leak, Promise
from ruleengine.leaks.search import Looked


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
    yield f"leak: {leak.promise.words} ({leak.promise.number})"
    yield f"  {_who(game, leak)}: {leak.about}"
    moves = found.record.partition("\n\n")[2].splitlines()
    yield "  the play" if moves else "  before the first move"
    yield from (f"    {move}" for move in moves)


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
    return [(label, a, b) for a, b in zip(here, there, strict=True) if a != b]
