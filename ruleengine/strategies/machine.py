"""A state machine of Hypothesis that plays a game beside a model of your own.

It has one rule, to make a legal move, so that no step is wasted on what is not legal:

    class Heaps(GameMachine):
        game = load("nim")

        def begin(self):
            self.taken = 0

        def moved(self, before, words, after):
            self.taken += 1

        def check(self):
            assert self.taken <= 16

    TestHeaps = Heaps.TestCase

Override `begin`, `moved` and `check`; all of them may read `state`, and ask `game` about it.
"""

from typing import ClassVar

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from compiler.graph.values import seat_text
from ruleengine.game import Instance, Option, State
from ruleengine.stops import ChanceStop, Terminal


class GameMachine(RuleBasedStateMachine):
    """A game, and whatever a subclass keeps beside it.

    `game` is what is played.  Chance is drawn as moves are, so that it shrinks too.
    """

    game: ClassVar[Instance]
    state: State

    # ---- for models

    def begin(self) -> None:
        """The game is at its first stop."""

    def moved(self, before: State, words: str, after: State) -> None:
        """A move was made: an answer as the record has it, `A: keep`, or `chance 6`."""

    def check(self) -> None:
        """The model and the game agree; asked at every stop."""

    # ---- what Hypothesis does

    @initialize()
    def start(self) -> None:
        """Begins a game."""
        self.state = self.game.start()
        self.begin()

    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        """Makes a legal move; a game that has ended begins anew."""
        stop, before = self.game.stop(self.state), self.state
        if isinstance(stop, Terminal):
            self.start()
            return
        if isinstance(stop, ChanceStop):
            rank = data.draw(st.integers(0, len(stop.outcomes) - 1), "outcome")
            words = f"chance {self.game.wording.outcomes(stop.outcomes)[rank]}"
            self.state = self.game.apply(before, rank)
        else:
            option = self._drawn(data)
            words = f"{seat_text(option.seat)}: {option.words}"
            self.state = self.game.apply(before, option)
        note(words)
        self.moved(before, words, self.state)

    @invariant()
    def agree(self) -> None:
        """Asks the model."""
        self.check()

    def _drawn(self, data: st.DataObject) -> Option:
        options = self.game.options(self.state)
        return options[data.draw(st.integers(0, len(options) - 1), "option")]
