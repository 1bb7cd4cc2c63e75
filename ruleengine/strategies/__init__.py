"""Plays, states and configurations drawn by Hypothesis: for tests of your own, and for ours.

    from hypothesis import given
    from ruleengine import load
    from ruleengine.strategies import plays

    NIM = load("nim")

    @given(plays(NIM))
    def test_somebody_wins(play):
        assert play.result is None or len(play.result.winners) == 1

What is drawn is the rank of every answer among the legal ones and of every outcome among those of
chance: every example is a play, none is rejected, and a play in which a test fails shrinks to a
short one with the first moves of the list wherever they do.
"""

from ruleengine.strategies.configurations import configurations
from ruleengine.strategies.machine import GameMachine
from ruleengine.strategies.plays import DrawnPlay, plays, states

__all__ = ["DrawnPlay", "GameMachine", "configurations", "plays", "states"]
