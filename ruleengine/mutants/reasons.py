"""Why nothing tells a mutant from its rulebook: what is known of the place where they differ.

A fault is noticed if somebody comes to it, if what happens there is another thing, and if that
shows.  Which of the three is missing is looked for: no proof, but it says where to look.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from compiler.analysis.sameness.meaning import Telling
from compiler.config import Configuration
from compiler.graph.notation import term_text
from compiler.graph.values import ValueWords
from compiler.mutation.mutation import Mutation
from compiler.source import SourceSet
from ruleengine.exploration.walk import Walk
from ruleengine.game import Instance
from ruleengine.measure.traces import Tracing, compared, mask_of
from ruleengine.mutants.games import NODES, original
from ruleengine.mutants.sameness import parted

SMALL: Final = 2_000
"""Situations up to which a game is gone through side by side with its mutant."""

_GAMES: Final = 100
_NAMED: Final = 4  # values that are listed


@lru_cache(maxsize=64)
def small(sources: SourceSet, configuration: Configuration) -> bool:
    """Whether all situations of a game of the rulebook can be gone through."""
    walk = Walk(original(sources, configuration), SMALL)
    walk.run()
    return walk.complete


def reason(
    sources: SourceSet, new: Instance, mutation: Mutation, scenarios: Sequence[int], seed: int
) -> str:
    """What is known of two games that nothing tells apart, in a configuration in which they may.

    Those `scenarios` come to where they differ.
    """
    old = original(sources, new.configuration)
    left = parted(sources, new.compiled)
    if left is not None and left.telling is not None and left.telling.values:
        return _only_where(old, left.telling)
    came = _coming(old, mutation, seed)
    many = len(scenarios)
    if came == 0 and not many:
        return f"no scenario comes there, and none of {_GAMES} games"
    if came is None:
        return f"{many} scenarios and all games may notice it, and nothing is another thing"
    return f"{many} scenarios and {came} of {_GAMES} games come there; nothing else comes of it"


def _only_where(old: Instance, telling: Telling) -> str:
    """The values for which alone they differ."""
    words = ValueWords(old.graph)
    values = [words.text(value, telling.term.type) for value in telling.values]
    more = len(values) - _NAMED
    named = " or ".join(values[:_NAMED]) + (f" or {more} more" if more > 0 else "")
    term = term_text(telling.term, old.graph)
    return f"they differ only where `{term}` is {named}, and that shows nowhere"


def _coming(old: Instance, mutation: Mutation, seed: int) -> int | None:
    """How many games come to a step on the spoilt lines; `None` if that cannot be seen."""
    name, lines = mutation.span.file.name, mutation.near or mutation.around
    watched = frozenset(
        node.id
        for node in old.graph.nodes
        if node.span is not None and node.span.file.name == name and node.span.first.line in lines
    )
    if not watched:
        return None
    what, _ = compared(old, old)
    tracing = Tracing.of(old, seed, NODES, watched, what)
    if tracing is None:
        return None
    mask = mask_of(watched)
    return sum(bool(trace.seen & mask) for trace in tracing.traces(range(_GAMES)))
