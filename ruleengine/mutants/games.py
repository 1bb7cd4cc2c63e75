"""A mutant's random games beside those of the rulebook: what breaks in them, and which differ.

Both are played on a compiled machine that stops where a check fails or an invariant is broken; what
it stops at the interpreter plays again, to say what broke.  A game is told apart by how it ends and
how often was decided, not by how many steps that took.
"""

from functools import lru_cache
from typing import Final, TypeAlias

from attrs import frozen

from compiler.config import Configuration
from compiler.diagnostic import InternalError
from compiler.lir.reps import Unsupported
from compiler.pipeline import Compiled
from compiler.source import SourceSet
from ruleengine.batch import Playouts, lowered
from ruleengine.compiled.machine import Unavailable
from ruleengine.compiled.make import make_machine
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.match import Ending, Move, random_match
from ruleengine.processes import compiled_spec
from ruleengine.properties.laws import Broken, Law
from ruleengine.properties.looking import Lawful
from ruleengine.stops import Stop
from ruleengine.table import Table
from ruleengine.tally import Row

NODES: Final = 20_000
"""Steps after which a game is given up."""

_CLOSELY: Final = 3  # games that the interpreter plays again, at most
_CLOSE_NODES: Final = 4_000  # steps after which it gives one up; what breaks does so early
_BY_HAND: Final = 10  # games that the interpreter plays where no machine comes to an end
_ENDLESS: Final = 'law "some game ends"'
_WORD: Final = 0xFFFF_FFFF

Ends: TypeAlias = tuple[tuple[int, ...], bool, tuple[int, ...] | None, int, int]
"""How a game ends: winners, whether it is a draw, scores, decisions, draws of chance."""


@frozen
class Played:
    """Games of a run: how each ended that did, and the numbers of those that did not."""

    ends: dict[int, Ends]
    left: tuple[int, ...]

    def length(self, number: int) -> int:
        """How many decisions and draws of chance a game took; more than any, if it did not end."""
        ends = self.ends.get(number)
        return NODES if ends is None else ends[3] + ends[4]


@frozen
class Beside:
    """A mutant's games beside the rulebook's.

    `by` is what kills it.  Else `differs` is the number of a game that comes out otherwise, if one
    does, the shortest of those; the ends of `games` were compared.
    """

    by: str = ""
    differs: int | None = None
    games: int = 0


@lru_cache(maxsize=128)
def original(sources: SourceSet, configuration: Configuration) -> Instance:
    """A game of the whole rulebook, which compiles."""
    made = compiled_spec(sources).instantiate(configuration)
    if not isinstance(made, Compiled):
        raise InternalError("a game that was compiled does not compile again")
    return Instance.of(made)


@lru_cache(maxsize=128)
def _original(sources: SourceSet, configuration: Configuration, seed: int, games: int) -> Played:
    return _played(original(sources, configuration), seed, games)


def beside(sources: SourceSet, mutant: Instance, seed: int, games: int) -> Beside:
    """So many games of a mutant beside the rulebook's under the same configuration."""
    played = _played(mutant, seed, games)
    own = _original(sources, mutant.configuration, seed, games)
    by, endless = _closely(mutant, seed, played.left[:_CLOSELY])
    if not by and not played.ends:
        if own.ends and endless:
            return Beside(_ENDLESS)
        by, _ = _closely(mutant, seed, played.left[_CLOSELY:_BY_HAND])
    if by:
        return Beside(by)
    both: dict[int, tuple[Ends | None, Ends | None]] = {
        n: (own.ends[n], ends) for n, ends in played.ends.items() if n in own.ends
    }
    if all(old == new for old, new in both.values()):
        left = [n for n in range(games) if n not in both][: _CLOSELY if both else _BY_HAND]
        old = original(sources, mutant.configuration)
        both |= {n: (_end(old, own, seed, n), _end(mutant, played, seed, n)) for n in left}
    ended = {n: pair for n, pair in both.items() if pair != (None, None)}
    differing = (n for n, (old, new) in ended.items() if old != new)
    return Beside("", min(differing, key=own.length, default=None), len(ended))


def _end(game: Instance, played: Played, seed: int, number: int) -> Ends | None:
    """How a game ends, whether or not a machine plays it; `None` if it does not."""
    if number in played.ends:
        return played.ends[number]
    match = random_match(game, seed, number, node_limit=NODES)
    return _ends(Row.of(number, match)) if match.ending is Ending.FINISHED else None


def _played(game: Instance, seed: int, games: int) -> Played:
    """Games on a machine; where none plays them, all are left."""
    try:
        program = lowered(game).lawful.games
        machine = make_machine(program.program).machine
    except (Unsupported, Unavailable):
        return Played({}, tuple(range(games)))
    machine.call("seed", seed & _WORD, seed >> 32)
    chunk = Playouts(program, machine, NODES).told(range(games))
    return Played({row.game: _ends(row) for row in chunk.rows}, chunk.left)


def _ends(row: Row) -> Ends:
    return row.winners, row.is_draw, row.scores, row.decisions, row.draws


# ---- what breaks


def _closely(game: Instance, seed: int, numbers: range | tuple[int, ...]) -> tuple[str, bool]:
    """What breaks in some games, and whether none of them ended within the limit."""
    if not numbers:
        return "", False
    lawful = Lawful.of(Instance.of(game.compiled))

    def look(table: Table, stop: Stop, _: Move | None) -> None:
        lawful.look(table, stop)

    endless = True
    for number in numbers:
        match = random_match(lawful.game, seed, number, node_limit=_CLOSE_NODES, watching=look)
        if match.error is not None:
            return told(match.error), False
        endless &= match.ending is Ending.NODE_LIMIT
    return "", endless


def told(error: RuleError) -> str:
    """What breaks, as the name of a test."""
    if isinstance(error, Broken):
        sort = "invariant" if error.law is Law.INVARIANT else "law"
        return f'{sort} "{error.title}"'
    return f'law "no rule breaks down": {error}'
