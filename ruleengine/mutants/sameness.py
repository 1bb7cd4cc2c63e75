"""Whether a mutant is the same game, as far as graphs show."""

from compiler.analysis.sameness.proof import proved
from compiler.pipeline import Compiled


def same_game(old: Compiled, new: Compiled, *, locally: bool = False) -> bool:
    """Whether every game goes the same way under both; `locally` by what is spoilt alone."""
    return proved((old.graph, old.lying), (new.graph, new.lying), locally=locally)
