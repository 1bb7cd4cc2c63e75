"""The player who picks every legal answer as likely as any other."""

from attrs import define

from ruleengine.players.protocol import Turn
from ruleengine.rng import Stream


@define(eq=False)
class Uniform:
    """Picks by a stream of his own; draws nothing when there is one answer."""

    stream: Stream

    def pick(self, turn: Turn) -> int:
        """The rank of the answer he gives, from 0."""
        return self.stream.below(len(turn.choices))
