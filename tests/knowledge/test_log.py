"""What each seat hears; faces are written `<K>` in the logs of these tests."""

from tests.knowledge.games import game
from tests.knowledge.histories import Moment, play


def tail(moment: Moment, observer: int, entries: int) -> list[str]:
    """The last entries of an observer, where the game stands left out."""
    return [entry.split("; ")[0] for entry in moment.log.entries[observer][-entries:]]


def test_a_card_dealt_is_seen_by_its_owner() -> None:
    """All see that a card goes to A; only A sees which."""
    dealt = play(game("kuhn"), "J", "Q")

    assert [dealt.log.entries[observer][3] for observer in (0, 1, 2)] == [
        "to hand[A]: deck 1: <J> seen by A | deck: ? ×2 | hand[A]: (<J>)",
        "to hand[A]: deck 1: ? seen by A | deck: ? ×2 | hand[A]: ?",
        "to hand[A]: deck 1: ? seen by A | deck: ? ×2 | hand[A]: ?",
    ]


def test_a_public_choice_and_what_it_changes_is_heard_by_all() -> None:
    """A bets; the stake is open, and B is asked."""
    bet = play(game("kuhn"), "J", "Q", "A: bet")

    for observer in bet.log.entries[:3]:
        assert [entry.split("; ")[0] for entry in observer[-3:]] == [
            "A: bet",
            "stake[A] = 2",
            "B to choose “Call or fold?” at 13",
        ]


def test_two_cards_drawn_at_once_come_in_no_order() -> None:
    """Who draws 1 and 2 does not know which lay on top; the log tells no more than the hand."""
    one_way = play(game("carousel"), "1", "2", "3", "4")
    another = play(game("carousel"), "2", "1", "3", "4")

    assert one_way.heard(0) == another.heard(0)
    assert one_way.heard(0) != play(game("carousel"), "1", "3", "2", "4").heard(0)


def test_nobody_hears_of_a_sealed_pick() -> None:
    """Not even that it is in; when all are in, all are told."""
    dealt = play(game("carousel"), "1", "2", "1", "3")
    picked = play(game("carousel"), "1", "2", "1", "3", "A: choose hand[A] <2>")

    assert tail(picked, 0, 1) == ["A: choose hand[A] <2>"]
    assert (picked.heard(1), picked.heard(2)) == (dealt.heard(1), dealt.heard(2))

    both = play(
        game("carousel"), "1", "2", "1", "3", "A: choose hand[A] <2>", "B: choose hand[B] <3>"
    )
    assert "A: choose hand[A] ?; B: choose hand[B] <3>" in both.log.entries[1]


def test_a_secret_order_is_heard_by_who_chose_it() -> None:
    """The others hear that cards were put back, not how."""
    arranged = play(game("two_oracles"), "1", "2", "A: choose [deck 2 ?, deck 1 ?]")

    chosen, moved = arranged.log.entries[0][5:7], arranged.log.entries[1][5:7]

    assert chosen == [
        "A: choose [deck 2 ?, deck 1 ?]",
        "to deck 1 in a secret order: deck 2: ? seen by nobody, deck 1: ? seen by nobody",
    ]
    assert moved == [
        "A: choose in a secret order",
        "to deck 1 in a secret order: deck 1: ? seen by nobody, deck 2: ? seen by nobody",
    ]


def test_a_look_is_public_and_what_is_seen_is_not() -> None:
    """All hear that A looks at the top cards."""
    shown = play(game("two_oracles"), "1", "2")

    assert [shown.log.entries[observer][3] for observer in (0, 1, 2)] == [
        "shown to A: deck 1: <1>, deck 2: <2>",
        "shown to A: deck 1: ?, deck 2: ?",
        "shown to A: deck 1: ?, deck 2: ?",
    ]


def test_what_one_hears_nothing_of_leaves_no_entry() -> None:
    """A notes a hidden number: B does not hear of it, not even that there was something."""
    started = play(game("secrets"), "2", "3", "1, 2")

    hers, his, public = (log[5:] for log in started.log.entries)

    assert hers[0] == "memo[A] = 3"
    assert [len(hers), len(his), len(public)] == [2, 1, 1]


def test_who_else_saw_a_card_is_part_of_what_is_heard() -> None:
    """To A, a card banished openly and one banished unseen look alike, but B knows more."""
    openly, unseen = (
        play(game("sandbox", "turns=1"), "1", "2", "3", f"A: {how} hand[A] <2>")
        for how in ("banish", "hide")
    )

    assert "to void: hand[A]: <2> seen by all | hand[A]: (<1>) | void: ?" in openly.log.entries[0]
    assert "to void: hand[A]: <2> seen by A | hand[A]: (<1>) | void: ?" in unseen.log.entries[0]


def test_hidden_dice_are_heard_to_roll() -> None:
    """All hear that both rolled; each sees his own."""
    rolled = play(game("secrets"), "2", "3", "1, 2")

    assert [log[4].split(" | ")[0] for log in rolled.log.entries] == [
        "rolled cup[A] = 1, cup[B] = ?",
        "rolled cup[A] = ?, cup[B] = 2",
        "rolled cup[A] = ?, cup[B] = ?",
    ]


def test_the_end_is_heard_by_all() -> None:
    """With the outcome."""
    ended = play(game("kuhn"), "J", "Q", "A: bet", "B: fold")

    assert [log[-1] for log in ended.log.entries] == ["end scores 1, -1"] * 3
