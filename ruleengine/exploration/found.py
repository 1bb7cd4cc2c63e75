"""What an exploration finds."""

from collections.abc import Mapping
from fractions import Fraction

from attrs import frozen

from compiler.config import Configuration
from ruleengine.batch import MachineName
from ruleengine.stops import Result


@frozen
class DeadEnd:
    """A move after which the game cannot go on: how many moves end there, and what is wrong."""

    depth: int
    error: str
    clauses: tuple[str, ...]


@frozen
class Expected:
    """What uniformly random play comes to, exactly.

    `wins` has for each seat the probability that it wins and the game is no draw; `shares` the mean
    of 1 / (number of winners) for a winner, those of a draw being everybody who draws.
    """

    wins: tuple[Fraction, ...]
    draw: Fraction
    shares: tuple[Fraction, ...]
    scores: tuple[Fraction, ...] | None
    decisions: Fraction


@frozen
class Tree:
    """The game tree: every sequence of moves, the empty one included; chance moves count.

    `by_depth` and `endings_by_depth` count sequences, and those that end the game, by their length;
    `decisions` and `chance` those after which a seat or chance moves; `endings` whole games by
    their result.  Where the depth is limited, what follows the longest sequences is not looked at.
    """

    by_depth: tuple[int, ...]
    endings_by_depth: tuple[int, ...]
    decisions: int
    chance: int
    endings: Mapping[Result, int]


@frozen
class Exploration:
    """What was found.

    `decisions`, `chance` and `terminals` count the situations of each sort; `dead_ends` are the
    moves into a fault of the spec.  `by_depth` counts situations by the number of moves (answers
    and outcomes) on the shortest way there.  `histories` counts the sequences of moves, the empty
    one included, and `endings` those that end the game; they and `longest`, the moves of the
    longest game, are `None` if a situation can come again or not all were found.  `tree` is there
    also if all was found up to a limit of the depth.  `cores` counts situations without who knows
    what, where they were told apart by that; else it is `None`.  `played_by` went through the
    situations; `why` says why it is not what was hoped for.
    """

    name: str
    configuration: Configuration
    seats: int
    complete: bool
    by_depth: tuple[int, ...]
    decisions: int
    chance: int
    terminals: int
    dead_ends: tuple[DeadEnd, ...]
    results: Mapping[str, int]
    histories: int | None
    endings: int | None
    longest: int | None
    expected: Expected | None
    tree: Tree | None
    cores: int | None = None
    played_by: MachineName = "interpreter"
    why: str = ""

    @property
    def states(self) -> int:
        """All situations."""
        return sum(self.by_depth)

    @property
    def looked_at(self) -> int:
        """Situations whose moves were made."""
        return self.decisions + self.chance + self.terminals

    @property
    def is_unfinished(self) -> bool:
        """Whether the limit broke it off; a limit of the depth is what was asked for."""
        return not self.complete and self.tree is None

    @property
    def depth(self) -> int:
        """Moves to the farthest situation, by the shortest way."""
        return len(self.by_depth) - 1
