"""Whole plays, and states that plays come to."""

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Final, TypeAlias

from attrs import define
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ruleengine.game import Instance, State
from ruleengine.record import Record, replay
from ruleengine.rng import Stream
from ruleengine.stops import Result, Stop
from ruleengine.trail import Trail, record_of

MOVES: Final = 1_000
"""Moves after which a play is broken off, unless said otherwise."""

Favouring: TypeAlias = Callable[[Stop], Sequence[int]]
"""The ranks of moves that are to be drawn as often as all moves together; none: all are alike."""


@define(eq=False, slots=False)
class DrawnPlay:
    """A play: the rank of every move; its record, states and result are worked out when asked."""

    game: Instance
    ranks: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<play: {'; '.join(map(str, self.record.steps)) or 'nothing yet'}>"

    @cached_property
    def record(self) -> Record:
        """The play in words, which `rulewright replay` reads."""
        return record_of(self.game, self.ranks)

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The state at every stop, the first included."""
        return replay(self.game, self.record).states

    @property
    def state(self) -> State:
        """Where it stands at last."""
        return self.states[-1]

    @property
    def result(self) -> Result | None:
        """Who won, if it came to an end."""
        return self.game.outcome(self.state)


@cache
def below(count: int) -> SearchStrategy[int]:
    """Numbers from 0 up to below a count."""
    return st.integers(0, count - 1)


def draw_rank(
    draw: DrawFn,
    trail: Trail,
    favouring: Favouring | None = None,
    noise: Stream | None = None,
) -> int:
    """The rank of a move; nothing is drawn where there is only one.

    With `noise` no move is simpler than another: what is drawn is counted on from there.
    """
    count = len(trail.moves)
    if count == 1:
        return 0
    favoured = () if favouring is None else favouring(trail.stop)
    total = 2 * count if favoured else count
    number = draw(below(total))
    if noise is not None:
        number = (number + noise.below(total)) % total
    return number if number < count else favoured[(number - count) % len(favoured)]


@st.composite
def plays(draw: DrawFn, game: Instance, *, most: int = MOVES) -> DrawnPlay:
    """Plays from the beginning to the end, or for `most` moves.

    The simplest is the one that has not begun.  A rule that breaks down raises `RuleError`.
    """
    trail = Trail.begin(game)
    if draw(st.booleans()):
        while not trail.is_over and len(trail.ranks) < most:
            trail.take(draw_rank(draw, trail))
    return DrawnPlay(game, tuple(trail.ranks))


@st.composite
def states(draw: DrawFn, game: Instance, *, most: int = 100) -> State:
    """States that plays come to within `most` moves; the simplest is the first stop."""
    wanted = draw(st.integers(0, most))
    trail = Trail.begin(game)
    while not trail.is_over and len(trail.ranks) < wanted:
        trail.take(draw_rank(draw, trail))
    return DrawnPlay(game, tuple(trail.ranks)).state
