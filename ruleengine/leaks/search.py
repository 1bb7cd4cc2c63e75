"""Plays games at random and looks for leaks; a play that leads to one is made short."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from attrs import define, field, frozen

from compiler.check.disclosure import Telling, tellings
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.leaks.leak import Found, Leak, Promise
from ruleengine.leaks.onlooker import Onlooker
from ruleengine.leaks.watch import Watch
from ruleengine.record import Recorder
from ruleengine.rng import CHANCE, Stream, stream
from ruleengine.stops import ChanceStop, Choice, Decision, JointDecision, Outcome, Stop, Terminal
from ruleengine.table import Table

STOPS: Final = 300
"""Stops of random games that are looked at, unless more are asked for."""

_GAME: Final = 400  # stops after which another game is begun
_ENDLESS: Final = 3  # games that run into an endless loop, after which no other is begun
_SHRINKING: Final = 2_000  # stops that are played to make one play shorter
_DEALS: Final = 4  # worlds at each stop while a play is made shorter: chance may hide a leak
_FULL: Final = 2**32  # a number at a stop is below this, and taken modulo what there is


@frozen
class Looked:
    """What came of looking: the leaks, one of each promise and sort of thing; how many stops were
    looked at, how many worlds differed from the table; which steps tell something of hidden cards.
    """

    found: tuple[Found, ...]
    stops: int
    worlds: int
    tellings: tuple[Telling, ...]


def find_leaks(
    game: Instance,
    *,
    stops: int = STOPS,
    seed: int = 0,
    progress: Callable[[int], None] = lambda _: None,
) -> Looked:
    """Looks at so many stops of random games.  Rules that break down end a game; tests find them.

    The same seed looks at the same stops.
    """
    onlooker = Onlooker.of(game)
    watch = Watch(onlooker, seed)
    found: dict[tuple[Promise, str], tuple[Leak, list[int]]] = {}
    number = endless = 0
    while watch.looked < stops and endless < _ENDLESS:
        numbers, before = stream(seed, number, CHANCE), watch.looked
        try:
            for leak, moves in _leaks(watch, _drawn(numbers), min(_GAME, stops - before)):
                found.setdefault((leak.promise, leak.about.partition("`")[0]), (leak, moves))
        except RuleError as error:
            endless += bool(error.nodes)
        if watch.looked == before:
            break  # nothing is drawn before the first stop, so every game breaks down there
        progress(watch.looked)
        number += 1
    shrunk = [_Shrinking(onlooker, seed, leak, moves).run() for leak, moves in found.values()]
    told = tuple(tellings(game.graph, game.compiled.lying))
    return Looked(tuple(shrunk), watch.looked, watch.worlds, told)


def _drawn(numbers: Stream) -> Iterator[int]:
    while True:
        yield numbers.below(_FULL)


def _leaks(watch: Watch, numbers: Iterator[int], most: int) -> Iterator[tuple[Leak, list[int]]]:
    """The leaks of one play, each with the numbers that lead to it; `RuleError` may end it."""
    machine = watch.onlooker.game.interpreter
    table = machine.start()
    observer = watch.begin(table)
    moves: list[int] = []
    for _ in range(most):
        stop = machine.advance(table, observer)
        for leak in watch.look(table, stop):
            yield leak, list(moves)
        number = next(numbers, None)
        if isinstance(stop, Terminal) or number is None:
            return
        moves.append(number)
        move = picked(stop, number)
        if isinstance(move, Outcome):
            machine.draw(table, move, observer)
        else:
            machine.choose(table, move, observer)


def picked(stop: Stop, number: int) -> Choice | Outcome:
    """What a number does at a stop: small ones the first answer, or the first outcome."""
    match stop:
        case ChanceStop(outcomes=odds):
            return odds.drawn(number % odds.total)
        case Decision(choices=choices):
            return choices[number % len(choices)]
        case JointDecision(choices=by_seat):
            return by_seat[0][number % len(by_seat[0])]
        case _:
            raise ValueError("a game that has ended goes on with nothing")


@define(eq=False)
class _Shrinking:
    """Makes the play that leads to a leak short: numbers are left out, then lowered to 0."""

    onlooker: Onlooker
    seed: int
    leak: Leak
    moves: list[int]
    _left: int = field(default=_SHRINKING, init=False)

    def run(self) -> Found:
        """The leak after the shortest play that was found."""
        size = max(1, len(self.moves) // 2)
        while size and self._left > 0:
            at = len(self.moves) - size
            while at >= 0:
                self._try(self.moves[:at] + self.moves[at + size :])
                at = min(at, len(self.moves)) - size
            size //= 2
        for at in range(len(self.moves)):
            if at < len(self.moves) and self.moves[at]:
                self._try([*self.moves[:at], 0, *self.moves[at + 1 :]])
        return Found(self.leak, self.onlooker.game.configuration, tuple(self.moves), self._record())

    def _try(self, moves: list[int]) -> None:
        """Keeps a play in which the same promise is broken of the same thing, no later."""
        if self._left <= 0:
            return
        self._left -= len(moves) + 1
        watch = Watch(self.onlooker, self.seed, _DEALS)
        about = self.leak.about.partition("`")[0]
        with suppress(RuleError):
            for leak, path in _leaks(watch, iter(moves), len(moves) + 1):
                if leak.promise is self.leak.promise and leak.about.startswith(about):
                    if len(path) <= len(self.moves):
                        self.leak, self.moves = leak, path
                    return

    def _record(self) -> str:
        """The play as text, with the answers after which something is told."""
        game = self.onlooker.game
        recorder = Recorder(game, None, 0)
        machine, table = game.interpreter, game.interpreter.start()
        for number in self.moves:
            stop = machine.advance(table, game.knowledge)
            move = picked(stop, number)
            recorder.watch(table, stop, move)
            _make(game, table, move)
        for answer in self.leak.answers:
            stop = machine.advance(table, game.knowledge)
            if not _is_open(stop, answer):
                break
            recorder.watch(table, stop, answer)
            _make(game, table, answer)
        return str(recorder.record)


def _is_open(stop: Stop, answer: Choice) -> bool:
    """Whether an answer can be given at a stop: others who choose as well may have done so."""
    match stop:
        case Decision(choices=choices):
            return answer in choices
        case JointDecision(choices=by_seat):
            return any(answer in choices for choices in by_seat)
        case _:
            return False


def _make(game: Instance, table: Table, move: Choice | Outcome) -> None:
    if isinstance(move, Outcome):
        game.interpreter.draw(table, move, game.knowledge)
    else:
        game.interpreter.choose(table, move, game.knowledge)
