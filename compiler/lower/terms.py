"""Expressions to terms, with their types and bounds.

One case per form of the syntax.  What a name means comes from `denote.py`; calls, attributes and
indexes have modules of their own.  After an error the term is `none`, which fits everywhere, so
that one mistake is reported once.
"""

from typing import assert_never

from attrs import define

from compiler.graph.core import (
    Bound,
    Const,
    Domain,
    FoldMode,
    KindOf,
    PlaceOfToken,
    Term,
    Value,
)
from compiler.graph.evaluate import Environment, NotConstant, evaluate
from compiler.lower.calls import aggregate, call
from compiler.lower.context import Context
from compiler.lower.denote import denote
from compiler.lower.domains import SIZE, domain, members
from compiler.lower.english import (
    as_list_of,
    as_several,
    is_bare_word,
    of_player,
    wrong_count,
)
from compiler.lower.errors import (
    NeverFits,
    NotKnownBeforePlay,
    NoValue,
    UnknownOption,
)
from compiler.lower.make import EMPTY, FALSE, NONE, TRUE
from compiler.lower.names import coded, named
from compiler.lower.operators import applied, never_fits
from compiler.lower.phrases import as_range, changing, described, kind_of, suggestion
from compiler.lower.reads import attribute, index
from compiler.lower.scope import ClassName, Scope
from compiler.lower.type_names import range_type, type_named
from compiler.ops.lists import (
    FIRST,
    IN,
    IS,
    LAST,
    LIST,
    MINUS,
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
    Player,
    SetOf,
    Token,
    Type,
    element,
    fits,
    join,
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
                return named(self.context, self, name, scope, expected)
            case ast.Code(code):
                return coded(self.context, code, expected)
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
            case ast.Attr(of):
                return attribute(self.context, self.term(of, scope), node)
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
            case ast.Or() | ast.And() if (meant := as_several(node, expected)) is not None:
                self.context.wrong(node.span, "a test", described(present(expected or BOOL)), meant)
                return NONE
            case ast.Or() if (meant := as_list_of(self.context, node, scope)) is not None:
                self.context.wrong(node.span, "a value behind `or`", "a test", meant)
                return NONE
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
            fix = f"write `[{span.text}]`" if one else as_range(span.text, term.type)
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
        outside = never_fits(made, slot)
        if outside is not None:
            self.context.add(NeverFits(*outside, span=span))
            return NONE
        return made

    def value(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> Value:
        """The value of an expression that must be known before play; `None` after an error."""
        term = self.term(node, scope, expected)
        if expected is not None:
            term = self.fitted(term, expected, node.span)
        return term.value if isinstance(term, Const) else self.known(term, {}, node.span)

    def known(self, term: Term, bound: Environment, span: Span) -> Value:
        """The value of a term that must be known before play; `None` after an error."""
        try:
            return evaluate(term, bound, self.context.maker.classes)
        except NotConstant:
            self.unknown_before_play(term, span)
        except Undefined as reason:
            self.context.add(NoValue(str(reason), span=span))
        return None

    def unknown_before_play(self, term: Term, span: Span) -> None:
        """Reports a term that is read before play and that play changes."""
        name = changing(term)
        reason = f"`{name}` changes" if name else "it reads what changes"
        self.context.add(NotKnownBeforePlay(f"{reason} during the game", span=span))

    def type(self, node: ast.TypeExpr, scope: Scope) -> Type:
        """The type an expression names; `none`'s after an error."""
        return type_named(self.context, self, node, scope)

    def range_type(self, left: ast.Expr, right: ast.Expr, span: Span) -> Type:
        """The numbers between two that are known before play; `none`'s type after an error."""
        return range_type(self.context, self, left, right, span)

    def applied(self, op: Op, args: tuple[Term, ...], span: Span) -> Term:
        """An operator on arguments; reported if it does not take them, or never has a value."""
        return applied(self.context, op, args, span)

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
        return self.applied(op, (left, right), node.span)

    def _canonical(self, term: Term) -> Term:
        """A set of scalars in ascending order, whatever it was put together from."""
        inner = element(term.type)
        if not isinstance(term.type, SetOf) or inner is None or isinstance(present(inner), Token):
            return term
        return self.context.maker.apply(set_of(inner), (term,), term.type, term.span)

    def pair(self, left: ast.Expr, right: ast.Expr, scope: Scope) -> tuple[Term, Term]:
        """Two terms that are compared: each decides what an enum's word on the other side means."""
        if is_bare_word(self.context, left, scope) and not is_bare_word(self.context, right, scope):
            b = self.term(right, scope)
            return self.term(left, scope, b.type), b
        a = self.term(left, scope)
        return a, self.term(right, scope, a.type)

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
        if is_bare_word(self.context, left, scope):
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

    def domain(self, node: ast.Expr | ast.Subsets, scope: Scope) -> tuple[Domain, Type]:
        """What a choice ranges over, and the type of one choice."""
        return domain(self, node, scope)

    def _quantified(self, node: ast.Quantified, scope: Scope) -> Term:
        over, type_ = members(self, node.domain, scope)
        bound, inner = self.bound(node.name, type_, scope)
        body = self.test(node.body, inner)
        maker = self.context.maker
        mode = FoldMode.EVERY if node.quantifier.text == "every" else FoldMode.SOME
        found = maker.fold(mode, bound, over, None, body, BOOL, node.span)
        return maker.negated(found, node.span) if node.quantifier.text == "no" else found

    def _filtered(self, node: ast.Filtered, scope: Scope) -> Term:
        over, type_ = members(self, node.domain, scope)
        bound, inner = self.bound(node.name, type_, scope)
        where = self.test(node.where, inner)
        ordered = isinstance(present(over.members.type), SetOf)
        whole: Type = SetOf(type_) if ordered else ListOf(type_)
        return self.context.maker.fold(FoldMode.FILTER, bound, over, where, None, whole, node.span)

    def _part(self, op: Op, count: ast.Expr, of: ast.Expr, scope: Scope, span: Span) -> Term:
        if wrong_count(self.context, self, count, of):
            return NONE
        number, held = self.fit(count, scope, SIZE), self.term(of, scope)
        if isinstance(present(held.type), Player):
            fix = of_player(self.context, count.span.text, of.span.text)
            self.context.wrong(of.span, held.type, "a place or a list", fix)
            return NONE
        return self.applied(op, (number, self.as_list(held, of.span)), span)

    def _end_of(self, node: ast.EndOf, scope: Scope) -> Term:
        at_top = node.end.text == "top"
        if node.count is not None:
            return self._part(TAKE if at_top else TAKE_LAST, node.count, node.of, scope, node.span)
        if isinstance(node.of, ast.Attr):
            whose = self.term(node.of.of, scope)
            if self.context.maker.is_place(whose.type) and node.of.name.text != "place":
                self.wrong_end(node)
                return NONE
            listed = self.as_list(attribute(self.context, whose, node.of), node.of.span)
        else:
            listed = self.listed(node.of, scope)
        return self.applied(FIRST if at_top else LAST, (listed,), node.span)

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
            fix = f"did you mean `{near}`?" if near else ""
            self.context.add(UnknownOption("decision", option.text, fix, span=option.span))
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


def _is_none(node: ast.Expr) -> bool:
    while isinstance(node, ast.Paren):
        node = node.inner
    return isinstance(node, ast.NoneLiteral)
