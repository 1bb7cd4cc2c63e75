"""Chance: exact odds, and hidden cards that get their kinds when somebody first sees them."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from compiler.graph.core import (
    Assign,
    Blind,
    Bound,
    Branch,
    Chance,
    Cond,
    Const,
    Domain,
    DomainMode,
    FaceTarget,
    FlagTarget,
    Flow,
    KnownTarget,
    Move,
    Pick,
    Return,
    Roll,
    Shuffle,
    Step,
    Term,
    Trigger,
    Variable,
)
from compiler.ops import lists, numbers
from compiler.types import BOOL, ListOf, Optional
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
from ruleengine.stops import Decision, JointDecision, Terminal
from ruleengine.table import UNRESOLVED, Table
from tests.unit import tabletop as t
from tests.unit.tabletop import ASIDE, DECK, HAND_A, HAND_B, OPEN, ROW, A, B, line

n, m = t.number("n", None), t.number("m", None)
card = Variable("card", Optional(t.CARD))
several = Variable("several", t.CARDS, initial=())
SHUFFLE = Chance(Shuffle(t.place(DECK)))
LOCAL: dict[str, tuple[Variable, ...]] = {"start": (card, several)}


def first(tokens: Term) -> Term:
    """The first of some tokens."""
    return t.apply(lists.FIRST, tokens, type_=Optional(t.CARD))


def draw(where: int) -> Move:
    """Moves the top card of the deck."""
    return Move(first(t.all_of(DECK)), t.place(where))


def at(
    *steps: t.Line | Step,
    deck: tuple[int, ...] = (1, 2, 3, 4),
    eager: bool = False,
    variables: tuple[Variable, ...] = (n, m),
    triggers: tuple[Trigger, ...] = (),
) -> tuple[Interpreter, Table]:
    """A table with all cards in the deck, as listed, at the beginning."""
    graph = t.graph(
        *steps, deck=t.cards(*deck), variables=variables, local=LOCAL, triggers=triggers
    )
    interpreter = Interpreter.of(graph, eager=eager)
    table = interpreter.start()
    t.put(interpreter, table, DECK, *map(str, deck))
    return interpreter, table


def take(interpreter: Interpreter, table: Table, label: str) -> None:
    """Runs to a chance stop and lets it come out so."""
    stop = t.chance(interpreter.advance(table))
    (outcome,) = [each for each in stop.outcomes if each.label == label]
    interpreter.draw(table, outcome)


# ---- dice and picks


def test_dice_are_thrown_together() -> None:
    """Two dice have 36 results of equal weight; both variables hold what came up."""
    faces = tuple(range(1, 7))
    interpreter, table = at(Chance(Roll(((n, (), faces), (m, (), faces)))))

    stop = t.chance(interpreter.advance(table))

    assert (len(stop.outcomes), stop.outcomes.total) == (36, 36)
    assert [stop.outcomes[at].label for at in (0, 1, 35)] == ["1, 1", "1, 2", "6, 6"]
    interpreter.draw(table, stop.outcomes[1])
    assert isinstance(interpreter.advance(table), Terminal)
    assert (t.holds(interpreter, table, n), t.holds(interpreter, table, m)) == (1, 2)


def test_equal_faces_are_one_result() -> None:
    """A die with two 1s and one 5 shows 1 twice as often."""
    interpreter, table = at(Chance(Roll(((n, (), (1, 1, 5)),))))

    assert t.odds(interpreter.advance(table)) == {"1": 2, "5": 1}


def test_a_number_draws_the_outcome_at_its_place() -> None:
    """Numbers 0 to below the total give each outcome as often as it weighs, in order."""
    faces = (1, 1, 5)
    interpreter, table = at(Chance(Roll(((n, (), faces), (m, (), faces)))))
    outcomes = t.chance(interpreter.advance(table)).outcomes

    drawn = [outcomes.drawn(number).label for number in range(outcomes.total)]

    assert drawn == [each.label for each in outcomes for _ in range(each.weight)]


def test_one_result_is_no_stop() -> None:
    """A die with one face is thrown without asking."""
    interpreter, table = at(Chance(Roll(((n, (), (4,)),))))

    assert isinstance(interpreter.advance(table), Terminal)
    assert t.holds(interpreter, table, n) == 4


def test_a_pick_takes_what_passes() -> None:
    """Of 1 to 6, the even numbers are equally likely."""
    x = Bound("x", 0, type=t.NUMBER)
    even = t.apply(lists.IS, t.apply(numbers.MODULO, x, t.const(2)), t.const(0), type_=BOOL)
    domain = Domain(DomainMode.MEMBERS, t.const(tuple(range(1, 7)), ListOf(t.NUMBER)))
    interpreter, table = at(Chance(Pick(n, (), domain, even, x)))

    assert t.odds(interpreter.advance(table)) == {"2": 1, "4": 1, "6": 1}


def test_twins_weigh_as_many_as_they_are() -> None:
    """A card picked from an open 1, 1, 1, 3 is a 1 three times in four."""
    domain = Domain(DomainMode.MEMBERS, t.all_of(OPEN))
    interpreter, table = at(
        Move(t.all_of(DECK), t.place(OPEN)), Chance(Pick(card, (), domain)), deck=(1, 1, 1, 3)
    )

    assert t.odds(interpreter.advance(table)) == {"1": 3, "3": 1}


def test_two_picked_at_once_are_a_set() -> None:
    """Two of 1, 1, 3 are both 1s once in three times."""
    domain = Domain(DomainMode.SUBSETS, t.all_of(OPEN), t.const(2), t.const(2))
    interpreter, table = at(
        Move(t.all_of(DECK), t.place(OPEN)), Chance(Pick(several, (), domain)), deck=(1, 1, 3)
    )

    assert t.odds(interpreter.advance(table)) == {"1, 1": 1, "1, 3": 2}


def test_there_must_be_something_to_pick() -> None:
    """A pick from nothing is an error of the rules."""
    domain = Domain(DomainMode.MEMBERS, t.all_of(OPEN))
    interpreter, table = at(Chance(Pick(card, (), domain)))

    with pytest.raises(RuleError, match="there is nothing to pick from"):
        interpreter.advance(table)


# ---- hidden cards


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


def back(where: int) -> Move:
    """Puts all cards of a place back onto the deck."""
    return Move(t.all_of(where), t.place(DECK))


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


# ---- blind takes


def test_a_card_taken_blindly_is_any_of_the_hand() -> None:
    """From another's 1, 1, 3 a card is taken: a 1 two times in three."""
    choose = t.choose(A, t.option("steal", t.slot(card, t.all_of(HAND_B))))
    settle = Chance(Blind(card, (), t.const(A, t.PLAYER)))
    interpreter, table = at(
        Move(t.all_of(DECK), t.place(HAND_B)),
        choose,
        settle,
        Move(t.read(card), t.place(HAND_A)),
        deck=(1, 1, 3),
    )
    stop = t.decision(interpreter.advance(table))
    interpreter.choose(table, stop.choices[0])

    assert t.odds(interpreter.advance(table)) == {"1": 2, "3": 1}
    take(interpreter, table, "3")
    interpreter.advance(table)
    assert t.words(interpreter, table, HAND_A) == ["3"]


def test_several_taken_blindly_are_a_random_set() -> None:
    """Two of another's 1, 1, 3: both 1s once in three times."""
    pair = t.slot(several, t.all_of(HAND_B), DomainMode.SUBSETS, low=2, high=2)
    settle = Chance(Blind(several, (), t.const(A, t.PLAYER)))
    interpreter, table = at(
        Move(t.all_of(DECK), t.place(HAND_B)),
        t.choose(A, t.option("steal", pair)),
        settle,
        Move(t.read(several), t.place(HAND_A)),
        deck=(1, 1, 3),
    )
    stop = t.decision(interpreter.advance(table))
    interpreter.choose(table, stop.choices[0])

    assert t.odds(interpreter.advance(table)) == {"1, 1": 1, "1, 3": 2}


def test_an_undecided_card_may_be_taken_and_stays_undecided() -> None:
    """Of a set with a known 1 and two undecided cards, one of these is taken twice in three."""
    choose = t.choose(A, t.option("steal", t.slot(card, t.all_of(ASIDE))))
    settle = Chance(Blind(card, (), t.const(A, t.PLAYER)))
    interpreter, table = at(
        draw(ASIDE),
        SHUFFLE,
        draw(ASIDE),
        draw(ASIDE),
        choose,
        settle,
        Move(t.read(card), t.place(ROW)),
    )
    stop = t.decision(interpreter.advance(table))
    assert len(stop.choices) == 1
    interpreter.choose(table, stop.choices[0])

    assert t.odds(interpreter.advance(table)) == {"1": 1, "?": 2}
    take(interpreter, table, "?")
    interpreter.advance(table)
    assert t.words(interpreter, table, ROW) == ["?"]


def test_what_an_actor_sees_is_not_drawn() -> None:
    """A card chosen from an open set is the card chosen."""
    choose = t.choose(A, t.option("take", t.slot(card, t.all_of(HAND_A))))
    settle = Chance(Blind(card, (), t.const(A, t.PLAYER)))
    interpreter, table = at(
        Move(t.all_of(DECK), t.place(HAND_A)), choose, settle, Move(t.read(card), t.place(OPEN))
    )
    stop = t.decision(interpreter.advance(table))
    interpreter.choose(table, stop.choices[2])

    assert isinstance(interpreter.advance(table), Terminal)
    assert t.words(interpreter, table, OPEN) == ["3"]


# ---- lazy and eager


def law(
    interpreter: Interpreter, table: Table, seen: Callable[[Table], object]
) -> dict[object, Fraction]:
    """The distribution of what is seen at the end, when seats choose each option equally often."""
    found: dict[object, Fraction] = {}

    def walk(at: Table, odds: Fraction) -> None:
        stop = interpreter.advance(at)
        if isinstance(stop, Terminal):
            key = seen(at)
            found[key] = found.get(key, Fraction(0)) + odds
        elif isinstance(stop, Decision):
            for choice in stop.choices:
                then = at.copy()
                interpreter.choose(then, choice)
                walk(then, odds / len(stop.choices))
        else:
            assert not isinstance(stop, JointDecision)
            for outcome in stop.outcomes:
                then = at.copy()
                interpreter.draw(then, outcome)
                walk(then, odds * outcome.weight / stop.outcomes.total)

    walk(table, Fraction(1))
    return found


def test_late_draws_have_the_odds_of_early_ones() -> None:
    """Burn, draw, put back, shuffle, look, take blindly: what is seen has the same odds."""
    steps = (
        SHUFFLE,
        draw(ASIDE),
        draw(HAND_A),
        draw(HAND_B),
        t.choose(A, t.option("keep"), t.option("burn", t.slot(card, t.all_of(HAND_A)))),
        back(HAND_A),
        SHUFFLE,
        draw(ROW),
        draw(HAND_A),
        Assign(KnownTarget(), (t.all_of(ROW),), t.const((B,), ListOf(t.PLAYER))),
        t.choose(A, t.option("steal", t.slot(card, t.all_of(ASIDE)))),
        Chance(Blind(card, (), t.const(A, t.PLAYER))),
        Move(t.read(card), t.place(OPEN)),
        Assign(FaceTarget(), (t.all_of(ROW),), t.const(True)),
    )

    def seen(interpreter: Interpreter) -> Callable[[Table], object]:
        places = (HAND_A, HAND_B, OPEN, ROW)
        return lambda table: tuple(tuple(t.words(interpreter, table, p)) for p in places)

    laws = []
    for eager in (False, True):
        interpreter, table = at(*steps, deck=(1, 1, 2, 3, 4), eager=eager)
        laws.append(law(interpreter, table, seen(interpreter)))

    assert laws[0] == laws[1]
    assert sum(laws[0].values()) == 1
    assert len(laws[0]) > 20


def test_what_somebody_sees_has_a_kind() -> None:
    """At no stop of a game is there a visible card without a kind."""
    interpreter, table = at(SHUFFLE, draw(HAND_A), draw(ROW), draw(OPEN), deck=(1, 2, 2, 3))

    def check(at_: Table) -> None:
        stop = interpreter.advance(at_)
        visible = [
            token
            for token in interpreter.statics.class_tokens[0]
            if interpreter.sight.sees(at_, token) and at_.kind[token] == UNRESOLVED
        ]
        assert visible == []
        if not isinstance(stop, Terminal):
            for outcome in t.chance(stop).outcomes:
                then = at_.copy()
                interpreter.draw(then, outcome)
                check(then)

    check(table)
