"""Which tests are known to have come out how, at each node of a graph.

A test that was passed is known until something that it asks for may have changed.  Nothing is known
where a phase begins, nor after somebody was asked or a phase was called.
"""

from collections.abc import Iterator

from compiler.analysis.sameness.effects import Effects
from compiler.analysis.sameness.meaning import Facts
from compiler.graph.core import Assign, Branch, Chance, Cond, Const, Graph, Move, Node, Term


def facts(graph: Graph, effects: Effects) -> tuple[Facts, ...]:
    """What is known at each node before its step."""
    known: list[dict[tuple[Term, bool], None] | None] = [None] * len(graph.nodes)
    begins = {graph.start, *(phase.entry for phase in graph.phases)}
    waiting = sorted(begins)
    for entry in begins:
        known[entry] = {}
    while waiting:
        node = graph.nodes[waiting.pop()]
        for position, following in enumerate(node.next):
            left = dict.fromkeys(_after(node, position, known[node.id] or {}, effects))
            before = known[following]
            now = left if before is None else {one: None for one in before if one in left}
            if before is None or len(now) != len(before):
                known[following] = now
                waiting.append(following)
    return tuple(tuple(one or ()) for one in known)


def _after(
    node: Node, position: int, known: dict[tuple[Term, bool], None], effects: Effects
) -> Iterator[tuple[Term, bool]]:
    match node.step:
        case Branch(test):
            yield from known
            yield from _learnt(test, position == 0)
        case Assign() | Move() | Chance():
            touched = effects.touched(node)
            if touched is None:
                return
            for term, holds in known:
                if touched.apart(effects.asks(term)):
                    yield term, holds
        case _:
            return


def _learnt(test: Term, holds: bool) -> Iterator[tuple[Term, bool]]:
    """What a test tells that came out so."""
    yield test, holds
    match test:
        case Cond(one, other, Const(False)) if holds:
            yield from _learnt(one, True)
            yield from _learnt(other, True)
        case Cond(one, Const(True), other) if not holds:
            yield from _learnt(one, False)
            yield from _learnt(other, False)
        case _:
            return
