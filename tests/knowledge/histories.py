"""All histories of a tiny game: every choice and every outcome of chance."""

from collections.abc import Iterator
from fractions import Fraction
from zlib import crc32

from attrs import frozen

from ruleengine.knowledge.log import Log, information_state
from ruleengine.stops import ChanceStop, Choice, Decision, JointDecision, Stop, Terminal
from ruleengine.table import Table
from tests.knowledge.games import Game


@frozen(eq=False)
class Moment:
    """A decision or an end in one history: where one has got to, and how likely that is.

    `law` is the probability under `likely`; `own` has per seat what it was asked and chose so far.
    """

    table: Table
    log: Log
    stop: Stop
    law: Fraction
    own: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def seat(self) -> int | None:
        """Who is asked; in a joint decision the first who has not chosen; `None` at an end."""
        match self.stop:
            case Decision(seat=seat):
                return seat
            case JointDecision(seats=seats):
                return seats[0]
            case _:
                return None

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What he may choose."""
        match self.stop:
            case Decision(choices=choices):
                return choices
            case JointDecision(choices=choices):
                return choices[0]
            case _:
                return ()

    def heard(self, observer: int) -> str:
        """What an observer has observed so far."""
        return information_state(self.log, observer)


def moments(game: Game) -> Iterator[Moment]:
    """Every decision and every end of every history, depth first."""
    table = game.machine.start()
    log = Log.of(game.hearing, table)
    yield from _after(game, Moment(table, log, Terminal(0, None), Fraction(1), ((),) * game.seats))


def continued(game: Game, moment: Moment, choice: Choice) -> Iterator[Moment]:
    """The next decisions or ends after a choice, and all that follow them."""
    yield from _after(game, chosen(game, moment, choice))


def nexts(game: Game, moment: Moment, choice: Choice) -> Iterator[Moment]:
    """The next decisions or ends after a choice."""
    yield from _stops(game, chosen(game, moment, choice))


def chosen(game: Game, moment: Moment, choice: Choice) -> Moment:
    """A history with one more choice."""
    table, log = moment.table.copy(), moment.log.copy()
    game.machine.choose(table, choice, game.watching(log))
    own = list(moment.own)
    own[choice.seat] = (*own[choice.seat], (choice.node, choice.index))
    law = moment.law * likely(moment, choice)
    return Moment(table, log, moment.stop, law, tuple(own))


def likely(moment: Moment, choice: Choice) -> Fraction:
    """A policy that gives every option a chance and is a function of what its seat has heard."""
    heard = moment.heard(choice.seat)
    weights = [1 + crc32(f"{heard}{other.index}".encode()) % 3 for other in moment.choices]
    return Fraction(weights[choice.index], sum(weights))


def _after(game: Game, moment: Moment) -> Iterator[Moment]:
    for reached in _stops(game, moment):
        yield reached
        for choice in reached.choices:
            yield from continued(game, reached, choice)


def _stops(game: Game, moment: Moment) -> Iterator[Moment]:
    """Goes on to the next decision or end by every way that chance may take; uses the moment up."""
    table, log = moment.table, moment.log
    stop = game.machine.advance(table, game.watching(log))
    if not isinstance(stop, ChanceStop):
        yield Moment(table, log, stop, moment.law, moment.own)
        return
    for outcome in stop.outcomes:
        way, told = table.copy(), log.copy()
        game.machine.draw(way, outcome, game.watching(told))
        law = moment.law * Fraction(outcome.weight, stop.outcomes.total)
        yield from _stops(game, Moment(way, told, stop, law, moment.own))


def play(game: Game, *answers: str) -> Moment:
    """One history: at each stop the answer as its seat says it, or the result of chance."""
    table = game.machine.start()
    log = Log.of(game.hearing, table)
    moment = Moment(table, log, Terminal(0, None), Fraction(1), ((),) * game.seats)
    watching = game.watching(log)
    stop = game.machine.advance(table, watching)
    for answer in answers:
        if isinstance(stop, ChanceStop):
            named = {outcome.label: outcome for outcome in stop.outcomes}
            game.machine.draw(table, named[answer], watching)
        else:
            moment = Moment(table, log, stop, Fraction(1), moment.own)
            said = {game.option(table, choice): choice for choice in moment.choices}
            game.machine.choose(table, said[answer], watching)
        stop = game.machine.advance(table, watching)
    return Moment(table, log, stop, Fraction(1), moment.own)
