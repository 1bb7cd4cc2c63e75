"""The canonical state: what has room in it, how much, and what shares it."""

from struct import calcsize

import pytest
from attrs import evolve

from compiler.diagnostic import InternalError
from compiler.graph.codec import (
    Limits,
    Listed,
    Mask,
    Maybe,
    Scalar,
    Several,
    TokenRef,
    TokenSet,
    codec,
    highest,
    width,
)
from compiler.graph.core import (
    Apply,
    Assign,
    Bound,
    Call,
    Const,
    Domain,
    DomainMode,
    End,
    Ending,
    FaceTarget,
    Fold,
    FoldMode,
    Graph,
    Jump,
    Move,
    Return,
    Variable,
)
from compiler.graph.layout import Layout, layout
from compiler.graph.parts import Field, Slot
from compiler.ops.lists import JUST, REST
from compiler.types import BOOL, SQUARE, Enum, Int, ListOf, Optional, Player, SetOf, Token, Type
from tests.unit import small_graph as small
from tests.unit.small_graph import all_of, flow, graph, place, read

NO_LIMITS = Limits()
STOP = flow(End(Ending.DRAW, None))
SMALL = layout(small.everything())


def bags(found: Layout, index: int) -> list[tuple[bool, tuple[str, ...]]]:
    """The faces and flags that tokens can have in a place."""
    return [(bag.face, bag.flags) for bag in found.bags if bag.place == index]


def slot(found: Layout, variable: Variable, bank: int = 0) -> Slot:
    """The slot of a variable."""
    return next(s for s in found.slots if s.variable is variable and s.bank == bank)


def field(found: Layout, variable: Variable, bank: int = 0) -> Field:
    """The field of a variable."""
    return found.fields[slot(found, variable, bank).field]


def meet(a: Field, b: Field) -> bool:
    """Whether two fields share bytes."""
    return a.offset < b.offset + b.size and b.offset < a.offset + a.size


# ---- fields


def test_the_format_is_as_long_as_the_state() -> None:
    """`struct` reads a state whole: its format has the state's size."""
    assert calcsize(SMALL.format) == SMALL.size


def test_a_state_is_made_of_words() -> None:
    """Core and knowledge are each padded to eight bytes."""
    assert (SMALL.core_size % 8, SMALL.size % 8) == (0, 0)


def test_every_atom_is_aligned() -> None:
    """An atom of n bytes lies at a multiple of n."""
    assert all(entry.offset % entry.width == 0 for entry in SMALL.fields)


def test_only_locals_share_room() -> None:
    """No two fields meet unless both are locals of phases that never run together."""
    shared = {slot.field for slot in SMALL.slots if slot.variable.phase is not None}
    clashes = [
        (a.name, b.name)
        for at, a in enumerate(SMALL.fields)
        for other, b in enumerate(SMALL.fields[:at])
        if meet(a, b) and not {at, other} <= shared
    ]

    assert clashes == []


def test_knowledge_lies_behind_the_core() -> None:
    """What seats know is a tail that can be cut off."""
    tail = [SMALL.fields[sight.field] for sight in SMALL.sights]
    tail += [SMALL.fields[plane.field] for fact in SMALL.facts for plane in fact.contents.planes]

    assert all(entry.offset >= SMALL.core_size for entry in tail)


def test_the_description_names_every_field() -> None:
    """People can read which byte holds what: one line per field."""
    assert len(SMALL.describe().splitlines()) == 1 + len(SMALL.fields)


# ---- tokens


def test_a_set_counts_kinds_in_planes() -> None:
    """Chips with up to three copies need three masks, each of the kinds with so many."""
    bag = next(bag for bag in SMALL.bags if bag.place == small.PURSE)

    assert [plane.sorts for plane in bag.contents.planes] == [(0, 1, 2), (1, 2), (2,)]


def test_many_copies_of_few_kinds_are_counted() -> None:
    """Five and four stones of two kinds take two numbers, not five masks."""
    stones = [bag for bag in SMALL.bags if bag.token_class == "stone"]

    assert [
        (bag.contents.planes, SMALL.fields[bag.contents.counts or 0].count) for bag in stones
    ] == [((), 2)]


def test_sixty_four_kinds_fit_one_word() -> None:
    """A mask over 64 kinds uses all bits of an unsigned word."""
    bag = next(bag for bag in SMALL.bags if bag.place == small.HAND_A)

    assert [
        (SMALL.fields[plane.field].width, SMALL.fields[plane.field].count)
        for plane in bag.contents.planes[:1]
    ] == [(8, 1)]


def test_faces_and_flags_make_bags_of_their_own() -> None:
    """On the table cards are tapped or not; whatever is aside lies up or down."""
    bent = ((), ("bent",))

    assert bags(SMALL, small.TABLE) == [
        (True, ()),
        (True, ("tapped",)),
        (True, ("bent",)),
        (True, ("bent", "tapped")),
    ]
    assert [(up, flags) for up in (True, False) for flags in bent] == bags(SMALL, small.ASIDE)


def test_towers_share_their_cells() -> None:
    """Six chips on three towers need six cells between them, not eighteen."""
    towers = next(run for run in SMALL.rows if small.TOWER_1 in run.places)

    assert (towers.places, towers.capacity) == ((small.TOWER_1, small.TOWER_2, small.TOWER_3), 6)


def test_a_board_of_single_pieces_is_a_bitboard_for_each_kind() -> None:
    """Two by two squares are four bits of one byte, in the order of the squares."""
    (board,) = SMALL.boards
    squares = [place.index for place in small.PLACES if place.square is not None]

    assert list(board.places) == squares
    assert [SMALL.fields[field].width for field in board.fields] == [1, 1]


def test_a_face_is_spelled_only_where_both_occur() -> None:
    """The deck never has a card face up, the spot may."""
    deck = next(run for run in SMALL.rows if small.DECK in run.places)
    spot = next(run for run in SMALL.rows if small.SPOT in run.places)

    assert (deck.code.faces, spot.code.faces) == ((False,), (True, False))


def test_only_what_is_shuffled_has_a_pool() -> None:
    """Cards of the deck lie without a kind there, and where they are moved unseen."""
    assert [pool.place for pool in SMALL.pools] == [small.DECK]
    assert [(u.place, u.pool) for u in SMALL.unresolved] == [(small.ASIDE, small.DECK)]


# ---- knowledge


def test_a_game_without_hidden_cards_has_no_knowledge() -> None:
    """Where no card ever lies face down nothing is kept of who has seen what."""
    open_places = tuple(evolve(p, face_up=True) for p in small.PLACES)
    found = layout(evolve(graph((STOP, (), "start")), places=open_places))

    assert found.core_size == found.size


def test_who_sees_a_hand_needs_no_facts_about_it() -> None:
    """Of A's hand only B and the public can know less than everything."""
    facts = [fact.observer for fact in SMALL.facts if fact.place == small.HAND_A]

    assert facts == [1, small.SEATS]


# ---- where tokens can be


def faces(made: Graph, index: int) -> set[bool]:
    """The faces that tokens of a set can have."""
    return {bag.face for bag in layout(made).bags if bag.place == index}


CARD_LOCAL = Variable("card", Token("card"), phase="inner")
FLIP = Assign(FaceTarget(), (read(CARD_LOCAL),), Const(False))


def test_what_a_local_means_lies_where_it_was_taken_from() -> None:
    """Turning down a card taken from the table leaves the hands' cards as they are."""
    made = small.with_locals(
        graph(
            (Assign(CARD_LOCAL, (), all_of(small.TABLE)), (1,), "inner"),
            (FLIP, (2,), "inner"),
            (flow(Return()), (), "inner"),
        ),
        "inner",
        CARD_LOCAL,
    )

    assert [{True, False}, {True}] == [faces(made, small.TABLE), faces(made, small.BOX)]


def test_a_local_follows_its_token() -> None:
    """A card turned down after it was moved aside lies face down there, not on the table."""
    just = Apply(JUST, (read(CARD_LOCAL),), type=ListOf(Token("card")))
    made = small.with_locals(
        graph(
            (Assign(CARD_LOCAL, (), all_of(small.TABLE)), (1,), "inner"),
            (Move(just, place(small.ASIDE), True), (2,), "inner"),
            (FLIP, (3,), "inner"),
            (flow(Return()), (), "inner"),
        ),
        "inner",
        CARD_LOCAL,
    )

    assert [{True}, {True, False}] == [faces(made, small.TABLE), faces(made, small.ASIDE)]


# ---- variables


def kept(type_: Type, limits: Limits = NO_LIMITS) -> object:
    """How a value of a type is kept in the small graph."""
    return codec(small.everything(), type_, limits)


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        (Int(-5, 5), Scalar(-5, 11)),
        (Optional(Int(-5, 5)), Scalar(-5, 11, optional=True)),
        (BOOL, Scalar(0, 2, truth=True)),
        (Enum("suit", ("a", "b", "c")), Scalar(0, 3)),
        (SetOf(Player(3)), Mask((0, 1, 2))),
        (Optional(SetOf(Player(3))), Maybe(Mask((0, 1, 2)))),
        (ListOf(Player(3)), Several(Scalar(0, 3), 3, False)),
        (Token("chip"), TokenRef("chip", 12)),
        (SetOf(SQUARE), Mask(small.GRID)),
    ],
    ids=str,
)
def test_a_type_says_how_its_values_are_kept(type_: Type, expected: object) -> None:
    """Numbers by their distance from the lowest, sets as masks, lists one by one."""
    assert expected == kept(type_)


def test_a_set_of_tokens_is_a_mask_of_their_names() -> None:
    """Six chips that all have a kind have six names."""
    assert TokenSet("chip", 6) == kept(SetOf(Token("chip")), Limits(unresolved=False))


def test_an_ascending_list_is_kept_as_a_set() -> None:
    """A list of numbers that always ascends is known from its members."""
    assert Mask(tuple(range(20))) == kept(ListOf(Int(0, 19)), Limits(ascending=True))


def test_a_die_is_kept_by_its_face() -> None:
    """A die with faces that are lists needs one byte; before a roll it is `none`."""
    assert Listed(small.FACES) == slot(SMALL, small.die).codec


@pytest.mark.parametrize(("largest", "bytes_"), [(255, 1), (256, 2), (1 << 63, 8)])
def test_atoms_are_as_narrow_as_their_bounds(largest: int, bytes_: int) -> None:
    """A number takes 1, 2, 4 or 8 bytes; 2 to the 63 fits the widest."""
    assert bytes_ == width(largest)


def test_no_atom_is_wider_than_a_word() -> None:
    """What needs 65 bits is refused, not cut off."""
    with pytest.raises(InternalError):
        width(1 << 64)


def test_the_highest_atom_of_a_list_may_be_its_length() -> None:
    """A list of 300 booleans counts to 300."""
    assert highest(Several(Scalar(0, 2), 300, False)) == 300


def looping() -> Graph:
    """A phase that walks a list: `left = source; left = rest of left`."""
    left = Variable("left", ListOf(Int(0, 99)), phase="inner", initial=())
    rest = Apply(REST, (read(left),), type=left.type)
    made = graph(
        (Assign(left, (), Const((3, 7, 9), type=left.type)), (1,), "inner"),
        (Assign(left, (), rest), (2,), "inner"),
        (flow(Return()), (), "inner"),
    )
    return small.with_locals(made, "inner", left)


def test_a_list_in_a_local_is_as_long_as_what_it_is_given() -> None:
    """What is left of a list never is longer than the list, nor out of order."""
    made = looping()
    (left,) = made.phase("inner").locals

    assert slot(layout(made), left).codec == Several(Scalar(0, 100), 3, False)


def test_a_filtered_list_keeps_its_order() -> None:
    """All numbers of an ascending range that pass a test ascend: they are kept as a mask."""
    every = Const(tuple(range(60)), type=ListOf(Int(0, 59)))
    some = Fold(
        FoldMode.FILTER, Bound("x", 0), Domain(DomainMode.MEMBERS, every), small.TRUE, None,
        type=ListOf(Int(0, 59)),
    )  # fmt: skip
    local = Variable("some", ListOf(Int(0, 59)), phase="inner", initial=())
    made = small.with_locals(
        graph((Assign(local, (), some), (1,), "inner"), (flow(Return()), (), "inner")),
        "inner",
        local,
    )

    assert slot(layout(made), local).codec == Mask(tuple(range(60)))


# ---- frames


def frames(way: Call | Jump) -> Layout:
    """A graph whose `start` calls `other` and then enters `inner`."""
    return layout(
        graph(
            (flow(Call("other")), (1,), "start"),
            (flow(way), (2,) if isinstance(way, Call) else (), "start"),
            *([(STOP, (), "start")] if isinstance(way, Call) else []),
            (flow(Return()), (), "inner"),
            (flow(Return()), (), "other"),
        )
    )


def test_phases_that_never_run_together_share_room() -> None:
    """Two phases called one after the other have their locals in the same bytes."""
    found = frames(Call("inner"))

    assert meet(field(found, small.inner_param), field(found, small.other_local))


def test_a_caller_keeps_its_room() -> None:
    """A phase that waits for another has its locals to itself."""
    found = frames(Call("inner"))

    assert not meet(field(found, small.outer_local), field(found, small.inner_param))


def test_a_phase_that_is_jumped_to_has_room_beside_the_old_one() -> None:
    """Its parameters are set while the old phase's locals are still read."""
    found = frames(Jump("inner"))

    assert not meet(field(found, small.outer_local), field(found, small.inner_param))


def test_a_trigger_has_room_of_its_own() -> None:
    """A phase that runs while a trigger interrupts it has other locals than inside the trigger."""
    assert not meet(field(SMALL, small.other_local), field(SMALL, small.other_local, bank=1))


def test_the_stack_is_as_high_as_calls_can_make_it() -> None:
    """Two calls in each other, then a trigger and a call in it: four entries."""
    stack = SMALL.control.stack

    assert stack is not None
    assert SMALL.fields[stack].count == 4


def test_a_phase_that_calls_itself_is_refused() -> None:
    """A stack without a bound has no layout."""
    made = graph((flow(Call("start")), (1,), "start"), (STOP, (), "start"))

    with pytest.raises(InternalError):
        layout(made)
