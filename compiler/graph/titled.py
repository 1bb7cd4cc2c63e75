"""What the parts of a phase are called: named steps, decisions and questions, with nodes."""

from compiler.graph.core import Graph


def titled_nodes(graph: Graph, phase: str) -> dict[str, int]:
    """The first node of each part of a phase by its title, in the order of the nodes."""
    here: dict[str, int] = {}
    for node in graph.nodes:
        if node.phase != phase:
            continue
        titles = [node.title]
        named = node.named
        while named is not None:
            titles.append(graph.named[named].title)
            named = graph.named[named].parent
        for found in titles:
            here.setdefault(found, node.id)
    return here
