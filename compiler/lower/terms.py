"""Expressions to terms, with their types and bounds.

One case per form of the syntax.  What a name means comes from `denote.py`; calls, attributes and
indexes have modules of their own.  After an error the term is `none`, which fits everywhere, so
that one mistake is reported once.
"""

from typing import assert_never

from attrs import define

from compiler.graph.core import (
    AllTokens,
    Bound,
    Const,
    Domain,
    DomainMode,
    FoldMode,
    KindOf,
    PlaceOfToken,
    Term,
    Value,
)
from compiler.graph.evaluate import NotConstant, evaluate
from compiler.lower.calls import aggregate, call
from compiler.lower.context import Context
from compiler.lower.denote import denote
from compiler.lower.errors import (
    Ambiguous,
    EmptyRange,
    NeverFits,
    NotAType,
    NotComparable,
    NotKnownBeforePlay,
    NoValue,
    TooMany,
    UnknownCode,
    UnknownName,
    UnknownOption,
    UsesItself,
    WrongArguments,
    WrongOperands,
)
from compiler.lower.make import EMPTY, FALSE, NONE, TRUE
from compiler.lower.phrases import arguments, changing, described, kind_of, suggestion
from compiler.lower.reads import attribute, index
from compiler.lower.scope import (
    ClassName,
    ConstantName,
    EnumName,
    FunctionName,
    PlaceName,
    RangeName,
    Scope,
    VariableName,
)
from compiler.ops.lists import (
    FIRST,
    IN,
    IS,
    LAST,
    LIST,
    MINUS,
    MOST_ELEMENTS,
    RANGE,
    SAME_MEMBERS,
    TAKE,
    TAKE_LAST,
    UNION,
    set_of,
)
from compiler.ops.numbers import (
    ADD,
    AT_LEAST,
    AT_MOST,
    DIVIDE,
    LESS,
    LIMIT,
    MODULO,
    MORE,
    MULTIPLY,
    NEGATE,
    SUBTRACT,
)
from compiler.ops.row import Op, Undefined
from compiler.resolve.errors import GuardCycle
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.spelling import nearest
from compiler.types import (
    BOOL,
    SQUARE,
    Enum,
    Int,
    ListOf,
    Nothing,
    Optional,
    PlaceOf,
    Player,
    SetOf,
    Token,
    Type,
    element,
    fits,
    join,
    possible,
    present,
)

BINARY: dict[str, Op] = {
    "-": SUBTRACT,
    "*": MULTIPLY,
    "div": DIVIDE,
    "mod": MODULO,
    "..": RANGE,
    "<": LESS,
    "<=": AT_MOST,
    ">": MORE,
    ">=": AT_LEAST,
}


SIZE = Int(0, LIMIT)
ORDERING = (LESS, AT_MOST, MORE, AT_LEAST)
COMPARING = (IS, SAME_MEMBERS, IN, *ORDERING)


@define(eq=False)
class Terms:
    """Lowers expressions in the light of a context."""

    context: Context

    # ---- entry points

    def term(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> Term:
        """The term an expression means; `expected` decides between words of several enums."""
        match node:
            case ast.Paren(inner):
                return self.term(inner, scope, expected)
            case ast.Name(name):
                return self._name(name, scope, expected)
            case ast.Code(code):
                return self._code(code, expected)
            case ast.Number(digits):
                number = int(digits.text)
                return Const(number, type=Int(number, number), span=node.span)
            case ast.NoneLiteral():
                return Const(None, type=Nothing(), span=node.span)
            case ast.EmptyLiteral():
                return EMPTY
            case ast.TrueLiteral():
                return TRUE
            case ast.FalseLiteral():
                return FALSE
            case ast.Can(option):
                return self._can(option, scope)
            case ast.Call():
                return call(self.context, self, node, scope)
            case ast.Aggregate():
                return aggregate(self.context, self, node, scope)
            case ast.ListOf(items):
                return self._list(node, items, scope, expected)
            case ast.Attr():
                return attribute(self.context, self, node, scope)
            case ast.Index():
                return index(self.context, self, node, scope)
            case ast.Negative(inner):
                return self.applied(NEGATE, (self.term(inner, scope),), node.span)
            case ast.Binary():
                return self._binary(node, scope, expected)
            case ast.Is(left, right):
                return self._is(left, right, scope, node.span)
            case ast.IsNot(left, right):
                same = self._is(left, right, scope, node.span)
                return self.context.maker.negated(same, node.span)
            case ast.In(left, right):
                return self._in(left, right, scope, node.span)
            case ast.NotIn(left, right):
                inside = self._in(left, right, scope, node.span)
                return self.context.maker.negated(inside, node.span)
            case ast.Or(left, right):
                a = self.test(left, scope)
                b = self.passed(right, scope, BOOL) if a == TRUE else self.test(right, scope)
                return self.context.maker.either(a, b, node.span)
            case ast.And(left, right):
                a = self.test(left, scope)
                b = self.passed(right, scope, BOOL) if a == FALSE else self.test(right, scope)
                return self.context.maker.both(a, b, node.span)
            case ast.Not(inner):
                return self.context.maker.negated(self.test(inner, scope), node.span)
            case ast.IfThen():
                return self._if(node, scope, expected)
            case ast.Quantified():
                return self._quantified(node, scope)
            case ast.Filtered():
                return self._filtered(node, scope)
            case ast.SomeOf(count, of):
                return self._part(TAKE, count, of, scope, node.span)
            case ast.EndOf():
                return self._end_of(node, scope)
            case ast.AllOf(of):
                return self.listed(of, scope)
            case _:
                assert_never(node)

    def test(self, node: ast.Expr, scope: Scope) -> Term:
        """An expression that must be true or false."""
        return self.fit(node, scope, BOOL)

    def passed(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> Term:
        """An expression that this configuration never takes the value of."""
        self.context.passing += 1
        term = self.term(node, scope, expected)
        self.context.passing -= 1
        return self.fitted(term, expected, node.span) if expected == BOOL else term

    def listed(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> Term:
        """An expression that must be a list, a set or a place."""
        return self.as_list(self.term(node, scope, expected), node.span)

    def as_list(self, term: Term, span: Span) -> Term:
        """A term that must be a list, a set or a place."""
        found = self.context.maker.listed(term)
        if found is None:
            one = isinstance(present(term.type), Player | Token | Enum)
            fix = f"write `[{span.text}]`" if one else ""
            self.context.wrong(span, term.type, "a list, a set or a place", fix)
            return NONE
        return found

    def fit(self, node: ast.Expr, scope: Scope, slot: Type) -> Term:
        """An expression for a slot of a type, in the form the slot keeps."""
        if _is_none(node) and not isinstance(slot, Optional | Nothing) and element(slot) is None:
            fix = f"let it be `{slot} or none`"
            self.context.wrong(node.span, "`none`", described(slot), fix)
            return NONE
        term = self.term(node, scope, slot)
        return self.fitted(term, slot, node.span)

    def fitted(self, term: Term, slot: Type, span: Span) -> Term:
        """A term for a slot: reported if its type does not fit or no value of it ever does."""
        if not fits(term.type, slot):
            wanted = described(present(slot))
            self.context.wrong(span, term.type, wanted, suggestion(term, slot, span.text))
            return NONE
        made = self.context.maker.fitted(term, slot)
        if not possible(made.type, slot):
            found = described(present(made.type))
            self.context.add(NeverFits(found, str(present(slot)), span=span))
            return NONE
        return made

    def value(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> Value:
        """The value of an expression that must be known before play; `None` after an error."""
        term = self.term(node, scope, expected)
        if expected is not None:
            term = self.fitted(term, expected, node.span)
        if isinstance(term, Const):
            return term.value
        try:
            return evaluate(term, {}, self.context.maker.classes)
        except NotConstant:
            self.unknown_before_play(term, node.span)
        except Undefined as reason:
            self.context.add(NoValue(str(reason), span=node.span))
        return None

    def unknown_before_play(self, term: Term, span: Span) -> None:
        """Reports a term that is read before play and that play changes."""
        name = changing(term)
        reason = f"`{name}` changes" if name else "it reads what changes"
        self.context.add(NotKnownBeforePlay(f"{reason} during the game", span=span))

    def type(self, node: ast.TypeExpr, scope: Scope) -> Type:
        """The type an expression names; `none`'s after an error."""
        match node:
            case ast.OptionalType(inner):
                return Optional(self.type(inner, scope))
            case ast.SetType(inner):
                return SetOf(self.type(inner, scope))
            case ast.ListType(inner):
                return ListOf(self.type(inner, scope))
            case ast.Paren(inner):
                return self.type(inner, scope)
            case ast.Name(name):
                found = self._named_type(name)
                if found is not None:
                    return found
            case ast.Binary(left, op, right) if op.text == "..":
                return self.range_type(left, right, scope, node.span)
            case _:
                pass
        self.context.add(NotAType(self._type_meant(node), span=node.span))
        return Nothing()

    def range_type(self, left: ast.Expr, right: ast.Expr, scope: Scope, span: Span) -> Type:
        """The numbers between two that are known before play; `none`'s type after an error."""
        anything = Int(-LIMIT, LIMIT)
        low, high = (self.value(end, scope, anything) for end in (left, right))
        if not isinstance(low, int) or not isinstance(high, int):
            return Nothing()
        if low > high:
            self.context.add(EmptyRange(low, high, span=span))
            return Nothing()
        return Int(low, high)

    def _type_meant(self, node: ast.TypeExpr) -> str:
        """What to write for something that is not a type."""
        if isinstance(node, ast.Number):
            return f"write `1..{node.digits.text}`"
        if not isinstance(node, ast.Name):
            return ""
        if node.name.text in ("int", "integer", "number"):
            return "write a range: `0..99`"
        types = ast.EnumDecl | ast.TokenDecl | ast.KindDecl | ast.Ruling | ast.Gap | ast.Define
        known = [name for name, d in self.context.by_name.items() if isinstance(d, types)]
        near = nearest(node.name.text, [*known, "bool", "player", "square"])
        return f"did you mean `{near}`?" if near else ""

    def applied(self, op: Op, args: tuple[Term, ...], span: Span) -> Term:
        """An operator on arguments; reported if it does not take them, or never has a value."""
        if any(arg is NONE for arg in args):
            return NONE
        type_ = op.signature(tuple(arg.type for arg in args))
        if type_ is None or (op in ORDERING and not all(_has_order(arg.type) for arg in args)):
            self._wrong_operands(op, args, span)
            return NONE
        if op in (DIVIDE, MODULO) and args[1] == Const(0):
            self.context.add(NoValue(f"`{op.symbol}` by 0", span=span))
            return NONE
        return self.context.maker.apply(op, args, type_, span)

    def _wrong_operands(self, op: Op, args: tuple[Term, ...], span: Span) -> None:
        if any(isinstance(arg.type, Nothing) for arg in args):
            return
        said = tuple(described(arg.type) for arg in args)
        if op not in COMPARING:
            hints = [suggestion(arg, Int(0, 0), _text(arg)) for arg in args]
            hint = next(filter(None, hints), "") if op not in (UNION, MINUS) else ""
            symbol = "-" if op is NEGATE else op.symbol or op.name
            self.context.add(WrongOperands(symbol, said, hint, span=span))
            return
        meant = self._comparison_meant(op, *args)
        self.context.add(NotComparable(said[0], said[1], meant, span=span))

    def _comparison_meant(self, op: Op, left: Term, right: Term) -> str:
        """What to type instead of a comparison of things that cannot be compared."""
        inner = element(right.type)
        if op in ORDERING and fits(left.type, right.type):
            return "only numbers and members of an enum have an order"
        if op is IN:
            return ""
        if inner is not None and fits(left.type, inner):
            return f"write `{_text(left)} in {_text(right)}`"
        meant = suggestion(left, right.type, _text(left))
        return meant or suggestion(right, left.type, _text(right))

    def wrong(self, span: Span, found: Type, wanted: str, fix: str = "") -> None:
        """Reports a term of the wrong type, unless it comes from an error reported before."""
        self.context.wrong(span, found, wanted, fix)

    # ---- names

    def _name(self, name: ast.Word, scope: Scope, expected: Type | None) -> Term:
        found = scope.find(name.text)
        if found is not None:
            return found
        wanted = _enum_in(expected)
        if wanted is not None:
            member = self.context.member(name.text, wanted, name.span)
            if member is not None:
                return member
        denoted = denote(self.context, self, name.text)
        if denoted is None:
            return self._member(name, scope, wanted)
        match denoted:
            case ConstantName(term):
                return term
            case VariableName(variable):
                if variable.keys:
                    return self._family(variable.name, name.span)
                return self.context.maker.read(variable, (), variable.type, name.span)
            case PlaceName(places=places, type=type_, members=members):
                if members is None:
                    return Const(places[0].index, type=type_, span=name.span)
                ordered = type_.ordered if isinstance(type_, PlaceOf) else True
                inner = PlaceOf(denoted.token_class, ordered)
                return Const(tuple(p.index for p in places), type=ListOf(inner), span=name.span)
            case ClassName():
                return self.all_tokens(denoted, name.span)
            case EnumName(enum):
                everything = tuple(range(len(enum.members)))
                return Const(everything, type=ListOf(enum), span=name.span)
            case RangeName(_, term):
                return term
            case FunctionName(function):
                if function.params:
                    wanted_args = arguments(len(function.params))
                    self.context.add(WrongArguments(name.text, wanted_args, 0, span=name.span))
                    return NONE
                return self.context.maker.apply(function, (), function.type, name.span)
            case _:
                assert_never(denoted)

    def _family(self, name: str, span: Span) -> Term:
        """A family named without its key, as the list of its members."""
        from_denoted = denote(self.context, self, name)
        if not isinstance(from_denoted, VariableName):
            return NONE
        variable = from_denoted.variable
        if len(variable.keys) != 1:
            self.wrong(span, variable.type, f"one member of the family: `{name}[…]`")
            return NONE
        key_type = variable.key_types[0]
        reads = tuple(
            self.context.maker.read(variable, (Const(key, type=key_type),), variable.type, span)
            for key in variable.keys[0]
        )
        return self.context.maker.apply(LIST, reads, ListOf(variable.type), span)

    def _member(self, name: ast.Word, scope: Scope, wanted: Enum | None) -> Term:
        """A word that only an enum or ruling knows."""
        if name.text in self.context.by_name:
            if name.text in self.context.making:
                self.context.add(UsesItself(name.text, span=name.span))
            return NONE
        enums = self.context.members.get(name.text, [])
        if len(enums) == 1:
            return self.context.member(name.text, enums[0], name.span) or NONE
        if enums:
            names = tuple(enum.name for enum in enums)
            self.context.add(Ambiguous(name.text, names, span=name.span))
        elif name.text in {phase.name.text for phase in self.context.of(ast.PhaseDecl)}:
            self.context.wrong(name.span, "a phase", "a value", f"run it with `do {name}`")
        elif name.text == "holder":
            reason = "`holder` is the player of a place or variable `per player`"
            self.context.add(NoValue(reason, span=name.span))
        else:
            near = nearest(name.text, wanted.members) if wanted is not None else ""
            near = near or self.context.nearest(name.text, scope)
            self.context.add(UnknownName(name.text, near, span=name.span))
        return NONE

    def _code(self, code: ast.Word, expected: Type | None) -> Term:
        wanted = _enum_in(expected)
        if wanted is not None:
            member = self.context.member(code.text, wanted, code.span)
            if member is not None:
                return member
        seat = seat_of(code.text)
        if wanted is None and seat is not None and seat < self.context.seats:
            return Const(seat, type=self.context.player, span=code.span)
        self.context.add(UnknownCode(code.text, *self._codes(wanted), span=code.span))
        return NONE

    def _codes(self, wanted: Enum | None) -> tuple[str, str]:
        """What a code would have to name, and which there are."""
        if wanted is None:
            letters = tuple(chr(ord("A") + seat) for seat in range(self.context.seats))
            return "seat in this game", f"the seats are {', '.join(letters)}"
        codes = [code for code in wanted.codes if code]
        return wanted.name, f"write one of {', '.join(codes or wanted.members)}"

    def all_tokens(self, name: ClassName, span: Span) -> Term:
        """All tokens of a class or kind."""
        token = Token(name.token_class, name.name if name.kinds is not None else None)
        return self.context.maker.read(
            AllTokens(name.token_class, name.kinds), (), SetOf(token), span
        )

    def _named_type(self, name: ast.Word) -> Type | None:
        match name.text:
            case "bool":
                return BOOL
            case "player":
                return self.context.player
            case "square":
                return SQUARE
            case _:
                pass
        match denote(self.context, self, name.text):
            case EnumName(enum):
                return enum
            case ClassName(own, token_class, kinds):
                return Token(token_class, own if kinds is not None else None)
            case RangeName(type_, _):
                return type_
            case None if name.text in self.context.by_name:
                self._member(name, self.context.root(), None)
                return Nothing()
            case _:
                return None

    # ---- operators

    def _binary(self, node: ast.Binary, scope: Scope, expected: Type | None) -> Term:
        left = self.term(node.left, scope, expected)
        right = self.term(node.right, scope, left.type)
        maker = self.context.maker
        lists = [maker.listed(term) for term in (left, right)]
        if node.op.text in "+-" and lists[0] is not None and not isinstance(left.type, Nothing):
            other = lists[1] if lists[1] is not None else maker.just(right)
            op = UNION if node.op.text == "+" else MINUS
            return self._canonical(self.applied(op, (lists[0], other), node.span))
        op = ADD if node.op.text == "+" else BINARY[node.op.text]
        if op is RANGE and self._too_long(left, right, node.span):
            return NONE
        return self.applied(op, (left, right), node.span)

    def _too_long(self, left: Term, right: Term, span: Span) -> bool:
        """Whether a range is known to be longer than any list; then that is reported."""
        if not isinstance(left, Const) or not isinstance(right, Const):
            return False
        low, high = left.value, right.value
        if not isinstance(low, int) or not isinstance(high, int) or high - low < MOST_ELEMENTS:
            return False
        self.context.add(TooMany(high - low + 1, "numbers in a list", MOST_ELEMENTS, span=span))
        return True

    def _canonical(self, term: Term) -> Term:
        """A set of scalars in ascending order, whatever it was put together from."""
        inner = element(term.type)
        if not isinstance(term.type, SetOf) or inner is None or isinstance(present(inner), Token):
            return term
        return self.context.maker.apply(set_of(inner), (term,), term.type, term.span)

    def pair(self, left: ast.Expr, right: ast.Expr, scope: Scope) -> tuple[Term, Term]:
        """Two terms that are compared: each decides what an enum's word on the other side means."""
        if self._is_bare_word(left, scope) and not self._is_bare_word(right, scope):
            b = self.term(right, scope)
            return self.term(left, scope, b.type), b
        a = self.term(left, scope)
        return a, self.term(right, scope, a.type)

    def _is_bare_word(self, node: ast.Expr, scope: Scope) -> bool:
        if not isinstance(node, ast.Name | ast.Code):
            return False
        text = node.name.text if isinstance(node, ast.Name) else node.code.text
        return scope.find(text) is None and text not in self.context.by_name

    def _is(self, left: ast.Expr, right: ast.Expr, scope: Scope, span: Span) -> Term:
        a, b = self.pair(left, right, scope)
        maker = self.context.maker
        if (element(b.type) is not None or b is EMPTY) and maker.is_place(a.type):
            a = maker.tokens_in(a)
        if element(a.type) is not None and maker.is_place(b.type) and not maker.is_place(a.type):
            b = maker.tokens_in(b)
        as_sets = isinstance(present(a.type), SetOf) or isinstance(present(b.type), SetOf)
        return self.applied(SAME_MEMBERS if as_sets else IS, (a, b), span)

    def _in(self, left: ast.Expr, right: ast.Expr, scope: Scope, span: Span) -> Term:
        maker = self.context.maker
        a, b = self._member_of(left, right, scope)
        if isinstance(present(a.type), Token):
            kinds = self._kinds_named(right, scope)
            if kinds is not None:
                kind = maker.read(KindOf(kinds.token_class), (a,), Int(0, 4095), span)
                every = range(len(maker.classes[kinds.token_class].kinds))
                table = Const(kinds.kinds or tuple(every), type=ListOf(Int(0, 4095)))
                return maker.apply(IN, (kind, table), BOOL, span)
            if maker.is_place(b.type):
                place = maker.read(PlaceOfToken(), (a,), SQUARE, span)
                if isinstance(present(b.type), ListOf):
                    return maker.apply(IN, (place, b), BOOL, span)
                return maker.apply(IS, (place, b), BOOL, span)
        return self.applied(IN, (a, self.as_list(b, right.span)), span)

    def _member_of(self, left: ast.Expr, right: ast.Expr, scope: Scope) -> tuple[Term, Term]:
        if self._is_bare_word(left, scope):
            b = self.term(right, scope)
            return self.term(left, scope, element(b.type)), b
        a = self.term(left, scope)
        return a, self.term(right, scope, ListOf(a.type))

    def _kinds_named(self, node: ast.Expr, scope: Scope) -> ClassName | None:
        if not isinstance(node, ast.Name) or scope.find(node.name.text) is not None:
            return None
        found = denote(self.context, self, node.name.text)
        return found if isinstance(found, ClassName) else None

    def _list(
        self, node: ast.ListOf, items: tuple[ast.Expr, ...], scope: Scope, expected: Type | None
    ) -> Term:
        inner = element(expected) if expected is not None else None
        terms: list[Term] = []
        for item in items:
            known = inner if inner is not None else (terms[0].type if terms else None)
            terms.append(self.term(item, scope, known))
        type_ = LIST.signature(tuple(term.type for term in terms))
        if type_ is None:
            other = next(t for t in terms if LIST.signature((terms[0].type, t.type)) is None)
            span = items[terms.index(other)].span
            self.context.wrong(span, other.type, f"{kind_of(terms[0].type)} (like the first)")
            return NONE
        return self.context.maker.apply(LIST, tuple(terms), type_, node.span)

    def _if(self, node: ast.IfThen, scope: Scope, expected: Type | None) -> Term:
        maker = self.context.maker
        test = self.test(node.test, scope)
        lowered = [self.passed if test == no else self.term for no in (FALSE, TRUE)]
        then = lowered[0](node.then, scope, expected)
        otherwise = lowered[1](node.otherwise, scope, expected or then.type)
        type_ = join(then.type, otherwise.type)
        if type_ is None:
            a, b = maker.tokens(then), maker.tokens(otherwise)
            if a is not None and b is not None:
                then, otherwise = a, b
                type_ = join(then.type, otherwise.type)
        if type_ is None:
            wanted = f"{kind_of(then.type)} (as after `then`)"
            self.context.wrong(node.otherwise.span, otherwise.type, wanted)
            return NONE
        return maker.cond(test, then, otherwise, type_, node.span)

    # ---- folds and parts

    def bound(self, name: ast.Word, type_: Type, scope: Scope) -> tuple[Bound, Scope]:
        """A name for the members of a domain, and the scope that knows it."""
        inner = scope.inner()
        bound = scope.env.bound(name.text, type_)
        inner.names[name.text] = bound
        return bound, inner

    def members(self, node: ast.Expr, scope: Scope) -> tuple[Domain, Type]:
        """The members of a list, set, place, class or enum, and their type."""
        listed = self.listed(node, scope)
        inner = element(listed.type)
        return Domain(DomainMode.MEMBERS, listed), inner if inner is not None else Nothing()

    def _quantified(self, node: ast.Quantified, scope: Scope) -> Term:
        domain, type_ = self.members(node.domain, scope)
        bound, inner = self.bound(node.name, type_, scope)
        body = self.test(node.body, inner)
        maker = self.context.maker
        mode = FoldMode.EVERY if node.quantifier.text == "every" else FoldMode.SOME
        found = maker.fold(mode, bound, domain, None, body, BOOL, node.span)
        return maker.negated(found, node.span) if node.quantifier.text == "no" else found

    def _filtered(self, node: ast.Filtered, scope: Scope) -> Term:
        domain, type_ = self.members(node.domain, scope)
        bound, inner = self.bound(node.name, type_, scope)
        where = self.test(node.where, inner)
        ordered = isinstance(present(domain.members.type), SetOf)
        whole: Type = SetOf(type_) if ordered else ListOf(type_)
        return self.context.maker.fold(
            FoldMode.FILTER, bound, domain, where, None, whole, node.span
        )

    def _part(self, op: Op, count: ast.Expr, of: ast.Expr, scope: Scope, span: Span) -> Term:
        number = self.fit(count, scope, SIZE)
        return self.applied(op, (number, self.listed(of, scope)), span)

    def _end_of(self, node: ast.EndOf, scope: Scope) -> Term:
        at_top = node.end.text == "top"
        if node.count is not None:
            return self._part(TAKE if at_top else TAKE_LAST, node.count, node.of, scope, node.span)
        if isinstance(node.of, ast.Attr) and self._is_token_attribute(node.of, scope):
            self.wrong_end(node)
            return NONE
        listed = self.listed(node.of, scope)
        return self.applied(FIRST if at_top else LAST, (listed,), node.span)

    def _is_token_attribute(self, node: ast.Attr, scope: Scope) -> bool:
        return (
            self.context.maker.is_place(self.term(node.of, scope).type)
            and node.name.text != "place"
        )

    def wrong_end(self, node: ast.EndOf) -> None:
        """Reports `top of hand[p].rank`, which reads as the top of a rank."""
        of = node.of
        if isinstance(of, ast.Attr):
            meant = f"write `({node.end} of {of.of.span.text}).{of.name}`"
            self.context.wrong(node.span, "an attribute", "a place", meant)

    # ---- options

    def _can(self, option: ast.Word, scope: Scope) -> Term:
        """Whether some instance of a sibling option is legal."""
        sibling = scope.siblings.get(option.text)
        if sibling is None:
            near = nearest(option.text, scope.siblings)
            self.context.add(UnknownOption(option.text, near, span=option.span))
            return NONE
        if option.text in scope.asking:
            self.context.add(GuardCycle(option.text, span=option.span))
            return NONE
        inner = scope.inner()
        inner.asking = (*scope.asking, option.text)
        return self.legal(sibling, inner, option.span)

    def legal(self, option: ast.Option, scope: Scope, span: Span) -> Term:
        """Whether an option has legal slots: a nest of folds over them around its guards."""
        maker = self.context.maker
        layers: list[tuple[Bound, Domain, Term | None]] = []
        for slot in option.slots or ():
            bound, domain, where, scope = self.slot(slot.bind, scope)
            layers.append((bound, domain, where))
        body: Term = TRUE
        for line in reversed(option.lines or ()):
            if isinstance(line, ast.Guard):
                body = maker.both(self.guard(line, scope), body, line.span)
        for bound, domain, where in reversed(layers):
            body = maker.fold(FoldMode.SOME, bound, domain, where, body, BOOL, span)
        return body

    def guard(self, line: ast.Guard, scope: Scope) -> Term:
        """What a guard asks, `unless` negated."""
        test = self.test(line.test, scope)
        return test if line.how.text == "when" else self.context.maker.negated(test, line.test.span)

    def slot(self, bind: ast.Bind, scope: Scope) -> tuple[Bound, Domain, Term | None, Scope]:
        """A slot's name, domain and condition, and the scope behind it."""
        domain, type_ = self.domain(bind.domain, scope)
        bound, inner = self.bound(bind.name, type_, scope)
        where = self.test(bind.where, inner) if bind.where is not None else None
        if isinstance(where, Const) and where.value:
            where = None
        return bound, domain, where, inner

    def domain(self, node: ast.Expr | ast.Subsets, scope: Scope) -> tuple[Domain, Type]:
        """What a choice ranges over, and the type of one choice."""
        while isinstance(node, ast.Paren):
            node = node.inner
        match node:
            case ast.Subsets(quantity, of):
                listed = self.listed(of, scope)
                low = 1 if quantity.text == "some" else 0
                least = Const(low, type=Int(low, low))
                return Domain(DomainMode.SUBSETS, listed, least, None), _set_of(listed)
            case ast.SomeOf(count, of):
                listed = self.listed(of, scope)
                low_term, high_term = self._sizes(count, scope)
                return Domain(DomainMode.SUBSETS, listed, low_term, high_term), _set_of(listed)
            case ast.Call(name, args) if name.text == "orders" and len(args) == 1:
                listed = self.listed(args[0], scope)
                inner = element(listed.type) or Nothing()
                return Domain(DomainMode.ORDERS, listed), ListOf(inner)
            case _:
                return self.members(node, scope)

    def _sizes(self, count: ast.Expr, scope: Scope) -> tuple[Term, Term]:
        while isinstance(count, ast.Paren):
            count = count.inner
        if isinstance(count, ast.Binary) and count.op.text == "..":
            least, most = (self.fit(end, scope, SIZE) for end in (count.left, count.right))
            return least, most
        size = self.fit(count, scope, SIZE)
        return size, size


def _set_of(listed: Term) -> Type:
    return SetOf(element(listed.type) or Nothing())


def _enum_in(expected: Type | None) -> Enum | None:
    """The enum that an expected type asks for, if it does."""
    while expected is not None and not isinstance(expected, Enum):
        if isinstance(expected, Optional):
            expected = expected.some
            continue
        expected = element(expected)
    return expected


def _has_order(type_: Type) -> bool:
    return isinstance(present(type_), Int | Enum | Nothing)


def _text(term: Term) -> str:
    """A term as it is written, if it is."""
    if isinstance(term, Bound):
        return term.name
    return term.span.text if term.span is not None else ""


def _is_none(node: ast.Expr) -> bool:
    while isinstance(node, ast.Paren):
        node = node.inner
    return isinstance(node, ast.NoneLiteral)


def seat_of(code: str) -> int | None:
    """The seat a code names: `A`, `B`, …, or `P1`, `P2`, …; `None` for anything else."""
    if len(code) == 1 and "A" <= code <= "Z":
        return ord(code) - ord("A")
    if code[0] == "P" and code[1:].isdigit() and int(code[1:]) > 0:
        return int(code[1:]) - 1
    return None
