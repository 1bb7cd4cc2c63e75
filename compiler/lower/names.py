"""What names and codes mean as values: locals, declarations, members of enums, seats."""

from typing import assert_never

from compiler.graph.core import AllTokens, Const, Term, Variable
from compiler.lower.context import Context, Lowers
from compiler.lower.denote import denote
from compiler.lower.errors import (
    Ambiguous,
    NoValue,
    UnknownCode,
    UnknownName,
    UsesItself,
    WrongArguments,
)
from compiler.lower.make import NONE
from compiler.lower.meant import meant
from compiler.lower.phrases import arguments
from compiler.lower.scope import (
    ClassName,
    ConstantName,
    Denoted,
    EnumName,
    FunctionName,
    PlaceName,
    RangeName,
    Scope,
    VariableName,
)
from compiler.ops.lists import LIST
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.spelling import nearest
from compiler.types import Enum, ListOf, Optional, PlaceOf, SetOf, Token, Type, element


def named(
    context: Context, terms: Lowers, name: ast.Word, scope: Scope, expected: Type | None
) -> Term:
    """The value of a name; `expected` decides between the words of several enums."""
    found = scope.find(name.text)
    if found is not None:
        return found
    wanted = enum_in(expected)
    if wanted is not None:
        member = context.member(name.text, wanted, name.span)
        if member is not None:
            return member
    denoted = denote(context, terms, name.text)
    if denoted is None:
        return unknown(context, name, scope, wanted)
    return _value(context, denoted, name)


def _value(context: Context, denoted: Denoted, name: ast.Word) -> Term:
    """The value of a declaration."""
    span = name.span
    match denoted:
        case ConstantName(term) | RangeName(_, term):
            return term
        case VariableName(variable):
            if variable.keys:
                return _family(context, variable, span)
            return context.maker.read(variable, (), variable.type, span)
        case PlaceName(places=places, type=type_, members=members):
            if members is None:
                return Const(places[0].index, type=type_, span=span)
            ordered = type_.ordered if isinstance(type_, PlaceOf) else True
            inner = PlaceOf(denoted.token_class, ordered)
            return Const(tuple(p.index for p in places), type=ListOf(inner), span=span)
        case ClassName(own, token_class, kinds):
            token = Token(token_class, own if kinds is not None else None)
            return context.maker.read(AllTokens(token_class, kinds), (), SetOf(token), span)
        case EnumName(enum):
            everything = tuple(range(len(enum.members)))
            return Const(everything, type=ListOf(enum), span=span)
        case FunctionName(function):
            if function.params:
                wanted = arguments(len(function.params))
                fix = f"write `{name.text}(…)`, with what it is asked of"
                if name.text == "next":
                    fix += "; in a scenario, who decides next is `expect next A`"
                context.add(WrongArguments(name.text, wanted, 0, fix, span=span))
                return NONE
            return context.maker.apply(function, (), function.type, span)
        case _:
            assert_never(denoted)


def _family(context: Context, variable: Variable, span: Span) -> Term:
    """A family named without its key, as the list of its members."""
    if len(variable.keys) != 1:
        wanted = f"one member of the family: `{variable.name}[…]`"
        context.wrong(span, variable.type, wanted)
        return NONE
    key_type = variable.key_types[0]
    reads = tuple(
        context.maker.read(variable, (Const(key, type=key_type),), variable.type, span)
        for key in variable.keys[0]
    )
    return context.maker.apply(LIST, reads, ListOf(variable.type), span)


def unknown(context: Context, name: ast.Word, scope: Scope, wanted: Enum | None) -> Term:
    """A word that denotes nothing at the top: a member of one enum, or reported."""
    if name.text in context.declared.by_name:  # broken: told where it stands; or not made yet
        if name.text in context.making:
            context.add(UsesItself(name.text, span=name.span))
        return NONE
    if name.text in context.missing:  # told where it is given a value
        return NONE
    enums = context.declared.members.get(name.text, [])
    if len(enums) == 1:
        return context.member(name.text, enums[0], name.span) or NONE
    if enums:
        names = tuple(enum.name for enum in enums)
        context.add(Ambiguous(name.text, names, span=name.span))
    elif name.text in {phase.name.text for phase in context.declared.of(ast.PhaseDecl)}:
        context.wrong(name.span, "a phase", "a value", f"run it with `do {name}`")
    elif name.text == "holder":
        reason = "`holder` is the player of a place or variable `per player`"
        context.add(NoValue(reason, span=name.span))
    else:
        near = nearest(name.text, wanted.members) if wanted is not None else ""
        known = meant(name.text)
        near = near or ("" if known else context.nearest(name.text, scope))
        notes = _ended(context, name)
        fix = f"did you mean `{near}`?" if near else known
        dice = [die.name.text for die in context.declared.of(ast.Die)]
        if name.text in ("die", "dice") and dice:
            fix = f"did you mean `{dice[0]}`?"
        if len(name.text) == 1 and not fix:
            fix = f"say what it goes through: `for {name} in players`, `all {name} in S where P`"
            if ord(name.text) - ord("a") < context.seats:
                fix += f"; a seat is written `{name.text.upper()}`"
        fix = fix or f"declare it at the left edge, as what it is: `var {name}: 0..99 = 0`"
        context.add(UnknownName(name.text, "" if notes else fix, span=name.span, notes=notes))
    return NONE


def _ended(context: Context, name: ast.Word) -> tuple[tuple[Span, str], ...]:
    """The last local of a name in the same phase, whose block has ended where it is named."""
    before = [
        local.span
        for local in context.declared.locals_around.get(name, ())
        if local.text == name.text and local.span.start < name.span.start
    ]
    return tuple((span, "this one ends with its block") for span in before[-1:])


def coded(context: Context, code: ast.Word, expected: Type | None) -> Term:
    """What a code means: a member of the enum that is asked for, else a seat."""
    wanted = enum_in(expected)
    if wanted is not None:
        member = context.member(code.text, wanted, code.span)
        if member is not None:
            return member
    seat = seat_of(code.text)
    if wanted is None and seat is not None and seat < context.seats:
        return Const(seat, type=context.player, span=code.span)
    context.add(UnknownCode(code.text, *_codes(context, code.text, wanted), span=code.span))
    return NONE


def _codes(context: Context, word: str, wanted: Enum | None) -> tuple[str, str]:
    """What a code would have to name, and which there are."""
    if wanted is None:
        letters = tuple(chr(ord("A") + seat) for seat in range(context.seats))
        fix = f"the seats are {', '.join(letters)}"
        if word.lower() in context.declared.by_name:
            fix = f"names have small letters: `{word.lower()}`"
        return "seat in this game", fix
    codes = [code for code in wanted.codes if code]
    return wanted.name, f"write one of {', '.join(codes or wanted.members)}"


def enum_in(expected: Type | None) -> Enum | None:
    """The enum that an expected type asks for, if it does."""
    while expected is not None and not isinstance(expected, Enum):
        if isinstance(expected, Optional):
            expected = expected.some
            continue
        expected = element(expected)
    return expected


def seat_of(code: str) -> int | None:
    """The seat a code names: `A`, `B`, …, or `P1`, `P2`, …; `None` for anything else."""
    if len(code) == 1 and "A" <= code <= "Z":
        return ord(code) - ord("A")
    if code[0] == "P" and code[1:].isdecimal() and len(code) < 9 and int(code[1:]) > 0:
        return int(code[1:]) - 1
    return None
