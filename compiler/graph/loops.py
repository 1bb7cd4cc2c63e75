"""Loops over a domain, as lowering leaves them; what is left of it is a list the compiler keeps.

left = the domain;  is anything left?  yes: x = first(left), left = the rest, ..., back to the test
"""

from collections.abc import Iterator

from compiler.graph.core import Apply, Assign, Branch, Choose, Graph, Node, Read, Variable
from compiler.ops.lists import FIRST


def beginnings(graph: Graph, node: int) -> Iterator[int]:
    """The nodes that begin the first round of each loop around a node, outermost first.

    Of a joint decision also those that settle whom it asks.
    """
    for head in graph.nodes[:node]:
        taken = _taken(graph, head)
        if taken is not None and node in _round(graph, head.id):
            yield taken
            yield head.next[0]
            yield graph.nodes[head.next[0]].next[0]
    yield from _asking(graph, node)


def _asking(graph: Graph, node: int) -> Iterator[int]:
    """What a joint decision assigns before it asks: who is asked, and that nobody has picked."""
    match graph.nodes[node].step:
        case Choose(actor=Read(Variable(hidden_name=True) as asked), joint=True):
            settles = [n.id for n in graph.nodes[:node] if _gives(n, asked)][-1]
            yield from (n.id for n in graph.nodes[settles:node] if isinstance(n.step, Assign))
        case _:
            return


def _taken(graph: Graph, head: Node) -> int | None:
    """The node that takes the domain, if this is the test of a loop."""
    if not isinstance(head.step, Branch):
        return None
    match graph.nodes[head.next[0]].step:
        case Assign(_, (), Apply(op, (Read(Variable(hidden_name=True) as left),))) if op is FIRST:
            before = graph.nodes[: head.id]
            takes = [n.id for n in before if n.next == (head.id,) and _gives(n, left)]
            return takes[-1] if takes else None
        case _:
            return None


def _gives(node: Node, variable: Variable) -> bool:
    return isinstance(node.step, Assign) and node.step.target is variable


def _round(graph: Graph, head: int) -> range:
    """The nodes of a loop's block: in text order, up to the last from which its test is reached."""
    inside: set[int] = set()
    found = {head}
    while found:
        found = {n.id for n in graph.nodes[head + 1 :] if not found.isdisjoint(n.next)} - inside
        inside |= found
    return range(head + 1, max(inside, default=head) + 1)
