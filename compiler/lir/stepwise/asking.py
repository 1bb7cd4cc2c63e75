"""Decisions: the legal options in canonical order, one of which is taken at random."""

from attrs import define, field

from compiler.graph.core import (
    Choose,
    DomainMode,
    Node,
    Option,
    Slot,
)
from compiler.lir.build import both, choice, negate, num
from compiler.lir.core import Expr, Local
from compiler.lir.core import Function as Made
from compiler.lir.reps import DEAD_END, NONE
from compiler.lir.stepwise.answers import DECLINE, Answers, Picked
from compiler.lir.stepwise.code import (
    Code,
    at,
    call,
    differ,
    function,
    is_,
    less,
    plus,
    put_at,
    put_word,
    word,
)
from compiler.lir.stepwise.legal import Legal, asking_once
from compiler.lir.stepwise.lists import element, elements, size
from compiler.lir.stepwise.plan import Plan, is_list
from compiler.lir.stepwise.pools import below
from compiler.lir.stepwise.shared import Shared
from compiler.lir.stepwise.storing import Form, Storing
from compiler.lir.stepwise.terms import Terms
from compiler.lir.stepwise.tokens import Tokens
from compiler.lir.stepwise.unique import is_unique


@define(eq=False)
class Asking:
    """The decisions of one graph."""

    plan: Plan
    terms: Terms
    tokens: Tokens
    storing: Storing
    decisions: int  # where answers are counted
    answers: Answers = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.answers = Answers.of(self.plan)

    def functions(self) -> tuple[Made, ...]:
        """For each decision one that lists the answers of a seat and says how many there are."""
        return (
            *self.answers.functions(),
            *(
                self._options(node, node.step)
                for node in self.plan.graph.nodes
                if isinstance(node.step, Choose)
            ),
        )

    # ---- the list of options

    def _options(self, node: Node, step: Choose) -> Made:
        def body(code: Code, seat: Local) -> None:
            self.answers.clear(code)
            env: dict[int, Expr] = {} if step.seat is None else {step.seat.index: seat}
            if step.joint and self.plan.token_slots:
                self._hide_picks(code, step)
            shared = Shared.of(self.plan, code, step.options)
            for position, option in enumerate(asking_once(code, step.options)):
                before = code.keep(code.local("before", word(self.answers.count)))
                asked = Legal(self.terms, self.answers, seat, position, option.option, shared)
                asked.option(self.terms.of(code, {**env, **option.known}))
                if option.can is not None:
                    code.set(option.can, less(before, word(self.answers.count)))
            if step.optional:
                self.answers.add(code, DECLINE)
            code.give(word(self.answers.count))

        return function(f"options{node.id}", ("seat",), body, note=node.title)

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
        picked = self._drawn(code, seat, count)
        for position, option in enumerate(step.options):
            with code.when(is_(picked.position, position)) as taken:
                self._take(taken, option, picked, ())
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

    def _drawn(self, code: Code, seat: Expr, count: Expr) -> Picked:
        """The answer that a random player takes."""
        code.put(put_word(self.decisions, plus(word(self.decisions), 1)))
        return self.answers.pick(code, code.keep(below(plus(seat, 1), count)))

    def _take(self, code: Code, option: Option, picked: Picked, keys: tuple[Expr, ...]) -> None:
        reader = self.terms.of(code)
        values = self.answers.values(code, option, picked)
        for slot, value in zip(option.slots, values, strict=True):
            address = reader.slot(slot.local, list(keys))
            form = Form.UNIQUE if _is_of_different(slot) else Form.ANY
            self.storing.store(code, slot.local, address, value, slot.bound.type, form)

    def ask_all(self, code: Code, node: Node, step: Choose) -> None:
        """A joint decision: one seat answers each time the node is gone through."""
        assert step.picked is not None
        reader = self.terms.of(code)
        seats = code.keep(reader.listed(step.actor))
        first = code.local("first", -1)
        otherwise = len(step.options) + step.optional + 1
        with elements(code, seats) as (each, seat):
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
        answer = self._drawn(code, first, count)
        picked = code.keep(reader.slot(step.picked, [first]))
        decline = len(step.options)
        chosen = code.keep(choice(less(answer.position, 0), num(decline), answer.position))
        for position, option in enumerate(step.options):
            with code.when(is_(answer.position, position)) as taken:
                self._take(taken, option, answer, (first,))
        code.put(put_at(picked, plus(chosen, 1)))
        with elements(code, seats) as (each, one):
            mine = each.keep(self.terms.of(each).slot(step.picked, [each.keep(one)]))
            each.give_if(negate(self._has_picked(each, mine)), node.id)
        code.give(node.next[0])

    def _has_picked(self, code: Code, address: Expr) -> Expr:
        held = code.keep(at(address))
        return both(differ(held, 0), differ(held, NONE))


def _is_of_different(slot: Slot) -> bool:
    """Whether the value of a slot is a set, of members that are all different."""
    return slot.domain.mode is DomainMode.SUBSETS and is_unique(slot.domain.members)
