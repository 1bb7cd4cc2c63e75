"""Worlds: tables that a seat can imagine."""

from fractions import Fraction

from ruleengine.knowledge.tape import Drawn, every
from ruleengine.knowledge.view import View
from ruleengine.rng import CHANCE, stream
from ruleengine.stops import Decision
from ruleengine.table import UNRESOLVED, Table
from tests.knowledge.games import Game, game
from tests.knowledge.histories import play


def worlds(tiny: Game, view: View) -> list[tuple[Table, Fraction]]:
    """All worlds of a view."""
    return list(every(lambda tape: tiny.worlds.world(view, tape)))


def hand(tiny: Game, table: Table, seat: int) -> list[int]:
    """The kinds in a hand, in order."""
    place = next(place for place in tiny.graph.places if place.holder == seat)
    return sorted(table.kind[token] for token in table.cells[place.index])


def test_an_unseen_hand_may_be_anything_that_is_left() -> None:
    """A holds the Jack: B's card is the Queen or the King, evenly."""
    kuhn = game("kuhn")
    view = kuhn.view(play(kuhn, "J", "Q").table, 0)

    assert [(hand(kuhn, table, 1), odds) for table, odds in worlds(kuhn, view)] == [
        ([1], Fraction(1, 2)),
        ([2], Fraction(1, 2)),
    ]


def test_twins_are_counted_as_cards() -> None:
    """A holds 1 and 2 of 1 1 2 3 4: the other two cards of B are one of three pairs of cards."""
    carousel = game("carousel")
    view = carousel.view(play(carousel, "1", "2", "3", "4").table, 0)

    found = {tuple(hand(carousel, table, 1)) for table, _ in worlds(carousel, view)}

    assert found == {(0, 2), (0, 3), (2, 3)}


def test_a_world_can_be_played_on() -> None:
    """The same seat is asked, and has the same options."""
    kuhn = game("kuhn")
    view = kuhn.view(play(kuhn, "J", "Q", "A: bet").table, 1)

    for table, _ in worlds(kuhn, view):
        stop = kuhn.machine.advance(table)

        assert isinstance(stop, Decision)
        assert [kuhn.option(table, choice) for choice in stop.choices] == ["B: call", "B: fold"]


def test_what_nobody_has_seen_of_a_pile_is_left_open() -> None:
    """The deck of a world is as unsettled as that of the game; what others saw is settled."""
    kuhn = game("kuhn")
    view = kuhn.view(play(kuhn, "J", "Q").table, 0)

    for table, _ in worlds(kuhn, view):
        assert [table.place[t] for t, kind in enumerate(table.kind) if kind == UNRESOLVED] == [1]
        assert sum(map(sum, table.pools.values())) == 1


def test_others_know_in_a_world_what_all_know_of_them() -> None:
    """B publicly looked at a card: in every world of A's view, B can name it."""
    klink = game("mini_klink")
    table = play(
        klink, "A: choose drawn 1 ?", "2", "A: hand_on B", "B: choose drawn 2 ?", "3"
    ).table
    view = klink.view(table, 0)

    for world, _ in worlds(klink, view):
        drawn = world.cells[next(p.index for p in klink.graph.places if p.label == "drawn")]
        assert [world.knows[token] for token in drawn] == [0b001, 0b010]
        assert [world.looked[token] for token in drawn] == [0b001, 0b010]


def test_what_is_public_is_known_to_all_in_a_world() -> None:
    """A card that was turned down can be named by everybody."""
    turns = game("mini_klink_turns")
    table = play(
        turns, "A: choose drawn 1 ?", "2", "A: keep", "3", "A: choose drawn 1 ?", "1"
    ).table
    down = next(t for t, mask in enumerate(table.knows) if mask == 0b111)
    place, kind = table.place[down], table.kind[down]

    for world, _ in worlds(turns, turns.view(table, 1)):
        token = world.cells[place][0]
        assert (world.knows[token], world.kind[token]) == (0b111, kind)


def test_nobody_counts_a_card_twice_that_he_sees_himself() -> None:
    """All know that A has a 2; A sees it, and so knows nothing of cards he cannot name."""
    sandbox = game("sandbox")
    table = play(sandbox, "1", "2", "3", "A: open_hand").table
    own = next(place.index for place in sandbox.graph.places if place.label == "hand[A]")

    for world, _ in worlds(sandbox, sandbox.view(table, 2)):
        facts = {observer: world.facts.get((observer, own)) for observer in range(4)}
        assert facts == {0: None, 1: [1, 1, 0], 2: [1, 1, 0], 3: [1, 1, 0]}


def test_the_picks_of_others_are_taken_back() -> None:
    """A has picked; in B's worlds he has still to, since his new hand may not have that card."""
    carousel = game("carousel")
    picked = play(carousel, "1", "2", "1", "3", "A: choose hand[A] <2>").table

    for observer, waiting in ((0, (1,)), (1, (0, 1))):
        for world, _ in worlds(carousel, carousel.view(picked, observer)):
            stop = carousel.machine.advance(world)
            assert getattr(stop, "seats", None) == waiting


def test_hidden_dice_are_rolled_again() -> None:
    """Any face, evenly; a number noted in secret is only some number, and said to be."""
    secrets = game("secrets")
    view = secrets.view(play(secrets, "2", "3", "1, 2").table, 0)
    cup = next(slots for v, slots in secrets.machine.statics.slots.items() if v.name == "cup")

    faces: dict[object, Fraction] = {}
    for world, odds in worlds(secrets, view):
        face = world.values[cup.first + 1]
        faces[face] = faces.get(face, Fraction(0)) + odds

    assert faces == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    assert secrets.worlds.approximate(view) == ("memo[B]",)


def test_a_world_is_a_function_of_view_and_tape() -> None:
    """The same stream gives the same state, and different streams give different ones."""
    klink = game("mini_klink")
    view = klink.view(play(klink, "A: choose drawn 1 ?", "2").table, 1)

    made = [
        klink.packing.pack(klink.worlds.world(view, Drawn(stream(seed, 0, CHANCE))))
        for seed in (1, 1, *range(2, 12))
    ]

    assert made[0] == made[1]
    assert len(set(made)) > 1
