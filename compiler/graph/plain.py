"""Terms in plain English, for people who know the game and not the language.

No bracket, dot or underscore of a spec is left: `hand[p]` is "p's hand", `suit_of(a)` "suit of a",
`earns_bonus(s)` "s earns bonus", `max([a, b])` "the larger of a and b".  What people type is not
written so, nor what is quoted from a spec: that is `words`.
"""

import re
from collections.abc import Sequence
from typing import Final, assert_never

from attrs import frozen

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
    HolderOf,
    KindOf,
    PlaceOfToken,
    PositionOf,
    Read,
    Term,
    Value,
    Variable,
)
from compiler.graph.values import ValueWords
from compiler.graph.words import Bind, TermWords, Worded
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
    MOST,
    RANGE,
    REST,
    SAME,
    SUM,
)
from compiler.ops.numbers import ABS, AT_LEAST, AT_MOST, DIVIDE, LESS, MORE, MULTIPLY
from compiler.ops.row import Lookup, Op
from compiler.types import Bool, Enum, ListOf, SetOf, Type, element, present

_BETWEEN: Final[dict[Op, str]] = {
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
_HELPING: Final = ("can", "has", "is", "may", "must", "was", "will")
_PLURALS: Final = {"is": "are", "has": "have", "was": "were", "does": "do"}
_LINES: Final = re.compile(r"lines\((\w+), (\d+)\)")
_KEYED: Final = re.compile(r"(\w+)\[(.*)\]")


def spoken(name: str) -> str:
    """A name of a spec as words."""
    return name.replace("_", " ")


def listed(parts: Sequence[str], joint: str = "and") -> str:
    """Things in a row: `a`, `a and b`, `a, b and c`."""
    *firsts, last = parts
    return f"{', '.join(firsts)} {joint} {last}" if firsts else last


def place_words(label: str) -> str:
    """A place by its label: `hand[A]` is "A's hand", `grid[2, 3]` "grid 2, 3"."""
    found = _KEYED.fullmatch(label)
    if found is None:
        return spoken(label)
    name, key = found.groups()
    if len(key) == 1 and key.isupper():
        return f"{key}'s {spoken(name)}"
    return f"{spoken(name)} {spoken(key)}"


class PlainValues(ValueWords):
    """Values as people say them."""

    def text(self, value: Value, type_: Type) -> str:
        """A value of a type; names of members without underscores."""
        kind = present(type_)
        words = super().text(value, type_)
        return spoken(words) if isinstance(kind, Enum) or isinstance(value, tuple) else words

    def _place(self, index: int) -> str:
        return place_words(super()._place(index))

    def _several(self, values: tuple[Value, ...], type_: Type) -> str:
        inner = element(type_)
        whole = None if inner is None or not values else self._whole(values, present(inner))
        lines = _LINES.fullmatch(whole or "")
        if lines is not None:
            return f"lines of {lines[2]} on {lines[1]}"
        if whole is not None:
            return whole.replace("..", " to ")
        inside = type_ if inner is None else inner
        if isinstance(present(inside), ListOf):
            return listed([self._paired(value, inside) for value in values])
        return listed([self.text(value, inside) for value in values]) if values else "empty"

    def _paired(self, value: Value, type_: Type) -> str:
        """A list in a list."""
        inner = element(type_)
        if not isinstance(value, tuple) or inner is None:
            return self.text(value, type_)
        return " with ".join(self.text(part, inner) for part in value)


@frozen
class PlainWords(TermWords):
    """Writes terms for people."""

    def operand(self, term: Term) -> str:
        """A term that other words follow: in brackets if it would swallow them."""
        return self._at(term, Bind.SUM)

    # ---- names

    def _const(self, term: Const) -> Worded:
        words = PlainValues(self.graph).text(term.value, term.type)
        return Worded(words, Bind.SUM if " " in words else Bind.POSTFIX)

    def _term(self, term: Term) -> Worded:
        return Worded(spoken(term.name)) if isinstance(term, Bound) else super()._term(term)

    def _read(self, term: Read) -> Worded:
        match term.source:
            case Variable(name) as variable:
                called = spoken(self.names.get(variable, name))
                return self._owned(called, term.args) if term.args else Worded(called)
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

    def _kinds(self, token_class: str, kinds: tuple[int, ...] | None) -> str:
        return spoken(super()._kinds(token_class, kinds).strip("[]"))

    def _owned(self, name: str, of: tuple[Term, ...]) -> Worded:
        """Something of somebody: "p's hand", "suit of the top of deck"."""
        owner = self._term(of[0])
        if len(of) > 1:
            whose = owner.within(Bind.PICK)
            return Worded(f"{name} of {whose} with {self._all(of[1:])}", Bind.PICK)
        simple = owner.bind is Bind.POSTFIX and len(owner.words.split()) <= 2
        if simple:
            return Worded(f"{owner.words}'s {name}")
        return Worded(f"{name} of {owner.within(Bind.PICK)}", Bind.PICK)

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
            verb = name if _is_verb(name) else f"is {name}"
            return self._said(verb, args)
        if name.split()[-1] in _TRAILING:
            return Worded(f"{name} {self._all(args)}", Bind.PICK)
        return self._owned(name, args)

    def _said(self, verb: str, args: tuple[Term, ...]) -> Worded:
        """A statement of its first argument: "p may enter s"."""
        subject, *others = args
        if isinstance(present(subject.type), ListOf | SetOf):
            verb = _PLURALS.get(verb.split()[0], verb.split()[0]) + verb[len(verb.split()[0]) :]
        rest = f" {self._all(others)}" if others else ""
        return Worded(f"{self._at(subject, Bind.PICK)} {verb}{rest}", Bind.COMPARISON)

    def _not(self, inner: Term) -> Worded:
        match inner:
            case Apply(Function(name, type=Bool()), (_, *_) as args) if name not in PRELUDE:
                words = spoken(name)
                return self._said(_denied(words if _is_verb(words) else f"is {words}"), args)
            case Apply(Op() as op, args) if op in _BETWEEN:
                left, right = (self._at(part, Bind.PICK) for part in args)
                return Worded(f"{left} {_denied(_BETWEEN[op])} {right}", Bind.COMPARISON)
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
        bind = Bind.PRODUCT if op in (MULTIPLY, DIVIDE) else Bind.PICK
        left, right = self._at(args[0], bind), self._at(args[1], Bind(bind + 1))
        between = Bind.PRODUCT if bind is Bind.PRODUCT else Bind.COMPARISON
        return Worded(f"{left} {_BETWEEN[op]} {right}", between)

    def _compared(self, op: Op, args: tuple[Term, ...], *, negated: bool) -> Worded:
        """`in` a list of a few is being one of them."""
        if isinstance(args[0], Read) and isinstance(args[0].source, PlaceOfToken | KindOf):
            return super()._compared(op, args, negated=negated)
        match args[1]:
            case Apply(made, parts) if op is IN and made is LIST and parts:
                members = listed([self._at(part, Bind.PICK) for part in parts], "or")
                word = "is not" if negated else "is"
                return Worded(f"{self._at(args[0], Bind.PICK)} {word} {members}", Bind.COMPARISON)
            case Const(tuple() as values, type=type_) if op in (IN, IS) and len(values) > 1:
                return self._among(args[0], values, type_, negated, one=op is IN)
            case _:
                return super()._compared(op, args, negated=negated)

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
                both = " and ".join(self._at(test, Bind.NOT, last=True) for test in tests)
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


# ---- verbs


def _is_verb(words: str) -> bool:
    """Whether a name reads as a verb after its subject: "may enter", "lies open"."""
    first = words.split()[0]
    ends = first.endswith("s") and not first.endswith("ss")
    return first in _HELPING or (len(first) > 3 and ends)


def _denied(verb: str) -> str:
    """A verb's contrary: "is not straight", "does not fit"."""
    first, _, rest = verb.partition(" ")
    if first == "has":
        return f"has no {rest}"
    if first in _HELPING:
        return f"{first} not {rest}"
    if first.endswith("ies"):
        stem = f"{first[:-3]}y"
    elif first.endswith(("ches", "shes", "sses", "xes")):
        stem = first[:-2]
    else:
        stem = first[:-1]
    return f"does not {stem} {rest}".rstrip()
