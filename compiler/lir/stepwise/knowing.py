"""Who knows what of hidden cards, kept beside the table: the ghost part of a state.

The same as the interpreter's observer does, event by event and bit by bit.  Per token there is a
mask of those who can name it where it lies (`knows`) and of the seats that have looked at it
(`looked`); per observer and place, what he knows of cards that he cannot name there.  Observers are
the seats and, behind them, the public.

No rule reads any of it, so programs have it only where somebody asks for it.
"""

from functools import cached_property

from attrs import define, field

from compiler.analysis.following import Arrangement, arrangements, shown_moves
from compiler.graph.core import Node, Term
from compiler.lir.build import binary, both, choice, negate, num
from compiler.lir.core import Expr, Function, Local, Op
from compiler.lir.reps import NONE
from compiler.lir.stepwise.code import (
    Code,
    Value,
    act,
    at,
    call,
    differ,
    is_,
    joined,
    less,
    plus,
    put_word,
    times,
    word,
)
from compiler.lir.stepwise.facts import Facts
from compiler.lir.stepwise.lists import element, elements, new, push, size
from compiler.lir.stepwise.plan import Plan, is_list
from compiler.lir.stepwise.pools import SELDOM
from compiler.lir.stepwise.references import bit
from compiler.lir.stepwise.terms import Terms, seat_mask
from compiler.lir.stepwise.tokens import Tokens
from compiler.lir.stepwise.watching import Watching
from compiler.lir.stepwise.ways import Ways


@define(eq=False, slots=False)
class Knowing:
    """Keeps what everybody knows of one graph true to what everybody could follow.

    An event is told before it happens and after, as to an observer of the interpreter.
    """

    plan: Plan
    terms: Terms
    tokens: Tokens
    watching: Watching
    facts: Facts = field(init=False)
    ways: Ways = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.facts = Facts(self.plan, self.tokens)
        self.ways = Ways(self.plan, self.tokens, self.facts)

    @cached_property
    def _arrangements(self) -> dict[int, Arrangement]:
        return arrangements(self.plan.graph)

    @cached_property
    def _shown(self) -> dict[int, Term]:
        return shown_moves(self.plan.graph)

    def functions(self) -> tuple[Function, ...]:
        """All that is below, for a program to take in."""
        return (
            *self.facts.functions(),
            *self.ways.functions(),
            act("know_shown", ("tokens", "watchers"), self._show),
            act("know_among", ("tokens", "at", "observer"), self._among),
            act("know_shuffled", ("place",), self._shuffle),
            act("know_flagged", ("tokens", "flag", "on"), self._blur),
            act("know_revealed", ("token",), self._reveal),
        )

    # ---- events, as steps tell them

    def before(self, code: Code, node: Node, tokens: Expr | None = None) -> None:
        """An event is about to happen, of these tokens."""
        if tokens is not None:
            code.do("know_before", tokens)
        for place in self.watching.places(node):
            code.do("know_before", self.tokens.list_of(num(place)))

    def after(
        self,
        code: Code,
        node: Node,
        tokens: Expr | None = None,
        shown: Value = 0,
        orderly: Expr | None = None,
    ) -> None:
        """It has happened; others may see now what they did not see."""
        places = self.watching.places(node)
        if tokens is not None:
            code.do("know_after", tokens, shown, self.facts.open_ if orderly is None else orderly)
        if places:
            if tokens is not None:
                code.do("know_told", tokens, 1)
            self._others(code, places)
            if tokens is not None:
                code.do("know_told", tokens, 0)

    def _others(self, code: Code, places: tuple[int, ...]) -> None:
        """Tokens that lie where they lay, and are seen by others than before."""
        found = new(code, self.plan.tokens)
        for place in places:
            lying = code.keep(self.tokens.list_of(num(place)))
            with elements(code, lying) as (each, token):
                each.again_if(word(self.ways.told, token))
                with each.when(
                    differ(word(self.ways.was, token), call("who_sees", token))
                ) as other:
                    push(other, found, token)
        code.do("know_after", found, 0, self.facts.open_)

    def order(self, code: Code, node: Node, tokens: Expr) -> Expr:
        """The mask of the observers who know the order in which a move puts its tokens."""
        arrangement = self._arrangements.get(node.id)
        if arrangement is None:
            return num(self.facts.open_)
        orderly: Expr = num(0)
        if arrangement.seat is not None:
            orderly = seat_mask(self.terms.of(code), arrangement.seat)
        return code.keep(choice(less(1, size(tokens)), orderly, num(self.facts.open_)))

    def shown(self, code: Code, node: Node) -> Expr:
        """The mask of the observers to whom the tokens of a move were shown just before it."""
        term = self._shown.get(node.id)
        return num(0) if term is None else code.keep(self.audience(code, term))

    def audience(self, code: Code, term: Term) -> Expr:
        """The mask of the observers that a term names; `none` is everybody."""
        reader = self.terms.of(code)
        if is_list(term.type):
            named = seat_mask(reader, term)
        else:
            seat = code.keep(reader.term(term))
            one = binary(Op.SHL, num(1), choice(is_(seat, NONE), num(0), seat))
            named = choice(is_(seat, NONE), num(self.facts.everyone), one)
        return self.ways.observers(code, named)

    # ---- events that are no ways

    def _show(self, code: Code, tokens: Local, watchers: Local) -> None:
        """Faces are named where they lie in a row; in a set it is known that they are there."""
        with code.up_to(self.facts.seats + 1) as (each, observer):
            each.again_if(negate(bit(watchers, observer)))
            mark = each.keep(binary(Op.SHL, num(1), observer))
            with each.up_to(size(tokens)) as (inside, i):
                token = inside.keep(element(tokens, i))
                place = inside.keep(self.tokens.place(token))
                inside.again_if(bit(call("who_sees", token), observer))
                row = inside.keep(word(self.facts.rows, place))
                with inside.when(both(row, less(observer, self.facts.seats))) as seat:
                    seen = joined(word(self.plan.looked, token), mark)
                    seat.put(put_word(self.plan.looked, seen, token))
                inside.again_if(bit(word(self.plan.knows, token), observer))
                with inside.either(row) as (in_row, in_set):
                    fact = in_row.keep(call("fact_of", observer, place))
                    with in_row.when(fact) as some:
                        some.do("know_less", fact, call("sort_of", token))
                    named = joined(word(self.plan.knows, token), mark)
                    in_row.put(put_word(self.plan.knows, named, token))
                    in_set.do("know_among", tokens, i, observer)

    def _among(self, code: Code, tokens: Local, at_: Local, observer: Local) -> None:
        """One more card that was shown in a set: so many of its sort are there, at least."""
        token = code.keep(element(tokens, at_))
        place, sort = code.keep(self.tokens.place(token)), code.keep(call("sort_of", token))
        code.give_if(negate(word(self.facts.sort_counts, place)))
        many = code.local("many", 1)
        with code.up_to(at_) as (each, i):
            other = each.keep(element(tokens, i))
            each.again_if(differ(self.tokens.place(other), place))
            each.again_if(differ(call("sort_of", other), sort))
            could = joined(call("who_sees", other), word(self.plan.knows, other))
            each.step(many, negate(bit(could, observer)))
        fact = code.keep(call("fact_of", observer, place))
        code.trap_if(is_(fact, 0), SELDOM)
        known = code.keep(at(fact, plus(sort, 1)))
        with code.when(less(known, many)) as more:
            more.do("know_more", observer, place, sort, plus(many, times(known, -1)))

    def _shuffle(self, code: Code, place: Local) -> None:
        """What an observer could name in a place is only known to be in it."""
        lying = code.keep(self.tokens.list_of(place))
        with elements(code, lying) as (each, token):
            knows = each.keep(word(self.plan.knows, token))
            with each.when(knows) as some:
                unseen = binary(Op.XOR, call("who_sees", token), num(self.facts.open_))
                lost = some.keep(both(knows, unseen))
                with some.up_to(self.facts.seats + 1) as (inside, observer):
                    with inside.when(bit(lost, observer)) as his:
                        his.do("know_more", observer, place, call("sort_of", token), 1)
            each.put(put_word(self.plan.knows, 0, token), put_word(self.plan.looked, 0, token))

    def _blur(self, code: Code, tokens: Local, flag: Local, on: Local) -> None:
        """A flag that is part of the face is set on, or taken off, tokens that some cannot name.

        Where it happens to all of these in a place, a fact speaks of them as they are now; else
        each may be one of those that the fact speaks of.
        """
        code.do("know_told", tokens, 1)
        for (observer, place), fact in self.plan.facts.items():
            class_index = self.plan.class_of(self.plan.graph.places[place])
            bits = () if class_index is None else self.plan.sticky_bits[class_index]
            for position, number in enumerate(bits):
                with code.when(both(is_(flag, number), differ(word(fact), 0))) as mine:
                    self.facts.blur(mine, (observer, place), 1 << position, on, self.ways.told)
        code.do("know_told", tokens, 0)

    def _reveal(self, code: Code, token: Local) -> None:
        """After a shuffle of a place that lies open: who sees it knows which kind this one is."""
        now = code.keep(call("who_sees", token))
        made = new(code, 1)
        push(code, made, token)
        code.put(
            put_word(self.ways.was, 0, token),
            put_word(self.ways.source, self.tokens.place(token), token),
        )
        with code.when(now) as seen:
            seen.do("know_after", made, 0, self.facts.open_)
