"""What a top-level name means under a configuration, made when first asked for."""

from itertools import product

from compiler.config import ValueRefused
from compiler.graph.core import Bound, Case, Const, Die, Function, Term, Value, Variable
from compiler.lower.context import Context, Lowers, Setting
from compiler.lower.errors import CasesDiffer, NotKnownBeforePlay
from compiler.lower.places import board, zone
from compiler.lower.scope import (
    ClassName,
    ConstantName,
    Denoted,
    EnumName,
    Env,
    FunctionName,
    RangeName,
    Scope,
    VariableName,
)
from compiler.lower.tokens import kinds_where, token_class
from compiler.source import Span
from compiler.syntax import ast
from compiler.types import (
    BOOL,
    Bool,
    Enum,
    Int,
    ListOf,
    Nothing,
    PlaceOf,
    Player,
    SetOf,
    Type,
    element,
    join,
    optional,
    present,
    values,
)

BOX = 0  # the place outside the game, where all tokens are at first


def denote(context: Context, terms: Lowers, name: str) -> Denoted | None:
    """What a name means, or `None` if nothing declares it."""
    if name not in context.denoted:
        context.denoted[name] = None  # a name that needs itself means nothing; `resolve` reports it
        context.denoted[name] = _built_in(context, name) or _declared(context, terms, name)
    return context.denoted[name]


def _built_in(context: Context, name: str) -> Denoted | None:
    match name:
        case "players":
            everyone = tuple(range(context.seats))
            type_ = SetOf(context.player)
            return VariableName(Variable("players", type_, initial=everyone))
        case "everyone":
            everyone = tuple(range(context.seats))
            return ConstantName(Const(everyone, type=ListOf(context.player)))
        case "ended":
            return VariableName(Variable("ended", BOOL, initial=False))
        case "box":
            classes = context.of(ast.TokenDecl)
            held = classes[0].name.text if len(classes) == 1 else ""
            return ConstantName(Const(BOX, type=PlaceOf(held, False)))
        case _:
            return None


def _declared(context: Context, terms: Lowers, name: str) -> Denoted | None:
    declaration = context.by_name.get(name)
    match declaration:
        case ast.Param():
            return _param(context, terms, declaration)
        case ast.Given():
            return _given(context, terms, declaration)
        case ast.Ruling() | ast.Gap():
            return _ruling(context, declaration)
        case ast.EnumDecl():
            return EnumName(context.enums[name])
        case ast.TokenDecl():
            made = token_class(context, terms, declaration)
            context.classes.append(made)
            context.maker.classes[name] = made
            return ClassName(name, name, None)
        case ast.KindDecl():
            return kinds_where(context, terms, declaration)
        case ast.Die():
            return _die(context, terms, declaration)
        case ast.Zone():
            return zone(context, terms, declaration)
        case ast.Board():
            return board(context, terms, declaration)
        case ast.Var():
            return VariableName(variable(context, terms, declaration, None, context.root()))
        case ast.Define():
            return _define(context, terms, declaration)
        case _:
            return None


# ---- constants


def _param(context: Context, terms: Lowers, node: ast.Param) -> Denoted:
    type_ = terms.type(node.type, context.root())
    if node.name.text in context.settings:
        value = setting(context, node.name.text, type_, node.span)
    else:
        value = terms.value(node.default, context.root(), type_)
    narrow = Int(value, value) if isinstance(value, int) and isinstance(type_, Int) else type_
    return ConstantName(Const(value, type=narrow, span=node.span))


def _given(context: Context, terms: Lowers, node: ast.Given) -> Denoted:
    root = context.root()
    type_ = terms.type(node.type, root)
    name = node.name.text
    if name in context.settings and node.per is None:
        return ConstantName(Const(setting(context, name, type_, node.span), type=type_))
    if node.default is not None and node.per is None:
        return ConstantName(Const(terms.value(node.default, root, type_), type=type_))
    keys, key_types = keys_of(terms, node.per, root)
    made = Variable(
        name,
        type_,
        keys,
        key_types,
        initial=first_value(type_),
        span=node.span,
        clauses=node.tail.clauses,
    )
    return VariableName(made)


def _ruling(context: Context, node: ast.Ruling | ast.Gap) -> Denoted:
    enum = context.enums[node.name.text]
    if node.name.text in context.settings:
        value = setting(context, node.name.text, enum, node.span)
        return ConstantName(Const(value, type=enum, span=node.span))
    chosen = [i for i, reading in enumerate(node.readings) if reading.default is not None]
    return ConstantName(Const(chosen[0] if chosen else 0, type=enum, span=node.span))


def setting(context: Context, name: str, type_: Type, span: Span) -> Value:
    """A configured value in the form its type keeps; refused values are reported."""
    given: Setting = context.settings[name]
    text = str(given)
    found: Value = None
    allowed = str(type_)
    match type_:
        case Int(low, high):
            number = int(text) if text.lstrip("-").isdigit() else None
            found = number if number is not None and low <= number <= high else None
        case Enum(members=members):
            allowed = ", ".join(members)
            found = members.index(text) if text in members else None
        case Bool():
            allowed = "true, false"
            found = {"true": True, "false": False}.get(text)
        case Player(seats):
            letters = [chr(ord("A") + seat) for seat in range(seats)]
            allowed = ", ".join(letters)
            found = letters.index(text) if text in letters else None
        case _:
            pass
    if found is None:
        context.add(ValueRefused(name, text, allowed, "", span=span))
        return first_value(type_)
    return found


def first_value(type_: Type) -> Value:
    """The value a slot holds before anything gives it one."""
    match type_:
        case SetOf() | ListOf():
            return ()
        case Int(low, high):
            return min(max(0, low), high)
        case _:
            found = values(type_)
            return found[0] if found else None


# ---- variables


def keys_of(
    terms: Lowers, per: tuple[ast.TypeExpr, ...] | None, scope: Scope
) -> tuple[tuple[tuple[Value, ...], ...], tuple[Type, ...]]:
    """The key values and types of a family: none for a single slot."""
    types = tuple(terms.type(node, scope) for node in per or ())
    return tuple(values(type_) or () for type_ in types), types


def variable(
    context: Context, terms: Lowers, node: ast.Var, phase: str | None, scope: Scope
) -> Variable:
    """A declared variable or family."""
    type_ = terms.type(node.type, scope)
    keys, key_types = keys_of(terms, node.per, scope)
    initial = first_value(type_)
    if node.initial is not None and phase is None:
        term = terms.fit(node.initial, scope, type_)
        if isinstance(term, Const):
            initial = term.value
    readers: tuple[Term | None, ...] = ()
    if node.seen is not None:
        readers = tuple(
            viewers(context, terms, node.seen.by, key_types, key) for key in product(*keys)
        )
    return Variable(
        node.name.text,
        type_,
        keys,
        key_types,
        phase,
        initial,
        readers,
        node.span,
        node.tail.clauses,
    )


def viewers(
    context: Context,
    terms: Lowers,
    node: ast.Expr,
    key_types: tuple[Type, ...],
    key: tuple[Value, ...],
) -> Term:
    """Who sees something, as a list of seats; `holder` is the player of its key."""
    scope = context.root()
    for type_, value in zip(key_types, key, strict=True):
        if isinstance(type_, Player):
            scope.names["holder"] = Const(value, type=type_)
            break
    term = terms.term(node, scope, context.player)
    if isinstance(present(term.type), Player):
        return context.maker.just(term)
    return terms.fit(node, scope, ListOf(context.player))


def _die(context: Context, terms: Lowers, node: ast.Die) -> Denoted:
    root = context.root()
    keys, key_types = keys_of(terms, node.per, root)
    readers: tuple[Term | None, ...] = ()
    if isinstance(node.faces, ast.FacesLine):
        faces: Term = terms.term(node.faces.faces, root)
        for mod in node.faces.mods:
            if isinstance(mod, ast.Seen):
                readers = tuple(
                    viewers(context, terms, mod.by, key_types, key) for key in product(*keys)
                )
    else:
        faces = _faces_by_case(context, terms, node.faces.cases)
    value = faces.value if isinstance(faces, Const) else ()
    if not isinstance(faces, Const):
        context.add(NotKnownBeforePlay(node.name.text, span=node.span))
    inner = element(faces.type) or Nothing()
    made = Die(
        node.name.text,
        inner,
        keys,
        key_types,
        readers=readers,
        span=node.span,
        faces=value if isinstance(value, tuple) else (),
    )
    return VariableName(made)


def _faces_by_case(context: Context, terms: Lowers, cases: tuple[ast.Case, ...]) -> Term:
    root = context.root()
    for case in cases:
        if case.when is None or terms.value(case.when, root, BOOL):
            return terms.term(case.value, root)
    return Const((), type=ListOf(Nothing()))


# ---- defines


def _define(context: Context, terms: Lowers, node: ast.Define) -> Denoted:
    if node.params is None and len(node.cases) == 1 and node.cases[0].when is None:
        value = node.cases[0].value
        if isinstance(value, ast.Binary) and value.op.text == "..":
            term = terms.term(value, context.root())
            if isinstance(term, Const):
                return RangeName(element(term.type) or Nothing(), term)
    return FunctionName(_function(context, terms, node))


def _function(context: Context, terms: Lowers, node: ast.Define) -> Function:
    scope = Scope(Env())
    params: list[Bound] = []
    for typed in node.params or ():
        bound = scope.env.bound(typed.name.text, terms.type(typed.type, context.root()))
        scope.names[typed.name.text] = bound
        params.append(bound)
    cases: list[Case] = []
    type_: Type = Nothing()
    for case in node.cases:
        value = terms.term(case.value, scope, type_)
        when = terms.fit(case.when, scope, BOOL) if case.when is not None else None
        if isinstance(when, Const):
            if not when.value:
                continue
            when = None
        value, type_ = _joined(context, value, type_, cases, case.span)
        cases.append(Case(when, value, case.tail.clauses, case.span))
        if when is None:
            break
    if cases and cases[-1].when is not None and not isinstance(type_, Nothing):
        type_ = optional(type_)
    shown = [case for case in node.cases if case.tail.clauses]
    clauses = shown[0].tail.clauses if len(node.cases) == 1 and shown else ()
    return Function(node.name.text, tuple(params), tuple(cases), type_, node.span, clauses)


def _joined(
    context: Context, value: Term, type_: Type, cases: list[Case], span: Span
) -> tuple[Term, Type]:
    """A case's value and the type of all so far: places read as lists where others are lists."""
    if not cases:
        if context.maker.is_place(value.type) and isinstance(present(value.type), ListOf):
            value = context.maker.tokens_in(value)
        return value, value.type
    joined = join(type_, value.type)
    if joined is None and context.maker.is_place(value.type):
        value = context.maker.tokens_in(value)
        joined = join(type_, value.type)
    if joined is None:
        context.add(CasesDiffer(str(value.type), str(type_), span=span))
        return value, type_
    return value, joined
