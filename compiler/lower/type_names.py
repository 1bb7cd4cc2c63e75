"""What expressions mean where a type must be: `1..6`, `player`, `set of card`."""

from compiler.lower.context import Context, Lowers
from compiler.lower.denote import denote
from compiler.lower.errors import EmptyRange, NotAType, TooMany
from compiler.lower.names import unknown
from compiler.lower.scope import ClassName, EnumName, RangeName, Scope
from compiler.ops.lists import MOST_ELEMENTS
from compiler.ops.numbers import LIMIT
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.spelling import nearest
from compiler.types import (
    BOOL,
    SQUARE,
    Int,
    ListOf,
    Nothing,
    Optional,
    SetOf,
    Token,
    Type,
    element,
    present,
)

_BUILT_IN = ("bool", "player", "square")
_NUMBERS = frozenset({"int", "integer", "number", "float", "double", "value"})
_TEXTS = frozenset({"text", "string", "str", "word", "name", "char"})
_TOKENS = frozenset({"card", "cards", "piece", "pieces", "token", "tokens", "tile", "tiles"})
_ANY_NUMBER = Int(-LIMIT, LIMIT)


def type_named(context: Context, terms: Lowers, node: ast.TypeExpr, scope: Scope) -> Type:
    """The type an expression names; `none`'s after an error."""
    match node:
        case ast.OptionalType(inner):
            return Optional(terms.type(inner, scope))
        case ast.SetType(inner):
            return kept(context, SetOf(terms.type(inner, scope)), node.span)
        case ast.ListType(inner):
            return kept(context, ListOf(terms.type(inner, scope)), node.span)
        case ast.Paren(inner):
            return terms.type(inner, scope)
        case ast.Name(name):
            found = _by_name(context, terms, name)
            if found is not None:
                return found
        case ast.Binary(left, op, right) if op.text == "..":
            return range_type(context, terms, left, right, node.span)
        case _:
            pass
    context.add(NotAType(_meant(context, node), span=node.span))
    return Nothing()


def kept(context: Context, type_: Type, span: Span) -> Type:
    """The type of a list or set that a state must hold; `none`'s if no state could.

    Each element is held once, so it may be as long as there are elements.
    """
    inner = present(element(type_) or Nothing())
    if not isinstance(inner, Int) or inner.high - inner.low < MOST_ELEMENTS:
        return type_
    numbers = inner.high - inner.low + 1
    context.add(TooMany(numbers, "numbers to keep in a list", MOST_ELEMENTS, span=span))
    return Nothing()


def range_type(
    context: Context, terms: Lowers, left: ast.Expr, right: ast.Expr, span: Span
) -> Type:
    """The numbers between two that are known before play; `none`'s type after an error."""
    low, high = (terms.value(end, context.root(), _ANY_NUMBER) for end in (left, right))
    if not isinstance(low, int) or not isinstance(high, int):
        return Nothing()
    if low > high:
        context.add(EmptyRange(low, high, span=span))
        return Nothing()
    return Int(low, high)


def _by_name(context: Context, terms: Lowers, name: ast.Word) -> Type | None:
    match name.text:
        case "bool":
            return BOOL
        case "player":
            return context.player
        case "square":
            return SQUARE
        case _:
            pass
    match denote(context, terms, name.text):
        case EnumName(enum):
            return enum
        case ClassName(own, token_class, kinds):
            return Token(token_class, own if kinds is not None else None)
        case RangeName(type_, _):
            return type_
        case None if name.text in context.declared.by_name:
            return unknown(context, name, context.root(), None).type
        case _:
            return None


def _meant(context: Context, node: ast.TypeExpr) -> str:
    """What to write for something that is not a type."""
    if isinstance(node, ast.Number):
        return f"write `1..{node.digits.text}`"
    if isinstance(node, ast.ListOf) and len(node.items) == 1:
        return f"several are `list of {node.items[0].span.text}`, or `set of` them"
    if isinstance(node, ast.Binary) and node.op.text == "-":
        return f"write `{node.left.span.text}..{node.right.span.text}`"
    if not isinstance(node, ast.Name):
        return ""
    name = node.name.text
    if name in _NUMBERS:
        return "write a range: `0..99`"
    if name in _TEXTS:
        return "there are no texts: name what it can be, `enum mood: calm, angry`, and write `mood`"
    for token in context.declared.of(ast.TokenDecl):
        for line in token.lines:
            if isinstance(line, ast.Attribute) and line.name.text == name:
                return f"`{name}` is what `{token.name}` has; write `{line.type.span.text}`"
        if name in _TOKENS:
            return f"write `{token.name}`, or `{token.name} or none`"
    types = ast.EnumDecl | ast.TokenDecl | ast.KindDecl | ast.Ruling | ast.Gap | ast.Define
    known = [
        name for name, declared in context.declared.by_name.items() if isinstance(declared, types)
    ]
    near = nearest(node.name.text, [*known, *_BUILT_IN])
    return f"did you mean `{near}`?" if near else ""
