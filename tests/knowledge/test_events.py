"""What each event does to what everybody knows, on tables laid by hand.

Seats are A, B, C with bits 1, 2, 4; the public has bit 8.
"""

import pytest

from ruleengine.statics import BOX
from tests.knowledge.games import game
from tests.knowledge.scene import Scene

A, B, C, PUBLIC = 0, 1, 2, 3
EVERYBODY = 15


def scene(**places: str) -> Scene:
    """Cards 1 1 2 3 4 on the table of the sandbox."""
    return Scene.of(game("sandbox", "highest=4"), **places)


# ---- moves


def test_a_card_taken_openly_into_a_hand_is_known_to_be_there() -> None:
    """Everybody saw what was taken, so everybody knows that it is in the hand."""
    table = scene(bench="2", hand_A="1 3")

    table.move("bench", "2", "hand_A")

    assert [table.fact(o, "hand_A") for o in (A, B, C, PUBLIC)] == ["", "2", "2", "2"]


def test_what_was_known_of_a_hand_is_lost_when_some_card_leaves_it_unseen() -> None:
    """It may have been the known one that left."""
    table = scene(bench="2", hand_A="1 3")
    table.move("bench", "2", "hand_A")

    table.move("hand_A", "1", "void", face_up=False)

    assert [table.fact(B, "hand_A"), table.fact(B, "void"), table.fact(A, "void")] == ["", "", "1"]


def test_a_card_that_the_other_place_refuses_is_known_to_have_stayed() -> None:
    """A slot takes only low cards: the known 3 is still in the hand, the known 2 may be gone."""
    table = scene(bench="2 3", hand_A="1")
    table.move("bench", "2 3", "hand_A")

    table.move("hand_A", "1", "slots_A", face_up=False)

    assert table.fact(B, "hand_A") == "3"


def test_a_card_played_openly_is_no_longer_in_the_hand() -> None:
    """Of two 1s known to be in a hand, one is left after one was played."""
    table = scene(bench="1 1", hand_A="3")
    table.move("bench", "1 1", "hand_A")

    table.move("hand_A", "1", "bench")

    assert table.fact(B, "hand_A") == "1"


def test_the_only_kind_left_is_deduced() -> None:
    """If all cards of a hand are known to be 1s, the one that is set down is a 1."""
    table = scene(bench="1 1")
    table.move("bench", "1 1", "hand_A")

    table.move("hand_A", "1", "slots_A", face_up=False)

    assert table.knows("slots_A") == [EVERYBODY]
    assert table.fact(B, "hand_A") == "1"


def test_only_who_saw_a_card_has_publicly_looked_at_it() -> None:
    """A saw his own card; the others deduced what it is, which nobody can know of them."""
    table = scene(bench="1 1")
    table.move("bench", "1 1", "hand_A")

    table.move("hand_A", "1", "slots_A", face_up=False)

    assert table.looked("slots_A") == [1 << A]


def test_whatever_is_known_of_a_hand_goes_with_all_its_cards() -> None:
    """A hand that is given away whole takes along what was known to be in it."""
    table = scene(bench="2", hand_A="1", hand_B="3")
    table.move("bench", "2", "hand_A")

    table.move("hand_A", "1 2", "hand_B")

    assert [table.fact(o, "hand_B") for o in (A, B, C, PUBLIC)] == ["1 2", "", "2", "2"]


def test_a_named_card_is_followed_from_row_to_row() -> None:
    """Who has looked at the top card can name it when it is burned unseen."""
    table = scene(deck="2 1 3")
    table.show("deck", "2", A)

    table.move("deck", "2", "ashes")

    assert (table.knows("ashes"), table.looked("ashes")) == ([1 << A], [1 << A])


def test_a_named_card_is_lost_to_view_in_a_hand() -> None:
    """Who has looked at the top card knows that the hand it went to has it."""
    table = scene(deck="2 1", hand_A="1")
    table.show("deck", "2", C)

    table.move("deck", "2", "hand_A")

    assert [table.fact(o, "hand_A") for o in (A, B, C, PUBLIC)] == ["", "", "2", ""]


def test_a_card_that_moves_within_its_place_is_still_in_it() -> None:
    """What was known to be among burned cards still is when one of them changes its position."""
    table = scene(ashes="2 1 3")
    table.table.facts[B, table.place("ashes")] = [1, 1, 0, 0]

    table.move("ashes", "2", "ashes")

    assert table.fact(B, "ashes") == "1 2"


def test_the_box_keeps_no_facts() -> None:
    """What lies face down outside the game is not kept track of."""
    table = scene(hand_A="2")

    table.move("hand_A", "2", "box", face_up=False)

    assert (table.table.facts, BOX) == ({}, table.place("box"))


# ---- shown, turned


def test_a_second_look_at_a_hand_is_at_the_same_card() -> None:
    """Two times a 1 is one 1; two at once are two."""
    table = scene(hand_A="1 1 2")
    table.show("hand_A", "1", B)
    table.show("hand_A", "1", B)
    once = table.fact(B, "hand_A")

    table.show("hand_A", "1 1", B)

    assert (once, table.fact(B, "hand_A"), table.fact(C, "hand_A")) == ("1", "1 1", "")


def test_a_card_that_gets_a_name_leaves_the_unnamed_ones() -> None:
    """That there is a 2 among the others is no longer known once the 2 can be named."""
    table = scene(deck="2 1 3")
    for token in table.table.cells[table.place("deck")]:
        table.table.knows[token] = 0
    table.table.facts[B, table.place("deck")] = [0, 1, 0, 0]

    table.show("deck", "2", B)

    assert (table.knows("deck"), table.fact(B, "deck")) == ([1 << B, 0, 0], "")


def test_what_is_shown_to_all_is_public() -> None:
    """A revealed card of a row can be named by everybody, the spectator too."""
    table = scene(slots_A="2 1")

    table.show("slots_A", "2")

    assert (table.knows("slots_A"), table.looked("slots_A")) == ([EVERYBODY, 0], [7, 0])


def test_who_could_name_a_card_and_looks_at_it_has_publicly_looked() -> None:
    """That it told him nothing is his own business."""
    table = scene(slots_A="2 1")
    table.table.knows[table.cards("slots_A", "2")[0]] = 1 << B

    table.show("slots_A", "2", B)

    assert table.looked("slots_A") == [1 << B, 0]


def test_a_card_turned_down_is_remembered_by_all() -> None:
    """It lies face down, and nobody has to look at it again."""
    table = scene(slots_A="2 1")
    table.turn("slots_A", "2", up=True)
    open_ = table.knows("slots_A"), table.looked("slots_A")

    table.turn("slots_A", "2", up=False)

    assert open_ == ([0, 0], [0, 0])
    assert (table.knows("slots_A"), table.looked("slots_A")) == ([EVERYBODY, 0], [7, 0])


def test_a_card_turned_down_in_a_set_is_known_to_be_in_it() -> None:
    """In a set it cannot be pointed at any more."""
    table = scene(void="2 1")
    table.turn("void", "2", up=True)

    table.turn("void", "2", up=False)

    assert [table.fact(o, "void") for o in (A, PUBLIC)] == ["2", "2"]


# ---- orders


def test_an_order_chosen_in_secret_is_lost_to_the_others() -> None:
    """B saw both cards, A put them in his order: B knows what is there, no longer where."""
    table = scene(slots_A="2 1")
    table.show("slots_A", "2 1", A, B)

    table.move("slots_A", "1 2", "slots_A", face_up=False, arranged=True, arranger=A)

    assert (table.knows("slots_A"), table.looked("slots_A")) == ([1 << A] * 2, [1 << A] * 2)
    assert (table.fact(A, "slots_A"), table.fact(B, "slots_A")) == ("", "1 2")


def test_who_arranges_cards_he_has_not_all_seen_has_publicly_seen_none_where_it_lies() -> None:
    """The others cannot tell where the card went that he had looked at."""
    table = scene(slots_A="2 1")
    table.show("slots_A", "2", A)

    table.move("slots_A", "1 2", "slots_A", face_up=False, arranged=True, arranger=A)

    assert (table.knows("slots_A"), table.looked("slots_A")) == ([0, 1 << A], [0, 0])


def test_an_order_of_equal_cards_tells_nothing() -> None:
    """Who knows that both are 1s still knows it; that he knows it is not public."""
    table = scene(slots_A="1 1")
    table.show("slots_A", "1 1", A, B)

    table.move("slots_A", "1 1", "slots_A", face_up=False, arranged=True, arranger=A)

    assert table.knows("slots_A") == [1 << A | 1 << B] * 2
    assert table.looked("slots_A") == [1 << A] * 2


@pytest.mark.parametrize("arranger", [A, None])
def test_a_hand_laid_down_in_a_secret_order_is_known_as_a_whole(arranger: int | None) -> None:
    """Who saw the cards before knows that they lie there."""
    table = scene(bench="2 1")

    table.move("bench", "1 2", "ashes", arranged=True, arranger=arranger)

    assert table.fact(C, "ashes") == "1 2"
    assert table.knows("ashes") == [1 if arranger == A else 0] * 2


def test_a_shuffle_leaves_only_what_was_there() -> None:
    """Names and looks are gone; who knew a card knows that it is among them."""
    table = scene(deck="2 1 3")
    table.show("deck", "2", A)

    table.shuffle("deck")

    assert (table.knows("deck"), table.looked("deck")) == ([0] * 3, [0] * 3)
    assert [table.fact(o, "deck") for o in (A, B)] == ["2", ""]


def test_all_is_known_of_a_deck_whose_cards_were_seen_before() -> None:
    """After a shuffle every card is known to be there, and none where."""
    table = scene(bench="1 2 3")
    table.move("bench", "1 2 3", "deck")

    table.shuffle("deck")

    assert table.fact(PUBLIC, "deck") == "1 2 3"


# ---- who may look


def test_who_may_no_longer_look_remembers() -> None:
    """B was let in, saw shelf and chest, and was seen out again."""
    room = Scene.of(game("guests"), chest="2", shelf="1 3")

    room.assign("guests", (B,), "chest", "shelf")
    room.assign("guests", (), "chest", "shelf")

    assert (room.knows("shelf"), room.looked("shelf")) == ([1 << B] * 2, [1 << B] * 2)
    assert [room.fact(o, "chest") for o in (A, B, 2)] == ["", "2", ""]
