"""Many random games on a compiled machine: what they come to, or a row for each.

The games are those of `random_match`, number for number.  A game that a machine does not finish,
because a check fails or a limit is reached, is left to the reference, which tells exactly why.
"""

import atexit
import struct
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Final, Literal, TypeAlias
from weakref import WeakKeyDictionary

from attrs import define, field, frozen

from compiler.lir.reps import Unsupported
from compiler.lir.telling import (
    DECISIONS,
    DRAWN,
    DRAWS,
    FEWEST,
    GAMES,
    IS_DRAW,
    IS_UNSCORED,
    MOST,
    NODES,
    RESULTS,
    ROWS,
    TOTALS,
    UNFINISHED,
    UNSCORED,
    Games,
)
from ruleengine.compiled.games import Lowered
from ruleengine.compiled.machine import Entry, Machine, Module, Stopped, Unavailable
from ruleengine.compiled.make import Which
from ruleengine.game import Instance
from ruleengine.match import Ending, random_match
from ruleengine.tally import Row, Totals

MachineName: TypeAlias = Literal["auto", "interpreter", "python", "wasm", "c"]
"""What plays games; `auto` is a compiled machine where there is one, else the interpreter."""

_WORD: Final = 0xFFFF_FFFF
_TRIAL: Final = 64  # games by which it is seen how long they are
_MOST: Final = 1 << 20  # games in one call
_NODES: Final = {"python": 100_000}  # nodes in one call, so that Ctrl-C is heard soon
_NODES_NATIVE: Final = 8_000_000


_LOWERED: Final[WeakKeyDictionary[Instance, Lowered]] = WeakKeyDictionary()
atexit.register(_LOWERED.clear)  # what Wasmtime made has to go before Wasmtime does


def lowered(game: Instance) -> Lowered:
    """The program that compiled machines run for a game, kept as long as the game is."""
    found = _LOWERED.get(game)
    if found is None:
        found = _LOWERED[game] = Lowered(game.interpreter, game.packing)
    return found


class NoMachine(ValueError):
    """The machine that was asked for by name does not play this game, or not on this computer."""


@frozen
class Chunk:
    """Some games of a run: their totals, their rows if wanted, and those left to the reference."""

    totals: Totals
    rows: tuple[Row, ...]
    left: tuple[int, ...]


@define(eq=False)
class Playouts:
    """Plays the games of one run on a machine of its own; one thread at a time may call it."""

    games: Games
    machine: Machine
    limit: int
    _play: Entry = field(init=False, repr=False)
    _results: struct.Struct = field(init=False, repr=False)
    _row: struct.Struct = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._play = self.machine.entry("playouts")
        self._results = struct.Struct(f"<{TOTALS + 2 * self.games.seats}Q")
        self._row = struct.Struct(f"<{self.games.addresses.row_bytes // 4}i")

    @classmethod
    def of(cls, game: Instance, module: Module, seed: int, node_limit: int) -> "Playouts":
        """Those of a run.  A game within both limits of the reference cannot reach either."""
        limit = min(node_limit, game.interpreter.limit)
        playouts = cls(lowered(game).games, module.machine(), limit)
        playouts.machine.call("seed", seed & _WORD, seed >> 32)
        return playouts

    def counted(self, numbers: range) -> Chunk:
        """The totals of games with these consecutive numbers."""
        left = self._through(numbers)
        results = self._read()
        if results[UNFINISHED]:
            left = tuple(number for chunk in self._told(numbers) for number in chunk.left)
        return Chunk(self._totals(results), (), left)

    def told(self, numbers: range) -> Chunk:
        """The rows of games with these consecutive numbers, and their totals."""
        chunks = list(self._told(numbers))
        totals = Totals.nothing(self.games.seats)
        for chunk in chunks:
            totals += chunk.totals
        rows = tuple(row for chunk in chunks for row in chunk.rows)
        return Chunk(totals, rows, tuple(number for chunk in chunks for number in chunk.left))

    # ---- calls

    def _told(self, numbers: range) -> Iterator[Chunk]:
        """As many games at a time as there is room for rows."""
        for first in range(numbers.start, numbers.stop, ROWS):
            some = range(first, min(first + ROWS, numbers.stop))
            left: list[int] = []
            rows: list[Row] = []
            totals = Totals.nothing(self.games.seats)
            while some:
                self._clear()
                stopped = self._stops(some, rows=True)
                results = self._read()
                told = results[GAMES] + results[UNFINISHED]
                totals += self._totals(results)
                for number, words in zip(some, self._words(told), strict=False):
                    if words[0]:
                        left.append(number)
                    else:
                        rows.append(self._row_of(number, words))
                if stopped:
                    left.append(some[told])
                some = some[told + 1 :]
            yield Chunk(totals, tuple(rows), tuple(left))

    def _through(self, numbers: range) -> tuple[int, ...]:
        """Plays games, goes on behind each that stops the machine, and says which did."""
        self._clear()
        found: list[int] = []
        before = 0
        while numbers and self._stops(numbers, rows=False):
            results = self._read()
            told = results[GAMES] + results[UNFINISHED]
            found.append(numbers[told - before])
            numbers = numbers[told - before + 1 :]
            before = told
        return tuple(found)

    def _stops(self, numbers: range, *, rows: bool) -> bool:
        """Plays games until all are played or one stops the machine: whether one did."""
        first = numbers.start
        try:
            self._play(first & _WORD, first >> 32, len(numbers), int(rows), self.limit)
        except Stopped:
            return True
        return False

    # ---- what a machine leaves in its memory

    def _clear(self) -> None:
        fresh = [0] * (TOTALS + 2 * self.games.seats)
        fresh[FEWEST] = 2**64 - 1
        self._results.pack_into(self.machine.memory, RESULTS, *fresh)

    def _read(self) -> tuple[int, ...]:
        found: tuple[int, ...] = self._results.unpack_from(self.machine.memory, RESULTS)
        return found

    def _totals(self, results: tuple[int, ...]) -> Totals:
        seats, done = self.games.seats, results[GAMES]
        scored = done - results[UNSCORED] if self.games.scored else 0
        sums = results[TOTALS + seats : TOTALS + 2 * seats]
        return Totals(
            done,
            results[DECISIONS],
            results[DRAWS],
            results[NODES],
            results[FEWEST] if done else 0,
            results[MOST],
            results[DRAWN],
            results[TOTALS : TOTALS + seats],
            scored,
            tuple(total + scored * self.games.score_low for total in sums),
        )

    def _words(self, count: int) -> Iterator[tuple[int, ...]]:
        begin = self.games.addresses.rows
        end = begin + count * self.games.addresses.row_bytes
        return self._row.iter_unpack(self.machine.memory[begin:end])

    def _row_of(self, number: int, words: tuple[int, ...]) -> Row:
        _, winners, decisions, draws, nodes, *scores = words
        return Row(
            number,
            Ending.FINISHED,
            decisions,
            draws,
            nodes,
            tuple(seat for seat in range(self.games.seats) if winners >> seat & 1),
            bool(winners & IS_DRAW),
            tuple(scores) if self.games.scored and not winners & IS_UNSCORED else None,
            None,
        )


# ---- whole runs


@frozen
class Choice:
    """What plays a run, and why it is not what one would have hoped for."""

    name: MachineName
    why: str = ""


def choose(game: Instance, wanted: MachineName) -> Choice:
    """The machine that plays a game; raises `NoMachine` if one is asked for by name and cannot."""
    if wanted == "interpreter":
        return Choice("interpreter")
    which: Which = wanted
    try:
        made = lowered(game).made(which)
    except Unsupported as unsupported:
        if wanted == "auto":
            return Choice("interpreter", f"not compiled yet: {unsupported}")
        why = f"{game.name} is not compiled yet ({unsupported}); the interpreter plays it"
        raise NoMachine(why) from unsupported
    except Unavailable as unavailable:
        raise NoMachine(str(unavailable)) from unavailable
    names: dict[str, MachineName] = {"wasm": "wasm", "python": "python", "c": "c"}
    return Choice(names[made.module.name], made.why)


def played(
    game: Instance, which: Which, seed: int, numbers: range, node_limit: int, jobs: int, rows: bool
) -> Iterator[Chunk]:
    """Games of a run on a machine, chunk by chunk, none left to the reference.

    Of each chunk the games that the machine left come one by one behind the others.
    `jobs` threads play at once.  Raises what `Lowered.made` raises.
    """
    module = lowered(game).made(which).module
    first = Playouts.of(game, module, seed, node_limit)
    trial, rest = numbers[:_TRIAL], numbers[_TRIAL:]
    chunk = first.told(trial) if rows else first.counted(trial)
    yield from _completed(game, chunk, seed, node_limit, rows)
    if not rest:
        return
    size = _size(module.name, chunk.totals)
    chunks = [rest[at : at + size] for at in range(0, len(rest), size)]
    more = min(jobs, len(chunks)) - 1
    players = [first, *(Playouts.of(game, module, seed, node_limit) for _ in range(more))]
    for done in _spread(players, chunks, rows):
        yield from _completed(game, done, seed, node_limit, rows)


def _size(machine: str, seen: Totals) -> int:
    """How many games of this length a machine plays in a moment."""
    nodes = _NODES.get(machine, _NODES_NATIVE)
    return max(1, min(_MOST, nodes * max(seen.finished, 1) // max(seen.nodes, 1)))


def _spread(players: list[Playouts], chunks: list[range], rows: bool) -> Iterator[Chunk]:
    """The chunks in their order, whoever plays them; none is played long before it is wanted."""
    if len(players) == 1:
        for numbers in chunks:
            yield players[0].told(numbers) if rows else players[0].counted(numbers)
        return
    free: SimpleQueue[Playouts] = SimpleQueue()
    for player in players:
        free.put(player)

    def play(numbers: range) -> Chunk:
        player = free.get()
        try:
            return player.told(numbers) if rows else player.counted(numbers)
        finally:
            free.put(player)

    with ThreadPoolExecutor(len(players)) as pool:
        waiting: deque[Future[Chunk]] = deque()
        for numbers in chunks:
            waiting.append(pool.submit(play, numbers))
            if len(waiting) > 2 * len(players):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _completed(
    game: Instance, chunk: Chunk, seed: int, node_limit: int, rows: bool
) -> Iterator[Chunk]:
    """With the games that the machine left, played by the reference, which takes its time."""
    if chunk.totals.games or not chunk.left:
        yield Chunk(chunk.totals, chunk.rows, ())
    for number in chunk.left:
        row = reference(game, seed, number, node_limit)
        yield Chunk(Totals.of((row,), game.seats), (row,) if rows else (), ())


def reference(game: Instance, seed: int, number: int, node_limit: int) -> Row:
    """One game of a run, played by the interpreter."""
    return Row.of(number, random_match(game, seed, number, node_limit=node_limit))
