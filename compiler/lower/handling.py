"""Steps that handle tokens, and chance: moves, turns, marks, looks, shuffles, rolls and picks."""

from typing import assert_never

from compiler.graph.core import (
    AllTokens,
    Assign,
    Chance,
    Const,
    Die,
    Domain,
    DomainMode,
    FaceTarget,
    FlagTarget,
    FoldMode,
    KnownTarget,
    Move,
    Pick,
    PlaceOfToken,
    Read,
    Roll,
    Shuffle,
    Term,
    Value,
    Variable,
)
from compiler.lower.choices import Lowering
from compiler.lower.english import no_die, no_place
from compiler.lower.errors import NoValue, UnknownFlag, WrongEnding
from compiler.lower.make import NONE
from compiler.lower.phrases import flag_meant, is_family
from compiler.lower.reads import flags_of
from compiler.lower.scope import Scope
from compiler.ops.lists import IN
from compiler.syntax import ast
from compiler.types import (
    BOOL,
    SQUARE,
    ListOf,
    Nothing,
    PlaceOf,
    Player,
    SetOf,
    Square,
    Token,
    element,
    fits,
    present,
)

MOVE_ENDS = ("`face up`", "`face down`", "`bottom`", "`or fewer`")


def _tokens(low: Lowering, node: ast.Expr, scope: Scope) -> Term:
    """One token or several, as a list."""
    term = low.terms.term(node, scope)
    found = low.context.maker.tokens(term)
    inner = element(found.type) if found is not None else None
    if found is not None and isinstance(present(inner or Nothing()), Square):
        return _on_squares(low, found, scope)
    if found is None or not isinstance(present(inner or Nothing()), Token | Nothing):
        low.context.wrong(node.span, term.type, "a card or a piece")
        return NONE
    return found


def _on_squares(low: Lowering, squares: Term, scope: Scope) -> Term:
    """The tokens that lie on some squares."""
    maker = low.context.maker
    held = maker.board_class
    if held is None:
        return NONE
    token = Token(held)
    each = scope.env.bound("token", token)
    there = maker.read(PlaceOfToken(), (each,), SQUARE, squares.span)
    lies = maker.apply(IN, (there, squares), BOOL, squares.span)
    every = maker.read(AllTokens(held), (), SetOf(token), squares.span)
    over = Domain(DomainMode.MEMBERS, every)
    return maker.fold(FoldMode.FILTER, each, over, lies, None, SetOf(token), squares.span)


def move(low: Lowering, step: ast.Move, scope: Scope) -> None:
    """A move, whose tokens go one block to one place."""
    tokens = _tokens(low, step.tokens, scope)
    place = low.terms.term(step.place, scope)
    _check_place(low, place, tokens, step.place)
    face_up: bool | None = None
    at_bottom = fewer = False
    for mod in step.mods:
        match mod:
            case ast.Facing(side):
                face_up = side.text == "up"
            case ast.AtBottom():
                at_bottom = True
            case ast.OrFewer():
                fewer = True
            case _:
                low.context.add(WrongEnding("a move", MOVE_ENDS, span=mod.span))
    count = None if fewer else _asked(low, step.tokens, scope)
    low.emit(Move(tokens, place, face_up, at_bottom, count), step.tail, step.span)


def _check_place(low: Lowering, place: Term, tokens: Term, node: ast.Expr) -> None:
    type_ = present(place.type)
    if not isinstance(type_, PlaceOf | Square | Nothing):
        fix = f"say which one: `{node.span.text}[…]`" if is_family(place) else ""
        if isinstance(node, ast.EndOf):
            end = ", bottom" * (node.end.text == "bottom")
            fix = f"write `{node.of.span.text}{end}`: what comes lies on top, or at the bottom"
        elif isinstance(type_, Token):
            fix = f"write `{node.span.text}.place`; to choose squares, write `in squares(…)`"
        fix = fix or no_place(low.context, node.span.text, type_, tokens.type)
        low.context.wrong(node.span, place.type, "one place", fix)
        return
    if isinstance(place, Const) and place.value is None and place is not NONE:
        low.context.add(NoValue("there is no such place", span=node.span))
        return
    inner = present(element(tokens.type) or Nothing())
    held = type_.token_class if isinstance(type_, PlaceOf) else None
    if isinstance(type_, Square):
        held = low.context.maker.board_class
    known = isinstance(inner, Token) and inner.token_class in low.context.maker.classes
    if held and isinstance(inner, Token) and known and held != inner.token_class:
        found = f"a place for {held}"
        low.context.wrong(node.span, found, f"a place for {inner.token_class}")


def _asked(low: Lowering, node: ast.Expr, scope: Scope) -> Term | None:
    """How many tokens a `top n of` or `n of` asks for."""
    while isinstance(node, ast.Paren):
        node = node.inner
    if isinstance(node, ast.EndOf) and node.count is not None:
        return low.terms.term(node.count, scope)
    if isinstance(node, ast.SomeOf):
        return low.terms.term(node.count, scope)
    return None


def about_tokens(
    low: Lowering, step: ast.Flip | ast.Mark | ast.Show | ast.Reveal, scope: Scope
) -> None:
    """A step that changes how tokens lie, what is marked on them or who knows them."""
    tokens = _tokens(low, step.tokens, scope)
    match step:
        case ast.Flip():
            _check_face(low, step.tokens, tokens)
            up = Const(step.side.text == "up", type=BOOL)
            low.emit(Assign(FaceTarget(), (tokens,), up), step.tail, step.span)
        case ast.Mark():
            _check_flag(low, step.flag, tokens)
            on = Const(step.how.text == "mark", type=BOOL)
            low.emit(Assign(FlagTarget(step.flag.text), (tokens,), on), step.tail, step.span)
        case ast.Show():
            to = _seats(low, step.to, scope)
            low.emit(Assign(KnownTarget(), (tokens,), to), step.tail, step.span)
        case ast.Reveal():
            low.emit(Assign(KnownTarget(), (tokens,), NONE), step.tail, step.span)
        case _:
            assert_never(step)


def _seats(low: Lowering, node: ast.Expr, scope: Scope) -> Term:
    """One player or several, as a list."""
    term = low.terms.term(node, scope, low.context.player)
    if isinstance(present(term.type), Player):
        return low.context.maker.just(term)
    if not fits(term.type, ListOf(low.context.player)):
        low.context.wrong(node.span, term.type, "a player or a list of players")
        return NONE
    return low.terms.fitted(term, ListOf(low.context.player), node.span)


def _check_face(low: Lowering, node: ast.Expr, tokens: Term) -> None:
    inner = present(element(tokens.type) or Nothing())
    if isinstance(inner, Token) and not low.context.maker.classes[inner.token_class].is_card:
        low.context.wrong(node.span, "a piece, which has no face", "a card")


def _check_flag(low: Lowering, flag: ast.Word, tokens: Term) -> None:
    inner = present(element(tokens.type) or Nothing())
    missing = f"flag {flag.text}"
    if not isinstance(inner, Token) or missing in low.context.missing:
        return
    known = flags_of(low.context, inner.token_class)
    if flag.text not in known:
        low.context.missing.add(missing)
        held = low.context.maker.classes[inner.token_class]
        fix = flag_meant(flag.text, known, held)
        low.context.add(UnknownFlag(flag.text, fix, span=flag.span))


# ---- chance


def chance(low: Lowering, step: ast.Shuffle | ast.Roll | ast.Pick, scope: Scope) -> None:
    """A step that chance decides."""
    match step:
        case ast.Shuffle():
            place = low.terms.term(step.place, scope)
            if not isinstance(present(place.type), PlaceOf | Square | Nothing):
                text = step.place.span.text
                fix = f"say which one: `{text}[…]`" if is_family(place) else ""
                fix = fix or no_place(low.context, text, present(place.type), place.type)
                low.context.wrong(step.place.span, place.type, "one place", fix)
                return
            low.emit(Chance(Shuffle(place)), step.tail, step.span)
        case ast.Roll():
            dice = [_die(low, die, scope) for die in step.dice]
            rolled = tuple(die for die in dice if die is not None)
            low.emit(Chance(Roll(rolled)), step.tail, step.span)
        case ast.Pick():
            domain, type_ = low.terms.domain(step.domain, scope)
            made = low.local(step.name.text, type_, step.name.span)
            low.emit(Chance(Pick(made, (), domain)), step.tail, step.span)
            low.declare(step.name, made, scope)
        case _:
            assert_never(step)


def _die(
    low: Lowering, node: ast.Expr, scope: Scope
) -> tuple[Variable, tuple[Term, ...], tuple[Value, ...]] | None:
    term = low.terms.term(node, scope)
    if isinstance(term, Read) and isinstance(term.source, Die):
        return term.source, term.args, term.source.faces
    fix = f"say which one: `{node.span.text}[…]`" if is_family(term) else ""
    fix = fix or no_die(low.context, node.span.text, present(term.type))
    low.context.wrong(node.span, term.type, "a die", fix)
    return None
