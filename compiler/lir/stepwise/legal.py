"""The legal answers of one option: a loop for each slot, guards tested as early as may be.

Answers that differ in their last token, or in the last member of a set, are found together.
"""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Final, TypeAlias

from attrs import define, evolve, frozen

from compiler.graph.core import (
    Bound,
    DomainMode,
    Guard,
    Option,
    Slot,
    Term,
)
from compiler.graph.walk import subterms
from compiler.lir.build import choice, negate
from compiler.lir.core import Expr, Local
from compiler.lir.reps import Unsupported
from compiler.lir.stepwise.alike import asks_for, replaced
from compiler.lir.stepwise.answers import Answers
from compiler.lir.stepwise.asks import forgetting
from compiler.lir.stepwise.choosing import sets_together, subsets, twin_before
from compiler.lir.stepwise.code import (
    Code,
    at_least,
    call,
    differ,
    is_,
    less,
    word,
)
from compiler.lir.stepwise.growing import Growing
from compiler.lir.stepwise.lists import element, elements, size
from compiler.lir.stepwise.ordering import orders
from compiler.lir.stepwise.plan import is_list
from compiler.lir.stepwise.shared import Candidates, Shared
from compiler.lir.stepwise.sieve import Sifted, sifted
from compiler.lir.stepwise.streams import Streams, is_scattered
from compiler.lir.stepwise.terms import Reader, Terms
from compiler.lir.stepwise.ties import Tie, is_tied, ties
from compiler.lir.stepwise.unique import is_unique
from compiler.lir.walk import calls_in
from compiler.types import BOOL, has_tokens
from compiler.types import element as element_type

_ANSWER: Final = -2
"""Names for whether options can be taken count down from this index; no spec binds them."""

_Each: TypeAlias = Callable[[Code, Expr], None]


@frozen(eq=False)
class Once:
    """An option whose guards do not ask anew whether an option before it can be taken."""

    option: Option
    known: dict[int, Expr]  # what they read instead, by the index of a name
    can: Local | None  # where it is noted whether this one can be taken, if a later one asks


def asking_once(code: Code, options: tuple[Option, ...]) -> list[Once]:
    """Options in their order."""
    answers = [
        Bound(f"can {option.name}", _ANSWER - at_, type=BOOL) for at_, option in enumerate(options)
    ]
    asked: set[int] = set()

    def instead(term: Term, before: int) -> Term | None:
        for at_ in range(before):
            if options[at_].slots and asks_for(term, options[at_]):
                asked.add(at_)
                return answers[at_]
        return None

    told = []
    for position, option in enumerate(options):
        known = partial(instead, before=position)
        guards = (evolve(g, holds=replaced(g.holds, known)) for g in option.guards)
        told.append(evolve(option, guards=tuple(guards)))
    cans = {at_: code.local("can", 0) for at_ in sorted(asked)}
    values: dict[int, Expr] = {answers[at_].index: can for at_, can in cans.items()}
    return [Once(option, values, cans.get(at_)) for at_, option in enumerate(told)]


@frozen(eq=False)
class _Way:
    """How far an answer has come: the slots that have their values, up to a level.

    `guards` come in the order in which they are tested, each with the level of the last slot before
    it; -1 is before the first slot.
    """

    option: Option
    guards: tuple[tuple[Guard, int], ...]
    level: int
    values: tuple[Expr, ...]

    @property
    def slot(self) -> Slot:
        """The slot that has its value next, or has just got it."""
        return self.option.slots[self.level]

    @property
    def is_whole(self) -> bool:
        """Whether all slots have their values."""
        return self.level + 1 == len(self.option.slots)

    def deeper(self) -> "_Way":
        """One slot further on, which has no value yet."""
        return evolve(self, level=self.level + 1)

    def given(self, value: Expr) -> "_Way":
        """With the value of its slot."""
        return evolve(self, values=(*self.values, value))

    @property
    def tests(self) -> list[Term]:
        """What is asked when the slot has its value."""
        where = self.slot.where if self.level >= 0 else None
        guards = [guard.holds for guard, its in self.guards if its == self.level]
        return guards if where is None else [where, *guards]


@define(eq=False)
class Legal:
    """Enumerates one option for a seat: a loop for each slot, guards tested as early as may be."""

    terms: Terms
    answers: Answers
    seat: Expr
    position: int
    option_: Option
    shared: Shared

    def option(self, reader: Reader) -> None:
        """Adds each legal answer."""
        self._guarded(reader, _Way(self.option_, tuple(self._levels(reader)), -1, ()))

    def _levels(self, reader: Reader) -> list[tuple[Guard, int]]:
        """The guards in the order in which they are tested, each with the last slot before it.

        A guard is tested as soon as what it reads is there, unless what comes before it in the
        rules may stop the game for a fault.
        """
        slots = self.option_.slots
        position = {slot.bound.index: at_ for at_, slot in enumerate(slots)}
        levels: list[tuple[Guard, int]] = []
        barrier = -1
        for guard in self.option_.guards:
            parts = (part for part in subterms(guard.holds) if isinstance(part, Bound))
            own = max((position[p.index] for p in parts if p.index in position), default=-1)
            last = max((level for _, level in levels), default=-1)
            passed = [guard.holds for guard, its in levels if its > own]
            if own < last and self._may_fail(reader, slots[own + 1 : last + 1], passed):
                barrier = last
            own = max(own, barrier)
            before = sum(level <= own for _, level in levels)
            levels.insert(before, (guard, own))
        return levels

    def _may_fail(self, reader: Reader, slots: tuple[Slot, ...], guards: list[Term]) -> bool:
        """Whether some slots of the option, or its guards, may stop the game for a fault."""
        asked = [slot.domain.members for slot in slots] + [s.where for s in slots if s.where]
        scratch = reader.inside(reader.code.inner())
        scratch.env.update((slot.bound.index, Local("any")) for slot in self.option_.slots)
        for term in (*asked, *guards):
            scratch.code.keep(scratch.term(term))
        return reader.care.fails(scratch.code.out)

    def _guarded(self, reader: Reader, way: _Way) -> None:
        """Tests the guards of a level, then goes through the next slot."""
        self._passing(reader, reader.code, way.tests, way)

    def _passing(self, reader: Reader, code: Code, guards: list[Term], way: _Way) -> None:
        if guards:
            with forgetting(reader.inside(code)):
                holds = code.keep(reader.inside(code).test(guards[0]))
            with code.when(holds) as passed:
                self._passing(reader, passed, guards[1:], way)
        elif way.is_whole:
            self.answers.add(code, self.position, self._lasting(code, way))
        else:
            self._slot(reader.inside(code), way.deeper())

    def _lasting(self, code: Code, way: _Way) -> tuple[Expr, ...]:
        """Values of slots; sets and orders are other ones from each to the next, so are copied."""
        kept = (
            value if slot.domain.mode is DomainMode.MEMBERS else call("list_copy", value)
            for slot, value in zip(self.option_.slots, way.values, strict=False)
        )
        return tuple(map(code.keep, kept))

    def _slot(self, reader: Reader, way: _Way) -> None:
        """A loop over the candidates of a slot."""
        slot, code = way.slot, reader.code
        if slot.domain.mode is DomainMode.MEMBERS and has_tokens(slot.local.type):
            self._tokens(reader, way)
            return
        members = self._listed(reader, slot, way.level)

        def each(inside: Code, value: Expr) -> None:
            bound = reader.binding(inside, slot.bound, value)
            self._guarded(bound, way.given(value))

        match slot.domain.mode:
            case DomainMode.MEMBERS:
                self._members(code, slot, members, each)
            case DomainMode.SUBSETS:
                self._subsets(reader, members, way)
            case DomainMode.ORDERS:
                members, twins = self._offered(code, slot, members)
                with orders(code, members, twins) as (inside, made):
                    self._kept(inside, made, each)

    def _subsets(self, reader: Reader, members: Expr, way: _Way) -> None:
        """A loop over sets: what makes a set stand together is not asked of each again."""
        slot, code, tests = way.slot, reader.code, way.tests
        low, high = reader.bounds(slot.domain.low, slot.domain.high, members)
        tied = self._tied(reader, slot, tests)
        shared = self._shared(way)
        sieved = sifted(reader, members, tied, low, None if shared is None else shared.keyed)
        with code.when(at_least(size(sieved.members), low)) as enough:
            self._tried(reader.inside(enough), sieved, (low, high), tied, way)

    def _tried(
        self, reader: Reader, sieved: Sifted, ends: tuple[Expr, Expr], tied: list[Tie], way: _Way
    ) -> None:
        """The sets of some members, each tried."""
        slot, code, tests = way.slot, reader.code, way.tests
        low, high = ends
        members, twins = self._offered(code, slot, sieved.members, self._shared(way))
        keyed = [sieved.keyed(reader, members, tie) for tie in tied]
        left = [test for test in tests if not is_tied(test, slot.bound.index, tied)]
        most = code.keep(choice(less(size(members), high), size(members), high))
        memory = reader.plan.memory
        if way.is_whole and not left and not any(keys.is_far for keys in keyed):
            known = (twins, self.terms.tokens.alone)
            found = sets_together(code, memory, members, low, most, known, keyed)
            with found as (some, sets):
                values = self._lasting(some, way)
                self.answers.add_sets(some, self.position, values, members, sets)
            return
        with subsets(code, memory, members, low, most, twins, keyed) as (inside, made):

            def each(inside: Code, value: Expr) -> None:
                bound = reader.binding(inside, slot.bound, value)
                self._passing(bound, inside, left, way.given(value))

            self._kept(inside, made, each)

    def _tied(self, reader: Reader, slot: Slot, tests: list[Term]) -> list[Tie]:
        """What the members of a set must have in common."""
        return [
            tie
            for tie in ties(tests, slot.bound.index)
            if tie.alone or tie.bound.index not in reader.env
        ]

    def _shared(self, way: _Way) -> Candidates | None:
        """The members of the slot that has its value next, if other options begin with them."""
        return self.shared.of_slot(way.slot) if way.level == 0 else None

    def _offered(
        self, code: Code, slot: Slot, members: Expr, shared: Candidates | None = None
    ) -> tuple[Expr, Expr]:
        """Members in the order in which they are offered, and which are the same to the seat."""
        if has_tokens(slot.local.type):
            plain = None if shared is None else partial(shared.is_plain, seat=self.seat)
            return self.terms.tokens.offered(code, members, self.seat, plain)
        return members, self._twins(code, slot, members)

    def _listed(self, reader: Reader, slot: Slot, level: int) -> Expr:
        """The members of a domain in their own order."""
        shared = self.shared.of_slot(slot) if level == 0 else None
        if shared is None:
            return reader.code.keep(reader.listed(slot.domain.members))
        shared.find(reader, slot.domain.members)
        return shared.members

    def _tokens(self, reader: Reader, way: _Way) -> None:
        """A loop over tokens: those that pass, as they are offered, of look-alikes the first."""
        slot = way.slot
        shared = self._shared(way)
        if shared is not None:
            shared.find(reader, slot.domain.members)
            with reader.code.when(shared.may_pass(reader, slot, way.tests)) as maybe:
                inside = reader.inside(maybe)
                members = self._sieved(inside, shared.members, way)
                self._each_token(inside, members, way, shared)
        elif way.tests and is_scattered(slot.domain.members):
            self._each_token(reader, self._gathered(reader, way), way)
        else:
            members = self._listed(reader, slot, way.level)
            self._each_token(reader, self._sieved(reader, members, way), way)

    def _each_token(
        self, reader: Reader, members: Expr, way: _Way, shared: Candidates | None = None
    ) -> None:
        """A loop over tokens that have passed."""
        slot, code = way.slot, reader.code
        members, twins = self._offered(code, slot, members, shared)
        if way.is_whole:
            different = self._different(code, members, twins)
            self.answers.add_tokens(code, self.position, self._lasting(code, way), different)
            return
        with code.up_to(size(members)) as (inside, i):
            inside.again_if(at_least(element(twins, i), 0))
            value = inside.keep(element(members, i))
            bound = reader.binding(inside, slot.bound, value)
            self._passing(bound, inside, [], way.given(value))

    def _different(self, code: Code, members: Expr, twins: Expr) -> Expr:
        """Of members that are the same to the seat the first."""
        found = code.local("different", members)
        with code.when(differ(twins, self.terms.tokens.alone)) as mixed:
            growing = Growing.of(mixed, size(members))
            with mixed.up_to(size(members)) as (each, i):
                with each.when(less(element(twins, i), 0)) as first:
                    growing.push(first, element(members, i))
            mixed.set(found, growing.done(mixed))
        return found

    def _gathered(self, reader: Reader, way: _Way) -> Expr:
        """The tokens that pass, met in any order and put into theirs."""
        slot, code, members = way.slot, reader.code, way.slot.domain.members
        passing = Growing.of(code, reader.plan.tokens)
        with Streams(reader).each(members) as member, ExitStack() as stack:
            tested = reader.binding(member.code, slot.bound, member.value)
            for test in way.tests:
                with forgetting(tested):
                    holds = tested.code.keep(tested.test(test))
                tested = tested.inside(stack.enter_context(tested.code.when(holds)))
            passing.push(tested.code, member.value)
        return code.keep(call("arranged", passing.done(code)))

    def _sieved(self, reader: Reader, members: Expr, way: _Way) -> Expr:
        """The tokens that pass, in their order."""
        if not way.tests:
            return members
        code = reader.code
        passing = Growing.of(code, size(members))
        with elements(code, members) as (each, token):
            tested = reader.binding(each, way.slot.bound, token)
            for test in way.tests:
                with forgetting(tested):
                    holds = each.keep(tested.test(test))
                each.again_if(negate(holds))
            passing.push(each, token)
        return passing.done(code)

    def _members(self, code: Code, slot: Slot, members: Expr, each: _Each) -> None:
        inner = element_type(slot.domain.members.type)
        twins = None
        if inner is not None and is_list(inner):
            twins = self._twins(code, slot, members)
        elif not is_unique(slot.domain.members):
            members = code.keep(call("list_distinct", members))
        with code.up_to(size(members)) as (inside, i):
            if twins is not None:
                inside.again_if(at_least(element(twins, i), 0))
            each(inside, inside.keep(element(members, i)))

    def _kept(self, code: Code, made: Expr, each: _Each) -> None:
        """A set or an order; what is made for it is forgotten unless a row keeps something."""
        arena = self.terms.arena
        before = code.keep(code.local("rows", word(self.answers.rows)))
        inside = code.inner()
        each(inside, made)
        if any(calls_in(stmt) for stmt in inside.out):
            mark = arena.mark(code)
            code.put(*inside.out)
            with code.when(is_(word(self.answers.rows), before)) as unused:
                unused.put(arena.release(mark))
        else:
            code.put(*inside.out)

    def _twins(self, code: Code, slot: Slot, members: Expr) -> Expr:
        """Per member the last earlier one that is the same to the seat."""
        inner = element_type(slot.domain.members.type)
        if inner is not None and is_list(inner):
            if has_tokens(inner):
                raise Unsupported("choosing among sets of tokens")
            return twin_before(code, members, lambda _, a, b: call("list_is", a, b))
        return twin_before(code, members, lambda _, a, b: is_(a, b))
