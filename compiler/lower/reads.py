"""What stands behind a dot or in square brackets: attributes, members of families, positions."""

from compiler.graph.core import (
    Apply,
    Attribute,
    Const,
    Contents,
    FaceUp,
    FlagOf,
    HolderOf,
    PlaceOfToken,
    PositionOf,
    Read,
    Shape,
    Source,
    Term,
)
from compiler.lower.context import MEANT as NAMED_OTHERWISE
from compiler.lower.context import Context, Lowers
from compiler.lower.denote import denote
from compiler.lower.english import one_for_all
from compiler.lower.errors import NeverFits, UnknownAttribute, WrongArguments
from compiler.lower.make import NONE
from compiler.lower.phrases import arguments, described, is_family
from compiler.lower.places import coordinate
from compiler.lower.scope import PlaceName, Scope, VariableName
from compiler.ops.lists import FIRST, ITEM, LAST
from compiler.ops.numbers import ADD
from compiler.ops.row import Lookup
from compiler.resolve.vocabulary import OPERATORS
from compiler.syntax import ast
from compiler.syntax.spelling import nearest
from compiler.types import (
    BOOL,
    SQUARE,
    Int,
    Nothing,
    Optional,
    PlaceOf,
    Player,
    Square,
    Token,
    Type,
    element,
    optional,
    present,
)

MOST_POSITIONS = 255
TOKEN_READS = ("place", "holder", "position", "face_up")
SQUARE_READS = ("column", "row", "holder")


def attribute(context: Context, of: Term, node: ast.Attr) -> Term:
    """`x.name`, by what x is."""
    name = node.name.text
    inner = present(of.type)
    match inner:
        case Nothing():
            return NONE
        case PlaceOf() if name in SQUARE_READS[:2] and _misses_board(context):
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
        case PlaceOf() if not _holds_one(context, of):
            fix = _as_call(context, node) or _of_several(node)
            context.add(UnknownAttribute(described(inner), name, fix, span=node.name.span))
            return NONE
        case PlaceOf() | Square():
            held = context.maker.tokens_in(of)
            token = inner.token_class if isinstance(inner, PlaceOf) else context.maker.board_class
            if token is None:
                return NONE
            first = context.maker.apply(FIRST, (held,), optional(Token(token)), node.of.span)
            more = SQUARE_READS if isinstance(inner, Square) else ("holder",)
            return _token(context, first, Token(token), node, more)
        case Token():
            return _token(context, of, inner, node)
        case _:
            fix = _as_call(context, node) or _fix(context, of, node, inner)
            context.add(UnknownAttribute(described(inner), name, fix, span=node.name.span))
            return NONE


def _holds_one(context: Context, place: Term) -> bool:
    """Whether a place is for one token at most, so that what is read of it is read of that."""
    match place:
        case Const(int(value)):
            return context.places[value].shape is Shape.ONE
        case Apply(Lookup(name=name)):
            return all(p.shape is Shape.ONE for p in context.places if p.zone == name)
        case _:
            return all(p.shape is Shape.ONE for p in context.places[1:])


def _as_call(context: Context, node: ast.Attr) -> str:
    """How what is written behind a dot is written as a function, if it is one."""
    name, of = node.name.text, node.of.span.text
    declared = context.declared.by_name.get(name)
    if declared is None:
        name = NAMED_OTHERWISE.get(name, name)
    if name in OPERATORS or isinstance(declared, ast.Define):
        return f"write `{name}({of})`"
    return f"write `{name} of {of}`" if name in ("top", "bottom") else ""


def _of_several(node: ast.Attr) -> str:
    """How something is read of what lies in a place for several."""
    name, of = node.name.text, node.of.span.text
    return f"of one: `(top of {of}).{name}`; of all: `sum(x.{name} for x in {of})`"


def _fix(context: Context, of: Term, node: ast.Attr, inner: Type) -> str:
    text, name = node.of.span.text, node.name.text
    if isinstance(inner, Player) and name in context.declared.by_name:
        return f"write `{name}[{text}]`"
    if is_family(of):
        return f"say which one: `{text}[…]`"
    if isinstance(element(inner), Token):
        return f"write `first({text}).{node.name}`"
    if isinstance(inner, Player):
        return "a player has a `seat`; what he owns is written `name[p]`"
    return ""


def _like(of: Term, type_: Type) -> Type:
    """The type of what is read of something that may be `none`."""
    return optional(type_) if isinstance(of.type, Optional) else type_


def _token(
    context: Context, of: Term, token: Token, node: ast.Attr, more: tuple[str, ...] = ()
) -> Term:
    """What is read of a token; `more` can be read of the place it lies in."""
    name = node.name.text
    source: Source
    type_: Type
    match name:
        case "place":
            source, type_ = PlaceOfToken(), _place_type(context, token)
        case "holder":
            source, type_ = HolderOf(), optional(context.player)
            _look_for_holder(context, of, node)
        case "position":
            source, type_ = PositionOf(), optional(Int(1, MOST_POSITIONS))
        case "face_up":
            source, type_ = FaceUp(), BOOL
        case _ if token.token_class not in context.maker.classes:
            classes = list(context.maker.classes)
            fix = f"say of which class: `all x in {classes[0]} where x in box and …`" * bool(
                classes
            )
            context.add(UnknownAttribute("a token of any class", name, fix, span=node.name.span))
            return NONE
        case _ if name in flags_of(context, token.token_class):
            source, type_ = FlagOf(name), BOOL
        case _:
            cls = context.maker.classes[token.token_class]
            found = [i for i, a in enumerate(cls.attributes) if a.name == name]
            if not found:
                own = [*(a.name for a in cls.attributes), *flags_of(context, token.token_class)]
                near = nearest(name, [*own, *TOKEN_READS, *more])
                fix = f"did you mean `{near}`?" if near else f"it has {', '.join(own)}" * bool(own)
                fix = _as_call(context, node) or fix
                of_what = described(present(of.type)) if not more else described(Square())
                context.add(UnknownAttribute(of_what, name, fix, span=node.name.span))
                return NONE
            source = Attribute(cls.name, name, found[0])
            type_ = cls.attributes[found[0]].type
    return context.maker.read(source, (of,), _like(of, type_), node.span)


def _look_for_holder(context: Context, of: Term, node: ast.Attr) -> None:
    """Reports the holder of a token that lies where nobody holds anything."""
    first = of.args[0] if isinstance(of, Apply) and of.op in (FIRST, LAST) else None
    place = first.args[0] if isinstance(first, Read) and first.source == Contents() else None
    lies = None
    if isinstance(place, Const) and isinstance(place.value, int):
        held = context.places[place.value]
        lies = f"what lies in `{held.label}`, which is not `per player`," if held.label else None
        lies = None if held.holder is not None else lies
    elif not any(zone.per for zone in context.declared.of(ast.Zone)):
        lies = "a token where no zone is `per player`"
    if lies is not None:
        fix = "whose it is a variable must keep: `var leader: player = A`, and `leader = p` above"
        context.add(UnknownAttribute(lies, node.name.text, fix, span=node.name.span))


def _misses_board(context: Context) -> bool:
    """Whether a board could not be made, so that nothing is known to be a square of it."""
    boards = context.declared.of(ast.Board)
    return any(context.denoted.get(board.name.text) is None for board in boards)


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
    return _item(context, terms, node, scope)


def _item(context: Context, terms: Lowers, node: ast.Index, scope: Scope) -> Term:
    """The element of a list at a position."""
    of = terms.term(node.of, scope)
    position = terms.term(node.keys[0], scope)
    listed = context.maker.listed(of)
    if isinstance(of.type, Nothing):
        return NONE
    if listed is None:
        fix = one_for_all(context, node.of.span.text, node.keys[0].span.text)
        context.wrong(node.of.span, of.type, "a list or a family", fix)
        return NONE
    if len(node.keys) != 1:
        wanted = arguments(1, "position")
        context.add(WrongArguments(node.of.span.text, wanted, len(node.keys), span=node.span))
        return NONE
    found = ITEM.signature((listed.type, position.type))
    if found is None:
        player = isinstance(present(position.type), Player) and isinstance(node.of, ast.Name)
        fix = f"`{node.of.span.text}` is one for all: it is not `per player`" if player else ""
        context.wrong(node.keys[0].span, position.type, "a position", fix)
        return NONE
    if isinstance(position, Const) and isinstance(position.value, int) and position.value < 1:
        said, fix = f"the number {position.value}", "positions are counted from 1"
        context.add(NeverFits(said, "the positions of a list", fix, span=node.keys[0].span))
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
        found, said = len(node.keys), arguments(len(wanted), "key")
        name = node.of.span.text
        fix = f"write all of them in one bracket: `{name}[x, y]`" if len(wanted) == 2 else ""
        if fix and found == 1:
            fix += "; a square is a place by itself, without a bracket"
        context.add(WrongArguments(name, said, found, fix, span=node.span))
        return None
    kept: tuple[Type, ...] = tuple(
        Int(-MOST_POSITIONS, 2 * MOST_POSITIONS) if loose and isinstance(t, Int) else t
        for t in wanted
    )
    keys = tuple(terms.fit(key, scope, t) for key, t in zip(node.keys, kept, strict=True))
    return None if any(key is NONE for key in keys) else keys


def _inside(keys: tuple[Term, ...], wanted: tuple[Type, ...]) -> bool:
    """Whether keys can be shown to name a square of the board."""
    for key, type_ in zip(keys, wanted, strict=True):
        if not isinstance(key.type, Int) or not isinstance(type_, Int):
            return False
        if key.type.low < type_.low or key.type.high > type_.high:
            return False
    return True
