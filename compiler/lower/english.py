"""What reads as English in a term and is written in another way."""

from compiler.lower.context import Context, Lowers
from compiler.lower.denote import denote
from compiler.lower.scope import ClassName, Denoted, PlaceName, Scope, VariableName
from compiler.syntax import ast


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
