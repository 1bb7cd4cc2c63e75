"""Who may know what in random games of the shipped rulebooks: what was proved on tiny games."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from ruleengine.knowledge.log import Log
from ruleengine.knowledge.tape import Drawn
from ruleengine.knowledge.view import View
from ruleengine.rng import CHANCE, Stream, stream
from ruleengine.stops import ChanceStop, Choice, Terminal
from ruleengine.table import UNRESOLVED, Table
from tests.knowledge.checks import until_sight
from tests.knowledge.games import Game
from tests.knowledge.histories import Moment
from tests.specs.shipped import instance

BOOKS = (
    ("kuhn", 2),
    ("klink", 3),
    ("jinks", 2),
    ("jinks", 4),
    ("highjinks", 2),
    ("highjinks", 4),
)
QUICK = [pytest.param(name, seats, 1, 25) for name, seats in BOOKS]
LONG = [pytest.param(name, seats, 10, 400, marks=pytest.mark.long) for name, seats in BOOKS]
DISCLOSING = ("kuhn",)  # here the end tells who had the higher card


def plays(game: Game, games: int, decisions: int) -> Iterator[Moment]:
    """The decisions of random games, each as it is reached."""
    for number in range(games):
        dice = stream(number, 0, CHANCE)
        table = game.machine.start()
        log = Log.of(game.hearing, table)
        for _ in range(decisions):
            moment = forward(game, table, log, dice, dice)
            if moment.seat is None:
                break
            yield moment
            choice = moment.choices[dice.below(len(moment.choices))]
            game.machine.choose(table, choice, game.watching(log))


def forward(game: Game, table: Table, log: Log, dice: Stream, hidden: Stream) -> Moment:
    """Goes on to the next decision or end; what hidden cards are is drawn from its own stream."""
    stop = game.machine.advance(table, game.watching(log))
    while isinstance(stop, ChanceStop):
        source = dice if stop.outcomes[0].settles is None else hidden
        outcome = stop.outcomes.drawn(source.below(stop.outcomes.total))
        game.machine.draw(table, outcome, game.watching(log))
        stop = game.machine.advance(table, game.watching(log))
    return Moment(table, log, stop, Fraction(1), ())


@pytest.mark.parametrize(("name", "seats", "games", "decisions"), [*QUICK, *LONG])
def test_nothing_depends_on_what_a_seat_cannot_know(
    name: str, seats: int, games: int, decisions: int
) -> None:
    """P3, P5 to P7, P9, P11: views, options, worlds and packed states, at every decision."""
    game = Game.of(name, instance(name, seats).graph)
    tape = Drawn(stream(99, 0, CHANCE))
    offered: dict[View, list[str]] = {}
    for moment in plays(game, games, decisions):
        table = moment.table
        assert not [
            token
            for token, kind in enumerate(table.kind)
            if kind == UNRESOLVED
            and (table.knows[token] or table.looked[token] or game.machine.sight.sees(table, token))
        ]
        again = game.packing.unpack(game.packing.pack(table))
        for observer in game.observers:
            view = game.view(table, observer)
            assert game.view(again, observer) == view
            world = game.worlds.world(view, tape)
            assert game.view(world, observer) == view
            if observer == moment.seat:
                options = [game.option(table, choice) for choice in moment.choices]
                others = game.machine.options(world, observer)
                assert [game.option(world, choice) for choice in others] == options
                assert offered.setdefault(view, options) == options


@pytest.mark.parametrize(
    ("name", "seats", "games", "decisions"),
    [play for play in (*QUICK, *LONG) if play.values[0] not in DISCLOSING],
)
def test_what_is_heard_next_does_not_depend_on_what_is_hidden(
    name: str, seats: int, games: int, decisions: int
) -> None:
    """P8: after the same choice in a world one hears the same, until one sees a face."""
    game = Game.of(name, instance(name, seats).graph)
    tape = Drawn(stream(98, 0, CHANCE))
    for number, moment in enumerate(plays(game, games, decisions)):
        seat = moment.choices[0].seat
        world = game.worlds.world(game.view(moment.table, seat), tape)
        position = number % len(moment.choices)
        here = heard(game, moment.table, seat, moment.choices[position], number)
        choices = game.machine.options(world, seat)
        assert heard(game, world, seat, choices[position], number) == here


def heard(game: Game, table: Table, seat: int, choice: Choice, number: int) -> tuple[str, ...]:
    """What a seat hears from its choice to the next stop, or until it sees a face."""
    tried = table.copy()
    log = Log.of(game.hearing, tried)
    game.machine.choose(tried, choice, game.watching(log))
    after = forward(game, tried, log, stream(number, 1, CHANCE), stream(number, 2, CHANCE))
    entries = log.entries[seat][1:]
    return until_sight(entries if not isinstance(after.stop, Terminal) else entries[:-1])
