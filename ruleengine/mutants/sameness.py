"""Whether a mutant is the same game, as far as graphs show."""

from functools import lru_cache

from compiler.analysis.pairing import pairing
from compiler.analysis.sameness.proof import Open, Side, proved, unproved
from compiler.config import Configuration
from compiler.pipeline import Compiled
from compiler.source import SourceSet
from ruleengine.mutants.games import original


def same_game(sources: SourceSet, new: Compiled, *, locally: bool = False) -> bool:
    """Whether every game goes the same way as under the rulebook; `locally` by what is spoilt
    alone.

    Graphs that say the same step by step need no further look.
    """
    old = original(sources, new.configuration).compiled
    if pairing(old.graph, new.graph).same:
        return True
    side = _known(sources, new.configuration, locally)
    return proved(side, Side.of(new.graph, new.lying, locally=locally))


def parted(sources: SourceSet, new: Compiled) -> Open | None:
    """Where it is not shown that a mutant is the same game; `None` if it is."""
    side = _known(sources, new.configuration, False)
    return unproved(side, Side.of(new.graph, new.lying))


@lru_cache(maxsize=256)
def _known(sources: SourceSet, configuration: Configuration, locally: bool) -> Side:
    old = original(sources, configuration).compiled
    return Side.of(old.graph, old.lying, locally=locally)
