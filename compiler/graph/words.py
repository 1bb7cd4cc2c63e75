"""Terms in plain English, for people who know the game and not the language.

No bracket, dot or underscore of a spec is left: `hand[p]` is "p's hand", `suit_of(a)` "suit of a",
`earns_bonus(s)` "s earns bonus", `max([a, b])` "the larger of a and b".  These are the words of
charts, of `why`, of play and its logs.  What is written for a spec (a failing scenario, a message
to its author, a graph as text) is in its own language: that is `notation`.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, assert_never

from attrs import frozen

from compiler.graph.core import (
    AllTokens,
    Apply,
    Attribute,
    Bound,
    Choose,
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
    Value,
    Variable,
)
from compiler.graph.naming import (
    PlainValues,
    agreeing,
    denied,
    is_verb,
    listed,
    one_of_kind,
    spoken,
)
from compiler.graph.notation import Bind, Notation, Worded
from compiler.graph.settled import settled, unchanging
from compiler.ops.lists import (
    AFTER,
    ARRANGE,
    CONSECUTIVE,
    COUNT,
    DISTINCT,
    FIRST,
    IN,
    IS,
    ITEM,
    LAST,
    LEAST,
    LINKED,
    LIST,
    MAX,
    MIN,
    MINUS,
    MOST,
    RANGE,
    REST,
    SAME,
    SUM,
    UNION,
)
from compiler.ops.numbers import ABS, AT_LEAST, AT_MOST, DIVIDE, LESS, MORE, MULTIPLY
from compiler.ops.row import Lookup, Op
from compiler.types import Bool, ListOf, Player, SetOf, Type, present

_BETWEEN: Final[dict[Op, str]] = {
    UNION: "and",
    MINUS: "without",
    LESS: "is less than",
    AT_MOST: "is at most",
    MORE: "is more than",
    AT_LEAST: "is at least",
    MULTIPLY: "x",
    DIVIDE: "/",
}
"""Operators between their arguments that have words, or other signs, in English."""

_OF_LIST: Final[dict[Op, str]] = {
    COUNT: "the number of",
    SUM: "the sum of",
    MAX: "the largest of",
    MIN: "the smallest of",
    FIRST: "the first of",
    LAST: "the last of",
    DISTINCT: "the different ones of",
}
_HELD: Final[dict[Op | Function, str]] = {
    LESS: "there are fewer than {}",
    AT_MOST: "there are at most {}",
    MORE: "there are more than {}",
    AT_LEAST: "there are at least {}",
}
"""What is said of how much lies somewhere."""

_OF_TWO: Final[dict[Op, str]] = {MAX: "the larger of", MIN: "the smaller of"}
_STATED: Final[dict[Op, str]] = {SAME: "all alike", CONSECUTIVE: "in a row"}

PRELUDE: Final = {
    "next": "the player after {}",
    "seats_from": "the players from {} on",
    "others": "the players other than {}",
    "is_straight": "{} is straight",
}
"""What the prelude's own functions are called."""

_TRAILING: Final = ("as", "by", "for", "from", "in", "of", "on", "to", "with")
"""Words at the end of a function's name after which its argument can follow."""
_BINDS: Final[dict[Op, Bind]] = {
    MULTIPLY: Bind.PRODUCT,
    DIVIDE: Bind.PRODUCT,
    UNION: Bind.SUM,
    MINUS: Bind.SUM,
}


@frozen
class PlainWords(Notation):
    """Writes terms for people."""

    @property
    def known(self) -> frozenset[Variable]:
        """The variables that never change, which need no words."""
        return frozenset() if self.graph is None else unchanging(self.graph)

    def operand(self, term: Term) -> str:
        """A term that other words follow: in brackets if it would swallow them."""
        return self._at(term, Bind.SUM)

    # ---- names

    def _const(self, term: Const) -> Worded:
        words = PlainValues(self.graph).text(term.value, term.type)
        return Worded(words, Bind.SUM if " " in words else Bind.POSTFIX)

    def _term(self, term: Term) -> Worded:
        known = settled(term, self.known)
        return Worded(spoken(known.name)) if isinstance(known, Bound) else super()._term(known)

    def _read(self, term: Read) -> Worded:
        match term.source:
            case Variable() as variable:
                return self._variable(variable, term.args)
            case Contents():
                return self._term(term.args[0])
            case AllTokens(token_class, kinds):
                return Worded(self._kinds(token_class, kinds))
            case FlagOf(name):
                return self._stated(term, f"is {spoken(name)}")
            case Attribute(name=name) if isinstance(term.type, Bool):
                return self._stated(term, f"is {spoken(name)}")
            case FaceUp():
                return self._stated(term, "is face up")
            case Attribute(name=name):
                return self._owned(spoken(name), term.args)
            case KindOf():
                return self._owned("kind", term.args)
            case PlaceOfToken():
                return self._owned("place", term.args)
            case HolderOf():
                return self._owned("holder", term.args)
            case PositionOf():
                return self._owned("position", term.args)
            case _:
                assert_never(term.source)

    def name(self, variable: Variable, args: tuple[Term, ...] = ()) -> str:
        """What a variable, or one of a family, is called."""
        return self._variable(variable, args).words

    def _variable(self, variable: Variable, args: tuple[Term, ...]) -> Worded:
        called = self.names.get(variable) or self._counted(variable) or spoken(variable.name)
        return self._owned(called, args) if args else Worded(called)

    def _counted(self, variable: Variable) -> str:
        """What a window counts, in words."""
        if self.graph is None or variable.name not in WINDOW:
            return ""
        return WINDOW[variable.name] if variable in window_counts(self.graph) else ""

    def _kinds(self, token_class: str, kinds: tuple[int, ...] | None) -> str:
        return spoken(super()._kinds(token_class, kinds).strip("[]"))

    def _owned(self, name: str, of: tuple[Term, ...]) -> Worded:
        """Something of somebody: "p's hand", "suit of the top of deck"."""
        owner = self._term(of[0])
        simple = owner.bind is Bind.POSTFIX and len(owner.words.split()) <= 2
        whose = f"{owner.words}'s {name}" if simple else f"{name} of {owner.within(Bind.PICK)}"
        if len(of) > 1:
            return Worded(f"{whose} with {self._all(of[1:])}", Bind.PICK)
        return Worded(whose, Bind.POSTFIX if simple else Bind.PICK)

    def _dotted(self, of: Term, name: str) -> Worded:
        return self._owned(spoken(name), (of,))

    def _all(self, terms: Sequence[Term]) -> str:
        return listed([self._at(term, Bind.PICK) for term in terms])

    # ---- statements

    def _stated(self, of: Read, verb: str) -> Worded:
        return Worded(f"{self._at(of.args[0], Bind.PICK)} {verb}", Bind.COMPARISON)

    def _called(self, function: Function, args: tuple[Term, ...]) -> Worded:
        name = spoken(function.name)
        if function.name in PRELUDE:
            words = PRELUDE[function.name].format(self._at(args[0], Bind.PICK))
            return Worded(words, Bind.PICK)
        if not args:
            return Worded(name)
        if isinstance(function.type, Bool):
            verb = name if is_verb(name) else f"is {name}"
            return self._said(verb, args)
        if name.split()[-1] in _TRAILING:
            return Worded(f"{name} {self._all(args)}", Bind.PICK)
        return self._owned(name, args)

    def _said(self, verb: str, args: tuple[Term, ...]) -> Worded:
        """A statement of its first argument: "p may enter s"."""
        subject, *others = args
        if isinstance(present(subject.type), ListOf | SetOf):
            verb = agreeing(verb)
        rest = f" {self._all(others)}" if others else ""
        return Worded(f"{self._at(subject, Bind.PICK)} {verb}{rest}", Bind.COMPARISON)

    def _not(self, inner: Term) -> Worded:
        match inner:
            case Apply(Function(name, type=Bool()), (_, *_) as args) if name not in PRELUDE:
                words = spoken(name)
                return self._said(denied(words if is_verb(words) else f"is {words}"), args)
            case Apply(Op() as op, args) if op in _BETWEEN:
                left, right = (self._at(part, Bind.PICK) for part in args)
                return Worded(f"{left} {denied(_BETWEEN[op])} {right}", Bind.COMPARISON)
            case Apply(Op() as op, (of,)) if op in _STATED:
                words = self._stated_of(op, of).words
                for verb in ("is the same", f"are {_STATED[op]}"):
                    words = words.replace(verb, verb.replace(" ", " not ", 1), 1)
                return Worded(words, Bind.NOT, is_open=True)
            case Read(FlagOf(name)) | Read(Attribute(name=name), type=Bool()):
                return self._stated(inner, f"is not {spoken(name)}")
            case Read(FaceUp()):
                return self._stated(inner, "is face down")
            case Fold(FoldMode.SOME):
                words = self._fold(inner).words.removeprefix("some")
                return Worded(f"no{words}", Bind.NOT, is_open=True)
            case _:
                return super()._not(inner)

    def _between(self, op: Op, args: tuple[Term, ...]) -> Worded:
        if op not in _BETWEEN:
            return super()._between(op, args)
        match args:
            case (Apply(counting, (Read(Contents(), (place,)),)), limit) if (
                counting is COUNT and op in _HELD
            ):
                most = _HELD[op].format(self._at(limit, Bind.PICK))
                return Worded(f"{most} in {self._at(place, Bind.PICK)}", Bind.COMPARISON)
            case _:
                bind = _BINDS.get(op, Bind.PICK)
        left, right = self._at(args[0], bind), self._at(args[1], Bind(bind + 1))
        between = bind if op in _BINDS else Bind.COMPARISON
        return Worded(f"{left} {_BETWEEN[op]} {right}", between)

    def _compared(self, op: Op, args: tuple[Term, ...], *, negated: bool) -> Worded:
        """`in` a list of a few is being one of them, in a kind being such a one."""
        if isinstance(args[0], Read) and isinstance(args[0].source, PlaceOfToken):
            return super()._compared(op, args, negated=negated)
        if isinstance(args[0], Read) and isinstance(args[0].source, KindOf):
            return self._of_kind(op, args, negated=negated)
        match args[1]:
            case Read(Variable()) if op is IN:
                left, right = (self._at(part, Bind.PICK) for part in args)
                joint = "is not among" if negated else "is among"
                return Worded(f"{left} {joint} {right}", Bind.COMPARISON)
            case Apply(made, (_, _)) if op is IN and made is RANGE:
                joint = "is not from" if negated else "is from"
                words = f"{self._at(args[0], Bind.PICK)} {joint} {self.text(args[1])}"
                return Worded(words, Bind.COMPARISON)
            case Apply(made, parts) if op is IN and made is LIST and parts:
                members = listed([self._at(part, Bind.PICK) for part in parts], "or")
                word = "is not" if negated else "is"
                return Worded(f"{self._at(args[0], Bind.PICK)} {word} {members}", Bind.COMPARISON)
            case Const(tuple() as values, type=type_) if op in (IN, IS) and len(values) > 1:
                return self._among(args[0], values, type_, negated, one=op is IN)
            case _:
                return super()._compared(op, args, negated=negated)

    def _of_kind(self, op: Op, args: tuple[Term, ...], *, negated: bool) -> Worded:
        """ "a is an agent"; kinds without a name together are listed."""
        found = super()._compared(op, args, negated=negated)
        token, joint, named = found.words.rpartition(" not in " if negated else " in ")
        if not joint or "," in named:
            return found
        word = "is not" if negated else "is"
        return Worded(f"{token} {word} {one_of_kind(named)}", Bind.COMPARISON)

    def _among(
        self, left: Term, values: tuple[Value, ...], type_: Type, negated: bool, *, one: bool
    ) -> Worded:
        words = PlainValues(self.graph).text(values, type_)
        if one and " and " in words:
            words = " or ".join(words.rsplit(" and ", 1))
            word = "is not" if negated else "is"
        else:
            word = "not in" if negated else "in"
            word = word if one else ("is not" if negated else "is")
        return Worded(f"{self._at(left, Bind.PICK)} {word} {words}", Bind.COMPARISON)

    # ---- lists

    def domain(self, domain: Domain) -> str:
        """What a bound name ranges over."""
        if domain.mode is DomainMode.ORDERS:
            return f"{self.text(domain.members)}, in any order"
        if domain.mode is DomainMode.SUBSETS:
            size = self._sizes(domain).replace("..", " to ")
            return f"{size} of {self._at(domain.members, Bind.PICK)}"
        return super().domain(domain).replace("..", " to ")

    def _cond(self, term: Cond) -> Worded:
        found = super()._cond(term)
        if found.words.startswith("if ") and found.is_open:
            then, otherwise = self.text(term.then), self.text(term.otherwise)
            words = f"{then} if {self.text(term.test)}, else {otherwise}"
            return Worded(words, Bind.NOT, is_open=True)
        return found

    def _fold(self, term: Fold) -> Worded:
        name, domain = spoken(term.bound.name), self.domain(term.domain)
        where = "" if term.where is None else f" where {self.text(term.where)}"
        body = "" if term.body is None else self.text(term.body)
        match term.mode:
            case FoldMode.SOME:
                tests = [test for test in (term.where, term.body) if test is not None]
                alone = Bind.OR if len(tests) == 1 else Bind.NOT
                both = " and ".join(self._at(test, alone, last=True) for test in tests)
                return Worded(f"some {name} in {domain} where {both}", Bind.NOT, is_open=True)
            case FoldMode.EVERY:
                words = f"every {name} in {domain}{where}: {body}"
                return Worded(words, Bind.NOT, is_open=True)
            case FoldMode.FILTER:
                if not where:
                    return self._term(term.domain.members)
                return Worded(f"all {name} in {domain}{where}", Bind.NOT, is_open=True)
            case FoldMode.MAP:
                return Worded(f"{body} for each {name} in {domain}{where}", Bind.NOT, is_open=True)
            case _:
                assert_never(term.mode)

    def _apply(self, op: Op, args: tuple[Term, ...]) -> Worded:
        match args:
            case (low, high) if op is RANGE:
                return Worded(f"{self.text(low)} to {self.text(high)}", Bind.RANGE)
            case (of, position) if op is ITEM:
                return Worded(f"number {self._at(position, Bind.SUM)} of {self.text(of)}")
            case (order, one) if op is AFTER:
                return Worded(f"those after {self.text(one)} in {self.text(order)}", Bind.PICK)
            case _ if op is LIST:
                words = self._all(args) if args else "empty"
                return Worded(words, Bind.POSTFIX if len(args) < 2 else Bind.PICK)
            case _ if op is LINKED:
                return Worded(f"{self._all(args[:2])} are linked", Bind.COMPARISON)
            case (only,) if op in (REST, ABS):
                return self._owned(spoken(op.name), (only,))
            case _:
                return super()._apply(op, args)

    def _lookup(self, op: Lookup, args: tuple[Term, ...]) -> Worded:
        if op.symbol == "[]" and len(args) > 1 and isinstance(present(args[0].type), Player):
            family = self._owned(spoken(op.name), (args[0],)).words
            return Worded(f"{family} {', '.join(map(self.text, args[1:]))}", Bind.PICK)
        if op.symbol == "[]" and len(args) > 1:
            return Worded(f"{spoken(op.name)} {', '.join(map(self.text, args))}")
        if op.symbol in ("[]", "."):
            return self._owned(spoken(op.name), args)
        name, _, board = op.name.partition(" of ")
        where = f" on {spoken(board)}" if board else ""
        return Worded(f"{self._owned(spoken(name), args).words}{where}", Bind.PICK)

    def _part(self, op: Op, args: tuple[Term, ...]) -> Worded:
        match args[1]:
            case Fold(FoldMode.FILTER) as some if some.where is not None:
                words = self._fold(some).words.removeprefix("all ")
                number = self._at(args[0], Bind.RANGE)
                return Worded(f"{number} of the {words}", Bind.NOT, is_open=True)
            case _:
                return super()._part(op, args)

    def _aggregate(self, op: Op, args: tuple[Term, ...]) -> Worded:
        of = args[-1]
        if op in _STATED:
            return self._stated_of(op, of)
        match of:
            case Fold(FoldMode.MAP, body=body) if body is not None:
                return self._each(op, body, of)
            case Fold(FoldMode.FILTER) if op in _OF_LIST:
                words = self._fold(of).words.removeprefix("all ")
                return Worded(f"{_lead(op)} {words}", Bind.NOT, is_open=True)
            case Read(Contents(), (place,)) if op is COUNT:
                return Worded(f"the number in {self._at(place, Bind.PICK)}", Bind.PRODUCT)
            case Apply(made, (_, _)) if made is LIST and op in _OF_TWO:
                return Worded(f"{_OF_TWO[op]} {self.text(of)}", Bind.PICK)
            case Read(Contents()) if op in (FIRST, LAST):
                return super()._aggregate(op, args)
            case _ if op in _OF_LIST:
                return Worded(f"{_OF_LIST[op]} {self._at(of, Bind.PICK)}", Bind.PICK)
            case _:
                return super()._aggregate(op, args)

    def _stated_of(self, op: Op, of: Term) -> Worded:
        match of:
            case Fold(FoldMode.MAP, body=body) if op is SAME and body is not None:
                each = self._fold(of).words.removeprefix(self.text(body))
                return Worded(f"{self.text(body)} is the same{each}", Bind.NOT, is_open=True)
            case _:
                return Worded(f"{self.text(of)} are {_STATED[op]}", Bind.COMPARISON)

    def _each(self, op: Op, body: Term, of: Fold) -> Worded:
        """What is taken of each of some things, put together: a sum, the largest, who has most."""
        name, domain, said = spoken(of.bound.name), self.domain(of.domain), self.text(body)
        kept = "" if of.where is None else f" where {self.text(of.where)}"
        each = f"{name} in {domain}{kept}"
        if op in (MOST, LEAST):
            return Worded(f"the {each} with the {op.name} {said}", Bind.NOT, is_open=True)
        if op is ARRANGE:
            return Worded(f"{each}, in order of {said}", Bind.NOT, is_open=True)
        if body == of.bound or op is COUNT:
            return Worded(f"{_lead(op)} {each}", Bind.NOT, is_open=True)
        return Worded(f"{_OF_LIST[op]} {said} for {each}", Bind.NOT, is_open=True)


def _lead(op: Op) -> str:
    """An operator before a list that has a name for each of it: "the first p in players"."""
    words = _OF_LIST[op]
    return words if op in (COUNT, SUM) else words.removesuffix(" of")


# ---- windows

WINDOW: Final = {"passes": "passes in a row", "passed": "those who have passed"}
"""What a window counts, by the names that rules use."""


@lru_cache(maxsize=16)
def window_counts(graph: Graph) -> frozenset[Variable]:
    """The variables in which windows count passes: made where the window is written."""
    asked = {node.span for node in graph.nodes if isinstance(node.step, Choose)}
    return frozenset(
        local
        for phase in graph.phases
        for local in phase.locals
        if local.name in WINDOW and local.span is not None and local.span in asked
    )
