"""Decisions: the legal options in canonical order, one of which is taken at random.

An option is a row: its position, then the values of its slots; `-1` declines.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final, TypeAlias

from attrs import define, field, frozen

from compiler.graph.core import (
    Bound,
    Choose,
    DomainMode,
    Guard,
    Node,
    Option,
    Slot,
    Term,
)
from compiler.graph.walk import subterms
from compiler.lir.build import both, choice, negate, num
from compiler.lir.core import Expr, Local
from compiler.lir.core import Function as Made
from compiler.lir.reps import DEAD_END, NONE, Unsupported
from compiler.lir.stepwise.asks import forgetting
from compiler.lir.stepwise.choosing import orders, subsets, twin_before
from compiler.lir.stepwise.code import (
    Code,
    at,
    at_least,
    call,
    differ,
    function,
    is_,
    less,
    plus,
    put_at,
    put_word,
    times,
    word,
)
from compiler.lir.stepwise.lists import OVERFLOW, element, size
from compiler.lir.stepwise.plan import Plan, has_tokens, is_list
from compiler.lir.stepwise.pools import below
from compiler.lir.stepwise.storing import Storing
from compiler.lir.stepwise.terms import Reader, Terms
from compiler.lir.stepwise.ties import Keyed, Tie, ties
from compiler.lir.stepwise.tokens import Tokens
from compiler.lir.stepwise.unique import is_unique
from compiler.types import element as element_type

MOST_ROWS: Final = 1 << 12
"""Answers that one decision has room for."""

DECLINE: Final = -1

_Each: TypeAlias = Callable[[Code, Expr], None]


@define(eq=False)
class Asking:
    """The decisions of one graph."""

    plan: Plan
    terms: Terms
    tokens: Tokens
    storing: Storing
    decisions: int  # where answers are counted
    rows: int = field(init=False)
    width: int = field(init=False)
    count: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        steps = [node.step for node in self.plan.graph.nodes]
        slots = [len(o.slots) for step in steps if isinstance(step, Choose) for o in step.options]
        self.width = 1 + max(slots, default=0)
        self.rows = self.plan.memory.words(self.width * MOST_ROWS)
        self.count = self.plan.memory.words(1)

    def functions(self) -> tuple[Made, ...]:
        """One for each decision, which fills the rows for a seat and says how many there are."""
        return tuple(
            self._options(node, node.step)
            for node in self.plan.graph.nodes
            if isinstance(node.step, Choose)
        )

    # ---- the list of options

    def _options(self, node: Node, step: Choose) -> Made:
        def body(code: Code, seat: Local) -> None:
            code.put(put_word(self.count, 0))
            env: dict[int, Expr] = {} if step.seat is None else {step.seat.index: seat}
            if step.joint and self.plan.token_slots:
                self._hide_picks(code, step)
            shared = _Shared.of(code, step.options)
            for position, option in enumerate(step.options):
                asked = _Asked(self, code, seat, position, option, shared)
                asked.option(self.terms.of(code, dict(env)))
            if step.optional:
                self.add(code, DECLINE, ())
            code.give(word(self.count))

        return function(f"options{node.id}", ("seat",), body, note=node.title)

    def add(self, code: Code, position: int, values: tuple[Expr, ...]) -> None:
        """One more row."""
        number = code.keep(word(self.count))
        code.trap_if(at_least(number, MOST_ROWS), OVERFLOW)
        row = code.keep(plus(times(number, 4 * self.width), self.rows))
        code.put(put_at(row, position))
        for at_, value in enumerate(values):
            code.put(put_at(row, value, at_ + 1))
        code.put(put_word(self.count, plus(number, 1)))

    def _hide_picks(self, code: Code, step: Choose) -> None:
        """Sealed picks tell nobody's cards apart."""
        sealed = {slot.local for option in step.options for slot in option.slots}
        code.do("find_live")
        for number, slot in enumerate(self.plan.token_slots):
            if slot.home.variable in sealed:
                self.tokens.references.overlook(code, number)

    # ---- asking

    def ask(self, code: Code, node: Node, step: Choose) -> None:
        """A decision of one seat: leaves the function for what follows the answer."""
        seat = self.seat(code, step)
        count = code.keep(call(f"options{node.id}", seat))
        if step.has_otherwise:
            nothing = is_(count, 1 if step.optional else 0)
            code.give_if(nothing, node.next[-1])
        code.trap_if(is_(count, 0), DEAD_END)
        row = self._drawn(code, seat, count)
        for position, option in enumerate(step.options):
            with code.when(is_(at(row), position)) as taken:
                self._take(taken, option, row, ())
                taken.give(node.next[position])
        code.give(node.next[len(step.options)] if step.optional else node.next[0])

    def seat(self, code: Code, step: Choose) -> Expr:
        """Who is asked; of a list the first."""
        reader = self.terms.of(code)
        seat = code.keep(reader.term(step.actor))
        if is_list(step.actor.type):
            seat = code.keep(choice(size(seat), element(seat, 0), num(NONE)))
        code.trap_if(is_(seat, NONE), DEAD_END)
        return seat

    def _drawn(self, code: Code, seat: Expr, count: Expr) -> Expr:
        """The row that a random player takes."""
        code.put(put_word(self.decisions, plus(word(self.decisions), 1)))
        number = code.keep(below(plus(seat, 1), count))
        return code.keep(plus(times(number, 4 * self.width), self.rows))

    def _take(self, code: Code, option: Option, row: Expr, keys: tuple[Expr, ...]) -> None:
        reader = self.terms.of(code)
        for at_, slot in enumerate(option.slots):
            address = reader.slot(slot.local, list(keys))
            self.storing.store(code, slot.local, address, at(row, at_ + 1), slot.bound.type)

    def ask_all(self, code: Code, node: Node, step: Choose) -> None:
        """A joint decision: one seat answers each time the node is gone through."""
        assert step.picked is not None
        reader = self.terms.of(code)
        seats = code.keep(reader.listed(step.actor))
        first = code.local("first", -1)
        otherwise = len(step.options) + step.optional + 1
        with code.up_to(size(seats)) as (each, i):
            seat = each.keep(element(seats, i))
            picked = self.terms.of(each).slot(step.picked, [seat])
            picked = each.keep(picked)
            each.again_if(self._has_picked(each, picked))
            options = each.keep(call(f"options{node.id}", seat))
            with each.either(is_(options, 0)) as (none, some):
                if step.has_otherwise:
                    none.put(put_at(picked, otherwise))
                else:
                    none.trap_if(num(1), DEAD_END)
                with some.when(less(first, 0)) as its_turn:
                    its_turn.set(first, seat)
        code.give_if(less(first, 0), node.next[0])
        count = code.keep(call(f"options{node.id}", first))
        row = self._drawn(code, first, count)
        picked = code.keep(reader.slot(step.picked, [first]))
        decline = len(step.options)
        chosen = code.keep(choice(less(at(row), 0), num(decline), at(row)))
        for position, option in enumerate(step.options):
            with code.when(is_(at(row), position)) as taken:
                self._take(taken, option, row, (first,))
        code.put(put_at(picked, plus(chosen, 1)))
        with code.up_to(size(seats)) as (each, i):
            mine = each.keep(self.terms.of(each).slot(step.picked, [each.keep(element(seats, i))]))
            each.give_if(negate(self._has_picked(each, mine)), node.id)
        code.give(node.next[0])

    def _has_picked(self, code: Code, address: Expr) -> Expr:
        held = code.keep(at(address))
        return both(differ(held, 0), differ(held, NONE))


@frozen(eq=False)
class _Candidates:
    """The members of a domain as they are offered, found when they are first asked for."""

    known: Local
    members: Local
    twins: Local


@frozen(eq=False)
class _Shared:
    """The domains of tokens with which several options begin."""

    found: dict[Term, _Candidates]

    @classmethod
    def of(cls, code: Code, options: tuple[Option, ...]) -> "_Shared":
        """Those of some options, none of them known yet."""
        first = [option.slots[0] for option in options if option.slots]
        many = Counter(slot.domain.members for slot in first if has_tokens(slot.local.type))
        made = {}
        for term, times_ in many.items():
            if times_ > 1:
                names = (Local(code.names.fresh(stem)) for stem in ("members", "twins"))
                made[term] = _Candidates(code.local("is_known", 0), *names)
        return cls(made)


@define(eq=False)
class _Asked:
    """Enumerates one option for a seat: a loop for each slot, guards tested as early as may be."""

    asking: Asking
    code: Code
    seat: Expr
    position: int
    option_: Option
    shared: _Shared

    def option(self, reader: Reader) -> None:
        """Adds a row for each legal answer."""
        levels = _levels(self.option_)
        self._guarded(reader, levels, -1, ())

    def _guarded(
        self,
        reader: Reader,
        levels: list[tuple[Guard, int]],
        level: int,
        values: tuple[Expr, ...],
    ) -> None:
        """Tests the guards of a level, then goes through the next slot."""
        code = reader.code
        guards = [guard.holds for guard, its in levels if its == level]
        if level >= 0:
            where = self.option_.slots[level].where
            if where is not None:
                guards.insert(0, where)
        self._passing(reader, code, guards, levels, level, values)

    def _passing(
        self,
        reader: Reader,
        code: Code,
        guards: list[Term],
        levels: list[tuple[Guard, int]],
        level: int,
        values: tuple[Expr, ...],
    ) -> None:
        if guards:
            with forgetting(reader.inside(code)):
                holds = code.keep(reader.inside(code).test(guards[0]))
            with code.when(holds) as passed:
                self._passing(reader, passed, guards[1:], levels, level, values)
        elif level + 1 == len(self.option_.slots):
            self.asking.add(code, self.position, values)
        else:
            self._slot(reader.inside(code), levels, level + 1, values)

    def _slot(
        self,
        reader: Reader,
        levels: list[tuple[Guard, int]],
        level: int,
        values: tuple[Expr, ...],
    ) -> None:
        """A loop over the candidates of a slot."""
        slot, code = self.option_.slots[level], reader.code
        members, twins = self._candidates(reader, slot, level)

        def each(inside: Code, value: Expr) -> None:
            bound = reader.binding(inside, slot.bound, value)
            self._guarded(bound, levels, level, (*values, value))

        match slot.domain.mode:
            case DomainMode.MEMBERS:
                self._members(code, slot, members, twins, each)
            case DomainMode.SUBSETS:
                low, high = reader.bounds(slot.domain.low, slot.domain.high, members)
                twins = twins or self._twins(code, slot, members)
                tied = self._tied(reader, slot, [g.holds for g, its in levels if its == level])
                keyed = [Keyed.of(reader, members, tie) for tie in tied]
                with subsets(code, members, low, high, twins, keyed) as (inside, made):
                    self._kept(inside, made, each)
            case DomainMode.ORDERS:
                twins = twins or self._twins(code, slot, members)
                with orders(code, members, twins) as (inside, made):
                    self._kept(inside, made, each)

    def _tied(self, reader: Reader, slot: Slot, guards: list[Term]) -> list[Tie]:
        """What the members of a set must have in common."""
        asked = guards if slot.where is None else [slot.where, *guards]
        return [
            tie
            for tie in ties(asked, slot.bound.index)
            if tie.alone or tie.bound.index not in reader.env
        ]

    def _candidates(self, reader: Reader, slot: Slot, level: int) -> tuple[Expr, Expr | None]:
        """The members of a domain in the order in which they are offered; their twins if known."""
        code = reader.code
        if not has_tokens(slot.local.type):
            return code.keep(reader.listed(slot.domain.members)), None
        shared = self.shared.found.get(slot.domain.members) if level == 0 else None
        if shared is None:
            return self._presented(reader, slot), None
        with code.when(is_(shared.known, 0)) as first:
            first.set(shared.members, self._presented(reader.inside(first), slot))
            first.set(shared.twins, self._twins(first, slot, shared.members))
            first.set(shared.known, 1)
        return shared.members, shared.twins

    def _presented(self, reader: Reader, slot: Slot) -> Expr:
        members = reader.code.keep(reader.listed(slot.domain.members))
        return reader.code.keep(call("presented", members, self.seat))

    def _members(
        self, code: Code, slot: Slot, members: Expr, twins: Expr | None, each: _Each
    ) -> None:
        inner = element_type(slot.domain.members.type)
        if has_tokens(slot.local.type) or (inner is not None and is_list(inner)):
            twins = twins or self._twins(code, slot, members)
        elif not is_unique(slot.domain.members):
            members = code.keep(call("list_distinct", members))
        with code.up_to(size(members)) as (inside, i):
            if twins is not None:
                inside.again_if(at_least(element(twins, i), 0))
            each(inside, inside.keep(element(members, i)))

    def _kept(self, code: Code, made: Expr, each: _Each) -> None:
        """A list that is forgotten unless a row keeps it."""
        before = code.keep(code.local("rows", word(self.asking.count)))
        each(code, made)
        with code.when(is_(word(self.asking.count), before)) as unused:
            unused.put(self.asking.terms.arena.release(made))

    def _twins(self, code: Code, slot: Slot, members: Expr) -> Expr:
        """Per member the last earlier one that is the same to the seat."""
        inner = element_type(slot.domain.members.type)
        if inner is not None and is_list(inner):
            if has_tokens(inner):
                raise Unsupported("choosing among sets of tokens")
            return twin_before(code, members, lambda _, a, b: call("list_is", a, b))
        if not has_tokens(slot.local.type):
            return twin_before(code, members, lambda _, a, b: is_(a, b))
        return code.keep(call("twins_of", members, self.seat))


def _levels(option: Option) -> list[tuple[Guard, int]]:
    """Each guard with the last slot that it, or a guard before it, reads; -1 if none does."""
    position = {slot.bound.index: at_ for at_, slot in enumerate(option.slots)}
    levels = []
    level = -1
    for guard in option.guards:
        parts = [part for part in subterms(guard.holds) if isinstance(part, Bound)]
        level = max([level, *(position[p.index] for p in parts if p.index in position)])
        levels.append((guard, level))
    return levels
