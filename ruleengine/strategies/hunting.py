"""Plays in search of something, and short ones once it is found.

A hunt draws plays with Hypothesis until each of so many has been looked at.  What `looking` raises
ends a play and is told to the caller; nothing is shrunk meanwhile.  `shortened` then takes a play
in which something breaks and lets Hypothesis make it short, trying so many others at most.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from attrs import define, frozen
from hypothesis import HealthCheck, Phase, Verbosity, find, given, seed, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase, choices_to_bytes
from hypothesis.errors import Flaky, NoSuchExample, Unsatisfiable
from hypothesis.strategies import DrawFn

from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.rng import CHANCE, Stream, stream
from ruleengine.strategies.plays import Favouring, below, draw_rank
from ruleengine.trail import Looking, Trail

_KEY: Final = b"play"
_QUIET: Final = settings(
    database=None,
    deadline=None,
    derandomize=False,
    verbosity=Verbosity.quiet,
    suppress_health_check=list(HealthCheck),
)


@frozen
class Hunted:
    """A play of a hunt: the ranks of its moves, and how it ended.

    `error` is what broke; `ended` is false if it was given up for its length.
    """

    ranks: tuple[int, ...]
    error: RuleError | None
    ended: bool


def hunt(
    game: Instance,
    looking: Looking,
    tell: Callable[[Hunted], None],
    *,
    begin: Callable[[], None],
    plays: int,
    noise: int,
    node_limit: int,
    favouring: Favouring | None = None,
    openings: Sequence[tuple[int, ...]] = (),
) -> None:
    """Draws so many plays; `begin` is called before each, and each is told when it is over.

    Every other play begins with one of the `openings`, if there are any.

    What Hypothesis finds simplest is a play like any other, one for each `noise`.
    """
    if not plays:
        return

    source = stream(noise, 0, CHANCE).state

    @st.composite
    def hunted(draw: DrawFn) -> Hunted:
        begin()
        ranks: list[int] = []
        counted_on = Stream.at(source)
        try:
            trail = Trail.begin(game, looking, ranks=ranks)
            for rank in _opening(draw, openings, counted_on):
                trail.take(rank)
            while not trail.is_over and trail.nodes <= node_limit:
                trail.take(draw_rank(draw, trail, favouring, counted_on))
        except RuleError as error:
            return Hunted(tuple(ranks), error, ended=True)
        return Hunted(tuple(ranks), None, trail.is_over)

    @seed(noise)
    @settings(_QUIET, max_examples=plays, phases=(Phase.generate,))
    @given(hunted())
    def look(found: Hunted) -> None:
        tell(found)

    look()


def _opening(draw: DrawFn, openings: Sequence[tuple[int, ...]], noise: Stream) -> tuple[int, ...]:
    """With which moves a play begins; nothing is drawn where there is no choice."""
    if not openings:
        return ()
    total = 2 * len(openings)
    number = (draw(below(total)) + noise.below(total)) % total
    return openings[number] if number < len(openings) else ()


# ---- shorter ones


@define(eq=False)
class _Search:
    """Plays in which the same thing breaks: the best so far, and how many may still be tried."""

    game: Instance
    looking: Looking
    begin: Callable[[], None]
    same: Callable[[RuleError], bool]
    node_limit: int
    left: int
    best: tuple[int, ...]

    def play(self, rank: Callable[[Trail], int], most: int) -> tuple[int, ...] | None:
        """One play of at most so many moves, if the same thing breaks in it."""
        if self.left <= 0:
            return None
        self.left -= 1
        ranks: list[int] = []
        self.begin()
        try:
            trail = Trail.begin(self.game, self.looking, ranks=ranks)
            while not trail.is_over and trail.nodes <= self.node_limit and len(ranks) < most:
                trail.take(rank(trail))
        except RuleError as error:
            if self.same(error):
                self.best = min(self.best, tuple(ranks), key=_simplicity)
                return tuple(ranks)
        return None

    def vary(self, source: Stream, tries: int) -> None:
        """Plays that begin as the best does, go on at random, and must be shorter."""
        for _ in range(tries):
            if len(self.best) < 2:
                return
            known = self.best[: source.below(len(self.best))]
            self.play(partial(_then_random, known, source), len(self.best) - 1)


def _then_random(known: tuple[int, ...], source: Stream, trail: Trail) -> int:
    """The moves that are known, then any."""
    at, count = len(trail.ranks), len(trail.moves)
    return known[at] % count if at < len(known) else source.below(count)


def shortened(
    game: Instance,
    looking: Looking,
    same: Callable[[RuleError], bool],
    ranks: Sequence[int],
    *,
    begin: Callable[[], None],
    node_limit: int,
    tries: int,
) -> tuple[int, ...]:
    """The shortest play found in which the same thing breaks as in the one of these ranks.

    Half of the tries go to shorter plays that begin alike, the rest to what Hypothesis leaves out.
    """
    search = _Search(game, looking, begin, same, node_limit, tries, tuple(ranks))
    search.vary(stream(len(ranks), 0, CHANCE), tries // 2)
    known = InMemoryExampleDatabase()
    known.save(_KEY, choices_to_bytes(_drawn(game, search.best)))

    @st.composite
    def play(draw: DrawFn) -> tuple[int, ...] | None:
        return search.play(partial(draw_rank, draw), len(search.best))

    shrinking = settings(_QUIET, database=known, phases=(Phase.reuse, Phase.shrink))
    with suppress(NoSuchExample, Unsatisfiable, Flaky):
        find(play(), _is_found, settings=shrinking, database_key=_KEY)
    return search.best


def _is_found(found: tuple[int, ...] | None) -> bool:
    return found is not None


def _simplicity(ranks: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    return len(ranks), ranks


def _drawn(game: Instance, ranks: Sequence[int]) -> list[int]:
    """The ranks of a play that are drawn: where there is more than one move."""
    drawn: list[int] = []
    with suppress(RuleError):
        trail = Trail.begin(game)
        for rank in ranks:
            if len(trail.moves) > 1:
                drawn.append(rank)
            trail.take(rank)
    return drawn
