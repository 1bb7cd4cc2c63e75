"""What a top-level name means under a configuration, made when first asked for."""

from itertools import product

from compiler.config import ValueRefused
from compiler.graph.core import Apply, Bound, Case, Const, Die, Function, Term, Value, Variable
from compiler.lower.context import Context, Lowers, Setting
from compiler.lower.errors import (
    CaseNeverReached,
    CasesDiffer,
    NoValue,
    OpenCases,
    WrongEnding,
)
from compiler.lower.make import FALSE, NONE
from compiler.lower.phrases import as_range, described, kind_of
from compiler.lower.places import board, keys_of, listable, zone
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
from compiler.ops.lists import MOST_ELEMENTS, RANGE
from compiler.source import Span
from compiler.syntax import ast
from compiler.types import (
    BOOL,
    Bool,
    Enum,
    Int,
    ListOf,
    Nothing,
    Optional,
    PlaceOf,
    Player,
    SetOf,
    Type,
    element,
    fits,
    join,
    optional,
    present,
    values,
)

BOX = 0  # the place outside the game, where all tokens are at first


def denote(context: Context, terms: Lowers, name: str) -> Denoted | None:
    """What a name means, or `None` if nothing declares it."""
    if name not in context.denoted:
        context.denoted[name] = None  # what a name that needs itself means while it is made
        context.making.add(name)
        context.denoted[name] = _built_in(context, name) or _declared(context, terms, name)
        context.making.discard(name)
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
            classes = context.declared.of(ast.TokenDecl)
            held = classes[0].name.text if len(classes) == 1 else ""
            return ConstantName(Const(BOX, type=PlaceOf(held, False)))
        case _:
            return None


def _declared(context: Context, terms: Lowers, name: str) -> Denoted | None:
    declaration = context.declared.by_name.get(name)
    match declaration:
        case ast.Param():
            return _param(context, terms, declaration)
        case ast.Given():
            return _given(context, terms, declaration)
        case ast.Ruling() | ast.Gap():
            return _ruling(context, declaration)
        case ast.EnumDecl():
            return EnumName(context.declared.enums[name])
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
    keys, key_types = keys_of(context, terms, node.per, root)
    if node.default is None and not listable(context, type_, node.type.span, "values to draw from"):
        type_ = Nothing()
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
    enum = context.declared.enums[node.name.text]
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
        case Optional():
            return None
        case _:
            found = values(type_)
            return found[0] if found else None


# ---- variables


def variable(
    context: Context, terms: Lowers, node: ast.Var, phase: str | None, scope: Scope
) -> Variable:
    """A declared variable or family."""
    type_ = terms.type(node.type, scope)
    keys, key_types = keys_of(context, terms, node.per, scope)
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
    if not fits(term.type, ListOf(context.player)):
        context.wrong(node.span, term.type, "a player or a list of players")
        return NONE
    return terms.fit(node, scope, ListOf(context.player))


def _die(context: Context, terms: Lowers, node: ast.Die) -> Denoted:
    root = context.root()
    keys, key_types = keys_of(context, terms, node.per, root)
    readers: tuple[Term | None, ...] = ()
    faces: Term = NONE
    if isinstance(node.faces, ast.FacesLine):
        faces = _faces(context, terms, node.faces.faces)
        for mod in node.faces.mods:
            if isinstance(mod, ast.Seen):
                readers = tuple(
                    viewers(context, terms, mod.by, key_types, key) for key in product(*keys)
                )
            else:
                context.add(WrongEnding("a die", ("`seen by`",), span=mod.span))
    else:
        faces = _faces_by_case(context, terms, node)
    value = faces.value if isinstance(faces, Const) else ()
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


def _faces(context: Context, terms: Lowers, node: ast.Expr) -> Term:
    """The faces of a die: a list that is known before play and holds something."""
    term = terms.term(node, context.root())
    if isinstance(present(term.type), Int):
        fix = as_range(node.span.text, term.type)
        context.wrong(node.span, term.type, "a range or a list of faces", fix)
        return NONE
    faces = terms.as_list(term, node.span)
    if not isinstance(faces, Const):
        terms.unknown_before_play(faces, node.span)
    elif faces.value == () and isinstance(node, ast.Binary):
        terms.range_type(node.left, node.right, node.span)
    elif faces.value == ():
        context.add(NoValue("a die has at least one face", span=node.span))
    return faces


def _faces_by_case(context: Context, terms: Lowers, node: ast.Die) -> Term:
    root = context.root()
    cases = node.faces.cases if isinstance(node.faces, ast.FacesCases) else ()
    for case in cases:
        if case.when is None or terms.value(case.when, root, BOOL):
            return _faces(context, terms, case.value)
    context.add(OpenCases(node.name.text, span=cases[-1].span))
    return NONE


# ---- defines


def _define(context: Context, terms: Lowers, node: ast.Define) -> Denoted:
    if node.params is None and len(node.cases) == 1 and node.cases[0].when is None:
        value = node.cases[0].value
        if isinstance(value, ast.Binary) and value.op.text == "..":
            named = _range(context, terms, value)
            if named is not None:
                return named
    return FunctionName(_function(context, terms, node))


def _range(context: Context, terms: Lowers, node: ast.Binary) -> RangeName | None:
    """A named range, if it is known before play: a type, and a list unless it is too long."""
    low, high = (terms.term(end, context.root()) for end in (node.left, node.right))
    if not isinstance(low, Const) or not isinstance(high, Const):
        return None
    type_ = terms.range_type(node.left, node.right, node.span)
    if isinstance(type_, Int) and type_.high - type_.low >= MOST_ELEMENTS:
        return RangeName(type_, Apply(RANGE, (low, high), type=ListOf(type_), span=node.span))
    return RangeName(type_, Const(values(type_) or (), type=ListOf(type_), span=node.span))


def _function(context: Context, terms: Lowers, node: ast.Define) -> Function:
    scope = Scope(Env())
    params: list[Bound] = []
    for typed in node.params or ():
        bound = scope.env.bound(typed.name.text, terms.type(typed.type, context.root()))
        scope.names[typed.name.text] = bound
        params.append(bound)
    cases: list[Case] = []
    type_: Type = Nothing()
    told = _check_cases(context, node)
    for case in node.cases[:told]:
        when = terms.fit(case.when, scope, BOOL) if case.when is not None else None
        context.passing += when == FALSE
        value = terms.term(case.value, scope, type_)
        context.passing -= when == FALSE
        if isinstance(when, Const):
            if not when.value:
                continue
            when = None
        value, type_ = _joined(context, value, type_, cases, case.value.span)
        cases.append(Case(when, value, case.tail.clauses, case.span))
        if when is None:
            break
    if cases and cases[-1].when is not None and not isinstance(type_, Nothing):
        type_ = optional(type_)
    shown = [case for case in node.cases if case.tail.clauses]
    clauses = shown[0].tail.clauses if len(node.cases) == 1 and shown else ()
    return Function(node.name.text, tuple(params), tuple(cases), type_, node.span, clauses)


def _check_cases(context: Context, node: ast.Define) -> int:
    """How many cases count: the last, and no other, has no `when`."""
    whens = [case.when for case in node.cases]
    if None not in whens:
        context.add(OpenCases(node.name.text, span=node.cases[-1].span))
        return len(whens)
    last = whens.index(None) + 1
    for case in node.cases[last : last + 1]:
        context.add(CaseNeverReached(span=case.span))
    return last


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
        context.add(CasesDiffer(described(value.type), kind_of(type_), span=span))
        return value, type_
    return value, joined
