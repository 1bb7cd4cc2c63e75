"""Decisions: which options there are, in which order, and for whom."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.graph.core import (
    Assign,
    Bound,
    Case,
    Choose,
    Cond,
    Const,
    Domain,
    DomainMode,
    FaceUp,
    Fold,
    FoldMode,
    Function,
    Guard,
    Move,
    Read,
    Term,
    Value,
    Variable,
)
from compiler.ops import lists, numbers
from compiler.types import BOOL, Int, ListOf, Optional, SetOf
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
from ruleengine.stops import Choice, Decision, JointDecision
from ruleengine.table import Table
from tests.unit import tabletop as t
from tests.unit.tabletop import DECK, HAND_A, HAND_B, OPEN, ROW, A, B

picked = Variable("picked", Optional(t.CARD))
chosen = Variable("chosen", SetOf(t.CARD), initial=())
ordered = Variable("ordered", ListOf(t.CARD), initial=())
n = t.number("n")
LOCAL: dict[str, tuple[Variable, ...]] = {"start": (picked, chosen, ordered)}
X = Bound("x", 0, type=t.CARD)
SET = Bound("x", 0, type=t.CARDS)


def at(
    choose: Choose, places: dict[int, tuple[str, ...]], *deck: int, prune: bool = True
) -> tuple[Interpreter, Table]:
    """A table with cards in places, before a decision that is the game's first step."""
    graph = t.graph(choose, deck=t.cards(*deck), variables=(n,), local=LOCAL)
    interpreter = Interpreter.of(graph, prune=prune)
    table = interpreter.start()
    for where, words in places.items():
        t.put(interpreter, table, where, *words)
    return interpreter, table


def named(interpreter: Interpreter, table: Table, value: Value) -> str:
    """A value of a slot: a card by word, or by place and index where its kind is hidden from A."""
    if isinstance(value, tuple):
        return " ".join(named(interpreter, table, part) for part in value)
    if value is None:
        return "none"
    where = table.place[value]
    if interpreter.sight.sees(table, value) >> A & 1:
        return interpreter.graph.classes[0].kinds[table.kind[value]].word
    place = interpreter.graph.places[where]
    index = table.cells[where].index(value) + 1 if where in (ROW, DECK) else "?"
    return f"{place.label}#{index}"


def offered(interpreter: Interpreter, table: Table) -> list[str]:
    """The options of the decision at hand, as far as A sees."""
    names = [option.name for option in _step(interpreter, table).options]
    return [
        " ".join(
            [
                "decline" if choice.option is None else names[choice.option],
                *[named(interpreter, table, value) for value in choice.values],
            ]
        )
        for choice in interpreter.options(table, A)
    ]


def _step(interpreter: Interpreter, table: Table) -> Choose:
    step = interpreter.graph.nodes[table.node].step
    assert isinstance(step, Choose)
    return step


# ---- twins and hidden cards


def test_twins_in_a_set_are_one_option() -> None:
    """Two 1s and a 3 in a hand of one's own are two options, in the order of kinds."""
    choose = t.choose(A, t.option("play", t.slot(picked, t.all_of(HAND_A))))

    found = offered(*at(choose, {HAND_A: ("3", "1", "1")}, 1, 1, 3))

    assert found == ["play 1", "play 3"]


def test_cells_of_a_row_are_options_of_their_own() -> None:
    """Two equal cards in a list are told apart by where they lie."""
    choose = t.choose(A, t.option("take", t.slot(picked, t.all_of(ROW))))

    found = offered(*at(choose, {ROW: ("1", "1")}, 1, 1))

    assert found == ["take row#1", "take row#2"]


def test_a_hand_that_one_cannot_see_is_one_option() -> None:
    """From another's hand one can only take a card, whichever it is."""
    choose = t.choose(A, t.option("steal", t.slot(picked, t.all_of(HAND_B))))

    found = offered(*at(choose, {HAND_B: ("3", "1", "2")}, 1, 2, 3))

    assert found == ["steal hand[B]#?"]


def test_what_lies_face_up_in_a_hidden_set_comes_first() -> None:
    """The hidden cards of a set are one option behind its open ones, whatever they are."""
    choose = t.choose(A, t.option("steal", t.slot(picked, t.all_of(HAND_B))))
    for up in ("1", "3"):
        interpreter, table = at(choose, {HAND_B: ("3", "1", "2")}, 1, 2, 3)
        for card in table.cells[HAND_B]:
            table.face[card] = (
                t.words(interpreter, table, HAND_B)[table.cells[HAND_B].index(card)] == up
            )

        assert offered(interpreter, table) == [f"steal {up}", "steal hand[B]#?"]


def test_a_card_that_is_referred_to_is_no_twin() -> None:
    """Of two 1s, one of which a later step still means, either is an option."""
    graph = t.graph(
        t.choose(A, t.option("play", t.slot(picked, t.all_of(HAND_A)))),
        Assign(n, (), t.apply(lists.COUNT, t.read(chosen))),
        deck=t.cards(1, 1),
        variables=(n,),
        local=LOCAL,
    )
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    first, _ = t.put(interpreter, table, HAND_A, "1", "1")

    assert offered(interpreter, table) == ["play 1"]
    table.values[t.slot_of(interpreter, chosen)] = (first,)
    assert len(interpreter.options(table)) == 2


# ---- subsets and orders


def test_subsets_come_by_size_and_then_in_order() -> None:
    """One or two of three cards: single ones first, then the pairs like words in a dictionary."""
    choose = t.choose(
        A, t.option("lay", t.slot(chosen, t.all_of(HAND_A), DomainMode.SUBSETS, low=1, high=2))
    )

    found = offered(*at(choose, {HAND_A: ("2", "1", "3")}, 1, 2, 3))

    assert found == ["lay 1", "lay 2", "lay 3", "lay 1 2", "lay 1 3", "lay 2 3"]


def test_subsets_with_twins_are_multisets() -> None:
    """Two of 1, 1, 2 are two options: both 1s, or a 1 and the 2."""
    choose = t.choose(
        A, t.option("lay", t.slot(chosen, t.all_of(HAND_A), DomainMode.SUBSETS, low=2, high=2))
    )

    found = offered(*at(choose, {HAND_A: ("2", "1", "1")}, 1, 1, 2))

    assert found == ["lay 1 1", "lay 1 2"]


def test_orders_with_twins_are_told_apart_by_look() -> None:
    """Three cards of which two are equal can be ordered in three ways."""
    choose = t.choose(A, t.option("lay", t.slot(ordered, t.all_of(HAND_A), DomainMode.ORDERS)))

    found = offered(*at(choose, {HAND_A: ("2", "1", "1")}, 1, 1, 2))

    assert found == ["lay 1 1 2", "lay 1 2 1", "lay 2 1 1"]


def test_a_hidden_set_gives_one_subset_of_each_size() -> None:
    """Any number of cards of another's hand differ only in how many they are."""
    choose = t.choose(A, t.option("lay", t.slot(chosen, t.all_of(HAND_B), DomainMode.SUBSETS)))

    found = offered(*at(choose, {HAND_B: ("1", "2")}, 1, 2))

    assert found == ["lay ", "lay hand[B]#?", "lay hand[B]#? hand[B]#?"]


def _function(body: Term) -> Function:
    return Function("fine", (SET,), (Case(None, body),), BOOL)


def _every(test: Term) -> Term:
    domain = Domain(DomainMode.MEMBERS, SET)
    return Fold(FoldMode.EVERY, Bound("c", 9, type=t.CARD), domain, None, test, type=BOOL)


VALUES = t.values_of(SET)
SUM = t.apply(lists.SUM, VALUES)
C = Bound("c", 9, type=t.CARD)
CONDITIONS = {
    "same": t.apply(lists.SAME, VALUES, type_=BOOL),
    "run": t.apply(lists.CONSECUTIVE, VALUES, type_=BOOL),
    "at most": t.apply(numbers.AT_MOST, SUM, t.const(7), type_=BOOL),
    "less": t.apply(numbers.LESS, SUM, t.const(7), type_=BOOL),
    "exactly": t.apply(lists.IS, SUM, t.const(7), type_=BOOL),
    "turned round": t.apply(numbers.MORE, t.const(7), SUM, type_=BOOL),
    "not above": t.apply(numbers.NOT, t.apply(numbers.MORE, SUM, t.const(7))),
    "no two kinds": t.apply(
        numbers.AT_MOST,
        t.apply(lists.COUNT, t.apply(lists.DISTINCT, VALUES, type_=ListOf(Int(0, 20)))),
        t.const(1),
    ),
    "largest": t.apply(numbers.AT_MOST, t.apply(lists.MAX, VALUES), t.const(3)),
    "every": _every(t.apply(numbers.LESS, t.value_of(C), t.const(4))),
    "at least": t.apply(numbers.AT_LEAST, SUM, t.const(5), type_=BOOL),
    "smallest": t.apply(numbers.AT_LEAST, t.apply(lists.MIN, VALUES), t.const(2)),
}
CONDITIONS["and"] = Cond(CONDITIONS["every"], CONDITIONS["exactly"], Const(False))
CONDITIONS["or"] = Cond(CONDITIONS["same"], Const(True), CONDITIONS["less"])
CONDITIONS["function"] = t.apply(_function(CONDITIONS["same"]), SET, type_=BOOL)
PRUNING = [name for name in CONDITIONS if name not in ("at least", "smallest")]


@given(
    name=st.sampled_from(sorted(CONDITIONS)),
    hand=st.lists(st.integers(0, 6), max_size=6),
    guarded=st.booleans(),
    low=st.integers(0, 2),
)
def test_giving_up_early_loses_no_subset(
    name: str, hand: list[int], guarded: bool, low: int
) -> None:
    """With and without pruning, the same sets are offered in the same order."""
    condition = CONDITIONS[name]
    lay = t.slot(
        chosen,
        t.all_of(HAND_A),
        DomainMode.SUBSETS,
        None if guarded else condition,
        low=low,
    )
    choose = t.choose(A, t.option("lay", lay, guards=[Guard(condition)] if guarded else []))
    words = tuple(str(value) for value in hand)
    deck = tuple(hand) or (0,)

    found = [
        [choice.values for choice in interpreter.options(table)]
        for interpreter, table in (
            at(choose, {HAND_A: words}, *deck, prune=prune) for prune in (True, False)
        )
    ]

    assert found[1] == found[0]


@pytest.mark.parametrize("name", PRUNING)
def test_sets_are_given_up_early(name: str) -> None:
    """Of 2 to the 16 sets, far fewer are tried when a condition can only get worse."""
    lay = t.slot(chosen, t.all_of(HAND_A), DomainMode.SUBSETS, CONDITIONS[name], low=1)
    deck = tuple(range(16))
    words = tuple(str(value) for value in deck)
    interpreter, table = at(t.choose(A, t.option("lay", lay)), {HAND_A: words}, *deck)
    tried = 0
    asking = interpreter.asking(0)
    for asked in asking.options[0].slots:
        for _ in asking.candidates(table, A, asked, interpreter.twins.to_seat(table, A)):
            tried += 1

    assert tried < 2_000
    assert tried > 0


def test_a_subset_chosen_is_what_brute_force_finds() -> None:
    """Sets of cards that sum to 7 are exactly those that trying all sets gives."""
    lay = t.slot(chosen, t.all_of(HAND_A), DomainMode.SUBSETS, CONDITIONS["exactly"])
    deck = (1, 2, 3, 4, 5)
    interpreter, table = at(
        t.choose(A, t.option("lay", lay)), {HAND_A: tuple(map(str, deck))}, *deck
    )

    expected = [
        "lay " + " ".join(map(str, some))
        for size in range(6)
        for some in combinations(deck, size)
        if sum(some) == 7
    ]

    assert offered(interpreter, table) == expected


# ---- guards and forms of decisions


def test_later_slots_may_read_earlier_ones() -> None:
    """The second card must be higher than the first: pairs come in order of the slots."""
    second = Variable("second", Optional(t.CARD))
    higher = t.apply(
        numbers.MORE, t.value_of(Bound("y", 1, type=t.CARD)), t.value_of(X), type_=BOOL
    )
    choose = t.choose(
        A,
        t.option(
            "pair",
            t.slot(picked, t.all_of(HAND_A)),
            t.slot(second, t.all_of(HAND_A), where=higher, index=1),
        ),
    )
    graph = t.graph(choose, deck=t.cards(1, 2, 3), local={"start": (picked, second)})
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    t.put(interpreter, table, HAND_A, "1", "2", "3")

    assert offered(interpreter, table) == ["pair 1 2", "pair 1 3", "pair 2 3"]


def test_a_guard_may_rely_on_the_guards_before_it() -> None:
    """A guard that would divide by zero is not asked where an earlier one fails."""
    zero = t.apply(lists.IS, t.read(n), t.const(0), type_=BOOL)
    whole = t.apply(lists.IS, t.apply(numbers.DIVIDE, t.const(6), t.read(n)), t.const(3))
    guards = [Guard(t.apply(numbers.NOT, zero)), Guard(whole)]

    interpreter, table = at(t.choose(A, t.option("go", guards=guards), optional=True), {}, 1)

    assert offered(interpreter, table) == ["decline"]


def test_a_decision_that_may_be_declined_offers_it_last() -> None:
    """Declining stands behind all other options, and alone where nothing fits."""
    choose = t.choose(A, t.option("play", t.slot(picked, t.all_of(HAND_A))), optional=True)

    assert offered(*at(choose, {HAND_A: ("1",)}, 1)) == ["play 1", "decline"]
    interpreter, table = at(choose, {}, 1)
    assert interpreter.advance(table) == Decision(0, A, (Choice(0, None, (), A, 0),))


def test_without_an_option_the_game_goes_on_otherwise() -> None:
    """An empty hand takes the way of `otherwise`; without one it is a dead end."""
    play = t.option("play", t.slot(picked, t.all_of(HAND_A)))
    interpreter, table = at(t.choose(A, play, otherwise=True), {}, 1)

    interpreter.advance(table)

    assert table.node == 1
    interpreter, table = at(t.choose(A, play), {}, 1)
    with pytest.raises(RuleError, match="a decision without a legal option"):
        interpreter.advance(table)


def test_a_decision_with_one_option_is_a_stop() -> None:
    """Nobody's answer is given for him, not even the only one."""
    interpreter, table = at(t.choose(B, t.option("go")), {}, 1)

    stop = t.decision(interpreter.advance(table))

    assert (stop.seat, len(stop.choices)) == (B, 1)


def test_a_choice_is_kept_in_its_locals() -> None:
    """The card chosen is the one that the next step moves."""
    choose = t.choose(A, t.option("play", t.slot(picked, t.all_of(HAND_A))))
    graph = t.graph(choose, Move(t.read(picked), t.place(OPEN)), deck=t.cards(1, 2, 3), local=LOCAL)
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    t.put(interpreter, table, HAND_A, "1", "2", "3")

    interpreter.choose(table, t.decision(interpreter.advance(table)).choices[1])
    interpreter.advance(table)

    assert t.words(interpreter, table, OPEN) == ["2"]


def test_a_choice_belongs_to_its_decision() -> None:
    """What was offered elsewhere cannot be chosen here."""
    interpreter, table = at(t.choose(A, t.option("go")), {}, 1)

    with pytest.raises(ValueError, match="another decision"):
        interpreter.choose(table, Choice(0, 0, (), A, 7))


def test_options_read_faces_as_they_lie() -> None:
    """A domain that asks for face-up cards offers these alone."""
    up = Read(FaceUp(), (X,), type=BOOL)
    choose = t.choose(A, t.option("turn", t.slot(picked, t.all_of(HAND_A), where=up)))
    interpreter, table = at(choose, {HAND_A: ("1", "2")}, 1, 2)
    table.face[table.cells[HAND_A][1]] = True

    assert offered(interpreter, table) == ["turn 2"]


# ---- joint decisions

PICKED = Variable("picked by", Int(0, 2), ((0, 1),), (t.PLAYER,), initial=0)
GIVEN = Variable("given", Optional(t.CARD), ((0, 1),), (t.PLAYER,))
SEAT = Bound("p", 1, type=t.PLAYER)


def joint(members: Term, optional: bool = False) -> Choose:
    """Both seats choose a card, sealed."""
    return Choose(
        t.const((A, B), ListOf(t.PLAYER)),
        (t.option("give", t.slot(GIVEN, members)),),
        optional,
        joint=True,
        seat=SEAT,
        picked=PICKED,
    )


def together(members: Term, optional: bool = False) -> tuple[Interpreter, Table]:
    """A joint decision over cards, with a 1 and a 2 in each hand and two 3s lying open."""
    graph = t.graph(
        joint(members, optional),
        Assign(n, (), t.read(PICKED, t.const(0))),
        Assign(n, (), t.apply(lists.COUNT, t.apply(lists.LIST, t.read(GIVEN, t.const(0))))),
        deck=t.cards(1, 1, 2, 2, 3, 3),
        variables=(n,),
        local={"start": (PICKED, GIVEN)},
    )
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    t.put(interpreter, table, HAND_A, "1", "2")
    t.put(interpreter, table, HAND_B, "1", "2")
    t.put(interpreter, table, OPEN, "3", "3")
    return interpreter, table


def own_hand() -> Term:
    """The hand of the seat that is asked."""
    mine = t.apply(lists.IS, SEAT, t.const(0, t.PLAYER), type_=BOOL)
    return Cond(mine, t.all_of(HAND_A), t.all_of(HAND_B), type=t.CARDS)


def test_seats_choose_together_in_any_order() -> None:
    """The second seat may answer first; the game waits for the other, and then goes on."""
    interpreter, table = together(own_hand())
    stop = interpreter.advance(table)
    assert isinstance(stop, JointDecision)
    assert stop.seats == (A, B)

    interpreter.choose(table, stop.of(B)[1])
    waiting = interpreter.advance(table)

    assert isinstance(waiting, JointDecision)
    assert waiting.seats == (A,)
    assert waiting.of(A) == stop.of(A)
    interpreter.choose(table, waiting.of(A)[0])
    assert table.node == 1
    given = [table.values[interpreter.statics.offset(GIVEN) + seat] for seat in (A, B)]
    kinds = [table.kind[card] for card in given if isinstance(card, int)]
    assert kinds == [0, 1]


def test_a_sealed_pick_changes_nobodys_options() -> None:
    """Two equal cards stay one option for A after B took one of them, sealed."""
    interpreter, table = together(t.all_of(OPEN))
    stop = interpreter.advance(table)
    assert isinstance(stop, JointDecision)
    before = [choice.option for choice in stop.of(A)]

    interpreter.choose(table, stop.of(B)[0])
    waiting = interpreter.advance(table)

    assert isinstance(waiting, JointDecision)
    assert [choice.option for choice in waiting.of(A)] == before == [0]


def test_a_seat_may_decline_a_joint_decision() -> None:
    """Declining is a pick too: one more than the options there are."""
    interpreter, table = together(own_hand(), optional=True)
    for _ in (A, B):
        stop = interpreter.advance(table)
        assert isinstance(stop, JointDecision)
        interpreter.choose(table, stop.choices[0][-1])

    first = interpreter.statics.offset(PICKED)
    assert table.values[first : first + 2] == [2, 2]
