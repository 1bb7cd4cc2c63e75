"""Card and piece classes: every printed face, in declaration order, its copies and its word."""

from collections.abc import Iterator
from itertools import product
from math import prod

from compiler.graph.core import (
    Bound,
    Const,
    Kind,
    Term,
    TokenAttribute,
    TokenClass,
    Value,
)
from compiler.graph.evaluate import NotConstant, evaluate
from compiler.lower.context import Context, Lowers
from compiler.lower.errors import TooMany, UnknownAttribute
from compiler.lower.places import listable, size
from compiler.lower.scope import ClassName, Env, Scope
from compiler.syntax import ast
from compiler.syntax.declared import article
from compiler.syntax.spelling import nearest
from compiler.types import BOOL, Enum, Int, Nothing, Player, SetOf, Token, Type, present, values

MOST_COMBINATIONS = 100_000  # looked at to find the kinds that are printed
COPIES = Int(0, 4095)


def token_class(context: Context, terms: Lowers, node: ast.TokenDecl) -> TokenClass:
    """A class with all its kinds."""
    attributes = _attributes(context, terms, node)
    computed = {
        line.name.text: line.value
        for line in node.lines
        if isinstance(line, ast.Attribute) and line.value is not None
    }
    copies = [line for line in node.lines if isinstance(line, ast.Copies)]
    written = [line for line in node.lines if isinstance(line, ast.Written)]
    names = [word.text for word in written[0].names] if written else [a.name for a in attributes]
    kinds = []
    free = [a for a in attributes if a.name not in computed]
    _check_written(context, node, attributes)
    for combination in _combinations(context, node, free):
        scope = context.root()
        found: dict[str, Value] = dict(zip((a.name for a in free), combination, strict=True))
        for attribute in attributes:
            if attribute.name in computed:
                expr = computed[attribute.name]
                found[attribute.name] = terms.value(expr, scope, attribute.type)
            value = found[attribute.name]
            scope.names[attribute.name] = Const(value, type=_exact(attribute.type, value))
        number = _copies(terms, copies, scope)
        if number > 0:
            word = _word(attributes, found, names)
            printed = tuple(found[a.name] for a in attributes)
            kinds.append(Kind(printed, number, word))
    sticky = tuple(line.name.text for line in node.lines if isinstance(line, ast.Sticky))
    return TokenClass(
        node.name.text,
        node.tail.text,
        node.what.text == "card",
        tuple(attributes),
        tuple(kinds),
        sticky,
        span=node.span,
    )


def _attributes(context: Context, terms: Lowers, node: ast.TokenDecl) -> list[TokenAttribute]:
    out = []
    for line in node.lines:
        if isinstance(line, ast.Attribute):
            type_ = terms.type(line.type, context.root())
            listable(context, type_, line.type.span, "values of an attribute")
            out.append(TokenAttribute(line.name.text, type_))
    return out


def _combinations(
    context: Context, node: ast.TokenDecl, free: list[TokenAttribute]
) -> Iterator[tuple[Value, ...]]:
    """Every combination of the attributes that are not computed."""
    sizes = [size(attribute.type) for attribute in free]
    number = prod(sizes)
    if number > MOST_COMBINATIONS:
        context.add(TooMany(number, "combinations", MOST_COMBINATIONS, span=node.name.span))
        return
    yield from product(*(values(a.type) or () for a in free))


def _check_written(context: Context, node: ast.TokenDecl, own: list[TokenAttribute]) -> None:
    """`written` names attributes."""
    known = [attribute.name for attribute in own]
    for line in node.lines:
        for word in line.names if isinstance(line, ast.Written) else ():
            if word.text not in known:
                near = nearest(word.text, known)
                fix = f"did you mean `{near}`?" if near else ""
                of = article(node.name.text)
                context.add(UnknownAttribute(of, word.text, fix, span=word.span))


def _exact(type_: Type, value: Value) -> Type:
    if isinstance(present(type_), Int) and isinstance(value, int):
        return Int(value, value)
    return type_ if value is not None else Nothing()


def _copies(terms: Lowers, lines: list[ast.Copies], scope: Scope) -> int:
    """How many copies the first line that holds says; a class without such lines has one each."""
    if not lines:
        return 1
    for line in lines:
        if line.where is None or terms.value(line.where, scope, BOOL):
            number = terms.value(line.count, scope, COPIES)
            return number if isinstance(number, int) else 0
    return 0


def _word(attributes: list[TokenAttribute], found: dict[str, Value], names: list[str]) -> str:
    """How people write a kind: its attributes in order; a 0 or a member without code beside others
    is left out."""
    types = {a.name: a.type for a in attributes}
    parts = [written(types[name], found[name]) for name in names if name in types]
    numbers = {written(types[n], 0) for n in names if n in types and isinstance(types[n], Int)}
    told = [part for part in parts if part and not (part in numbers and len(parts) > 1)]
    return "".join(told) or "".join(parts[:1])


def written(type_: Type, value: Value) -> str:
    """A value as part of a written token."""
    if value is None:
        return ""
    match present(type_):
        case Enum(members=members, codes=codes) if isinstance(value, int):
            if not any(codes):
                return members[value]
            return codes[value] or ""
        case Player() if isinstance(value, int):
            return chr(ord("A") + value)
        case _:
            return str(value)


def kinds_where(context: Context, terms: Lowers, node: ast.KindDecl) -> ClassName | None:
    """A named part of a class: `kind spell = all c in game_card where c.rank is pip`."""
    value = node.value
    if not isinstance(value, ast.Filtered):
        found = terms.term(value, context.root())
        context.wrong(value.span, found.type, "`all x in CLASS where …`")
        return None
    whole = terms.term(value.domain, context.root())
    inner = present(whole.type)
    if not isinstance(inner, SetOf) or not isinstance(inner.element, Token):
        wanted = "the name of a card or a piece"
        context.wrong(value.domain.span, whole.type, wanted)
        return None
    name = inner.element.token_class
    scope = Scope(Env())
    bound: Bound = scope.env.bound(value.name.text, Token(name))
    scope.names[value.name.text] = bound
    where: Term = terms.fit(value.where, scope, BOOL)
    classes = context.maker.classes
    try:
        kinds = tuple(
            kind
            for kind in range(len(classes[name].kinds))
            if evaluate(where, {bound.index: kind}, classes)
        )
    except NotConstant:
        terms.unknown_before_play(where, value.where.span)
        return None
    return ClassName(node.name.text, name, kinds)
