"""What a machine finds in all situations of a game is what the interpreter finds."""

from pathlib import Path

import pytest

from ruleengine.game import Instance, load
from ruleengine.properties.looking import Looking
from ruleengine.properties.promises import Promises
from ruleengine.properties.sweep import Sweep, Swept
from ruleengine.properties.vast import Vast
from tests.engine.games import COUNTER, ENDLESS, STUCK, UNFAIR, written

CLAIMS = """rulebook claims "What may come, and what does not"
    seats 2..2
var left: 0..9 = 7
var mover: player = A
start
    repeat
        mover chooses n in 1..3 "How many?"
            when n <= left
        left = left - n
        if left is 0 "All gone?"
            end winners [mover]
        mover = next(mover)
claim "Three are left"
    possible left is 3
claim "Nine are left"
    possible left is 9
"""

BROKEN = """rulebook broken "An invariant that a few moves break"
    seats 2..2
var left: 0..9 = 7
var mover: player = A
start
    repeat
        mover chooses n in 1..3 "How many?"
            when n <= left
        left = left - n
        if left is 0 "All gone?"
            end winners [mover]
        mover = next(mover)
invariant "Never exactly two"
    left is not 2
"""

NO_END = """rulebook noend "A way that never ends"
    seats 2..2
var stuck: 0..1 = 0
start
    A chooses "Which way?"
        out "Out"
            end winners [A]
        more "On"
            stuck = 1
    repeat
        A chooses "Again?"
            again "Again"
                stuck = 1
    until stuck is 0
    end winners [B]
"""


def both(game: Instance) -> tuple[Swept, Swept]:
    """What a machine finds, and what the interpreter finds."""
    lawful = Looking.of(game).lawful
    found = Vast(game, lawful, Promises.of(game, plays=False), 2_000).run()
    assert isinstance(found, Swept)
    return found, Sweep(game, lawful, Promises.of(game, plays=False), 2_000).run()


@pytest.mark.parametrize("text", [COUNTER, ENDLESS, STUCK, UNFAIR, BROKEN, CLAIMS, NO_END])
def test_what_is_found(tmp_path: Path, text: str) -> None:
    """Both find the same faults, each after the fewest moves, and the same claims met.

    Behind a broken invariant only the interpreter goes on.
    """
    ours, theirs = both(load(written(tmp_path, text)))
    found = [(broken.title, way) for broken, way in ours.broken]

    assert ours.complete == theirs.complete
    assert bool(ours.broken) or ours.states >= theirs.states  # what invariants read is kept
    assert found == [(broken.title, way) for broken, way in theirs.broken][: len(found)]
    assert bool(found) == bool(theirs.broken)
    assert [(claim.title, way) for claim, way in ours.met] == [
        (claim.title, way) for claim, way in theirs.met
    ]


@pytest.mark.parametrize("spec", ["kuhn"])
def test_shipped_games(spec: str) -> None:
    """Nothing is wrong with games that are gone through whole."""
    ours, theirs = both(load(spec))

    assert ours == theirs
    assert (ours.complete, ours.broken) == (True, ())
