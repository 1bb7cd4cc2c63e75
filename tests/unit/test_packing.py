"""Canonical bytes: they forget which twin is which and nothing that matters."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.graph.core import Shape, Value, Variable
from ruleengine.packing import Packing
from ruleengine.spelling import Unpackable
from ruleengine.statics import statics_of
from ruleengine.table import UNRESOLVED, Table
from tests.unit import small_graph as small

GRAPH = small.everything()
STATICS = statics_of(GRAPH)
PACKING = Packing.of(STATICS)
CARDS, CHIPS, STONES = STATICS.class_tokens
TAPPED, BENT = (1 << STATICS.flag_bits[name] for name in ("tapped", "bent"))
WHERE = {
    0: (small.BOX, small.DECK, small.TABLE, small.HAND_A, small.HAND_B, small.SPOT, small.ASIDE),
    1: (small.BOX, small.PURSE, small.TOWER_1, small.TOWER_2, small.TOWER_3),
    2: (small.BOX, *small.GRID),
}
HIDDEN = (small.DECK, small.ASIDE)


def put(table: Table, token: int, place: int) -> None:
    """Moves a token to a place as that place's rule lays it."""
    table.cells[table.place[token]].remove(token)
    table.cells[place].append(token)
    table.place[token] = place
    table.face[token] = GRAPH.places[place].face_up


TOKENS = range(STATICS.tokens)
MARKS = st.integers(0, (1 << len(TOKENS)) - 1)
"""A yes or no for every token."""


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Tables with tokens anywhere, cards without a kind, references, and a call or two open."""
    table = STATICS.new_table()
    for token in CARDS:
        put(table, token, small.DECK)
    moves = st.tuples(st.sampled_from(TOKENS), st.integers(0, 6))
    for token, choice in draw(st.lists(moves, max_size=40)):
        places = WHERE[STATICS.token_class[token]]
        place = places[choice % len(places)]
        if not (place in (small.SPOT, *small.GRID) and table.cells[place]):
            put(table, token, place)
    tapped, bent, up = draw(MARKS), draw(MARKS), draw(MARKS)
    for token in table.cells[small.TABLE]:
        table.flags[token] = (tapped >> token & 1) * TAPPED | (bent >> token & 1) * BENT
    for token in table.cells[small.ASIDE] + table.cells[small.SPOT]:
        table.face[token] = bool(up >> token & 1)
    _hide(table, draw(MARKS))
    _learn(table, draw(MARKS), draw(MARKS))
    _remember(draw, table)
    table.node, table.stack, table.in_trigger = draw(st.sampled_from(SITUATIONS))
    table.held = draw(st.integers(0, 1))
    table.fired = draw(st.integers(0, 1))
    return table


SITUATIONS: Sequence[tuple[int, list[int], bool]] = (
    (0, [], False),
    (5, [0], False),
    (7, [0, 5], False),
    (9, [0, -1 - 13], True),
    (7, [0, 5, -1 - 7, 9], True),
)


def _hide(table: Table, hidden: int) -> None:
    """Takes the kinds of some cards in the deck and aside into the deck's pool."""
    pool = [0] * STATICS.sorts(0)
    for place in HIDDEN:
        for token in table.cells[place]:
            if not table.face[token] and hidden >> token & 1:
                pool[STATICS.sort(table, token)] += 1
                table.kind[token] = UNRESOLVED
                table.pool[token] = small.DECK
    if any(pool):
        table.pools[small.DECK] = pool


def _learn(table: Table, by_one: int, by_all: int) -> None:
    """Lets seats know cards of the deck and the spot, and what B has seen of A's hand."""
    for token in table.cells[small.DECK] + table.cells[small.SPOT]:
        if table.kind[token] != UNRESOLVED and not table.face[token]:
            table.knows[token] = 7 if by_all >> token & 1 else 2 * (by_one >> token & 1)
            table.looked[token] = table.knows[token] & 3
    known = [0] * STATICS.sorts(0)
    for token in table.cells[small.HAND_A]:
        known[STATICS.sort(table, token)] += by_one >> token & 1
    if any(known):
        table.facts[1, small.HAND_A] = known


def _remember(draw: st.DrawFn, table: Table) -> None:
    def give(variable: Variable, *values: Value) -> None:
        slots = STATICS.slots[variable]
        for first in slots.banks():
            table.values[first : first + len(values)] = values

    chips = st.lists(st.sampled_from(CHIPS), unique=True).map(tuple)
    cards = MARKS.map(lambda marks: tuple(t for t in CARDS if marks >> t & 1))
    give(small.chip_list, draw(chips))
    give(small.card_set, draw(cards))
    give(small.chosen_chip, draw(st.none() | st.sampled_from(CHIPS)))
    give(small.score, draw(st.integers(-300, 300)), draw(st.integers(-300, 300)))
    give(small.passed, draw(st.sampled_from(((), (0,), (1,), (0, 1)))))
    give(small.target, draw(st.none() | st.sampled_from(small.GRID)))
    give(small.die, draw(st.none() | st.sampled_from(small.FACES)))
    give(small.outer_local, draw(chips))
    give(small.inner_param, draw(st.integers(0, 9)))
    give(small.inner_local, draw(st.none() | st.sampled_from(CHIPS)))
    give(small.other_local, draw(st.integers(0, 9)))


@given(tables())
def test_bytes_are_a_table_and_back(table: Table) -> None:
    """Unpacked and packed again, a state is the same to the last bit of knowledge."""
    data = PACKING.pack(table)

    assert data == PACKING.pack(PACKING.unpack(data))


@given(tables(), st.data())
def test_twins_have_no_names(table: Table, data: st.DataObject) -> None:
    """Two tables in which twins have changed handles, wherever they lie, are one state."""
    renamed = _rename(table, data.draw(st.permutations(CHIPS), label="chips"), CHIPS.start)
    renamed = _rename(renamed, data.draw(st.permutations(STONES), label="stones"), STONES.start)

    assert PACKING.pack(table) == PACKING.pack(renamed)


def _rename(table: Table, order: Sequence[int], start: int) -> Table:
    """The same table with the handles from `start` on permuted."""
    new = {start + at: token for at, token in enumerate(order)}
    renamed = table.copy()
    for token, other in new.items():
        renamed.kind[other] = table.kind[token]
        renamed.place[other] = table.place[token]
        renamed.face[other] = table.face[token]
        renamed.flags[other] = table.flags[token]
    renamed.cells = [[new.get(token, token) for token in cells] for cells in table.cells]
    for variable in (small.chip_list, small.chosen_chip, small.outer_local, small.inner_local):
        for first in STATICS.slots[variable].banks():
            renamed.values[first] = _renamed(table.values[first], new)
    return renamed


def _renamed(value: Value, new: dict[int, int]) -> Value:
    if isinstance(value, tuple):
        return tuple(_renamed(part, new) for part in value)
    return value if value is None else new.get(value, value)


@given(tables())
def test_nothing_that_matters_is_lost(table: Table) -> None:
    """Faces, flags, orders, pools, knowledge and live variables come back as they were."""
    back = PACKING.unpack(PACKING.pack(table))

    assert _sights(table) == _sights(back)
    assert table.pools == back.pools
    assert table.facts == back.facts
    assert (table.node, table.stack) == (back.node, back.stack)
    assert (table.held, table.fired, table.in_trigger) == (
        back.held,
        back.fired,
        back.in_trigger,
    )
    score = STATICS.offset(small.score)
    assert table.values[score : score + 2] == back.values[score : score + 2]


def _sights(table: Table) -> list[list[tuple[int, ...]]]:
    """What lies in each place, in order where there is one."""
    found: list[list[tuple[int, ...]]] = []
    for place in GRAPH.places:
        looks: list[tuple[int, ...]] = [
            (
                STATICS.token_class[token],
                table.kind[token],
                table.pool[token],
                table.face[token],
                table.flags[token],
                table.looked[token],
                table.knows[token],
            )
            for token in table.cells[place.index]
        ]
        found.append(sorted(looks) if place.shape is Shape.SET else list(looks))
    return found


@given(tables())
def test_a_reference_follows_its_token(table: Table) -> None:
    """A list of tokens names, after unpacking, tokens of the same kinds in the same places."""
    back = PACKING.unpack(PACKING.pack(table))
    slot = STATICS.offset(small.chip_list)

    def named(where: Table) -> list[tuple[int, int]]:
        value = where.values[slot]
        assert isinstance(value, tuple)
        return [(where.kind[t], where.place[t]) for t in value if isinstance(t, int)]

    assert named(table) == named(back)


def test_the_last_of_64_cards_has_bit_63() -> None:
    """A place with the 64th kind alone is a mask with only its top bit set, read without a sign."""
    table = STATICS.new_table()
    put(table, CARDS[63], small.TABLE)

    data = PACKING.pack(table)

    field = next(f for f in PACKING.layout.fields if f.name == "table card up: more than 0")
    assert data[field.offset : field.offset + 8] == bytes((0, 0, 0, 0, 0, 0, 0, 0x80))
    assert [PACKING.unpack(data).kind[t] for t in PACKING.unpack(data).cells[small.TABLE]] == [63]


def test_two_twins_of_which_one_is_meant_are_two_states() -> None:
    """Which of two equal chips lies in the purse matters once a variable means one of them."""
    first, second = CHIPS[1], CHIPS[2]
    table = STATICS.new_table()
    table.values[STATICS.offset(small.chosen_chip)] = first
    other = table.copy()
    put(table, first, small.PURSE)
    put(other, second, small.PURSE)

    assert PACKING.pack(table) != PACKING.pack(other)


def test_what_nobody_will_read_does_not_count() -> None:
    """Once the game has ended, positions with other points are one."""
    table = STATICS.new_table(node=4)
    other = table.copy()
    other.values[STATICS.offset(small.score)] = 17

    assert PACKING.pack(table) == PACKING.pack(other)


def test_knowledge_is_behind_the_core() -> None:
    """Who knows a card changes the tail of a state, not its core."""
    table = STATICS.new_table()
    put(table, CARDS[0], small.DECK)
    told = table.copy()
    told.knows[CARDS[0]] = 1

    size = PACKING.core_size
    assert PACKING.pack(table)[:size] == PACKING.pack(told)[:size]
    assert PACKING.pack(table) != PACKING.pack(told)


def test_a_position_that_cannot_arise_is_refused() -> None:
    """No card ever lies face down on the table, so that a state has no room for it."""
    table = STATICS.new_table()
    put(table, CARDS[0], small.TABLE)
    table.face[CARDS[0]] = False

    with pytest.raises(Unpackable):
        PACKING.pack(table)
