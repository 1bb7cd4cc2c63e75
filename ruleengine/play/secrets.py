"""Whether a game has anything to hide; the rules alone decide, not what happens to lie where."""

from compiler.graph.core import Assign, Choose, FaceTarget, Graph


def has_secrets(graph: Graph) -> bool:
    """Whether anything in a game can be hidden from some player."""
    hidden = any(not place.face_up for place in graph.places)
    return hidden or _turns_down(graph) or _seals(graph) or _is_read_by_few(graph)


def _turns_down(graph: Graph) -> bool:
    return any(
        isinstance(node.step, Assign) and isinstance(node.step.target, FaceTarget)
        for node in graph.nodes
    )


def _seals(graph: Graph) -> bool:
    return any(isinstance(node.step, Choose) and node.step.joint for node in graph.nodes)


def _is_read_by_few(graph: Graph) -> bool:
    return any(reader is not None for variable in graph.variables for reader in variable.readers)
