"""What reads as English in a term and is written in another way."""

from compiler.lower.context import Context, Lowers
from compiler.lower.denote import denote
from compiler.lower.scope import ClassName, Denoted, PlaceName, Scope, VariableName
from compiler.syntax import ast
from compiler.types import Int, Player, Token, Type, element, present


def is_bare_word(context: Context, node: ast.Expr, scope: Scope) -> bool:
    """Whether a term is a word that only an enum, or a seat, can give a meaning."""
    if not isinstance(node, ast.Name | ast.Code):
        return False
    text = node.name.text if isinstance(node, ast.Name) else node.code.text
    return scope.find(text) is None and text not in context.declared.by_name


def as_list_of(context: Context, node: ast.Or, scope: Scope) -> str | None:
    """What to type for `x is 2 or 3`, if that is what was typed."""
    values: list[ast.Expr] = []
    first: ast.Expr = node
    while isinstance(first, ast.Or):
        values.insert(0, first.right)
        first = first.left
    if not isinstance(first, ast.Is | ast.IsNot):
        return None
    if not all(_is_plain(context, value, scope) for value in values):
        return None
    listed = ", ".join(value.span.text for value in (first.right, *values))
    how = "in" if isinstance(first, ast.Is) else "not in"
    return f"write `{first.left.span.text} {how} [{listed}]`"


def as_several(node: ast.Or | ast.And, wanted: Type | None) -> str | None:
    """What to type for `A and B` where a list is asked for, if that is what was typed."""
    if wanted is None or element(present(wanted)) is None:
        return None
    parts: list[ast.Expr] = []
    first: ast.Expr = node
    while isinstance(first, ast.Or | ast.And):
        parts.insert(0, first.right)
        first = first.left
    parts.insert(0, first)
    if not all(isinstance(part, ast.Name | ast.Code | ast.Index | ast.Call) for part in parts):
        return None
    return f"several stand in a list: `[{', '.join(part.span.text for part in parts)}]`"


def _is_plain(context: Context, node: ast.Expr, scope: Scope) -> bool:
    """Whether a term is a value that is neither true nor false: a number, a member, a seat."""
    if isinstance(node, ast.Name):
        return is_bare_word(context, node, scope) and node.name.text in context.declared.members
    return isinstance(node, ast.Number | ast.Negative | ast.Code | ast.NoneLiteral)


def wrong_count(context: Context, terms: Lowers, count: ast.Expr, of: ast.Expr) -> bool:
    """Whether a class or a family stands where `n of S` says how many, which is reported."""
    if not isinstance(count, ast.Name):
        return False
    named = denote(context, terms, count.name.text)
    if isinstance(named, ClassName):
        declared = context.declared.by_name.get(named.token_class)
        lines = declared.lines if isinstance(declared, ast.TokenDecl) else ()
        known = [line.name.text for line in lines if isinstance(line, ast.Attribute)]
        where = f" where it.{known[0]} is {of.span.text}" if known else ""
        fix = f"write `1 of (all it in box{where})`"
        context.wrong(count.span, "a class of tokens", "how many", fix)
        return True
    if count.name.text in _attributes(context):
        fix = f"what something has stands behind it: `{of.span.text}.{count.name.text}`"
        context.wrong(count.span, "what cards or pieces have", "how many", fix)
        return True
    if _is_family(named):
        fix = f"write `{count.span.text}[{of.span.text}]`"
        context.wrong(count.span, "a whole family", "how many", fix)
        return True
    return False


def _attributes(context: Context) -> set[str]:
    """What tokens of any class have, by name."""
    lines = (line for token in context.declared.of(ast.TokenDecl) for line in token.lines)
    return {line.name.text for line in lines if isinstance(line, ast.Attribute)}


def _is_family(named: Denoted | None) -> bool:
    """Whether a name stands for all members of a family of variables or places."""
    match named:
        case VariableName(variable):
            return bool(variable.keys)
        case PlaceName(members=members, board=board):
            return members is not None and board is None
        case _:
            return False


def of_player(context: Context, count: str, player: str) -> str:
    """What to type where so many of a player are asked for: of a place of his, of his pieces."""
    places = [zone.name for zone in context.declared.of(ast.Zone) if zone.per is not None]
    told = [f"`{count} of {place}[{player}]`" for place in places[:1]]
    owned = [
        line.name.text
        for token in context.declared.of(ast.TokenDecl)
        for line in token.lines
        if isinstance(line, ast.Attribute) and line.type.span.text == "player"
    ]
    told += [f"`{count} of (all it in box where it.{name} is {player})`" for name in owned[:1]]
    return f"a player is no place: write {' or '.join(told)}" if told else ""


def place_of(context: Context, player: str, token_class: str = "") -> str:
    """What to type where a player stands for a place: one of his places, for that class."""
    zones = [zone for zone in context.declared.of(ast.Zone) if zone.per is not None]
    fitting = [zone.name.text for zone in zones if zone.shape.holds.text == token_class]
    names = fitting or [zone.name.text for zone in zones if not token_class]
    if not names:
        what = token_class or "playing_card"
        return f"a player is no place: declare `zone hand per player: set of {what}`"
    return f"a player is no place: write {' or '.join(f'`{name}[{player}]`' for name in names[:3])}"


def no_place(context: Context, said: str, type_: Type, tokens: Type) -> str:
    """What to type where something else than a place stands, to which tokens are to go."""
    inner = present(element(tokens) or tokens)
    held = inner.token_class if isinstance(inner, Token) else ""
    if isinstance(type_, Player):
        return place_of(context, said, held)
    if isinstance(element(type_), Player):
        return f"go through them: `for p in {said}`, and below it {place_of(context, 'p', held)}"
    if isinstance(element(type_), Token):
        return unplaced(context, said)
    return ""


def unplaced(context: Context, said: str) -> str:
    """What to type where tokens stand for the place in which they lie."""
    named = _class_called(context, said)
    zones = [zone.name.text for zone in context.declared.of(ast.Zone) if zone.per is None]
    fitting = [
        zone.name.text
        for zone in context.declared.of(ast.Zone)
        if zone.per is None and zone.shape.holds.text == named
    ]
    place = next(iter(fitting or zones), "deck")
    if named:
        return f"`{said}` is all of them, and no place: write `{place}`, where they lie"
    return f"write the place itself, as `{place}`"


def _class_called(context: Context, name: str) -> str:
    """The class of cards or pieces that is called so, if one is."""
    classes = [token.name.text for token in context.declared.of(ast.TokenDecl)]
    return name if name in classes else ""


def no_die(context: Context, said: str, type_: Type) -> str:
    """What to type where something else is rolled than a die."""
    dice = [die.name.text for die in context.declared.of(ast.Die)]
    faces = f"1..{said}" if said.isdecimal() and said != "0" else "1..6"
    if dice and isinstance(type_, Int) and not said.isdecimal():
        return f"write `roll {dice[0]}`, and below it `{said} = {dice[0]}`"
    return f"declare `die cube: {faces}` at the left edge, and write `roll cube`"


def one_for_all(context: Context, said: str, key: str) -> str:
    """What to type where one value for all is asked for by player or position."""
    declared = context.declared.by_name.get(said)
    if isinstance(declared, ast.Var):
        return (
            f"`{said}` is one for all: write it alone, or declare one for each: "
            f"`var {said} per player: {declared.type.span.text}`"
        )
    return f"`{said}` is one value: write it without `[{key}]`"


def of_each(context: Context, name: str, said: str, type_: Type) -> str:
    """What to type where a list of cards or pieces stands for the numbers on them."""
    inner = present(element(type_) or type_)
    if not isinstance(inner, Token):
        return ""
    cls = context.maker.classes.get(inner.token_class)
    numbers = [a.name for a in cls.attributes if isinstance(a.type, Int)] if cls else []
    return f"write `{name}(x.{numbers[0]} for x in {said})`" if numbers else ""
