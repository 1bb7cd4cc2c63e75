"""Plays, states and configurations that Hypothesis draws."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from compiler.pipeline import Compiled, Spec
from ruleengine.errors import RuleError
from ruleengine.game import State, load, open_spec
from ruleengine.record import Record, replay
from ruleengine.stops import Stop, Terminal
from ruleengine.strategies import DrawnPlay, GameMachine, configurations, plays, states
from ruleengine.strategies.hunting import shortened
from ruleengine.table import Table
from ruleengine.trail import Trail, ranks_of, record_of
from tests.engine.games import COUNTER, written

KUHN = load("kuhn")


@given(plays(KUHN))
def test_a_play_is_its_record(play: DrawnPlay) -> None:
    """What is drawn can be written down, read, and leads to the same state."""
    record = Record.parse(str(play.record))

    assert ranks_of(KUHN, record) == play.ranks
    assert replay(KUHN, record).states[-1] == play.state


@given(plays(KUHN))
def test_plays_end_or_have_not_begun(play: DrawnPlay) -> None:
    """A play goes on to the end; the simplest has no move at all."""
    assert (play.result is None) is (play.ranks == ())


@given(states(KUHN, most=3))
def test_states_come_at_any_moment(state: State) -> None:
    """A state is reached by at most so many moves; in Kuhn poker five moves end every game."""
    assert isinstance(KUHN.stop(state), Stop)


def test_a_play_shrinks_to_a_short_one() -> None:
    """The simplest play with a bet that is called is found, move by move the first."""
    found = find(
        plays(KUHN),
        lambda play: len(play.ranks) > 4,
        settings=settings(max_examples=100, database=None),
    )

    assert [str(step) for step in found.record.steps] == [
        "chance J",
        "chance Q",
        "A: check",
        "B: bet",
        "A: call",
    ]


@pytest.mark.parametrize("seed", range(3))
def test_a_long_play_is_made_short(seed: int, tmp_path: Path) -> None:
    """Whatever play is begun with, the shortest to the same fault is found."""
    game = load(written(tmp_path, COUNTER), heap=9)

    def look(_: Table, stop: Stop) -> None:
        if isinstance(stop, Terminal):
            raise RuleError("over")

    long = [0] * 9 if seed == 0 else [1, 0] * (seed + 1) + [0] * (9 - 3 * (seed + 1))
    with pytest.raises(RuleError):
        _play(Trail.begin(game, look), long)
    short = shortened(
        game,
        look,
        lambda error: str(error) == "over",
        long,
        begin=lambda: None,
        node_limit=1000,
        tries=300,
    )

    assert len(short) == 5
    assert record_of(game, short).result is not None


def _play(trail: Trail, ranks: Sequence[int]) -> None:
    for rank in ranks:
        trail.take(rank)


KLINK = open_spec("klink")


@settings(max_examples=10)
@given(st.data())
def test_configurations_compile(data: st.DataObject) -> None:
    """Whatever is drawn of a shipped rulebook can be played."""
    assert isinstance(KLINK, Spec)
    configuration = data.draw(configurations(KLINK))

    assert isinstance(KLINK.instantiate(configuration), Compiled)


class Heap(GameMachine):
    """A model of nim with one heap: what is left is what was not taken."""

    game = load("nim", heaps=1)

    def begin(self) -> None:
        """No move has been made."""
        self.moves = 0

    def moved(self, before: State, words: str, after: State) -> None:
        """Every move is an answer of a seat, and changes the heap."""
        assert words[:2] in ("A:", "B:")
        assert before != after
        self.moves += 1

    def check(self) -> None:
        """A heap of one cannot be taken from twice."""
        assert self.moves <= 1


TestHeap = Heap.TestCase
TestHeap.settings = settings(max_examples=5, stateful_step_count=4)
