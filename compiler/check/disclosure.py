"""Lists the steps that tell something of what is hidden, unless their author has confirmed them."""

from collections.abc import Iterator

from attrs import frozen

from compiler.check.errors import Disclosure
from compiler.check.origins import Tracer
from compiler.diagnostic import Report
from compiler.graph.core import Assign, Branch, End, Flow, Graph, Node, Term, Variable
from compiler.graph.notation import term_text
from compiler.graph.occupancy import Occupancy


@frozen
class Telling:
    """A step whose visible course depends on what some seat may not see; of a trigger, its first.

    `titles` are the names it goes by, its own first; `confirmed` if the author says it is meant.
    """

    node: Node
    read: Term
    titles: tuple[str, ...]
    confirmed: bool


def tellings(graph: Graph, lying: Occupancy) -> Iterator[Telling]:
    """All steps that tell something of what is hidden, in the order of the graph; then triggers."""
    for node in graph.nodes:
        tracer = Tracer(graph, lying, None)
        for term in _told(node):
            tracer.know(term, {})
        if tracer.found:
            titles = _titles(graph, node)
            confirmed = bool(set(titles) & set(graph.disclosures))
            yield Telling(node, tracer.found[0].read, titles, confirmed)
    for trigger in graph.triggers:
        tracer = Tracer(graph, lying, None)
        tracer.know(trigger.condition, {})
        if tracer.found:
            node = graph.nodes[graph.phase(trigger.phase).entry]
            titles = (trigger.title or trigger.phase, *_titles(graph, node))
            confirmed = bool(set(titles) & set(graph.disclosures))
            yield Telling(node, tracer.found[0].read, titles, confirmed)


def check_disclosures(graph: Graph, lying: Occupancy) -> Report:
    """Reports those that nobody has confirmed."""
    report = Report()
    for telling in tellings(graph, lying):
        node, read = telling.node, telling.read
        if telling.confirmed or node.span is None:
            continue
        notes = ((read.span, "read here"),) if read.span and read.span != node.span else ()
        told = f"`{term_text(read, graph)}`"
        report.add(Disclosure(told, telling.titles[0], span=node.span, notes=notes))
    return report


def _told(node: Node) -> tuple[Term, ...]:
    """The terms whose value everybody can tell from what happens."""
    match node.step:
        case Branch(test):
            return (test,)
        case Assign(Variable() as variable, args, value) if not variable.readers:
            return (*args, value)
        case Flow(End(_, value)) if value is not None:
            return (value,)
        case _:
            return ()


def _titles(graph: Graph, node: Node) -> tuple[str, ...]:
    """The names a step goes by: its own first, last its phase's title, or name if it has none."""
    titles = [node.title] if node.title else []
    named = node.named
    while named is not None:
        titles.append(graph.named[named].title)
        named = graph.named[named].parent
    phase = graph.phase(node.phase)
    return (*titles, phase.title or phase.name)
