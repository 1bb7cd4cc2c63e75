"""What somebody knows of cards that he cannot name: so many of each sort are among them.

A fact is about one observer and one place.  Only those are kept for which the layout has room; a
game in which somebody knows more than that stops the machine.
"""

from functools import cached_property
from typing import Final

from attrs import define

from compiler.graph.core import Shape
from compiler.lir.build import binary, both, choice, negate, num
from compiler.lir.core import Expr, Function, Local, Op
from compiler.lir.stepwise.code import (
    Code,
    act,
    at,
    call,
    differ,
    function,
    is_,
    joined,
    less,
    plus,
    put_at,
    put_word,
    times,
    word,
)
from compiler.lir.stepwise.lists import elements
from compiler.lir.stepwise.plan import Plan
from compiler.lir.stepwise.pools import SELDOM
from compiler.lir.stepwise.references import bit
from compiler.lir.stepwise.tokens import Tokens

_UNSEEN: Final = ("fact", "source", "target", "unseen", "rest")


@define(eq=False, slots=False)
class Facts:
    """The facts of one plan: each a total, then one number a sort; and who the observers are."""

    plan: Plan
    tokens: Tokens

    @property
    def seats(self) -> int:
        """How many seats there are; the observer of that number is the public."""
        return self.plan.graph.seats

    @property
    def everyone(self) -> int:
        """The mask of all seats."""
        return (1 << self.seats) - 1

    @property
    def open_(self) -> int:
        """The mask of all observers."""
        return (1 << self.seats + 1) - 1

    def functions(self) -> tuple[Function, ...]:
        """All that is below, for a program to take in."""
        return (
            function("fact_of", ("observer", "place"), self._fact_of),
            function("has_facts", ("place",), self._has_facts),
            function("know_unseen", _UNSEEN, self._unseen),
            act("know_more", ("observer", "place", "sort", "many"), self._more),
            act("know_less", ("fact", "sort"), self._less),
        )

    # ---- what never changes

    def sorts(self, place: int) -> int:
        """The sorts of a place's class, 0 where cards of all classes may lie."""
        class_index = self.plan.class_of(self.plan.graph.places[place])
        return 0 if class_index is None else self.plan.sort_count(class_index)

    @cached_property
    def sort_counts(self) -> int:
        """The same for each place, as a table."""
        return self.plan.memory.constant(tuple(map(self.sorts, range(len(self.plan.graph.places)))))

    @cached_property
    def rows(self) -> int:
        """Per place: whether its cells can be told apart."""
        shapes = (place.shape for place in self.plan.graph.places)
        return self.plan.memory.constant(tuple(int(shape is not Shape.SET) for shape in shapes))

    @cached_property
    def _facts(self) -> int:
        """Per observer and place: where its fact is, 0 for none."""
        many = range(len(self.plan.graph.places))
        return self.plan.memory.constant(
            tuple(
                self.plan.facts.get((observer, place), 0)
                for observer in range(self.seats + 1)
                for place in many
            )
        )

    @cached_property
    def _admitted(self) -> int:
        """Per place: where it is noted which sorts it admits; 0 for all."""
        rows = []
        for place in self.plan.graph.places:
            class_index = self.plan.class_of(place)
            if place.kinds is None or class_index is None:
                rows.append(0)
                continue
            bits = len(self.plan.sticky_bits[class_index])
            sorts = range(self.plan.sort_count(class_index))
            admitted = tuple(int(sort >> bits in place.kinds) for sort in sorts)
            rows.append(self.plan.memory.constant(admitted))
        return self.plan.memory.constant(tuple(rows))

    @cached_property
    def carried(self) -> int:
        """A fact that goes with cards to another place; all 0 between observers."""
        return self.plan.memory.words(self._longest)

    @cached_property
    def _longest(self) -> int:
        """The length of the longest fact: its total, and how many of each sort."""
        return 1 + max(map(self.sorts, range(len(self.plan.graph.places))))

    def _has_facts(self, code: Code, place: Local) -> None:
        """Whether somebody knows something of a place beyond what he can name."""
        for observer in range(self.seats + 1):
            fact = code.keep(call("fact_of", observer, place))
            with code.when(fact) as some:
                some.give_if(at(fact), 1)
        code.give(0)

    # ---- changes

    def _fact_of(self, code: Code, observer: Local, place: Local) -> None:
        """Where a fact is: its total, then one number a sort; 0 where there is room for none."""
        code.give(word(self._facts, plus(times(observer, len(self.plan.graph.places)), place)))

    def _more(self, code: Code, observer: Local, place: Local, sort: Local, many: Local) -> None:
        """So many more cards of a sort are known to be in a place."""
        code.give_if(negate(word(self.sort_counts, place)))
        fact = code.keep(call("fact_of", observer, place))
        code.trap_if(is_(fact, 0), SELDOM)
        code.put(
            put_at(fact, plus(at(fact, plus(sort, 1)), many), plus(sort, 1)),
            put_at(fact, plus(at(fact), many)),
        )

    def _less(self, code: Code, fact: Local, sort: Local) -> None:
        """One less of a sort, if there is one."""
        many = code.keep(at(fact, plus(sort, 1)))
        with code.when(many) as some:
            some.put(put_at(fact, plus(many, -1), plus(sort, 1)))
            some.put(put_at(fact, plus(at(fact), -1)))

    def put_down(self, code: Code, observer: Expr, place: Expr) -> None:
        """A fact that went with the cards of one move is one about the place they reached."""
        place = code.keep(place)
        with code.up_to(self._longest, 1) as (each, i):
            with each.when(word(self.carried, i)) as some:
                some.do("know_more", observer, place, plus(i, -1), word(self.carried, i))
                some.put(put_word(self.carried, 0, i))
        code.put(put_word(self.carried, 0))

    def _unseen(
        self, code: Code, fact: Local, source: Local, target: Local, unseen: Local, rest: Local
    ) -> None:
        """Cards that an observer cannot tell left a place of which he knew something.

        Tells whether he can now: `rest` more that he cannot tell are left there.
        """
        sorts = code.keep(word(self.sort_counts, source))
        kinds, only = code.local("kinds", 0), code.local("only", 0)
        with code.up_to(sorts) as (each, sort):
            with each.when(at(fact, plus(sort, 1))) as some:
                some.step(kinds)
                some.set(only, sort)
        full = both(is_(at(fact), plus(unseen, rest)), is_(kinds, 1))
        with code.when(full) as alike:
            # All there were alike, so he knows what they are.
            fewer = alike.keep(plus(at(fact, plus(only, 1)), times(unseen, -1)))
            alike.put(put_at(fact, fewer, plus(only, 1)), put_at(fact, fewer))
            alike.give(1)
        with code.when(is_(rest, 0)) as emptied:
            with emptied.up_to(plus(sorts, 1)) as (each, i):
                more = at(fact, i)
                each.put(put_word(self.carried, plus(word(self.carried, i), more), i))
                each.put(put_at(fact, 0, i))
            emptied.give(0)
        admitted = code.keep(word(self._admitted, target))
        total = code.local("total", 0)
        with code.up_to(sorts) as (each, sort):
            stays = each.local("stays", 0)
            with each.when(admitted) as choosy:
                with choosy.when(negate(at(admitted, sort))) as refused:
                    refused.set(stays, at(fact, plus(sort, 1)))
            each.put(put_at(fact, stays, plus(sort, 1)))
            each.step(total, stays)
        code.put(put_at(fact, total))
        code.give(0)

    def blur(self, code: Code, key: tuple[int, int], part: int, on: Expr, told: int) -> None:
        """A flag, `part` of a sort, is set on or taken off: on those tokens that are `told`."""
        fact, (observer, place) = self.plan.facts[key], key
        unnamed, changed = code.local("unnamed", 0), code.local("changed", 0)
        lying = code.keep(self.tokens.list_of(num(place)))
        with elements(code, lying) as (each, token):
            could = joined(call("who_sees", token), word(self.plan.knows, token))
            each.again_if(bit(could, observer))
            each.step(unnamed)
            each.step(changed, word(told, token))
        with code.when(changed) as some:
            with some.up_to(self.sorts(place)) as (each, sort):
                many = each.keep(word(fact, plus(sort, 1)))
                each.again_if(is_(many, 0))
                each.again_if(is_(differ(both(sort, num(part)), 0), on))
                with each.either(is_(changed, unnamed)) as (all_, few):
                    other = all_.keep(binary(Op.XOR, sort, num(part)))
                    sum_ = plus(word(fact, plus(other, 1)), many)
                    all_.put(put_word(fact, sum_, plus(other, 1)))
                    all_.put(put_word(fact, 0, plus(sort, 1)))
                    lost = few.keep(choice(less(changed, many), changed, many))
                    few.put(put_word(fact, plus(many, times(lost, -1)), plus(sort, 1)))
                    few.put(put_word(fact, plus(word(fact), times(lost, -1))))
