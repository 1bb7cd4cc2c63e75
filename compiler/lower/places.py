"""Zones and boards: their places, and the tables by which members, columns and steps are found."""

from itertools import product
from math import prod

from attrs import frozen

from compiler.graph.core import Place, Shape, Value
from compiler.lower.context import Context, Lowers
from compiler.lower.errors import TooMany, UnknownName, WrongEnding
from compiler.lower.scope import ClassName, PlaceName, Scope
from compiler.ops.row import Lookup, lookup
from compiler.resolve.errors import SaidTwice
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.declared import article, what
from compiler.syntax.spelling import nearest
from compiler.types import SQUARE, Enum, Int, Nothing, PlaceOf, Player, Type, optional, values

MOST_VALUES = 4095  # members of a family, squares of a board, kinds of a class
SIDE = Int(1, MOST_VALUES)
CAPACITY = Int(0, MOST_VALUES)
PLACE_ENDS = ("`face up`", "`face down`", "`seen by`", "`holds`", "`flag`")


@frozen
class Facts:
    """What the end of a zone's line says."""

    face_up: bool
    capacity: int | None
    flags: tuple[str, ...]


def zone(context: Context, terms: Lowers, node: ast.Zone) -> PlaceName | None:
    """A zone or a family of zones."""
    root = context.root()
    keys, types = keys_of(context, terms, node.per, root)
    held = _held(context, terms, node.shape)
    if held is None or any(isinstance(type_, Nothing) for type_ in types):
        return None
    shape = _shape(node.shape)
    facts = _facts(context, terms, node, held)
    places = []
    for key in product(*keys):
        holders = [v for t, v in zip(types, key, strict=True) if isinstance(t, Player)]
        holder = holders[0] if holders and isinstance(holders[0], int) else None
        label = node.name.text + (f"[{', '.join(map(_shown, types, key))}]" if key else "")
        place = Place(
            len(context.places),
            node.name.text,
            key,
            label,
            shape,
            held.token_class,
            held.kinds,
            facts.face_up,
            None,
            facts.capacity,
            facts.flags,
            holder,
            span=node.span,
        )
        context.places.append(place)
        places.append(place)
    type_ = PlaceOf(held.token_class, shape is not Shape.SET)
    members = _members(node.name.text, places, keys, type_) if types else None
    return PlaceName(node.name.text, tuple(places), types, members, type_, held.token_class)


def board(context: Context, terms: Lowers, node: ast.Board) -> PlaceName | None:
    """A board: a place per square, column by column from the bottom left."""
    root = context.root()
    width, height = (terms.value(side, root, SIDE) for side in (node.width, node.height))
    held = _held(context, terms, node.shape)
    if held is None or not isinstance(width, int) or not isinstance(height, int):
        return None
    if width * height > MOST_VALUES:
        span = node.width.span.join(node.height.span)
        context.add(TooMany(width * height, "squares", MOST_VALUES, span=span))
        return None
    shape = _shape(node.shape)
    facts = _facts(context, terms, node, held)
    first = len(context.places)
    for column, row in product(range(1, width + 1), range(1, height + 1)):
        context.places.append(
            Place(
                len(context.places),
                node.name.text,
                (column, row),
                f"{node.name.text}[{column}, {row}]",
                shape,
                held.token_class,
                held.kinds,
                facts.face_up,
                None,
                facts.capacity,
                facts.flags,
                square=(column, row),
                span=node.span,
            )
        )
    places = context.places[first:]
    table = tuple(
        tuple(first + column * height + row for row in range(height)) for column in range(width)
    )
    members = lookup(node.name.text, table, (1, 1), optional(SQUARE), "[]")
    keys = (Int(1, width), Int(1, height))
    return PlaceName(
        node.name.text, tuple(places), keys, members, SQUARE, held.token_class, (width, height)
    )


def _shown(type_: Type, value: Value) -> str:
    match type_:
        case Player() if isinstance(value, int):
            return chr(ord("A") + value)
        case Enum(members=members) if isinstance(value, int):
            return members[value]
        case _:
            return str(value)


def _held(context: Context, terms: Lowers, shape: ast.Shape) -> ClassName | None:
    """The class or kind a place holds."""
    word = shape.holds
    declared = context.declared.by_name.get(word.text)
    if isinstance(declared, ast.TokenDecl | ast.KindDecl):
        terms.type(ast.Name(word, span=word.span), context.root())
        found = context.denoted.get(word.text)
        return found if isinstance(found, ClassName) else None
    wanted = "the name of a card, a piece or a kind"
    if declared is not None:
        context.wrong(word.span, article(what(declared)), wanted)
    elif word.text in ("player", "square", "bool"):
        context.wrong(word.span, "a type of values", wanted)
    else:
        classes = [d.name.text for d in context.declared.of(ast.TokenDecl)]
        classes += [d.name.text for d in context.declared.of(ast.KindDecl)]
        fix = f"name a class: {' or '.join(f'`{name}`' for name in classes[:3])}" * bool(classes)
        if len(classes) > 1:
            fix += "; what lies together is of one class, told apart by an attribute"
        context.add(UnknownName.near(word.text, nearest(word.text, classes), word.span, fix))
    return None


def keys_of(
    context: Context, terms: Lowers, per: tuple[ast.TypeExpr, ...] | None, scope: Scope
) -> tuple[tuple[tuple[Value, ...], ...], tuple[Type, ...]]:
    """The key values and types of a family: none for a single slot or place.

    After an error there is one member, and its key may be anything.
    """
    nodes = per or ()
    noun = "members of this family"
    types = tuple(terms.type(node, scope) for node in nodes)
    sizes = [listable(context, t, node.span, noun) for node, t in zip(nodes, types, strict=True)]
    if nodes and prod(sizes) > MOST_VALUES:
        span = nodes[0].span.join(nodes[-1].span)
        context.add(TooMany(prod(sizes), noun, MOST_VALUES, span=span))
        sizes = [0]
    if 0 in sizes:
        types = tuple(Nothing() for _ in types)
    return tuple(values(type_) or () for type_ in types), types


def listable(context: Context, type_: Type, span: Span, noun: str) -> int:
    """How many values a type has; reported, and 0, if they cannot be listed or are too many."""
    number = size(type_)
    if number > MOST_VALUES:
        context.add(TooMany(number, noun, MOST_VALUES, span=span))
        return 0
    if number == 0:
        context.wrong(span, type_, "a range, `bool`, `player` or an enum")
    return number


def size(type_: Type) -> int:
    """The number of values of a type; 0 if they depend on the state."""
    if isinstance(type_, Int):
        return type_.high - type_.low + 1
    return len(values(type_) or ())


def _shape(shape: ast.Shape) -> Shape:
    return Shape(shape.shape.text)


def _facts(context: Context, terms: Lowers, node: ast.Zone | ast.Board, held: ClassName) -> Facts:
    face_up, capacity, flags = True, 1 if _shape(node.shape) is Shape.ONE else None, []
    is_card = context.maker.classes[held.token_class].is_card
    seen: dict[type[ast.Mod], ast.Mod] = {}
    for mod in node.mods:
        first = seen.setdefault(type(mod), mod)
        if first is not mod and not isinstance(mod, ast.FlagMod):
            word = mod.span.text.split()[0]
            notes = ((first.span, "the first one"),)
            context.add(SaidTwice(word, span=mod.span, notes=notes))
        match mod:
            case ast.Facing(side):
                face_up = side.text == "up"
            case ast.Holds(count):
                number = terms.value(count, context.root(), CAPACITY)
                capacity = number if isinstance(number, int) else None
            case ast.FlagMod(name):
                flags.append(name.text)
                context.flags.setdefault(name.text, [])
            case ast.AtBottom() | ast.OrFewer():
                context.add(WrongEnding("a place", PLACE_ENDS, span=mod.span))
            case ast.Seen():
                pass
        if isinstance(mod, ast.Facing | ast.Seen) and not is_card:
            ends = PLACE_ENDS[3:]
            context.add(WrongEnding("a place for pieces, which have no face,", ends, span=mod.span))
    return Facts(face_up, capacity, tuple(flags))


def _members(
    name: str, places: list[Place], keys: tuple[tuple[Value, ...], ...], type_: Type
) -> Lookup:
    """The table from keys to the members of a family; keys are consecutive numbers."""
    lows = tuple(key[0] if key and isinstance(key[0], int) else 0 for key in keys)

    def nest(first: int, depth: int) -> tuple[Value, ...]:
        if depth == len(keys) - 1:
            return tuple(places[first + i].index for i in range(len(keys[depth])))
        below = 1
        for key in keys[depth + 1 :]:
            below *= len(key)
        return tuple(nest(first + i * below, depth + 1) for i in range(len(keys[depth])))

    return lookup(name, nest(0, 0), lows, type_, "[]")


# ---- what the squares of a board know


def squares(place: PlaceName) -> tuple[int, ...]:
    """The squares of a board, column by column."""
    return tuple(p.index for p in place.places)


def by_coordinates(context: Context) -> dict[tuple[str, int, int], int]:
    """(board, column, row) -> place index, over all boards."""
    return {
        (p.zone, p.square[0], p.square[1]): p.index for p in context.places if p.square is not None
    }


def square_table(context: Context, name: str, per_square: dict[int, Value], type_: Type) -> Lookup:
    """A table from any square to something it knows."""
    table = tuple(per_square.get(i) for i in range(len(context.places)))
    return lookup(name, table, (0,), type_, "." if name in ("column", "row") else None)


def coordinate(context: Context, axis: int) -> Lookup:
    """`s.column` (axis 0) or `s.row` (axis 1)."""
    found: dict[int, Value] = {
        p.index: p.square[axis] for p in context.places if p.square is not None
    }
    most = max((v for v in found.values() if isinstance(v, int)), default=1)
    return square_table(context, ("column", "row")[axis], found, Int(1, most))


def in_direction(context: Context, index: int, dx: int, dy: int) -> int | None:
    """The square one step away, or `None` outside the board."""
    place = context.places[index]
    if place.square is None:
        return None
    column, row = place.square
    return by_coordinates(context).get((place.zone, column + dx, row + dy))
