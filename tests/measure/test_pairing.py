"""Where two graphs may begin to differ, and that games which do not come there are the same."""

import pytest

from compiler.analysis.pairing import entrances, pairing
from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.lir.traced import TRACE_WIDTH, Compared
from compiler.pipeline import Compiled, Spec
from ruleengine.configurations import readings
from ruleengine.game import Instance, load, open_spec
from ruleengine.match import Ending, random_match
from ruleengine.measure.lockstep import Drawn, Side, width
from ruleengine.measure.traces import Trace, Tracing, mask_of
from ruleengine.stops import Terminal
from ruleengine.tally import Row

RULEBOOKS = ("highjinks", "klink")


def _spec(name: str) -> Spec:
    spec = open_spec(name)
    assert isinstance(spec, Spec)
    return spec


def _again(spec: Spec, players: int) -> Compiled:
    """Compiled anew, so that no part is the very same."""
    made = _spec(spec.name).instantiate(Configuration(players))
    assert not isinstance(made, Report)
    return made


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_graph_is_like_itself(name: str) -> None:
    """Compiled twice, a rulebook gives graphs that part nowhere."""
    spec = _spec(name)
    players = min(spec.seats())

    assert pairing(load(spec, players).graph, _again(spec, players).graph).same


def test_games_that_meet_no_difference_are_the_same() -> None:
    """A game that passes no changed step has the same row under the other reading."""
    spec = _spec("klink")
    players = min(spec.seats())
    usual = load(spec, players)
    others = [Configuration(players, {one.name: one.reading}) for one in readings(spec)]
    others = [other for other in others if players in spec.seats(other.values)][1::5]
    left = 0
    for other in others:
        game = load(spec, players, dict(other.values))
        found = pairing(usual.graph, game.graph)
        gates = None if found.reason else entrances(usual.graph, found.partings)
        if gates is not None:
            traces = _traces(usual, gates)
            untouched = [trace.row for trace in traces if not trace.seen & mask_of(gates)]
            left += len(untouched)
            assert untouched == [_row(game, row.game) for row in untouched]
    assert left > 0


def _traces(game: Instance, watched: frozenset[int]) -> list[Trace]:
    tracing = Tracing.of(game, 0, 100_000, watched, Compared((), ()))
    assert tracing is not None
    return list(tracing.traces(range(3)))


def _row(game: Instance, number: int) -> Row:
    return Row.of(number, random_match(game, 0, number))


def test_what_was_drawn_can_be_played_again() -> None:
    """The numbers of a game on a machine bring the interpreter through it, and the machine again;
    one number less, and the machine stops just there."""
    game = load("klink", 3)
    tracing = Tracing.of(game, 0, 100_000, frozenset(), Compared((), ()))
    assert tracing is not None
    first = tracing.trace(5)
    numbers = tracing.drawn(len(first.draws) // TRACE_WIDTH)
    again, shorter = (tracing.tried(numbers, len(numbers) - less) for less in (0, 1))
    side, picking = Side(game), Drawn(numbers)
    side.begin()
    while not isinstance(side.stop, Terminal):
        assert side.stop is not None
        side.go(picking(side.stop, width(side.stop)))

    assert side.stop.result is not None
    assert side.stop.result.winners == first.row.winners == again.row.winners
    assert (again.draws, again.whole) == (first.draws, first.whole)
    assert shorter.row.ending is Ending.NODE_LIMIT
    assert first.draws.startswith(shorter.draws)


def test_other_cards_are_another_game() -> None:
    """Where the cards differ, nothing is compared step by step."""
    other = load("klink", 3, {"copies_per_value": "low_heavy"})

    assert pairing(load("klink", 3).graph, other.graph).reason == "the cards and pieces"
