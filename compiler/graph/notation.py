"""Terms in the language's own notation, with enough brackets and no more.

What the compiler has made of a rule is put back into the words a rule would use: `and`, `or`,
`not in`, `top of`, aggregates, `x in hand[A]`.  For authors of specs: messages, failing scenarios,
graphs as text.  What players read is in `words`.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import assert_never

from attrs import field, frozen

from compiler.graph.core import (
    AllTokens,
    Apply,
    Attribute,
    Bound,
    Cond,
    Const,
    Contents,
    Domain,
    DomainMode,
    FaceUp,
    FlagOf,
    Fold,
    FoldMode,
    Function,
    Graph,
    HolderOf,
    KindOf,
    PlaceOfToken,
    PositionOf,
    Read,
    Term,
    Variable,
)
from compiler.graph.values import ValueWords
from compiler.ops.lists import (
    ARRANGE,
    AS_SET,
    CONSECUTIVE,
    COUNT,
    DISTINCT,
    FIRST,
    IN,
    IS,
    ITEM,
    JUST,
    LAST,
    LEAST,
    LINKED,
    LIST,
    MAX,
    MIN,
    MINUS,
    MOST,
    RANGE,
    SAME,
    SAME_MEMBERS,
    SUM,
    TAKE,
    TAKE_LAST,
    UNION,
    UNORDERED,
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
    NOT,
    SUBTRACT,
)
from compiler.ops.row import Lookup, Op
from compiler.types import ListOf, Player, present


class Bind(IntEnum):
    """How tightly the outermost form of a text holds together."""

    OR = 1
    AND = 2
    NOT = 3
    COMPARISON = 4
    PICK = 5
    RANGE = 6
    SUM = 7
    PRODUCT = 8
    UNARY = 9
    POSTFIX = 10


@frozen
class Worded:
    """Words, how tightly they bind, and whether their last part reaches as far right as it can."""

    words: str
    bind: Bind = Bind.POSTFIX
    is_open: bool = False

    def within(self, least: Bind, *, last: bool = False) -> str:
        """The words as an operand: in brackets if they fall apart or swallow what follows."""
        if self.bind < least or (self.is_open and not last):
            return f"({self.words})"
        return self.words


_BETWEEN: dict[Op, Bind] = {
    ADD: Bind.SUM,
    SUBTRACT: Bind.SUM,
    UNION: Bind.SUM,
    MINUS: Bind.SUM,
    MULTIPLY: Bind.PRODUCT,
    DIVIDE: Bind.PRODUCT,
    MODULO: Bind.PRODUCT,
    IS: Bind.COMPARISON,
    SAME_MEMBERS: Bind.COMPARISON,
    IN: Bind.COMPARISON,
    LESS: Bind.COMPARISON,
    AT_MOST: Bind.COMPARISON,
    MORE: Bind.COMPARISON,
    AT_LEAST: Bind.COMPARISON,
}
"""Operators written between their arguments."""

_OVER = (COUNT, SUM, MIN, MAX, SAME, DISTINCT, CONSECUTIVE, FIRST, LAST)
"""Operators on one list that are written `sum(e for x in S where P)`."""

_BY_KEY = (ARRANGE, MOST, LEAST)
_UNSEEN = (JUST, AS_SET, UNORDERED)
"""What the compiler puts in to make a list or set of something; nobody writes it."""


def term_text(term: Term, graph: Graph | None = None) -> str:
    """A term as a rulebook would write it; places and kinds are named if the graph is given."""
    return Notation(graph).text(term)


def domain_text(domain: Domain, graph: Graph | None = None) -> str:
    """What a choice ranges over: `hand[A]`, `2 of shown`, `orders(top 3 of deck)`."""
    return Notation(graph).domain(domain)


@frozen
class Notation:
    """Writes terms with what is known of the graph; `names` replaces those of variables."""

    graph: Graph | None = None
    names: Mapping[Variable, str] = field(factory=dict)

    def text(self, term: Term) -> str:
        """A term in words."""
        return self._term(term).words

    def tokens(self, term: Term) -> str:
        """A term that gives tokens, as a step names them: `all of deck`."""
        match term:
            case Read(Contents(), (place,)):
                return f"all of {self._at(place, Bind.RANGE)}"
            case Read(AllTokens()):
                return f"all of {self.text(term)}"
            case _:
                return self.text(term)

    def domain(self, domain: Domain) -> str:
        """What a bound name ranges over."""
        match domain.mode:
            case DomainMode.MEMBERS:
                return self._at(domain.members, Bind.PICK)
            case DomainMode.ORDERS:
                return f"orders({self.text(domain.members)})"
            case DomainMode.SUBSETS:
                return f"{self._sizes(domain)} of {self._at(domain.members, Bind.RANGE)}"
            case _:
                assert_never(domain.mode)

    def _sizes(self, domain: Domain) -> str:
        low, high = domain.low, domain.high
        least = low.value if isinstance(low, Const) else None
        if high is None and least in (0, 1):
            return "some" if least else "any"
        if high is None or low is None or low == high:
            wanted = high if high is not None else low
            return "any" if wanted is None else self._at(wanted, Bind.RANGE)
        return f"{self._at(low, Bind.SUM)}..{self._at(high, Bind.SUM)}"

    def _at(self, term: Term, least: Bind, *, last: bool = False) -> str:
        return self._term(term).within(least, last=last)

    def _listed(self, terms: tuple[Term, ...]) -> str:
        return ", ".join(self.text(term) for term in terms)

    # ---- forms

    def _term(self, term: Term) -> Worded:
        match term:
            case Const():
                return self._const(term)
            case Bound(name):
                return Worded(name)
            case Read():
                return self._read(term)
            case Apply(op, args):
                return self._called(op, args) if isinstance(op, Function) else self._apply(op, args)
            case Cond():
                return self._cond(term)
            case Fold():
                return self._fold(term)
            case _:
                assert_never(term)

    def _called(self, function: Function, args: tuple[Term, ...]) -> Worded:
        return Worded(function.name + (f"({self._listed(args)})" if args else ""))

    def _const(self, term: Const) -> Worded:
        words = ValueWords(self.graph).text(term.value, term.type)
        if words.startswith("-") and ".." not in words:
            return Worded(words, Bind.UNARY)
        return Worded(words, Bind.RANGE if ".." in words and words[0] != "[" else Bind.POSTFIX)

    def _read(self, term: Read) -> Worded:
        args = term.args
        match term.source:
            case Variable(name) as variable:
                called = self.names.get(variable, name)
                return Worded(called + (f"[{self._listed(args)}]" if args else ""))
            case Contents():
                return self._term(args[0])
            case AllTokens(token_class, kinds):
                return Worded(self._kinds(token_class, kinds))
            case Attribute(name=name) | FlagOf(name):
                return self._dotted(args[0], name)
            case KindOf():
                return self._dotted(args[0], "kind")
            case PlaceOfToken():
                return self._dotted(args[0], "place")
            case HolderOf():
                return self._dotted(args[0], "holder")
            case PositionOf():
                return self._dotted(args[0], "position")
            case FaceUp():
                return self._dotted(args[0], "face_up")
            case _:
                assert_never(term.source)

    def _dotted(self, of: Term, name: str) -> Worded:
        return Worded(f"{self._at(of, Bind.POSTFIX)}.{name}")

    def _kinds(self, token_class: str, kinds: tuple[int, ...] | None) -> str:
        """The name of a class or of a part of it."""
        if kinds is None or self.graph is None:
            return token_class
        declared = self.graph.token_class(token_class)
        if kinds == tuple(range(len(declared.kinds))):
            return token_class
        for name, part in declared.named_kinds:
            if part == kinds:
                return name
        return f"[{', '.join(declared.kinds[kind].word for kind in kinds)}]"

    def _cond(self, term: Cond) -> Worded:
        word = _joins(term)
        if word is not None:
            return self._joined(term, word, Bind.AND if word == "and" else Bind.OR)
        then, otherwise = self.text(term.then), self.text(term.otherwise)
        words = f"if {self.text(term.test)} then {then} else {otherwise}"
        return Worded(words, Bind.NOT, is_open=True)

    def _joined(self, term: Cond, word: str, bind: Bind) -> Worded:
        """A chain of `and` or of `or`: brackets part what would swallow the rest of it."""
        *firsts, last = self._chain(term, word)
        ending = self._term(last)
        words = [self._at(part, Bind(bind + 1)) for part in firsts]
        words.append(ending.within(Bind(bind + 1), last=True))
        return Worded(f" {word} ".join(words), bind, ending.is_open)

    def _chain(self, term: Term, word: str) -> list[Term]:
        if isinstance(term, Cond) and _joins(term) == word:
            other = term.then if word == "and" else term.otherwise
            return [*self._chain(term.test, word), *self._chain(other, word)]
        return [term]

    def _fold(self, term: Fold) -> Worded:
        name, domain = term.bound.name, self.domain(term.domain)
        where = "" if term.where is None else f" where {self.text(term.where)}"
        body = "" if term.body is None else self.text(term.body)
        match term.mode:
            case FoldMode.SOME | FoldMode.EVERY:
                words = f"{term.mode.value} {name} in {domain}{where}: {body}"
                return Worded(words, Bind.NOT, is_open=True)
            case FoldMode.FILTER:
                if not where:
                    return self._term(term.domain.members)
                return Worded(f"all {name} in {domain}{where}", Bind.NOT, is_open=True)
            case FoldMode.MAP:
                return Worded(f"[{body} for {name} in {domain}{where}]")
            case _:
                assert_never(term.mode)

    # ---- operators

    def _apply(self, op: Op, args: tuple[Term, ...]) -> Worded:
        if isinstance(op, Lookup):
            return self._lookup(op, args)
        if op is NOT:
            return self._not(args[0])
        if op in (IS, SAME_MEMBERS, IN):
            return self._compared(op, args, negated=False)
        if op in _BETWEEN:
            return self._between(op, args)
        if op in _OVER or op in _BY_KEY:
            return self._aggregate(op, args)
        if op in (TAKE, TAKE_LAST):
            return self._part(op, args)
        if op in _UNSEEN:
            return self._term(args[0])
        match args:
            case (only,) if op is NEGATE:
                return Worded(f"-{self._at(only, Bind.UNARY)}", Bind.UNARY)
            case (low, high) if op is RANGE:
                words = f"{self._at(low, Bind.SUM)}..{self._at(high, Bind.SUM)}"
                return Worded(words, Bind.RANGE)
            case (of, position) if op is ITEM:
                return Worded(f"{self._at(of, Bind.POSTFIX)}[{self.text(position)}]")
            case _ if op is LIST:
                return Worded(f"[{self._listed(args)}]" if args else "empty")
            case _ if op is LINKED:
                return Worded(f"linked({self._listed(args[:2])})")
            case _:
                return Worded(f"{op.name}({self._listed(args)})")

    def _lookup(self, op: Lookup, args: tuple[Term, ...]) -> Worded:
        if op.symbol == "[]":
            return Worded(f"{op.name}[{self._listed(args)}]")
        if op.symbol == ".":
            return self._dotted(args[0], op.name)
        name, _, board = op.name.partition(" of ")
        return Worded(f"{name}({', '.join(filter(None, (board, self._listed(args))))})")

    def _not(self, inner: Term) -> Worded:
        match inner:
            case Apply(Op() as op, args) if op in (IS, SAME_MEMBERS, IN):
                return self._compared(op, args, negated=True)
            case Fold(FoldMode.SOME):
                some = self._fold(inner)
                return Worded(f"no{some.words.removeprefix('some')}", Bind.NOT, is_open=True)
            case _:
                text = self._term(inner)
                return Worded(f"not {text.within(Bind.NOT, last=True)}", Bind.NOT, text.is_open)

    def _compared(self, op: Op, args: tuple[Term, ...], *, negated: bool) -> Worded:
        """`is`, `in` and their contraries; a place compared with a token's reads `x in hand`."""
        left, right = args
        inside = op is IN
        match left:
            case Read(PlaceOfToken(), (token,)):
                left, inside = token, True
            case Read(KindOf(token_class), (token,)) if isinstance(right, Const) and inside:
                kinds = tuple(kind for kind in _tuple(right) if isinstance(kind, int))
                words = "not in" if negated else "in"
                named = self._kinds(token_class, kinds)
                return Worded(f"{self._at(token, Bind.PICK)} {words} {named}", Bind.COMPARISON)
            case _:
                pass
        word = ("not in" if negated else "in") if inside else ("is not" if negated else "is")
        words = f"{self._at(left, Bind.PICK)} {word} {self._at(right, Bind.PICK)}"
        return Worded(words, Bind.COMPARISON)

    def _between(self, op: Op, args: tuple[Term, ...]) -> Worded:
        left, right = args
        bind = _BETWEEN[op]
        if op is ADD and isinstance(present(left.type), Player):
            return self._dotted(left, "seat")
        if bind is Bind.COMPARISON:
            first, second = self._at(left, Bind.PICK), self._at(right, Bind.PICK)
        else:
            first, second = self._at(left, bind), self._at(right, Bind(bind + 1))
        return Worded(f"{first} {op.symbol} {second}", bind)

    def _aggregate(self, op: Op, args: tuple[Term, ...]) -> Worded:
        of = args[-1]
        match of:
            case Fold(FoldMode.MAP | FoldMode.FILTER as mode, bound, domain, where, body):
                each = bound if mode is FoldMode.FILTER or body is None else body
                if where is not None or mode is FoldMode.MAP:
                    kept = "" if where is None else f" where {self.text(where)}"
                    words = f"{self.text(each)} for {bound.name} in {self.domain(domain)}{kept}"
                    return Worded(f"{op.name}({words})")
            case Read(Contents(), (place,)) if op in (FIRST, LAST) and _ordered(of):
                end = "top" if op is FIRST else "bottom"
                return Worded(f"{end} of {self._at(place, Bind.RANGE)}", Bind.PICK)
            case _:
                pass
        return Worded(f"{op.name}({self._listed(args)})")

    def _part(self, op: Op, args: tuple[Term, ...]) -> Worded:
        """`top 2 of deck`, `bottom 2 of deck`, `2 of hand[A]`."""
        number, of = args
        words = f"{self._at(number, Bind.RANGE)} of {self._at(of, Bind.RANGE)}"
        if op is TAKE_LAST:
            return Worded(f"bottom {words}", Bind.PICK)
        return Worded(f"top {words}" if _ordered(of) else words, Bind.PICK)


def _joins(term: Cond) -> str | None:
    """`and` or `or`, if that is what a conditional was made of."""
    if isinstance(term.otherwise, Const) and term.otherwise.value is False:
        return "and"
    if isinstance(term.then, Const) and term.then.value is True:
        return "or"
    return None


def _ordered(term: Term) -> bool:
    """Whether a term is what lies in a place with an order."""
    match term:
        case Read(Contents()):
            return isinstance(present(term.type), ListOf)
        case _:
            return False


def _tuple(term: Const) -> tuple[object, ...]:
    return term.value if isinstance(term.value, tuple) else ()
