"""What stands behind a dot or in square brackets: attributes, members of families, positions."""

from compiler.graph.core import (
    Attribute,
    Const,
    FaceUp,
    FlagOf,
    HolderOf,
    PlaceOfToken,
    PositionOf,
    Source,
    Term,
)
from compiler.lower.context import Context, Lowers
from compiler.lower.denote import denote
from compiler.lower.errors import UnknownAttribute, WrongArguments, WrongType
from compiler.lower.make import NONE
from compiler.lower.places import coordinate
from compiler.lower.scope import PlaceName, Scope, VariableName
from compiler.ops.lists import FIRST, ITEM
from compiler.ops.numbers import ADD
from compiler.syntax import ast
from compiler.types import (
    BOOL,
    SQUARE,
    Int,
    ListOf,
    Nothing,
    Optional,
    PlaceOf,
    Player,
    Square,
    Token,
    Type,
    optional,
    present,
)

MOST_POSITIONS = 255


def attribute(context: Context, terms: Lowers, node: ast.Attr, scope: Scope) -> Term:
    """`x.name`, by what x is."""
    of = terms.term(node.of, scope)
    name = node.name.text
    inner = present(of.type)
    match inner:
        case Nothing():
            return NONE
        case Player() if name == "seat":
            one = Const(1, type=Int(1, 1))
            return context.maker.apply(ADD, (of, one), Int(1, inner.seats), node.span)
        case Square() if name in ("column", "row"):
            table = coordinate(context, 0 if name == "column" else 1)
            return context.maker.apply(
                table, (of,), _like(of, table.signature((of.type,)) or SQUARE), node.span
            )
        case PlaceOf() | Square() if name == "holder":
            return context.maker.read(HolderOf(), (of,), optional(context.player), node.span)
        case PlaceOf() | Square():
            held = context.maker.tokens_in(of)
            token = inner.token_class if isinstance(inner, PlaceOf) else context.maker.board_class
            if token is None:
                return NONE
            first = context.maker.apply(FIRST, (held,), optional(Token(token)), node.of.span)
            return _token(context, first, Token(token), node)
        case Token():
            return _token(context, of, inner, node)
        case _:
            context.add(UnknownAttribute(str(inner), name, _fix(node, inner), span=node.name.span))
            return NONE


def _fix(node: ast.Attr, inner: Type) -> str:
    if isinstance(inner, ListOf):
        return f"write `(top of {node.of.span.text}).{node.name}`"
    return ""


def _like(of: Term, type_: Type) -> Type:
    """The type of what is read of something that may be `none`."""
    return optional(type_) if isinstance(of.type, Optional) else type_


def _token(context: Context, of: Term, token: Token, node: ast.Attr) -> Term:
    name = node.name.text
    source: Source
    type_: Type
    match name:
        case "place":
            source, type_ = PlaceOfToken(), _place_type(context, token)
        case "holder":
            source, type_ = HolderOf(), optional(context.player)
        case "position":
            source, type_ = PositionOf(), optional(Int(1, MOST_POSITIONS))
        case "face_up":
            source, type_ = FaceUp(), BOOL
        case _ if name in flags_of(context, token.token_class):
            source, type_ = FlagOf(name), BOOL
        case _:
            cls = context.maker.classes[token.token_class]
            found = [i for i, a in enumerate(cls.attributes) if a.name == name]
            if not found:
                known = [a.name for a in cls.attributes]
                fix = f"a {cls.name} has {', '.join(known)}" if known else ""
                context.add(UnknownAttribute(cls.name, name, fix, span=node.name.span))
                return NONE
            source = Attribute(cls.name, name, found[0])
            type_ = cls.attributes[found[0]].type
    return context.maker.read(source, (of,), _like(of, type_), node.span)


def _place_type(context: Context, token: Token) -> Type:
    """The type of a token's place: a square if its class lives on boards only."""
    homes = [p for p in context.places if p.token_class == token.token_class]
    if any(p.square is not None for p in homes):
        return SQUARE
    return PlaceOf(token.token_class, bool(homes) and all(p.shape.value != "set" for p in homes))


def flags_of(context: Context, token_class: str) -> tuple[str, ...]:
    """The flags tokens of a class can carry."""
    found = list(context.maker.classes[token_class].sticky_flags)
    for place in context.places:
        if place.token_class == token_class:
            found += [flag for flag in place.flags if flag not in found]
    return tuple(found)


def index(context: Context, terms: Lowers, node: ast.Index, scope: Scope) -> Term:
    """`hand[p]`, `score[p]`, `grid[x, y]`, or the element of a list at a position."""
    if isinstance(node.of, ast.Name) and scope.find(node.of.name.text) is None:
        match denote(context, terms, node.of.name.text):
            case VariableName(variable) if variable.keys:
                keys = _keys(context, terms, node, scope, variable.key_types)
                if keys is None:
                    return NONE
                return context.maker.read(variable, keys, variable.type, node.span)
            case PlaceName(members=members) as place if members is not None:
                wanted = place.key_types
                loose = place.board is not None
                keys = _keys(context, terms, node, scope, wanted, loose)
                if keys is None:
                    return NONE
                type_ = optional(place.type) if loose and not _inside(keys, wanted) else place.type
                return context.maker.apply(members, keys, type_, node.span)
            case _:
                pass
    if len(node.keys) != 1:
        context.add(WrongArguments(node.of.span.text, 1, len(node.keys), span=node.span))
        return NONE
    of = terms.term(node.of, scope)
    listed = context.maker.listed(of)
    if listed is None:
        context.add(WrongType(str(of.type), "a list or a family", "", span=node.of.span))
        return NONE
    position = terms.term(node.keys[0], scope)
    found = ITEM.signature((listed.type, position.type))
    if found is None:
        context.add(WrongType(str(position.type), "a position", "", span=node.keys[0].span))
        return NONE
    return context.maker.apply(ITEM, (listed, position), found, node.span)


def _keys(
    context: Context,
    terms: Lowers,
    node: ast.Index,
    scope: Scope,
    wanted: tuple[Type, ...],
    loose: bool = False,
) -> tuple[Term, ...] | None:
    if len(node.keys) != len(wanted):
        found = len(node.keys)
        context.add(WrongArguments(node.of.span.text, len(wanted), found, span=node.span))
        return None
    kept: tuple[Type, ...] = tuple(
        Int(-MOST_POSITIONS, 2 * MOST_POSITIONS) if loose and isinstance(t, Int) else t
        for t in wanted
    )
    return tuple(terms.fit(key, scope, t) for key, t in zip(node.keys, kept, strict=True))


def _inside(keys: tuple[Term, ...], wanted: tuple[Type, ...]) -> bool:
    """Whether keys can be shown to name a square of the board."""
    for key, type_ in zip(keys, wanted, strict=True):
        if not isinstance(key.type, Int) or not isinstance(type_, Int):
            return False
        if key.type.low < type_.low or key.type.high > type_.high:
            return False
    return True
