"""How many may play: what a rulebook's `seats` line allows under some settings."""

from collections.abc import Mapping

from compiler.diagnostic import Edit, Report
from compiler.graph.core import Const
from compiler.lower.context import Context, Setting
from compiler.lower.declarations import Declarations
from compiler.lower.errors import NeverFits, WrongType
from compiler.lower.make import NONE, Maker
from compiler.lower.terms import Terms
from compiler.ops.lists import elements
from compiler.syntax import ast
from compiler.types import Int, ListOf, fits

WANTED = "a number or a range such as `2..4`"
MOST_SEATS = 26  # as many as there are letters


def seats_allowed(
    line: ast.Seats, declared: Declarations, settings: Mapping[str, Setting]
) -> tuple[tuple[int, ...], Report]:
    """The numbers of players in ascending order, and what is wrong with the line that says them.

    The line may read params and rulings.
    """
    report = Report()
    difference = _difference(line.count)
    if difference is not None:
        report.add(difference)
        return (), report
    context = Context(declared, MOST_SEATS, settings, report, Maker({}))
    terms = Terms(context)
    term = terms.term(line.count, context.root())
    span = line.count.span
    number = Int(1, MOST_SEATS)
    if term is NONE:
        return (), report
    if not fits(term.type, number) and not fits(term.type, ListOf(number)):
        context.wrong(span, term.type, WANTED)
        return (), report
    if not isinstance(term, Const):
        terms.unknown_before_play(term, span)
        return (), report
    found = (term.value,) if isinstance(term.value, int) else elements(term.value)
    seats = sorted({seat for seat in found if isinstance(seat, int)})
    if not seats and isinstance(line.count, ast.Binary):
        terms.range_type(line.count.left, line.count.right, span)
    for seat in [seat for seat in seats if not 1 <= seat <= MOST_SEATS][-1:]:
        context.add(NeverFits(f"the number {seat}", str(number), span=span))
    if not seats and not report.has_errors:
        context.wrong(span, term.type, WANTED)
    return tuple(seat for seat in seats if 1 <= seat <= MOST_SEATS), report


def _difference(count: ast.Expr) -> WrongType | None:
    """What is wrong with `2-4`, which takes 4 away from 2 and can only be meant as a range."""
    match count:
        case ast.Binary(ast.Number(left), ast.Word(text="-"), ast.Number(right)):
            low, high = sorted((int(left.text), int(right.text)))
            said = f"{low}..{high}"
            edits = (Edit(count.span, said),)
            fix = f"for a range write `{said}`"
            return WrongType("a difference", WANTED, fix, span=count.span, edits=edits)
        case _:
            return None
