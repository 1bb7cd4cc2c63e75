"""What a choice, a loop or a quantifier ranges over: members, subsets, orders."""

from compiler.graph.core import Const, Domain, DomainMode, Term
from compiler.lower.context import Lowers
from compiler.lower.scope import Scope
from compiler.ops.numbers import LIMIT
from compiler.syntax import ast
from compiler.types import Int, ListOf, Nothing, SetOf, Type, element

SIZE = Int(0, LIMIT)


def domain(terms: Lowers, node: ast.Expr | ast.Subsets, scope: Scope) -> tuple[Domain, Type]:
    """What a choice ranges over, and the type of one choice."""
    while isinstance(node, ast.Paren):
        node = node.inner
    match node:
        case ast.Subsets(quantity, of):
            listed = _listed(terms, of, scope)
            low = 1 if quantity.text == "some" else 0
            least = Const(low, type=Int(low, low))
            return Domain(DomainMode.SUBSETS, listed, least, None), SetOf(_inner(listed))
        case ast.SomeOf(count, of):
            listed = _listed(terms, of, scope)
            least_term, most_term = _sizes(terms, count, scope)
            return Domain(DomainMode.SUBSETS, listed, least_term, most_term), SetOf(_inner(listed))
        case ast.Call(name, args) if name.text == "orders" and len(args) == 1:
            listed = _listed(terms, args[0], scope)
            return Domain(DomainMode.ORDERS, listed), ListOf(_inner(listed))
        case _:
            return members(terms, node, scope)


def members(terms: Lowers, node: ast.Expr, scope: Scope) -> tuple[Domain, Type]:
    """The members of a list, set, place, class or enum, and their type."""
    listed = _listed(terms, node, scope)
    return Domain(DomainMode.MEMBERS, listed), _inner(listed)


def _listed(terms: Lowers, node: ast.Expr, scope: Scope) -> Term:
    return terms.as_list(terms.term(node, scope), node.span)


def _inner(listed: Term) -> Type:
    return element(listed.type) or Nothing()


def _sizes(terms: Lowers, count: ast.Expr, scope: Scope) -> tuple[Term, Term]:
    while isinstance(count, ast.Paren):
        count = count.inner
    if isinstance(count, ast.Binary) and count.op.text == "..":
        least, most = (terms.fit(end, scope, SIZE) for end in (count.left, count.right))
        return least, most
    size = terms.fit(count, scope, SIZE)
    return size, size
