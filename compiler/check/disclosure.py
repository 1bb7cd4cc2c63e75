"""Lists the steps that tell something of hidden cards, unless their author has confirmed them."""

from compiler.check.errors import Disclosure
from compiler.check.origins import Tracer
from compiler.diagnostic import Report
from compiler.graph.core import Assign, Branch, End, Flow, Graph, Node, Term, Variable
from compiler.graph.occupancy import Occupancy
from compiler.graph.words import term_text


def check_disclosures(graph: Graph, lying: Occupancy) -> Report:
    """Steps whose visible course depends on what some seat may not see."""
    report = Report()
    for node in graph.nodes:
        tracer = Tracer(graph, lying, None)
        for term in _told(node):
            tracer.know(term, {})
        titles = _titles(graph, node)
        if not tracer.found or node.span is None or set(titles) & set(graph.disclosures):
            continue
        read = tracer.found[0].read
        notes = ((read.span, "read here"),) if read.span and read.span != node.span else ()
        told = f"`{term_text(read, graph)}`"
        report.add(Disclosure(told, titles[0], span=node.span, notes=notes))
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


def _titles(graph: Graph, node: Node) -> list[str]:
    """The names a step goes by: its own first, last its phase's title, or name if it has none."""
    titles = [node.title] if node.title else []
    named = node.named
    while named is not None:
        titles.append(graph.named[named].title)
        named = graph.named[named].parent
    phase = graph.phase(node.phase)
    return [*titles, phase.title or phase.name]
