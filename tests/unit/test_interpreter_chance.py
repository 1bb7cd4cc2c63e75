"""Chance: exact odds of dice, picks and blind takes; drawn at once or when it matters."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from compiler.graph.core import (
    Assign,
    Blind,
    Bound,
    Chance,
    Domain,
    DomainMode,
    FaceTarget,
    KnownTarget,
    Move,
    Pick,
    Roll,
)
from compiler.ops import lists, numbers
from compiler.types import BOOL, ListOf
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
from ruleengine.stops import Decision, JointDecision, Terminal
from ruleengine.table import UNRESOLVED, Table
from tests.unit import tabletop as t
from tests.unit.dealt import SHUFFLE, at, back, card, draw, m, n, several, take
from tests.unit.tabletop import ASIDE, DECK, HAND_A, HAND_B, OPEN, ROW, A, B

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
