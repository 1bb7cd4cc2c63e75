"""Terms in plain English, for people who know the game and not the language.

No bracket, dot or underscore of a spec is left: `hand[p]` is "p's hand", `suit_of(a)` "suit of a",
`earns_bonus(s)` "s earns bonus", `max([a, b])` "the larger of a and b".  These are the words of
charts, of `why`, of play and its logs.  What is written for a spec (a failing scenario, a message
to its author, a graph as text) is in its own language: that is `notation`.

Names are in `calling`, statements in `claims`, lists and what is made of them here.
"""

from typing import Final, assert_never

from attrs import frozen

from compiler.graph.amounts import plural
from compiler.graph.claims import PRELUDE, Claims, seat_letter
from compiler.graph.core import (
    Apply,
    Cond,
    Const,
    Contents,
    Domain,
    DomainMode,
    Fold,
    FoldMode,
    Read,
    Term,
    Value,
)
from compiler.graph.naming import PlainValues, listed, spoken
from compiler.graph.notation import Bind, Worded
from compiler.graph.settled import seat_of
from compiler.ops.lists import (
    AFTER,
    ARRANGE,
    CONSECUTIVE,
    COUNT,
    DISTINCT,
    FIRST,
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
from compiler.ops.numbers import ABS, SUBTRACT
from compiler.ops.row import Op
from compiler.types import element

__all__ = ["PRELUDE", "PlainWords"]

_OF_LIST: Final[dict[Op, str]] = {
    COUNT: "the number of",
    SUM: "the sum of",
    MAX: "the largest of",
    MIN: "the smallest of",
    FIRST: "the first of",
    LAST: "the last of",
    DISTINCT: "the different ones of",
}
_OF_TRAITS: Final[dict[Op, str]] = {
    SUM: "the sum of the",
    MAX: "the largest",
    MIN: "the smallest",
    DISTINCT: "the different",
}
"""What is made of a trait that all of some things have."""
_OF_MANY: Final = (SUM, DISTINCT)
_OF_TWO: Final[dict[Op, str]] = {MAX: "the larger of", MIN: "the smaller of"}
_STATED: Final[dict[Op, str]] = {SAME: "all alike", CONSECUTIVE: "in a row"}


@frozen
class PlainWords(Claims):
    """Writes terms for people."""

    def operand(self, term: Term) -> str:
        """A term that other words follow: in brackets if it would swallow them."""
        return self._at(term, Bind.SUM)

    def takes_in(self, term: Term) -> bool:
        """Whether the words of a term end in a condition, which takes in what follows."""
        return self._term(term).is_open

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

    def _joined(self, term: Cond, word: str, bind: Bind) -> Worded:
        """A chain; of "or", what "and" joins stands in brackets: nobody knows which binds."""
        if bind is not Bind.OR:
            return super()._joined(term, word, bind)
        *firsts, last = map(self._term, self._chain(term, word))
        words = [part.within(Bind.NOT) for part in firsts]
        words.append(last.within(Bind.NOT, last=True))
        return Worded(f" {word} ".join(words), bind, last.is_open)

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
            case (Const(tuple() as values) as of, place) if op is ITEM and seat_of(place):
                return Worded(self._by_seat(of, values), Bind.PICK)
            case (of, position) if op is ITEM:
                return Worded(f"number {self._at(position, Bind.SUM)} of {self.text(of)}")
            case (order, one) if op is AFTER:
                return Worded(f"those after {self.text(one)} in {self.text(order)}", Bind.PICK)
            case _ if op is LIST:
                words = self._all(args) if args else "empty"
                return Worded(words, Bind.POSTFIX if len(args) < 2 else Bind.PICK)
            case _ if op is LINKED:
                return Worded(f"{self._all(args[:2])} are linked", Bind.COMPARISON)
            case (Apply(taken, pair),) if op is ABS and taken is SUBTRACT:
                return Worded(f"the difference of {self._all(pair)}", Bind.PICK)
            case (only,) if op in (REST, ABS):
                return self._owned(spoken(op.name), (only,))
            case _:
                return super()._apply(op, args)

    def _by_seat(self, of: Term, values: tuple[Value, ...]) -> str:
        """A list by seats: "south for A and north for B"."""
        inner = element(of.type)
        said = PlainValues(self.graph)
        return listed(
            [
                f"{said.text(value, inner or of.type)} for {seat_letter(seat)}"
                for seat, value in enumerate(values)
            ]
        )

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
            case Apply(made, (inner,)) if made is DISTINCT and op is COUNT:
                found = self._aggregate(DISTINCT, (inner,))
                said = found.words.removeprefix("the different ").removeprefix("ones of ")
                return Worded(f"the number of different {said}", Bind.PICK, found.is_open)
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

    def _stated_of(self, op: Op, of: Term, are: str = "are") -> Worded:
        """That some things are alike, or in a row."""
        all_ = "not all" if are == "are not" else "all"
        match of:
            case Fold(FoldMode.MAP) if (trait := self._trait(of)) and op is CONSECUTIVE:
                words = f"the {plural(trait)} of {self._members(of)} {are} {_STATED[op]}"
                return Worded(words, Bind.COMPARISON)
            case Fold(FoldMode.MAP) if trait := self._trait(of):
                members = self._members(of).removeprefix("all ")
                words = f"{all_} of {members} have the same {trait}"
                return Worded(words, Bind.COMPARISON)
            case Fold(FoldMode.MAP, body=body) if op is SAME and body is not None:
                each = self._fold(of).words.removeprefix(self.text(body))
                is_ = "is not" if are == "are not" else "is"
                return Worded(f"{self.text(body)} {is_} the same{each}", Bind.NOT, is_open=True)
            case _:
                return Worded(f"{self.text(of)} {are} {_STATED[op]}", Bind.COMPARISON)

    def _not(self, inner: Term) -> Worded:
        match inner:
            case Apply(Op() as op, (of,)) if op in _STATED:
                return self._stated_of(op, of, "are not")
            case _:
                return super()._not(inner)

    def _trait(self, of: Fold) -> str:
        """What is looked at of each of some things, if it is called theirs: "value"."""
        name, said = spoken(of.bound.name), "" if of.body is None else self.text(of.body)
        trait = said.removeprefix(f"{name}'s ")
        return "" if trait == said or "'" in trait or name in trait.split() else trait

    def _members(self, of: Fold) -> str:
        """The things that a list goes through, without a name for each of them."""
        if of.where is None:
            return self.domain(of.domain)
        filtered = Fold(FoldMode.FILTER, of.bound, of.domain, of.where, None, type=of.type)
        return self._fold(filtered).words

    def _each(self, op: Op, body: Term, of: Fold) -> Worded:
        """What is taken of each of some things, put together: a sum, the largest, who has most."""
        name, domain, said = spoken(of.bound.name), self.domain(of.domain), self.text(body)
        kept = "" if of.where is None else f" where {self.text(of.where)}"
        each = f"{name} in {domain}{kept}"
        trait = self._trait(of) if op in _OF_TRAITS else ""
        if trait:
            named = plural(trait) if op in _OF_MANY else trait
            members, joint = self._members(of), "in" if _lies(of) else "of"
            is_open = of.where is not None
            return Worded(f"{_OF_TRAITS[op]} {named} {joint} {members}", Bind.PICK, is_open)
        if op in (MOST, LEAST):
            return Worded(f"the {each} with the {op.name} {said}", Bind.NOT, is_open=True)
        if op is ARRANGE:
            return Worded(f"{each}, in order of {said}", Bind.NOT, is_open=True)
        if body == of.bound or op is COUNT:
            return Worded(f"{_lead(op)} {each}", Bind.NOT, is_open=True)
        if said.startswith("the number ") and op in (MAX, MIN):
            words = f"{_lead(op)} {said.removeprefix('the ')} for {each}"
            return Worded(words, Bind.NOT, is_open=True)
        return Worded(f"{_OF_LIST[op]} {said} for {each}", Bind.NOT, is_open=True)


def _lies(of: Fold) -> bool:
    """Whether a list goes through all that lies somewhere."""
    members = of.domain.members
    return of.where is None and isinstance(members, Read) and isinstance(members.source, Contents)


def _lead(op: Op) -> str:
    """An operator before a list that has a name for each of it: "the first p in players"."""
    words = _OF_LIST[op]
    return words if op in (COUNT, SUM) else words.removesuffix(" of")
