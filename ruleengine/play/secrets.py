"""Whether some know what others must not; the rules alone decide, not what happens to lie where.

What lies face down for everybody, as a deck does, is no secret among players.
"""

from compiler.graph.core import Assign, Choose, Const, Graph, KnownTarget


def has_secrets(graph: Graph) -> bool:
    """Whether anything in a game can be seen by some players and hidden from others."""
    looked_at = any(place.viewers is not None for place in graph.places)
    return looked_at or _shows(graph) or _seals(graph) or _is_read_by_few(graph)


def _shows(graph: Graph) -> bool:
    """Whether tokens are shown to some: those shown to everybody have no seats named."""
    return any(
        isinstance(node.step, Assign)
        and isinstance(node.step.target, KnownTarget)
        and node.step.value != Const(None, type=node.step.value.type)
        for node in graph.nodes
    )


def _seals(graph: Graph) -> bool:
    return any(isinstance(node.step, Choose) and node.step.joint for node in graph.nodes)


def _is_read_by_few(graph: Graph) -> bool:
    return any(reader is not None for variable in graph.variables for reader in variable.readers)
