"""What two games have in common, so that it can be compared: tokens, places, variables."""

from collections.abc import Iterator
from functools import lru_cache

from compiler.graph.core import Assign, Graph, Place, Variable
from compiler.graph.walk import terms_of, variable_reads
from ruleengine.game import Instance


def same_tokens(old: Instance, new: Instance) -> bool:
    """Whether a handle of one is the same token in the other, and a number the same place."""
    ones, others = old.graph, new.graph
    kinds = [[(c.name, c.kinds, c.sticky_flags) for c in graph.classes] for graph in (ones, others)]
    places = [[(p.label, p.shape) for p in graph.places] for graph in (ones, others)]
    same = kinds[0] == kinds[1] and places[0] == places[1]
    return same and old.interpreter.statics.flag_bits == new.interpreter.statics.flag_bits


def shared_places(old: Graph, new: Graph) -> Iterator[tuple[Place, Place]]:
    """The places that both have, by what they are called."""
    theirs = {place.label: place for place in new.places}
    for place in old.places:
        if place.label in theirs:
            yield place, theirs[place.label]


def shared_variables(old: Graph, new: Graph) -> Iterator[tuple[Variable, Variable]]:
    """The variables of the game that both have and some rule of both reads.

    A counter that only one of them reads says nothing about how they differ.
    """
    read = {variable.name for variable in _read(new)}
    theirs = {variable.name: variable for variable in new.variables}
    for variable in old.variables:
        other = theirs.get(variable.name)
        compared = variable in _read(old) and variable.name in read
        if other is not None and compared and other.size == variable.size:
            yield variable, other


@lru_cache(maxsize=8)
def _read(graph: Graph) -> frozenset[Variable]:
    """The variables that steps read, other than to count them on, or triggers."""
    found: set[Variable] = set()
    for node in graph.nodes:
        seen = {variable for variable, _ in variable_reads(*terms_of(node.step))}
        if isinstance(node.step, Assign) and isinstance(node.step.target, Variable):
            seen.discard(node.step.target)
        found |= seen
    for trigger in graph.triggers:
        found |= {variable for variable, _ in variable_reads(trigger.condition)}
    return frozenset(found)
