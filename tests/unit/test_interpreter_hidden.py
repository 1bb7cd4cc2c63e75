"""Chance: hidden cards get their kinds when somebody first sees them."""

import pytest

from compiler.graph.core import (
    Assign,
    Branch,
    Cond,
    Const,
    FaceTarget,
    FlagTarget,
    Flow,
    KnownTarget,
    Return,
    Term,
    Trigger,
)
from compiler.ops import lists, numbers
from compiler.types import BOOL, ListOf, Optional
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
from ruleengine.stops import Terminal
from ruleengine.table import UNRESOLVED
from tests.unit import tabletop as t
from tests.unit.dealt import SHUFFLE, at, back, draw, first, n, several, take
from tests.unit.tabletop import ASIDE, DECK, HAND_A, HAND_B, OPEN, ROW, A, line


def test_a_card_that_nobody_sees_stays_undecided() -> None:
    """Shuffled, and drawn face down into a row that nobody sees: no chance stop at all."""
    interpreter, table = at(SHUFFLE, draw(ROW), draw(ROW))

    assert isinstance(interpreter.advance(table), Terminal)
    assert t.words(interpreter, table, ROW) == ["?", "?"]
    assert table.pools == {DECK: [1, 1, 1, 1]}


def test_a_card_gets_its_kind_when_somebody_will_see_it() -> None:
    """Drawn into a hand, it is any of those left, twins weighing as many as they are."""
    interpreter, table = at(SHUFFLE, draw(HAND_A), draw(HAND_A), deck=(1, 1, 3))

    assert t.odds(interpreter.advance(table)) == {"1": 2, "3": 1}
    assert table.cells[HAND_A] == []
    take(interpreter, table, "1")
    assert t.odds(interpreter.advance(table)) == {"1": 1, "3": 1}
    assert t.words(interpreter, table, HAND_A) == ["1"]


def test_the_last_of_a_kind_needs_no_draw() -> None:
    """When only one kind is left, the next card is of that kind."""
    interpreter, table = at(SHUFFLE, draw(HAND_A), draw(HAND_A), draw(HAND_A), deck=(1, 3, 3))

    take(interpreter, table, "1")

    assert isinstance(interpreter.advance(table), Terminal)
    assert t.words(interpreter, table, HAND_A) == ["1", "3", "3"]
    assert table.pools == {}


def test_undecided_cards_elsewhere_settle_with_the_last_kind() -> None:
    """A card set aside unseen is a 3 as soon as only 3s are left; those in the deck stay open."""
    interpreter, table = at(SHUFFLE, draw(ASIDE), draw(HAND_A), deck=(1, 3, 3))

    take(interpreter, table, "1")
    interpreter.advance(table)

    assert t.words(interpreter, table, ASIDE) == ["3"]
    assert t.words(interpreter, table, DECK) == ["?"]
    assert table.pools == {DECK: [0, 1]}


def test_showing_and_turning_decide_what_is_shown() -> None:
    """A hidden card is decided when it is shown to a seat or turned up, not when nobody looks."""
    nobody = Assign(KnownTarget(), (t.all_of(ROW),), t.const((), ListOf(t.PLAYER)))
    look = Assign(KnownTarget(), (first(t.all_of(ROW)),), t.const((A,), ListOf(t.PLAYER)))
    turn = Assign(FaceTarget(), (t.all_of(ROW),), t.const(True))
    interpreter, table = at(SHUFFLE, draw(ROW), draw(ROW), nobody, look, turn, deck=(1, 2, 3))

    interpreter.advance(table)
    assert table.node == 4
    take(interpreter, table, "2")
    interpreter.advance(table)
    assert table.node == 5
    take(interpreter, table, "3")
    interpreter.advance(table)
    assert t.words(interpreter, table, ROW) == ["2", "3"]


def test_a_burned_card_is_not_shuffled_in_again() -> None:
    """A card burned unseen must be decided before seen cards join its deck in a new shuffle.

    Else the burned one could become a card that has just been seen.
    """
    interpreter, table = at(SHUFFLE, draw(ASIDE), draw(HAND_A), back(HAND_A), SHUFFLE, draw(HAND_B))

    take(interpreter, table, "1")
    hidden = t.odds(interpreter.advance(table))
    node = table.node
    take(interpreter, table, "2")

    assert (hidden, node) == ({"2": 1, "3": 1, "4": 1}, 4)
    assert t.odds(interpreter.advance(table)) == {"1": 1, "3": 1, "4": 1}
    assert t.words(interpreter, table, ASIDE) == ["2"]


def test_shuffling_what_is_shuffled_changes_nothing() -> None:
    """A deck of which nothing is known stays as it is, even with a card of it elsewhere."""
    interpreter, table = at(SHUFFLE, draw(ASIDE), SHUFFLE)

    assert isinstance(interpreter.advance(table), Terminal)
    assert table.pools == {DECK: [1, 1, 1, 1]}
    assert t.words(interpreter, table, ASIDE) == ["?"]


def test_a_shuffle_that_lies_open_is_seen_at_once() -> None:
    """A pile shuffled face up gets its kinds card by card, from the top."""
    turn = Assign(FaceTarget(), (t.all_of(DECK),), t.const(True))
    interpreter, table = at(turn, SHUFFLE, deck=(1, 2, 3))

    take(interpreter, table, "3")
    take(interpreter, table, "1")

    assert isinstance(interpreter.advance(table), Terminal)
    assert t.words(interpreter, table, DECK) == ["3", "1", "2"]


def test_sticky_flags_are_shuffled_with_their_cards() -> None:
    """Of two 1s one is bent; drawn after the shuffle it is the bent one half the time."""
    deck = t.cards(1, 1, sticky=("bent",))
    graph = t.graph(SHUFFLE, draw(HAND_A), deck=deck)
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    bent, _ = t.put(interpreter, table, DECK, "1", "1")
    table.flags[bent] = 1 << interpreter.statics.flag_bits["bent"]

    assert t.odds(interpreter.advance(table)) == {"1": 1, "1 bent": 1}
    take(interpreter, table, "1 bent")
    interpreter.advance(table)
    (drawn,) = table.cells[HAND_A]
    assert table.flags[drawn] == 1 << interpreter.statics.flag_bits["bent"]


def test_a_sticky_flag_comes_off_a_whole_pool_without_a_look() -> None:
    """Of two 1s and a 2 in a shuffled deck one 1 is bent; straightened, they are plain twins."""
    deck = t.cards(1, 1, 2, sticky=("bent",))
    off = t.const(False, BOOL)
    graph = t.graph(SHUFFLE, Assign(FlagTarget("bent"), (t.all_of(DECK),), off), deck=deck)
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    bent, *_ = t.put(interpreter, table, DECK, "1", "1", "2")
    table.flags[bent] = 1 << interpreter.statics.flag_bits["bent"]

    interpreter.advance(table)

    assert table.pools == {DECK: [2, 0, 1, 0]}
    assert {table.kind[card] for card in table.cells[DECK]} == {UNRESOLVED}


def test_a_sticky_flag_comes_off_some_cards_of_a_pool_after_a_look() -> None:
    """If only the top card is straightened, it is settled first which one that is."""
    deck = t.cards(1, 2, sticky=("bent",))
    off = t.const(False, BOOL)
    graph = t.graph(SHUFFLE, Assign(FlagTarget("bent"), (first(t.all_of(DECK)),), off), deck=deck)
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    bent, _ = t.put(interpreter, table, DECK, "1", "2")
    table.flags[bent] = 1 << interpreter.statics.flag_bits["bent"]

    assert t.odds(interpreter.advance(table)) == {"1 bent": 1, "2": 1}
    take(interpreter, table, "1 bent")
    interpreter.advance(table)
    assert not any(table.flags)


def test_who_may_look_now_decides_what_is_decided() -> None:
    """When a variable makes a hidden row visible to a seat, its cards get their kinds first."""
    sees = Cond(
        t.apply(lists.IS, t.read(n), t.const(1), type_=BOOL),
        t.const((A,), ListOf(t.PLAYER)),
        t.const((), ListOf(t.PLAYER)),
    )
    graph = t.graph(
        SHUFFLE,
        draw(ROW),
        Assign(n, (), t.const(1)),
        variables=(n,),
        places=t.with_viewers(ROW, sees),
        deck=t.cards(1, 2),
    )
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    t.put(interpreter, table, DECK, "1", "2")

    stop = interpreter.advance(table)

    assert t.odds(stop) == {"1": 1, "2": 1}
    assert (table.node, t.holds(interpreter, table, n)) == (2, None)
    take(interpreter, table, "2")
    interpreter.advance(table)
    assert t.words(interpreter, table, ROW) == ["2"]
    assert t.holds(interpreter, table, n) == 1


def test_a_rule_that_reads_a_face_decides_it_first() -> None:
    """A test on the top card, which nobody sees, is a hidden draw."""
    high = t.apply(numbers.MORE, t.value_of(first(t.all_of(DECK))), t.const(1), type_=BOOL)
    interpreter, table = at(SHUFFLE, Branch(high), deck=(1, 2))

    assert t.odds(interpreter.advance(table)) == {"1": 1, "2": 1}


def test_all_that_a_step_would_read_is_decided_in_place_order() -> None:
    """`the second is high and the first is high` decides the first one first."""

    def high(position: int) -> Term:
        item = t.apply(lists.ITEM, t.all_of(ROW), t.const(position), type_=Optional(t.CARD))
        return t.apply(numbers.MORE, t.value_of(item), t.const(2), type_=BOOL)

    both = Cond(high(2), high(1), Const(False))
    interpreter, table = at(SHUFFLE, draw(ROW), draw(ROW), Branch(both))

    interpreter.advance(table)
    take(interpreter, table, "1")

    assert t.words(interpreter, table, ROW) == ["1", "?"]


def test_counting_the_cards_of_a_kind_decides_them_all() -> None:
    """A rule that asks every hidden card of a row decides every one of them."""
    kept = t.values_of(t.all_of(ROW))
    interpreter, table = at(
        SHUFFLE, draw(ROW), draw(ROW), Assign(n, (), t.apply(lists.SUM, kept)), deck=(1, 2, 3)
    )

    take(interpreter, table, "3")
    take(interpreter, table, "1")
    interpreter.advance(table)

    assert t.holds(interpreter, table, n) == 4


def test_a_trigger_that_reads_a_face_decides_it_before_the_effect() -> None:
    """`whenever` the top card of a row is high: the card is decided before it is laid there."""
    high = t.apply(numbers.MORE, t.value_of(first(t.all_of(ROW))), t.const(1), type_=BOOL)
    interpreter, table = at(
        SHUFFLE,
        draw(ROW),
        t.END,
        line(Assign(n, (), t.const(1)), 4, phase="alarm"),
        line(Flow(Return()), phase="alarm"),
        deck=(1, 2),
        triggers=(Trigger(high, "alarm", "Alarm"),),
    )

    stop = interpreter.advance(table)

    assert (t.odds(stop), table.node, table.cells[ROW]) == ({"1": 1, "2": 1}, 1, [])
    take(interpreter, table, "2")
    assert isinstance(interpreter.advance(table), Terminal)
    assert t.holds(interpreter, table, n) == 1


def test_a_scripted_shuffle_comes_out_as_written() -> None:
    """The first cards of a shuffled deck can be named; the rest stays undecided."""
    interpreter, table = at(SHUFFLE, t.choose(A, t.option("go")), draw(OPEN), draw(OPEN))
    stop = t.decision(interpreter.advance(table))

    interpreter.script(table, DECK, (3, 0))
    interpreter.choose(table, stop.choices[0])
    interpreter.advance(table)

    assert t.words(interpreter, table, OPEN) == ["4", "1"]
    with pytest.raises(RuleError, match="none of them is"):
        interpreter.script(table, DECK, (3,))


def test_a_card_that_is_shuffled_away_is_lost_to_variables() -> None:
    """A variable that meant a card of the deck means none after the shuffle."""
    keep = Assign(several, (), t.all_of(DECK))
    count = Assign(n, (), t.apply(lists.COUNT, t.read(several)))
    interpreter, table = at(keep, draw(ROW), SHUFFLE, count)

    interpreter.advance(table)

    assert t.holds(interpreter, table, n) == 1
