"""Card and piece classes: every printed face, in declaration order, its copies and its word."""

from collections.abc import Iterator
from itertools import product
from math import prod

from attrs import frozen

from compiler.graph.core import (
    Bound,
    Const,
    Kind,
    Term,
    TokenAttribute,
    TokenClass,
    Value,
)
from compiler.graph.evaluate import Environment, NotConstant, evaluate
from compiler.lower.context import Context, Lowers
from compiler.lower.errors import TooMany, UnknownAttribute
from compiler.lower.places import listable, size
from compiler.lower.scope import ClassName, Env, Scope
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.declared import article
from compiler.syntax.spelling import nearest
from compiler.types import BOOL, Bool, Enum, Int, Player, SetOf, Token, Type, present, values

MOST_COMBINATIONS = 100_000  # looked at to find the kinds that are printed
COPIES = Int(0, 4095)


@frozen
class _Line:
    """What a line says of every kind; its term binds the attributes, whose numbers are the places
    in the class."""

    term: Term
    type: Type
    span: Span

    def value(self, terms: Lowers, printed: Environment) -> Value:
        """What it says of one kind; reported if it has no value, or one of no use here."""
        value = terms.known(self.term, printed, self.span)
        if isinstance(self.type, Int) and isinstance(value, int):
            terms.fitted(Const(value, type=Int(value, value)), self.type, self.span)
        return value


def token_class(context: Context, terms: Lowers, node: ast.TokenDecl) -> TokenClass:
    """A class with all its kinds."""
    attributes = _attributes(context, terms, node)
    _check_written(context, node, attributes)
    sticky = tuple(line.name.text for line in node.lines if isinstance(line, ast.Sticky))
    return TokenClass(
        node.name.text,
        node.tail.text,
        node.what.text == "card",
        tuple(attributes),
        _kinds(context, terms, node, attributes),
        sticky,
        span=node.span,
    )


@frozen
class _Lines:
    """All that the lines of a class say, as terms: what decides its kinds, whatever the readings.

    `computed` is by the attribute's number.
    """

    attributes: tuple[TokenAttribute, ...]
    computed: tuple[tuple[int, _Line], ...]
    copies: tuple[tuple[_Line, _Line | None], ...]


def _kinds(
    context: Context, terms: Lowers, node: ast.TokenDecl, attributes: list[TokenAttribute]
) -> tuple[Kind, ...]:
    """What is printed; lines that say the same as under another configuration print the same."""
    lines = _lines(context, terms, node, attributes)
    printed = context.declared.printed
    for known, kinds in printed.get(node, ()):
        if known == lines:
            return kinds
    found = len(context.report)
    kinds = tuple(_printed(context, terms, node, lines))
    if len(context.report) == found:
        printed.setdefault(node, []).append((lines, kinds))
    return kinds


def _lines(
    context: Context, terms: Lowers, node: ast.TokenDecl, attributes: list[TokenAttribute]
) -> _Lines:
    scope = context.root()
    computed: list[tuple[int, _Line]] = []
    lines = [line for line in node.lines if isinstance(line, ast.Attribute)]
    for at, (line, attribute) in enumerate(zip(lines, attributes, strict=True)):
        if line.value is not None:
            computed.append((at, _line(terms, line.value, scope, attribute.type)))
        scope.names[attribute.name] = scope.env.bound(attribute.name, attribute.type)
    copies = tuple(
        (
            _line(terms, line.count, scope, COPIES),
            None if line.where is None else _line(terms, line.where, scope, BOOL),
        )
        for line in node.lines
        if isinstance(line, ast.Copies)
    )
    return _Lines(tuple(attributes), tuple(computed), copies)


def _printed(context: Context, terms: Lowers, node: ast.TokenDecl, lines: _Lines) -> Iterator[Kind]:
    """The kinds, in the order of the attributes' values."""
    attributes = lines.attributes
    written = [line for line in node.lines if isinstance(line, ast.Written)]
    names = [word.text for word in written[0].names] if written else [a.name for a in attributes]
    computed = dict(lines.computed)
    free = [at for at in range(len(attributes)) if at not in computed]
    for combination in _combinations(context, node, [attributes[at] for at in free]):
        printed: Environment = dict(zip(free, combination, strict=True))
        for at, said in computed.items():
            printed[at] = said.value(terms, printed)
        number = _copies(terms, lines.copies, printed)
        if number > 0:
            values = tuple(printed[at] for at in range(len(attributes)))
            yield Kind(values, number, _word(attributes, values, names))


def _line(terms: Lowers, node: ast.Expr, scope: Scope, type_: Type) -> _Line:
    return _Line(terms.fit(node, scope, type_), type_, node.span)


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


def _copies(
    terms: Lowers, lines: tuple[tuple[_Line, _Line | None], ...], printed: Environment
) -> int:
    """How many copies the first line that holds says; a class without such lines has one each."""
    if not lines:
        return 1
    for count, where in lines:
        if where is None or where.value(terms, printed):
            number = count.value(terms, printed)
            return number if isinstance(number, int) else 0
    return 0


def _word(
    attributes: tuple[TokenAttribute, ...], printed: tuple[Value, ...], names: list[str]
) -> str:
    """How people write a kind: its attributes in order; beside letters a 0 or a member without code
    is left out, and of what is true or false, what is false."""
    found = {a.name: (a.type, value) for a, value in zip(attributes, printed, strict=True)}
    told = [(name, *found[name]) for name in names if name in found]
    signs = _signs([name for name, type_, _ in told if isinstance(type_, Bool)])
    parts = [
        signs[name] * (value is True) if name in signs else written(type_, value)
        for name, type_, value in told
    ]
    numbers = {written(type_, 0) for _, type_, _ in told if isinstance(type_, Int)}
    kept = [part for part in parts if part and part not in numbers]
    if all(part.isdecimal() for part in kept):  # nothing says which number is missing
        kept = parts
    return "".join(kept) or "0"


def _signs(names: list[str]) -> dict[str, str]:
    """How people write that attributes are true: initials, whole names if some begin alike."""
    initials = {name: name[:1].upper() for name in names}
    if len(set(initials.values())) == len(names):
        return initials
    return {name: "".join(part.capitalize() for part in name.split("_")) for name in names}


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
