"""Games played on at random from where they stand, as those who think by trying do.

Playouts have numbers, and a playout of one number from one position is the same whatever machine
plays it.  The compiled machine is taken where the game is lowered and nothing is cut short.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from attrs import define, field

from compiler.lir.reps import Unsupported
from ruleengine.compiled.games import Lowered
from ruleengine.compiled.machine import Stopped, Unavailable
from ruleengine.compiled.resumed import PlayOn
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.players.rewards import Rewards, mean, shared, worth
from ruleengine.rng import CHANCE, Stream, StreamName, stream
from ruleengine.spelling import Unpackable
from ruleengine.stops import ChanceStop, Choice, Decision, JointDecision, Stop, Terminal
from ruleengine.table import Table

LONGEST: Final = 200_000
"""Nodes after which a playout is given up; nobody has won it then."""

_RUN: Final = 0  # the seed of all playouts

_End: TypeAlias = tuple[tuple[int, ...], tuple[int, ...] | None]


@define(eq=False)
class Playouts:
    """Plays one game on."""

    game: Instance
    _compiled: PlayOn | None
    machine: str = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.machine = "interpreter" if self._compiled is None else self._compiled.machine.name

    @classmethod
    def of(cls, game: Instance) -> "Playouts":
        """Those of a game, on the fastest machine that plays it."""
        try:
            return cls(game, PlayOn.of(Lowered(game.interpreter, game.packing), LONGEST))
        except (Unsupported, Unavailable):
            return cls(game, None)

    @classmethod
    def interpreted(cls, game: Instance) -> "Playouts":
        """Those that the reference plays."""
        return cls(game, None)

    def rewards(self, table: Table, stop: Stop | None, number: int, many: int = 1) -> Rewards:
        """What the ends of playouts with numbers from this on are worth to who thinks ahead, in
        the mean; the table is used up.  Without a stop it is looked for if it is wanted."""
        seats = self.game.seats
        found = [
            shared((), seats) if end is None else worth(*end, seats)
            for end in self._ends(table, stop, number, many)
        ]
        return found[0] if many == 1 else mean(found)

    def wins(self, table: Table, stop: Stop, number: int, many: int = 1) -> Rewards:
        """How playouts share a win, in the mean; the table is used up."""
        seats = self.game.seats
        found = self._ends(table, stop, number, many)
        return mean([shared(() if end is None else end[0], seats) for end in found])

    def _ends(self, table: Table, stop: Stop | None, number: int, many: int) -> list[_End | None]:
        """The winners and the scores of playouts, `None` for one that comes to no end."""
        if self._compiled is not None and not isinstance(stop, Terminal):
            try:
                return list(self._machine_ends(self._compiled, table, range(number, number + many)))
            except (Stopped, Unpackable):
                pass  # the reference plays it, and says what is wrong
        stop = stop or self.game.interpreter.advance(table)
        return [self._end(table.copy(), stop, at) for at in range(number, number + many)]

    def _machine_ends(self, machine: PlayOn, table: Table, numbers: range) -> Iterator[_End]:
        for winners, _, scores in machine.ends(table, numbers):
            won = tuple(seat for seat in range(self.game.seats) if winners >> seat & 1)
            yield won, scores

    def _end(self, table: Table, stop: Stop, number: int) -> _End | None:
        """The same of one playout by the reference."""
        last = self.played(table, stop, number, None)
        if not isinstance(last, Terminal) or last.result is None:
            return None
        return last.result.winners, last.result.scores

    def played(self, table: Table, stop: Stop, number: int, cut: int | None) -> Stop | None:
        """Plays on by the reference; stops after `cut` decisions if there is such a limit.

        Where it stopped; `None` where a rule broke down or the playout is too long.
        """
        machine = self.game.interpreter
        streams: dict[StreamName, Stream] = {}
        decided, first = 0, machine.taken

        def below(name: StreamName, many: int) -> int:
            if name not in streams:
                streams[name] = stream(_RUN, number, name)
            return streams[name].below(many)

        try:
            while not isinstance(stop, Terminal):
                if machine.taken - first > LONGEST:
                    return None
                if isinstance(stop, ChanceStop):
                    odds = stop.outcomes
                    machine.draw(table, odds.drawn(below(CHANCE, odds.total)))
                else:
                    if decided == cut:
                        return stop
                    decided += 1
                    seat, choices = asked(stop)
                    machine.choose(table, choices[below(seat, len(choices))])
                stop = machine.advance(table)
        except RuleError:
            return None
        return stop


def asked(stop: Decision | JointDecision) -> tuple[int, tuple[Choice, ...]]:
    """The seat that has to choose, the first of several, and its choices."""
    if isinstance(stop, Decision):
        return stop.seat, stop.choices
    return stop.seats[0], stop.choices[0]


def asked_of(stop: Stop, seat: int) -> tuple[Choice, ...]:
    """The choices of a seat at a stop; none if it is not asked."""
    match stop:
        case Decision(seat=who, choices=choices) if who == seat:
            return choices
        case JointDecision(seats=seats) if seat in seats:
            return stop.of(seat)
        case _:
            return ()
