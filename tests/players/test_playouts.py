"""Games played on from where they stand: the same on every machine."""

import pytest

from ruleengine.compiled.games import Lowered
from ruleengine.compiled.resumed import PlayOn
from ruleengine.game import Instance, load
from ruleengine.players.judging import NEVER, Judging
from ruleengine.players.playouts import LONGEST, Playouts, asked
from ruleengine.players.rewards import ended, mean, rewards, shared, worth
from ruleengine.players.standing import standing
from ruleengine.rng import CHANCE, stream
from ruleengine.stops import ChanceStop, Result, Stop, Terminal
from ruleengine.table import Table

COMPILED = ("breakthrough", "connect_four", "kuhn", "leduc", "nim", "pig", "tictactoe")


def stops(game: Instance, seed: int, most: int) -> list[tuple[Table, Stop]]:
    """The decisions of one random game, each with a table that stands there."""
    machine, source = game.interpreter, stream(seed, 0, CHANCE)
    found: list[tuple[Table, Stop]] = []
    table = machine.start()
    stop = machine.advance(table)
    while not isinstance(stop, Terminal) and len(found) < most:
        if isinstance(stop, ChanceStop):
            machine.draw(table, stop.outcomes.drawn(source.below(stop.outcomes.total)))
        else:
            found.append((table.copy(), stop))
            _, choices = asked(stop)
            machine.choose(table, choices[source.below(len(choices))])
        stop = machine.advance(table)
    return found


@pytest.mark.parametrize("name", COMPILED)
def test_machines_play_on_alike(name: str) -> None:
    """A playout of one number from one position ends alike, compiled or not."""
    game = load(name)
    compiled, reference = Playouts.of(game), Playouts.interpreted(game)

    assert (compiled.machine, reference.machine) == ("wasm", "interpreter")
    for number, (table, stop) in enumerate(stops(game, 5, 12), 2**33):
        told = compiled.rewards(table.copy(), stop, number)
        assert (name, number, told) == (name, number, reference.rewards(table, stop, number))


@pytest.mark.parametrize("cut", [0, 1, 5, NEVER])
@pytest.mark.parametrize(("name", "score"), [("pig", "score[p] + total"), ("kuhn", None)])
def test_machines_judge_alike(name: str, score: str | None, cut: int) -> None:
    """How seats stand after some decisions is the same, compiled or not."""
    game = load(name)
    judged = standing(game, score)
    judging = Judging.of(judged, LONGEST)
    assert judging is not None

    for number, (table, stop) in enumerate(stops(game, 5, 6), 2**33):
        (told,) = judging.played(table, number, 1, cut)
        last = Playouts.interpreted(game).played(table, stop, number, cut)
        assert (told.ended, told.standing) == (isinstance(last, Terminal), judged(table))


def test_playouts_are_played_many_at_a_time() -> None:
    """Several from one position have the numbers that follow."""
    game = load("connect_four")
    playouts = Playouts.of(game)
    table, stop = stops(game, 5, 1)[0]
    alone = [playouts.rewards(table.copy(), stop, 40 + at) for at in range(8)]

    assert playouts.rewards(table, stop, 40, 8) == mean(alone)


@pytest.mark.parametrize("name", COMPILED)
def test_a_place_is_found_for_every_stop(name: str) -> None:
    """The compiled program itself plays on from every decision."""
    game = load(name)
    play_on = PlayOn.of(Lowered(game.interpreter, game.packing), LONGEST)

    for table, _ in stops(game, 9, 12):
        assert len(list(play_on.ends(table, range(3)))) == 3


def test_a_win_is_shared_by_those_who_won() -> None:
    """A draw is worth the same share to everybody, a win together half to each of two."""
    assert shared((1,), 3) == (0, 1, 0)
    assert shared((0, 2), 3) == (0.5, 0, 0.5)
    assert rewards(None, 4) == (0.25,) * 4
    assert rewards(Result((0, 1), None, ((0, 1),), True), 2) == (0.5, 0.5)


def test_winning_comes_first_then_by_how_much() -> None:
    """Where there are scores a small loss is worth more than a big one, any win more than both."""
    won, close, far = (worth((0,), scores, 2) for scores in ((1, 0), (3, 2), (9, 1)))

    assert won == close
    assert far[0] > close[0] > 0.9
    assert 0.1 > close[1] > far[1] > 0
    assert ended(None, 2) == (0.5, 0.5)
