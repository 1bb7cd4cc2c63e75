"""What can be followed of a move by those who watch: only the rules tell, not the table.

Who watches a player lay three cards back in an order of his choice knows that they are there, but
no longer which is which.  And where a set hides its tokens, what was seen of one is lost when one
of them leaves unseen: it may have been another.  `reveal c` directly followed by `move c to …` says
that it is the same, so such a move is seen by those who were shown its tokens.
"""

from attrs import frozen

from compiler.graph.core import (
    Assign,
    Call,
    Choose,
    DomainMode,
    Flow,
    Graph,
    KnownTarget,
    Move,
    Node,
    Read,
    Term,
    Variable,
)
from compiler.graph.walk import step_writes, variable_reads
from compiler.types import ListOf, has_tokens, present


@frozen
class Arrangement:
    """The order of a move was chosen; `seat` says by whom, if that can be told at the move."""

    seat: Term | None


def arrangements(graph: Graph) -> dict[int, Arrangement]:
    """The moves of a graph whose order was chosen, by node."""
    sources = _sources(graph)
    chosen = _chosen_orders(graph, frozenset(sources))
    found = {}
    for node in graph.nodes:
        if isinstance(node.step, Move) and _reads_any(node.step.tokens, chosen):
            found[node.id] = Arrangement(_arranger(graph, node, node.step.tokens, sources))
    return found


def _sources(graph: Graph) -> dict[Variable, tuple[Node, int]]:
    """The variables that take an order when it is chosen: the decision, the option's position."""
    return {
        slot.local: (node, position)
        for node in graph.nodes
        if isinstance(node.step, Choose)
        for position, option in enumerate(node.step.options)
        for slot in option.slots
        if slot.domain.mode is DomainMode.ORDERS and has_tokens(slot.local.type)
    }


def _chosen_orders(graph: Graph, sources: frozenset[Variable]) -> frozenset[Variable]:
    """Those, and the lists that are made from them."""
    chosen = set(sources)
    changed = True
    while changed:
        changed = False
        for node in graph.nodes:
            match node.step:
                case Assign(Variable() as variable, _, value):
                    keeps = has_tokens(variable.type) and _is_list(variable)
                    if keeps and variable not in chosen and _reads_any(value, frozenset(chosen)):
                        chosen.add(variable)
                        changed = True
                case _:
                    pass
    return frozenset(chosen)


def _is_list(variable: Variable) -> bool:
    return isinstance(present(variable.type), ListOf)


def _reads_any(term: Term, variables: frozenset[Variable]) -> bool:
    return any(variable in variables for variable, _ in variable_reads(term))


def _arranger(
    graph: Graph, move: Node, tokens: Term, sources: dict[Variable, tuple[Node, int]]
) -> Term | None:
    """Who chose the order, as a term that still means him at the move."""
    if not isinstance(tokens, Read) or not isinstance(tokens.source, Variable):
        return None
    source = sources.get(tokens.source)
    if source is None or not isinstance(source[0].step, Choose):
        return None
    node, position = source
    if source[0].step.joint:
        return tokens.args[0] if tokens.args else None
    actor = source[0].step.actor
    asked = frozenset(variable for variable, _ in variable_reads(actor))
    between = _between(graph, node.next[position], (node.id, move.id))
    written = {
        variable for at in between for variable in step_writes(graph.nodes[at].step).variables
    }
    return None if asked & written else actor


def _between(graph: Graph, first: int, ends: tuple[int, ...]) -> list[int]:
    """The nodes that can be reached before one of the ends, calls included."""
    reached: dict[int, None] = {}
    waiting = [first]
    while waiting:
        at = waiting.pop()
        if at in reached or at in ends:
            continue
        reached[at] = None
        node = graph.nodes[at]
        waiting += node.next
        if isinstance(node.step, Flow) and isinstance(node.step.way, Call):
            waiting.append(graph.phase(node.step.way.phase).entry)
    return list(reached)


def shown_moves(graph: Graph) -> dict[int, Term]:
    """The moves of tokens that were shown just before, by node: to whom (`none`: to everybody)."""
    into = _predecessors(graph)
    seats = {}
    for node in graph.nodes:
        if isinstance(node.step, Move) and len(into[node.id]) == 1:
            before = into[node.id][0]
            match before.step if before is not None else None:
                case Assign(KnownTarget(), (tokens,), value) if tokens == node.step.tokens:
                    seats[node.id] = value
                case _:
                    pass
    return seats


def _predecessors(graph: Graph) -> list[list[Node | None]]:
    """Per node, the nodes that lead to it; `None` for a way in from outside."""
    into: list[list[Node | None]] = [[] for _ in graph.nodes]
    into[graph.start].append(None)
    for phase in graph.phases:
        into[phase.entry].append(None)
    for node in graph.nodes:
        for following in node.next:
            into[following].append(node)
    return into
