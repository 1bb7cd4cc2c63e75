"""Loops over a domain and windows, as lowering leaves them: a hidden list, gone through in order.

left = the domain;  is anything left?  yes: x = first(left), left = the rest, ..., back to it
order = the list;  x = first(order);  x chooses, ..., x = first(after(order, x)), back to it
"""

from compiler.flowchart.certain import asked_of
from compiler.flowchart.routes import Routes
from compiler.graph.core import Apply, Assign, Branch, Choose, Node, Option, Read, Term, Variable
from compiler.ops.lists import AFTER, FIRST
from compiler.source import Span
from compiler.types import ListOf, Player

WINDOW = "window order"
"""What lowering calls the hidden list of a window."""


def each_of(routes: Routes, node: Node) -> str | None:
    """The name that a loop over a domain gives to each of it; `None` for all but its test."""
    left = asked_of(node)
    if left is None:
        return None
    match routes.nodes[node.next[0]].step:
        case Assign(Variable() as one, (), Apply(op, (Read(source),))):
            return one.name if op is FIRST and source is left else None
        case _:
            return None


def finds_nobody(node: Node) -> bool:
    """Whether a test only asks if a sealed decision has anybody to ask."""
    left = asked_of(node)
    if left is None or node.title or not isinstance(left.type, ListOf):
        return False
    return isinstance(left.type.element, Player)


def is_next(node: Node) -> bool:
    """Whether a step takes the next of what a loop goes through."""
    match node.step:
        case Assign(Variable(), (), Apply(op, (Read(Variable(hidden_name=True)),))):
            return op is FIRST
        case _:
            return False


def meant(routes: Routes, term: Term) -> Term:
    """A term; for what the compiler keeps in a variable of its own, what it put there first."""
    match term:
        case Read(Variable(hidden_name=True) as kept, ()):
            for node in routes.graph.nodes:
                if isinstance(node.step, Assign) and node.step.target is kept:
                    return meant(routes, node.step.value)
            return term
        case _:
            return term


def closes_window(routes: Routes, node: Node) -> bool:
    """Whether a test without a title is the one with which a window ends: written in its line."""
    if not isinstance(node.step, Branch) or node.title or node.span is None:
        return False
    asked = node.span
    for other in routes.graph.nodes:
        match other.step:
            case Choose(options=(Option(span=Span() as first), *_)) if other.span is not None:
                if other.span.start < asked.start < first.start and other.span.file == asked.file:
                    return True
            case _:
                pass
    return False


def handed_on(node: Node) -> Variable | None:
    """The list along which a step hands a window on, or in which it opens it; `None` for others."""
    match node.step:
        case Assign(Variable(), (), Apply(op, (Read(Variable(hidden_name=True) as order, ()),))):
            return order if op is FIRST and order.name == WINDOW else None
        case Assign(
            Variable(), (), Apply(op, (Apply(then, (Read(Variable() as order, ()), _)),))
        ) if op is FIRST and then is AFTER:
            return order
        case _:
            return None
