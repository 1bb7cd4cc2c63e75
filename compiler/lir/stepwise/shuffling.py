"""Shuffles: what is forgotten of a place, and what of it is seen again at once."""

from attrs import define

from compiler.graph.core import Node, Shape, Term
from compiler.lir.build import both, choice
from compiler.lir.core import Expr
from compiler.lir.reps import NONE, NOWHERE
from compiler.lir.stepwise.code import (
    Code,
    at,
    at_least,
    call,
    differ,
    is_,
    joined,
    less,
    plus,
    put_at,
    times,
    word,
)
from compiler.lir.stepwise.knowing import Knowing
from compiler.lir.stepwise.laws import Laws
from compiler.lir.stepwise.lists import element, size
from compiler.lir.stepwise.plan import Plan, TokenSlot, is_list, may_be_none
from compiler.lir.stepwise.pools import SELDOM
from compiler.lir.stepwise.terms import Terms
from compiler.lir.stepwise.tokens import PILE, Tokens
from compiler.lir.stepwise.watching import Watching


@define(eq=False)
class Shuffling:
    """Writes shuffles of one graph."""

    plan: Plan
    terms: Terms
    tokens: Tokens
    watching: Watching
    knowing: Knowing | None
    laws: Laws
    spare: int  # where it is kept how many steps more may be taken at once

    def step(self, code: Code, node: Node, term: Term) -> None:
        """Shuffles a place, when chance has settled what a pool cannot follow."""
        place = code.keep(self.terms.of(code).term(term))
        code.trap_if(is_(place, NONE), NOWHERE)
        unsettled = code.keep(call("unsettled", place))
        with code.when(size(unsettled)) as some:
            self.laws.at_draw(some)
            some.do("resolve", call("first_hidden", unsettled))
            some.give(node.id)
        if self.knowing is not None:
            code.do("know_shuffled", place)
            self.knowing.before(code, node)
        shapes = tuple(int(p.shape in (Shape.LIST, Shape.PILE)) for p in self.plan.graph.places)
        with code.when(word(self.plan.memory.constant(shapes), place)) as ordered:
            for number, slot in enumerate(self.plan.token_slots):
                self._forget(ordered, number, slot, place)
        code.do("shuffle", place)
        if self.knowing is not None:
            self.knowing.after(code, node)
        if self.watching.steady:
            # Those who go step by step would stop between two cards.
            with code.when(less(word(self.spare), 1)) as stepping:
                stepping.do("refuse_seen", place)
            self._see_again(code, place)
        else:
            code.do("refuse_seen", place)

    def _see_again(self, code: Code, place: Expr) -> None:
        """What somebody sees in a place that was shuffled gets its kinds, in its order."""
        seen = code.keep(differ(call("viewers", place), 0))
        lying = code.keep(self.tokens.list_of(place))
        pile = code.keep(is_(self.tokens.shape(place), PILE))
        with code.up_to(size(lying)) as (each, i):
            last = plus(plus(size(lying), -1), times(i, -1))
            token = each.keep(element(lying, each.keep(choice(pile, last, i))))
            hidden = less(self.tokens.kind(token), 0)
            with each.when(both(hidden, joined(seen, self.tokens.face(token)))) as open_:
                self.laws.at_draw(open_)
                open_.do("resolve", token)
                if self.knowing is not None:
                    open_.do("know_revealed", token)

    def _forget(self, code: Code, number: int, slot: TokenSlot, place: Expr) -> None:
        """A card that is shuffled away cannot be followed: no variable means it any more."""
        address, type_ = slot.address, slot.home.variable.type
        if is_list(type_):
            many = code.keep(at(address))
            with code.when(less(0, many)) as some:
                kept = some.local("kept", 0)
                with some.up_to(many) as (each, i):
                    token = each.keep(at(address, plus(i, 1)))
                    with each.when(differ(self.tokens.place(token), place)) as stays:
                        stays.step(kept)
                        stays.put(put_at(address, token, kept))
                some.put(put_at(address, kept))
            return
        token = code.keep(at(address))
        with code.when(at_least(token, 0)) as there:
            with there.when(is_(self.tokens.place(token), place)) as lost:
                if may_be_none(type_):
                    lost.put(put_at(address, NONE))
                else:
                    self.tokens.references.trap_if_live(lost, number, SELDOM)
