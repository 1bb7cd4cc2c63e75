"""What is shown to be the same game though it is written otherwise, and what must not be."""

from pathlib import Path

import pytest

from compiler.analysis.sameness.proof import Open, Side, unproved
from compiler.config import Configuration
from compiler.graph.notation import term_text
from compiler.pipeline import Compiled, Spec
from ruleengine.game import open_spec

GAME = """rulebook same "The same, or not"
    seats 2..2
card number
    value: 1..3
    copies 2
    written value
zone deck: pile of number, face down
zone hand per player: set of number, face down, seen by holder
zone gone: set of number, face up
zone shelf: list of number, face up
zone spot: list of number, face up, holds 1
var mover: player
var taken: 0..9 = 0
var last_taken: 0..9 = 0
var unread: 0..9 = 0
var noticed: 0..9 = 0
var best: set of player = empty
define spread(cards: set of number) =
    some v in 1..3: count(c for c in cards where c.value is v) >= 2
define missing(cards: set of number) =
    count(all v in 1..3 where every c in cards: c.value is not v)
define in_order(cards: set of number) =
    every v in 1..2: some w in v..v + 1: some c in cards: c.value is w
define parts(n: 0..9) = some v in 1..3: n mod (v + n) is n + 1

start
    move all of number to deck
    shuffle deck
    taken = 0
    unread = 1
    noticed = 2
    for p in players
        move top of deck to hand[p], face down
    do tidy
    mover = A
    repeat
        mover chooses c in hand[mover] "Which?"
            when c.value < 4
            when taken < 3
            otherwise "None"
                end draw
        taken += 1
        last_taken = c.value
        move c to gone
        move top of deck to spot, face up
        move first(spot) to gone
        best = [mover]
        if count(best) is 1 "One?"
            mover = first(best)
        if taken <= 2 and taken > 1 "Twice?"
            mover = next(mover)
        if last_taken > 2 "Three?"
            end winners [mover]
        if parts(taken) or spread(gone) and missing(gone) is 1 and in_order(gone) "Two sorts?"
            end winners [next(mover)]

phase tidy "Tidy up"
    for p in players
        move top of deck to gone, or fewer
        move hand[p] to hand[p]
    shuffle deck

invariant "It is noticed"
    noticed < 9
"""

SAME = [
    ("`c.value < 4` is always so", "c.value < 4", "c.value < 9"),
    ("no test is needed where it is always so", "            when c.value < 4\n", ""),
    ("`at most 2` is `less than 3`", "taken <= 2", "taken < 3"),
    ("what is never read", "unread = 1", "unread = 2"),
    ("what is given a value before it is read", "taken: 0..9 = 0", "taken: 0..9 = 5"),
    ("one card has one end", "first(spot)", "last(spot)"),
    ("a list that was counted to be one", "mover = first(best)", "mover = last(best)"),
    (
        "effects that have nothing to do with each other",
        "        taken += 1\n        last_taken = c.value\n",
        "        last_taken = c.value\n        taken += 1\n",
    ),
    (
        "a card is moved, and something is counted",
        "        last_taken = c.value\n        move c to gone\n",
        "        move c to gone\n        last_taken = c.value\n",
    ),
    ("a phase that asks nobody", "    do tidy\n    mover = A\n", "    mover = A\n    do tidy\n"),
    ("no card has that value", "in 1..3: count", "in 0..3: count"),
    ("nor that one", "in 1..3: count", "in 1..9: count"),
    ("a set has no bottom", "move c to gone", "move c to gone, bottom"),
    ("the side is said where the place has it", "move c to gone", "move c to gone, face up"),
]

ANOTHER = [
    ("a card has that value", "in 1..3: count", "in 2..3: count"),
    ("no card has it, and that is asked for", "all v in 1..3 where", "all v in 0..3 where"),
    ("nothing can be shared out among nobody", "some v in 1..3: n mod", "some v in 0..3: n mod"),
    ("every one must be there", "every v in 1..2:", "every v in 1..4:"),
    ("the highest card is not taken", "c.value < 4", "c.value < 3"),
    ("the third time counts", "taken <= 2", "taken <= 3"),
    ("what an invariant asks for", "noticed = 2", "noticed = 3"),
    ("another may take the last", "mover = first(best)", "mover = next(first(best))"),
    (
        "cards of one pile, one after the other",
        "        move c to gone\n        move top of deck to spot, face up\n",
        "        move top of deck to spot, face up\n        move c to shelf\n",
    ),
    (
        "what is read is changed before",
        "        best = [mover]\n        if count(best) is 1",
        "        best = players\n        if count(best) is 1",
    ),
    (
        "what is taken away comes later",
        "        move top of deck to spot, face up\n        move first(spot) to gone\n",
        "        move first(spot) to gone\n        move top of deck to spot, face up\n",
    ),
    ("a side that everybody sees", "move c to gone", "move c to gone, face down"),
    ("who may look", "seen by holder", "seen by everyone"),
]


def _open(folder: Path, before: str, after: str) -> tuple[Compiled, Open | None]:
    """The game, and where it is not shown to be the same with something else written."""
    made = []
    for name, text in (("old", GAME), ("new", GAME.replace(before, after))):
        path = folder / f"{name}.rules"
        path.write_text(text, encoding="utf-8")
        spec = open_spec(str(path))
        assert isinstance(spec, Spec), spec
        game = spec.instantiate(Configuration(2))
        assert isinstance(game, Compiled), game
        made.append(game)
    old, new = made
    return old, unproved(Side.of(old.graph, old.lying), Side.of(new.graph, new.lying))


@pytest.mark.parametrize(("before", "after"), [row[1:] for row in SAME], ids=[r[0] for r in SAME])
def test_it_is_the_same_game(tmp_path: Path, before: str, after: str) -> None:
    """It makes no difference to what is asked, drawn or shown."""
    assert before in GAME
    assert _open(tmp_path, before, after)[1] is None


@pytest.mark.parametrize(
    ("before", "after"), [row[1:] for row in ANOTHER], ids=[r[0] for r in ANOTHER]
)
def test_it_is_another_game(tmp_path: Path, before: str, after: str) -> None:
    """Nothing is said to be the same that is not."""
    assert before in GAME
    assert _open(tmp_path, before, after)[1] is not None


def test_the_value_that_makes_a_difference_is_told(tmp_path: Path) -> None:
    """Two tests that differ for one value name it."""
    game, left = _open(tmp_path, "last_taken > 2", "last_taken > 1")
    assert left is not None
    assert left.telling is not None

    assert term_text(left.telling.term, game.graph) == "last_taken"
    assert left.telling.values == (2,)
