"""Moves and the checks that every machine makes."""

import pytest
from attrs import evolve

from compiler.graph.core import (
    Assign,
    Contents,
    FaceTarget,
    FlagTarget,
    Graph,
    Move,
    PositionOf,
    Read,
    Step,
    Term,
    Variable,
)
from compiler.ops import lists, numbers
from compiler.source import SourceFile
from compiler.types import Int, ListOf, Optional, SetOf, Token
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
from ruleengine.table import Table
from tests.unit import tabletop as t
from tests.unit.tabletop import ASIDE, BAG, DECK, HAND_A, OPEN, ROW, SPOT

n = t.number("n", high=9)


def first(tokens: Term) -> Term:
    """The first of some tokens."""
    return t.apply(lists.FIRST, tokens, type_=Optional(t.CARD))


def take(count: int, tokens: Term) -> Term:
    """The first few of some tokens."""
    return t.apply(lists.TAKE, t.const(count), tokens, type_=ListOf(t.CARD))


def played(graph: Graph, start: int = DECK) -> tuple[Interpreter, Table]:
    """A table with a deck of 1, 2, 3, 4 (1 on top) after a game without stops."""
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    t.put(interpreter, table, start, "1", "2", "3", "4")
    interpreter.advance(table)
    return interpreter, table


def refused(*steps: Step, variables: tuple[Variable, ...] = ()) -> str:
    """What is said of a game that goes wrong."""
    with pytest.raises(RuleError) as error:
        played(t.graph(*steps, variables=variables))
    return error.value.message


# ---- order


def test_a_block_lands_on_a_pile_as_it_stood() -> None:
    """Two cards moved from the top of one pile to another keep their order, on top."""
    interpreter, table = played(
        t.graph(
            Move(take(1, t.all_of(DECK)), t.place(ROW)),
            Move(take(2, t.all_of(DECK)), t.place(ROW)),
            Move(t.all_of(ROW), t.place(DECK)),
        )
    )

    assert t.words(interpreter, table, DECK) == ["1", "2", "3", "4"]


def test_the_bottom_of_a_pile_takes_a_block_below() -> None:
    """The top card moved to the bottom is the last of its pile."""
    move = Move(first(t.all_of(DECK)), t.place(DECK), at_bottom=True)

    interpreter, table = played(t.graph(move))

    assert t.words(interpreter, table, DECK) == ["2", "3", "4", "1"]


def test_a_list_takes_arrivals_last() -> None:
    """Cards that come one after the other to a list lie in the order they came."""
    one = Move(first(t.all_of(DECK)), t.place(ROW))

    interpreter, table = played(t.graph(one, one, one))

    assert t.words(interpreter, table, ROW) == ["1", "2", "3"]


def test_a_position_counts_from_one_and_a_set_has_none() -> None:
    """The third card of a list is at 3; in a set a card is nowhere in particular."""
    third = t.apply(lists.ITEM, t.all_of(ROW), t.const(3), type_=Optional(t.CARD))
    at = Variable("at", Optional(Int(0, 9)), initial=0)
    inside = Variable("inside", Optional(Int(0, 9)), initial=0)
    interpreter, table = played(
        t.graph(
            Assign(at, (), Read(PositionOf(), (third,))),
            Move(third, t.place(OPEN)),
            Assign(inside, (), Read(PositionOf(), (first(t.all_of(OPEN)),))),
            variables=(at, inside),
        ),
        ROW,
    )

    assert t.holds(interpreter, table, at) == 3
    assert t.holds(interpreter, table, inside) is None


def test_a_set_is_listed_by_kind_whatever_came_first() -> None:
    """Cards laid into a set as 3, 1, 2 are listed 1, 2, 3."""
    order = Variable("order", ListOf(t.CARD), initial=())
    graph = t.graph(
        Assign(order, (), t.all_of(OPEN)),
        Assign(n, (), t.value_of(first(t.read(order)))),
        variables=(order, n),
    )
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    t.put(interpreter, table, OPEN, "3", "1", "2")

    interpreter.advance(table)

    listed = t.holds(interpreter, table, order)
    assert isinstance(listed, tuple)
    assert [table.kind[token] for token in listed if isinstance(token, int)] == [0, 1, 2]
    assert t.holds(interpreter, table, n) == 1


# ---- faces and flags


def test_a_card_lies_as_its_place_or_the_move_says() -> None:
    """Down in the deck, up in the open; `face up` in a move goes before the place's rule."""
    _, table = played(
        t.graph(
            Move(first(t.all_of(DECK)), t.place(OPEN)),
            Move(first(t.all_of(DECK)), t.place(ASIDE)),
            Move(first(t.all_of(DECK)), t.place(ROW), face_up=True),
        )
    )

    faces = {where: [table.face[c] for c in table.cells[where]] for where in (OPEN, ASIDE, ROW)}
    assert faces == {OPEN: [True], ASIDE: [False], ROW: [True]}


def test_a_flag_of_a_place_is_cleared_when_the_card_leaves() -> None:
    """A tapped card that comes back is not tapped; a sticky flag stays on."""
    cards = t.cards(1, 2, 3, 4, sticky=("bent",))
    yes = t.const(True)
    interpreter, table = played(
        t.graph(
            Move(first(t.all_of(DECK)), t.place(OPEN)),
            Assign(FlagTarget("tapped"), (t.all_of(OPEN),), yes),
            Assign(FlagTarget("bent"), (t.all_of(OPEN),), yes),
            Move(t.all_of(OPEN), t.place(OPEN)),
            Move(t.all_of(OPEN), t.place(SPOT)),
            deck=cards,
        )
    )

    (card,) = table.cells[SPOT]
    assert table.flags[card] == 1 << interpreter.statics.flag_bits["bent"]


def test_a_flag_belongs_to_places_that_have_it() -> None:
    """A card cannot be tapped where nothing is."""
    step = Assign(FlagTarget("tapped"), (t.all_of(DECK),), t.const(True))
    move = Move(first(t.all_of(DECK)), t.place(OPEN))
    tap = Assign(FlagTarget("tapped"), (t.all_of(OPEN),), t.const(True))

    assert refused(step) == "deck has no flag `tapped`"
    _, table = played(t.graph(move, tap))
    assert [table.flags[card] for card in table.cells[OPEN]] == [1]


def test_a_piece_has_no_hidden_face() -> None:
    """Only cards can be turned down."""
    pieces = Read(Contents(), (t.place(BAG),), type=SetOf(Token("piece")))
    graph = t.graph(Assign(FaceTarget(), (pieces,), t.const(False)))
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    t.put(interpreter, table, BAG, "P")

    with pytest.raises(RuleError, match="a piece has no face"):
        interpreter.advance(table)


# ---- checks


def test_a_number_must_stay_within_its_bounds() -> None:
    """Ten does not fit where at most nine may be."""
    ten = t.apply(numbers.ADD, t.const(9), t.const(1))

    assert refused(Assign(n, (), ten), variables=(n,)) == "`n`: 10 is not 0..9"


def test_none_is_no_number() -> None:
    """The value of a card that is not there cannot be kept as a number, nor added."""
    missing = t.value_of(first(t.all_of(HAND_A)))

    assert refused(Assign(n, (), missing), variables=(n,)) == "`n`: `none` is not 0..9"
    more = t.apply(numbers.ADD, missing, t.const(1))
    assert refused(Assign(n, (), more), variables=(n,)) == "`none` where a number must be"


def test_a_division_by_zero_is_an_error_of_the_rules() -> None:
    """Dividing by 0 names the step it happened at."""
    graph = t.graph(Assign(n, (), t.apply(numbers.DIVIDE, t.const(1), t.const(0))), variables=(n,))

    with pytest.raises(RuleError, match=r"division by 0 \(phase start, node 0\)"):
        played(graph)


def test_an_error_of_the_rules_says_which_line() -> None:
    """Where the step is written is told as people find it: by file and line."""
    where = SourceFile("sum.rules", "start\n    n = 1 div 0\n").span(10, 21)
    graph = t.graph(Assign(n, (), t.apply(numbers.DIVIDE, t.const(1), t.const(0))), variables=(n,))
    written = evolve(graph, nodes=tuple(evolve(node, span=where) for node in graph.nodes))

    with pytest.raises(RuleError, match=r"division by 0 \(phase start, sum\.rules:2:5\)"):
        played(written)


def test_a_move_must_find_what_it_asks_for() -> None:
    """Five cards cannot be drawn from four; up to five can."""
    five = take(5, t.all_of(DECK))

    message = refused(Move(five, t.place(ROW), count=t.const(5)))
    _, table = played(t.graph(Move(five, t.place(ROW))))

    assert message == "5 tokens are to be moved, but there are only 4"
    assert len(table.cells[ROW]) == 4


def test_there_must_be_a_token_to_move() -> None:
    """The top card of an empty place cannot be moved; all of its cards can."""
    assert refused(Move(first(t.all_of(HAND_A)), t.place(ROW))) == "`none` where a token must be"
    played(t.graph(Move(t.all_of(HAND_A), t.place(ROW))))


def test_a_place_holds_no_more_than_it_may() -> None:
    """A single place takes one card; a card that lies there may be laid there again."""
    one = Move(first(t.all_of(DECK)), t.place(SPOT))

    assert refused(one, one) == "spot holds no more than 1"
    played(t.graph(one, Move(t.all_of(SPOT), t.place(SPOT))))


def test_a_place_takes_only_its_class_and_kinds() -> None:
    """A card does not go into the bag of pieces, nor a 1 where only 2s may lie."""
    assert refused(Move(first(t.all_of(DECK)), t.place(BAG))) == "bag takes only piece"

    places = tuple(evolve(each, kinds=(1,)) if each.index == SPOT else each for each in t.PLACES)
    with pytest.raises(RuleError, match="spot does not take a token of this kind"):
        played(t.graph(Move(first(t.all_of(DECK)), t.place(SPOT)), places=places))


def test_a_stored_list_has_each_element_once() -> None:
    """A list that names a number twice cannot be kept; as a set it is kept in order."""
    listed = Variable("listed", ListOf(Int(0, 9)), initial=())
    kept = Variable("kept", SetOf(Int(0, 9)), initial=())
    twice = t.const((3, 1, 3), ListOf(Int(0, 9)))

    message = refused(Assign(listed, (), twice), variables=(listed,))
    interpreter, table = played(t.graph(Assign(kept, (), twice), variables=(kept,)))

    assert message == "`listed`: a stored list has each element once"
    assert t.holds(interpreter, table, kept) == (1, 3)


def test_a_set_of_cards_is_read_in_the_order_they_lie_in_now() -> None:
    """Cards kept as a set are listed by place, whatever order they were given in."""
    kept = Variable("kept", SetOf(t.CARD), initial=())
    seen = Variable("seen", ListOf(t.CARD), initial=())
    graph = t.graph(
        Assign(kept, (), t.all_of(DECK)),
        Move(first(t.all_of(DECK)), t.place(DECK), at_bottom=True),
        Assign(seen, (), t.read(kept)),
        variables=(kept, seen),
    )

    interpreter, table = played(graph)

    assert t.holds(interpreter, table, seen) == tuple(table.cells[DECK])
