"""Games played on from where they stand: the same on every machine."""

import pytest

from ruleengine.compiled.games import Lowered
from ruleengine.compiled.resumed import PlayOn
from ruleengine.game import Instance, load
from ruleengine.players.playouts import LONGEST, Playouts, asked
from ruleengine.players.rewards import ended, rewards, shared, worth
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
