"""What is hidden from a seat in the shipped rulebooks changes neither its answers nor its view.

Random games are stopped at every decision; cards that the asked seat cannot tell become others.
"""

from collections.abc import Iterator

import pytest
from attrs import frozen

from compiler.graph.values import seat_text
from ruleengine.game import Instance
from ruleengine.rng import CHANCE, Stream, stream
from ruleengine.stops import ChanceStop, Choice, Decision, JointDecision, Stop, Terminal
from ruleengine.table import UNRESOLVED, Table
from tests.specs import shipped

KLINK = [
    ("players=3",),
    ("players=5",),
    ("players=3", "memory=hidden", "second_look=explicit_option"),
    ("players=4", "several_pairs=one_pair_owner_chooses", "no_use=any_may_fizzle"),
    ("players=3", "forced_keep=keeps_directly", "copies_per_value=low_heavy"),
]
MIXED = ("players=4", "identity=shuffled_when_passed")  # what was passed is as good as not dealt
OPEN = [(name, players) for name in ("jinx", "jinxx") for players in shipped.counts(name)]
STOPS = 150  # decisions that are looked at in one game


@frozen(eq=False)
class Moment:
    """A decision of a game: the table, a seat that is asked, its answers."""

    table: Table
    seat: int
    choices: tuple[Choice, ...]


def game(name: str, *settings: str) -> Instance:
    """A shipped rulebook with these settings."""
    return Instance.of(shipped.instance(name, None, *settings))


def asked(stop: Stop) -> tuple[tuple[int, tuple[Choice, ...]], ...]:
    """The seats a stop asks, with their choices."""
    match stop:
        case Decision(_, seat, choices):
            return ((seat, choices),)
        case JointDecision(_, seats, each):
            return tuple(zip(seats, each, strict=True))
        case _:
            return ()


def moments(played: Instance, number: int) -> Iterator[Moment]:
    """The decisions of a random game, the first of them only if they are many."""
    machine, chance, picks = played.interpreter, stream(5, number, CHANCE), stream(5, number, 0)
    table, left = machine.start(), STOPS
    while left > 0:
        stop = machine.advance(table, played.knowledge)
        if isinstance(stop, Terminal):
            return
        if isinstance(stop, ChanceStop):
            outcome = stop.outcomes.drawn(chance.below(stop.outcomes.total))
            machine.draw(table, outcome, played.knowledge)
            continue
        left -= 1
        for seat, choices in asked(stop):
            yield Moment(table.copy(), seat, choices)
        _, choices = asked(stop)[0]
        machine.choose(table, choices[picks.below(len(choices))], played.knowledge)


def told(played: Instance, table: Table, seat: int) -> tuple[tuple[str, ...], bytes]:
    """The answers of a seat in words, and its view of the table."""
    choices = played.interpreter.options(table, seat)
    view = played.hearing.viewer.view(table, seat)
    return played.wording.choices(table, choices), bytes(view)


def index(played: Instance, label: str) -> int:
    """The place of that name."""
    return next(place.index for place in played.graph.places if place.label == label)


def exchanged(played: Instance, table: Table, seat: int, dice: Stream) -> tuple[Table, int]:
    """A table on which cards drawn or in the deck that a seat cannot tell are others; how many."""
    other, deck = table.copy(), index(played, "deck")
    unseen, count = other.pools.get(deck), 0
    for token in (*other.cells[index(played, "drawn")], *other.cells[deck]):
        knowing = played.interpreter.sight.sees(other, token) | other.knows[token]
        if unseen is None or other.kind[token] == UNRESOLVED or knowing >> seat & 1:
            continue
        kinds = [kind for kind, left in enumerate(unseen) if left and kind != other.kind[token]]
        if kinds:
            unseen[other.kind[token]] += 1
            other.kind[token] = kinds[dice.below(len(kinds))]
            unseen[other.kind[token]] -= 1
            count += 1
    return other, count


@pytest.mark.parametrize("settings", KLINK, ids=" ".join)
def test_answers_do_not_tell_hidden_cards(settings: tuple[str, ...]) -> None:
    """KL-I7: whatever the cards are that a seat cannot tell, it is offered and shown the same."""
    played, dice = game("klink", *settings), stream(6, 0, CHANCE)
    count = 0
    for number in range(3):
        for moment in moments(played, number):
            table, some = exchanged(played, moment.table, moment.seat, dice)
            count += some

            assert told(played, table, moment.seat) == told(played, moment.table, moment.seat)

    assert count > 0


def test_a_card_that_was_looked_at_is_shown() -> None:
    """KL-4.2: who has looked at a card would see it if it were another."""
    played = game("klink", "players=3")
    differ = 0
    for moment in moments(played, 0):
        table = moment.table.copy()
        for token in table.cells[index(played, "drawn")]:
            if table.knows[token] >> moment.seat & 1:
                table.kind[token] = (table.kind[token] + 1) % 26
        differ += told(played, table, moment.seat)[1] != told(played, moment.table, moment.seat)[1]

    assert differ > 0


@pytest.mark.parametrize("settings", [*KLINK, MIXED], ids=" ".join)
def test_cards_to_look_at_are_named_by_their_place(settings: tuple[str, ...]) -> None:
    """KL-4.2, KL-4.10: the two cards are `drawn[1]` and `drawn[2]` to who has not looked."""
    played = game("klink", *settings)
    drawn = index(played, "drawn")
    found = set()
    for moment in moments(played, 1):
        tokens = moment.table.cells[drawn]
        if any(moment.table.knows[token] >> moment.seat & 1 for token in tokens):
            continue
        values = {choice.values for choice in moment.choices}
        if tokens and values == {(token,) for token in tokens}:
            found.add(told(played, moment.table, moment.seat)[0])

    assert found == {("choose drawn[1]", "choose drawn[2]")}


@pytest.mark.parametrize(("name", "players"), OPEN, ids=str)
def test_nothing_is_hidden(name: str, players: int) -> None:
    """JI-I8, JXX-I11: every seat sees what the public sees."""
    played = game(name, f"players={players}")
    machine, dice = played.interpreter, stream(7, players, CHANCE)
    table = machine.start()
    for _ in range(STOPS):
        stop = machine.advance(table, played.knowledge)
        views = {
            tuple(played.hearing.place(table, place.index, seat) for place in played.graph.places)
            for seat in range(players + 1)
        }

        assert len(views) == 1, f"{seat_text(0)} sees other things than the public"
        if isinstance(stop, Terminal):
            return
        if isinstance(stop, ChanceStop):
            machine.draw(table, stop.outcomes.drawn(dice.below(stop.outcomes.total)))
        else:
            _, choices = asked(stop)[0]
            machine.choose(table, choices[dice.below(len(choices))])
