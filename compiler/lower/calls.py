"""Calls and aggregates: defines, operators by name, and what a board knows."""

from attrs import evolve

from compiler.graph.core import (
    Const,
    Domain,
    DomainMode,
    FoldMode,
    Function,
    Term,
    Value,
)
from compiler.lower.context import Context, Lowers
from compiler.lower.denote import denote
from compiler.lower.english import of_each
from compiler.lower.errors import NotCallable, UnknownName, WrongArguments
from compiler.lower.make import NONE
from compiler.lower.meant import meant
from compiler.lower.phrases import arguments, described
from compiler.lower.places import (
    MOST_VALUES,
    by_coordinates,
    in_direction,
    square_table,
    squares,
)
from compiler.lower.scope import Denoted, FunctionName, PlaceName, Scope, VariableName
from compiler.ops.lists import (
    AFTER,
    ARRANGE,
    CONSECUTIVE,
    COUNT,
    DISTINCT,
    FIRST,
    LAST,
    LEAST,
    LINKED,
    MAX,
    MIN,
    MOST,
    SAME,
    SUM,
)
from compiler.ops.numbers import ABS
from compiler.ops.row import Lookup, Op, lookup
from compiler.syntax import ast
from compiler.syntax.declared import article, what
from compiler.syntax.spelling import nearest
from compiler.types import (
    BOOL,
    SQUARE,
    Bool,
    Enum,
    Int,
    ListOf,
    Nothing,
    Optional,
    Player,
    SetOf,
    Square,
    Token,
    Type,
    element,
    present,
)

ON_LISTS: dict[str, Op] = {
    "count": COUNT,
    "first": FIRST,
    "last": LAST,
    "sum": SUM,
    "min": MIN,
    "max": MAX,
    "same": SAME,
    "distinct": DISTINCT,
    "consecutive": CONSECUTIVE,
}
ON_BOARDS: dict[str, int] = {  # and how many arguments they take
    "squares": 1,
    "lines": 2,
    "column": 2,
    "row": 2,
    "neighbours": 1,
    "around": 1,
    "ray": 3,
    "between": 2,
    "linked": 3,
}
FORMS: dict[str, str] = {  # how they are written
    "squares": "squares(b)",
    "lines": "lines(b, n)",
    "column": "column(b, x)",
    "row": "row(b, y)",
    "neighbours": "neighbours(s)",
    "around": "around(s)",
    "ray": "ray(s, dx, dy)",
    "between": "between(s, t)",
    "linked": "linked(T, S, neighbours)",
}
TAKES: dict[Op, str] = {SUM: "a list of numbers", ABS: "a number", AFTER: "a list"}
ORDERING = (MIN, MAX, CONSECUTIVE, ARRANGE, MOST, LEAST)
BY_KEY: dict[str, Op] = {"arrange": ARRANGE, "most": MOST, "least": LEAST}
FOUR = ((0, 1), (1, 0), (0, -1), (-1, 0))
EIGHT = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


def call(context: Context, terms: Lowers, node: ast.Call, scope: Scope) -> Term:
    """`f(a, b)`."""
    name = node.name.text
    declared = denote(context, terms, name)
    if isinstance(declared, FunctionName):
        return _function(context, terms, node, declared.function, scope)
    if name in ON_LISTS:
        return _on_list(context, terms, node, ON_LISTS[name], scope)
    if name == "abs":
        args = _args(context, terms, node, scope, 1)
        return _applied(context, ABS, args, node)
    if name == "after":
        args = _args(context, terms, node, scope, 2)
        return _applied(context, AFTER, args, node)
    if name in ON_BOARDS:
        if _args_count(context, node, ON_BOARDS[name]):
            return _board_call(context, terms, node, scope)
        return NONE
    _report_call(context, terms, node, scope, declared)
    return NONE


def _report_call(
    context: Context, terms: Lowers, node: ast.Call, scope: Scope, declared: Denoted | None
) -> None:
    """Something that is called and cannot be."""
    name = node.name.text
    declaration = context.declared.by_name.get(name)
    phases = [phase.name.text for phase in context.declared.of(ast.PhaseDecl)]
    if name == "orders":
        fix = f"write `p chooses x in {node.span.text}`"
        context.wrong(node.span, "a choice of orders", "a value", fix)
    elif declaration is not None and declared is not None:
        keys = (isinstance(declared, PlaceName) and declared.members is not None) or (
            isinstance(declared, VariableName) and declared.variable.keys
        )
        fix = f"write `{name}[{', '.join(arg.span.text for arg in node.args)}]`" if keys else ""
        context.add(NotCallable(name, article(what(declaration)), fix, span=node.name.span))
    elif name in phases:
        context.add(NotCallable(name, "a phase", f"run it with `do {name}`", span=node.name.span))
    elif name in BY_KEY:
        fix = f"write `{name}(x.value for x in S)`"
        context.add(NotCallable(name, "told by a value of each", fix, span=node.name.span))
    elif declaration is None:
        near = "" if meant(name) else context.nearest(name, scope, called=True)
        fix = meant(name) or f"say what it is: `define {_head(terms, node, scope)} = …`"
        context.add(UnknownName.near(name, near, node.name.span, fix))


def _function(
    context: Context, terms: Lowers, node: ast.Call, function: Function, scope: Scope
) -> Term:
    if len(node.args) != len(function.params):
        wanted, given = arguments(len(function.params)), [arg.span.text for arg in node.args]
        params = ", ".join(f"{param.name}: {described(param.type)}" for param in function.params)
        fix = f"it is asked of {params}" if params else f"write `{function.name}` alone"
        if len(function.params) == 1 and element(function.params[0].type) and len(given) > 1:
            fix = f"write `{function.name}([{', '.join(given)}])`"
        context.add(WrongArguments(function.name, wanted, len(given), fix, span=node.span))
        return NONE
    args = tuple(
        terms.fit(arg, scope, param.type)
        for arg, param in zip(node.args, function.params, strict=True)
    )
    return context.maker.apply(function, args, function.type, node.span)


def _head(terms: Lowers, node: ast.Call, scope: Scope) -> str:
    """How a define begins that would take the arguments of a call: `beats(c: num, d: num)`."""
    told: dict[str, str] = {}
    for number, arg in enumerate(node.args):
        type_ = present(terms.term(arg, scope).type)
        named = isinstance(arg, ast.Name) and arg.name.text not in told
        name = arg.name.text if isinstance(arg, ast.Name) and named else "xyzuvw"[number % 6]
        plain = isinstance(type_, Int | Enum | Square | Player | Token | Bool)
        told[name] = str(type_) if plain else "player"
    params = ", ".join(f"{name}: {type_}" for name, type_ in told.items())
    return f"{node.name.text}({params})" if params else node.name.text


def _args_count(context: Context, node: ast.Call, wanted: int) -> bool:
    """Whether a call has so many arguments; reported if not."""
    if len(node.args) == wanted:
        return True
    name, found = node.name.text, len(node.args)
    fix = f"write `{FORMS[name]}`" if name in FORMS else ""
    if name in ON_LISTS and found > 1:
        fix = f"write `{name}([{', '.join(arg.span.text for arg in node.args)}])`"
    context.add(WrongArguments(name, arguments(wanted), found, fix, span=node.span))
    return False


def _args(
    context: Context, terms: Lowers, node: ast.Call, scope: Scope, wanted: int
) -> tuple[Term, ...] | None:
    if not _args_count(context, node, wanted):
        return None
    return tuple(terms.term(arg, scope) for arg in node.args)


def _applied(
    context: Context, op: Op, args: tuple[Term, ...] | None, node: ast.Call | ast.Aggregate
) -> Term:
    """An operator; reported at its first argument if it does not take them."""
    if args is None or any(isinstance(arg.type, Nothing) for arg in args):
        return NONE
    type_ = op.signature(tuple(arg.type for arg in args))
    if type_ is None or not _has_order(op, args[-1].type):
        if isinstance(node, ast.Call):
            wanted = TAKES.get(op, "a list of what can be put in order")
            said = node.args[0].span
            fix = of_each(context, node.name.text, said.text, args[0].type)
            context.wrong(said, args[0].type, wanted, fix)
        else:
            wanted = "a number" if op is SUM else "a number or a member of an enum"
            context.wrong(node.body.span, element(args[-1].type) or Nothing(), wanted)
        return NONE
    return context.maker.apply(op, args, type_, node.span)


def _has_order(op: Op, type_: Type) -> bool:
    """Whether an operator that compares gets something that has an order."""
    if op not in ORDERING:
        return True
    inner = present(element(type_) or Nothing())
    return isinstance(inner, Int | Enum | Nothing)


def _on_list(context: Context, terms: Lowers, node: ast.Call, op: Op, scope: Scope) -> Term:
    args = _args(context, terms, node, scope, 1)
    if args is None:
        return NONE
    listed = terms.as_list(args[0], node.args[0].span)
    return _narrowed(_applied(context, op, (listed,), node), op, node.args[0], listed)


def _narrowed(term: Term, op: Op, arg: ast.Expr, listed: Term) -> Term:
    """The highest or lowest of numbers written out: never `none`, with the bounds that follow."""
    inner = present(element(listed.type) or Nothing())
    if op not in (MIN, MAX) or not isinstance(arg, ast.ListOf) or not isinstance(inner, Int):
        return term
    if isinstance(term, Const):
        return term
    parts = getattr(listed, "args", ())
    ranges = [present(part.type) for part in parts]
    if any(isinstance(part.type, Optional) for part in parts):
        return term
    lows = [r.low for r in ranges if isinstance(r, Int)]
    highs = [r.high for r in ranges if isinstance(r, Int)]
    if not lows:
        return term
    best = max if op is MAX else min
    return _retyped(term, Int(best(lows), best(highs)))


def _retyped(term: Term, type_: Type) -> Term:
    return evolve(term, type=type_)


def aggregate(context: Context, terms: Lowers, node: ast.Aggregate, scope: Scope) -> Term:
    """`sum(e for x in S where P)`."""
    name = node.name.text
    op = ON_LISTS.get(name) or BY_KEY.get(name)
    if op is None:
        near = nearest(name, [*ON_LISTS, *BY_KEY])
        declared = context.declared.by_name.get(name)
        if declared is not None:
            wanted = "something like `sum` or `count`, before `for`"
            context.wrong(node.name.span, article(what(declared)), wanted)
        else:
            context.add(UnknownName.near(name, near, node.name.span, meant(name)))
        return NONE
    bind = node.bind
    if isinstance(bind.domain, ast.Subsets):
        context.wrong(bind.domain.span, "a choice of subsets", "a list or set")
        return NONE
    listed = terms.as_list(terms.term(bind.domain, scope), bind.domain.span)
    inner_type = element(listed.type) or Nothing()
    inner = scope.inner()
    bound = scope.env.bound(bind.name.text, inner_type)
    inner.names[bind.name.text] = bound
    where = terms.fit(bind.where, inner, BOOL) if bind.where is not None else None
    body = terms.term(node.body, inner)
    maker = context.maker
    members = Domain(DomainMode.MEMBERS, listed)
    whole: Type = (
        SetOf(inner_type) if isinstance(present(listed.type), SetOf) else ListOf(inner_type)
    )
    kept = maker.fold(FoldMode.FILTER, bound, members, where, None, whole, node.span)
    if body == bound and op not in BY_KEY.values():
        return _applied(context, op, (kept,), node)
    mapped = maker.fold(FoldMode.MAP, bound, members, where, body, ListOf(body.type), node.span)
    args = (kept, mapped) if name in BY_KEY else (mapped,)
    return _applied(context, op, args, node)


# ---- boards


def _board_call(context: Context, terms: Lowers, node: ast.Call, scope: Scope) -> Term:
    name, args = node.name.text, node.args
    match name:
        case "squares" | "lines" | "column" | "row":
            board = _board(context, terms, args[0])
            return NONE if board is None else _of_board(context, terms, node, board, scope)
        case "neighbours" | "around":
            steps = FOUR if name == "neighbours" else EIGHT
            table = _steps_table(context, name, steps)
            square = terms.fit(args[0], scope, SQUARE)
            return context.maker.apply(table, (square,), ListOf(SQUARE), node.span)
        case "ray":
            return _ray(context, terms, node, scope)
        case "between":
            table = _between_table(context)
            squares_ = tuple(terms.fit(arg, scope, SQUARE) for arg in args)
            return context.maker.apply(table, squares_, ListOf(SQUARE), node.span)
        case _:
            return _linked(context, terms, node, scope)


def _board(context: Context, terms: Lowers, node: ast.Expr) -> PlaceName | None:
    found = denote(context, terms, node.name.text) if isinstance(node, ast.Name) else None
    if isinstance(found, PlaceName) and found.board is not None:
        return found
    context.wrong(node.span, terms.term(node, context.root()).type, "the name of a board")
    return None


def _of_board(
    context: Context, terms: Lowers, node: ast.Call, board: PlaceName, scope: Scope
) -> Term:
    columns, rows = board.board or (0, 0)
    every = squares(board)
    match node.name.text:
        case "squares":
            return Const(every, type=ListOf(SQUARE), span=node.span)
        case "lines":
            length = terms.value(node.args[1], scope, Int(1, MOST_VALUES))
            found = _lines(context, every, length if isinstance(length, int) else 0)
            return Const(found, type=ListOf(ListOf(SQUARE)), span=node.span)
        case "column":
            table: tuple[Value, ...] = tuple(
                every[c * rows : (c + 1) * rows] for c in range(columns)
            )
        case _:
            table = tuple(every[r::rows] for r in range(rows))
    most = columns if node.name.text == "column" else rows
    at = terms.fit(node.args[1], scope, Int(1, most))
    reader = _lookup(f"{node.name.text} of {board.name}", table, 1, ListOf(SQUARE))
    return context.maker.apply(reader, (at,), ListOf(SQUARE), node.span)


def _lookup(name: str, table: tuple[Value, ...], low: int, type_: Type) -> Lookup:
    return lookup(name, table, (low,), type_, None)


def _lines(context: Context, every: tuple[int, ...], length: int) -> tuple[Value, ...]:
    """All straight runs of a length: along columns, rows and both diagonals, by first square."""
    out: list[Value] = []
    for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for square in every:
            line = [square]
            while len(line) < length:
                following = in_direction(context, line[-1], dx, dy)
                if following is None:
                    break
                line.append(following)
            if len(line) == length:
                out.append(tuple(line))
    return tuple(out)


def _all_squares(context: Context) -> tuple[int, ...]:
    return tuple(p.index for p in context.places if p.square is not None)


def _steps_table(context: Context, name: str, steps: tuple[tuple[int, int], ...]) -> Lookup:
    found: dict[int, Value] = {}
    for square in _all_squares(context):
        near = (in_direction(context, square, dx, dy) for dx, dy in steps)
        found[square] = tuple(sorted(s for s in near if s is not None))
    return square_table(context, name, found, ListOf(SQUARE))


def _walk(context: Context, square: int, dx: int, dy: int) -> tuple[int, ...]:
    out: list[int] = []
    following = in_direction(context, square, dx, dy) if (dx, dy) != (0, 0) else None
    while following is not None:
        out.append(following)
        following = in_direction(context, following, dx, dy)
    return tuple(out)


def _ray(context: Context, terms: Lowers, node: ast.Call, scope: Scope) -> Term:
    """The squares outwards from one, in steps of -1, 0 or 1 each way."""
    step = Int(-1, 1)
    args = (
        terms.fit(node.args[0], scope, SQUARE),
        terms.fit(node.args[1], scope, step),
        terms.fit(node.args[2], scope, step),
    )
    on_board = set(_all_squares(context))
    table: tuple[Value, ...] = tuple(
        tuple(tuple(_walk(context, square, dx, dy) for dy in (-1, 0, 1)) for dx in (-1, 0, 1))
        if square in on_board
        else None
        for square in range(len(context.places))
    )
    reader = lookup("ray", table, (0, -1, -1), ListOf(SQUARE), None)
    return context.maker.apply(reader, args, ListOf(SQUARE), node.span)


def _between_table(context: Context) -> Lookup:
    """The squares strictly between two on one column, row or diagonal; nothing for others."""
    where = {index: key for key, index in by_coordinates(context).items()}
    rows: list[Value] = []
    every = range(len(context.places))
    for a in every:
        row: tuple[Value, ...] = tuple(_between(context, where, a, b) for b in every)
        rows.append(row)
    return lookup("between", tuple(rows), (0, 0), ListOf(SQUARE), None)


def _between(
    context: Context, where: dict[int, tuple[str, int, int]], a: int, b: int
) -> tuple[int, ...]:
    if a not in where or b not in where or where[a][0] != where[b][0]:
        return ()
    dx, dy = where[b][1] - where[a][1], where[b][2] - where[a][2]
    if dx and dy and abs(dx) != abs(dy):
        return ()
    path = _walk(context, a, (dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
    return path[: path.index(b)] if b in path else ()


def _linked(context: Context, terms: Lowers, node: ast.Call, scope: Scope) -> Term:
    """What can be reached from some squares inside others by constant steps."""
    start, inside = (terms.fit(arg, scope, SetOf(SQUARE)) for arg in node.args[:2])
    steps = node.args[2]
    name = steps.name.text if isinstance(steps, ast.Name) else ""
    ways: list[Value] = []
    for square in _all_squares(context):
        at = Const(square, type=SQUARE)
        if name in ("neighbours", "around"):
            table = _steps_table(context, name, FOUR if name == "neighbours" else EIGHT)
            to: Term = context.maker.apply(table, (at,), ListOf(SQUARE), node.span)
        else:
            declared = denote(context, terms, name)
            if not isinstance(declared, FunctionName) or not _steps(declared.function):
                wanted = "`neighbours`, `around`, or a define of one square that gives squares"
                context.wrong(steps.span, f"`{steps.span.text}`", wanted)
                return NONE
            to = context.maker.apply(declared.function, (at,), ListOf(SQUARE), node.span)
        ways.append((square, to.value if isinstance(to, Const) else ()))
    table_term = Const(tuple(ways), type=ListOf(ListOf(Int(0, 4095))))
    return context.maker.apply(LINKED, (start, inside, table_term), SetOf(SQUARE), node.span)


def _steps(function: Function) -> bool:
    """Whether a define says which squares are one step from a square."""
    taken = tuple(present(param.type) for param in function.params)
    return taken == (SQUARE,) and isinstance(element(function.type), Square | Nothing)
