"""Games on the compiled machine, each with a trace by which two of them are told apart.

The trace of a game is what was drawn among how many, what lay where and what was counted, draw by
draw, as hashes: two games part where their traces first differ.  What seats know is not in it, for
no rule reads that; who wants to know plays the game on the interpreter.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define, evolve, field, frozen

from compiler.analysis.liveness import liveness
from compiler.collecting import uncollected
from compiler.lir.core import Data
from compiler.lir.reps import Unsupported
from compiler.lir.stepwise.program import Stepwise, stepwise
from compiler.lir.telling import IS_DRAW, IS_UNSCORED
from compiler.lir.traced import FORCED, MOST_DRAWS, RANDOM, TRACE_WIDTH, Compared, Traced, traced
from ruleengine.batch import reference
from ruleengine.compiled.machine import Entry, Machine, Stopped, Unavailable
from ruleengine.compiled.make import make_machine
from ruleengine.compiled.working import Working
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.match import Ending
from ruleengine.measure.lockstep import Play
from ruleengine.measure.shared import same_tokens, shared_places, shared_variables
from ruleengine.measure.shrinking import Shortening
from ruleengine.tally import Row

_WORD: Final = 0xFFFF_FFFF


@frozen
class Trace:
    """A game: its row, a hash of all that was so, hashes draw by draw, and which watched nodes it
    came to, a byte for each node."""

    row: Row
    whole: bytes
    draws: bytes
    seen: int

    def parts_from(self, other: "Trace") -> int | None:
        """How many draws two games have in common; `None` if they are the same to their end."""
        if self.whole == other.whole and _result(self.row) == _result(other.row):
            return None
        low, high = 0, min(len(self.draws), len(other.draws)) // TRACE_WIDTH
        while low < high:  # each hash holds all that was before
            middle = (low + high) // 2
            at = slice(TRACE_WIDTH * middle, TRACE_WIDTH * (middle + 1))
            low, high = (middle + 1, high) if self.draws[at] == other.draws[at] else (low, middle)
        return low


def _result(row: Row) -> tuple[object, ...]:
    return row.ending, row.winners, row.is_draw, row.scores


@define(eq=False)
class Tracing:
    """Plays the games of one run one by one, with traces."""

    game: Instance
    machine: Machine
    seed: int
    limit: int
    _traced: Traced
    _play: Entry = field(init=False, repr=False)
    _row: struct.Struct = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._play = self.machine.entry("playouts")
        games = self._traced.stepwise.games
        self._row = struct.Struct(f"<{games.addresses.row_bytes // 4}i")
        self.machine.call("seed", self.seed & _WORD, self.seed >> 32)

    @classmethod
    def of(
        cls, game: Instance, seed: int, limit: int, watched: frozenset[int], compared: Compared
    ) -> "Tracing | None":
        """That of a run; `None` where WebAssembly does not run, or a game is not compiled."""
        try:
            made = traced(_from_the_start(game), watched)
            machine = make_machine(made.stepwise.games.program, "wasm").machine
        except (Unsupported, Unavailable):
            return None
        tracing = cls(game, machine, seed, limit, made)
        tracing.tell(compared)
        return tracing

    def tell(self, compared: Compared) -> None:
        """From here on traces tell this."""
        for at, words in self._traced.tables.told(compared):
            struct.pack_into(f"<{len(words)}i", self.machine.memory, at, *words)

    def traces(self, numbers: Sequence[int]) -> Iterator[Trace]:
        """Games with these numbers."""
        for number in numbers:
            yield self.trace(number)

    def tried(self, numbers: Play, length: int) -> Trace:
        """The game in which these numbers come, and 0 behind them, broken off after `length`."""
        length = min(length, MOST_DRAWS - 1)
        asked = (*numbers, *(0 for _ in range(length)))[:length]
        struct.pack_into(f"<{length}i", self.machine.memory, self._traced.tape, *asked)
        self._prepare(length)
        try:
            row = self._played(0)
        except Stopped:
            over = len(self.drawn(self._draws)) >= length
            row = _broken_off(Ending.NODE_LIMIT if over else Ending.RULE_ERROR)
        return self._left(_broken_off(Ending.NODE_LIMIT) if row is None else row)

    def drawn(self, many: int) -> Play:
        """What came of the first draws of the game that was played last, of those not forced."""
        found = struct.unpack_from(f"<{many}i", self.machine.memory, self._traced.numbers)
        return tuple(number for number in found if number != FORCED)

    def trace(self, number: int) -> Trace:
        """The game with this number.  One that was given up is not played again for its length."""
        self._prepare(RANDOM)
        try:
            row = self._played(number)
        except Stopped:
            return self._left(reference(self.game, self.seed, number, self.limit))
        if row is not None:
            return self._left(row)
        if self.limit > self.game.interpreter.limit:  # which gave up too early
            return self._left(reference(self.game, self.seed, number, self.limit))
        return self._left(evolve(_broken_off(Ending.NODE_LIMIT), game=number))

    @property
    def _draws(self) -> int:
        found: int = struct.unpack_from("<i", self.machine.memory, self._traced.draws)[0]
        return found

    def _prepare(self, asked: int) -> None:
        made, memory = self._traced, self.machine.memory
        memory[made.begin : made.trace] = bytes(made.trace - made.begin)
        struct.pack_into("<i", memory, made.asked, asked)

    def _left(self, row: Row) -> Trace:
        """What a game left in memory."""
        made, memory = self._traced, self.machine.memory
        end = made.trace + TRACE_WIDTH * min(self._draws, MOST_DRAWS)
        return Trace(
            row,
            bytes(memory[made.begin : made.draws]),
            bytes(memory[made.trace : end]),
            int.from_bytes(memory[made.seen : made.trace], "little"),
        )

    def _played(self, number: int) -> Row | None:
        """The row of a game; `None` if it takes too long.  Raises `Stopped`."""
        limit = min(self.limit, self.game.interpreter.limit)
        self._play(number & _WORD, number >> 32, 1, 1, limit)
        games = self._traced.stepwise.games
        words = self._row.unpack_from(self.machine.memory, games.addresses.rows)
        unfinished, winners, decisions, draws, nodes, *scores = words
        if unfinished:
            return None
        return Row(
            number,
            Ending.FINISHED,
            decisions,
            draws,
            nodes,
            tuple(seat for seat in range(games.seats) if winners >> seat & 1),
            bool(winners & IS_DRAW),
            tuple(scores) if games.scored and not winners & IS_UNSCORED else None,
            None,
        )


@uncollected
def _from_the_start(game: Instance) -> Stepwise:
    """The program of a game that goes through every step, also those that all games begin with."""
    interpreter = game.interpreter
    try:
        table = interpreter.start()
    except RuleError as error:
        raise Unsupported("its rules break down before anybody decides") from error
    found = stepwise(interpreter.graph, liveness(interpreter.graph))
    program = found.games.program
    begin = Data(found.plan.image, Working(found.plan, interpreter.statics).write(table))
    program = evolve(program, data=(*program.data, begin))
    return evolve(found, games=evolve(found.games, program=program))


def _broken_off(ending: Ending) -> Row:
    return Row(0, ending, 0, 0, 0, (), False, None, None)


@define(eq=False)
class Pair:
    """Two games of which plays are tried on machines, one against the other."""

    old: Tracing
    new: Tracing

    @classmethod
    def of(cls, old: Instance, new: Instance, limit: int) -> "Pair | None":
        """That of two games; `None` where there is no machine."""
        ones, others = compared(old, new)
        before = Tracing.of(old, 0, limit, frozenset(), ones)
        after = None if before is None else Tracing.of(new, 0, limit, frozenset(), others)
        return None if before is None or after is None else cls(before, after)

    def partings(self, games: int) -> dict[int, int]:
        """The first games that part, and how many draws both have in common, the fewest first."""
        numbers = range(games)
        both = zip(self.old.traces(numbers), self.new.traces(numbers), strict=True)
        found = {one.row.game: one.parts_from(other) for one, other in both}
        parted = [(draws, game) for game, draws in found.items() if draws is not None]
        return {game: draws for draws, game in sorted(parted)}

    def shortest(self, number: int, draws: int, budget: int) -> Play:
        """What is drawn until they part, made short: from a game that parts after some draws."""
        self.old.trace(number)
        return Shortening(self.old.drawn(draws), budget, self._try).run()

    def _try(self, play: Play, length: int) -> tuple[Play | None, int]:
        one, other = self.old.tried(play, length), self.new.tried(play, length)
        parted = one.parts_from(other)
        stops = len(one.draws) // TRACE_WIDTH
        return None if parted is None else self.old.drawn(parted), stops


def mask_of(nodes: frozenset[int]) -> int:
    """What `Trace.seen` has in common with this if a game came to one of these nodes."""
    return sum(0xFF << 8 * node for node in nodes)


def compared(old: Instance, new: Instance) -> tuple[Compared, Compared]:
    """What traces of two games have to tell, for each of them."""
    places = list(shared_places(old.graph, new.graph))
    variables = list(shared_variables(old.graph, new.graph))
    tokens = same_tokens(old, new)
    return (
        Compared(tuple(p.index for p, _ in places), tuple(v for v, _ in variables), tokens),
        Compared(tuple(p.index for _, p in places), tuple(v for _, v in variables), tokens),
    )
