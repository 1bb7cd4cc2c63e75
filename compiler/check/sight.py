"""Refuses choices that depend on what their player may not know, and orders that would tell.

The labels here are static and generous; the properties of play catch what they let pass.
"""

from compiler.check.errors import FlagTells, GuardReadsHidden, OrderTells
from compiler.check.origins import Known, Origin, Tracer, is_row
from compiler.diagnostic import InternalError, Report
from compiler.graph.core import (
    AllTokens,
    Apply,
    Assign,
    Chance,
    Choose,
    FlagTarget,
    Graph,
    Move,
    Node,
    Option,
    Read,
    Shape,
    Shuffle,
    Source,
    Term,
)
from compiler.graph.notation import term_text
from compiler.graph.occupancy import Occupancy, classes_in
from compiler.ops.row import Lookup
from compiler.source import Span
from compiler.types import Token, element, present


def check_sight(graph: Graph, lying: Occupancy) -> Report:
    """What of a graph would tell hidden things."""
    report = Report()
    for node in graph.nodes:
        match node.step:
            case Choose() as choose:
                for option in choose.options:
                    _check_option(graph, lying, node, choose, option, report)
            case Move() as move:
                _check_order(graph, lying, node, move, report)
            case Assign(FlagTarget(name), (tokens,), _):
                _check_flag(graph, lying, node, name, tokens, report)
            case _:
                pass
    return report


def _check_option(
    graph: Graph,
    lying: Occupancy,
    node: Node,
    choose: Choose,
    option: Option,
    report: Report,
) -> None:
    tracer = Tracer(graph, lying, choose.seat if choose.joint else choose.actor)
    bound: dict[int, Known] = {}
    if choose.seat is not None:
        bound[choose.seat.index] = Known(actor=True)
    for slot in option.slots:
        members = tracer.know(slot.domain.members, bound)
        bound[slot.bound.index] = Known(tokens=members.tokens, places=members.places)
        if slot.where is not None:
            tracer.know(slot.where, bound)
        _tell(tracer, option, option.span or node.span, report)
    for guard in option.guards:
        tracer.know(guard.holds, bound)
        _tell(tracer, option, guard.span or option.span, report)


def _tell(tracer: Tracer, option: Option, span: Span | None, report: Report) -> None:
    """Reports what was found since the last line, and points at the read itself."""
    if span is None:
        raise InternalError("an option stands somewhere")
    for hidden in tracer.found:
        read = hidden.read
        notes = ((read.span, "read here"),) if read.span and read.span != span else ()
        name = option.name if option.name != "choose" else option.title or "this choice"
        told = f"`{term_text(read, tracer.graph)}`"
        report.add(GuardReadsHidden(name, told, span=span, notes=notes))
    tracer.found.clear()


def _check_order(graph: Graph, lying: Occupancy, node: Node, move: Move, report: Report) -> None:
    """Several cards from a hidden set into a hidden row: only a shuffle may follow."""
    tracer = Tracer(graph, lying, None)
    tokens = tracer.know(move.tokens, {}).tokens
    many = isinstance(element(move.tokens.type), Token) and not _is_one(move.tokens)
    target = tracer.know(move.place, {}).places or frozenset()
    rows = [graph.places[p] for p in target if is_row(graph.places[p])]
    if not many or not any(tracer.hides_from_somebody(place) for place in rows):
        return
    if move.face_up is True or not any(_unordered(tracer, origin) for origin in tokens):
        return
    following = graph.nodes[node.next[0]].step
    if node.span is not None and following != Chance(Shuffle(move.place)):
        report.add(OrderTells(span=node.span))


def _check_flag(
    graph: Graph, lying: Occupancy, node: Node, flag: str, tokens: Term, report: Report
) -> None:
    """A sticky flag is set where all can see it, or on the whole class at once."""
    if node.span is None or (isinstance(tokens, Read) and _is_class(tokens.source)):
        return
    tracer = Tracer(graph, lying, None)
    for origin in tracer.know(tokens, {}).tokens:
        places = (graph.places[index] for index in origin.places)
        for part in (part for place in places for part in classes_in(graph, place)):
            if flag in part.sticky_flags and tracer.is_hidden(origin):
                report.add(FlagTells(flag, part.name, span=node.span))
                return


def _is_class(source: Source) -> bool:
    return isinstance(source, AllTokens) and source.kinds is None


def _is_one(tokens: Term) -> bool:
    return (
        isinstance(tokens, Apply) and not isinstance(tokens.op, Lookup) and tokens.op.name == "just"
    ) or isinstance(present(tokens.type), Token)


def _unordered(tracer: Tracer, origin: Origin) -> bool:
    places = (tracer.graph.places[p] for p in origin.places)
    return any(p.shape is Shape.SET and tracer.hides_from_somebody(p) for p in places)
