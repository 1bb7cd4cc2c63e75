"""Graphs in words: a rule reads back as it was written."""

import re
from textwrap import dedent, indent

import pytest

from compiler.graph.core import Const, Graph
from compiler.graph.notation import term_text
from compiler.graph.text import graph_text, step_text
from compiler.graph.values import value_text
from compiler.types import BOOL, SQUARE, Enum, Int, ListOf, Player, SetOf, Token, Type
from tests.unit.lowered import graph_of, shipped

GAME = """\
rulebook words "Words"
    seats 2..4
enum suit: clubs C, hearts H
enum rank: pip, jack J, queen Q
param limit: 1..9 = 3 "Limit"
card playing "Cards"
    rank: rank
    suit: suit
    value: 0..9
    copies 2 where value in [1, 2]
    flag bent
    written value rank suit
kind court = all c in playing where c.rank in [jack, queen]
piece stone "Stones"
    owner: player
    copies 9
    written owner
zone deck: pile of playing, face down
zone hand per player: set of playing, face down, seen by holder
zone table: list of playing, flag tapped
board grid: 3 by 3 of one stone
var active: player
var score per player: -9..99 = 0
var passed: set of player = empty
var last: playing or none = none
die cup: 1..6
define total(p: player) = sum(c.value for c in hand[p])
start
    move all of playing to deck
    end draw
"""


def lowered(parameters: str, value: str) -> Graph:
    """The game with a define of that value."""
    return graph_of(f"{GAME}define asked({parameters}) = {value}\n")


def again(value: str, parameters: str = "p: player, x: playing, n: 0..9") -> str:
    """An expression, compiled and written again."""
    graph = lowered(parameters, value)
    function = next(function for function in graph.functions if function.name == "asked")
    return term_text(function.cases[0].value, graph)


@pytest.mark.parametrize(
    "value",
    [
        "n + 1",
        "n - (n - 1)",
        "n - n - 1",
        "(n + 1) * 2",
        "n * 2 + 1",
        "n mod 2 - n div 3",
        "-n",
        "-(n + 1)",
        "abs(n - 5)",
        "n * -1",
        "n < 3 and n > 1",
        "n is 1 or n is 2 and n is 3",
        "(n is 1 or n is 2) and n is not 3",
        "not n < 3",
        "not (n is 1 and n is 2)",
        "n in 1..3",
        "n not in 1..n",
        "n in [1, 5, n]",
        "if n is 1 then 2 else 3",
        "(if n is 1 then 2 else 3) + 1",
        "n is 1 or some c in hand[p]: c.value is n",
        "(some c in hand[p]: c.value is n) or n is 1",
        "n is 1 and (some c in hand[p]: c.value is n) and n is 2",
        "no c in hand[p]: c.value is n",
        "every c in hand[p]: c.value > n or c.rank is jack",
        "all c in hand[p] where c.value is n",
        "count(all c in deck where c.value is n) < 3",
        "count(hand[p]) < 3",
        "deck is empty and count(hand[p]) < 3",
        "deck is not empty",
        "sum(c.value for c in hand[p] where c.suit is hearts)",
        "max(c.value for c in hand[p])",
        "max([n, 3])",
        "same(c.suit for c in hand[p])",
        "count(distinct(c.suit for c in hand[p]))",
        "consecutive(c.value for c in table)",
        "arrange(c.value for c in table)",
        "most(c.value for c in hand[p])",
        "first(hand[p])",
        "top of deck",
        "(top of deck).value",
        "top 2 of deck",
        "top n + 1 of deck",
        "bottom n of table",
        "2 of hand[p]",
        "x in hand[p]",
        "x not in deck",
        "x in hand",
        "x in court",
        "x not in court",
        "x.holder is p",
        "x.position",
        "x.face_up and not x.bent",
        "x is last",
        "last is none",
        "score[p] - score[next(p)]",
        "next(p)",
        "p is A",
        "p.seat + 1",
        "p in passed",
        "passed is everyone",
        "hand[p] + table",
        "hand[p] - [x]",
        "playing",
        "court",
        "x.rank in [jack, queen]",
        "x.rank > pip",
        "grid[n, n + 1] is empty",
        "(top of grid[1, n]).owner is p",
        "squares(grid)",
        "some l in lines(grid, 3): every s in l: (top of s).owner is p",
        "count(neighbours(grid[1, 1]))",
        "column(grid, n)",
        "all s in squares(grid) where s.column is n",
        "(all of hand[p])[n]",
        "total(p) > 3",
        "[p, next(p)]",
        "cup is 6",
    ],
)
def test_a_rule_reads_back_as_it_was_written(value: str) -> None:
    """What the compiler made of a term is written in the words it was made of."""
    parameters = "p: player, x: playing, n: 1..3"
    assert again(value, parameters) == PLAIN.get(value, value)


PLAIN = {
    "count(all c in deck where c.value is n) < 3": "count(c for c in deck where c.value is n) < 3",
    "squares(grid)": "grid",
    "all s in squares(grid) where s.column is n": "all s in grid where s.column is n",
    "count(neighbours(grid[1, 1]))": "2",
    "(all of hand[p])[n]": "hand[p][n]",
}
"""What has a plainer form, is known before play, or leaves out what says nothing."""


@pytest.mark.parametrize(
    ("value", "type_", "expected"),
    [
        (None, Int(0, 3), "none"),
        (True, BOOL, "true"),
        (2, Player(4), "C"),
        (1, Enum("suit", ("clubs", "hearts")), "hearts"),
        ((0, 1), ListOf(Enum("suit", ("clubs", "hearts"))), "suit"),
        ((0, 1, 2), SetOf(Player(3)), "everyone"),
        ((), SetOf(Player(3)), "empty"),
        ((3, 4, 5), ListOf(Int(0, 9)), "3..5"),
        ((3, 5), ListOf(Int(0, 9)), "[3, 5]"),
        (7, Token("chip"), "a chip"),
        (7, SQUARE, "place 7"),
    ],
    ids=str,
)
def test_a_value_has_a_name(value: int | None, type_: Type, expected: str) -> None:
    """Seats are letters, members of enums and places have their names."""
    assert expected == value_text(value, type_)


def test_a_token_is_called_what_the_asker_calls_it() -> None:
    """From a handle alone nobody can tell which card is meant."""
    assert (
        value_text((4, 5), ListOf(Token("chip")), token=lambda handle: f"#{handle}") == "[#4, #5]"
    )


def test_a_family_of_places_has_its_name() -> None:
    """All hands together are `hand`, one of them is `hand[B]`."""
    graph = graph_of(GAME)
    hands = tuple(place.index for place in graph.places if place.zone == "hand")
    type_ = SetOf(SQUARE)

    assert [
        value_text(hands, type_, graph),
        value_text(hands[1:], type_, graph),
    ] == ["hand", "[hand[B]]"]


def test_a_constant_below_zero_stays_one_number() -> None:
    """`-3` is one value, not something taken from nothing."""
    assert term_text(Const(-3, type=Int(-3, -3))) == "-3"


def body(text: str, lines: str) -> str:
    """What a graph's text says of the nodes of the game's first phase."""
    graph = graph_of(text.replace("    end draw\n", indent(dedent(lines), "    ")))
    written = graph_text(graph).split("phase start", 1)[1]
    nodes = written.split("\n\nphase", 1)[0].splitlines()[1:]
    return dedent("\n".join(line for line in nodes if not line.startswith("    var ")))


def test_steps_are_written_with_their_ways() -> None:
    """Each node has its number, its step, where it leads, its title and its clauses."""
    lines = """\
        active = A
        shuffle deck
        move top 2 of deck to hand[active], face down
        roll cup
        if cup > limit "High?"
            flip top of table face down
            mark table tapped
        reveal top of deck
        show top of deck to active
        end winners [active]
        """

    assert body(GAME, lines) == dedent(
        """\
             0 move all of playing to deck  -> 1
             1 active = A  -> 2
             2 shuffle deck  -> 3
             3 move top 2 of deck to hand[active], face down, exactly 2  -> 4
             4 roll cup  -> 5
             5 cup > 3?  yes 6, no 8  "High?"
             6 flip top of table face down  -> 7
             7 mark all of table tapped  -> 8
             8 reveal top of deck  -> 9
             9 show top of deck to active  -> 10
            10 end winners [active]
            11 -> start"""
    )


def test_a_decision_is_written_with_its_options() -> None:
    """Under a decision stand its options with slots, guards, and where each leads."""
    lines = """\
        active may choose "Play?"
            play c in hand[active], to q in others(active) "Play a card"
                when count(hand[q]) < limit
                unless c.bent
                move c to table
            pass "Pass"
        end draw
        """

    assert body(GAME, lines) == dedent(
        """\
             0 move all of playing to deck  -> 1
             1 active may choose  "Play?"
                 play c in hand[active], to q in others(active)  -> 2  "Play a card"
                     when count(hand[q]) < 3
                     unless c.bent
                 pass  -> 3  "Pass"
                 decline  -> 3
             2 move c to table  -> 3
             3 end draw
             4 -> start"""
    )


@pytest.mark.parametrize("path", ["klink/klink.rules", "highjinks/highjinks.rules"])
def test_the_same_graph_has_the_same_text(path: str) -> None:
    """A text can be compared with one that was kept: nothing in it depends on the run."""
    graph = shipped(path, 3)

    assert graph_text(graph) == graph_text(graph)


def test_every_node_has_a_line() -> None:
    """Nothing of a graph is left out of its text."""
    graph = shipped("jinks/jinks.rules", 3)
    phases = graph_text(graph).split("phase start", 1)[1]
    written = [int(number) for number in re.findall(r"^ {1,5}(\d+) ", phases, re.MULTILINE)]

    assert sorted(written) == list(range(len(graph.nodes)))


def test_a_step_alone_can_be_written() -> None:
    """A step in words needs no graph text around it."""
    graph = graph_of(GAME)

    assert step_text(graph.nodes[0].step, graph) == "move all of playing to deck"
