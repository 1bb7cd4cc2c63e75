"""Ends of the game: who wins, with how many points, in which order."""

from compiler.graph.core import Apply, Const, End, Ending, Flow, Term
from compiler.lower.choices import Lowering
from compiler.lower.denote import denote
from compiler.lower.make import NONE
from compiler.lower.scope import FunctionName, Scope
from compiler.ops.lists import LIST
from compiler.syntax import ast
from compiler.types import Int, ListOf, Nothing, Player, SetOf, element, fits, present


def end(low: Lowering, step: ast.EndStep | ast.EndDraw, scope: Scope) -> None:
    """An end with its result."""
    if isinstance(step, ast.EndDraw):
        low.emit(Flow(End(Ending.DRAW, None)), step.tail, step.span, ways=0)
        return
    match step.result.text:
        case "winners":
            ending, value = Ending.WINNERS, _winners(low, step.value, scope)
        case "scores":
            ending, value = Ending.SCORES, _scores(low, step.value, scope)
        case _:
            ending, value = Ending.RANKING, _ranking(low, step.value, scope)
    low.emit(Flow(End(ending, value)), step.tail, step.span, ways=0)


def _winners(low: Lowering, node: ast.Expr, scope: Scope) -> Term:
    """The seats that win; one needs no brackets."""
    seats = SetOf(low.context.player)
    term = low.terms.term(node, scope, seats)
    if isinstance(present(term.type), Player):
        term = low.context.maker.just(term)
    return low.terms.fitted(term, seats, node.span)


def _ranking(low: Lowering, node: ast.Expr, scope: Scope) -> Term:
    """The seats that share each rank, the best first."""
    ranks = ListOf(ListOf(low.context.player))
    term = low.terms.term(node, scope, ranks)
    if fits(term.type, ranks):
        return low.terms.fitted(term, ranks, node.span)
    wanted = "a list of lists of players (the best first)"
    low.context.wrong(node.span, term.type, wanted, "for example `[[A], [B, C]]`")
    return NONE


def _scores(low: Lowering, node: ast.Expr, scope: Scope) -> Term:
    """A number per seat: a family, a define of one player, or a list."""
    if isinstance(node, ast.Name) and scope.find(node.name.text) is None:
        found = denote(low.context, low.terms, node.name.text)
        if isinstance(found, FunctionName) and len(found.function.params) == 1:
            player = low.context.player
            each = tuple(
                Apply(found.function, (Const(seat, type=player),), type=found.function.type)
                for seat in range(low.context.seats)
            )
            return Apply(LIST, each, type=ListOf(found.function.type), span=node.span)
    term = low.terms.term(node, scope)
    listed = low.context.maker.listed(term)
    inner = element(listed.type) if listed is not None else None
    if listed is None or not isinstance(present(inner or Nothing()), Int | Nothing):
        fix = "name a `define` of one player: `define total(p: player) = …`, `end scores total`"
        low.context.wrong(node.span, term.type, "a number for every player", fix)
        return NONE
    return listed
