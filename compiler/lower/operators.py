"""Operators on arguments, and slots: what they do not take, and what never has a value."""

from compiler.graph.core import Attribute, Bound, Const, Read, Term
from compiler.lower.context import Context
from compiler.lower.errors import NotComparable, NoValue, TooMany, WrongOperands
from compiler.lower.make import NONE
from compiler.lower.phrases import described, suggestion
from compiler.ops.lists import IN, IS, MINUS, MOST_ELEMENTS, RANGE, SAME_MEMBERS, UNION
from compiler.ops.numbers import ADD, AT_LEAST, AT_MOST, DIVIDE, LESS, MODULO, MORE, NEGATE
from compiler.ops.row import Op
from compiler.source import Span
from compiler.types import (
    Enum,
    Int,
    Nothing,
    Player,
    Square,
    Token,
    Type,
    element,
    fits,
    possible,
    present,
)

ORDERING = (LESS, AT_MOST, MORE, AT_LEAST)
COMPARING = (IS, SAME_MEMBERS, IN, *ORDERING)


def applied(context: Context, op: Op, args: tuple[Term, ...], span: Span) -> Term:
    """An operator on arguments; reported if it does not take them, or never has a value."""
    if any(arg is NONE for arg in args):
        return NONE
    type_ = op.signature(tuple(arg.type for arg in args))
    if type_ is None or (op in ORDERING and not all(has_order(arg.type) for arg in args)):
        _report_operands(context, op, args, span)
        return NONE
    if op in (DIVIDE, MODULO) and args[1] == Const(0):
        context.add(NoValue(f"`{op.symbol}` by 0", span=span))
        return NONE
    if op is RANGE and _is_too_long(context, args, span):
        return NONE
    return context.maker.apply(op, args, type_, span)


def has_order(type_: Type) -> bool:
    """Whether values of a type have an order: numbers and members of an enum."""
    return isinstance(present(type_), Int | Enum | Nothing)


def _is_too_long(context: Context, ends: tuple[Term, ...], span: Span) -> bool:
    """Whether a range is known to be longer than any list; then that is reported."""
    left, right = ends
    if not isinstance(left, Const) or not isinstance(right, Const):
        return False
    low, high = left.value, right.value
    if not isinstance(low, int) or not isinstance(high, int) or high - low < MOST_ELEMENTS:
        return False
    context.add(TooMany(high - low + 1, "numbers in a list", MOST_ELEMENTS, span=span))
    return True


def _report_operands(context: Context, op: Op, args: tuple[Term, ...], span: Span) -> None:
    if any(isinstance(arg.type, Nothing) for arg in args):
        return
    said = tuple(described(arg.type) for arg in args)
    if op in COMPARING:
        meant = _same_attribute_meant(op, *args) or _attribute_meant(context, *args)
        meant = meant or _comparison_meant(op, *args)
        context.add(NotComparable(said[0], said[1], meant, span=span))
        return
    hints = [suggestion(arg, Int(0, 0), _text(arg)) for arg in args]
    hint = next(filter(None, hints), "") if op not in (UNION, MINUS) else ""
    hint = hint or next(filter(None, (_number_of(context, arg) for arg in args)), "")
    players = [_text(arg) for arg in args if isinstance(present(arg.type), Player)]
    if players and op is ADD:
        hint = f"seats are not counted: who comes after is `next({players[0]})`"
    symbol = "-" if op is NEGATE else op.symbol or op.name
    context.add(WrongOperands(symbol, said, hint, span=span))


def _number_of(context: Context, term: Term) -> str:
    """What to type for a card where the number on it is meant."""
    token = present(term.type)
    if not isinstance(token, Token) or token.token_class not in context.maker.classes:
        return ""
    known = context.maker.classes[token.token_class].attributes
    numbers = [a.name for a in known if isinstance(present(a.type), Int)]
    return f"write `{_text(term)}.{numbers[0]}`" if numbers else ""


def _attribute_meant(context: Context, left: Term, right: Term) -> str:
    """What to type for `s is king`, where a token, or what stands on a square, has such a value."""
    of, wanted = present(left.type), present(right.type)
    name = context.maker.board_class if isinstance(of, Square) else None
    if isinstance(of, Token):
        name = of.token_class
    if name not in context.maker.classes or isinstance(wanted, Int | Square | Token):
        return ""
    known = [a.name for a in context.maker.classes[name].attributes if present(a.type) == wanted]
    return f"write `{_text(left)}.{known[0]} is {_text(right)}`" if known else ""


def _same_attribute_meant(op: Op, left: Term, right: Term) -> str:
    """What to type for `c.value > best`: what is read of one token, held against another."""
    if op not in (IS, *ORDERING):
        return ""
    read, other = (left, right) if isinstance(present(right.type), Token) else (right, left)
    token = present(other.type)
    if not isinstance(token, Token) or not isinstance(read, Read):
        return ""
    source = read.source
    if isinstance(source, Attribute) and source.token_class == token.token_class:
        return f"write `{_text(other)}.{source.name}`"
    return ""


def _comparison_meant(op: Op, left: Term, right: Term) -> str:
    """What to type instead of a comparison of things that cannot be compared."""
    inner = element(right.type)
    if op in ORDERING and fits(left.type, right.type):
        return "only numbers and members of an enum have an order"
    if op is IN:
        return ""
    if isinstance(inner, Nothing):
        if isinstance(present(left.type), Token):
            return "only places, lists and sets are empty; for squares of a board say `squares(…)`"
        return "only places, lists and sets are empty; what may be missing is `none`"
    if inner is not None and fits(left.type, inner):
        return f"write `{_text(left)} in {_text(right)}`"
    meant = suggestion(left, right.type, _text(left))
    return meant or suggestion(right, left.type, _text(right))


def _text(term: Term) -> str:
    """A term as it is written, if it is."""
    if isinstance(term, Bound):
        return term.name
    return term.span.text if term.span is not None else ""


def never_fits(term: Term, slot: Type) -> tuple[str, str] | None:
    """What of a term lies outside of its slot whatever happens, and the slot's range, in words."""
    if not possible(term.type, slot):
        return described(present(term.type)), str(present(slot))
    inner = element(slot)
    if isinstance(term, Const) and isinstance(term.value, tuple) and isinstance(inner, Int):
        numbers = [value for value in term.value if isinstance(value, int)]
        for number in numbers:
            if not inner.low <= number <= inner.high:
                return f"the number {number}", str(inner)
    return None
