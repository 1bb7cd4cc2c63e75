"""Step by step, a machine offers as many answers as the interpreter, and comes to the same ends."""

import pytest

from ruleengine.batch import lowered
from ruleengine.compiled.stepper import Stepper
from ruleengine.game import load
from ruleengine.rng import stream
from ruleengine.stops import ChanceStop, Decision, JointDecision, Terminal


@pytest.mark.parametrize(
    ("spec", "players"),
    [("leduc", 2), ("jinks", 2), pytest.param("klink", 3, marks=pytest.mark.long)],
)
def test_a_game(spec: str, players: int) -> None:
    """At each stop of a random game the counts agree, and going back leads to where one was."""
    game = load(spec, players)
    stepper, numbers = Stepper.of(lowered(game)), stream(3, 0, 0)
    table = game.interpreter.start()
    while True:
        stop = game.interpreter.advance(table)
        mark, number = stepper.mark(), 0
        match stop:
            case Terminal(result=result):
                assert (stepper.count, stepper.result()) == (0, result)
                return
            case ChanceStop(outcomes=odds):
                assert (stepper.count, stepper.mover) == (odds.total, None)
                number = numbers.below(odds.total)
                game.interpreter.draw(table, odds.drawn(number))
            case (
                Decision(seat=seat, choices=choices)
                | JointDecision(seats=(seat, *_), choices=(choices, *_))
            ):
                assert (stepper.count, stepper.mover) == (len(choices), seat)
                number = numbers.below(len(choices))
                game.interpreter.choose(table, choices[number])
        stepper.take(stepper.count - 1)
        stepper.back(mark)
        stepper.take(number)


@pytest.mark.parametrize("spec", ["leduc", "jinks"])
def test_views_on_machines(spec: str) -> None:
    """A machine that keeps what everybody knows stands at stops as the interpreter does."""
    game = load(spec)
    stepper, numbers = Stepper.of(lowered(game), knowing=True), stream(5, 0, 0)
    table = game.interpreter.start()
    while not isinstance(stop := game.interpreter.advance(table, game.knowledge), Terminal):
        assert game.packing.pack(stepper.table()) == game.packing.pack(table)
        number = numbers.below(stepper.count)
        if isinstance(stop, ChanceStop):
            game.interpreter.draw(table, stop.outcomes.drawn(number), game.knowledge)
        else:
            choices = stop.choices[0] if isinstance(stop, JointDecision) else stop.choices
            game.interpreter.choose(table, choices[number], game.knowledge)
        stepper.take(number)


def test_numbers_that_are_no_answers() -> None:
    """Only answers can be given."""
    stepper = Stepper.of(lowered(load("leduc")))

    for number in (-1, stepper.count):
        with pytest.raises(IndexError):
            stepper.take(number)
