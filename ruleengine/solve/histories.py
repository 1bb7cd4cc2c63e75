"""Every history of a small game for two seats, with what each seat has heard when it is asked.

Two histories in which a seat has heard the same are one *information set* to it: it must act alike
in both.  A *sequence* is one answer at one information set, and with it all that the seat answered
before; number 0 is the empty sequence.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, assert_never

from attrs import define, field, frozen

from ruleengine.exploration import Walk
from ruleengine.game import Instance
from ruleengine.knowledge.log import Log, Observers, information_state
from ruleengine.solve.best import NotSolvable, Worth
from ruleengine.stops import ChanceStop, Choice, Decision, JointDecision, Stop, Terminal
from ruleengine.table import Table

HISTORY_LIMIT: Final = 100_000
"""Histories after which a game is too large to be solved with what it hides."""

SEATS: Final = 2


@frozen
class Moment:
    """An information set: all that its seat has heard, its sequences there, in the order of the
    answers, the words of these, and the sequence that led there.

    `ranks` are the moves of one history in which the seat has heard that.
    """

    seat: int
    heard: str
    parent: int
    sequences: range
    answers: tuple[str, ...]
    ranks: tuple[int, ...] = ()


@define(eq=False)
class Histories:
    """A game's tree, as far as solving needs it.

    `moments` are those of each seat, a later one never before an earlier one of the same history.
    `payoffs` have, for a sequence of each seat, what ends that both and chance allow come to: the
    sum over the ends of the probability of chance times the worth to the first seat.
    """

    game: Instance
    worth: Worth
    limit: int = HISTORY_LIMIT
    moments: tuple[list[Moment], list[Moment]] = field(init=False, factory=lambda: ([], []))
    sizes: list[int] = field(init=False, factory=lambda: [1] * SEATS)
    payoffs: dict[tuple[int, int], Fraction] = field(init=False, factory=dict)
    count: int = field(init=False, default=0)
    ends: int = field(init=False, default=0)
    _numbers: dict[tuple[int, str], int] = field(init=False, factory=dict)

    def run(self) -> None:
        """Goes through all histories; `NotSolvable` if there are too many."""
        if self.game.seats != SEATS:
            raise NotSolvable("what is hidden is solved only for two players")
        machine = self.game.interpreter
        table = machine.start()
        log = Log.of(self.game.hearing, table)
        pending = [_Reached(table, log, (0, 0), Fraction(1), ())]
        while pending:
            pending += reversed(list(self._look(pending.pop())))

    def _look(self, reached: "_Reached") -> Iterator["_Reached"]:
        """Makes every move there is after a history."""
        self.count += 1
        if self.count > self.limit:
            raise NotSolvable(f"there are more than {self.limit} histories")
        machine, table = self.game.interpreter, reached.table
        watching = Observers((self.game.knowledge, reached.log))
        stop: Stop = machine.advance(table, watching)
        match stop:
            case ChanceStop(outcomes=odds):
                for rank, outcome in enumerate(odds):
                    way = reached.copy(rank, Fraction(outcome.weight, odds.total))
                    watching = Observers((self.game.knowledge, way.log))
                    machine.draw(way.table, outcome, watching)
                    yield way
            case Decision(seat=seat, choices=choices):
                yield from self._ask(reached, seat, choices)
            case JointDecision(seats=seats, choices=by_seat):
                yield from self._ask(reached, seats[0], by_seat[0])
            case Terminal(result=result):
                self.ends += 1
                if result is None:
                    raise NotSolvable("a game ends without a result")
                first, second = self.worth(result)
                if first != -second:
                    raise NotSolvable(
                        "what is hidden is solved only if one loses what another wins"
                    )
                key = reached.sequences
                self.payoffs[key] = self.payoffs.get(key, Fraction()) + reached.law * first
            case _:
                assert_never(stop)

    def _ask(
        self, reached: "_Reached", seat: int, choices: tuple[Choice, ...]
    ) -> Iterator["_Reached"]:
        moment = self._moment(reached, seat, choices)
        for choice, sequence in zip(choices, moment.sequences, strict=True):
            way = reached.copy(choice.index, Fraction(1), (seat, sequence))
            watching = Observers((self.game.knowledge, way.log))
            self.game.interpreter.choose(way.table, choice, watching)
            yield way

    def _moment(self, reached: "_Reached", seat: int, choices: tuple[Choice, ...]) -> Moment:
        heard = information_state(reached.log, seat)
        number = self._numbers.get((seat, heard))
        if number is None:
            size = self.sizes[seat]
            words = self.game.wording.choices(reached.table, choices)
            sequences = range(size, size + len(choices))
            led = reached.sequences[seat]
            moment = Moment(seat, heard, led, sequences, words, reached.ranks)
            self.sizes[seat] += len(choices)
            self._numbers[seat, heard] = len(self.moments[seat])
            self.moments[seat].append(moment)
            return moment
        found = self.moments[seat][number]
        if found.parent != reached.sequences[seat] or len(found.sequences) != len(choices):
            raise NotSolvable("a seat is asked as if it had forgotten what it did")
        return found


@frozen(eq=False)
class _Reached:
    """A history: the table before the next stop, what was heard, the last sequence of each seat,
    how likely chance made it, and its moves."""

    table: Table
    log: Log
    sequences: tuple[int, int]
    law: Fraction
    ranks: tuple[int, ...]

    def copy(
        self, rank: int, share: Fraction, answered: tuple[int, int] | None = None
    ) -> "_Reached":
        """The same one, to be gone on with in one of several ways."""
        sequences = list(self.sequences)
        if answered is not None:
            sequences[answered[0]] = answered[1]
        return _Reached(
            self.table.copy(),
            self.log.copy(),
            (sequences[0], sequences[1]),
            self.law * share,
            (*self.ranks, rank),
        )


def hides(walk: Walk) -> bool:
    """Whether seats of a game may know different things."""
    graph = walk.game.graph
    secret = any(
        (not place.face_up or place.viewers is not None) and place.index for place in graph.places
    )
    slots = [variable for variable in graph.variables if any(variable.readers)]
    slots += [v for phase in graph.phases for v in phase.locals if any(v.readers)]
    joint = any(getattr(node.step, "joint", False) for node in graph.nodes)
    return secret or bool(slots) or joint
