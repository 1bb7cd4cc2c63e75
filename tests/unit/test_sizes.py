"""How many cards the variables of a game can hold is told from its rules."""

from pathlib import Path

from compiler.analysis.liveness import liveness
from compiler.analysis.sizes import most_members
from compiler.lir.exploring.form import KeyForm
from compiler.lir.stepwise.plan import plan_of
from ruleengine.game import load
from tests.engine.games import written

PAIRS = """rulebook pairs "Two of a hand, in some order"
    seats 2..2
enum suit: red, blue
card plain "Cards"
    suit: suit
    copies 5
    written suit
zone hand per player: set of plain, seen by holder
zone middle: set of plain
var shown: set of plain = empty
var more: set of plain = empty
start
    repeat
        A chooses "Show or end"
            show two in 2 of hand[A] "Two cards"
                shown = two
                more = more + two
            out "Out"
                end draw
"""


def test_sets_are_bounded_by_what_is_chosen(tmp_path: Path) -> None:
    """A set of two chosen cards has two; one that is added to again and again has no bound."""
    graph = load(written(tmp_path, PAIRS)).graph
    found = {variable.name: many for variable, many in most_members(graph).items()}

    assert (found["shown"], found["two"], "more" in found) == (2, 2, False)


DICE = """rulebook dice "A die with pictures of sizes"
    seats 2..2
enum size: small, large
die faces: [[small], [small, large]]
start
    roll faces
    end winners all p in players where large in faces
"""


def test_dice_show_as_much_as_their_largest_face(tmp_path: Path) -> None:
    """A die with lists on its faces holds as many as the longest has."""
    graph = load(written(tmp_path, DICE)).graph

    found = {variable.name: many for variable, many in most_members(graph).items()}

    assert found["faces"] == 2


def test_states_of_high_jinks_are_small() -> None:
    """A situation of four players takes less than 512 bytes, with 108 cards."""
    game = load("highjinks", 4)
    form = KeyForm(plan_of(game.graph, liveness(game.graph)), game.compiled.layout)

    assert form.size == 488
