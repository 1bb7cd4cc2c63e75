"""Domains of tokens with which several options of a decision begin: they are listed once.

Of such a list it is found out once, too, whether somebody could take two members for the same, and
which kinds are there at all: an option that wants none of these needs not look at its members.
"""

from collections import Counter
from typing import Final

from attrs import Factory, evolve, frozen

from compiler.graph.core import Apply, Bound, Const, DomainMode, Function, Option, Slot, Term
from compiler.lir.build import EMPTY, both, choice, mask, num, single, some_bit, union
from compiler.lir.core import MASK, Expr, Local
from compiler.lir.stepwise.asks import Asks
from compiler.lir.stepwise.code import Code, call, is_, less
from compiler.lir.stepwise.levels import conjuncts
from compiler.lir.stepwise.lists import elements
from compiler.lir.stepwise.plan import Plan
from compiler.lir.stepwise.terms import Reader
from compiler.lir.stepwise.ties import Keyed, Tie
from compiler.lir.stepwise.unique import what_is_left
from compiler.types import Token, has_tokens
from compiler.types import element as element_type

_BITS: Final = 64


@frozen(eq=False)
class Candidates:
    """The members of a domain, and more about them, found when it is first asked for."""

    known: Local
    members: Local
    plain: Local  # whether none is like another: 1 yes, 2 no, 0 not asked yet
    kinds: Local | None  # which are there; all of them where somebody has not been seen
    keys: dict[tuple[Term, int], Local] = Factory(dict)  # what ties of sets read, as lists

    def find(self, reader: Reader, term: Term) -> None:
        """Lists them, unless that has been done."""
        with reader.code.when(is_(self.known, 0)) as first:
            first.set(self.members, reader.inside(first).listed(term))
            if self.kinds is not None:
                first.set(self.kinds, EMPTY)
                with elements(first, self.members) as (each, one):
                    kind = each.keep(reader.tokens.kind(one))
                    bits = choice(less(kind, 0), mask(-1), single(kind))
                    each.set(self.kinds, union([self.kinds, bits]))
            first.set(self.known, 1)

    def is_plain(self, code: Code, seat: Expr) -> Expr:
        """Whether a seat sees all of them, and none is like another."""
        with code.when(is_(self.plain, 0)) as first:
            first.set(self.plain, choice(call("is_plain", self.members, seat), num(1), num(2)))
        return is_(self.plain, 1)

    def keyed(self, reader: Asks, tie: Tie) -> Keyed:
        """What a tie reads of each."""
        index = tie.of, tie.bound.index
        if index not in self.keys:
            self.keys[index] = Local(reader.code.names.fresh("keys"))
        keys = self.keys[index]
        with reader.code.when(is_(keys, 0)) as first:
            first.set(keys, Keyed.of(reader.inside(first), self.members, tie).keys)
        return Keyed(keys, tie.in_a_row, tie.span)

    def may_pass(self, reader: Reader, slot: Slot, tests: list[Term]) -> Expr:
        """Whether a member may pass all tests, as far as the first of them shows."""
        if self.kinds is None or not tests:
            return num(1)
        passing = reader.terms.tables.passing(conjuncts(tests[0])[0], slot.bound)
        return num(1) if passing is None else some_bit(both(self.kinds, mask(passing)))


@frozen(eq=False)
class Shared:
    """The domains of tokens with which several options begin."""

    found: dict[Term, Candidates]

    @classmethod
    def of(cls, plan: Plan, code: Code, options: tuple[Option, ...]) -> "Shared":
        """Those of some options, none of them known yet."""
        first = [option.slots[0] for option in options if option.slots]
        first = [slot for slot in first if has_tokens(slot.local.type)]
        many = Counter(unfolded(slot.domain.members) for slot in first)
        singly = {
            unfolded(slot.domain.members)
            for slot in first
            if slot.domain.mode is DomainMode.MEMBERS
        }
        shared = (term for term, uses in many.items() if uses > 1)
        return cls({term: _begun(plan, code, term, term in singly) for term in shared})

    def of_slot(self, slot: Slot) -> Candidates | None:
        """The members that a first slot shares with others."""
        return self.found.get(unfolded(slot.domain.members))


def _begun(plan: Plan, code: Code, term: Term, singly: bool) -> Candidates:
    """`singly`: some option takes one of them."""
    known, fresh = code.local("is_known", 0), code.names.fresh
    kinds = None
    match element_type(term.type):
        case Token(token_class) if singly:
            if len(plan.graph.token_class(token_class).kinds) <= _BITS:
                kinds = Local(fresh("kinds"), MASK)
        case _:
            pass
    return Candidates(known, Local(fresh("members")), Local(fresh("plain")), kinds)


def unfolded(term: Term) -> Term:
    """A term without functions that only pass on to another."""
    match what_is_left(term):
        case Apply(Function() as called, args) if len(called.cases) == 1:
            given = dict(zip((param.index for param in called.params), args, strict=True))
            inner = what_is_left(called.cases[0].value)
            if isinstance(inner, Apply) and isinstance(inner.op, Function):
                passed = [_passed(arg, given) for arg in inner.args]
                known = tuple(arg for arg in passed if arg is not None)
                if len(known) == len(passed):
                    return unfolded(evolve(inner, args=known))
            return term
        case left:
            return left


def _passed(arg: Term, given: dict[int, Term]) -> Term | None:
    match arg:
        case Const():
            return arg
        case Bound(index=index):
            return given.get(index)
        case _:
            return None
