"""Whether a mutant is the same game, as far as graphs show.

Its steps must be those of the rulebook, and so must be what is declared: but the side on which a
card comes to lie where no step leaves that to the place makes no difference.
"""

from attrs import evolve

from compiler.analysis.pairing import pairing
from compiler.graph.core import Graph
from compiler.graph.where import indices
from compiler.pipeline import Compiled


def same_game(old: Compiled, new: Compiled) -> bool:
    """Whether every game goes the same way under both."""
    return pairing(_settled(old), _settled(new)).same


def _settled(compiled: Compiled) -> Graph:
    """The graph; places whose own side no step asks for are face up."""
    asked = {
        index
        for path in compiled.lying.found.paths.values()
        if path.face_up is None
        for index in indices(path.target)
    }
    places = tuple(
        place if place.index in asked else evolve(place, face_up=True)
        for place in compiled.graph.places
    )
    return evolve(compiled.graph, places=places)
