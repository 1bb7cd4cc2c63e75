"""Makes terms: folds what is known, fits lists to sets and places to their tokens.

Everything here takes and gives core terms; names and syntax are unknown.
"""

from compiler.graph.core import (
    Apply,
    Bound,
    Cond,
    Const,
    Contents,
    Domain,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    Read,
    Source,
    Term,
    TokenClass,
)
from compiler.graph.evaluate import NotConstant, evaluate
from compiler.ops.lists import FIRST, JUST, set_of
from compiler.ops.numbers import NOT
from compiler.ops.row import Op, Undefined
from compiler.source import Span
from compiler.types import (
    BOOL,
    NOTHING,
    ListOf,
    PlaceOf,
    SetOf,
    Square,
    Token,
    Type,
    element,
    present,
)

TRUE = Const(True, type=BOOL)
FALSE = Const(False, type=BOOL)
NONE = Const(None, type=NOTHING)
EMPTY = Const((), type=ListOf(NOTHING))


class Maker:
    """Builds folded terms; `board_class` is what the squares hold."""

    def __init__(self, classes: dict[str, TokenClass], board_class: str | None = None) -> None:
        self.classes = classes
        self.board_class = board_class

    def folded(self, term: Term) -> Term:
        """The term, or its value if it reads nothing."""
        if isinstance(term, Const | Bound | Read):
            return term
        try:
            value = evaluate(term, {}, self.classes)
        except (NotConstant, Undefined):
            return term
        return Const(value, type=term.type, span=term.span)

    def apply(
        self, op: Op | Function, args: tuple[Term, ...], type_: Type, span: Span | None
    ) -> Term:
        """An operator applied."""
        term = Apply(op, args, type=type_, span=span)
        constant = all(isinstance(arg, Const) for arg in args)
        return self.folded(term) if constant else term

    def read(self, source: Source, args: tuple[Term, ...], type_: Type, span: Span | None) -> Term:
        """Something read."""
        return Read(source, args, type=type_, span=span)

    def cond(self, test: Term, then: Term, otherwise: Term, type_: Type, span: Span | None) -> Term:
        """A conditional; a test that is known leaves one branch."""
        if isinstance(test, Const):
            return then if test.value else otherwise
        return Cond(test, then, otherwise, type=type_, span=span)

    def both(self, a: Term, b: Term, span: Span | None) -> Term:
        """`a and b`; terms have no effects, so a side that is known decides or drops out."""
        if isinstance(b, Const):
            return a if b.value else FALSE
        return self.cond(a, b, FALSE, BOOL, span)

    def either(self, a: Term, b: Term, span: Span | None) -> Term:
        """`a or b`."""
        if isinstance(b, Const):
            return TRUE if b.value else a
        return self.cond(a, TRUE, b, BOOL, span)

    def negated(self, a: Term, span: Span | None) -> Term:
        """`not a`."""
        if isinstance(a, Apply) and a.op is NOT:
            return a.args[0]
        return self.apply(NOT, (a,), BOOL, span)

    def fold(
        self,
        mode: FoldMode,
        bound: Bound,
        domain: Domain,
        where: Term | None,
        body: Term | None,
        type_: Type,
        span: Span | None,
    ) -> Term:
        """A quantifier, filter or map."""
        if isinstance(where, Const) and where.value:
            where = None
        if where is None and mode is FoldMode.FILTER and domain.mode is DomainMode.MEMBERS:
            return domain.members
        term = Fold(mode, bound, domain, where, body, type=type_, span=span)
        if not isinstance(domain.members, Const):
            return term
        return self.folded(term)

    # ---- fitting

    def is_place(self, type_: Type) -> bool:
        """Whether a term of the type is a place, a square, or a family of places."""
        type_ = present(type_)
        return isinstance(type_, PlaceOf | Square) or (
            isinstance(type_, ListOf) and isinstance(type_.element, PlaceOf)
        )

    def tokens_in(self, place: Term) -> Term:
        """The tokens of a place or family, as a list (or set, where the places have no order)."""
        inner = present(place.type)
        if isinstance(inner, ListOf):
            inner = inner.element
        if isinstance(inner, Square):
            token: Type = Token(self.board_class) if self.board_class else NOTHING
            return self.read(Contents(), (place,), ListOf(token), place.span)
        if not isinstance(inner, PlaceOf):
            return place
        token = Token(inner.token_class)
        type_: Type = ListOf(token) if inner.ordered else SetOf(token)
        return self.read(Contents(), (place,), type_, place.span)

    def listed(self, term: Term) -> Term | None:
        """The term as a list or set: a place gives its tokens, one token gives a list of it."""
        if self.is_place(term.type):
            return self.tokens_in(term)
        if element(term.type) is not None or present(term.type) == NOTHING:
            return term
        return None

    def tokens(self, term: Term) -> Term | None:
        """The term as a list of tokens, for a step that takes one or many."""
        listed = self.listed(term)
        if listed is not None:
            return listed
        if isinstance(present(term.type), Token):
            return self.just(term)
        return None

    def just(self, term: Term) -> Term:
        """The list of one thing, empty for `none`."""
        return self.apply(JUST, (term,), ListOf(present(term.type)), term.span)

    def first(self, term: Term, type_: Type, span: Span | None) -> Term:
        """The first of a list, or `none`."""
        return self.apply(FIRST, (term,), type_, span)

    def fitted(self, term: Term, slot: Type) -> Term:
        """The term in the form a slot of that type keeps: sets in canonical order."""
        wanted = present(slot)
        holds_tokens = isinstance(wanted, SetOf | ListOf) and not isinstance(
            wanted.element, PlaceOf | Square
        )
        if holds_tokens and self.is_place(term.type):
            term = self.tokens_in(term)
        if isinstance(wanted, SetOf) and not isinstance(present(term.type), SetOf):
            return self.apply(set_of(wanted.element), (term,), wanted, term.span)
        return term
