"""Views: what a seat may know at a moment."""

from attrs import evolve

from ruleengine.knowledge.describe import observation_string
from ruleengine.knowledge.view import Cell, Spot
from tests.knowledge.games import Game, game
from tests.knowledge.histories import Moment, play


def text(tiny: Game, moment: Moment, observer: int) -> list[str]:
    """A view as people read it, line by line."""
    view = tiny.view(moment.table, observer)
    return observation_string(tiny.hearing.words, view).split("\n")


def test_a_view_reads_well() -> None:
    """Own cards with faces, others without; variables that may be read; where the game is."""
    kuhn = game("kuhn")

    assert text(kuhn, play(kuhn, "J", "Q", "A: bet"), 1) == [
        "Seat B",
        "deck: ?",
        "hand[A]: ?",
        "hand[B]: (<Q>)",
        "players = [A, B]",
        "ended = false",
        "stake[A] = 2",
        "stake[B] = 1",
        "payoff[A] = 0",
        "payoff[B] = 0",
        "start.p#9 = A",
        "Call or fold? at 13",
    ]


def test_a_look_is_in_everybodys_view() -> None:
    """All know that A looked at the 1st drawn card; A knows what it is."""
    klink = game("mini_klink")
    looked = play(klink, "A: choose drawn 1 ?", "2")

    lines = [text(klink, looked, observer)[2] for observer in (0, 1, 3)]

    assert lines == [
        "drawn: [<2>] looked at by A, ?",
        "drawn: ? looked at by A, ?",
        "drawn: ? looked at by A, ?",
    ]


def test_a_card_turned_down_is_remembered_in_every_view() -> None:
    """It is public knowledge what lies there."""
    turned = play(
        game("mini_klink_turns"), "A: choose drawn 1 ?", "2", "A: keep", "3", "A: choose drawn 1 ?"
    )
    view = game("mini_klink_turns").view(turned.table, 1)

    kept = next(
        place.cells for place in view.places if len(place.cells) == 2 and place.cells[1].seen
    )

    assert kept[0] == Cell(0, 1, False, False, 0, 0b11, True)


def test_what_is_known_of_a_hand_is_in_the_view() -> None:
    """B showed A a 3; A knows it, and all know what A showed to all."""
    sandbox = game("sandbox")
    shown = play(sandbox, "1", "2", "3", "A: open_hand", "B: show_card hand[B] <3>")

    assert text(sandbox, shown, 0)[4:6] == ["hand[B]: ?", "    it has <3>"]
    assert text(sandbox, shown, 2)[1:6] == [
        "deck: ?",
        "hand[A]: ? ×2",
        "    it has <1>, <2>",
        "    all know it has <1>, <2>",
        "hand[B]: ?",
    ]


def test_a_card_shown_and_then_banished_is_followed() -> None:
    """It is the shown card that moves, though the hand hides which one that is."""
    sandbox = game("sandbox")
    banished = play(sandbox, "1", "2", "3", "A: banish hand[A] <2>")

    void = next(place.index for place in sandbox.graph.places if place.label == "void")

    assert [
        sandbox.view(banished.table, observer).places[void].fact for observer in (0, 1, 2, 3)
    ] == [(0, 1, 0)] * 4


def test_others_picks_are_not_in_the_view() -> None:
    """Neither what was picked nor that something was, until all are in."""
    carousel = game("carousel")
    dealt = play(carousel, "1", "2", "1", "3")
    picked = play(carousel, "1", "2", "1", "3", "A: choose hand[A] <2>")

    assert carousel.view(dealt.table, 1) == carousel.view(picked.table, 1)
    assert carousel.view(dealt.table, 0) != carousel.view(picked.table, 0)


def test_a_reference_says_which_of_several_cards_is_meant() -> None:
    """A picked a 2 of his hand: in his view one heap is what his pick refers to."""
    carousel = game("carousel")
    picked = play(carousel, "1", "2", "1", "3", "A: choose hand[A] <2>")

    view = carousel.view(picked.table, 0)

    hand = next(
        place.heaps for place in view.places if any(heap.references for heap in place.heaps)
    )
    assert [(heap.sort, len(heap.references)) for heap in hand] == [(0, 0), (1, 1)]
    assert Spot(2, 0) in [value for _, value in view.values]


def test_equal_views_are_equal_bytes() -> None:
    """And different ones different bytes."""
    carousel = game("carousel")
    tables = [
        play(carousel, *cards).table for cards in (("1", "2", "3", "4"), ("2", "1", "4", "3"))
    ]
    tables.append(play(carousel, "1", "3", "2", "4").table)

    one, same, other = (bytes(carousel.view(table, 0)) for table in tables)

    assert (one == same, one == other) == (True, False)


def test_the_result_is_in_every_view() -> None:
    """Who has won is seen by all."""
    kuhn = game("kuhn")
    ended = play(kuhn, "J", "Q", "A: bet", "B: fold")

    assert [text(kuhn, ended, observer)[-1] for observer in (0, 1, 2)] == ["scores 1, -1"] * 3


def test_a_view_with_tokens_in_variables_has_bytes() -> None:
    """A spot that a variable refers to, alone or in a list, is part of the canonical bytes."""
    view = game("mini_klink").view(play(game("mini_klink"), "A: choose drawn 1 ?", "2").table, 0)
    one, other = (
        evolve(view, values=((0, spots), (1, spots[0])))
        for spots in ((Spot(1, 0), Spot(1, 1)), (Spot(1, 1), Spot(1, 0)))
    )

    assert bytes(one) == bytes(evolve(one))
    assert bytes(one) != bytes(other)
