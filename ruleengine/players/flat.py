"""Flat Monte Carlo: playouts shared out evenly among the answers, and the best mean is taken."""

from attrs import define

from ruleengine.players.mind import Allowance, Judge, Mind, tried
from ruleengine.players.playouts import asked_of
from ruleengine.players.protocol import Turn
from ruleengine.players.standing import Standing
from ruleengine.rng import Stream


@define(eq=False)
class Flat:
    """Plays every answer on at random, each as often, in worlds imagined anew for each round.

    One round is one playout.  Equals are parted by lot.
    """

    allowance: Allowance
    stream: Stream
    cut: int | None = None
    standing: Standing | None = None
    each: int = 1

    def pick(self, turn: Turn) -> int:
        """The rank of the answer he gives, from 0."""
        many = len(turn.choices)
        if many == 1:
            return 0
        mind, view = Mind.of(turn.game), turn.view
        judge = Judge(mind, self.cut, self.standing, self.each)
        first = mind.world(view, self.stream) if mind.is_open else None
        totals, done = [0.0] * many, 0
        goes_on = self.allowance.begin()
        while done < many or goes_on(done):
            table, stop = first or mind.world(view, self.stream)
            choice = asked_of(stop, turn.seat)[done % many]
            after = table.copy()
            reached = tried(mind, after, choice, self.stream)
            if reached is not None:
                totals[choice.index] += judge.worth(after, reached, self.stream)[turn.seat]
            done += 1
        means = [total / (done // many + (at < done % many)) for at, total in enumerate(totals)]
        liked = [at for at, mean in enumerate(means) if mean == max(means)]
        return liked[self.stream.below(len(liked))]
