"""Ways of cards: one lay here, seen by these, and now lies there, seen by those.

For each observer ways do two things: something leaves a place, and a place is reached with what was
known.  Rows keep knowledge by the cell, sets only as a fact.
"""

from functools import cached_property

from attrs import define

from compiler.lir.build import binary, both, choice, negate, num
from compiler.lir.core import Expr, Function, Local, Op
from compiler.lir.stepwise.code import (
    Code,
    Value,
    act,
    at,
    call,
    differ,
    function,
    is_,
    joined,
    less,
    put_word,
    word,
)
from compiler.lir.stepwise.facts import Facts
from compiler.lir.stepwise.lists import element, elements, size
from compiler.lir.stepwise.plan import Plan
from compiler.lir.stepwise.pools import SELDOM
from compiler.lir.stepwise.references import bit
from compiler.lir.stepwise.tokens import Tokens


@define(eq=False, slots=False)
class Ways:
    """What one event after the other does to what everybody knows, for one plan."""

    plan: Plan
    tokens: Tokens
    facts: Facts

    def functions(self) -> tuple[Function, ...]:
        """All that is below, for a program to take in."""
        return (
            function("who_sees", ("token",), self._who_sees),
            act("know_before", ("tokens",), self._before),
            act("know_told", ("tokens", "on"), self._mark_told),
            act("know_after", ("tokens", "shown", "orderly"), self._after),
            act("know_follow", ("tokens", "orderly"), self._follow),
            act("know_leave", ("tokens", "observer", "first"), self._leave),
            act("know_arrive", ("tokens", "observer", "follows"), self._arrive),
            act("know_look", ("tokens", "orderly"), self._look),
            function("unnamed_in", ("place", "observer"), self._unnamed),
            function("are_alike", ("tokens",), self._are_alike),
        )

    # ---- what is kept during one event

    @cached_property
    def was(self) -> int:
        """Per token: who saw it before the event."""
        return self._by_token()

    @cached_property
    def source(self) -> int:
        """Per token: where it lay."""
        return self._by_token()

    @cached_property
    def told(self) -> int:
        """Per token: whether the event is about it; 0 between events."""
        return self._by_token()

    @cached_property
    def _now(self) -> int:
        return self._by_token()

    @cached_property
    def _saw(self) -> int:
        """Per token: who saw it before, after, or on the way."""
        return self._by_token()

    @cached_property
    def _named(self) -> int:
        """Per token: who could name it before."""
        return self._by_token()

    @cached_property
    def _known(self) -> int:
        """Per token: whether the observer at hand still knows it."""
        return self._by_token()

    @cached_property
    def _watched(self) -> int:
        """Per place: who saw what lay face down in it before the event."""
        return self.plan.memory.words(len(self.plan.graph.places))

    def _by_token(self) -> int:
        return self.plan.memory.words(self.plan.tokens)

    # ---- sight

    def observers(self, code: Code, seats: Expr) -> Expr:
        """A mask of seats, with the public added if it is all of them."""
        kept = code.keep(seats)
        return choice(is_(kept, self.facts.everyone), num(self.facts.open_), kept)

    def _who_sees(self, code: Code, token: Local) -> None:
        """The mask of the observers that see a token's face where it lies."""
        code.give_if(less(self.tokens.kind(token), 0), 0)
        code.give_if(self.tokens.face(token), self.facts.open_)
        code.give(self.observers(code, call("viewers", self.tokens.place(token))))

    # ---- before and after an event

    def _before(self, code: Code, tokens: Local) -> None:
        """Keeps where some tokens lie, and who sees them."""
        last, watching = code.local("last", -1), code.local("watching", 0)
        with elements(code, tokens) as (each, token):
            place = each.keep(self.tokens.place(token))
            with each.when(differ(place, last)) as another:
                another.set(last, place)
                another.set(watching, self.observers(another, call("viewers", place)))
                another.put(put_word(self._watched, watching, place))
            seen = choice(self.tokens.face(token), num(self.facts.open_), watching)
            seen = choice(less(self.tokens.kind(token), 0), num(0), seen)
            each.put(put_word(self.was, seen, token), put_word(self.source, place, token))

    def _mark_told(self, code: Code, tokens: Local, on: Local) -> None:
        with elements(code, tokens) as (each, token):
            each.put(put_word(self.told, on, token))

    def _after(self, code: Code, tokens: Local, shown: Local, orderly: Local) -> None:
        """What an event of these tokens does to what everybody knows.

        Most often whoever could name them sees them now too, and nothing is known of what lay
        about them: then nothing has to be followed.
        """
        hidden, lost = code.local("is_hidden", 0), code.local("is_lost", 0)
        code.set(lost, differ(orderly, self.facts.open_))
        with elements(code, tokens) as (each, token):
            was, now = each.keep(word(self.was, token)), each.keep(call("who_sees", token))
            each.put(
                put_word(self._now, now, token),
                put_word(self._saw, joined(joined(was, now), shown), token),
                put_word(self._named, word(self.plan.knows, token), token),
            )
            with each.when(differ(both(was, now), self.facts.open_)) as some:
                some.set(hidden, 1)
                could = joined(word(self._saw, token), word(self._named, token))
                unseen = both(could, binary(Op.XOR, now, num(self.facts.open_)))
                about = call("has_facts", word(self.source, token))
                some.set(lost, joined(joined(lost, differ(unseen, 0)), about))
        code.give_if(negate(hidden))
        with code.when(negate(lost)) as plain:
            with elements(plain, tokens) as (each, token):
                each.put(put_word(self.plan.knows, 0, token))
            plain.do("know_look", tokens, orderly)
            plain.give()
        code.do("know_told", tokens, 1)
        code.do("know_follow", tokens, orderly)
        code.do("know_told", tokens, 0)

    def _follow(self, code: Code, tokens: Local, orderly: Local) -> None:
        """Knowledge after one event; only the observers in `orderly` know its tokens' order."""
        alike = code.local("alike", 0)
        with code.up_to(self.facts.seats + 1) as (each, observer):
            with elements(each, tokens) as (inside, token):
                could = joined(word(self._saw, token), word(self._named, token))
                inside.put(put_word(self._known, bit(could, observer), token))
            if self.plan.facts:
                with each.up_to(size(tokens)) as (inside, i):
                    inside.do("know_leave", tokens, observer, i)
            with each.when(differ(orderly, self.facts.open_)) as arranged:
                mine = binary(Op.SHL, call("are_alike", tokens), observer)
                arranged.set(alike, joined(alike, mine))
            each.do("know_arrive", tokens, observer, bit(joined(orderly, alike), observer))
            with each.when(word(self.facts.carried)) as carried:
                self.facts.put_down(carried, observer, self.tokens.place(element(tokens, 0)))
        code.do(
            "know_look",
            tokens,
            choice(bit(alike, self.facts.seats), num(self.facts.open_), orderly),
        )

    # ---- what one observer keeps

    def _leave(self, code: Code, tokens: Local, observer: Local, first: Local) -> None:
        """What an observer still knows of the place that the first of some tokens left.

        Tokens of one place are dealt with together, when the first of them is.
        """
        source = code.keep(word(self.source, element(tokens, first)))
        fact = code.keep(call("fact_of", observer, source))
        code.give_if(is_(fact, 0))
        code.give_if(is_(at(fact), 0))
        with code.up_to(first) as (each, i):
            each.give_if(is_(word(self.source, element(tokens, i)), source))
        unseen = code.local("unseen", 0)
        with code.up_to(size(tokens), first) as (each, i):
            token = each.keep(element(tokens, i))
            each.again_if(differ(word(self.source, token), source))
            could = joined(word(self.was, token), word(self._named, token))
            each.again_if(bit(could, observer))
            with each.either(word(self._known, token)) as (known, unknown):
                known.do("know_less", fact, call("sort_of", token))
                left = differ(self.tokens.place(token), source)
                unknown.step(unseen, left)
        code.give_if(is_(unseen, 0))
        target = code.keep(self.tokens.place(element(tokens, 0)))
        rest = call("unnamed_in", source, observer)
        with code.when(call("know_unseen", fact, source, target, unseen, rest)) as deduced:
            with deduced.up_to(size(tokens), first) as (each, i):
                token = each.keep(element(tokens, i))
                with each.when(is_(word(self.source, token), source)) as mine:
                    mine.put(put_word(self._known, 1, token))

    def _arrive(self, code: Code, tokens: Local, observer: Local, follows: Local) -> None:
        """What an observer knows of the places that tokens reach."""
        with elements(code, tokens) as (each, token):
            place = each.keep(self.tokens.place(token))
            seen = bit(word(self._now, token), observer)
            hidden = each.keep(both(word(self._known, token), negate(seen)))
            each.trap_if(both(hidden, less(self.tokens.kind(token), 0)), SELDOM)
            mark = binary(Op.SHL, num(1), observer)
            named = each.keep(both(both(hidden, follows), word(self.facts.rows, place)))
            others = both(word(self.plan.knows, token), binary(Op.XOR, mark, num(self.facts.open_)))
            now = choice(named, joined(others, mark), others)
            each.put(put_word(self.plan.knows, now, token))
            with each.when(both(hidden, negate(named))) as lost:
                lost.do("know_more", observer, place, call("sort_of", token), 1)

    def _look(self, code: Code, tokens: Local, orderly: Local) -> None:
        """Who has publicly seen the tokens where they lie now; lost in a set.

        After an order that only one seat knows, his having seen is known of a cell only if he had
        seen them all.
        """
        all_of_them = code.local("all", self.facts.everyone)
        with elements(code, tokens) as (each, token):
            each.set(all_of_them, both(all_of_them, self._looked(token)))
        with elements(code, tokens) as (each, token):
            arranged = both(both(orderly, all_of_them), num(self.facts.everyone))
            seats = choice(is_(orderly, self.facts.open_), self._looked(token), arranged)
            unseen = binary(Op.XOR, word(self._now, token), num(self.facts.open_))
            kept = choice(
                word(self.facts.rows, self.tokens.place(token)), both(seats, unseen), num(0)
            )
            each.put(put_word(self.plan.looked, kept, token))

    def _looked(self, token: Value) -> Expr:
        """The seats that have seen a token, as everybody could follow."""
        saw = both(word(self._saw, token), num(self.facts.everyone))
        return joined(word(self.plan.looked, token), saw)

    def _are_alike(self, code: Code, tokens: Local) -> None:
        """Whether an observer knows all of some tokens, and they are of one sort."""
        code.give_if(is_(size(tokens), 0), 0)
        first = code.keep(call("sort_of", element(tokens, 0)))
        with elements(code, tokens) as (each, token):
            each.give_if(negate(word(self._known, token)), 0)
            each.give_if(differ(call("sort_of", token), first), 0)
        code.give(1)

    def _unnamed(self, code: Code, place: Local, observer: Local) -> None:
        """How many cards that stayed in a place an observer could not tell before the event."""
        many = code.local("many", 0)
        watched = code.keep(word(self._watched, place))
        lying = code.keep(self.tokens.list_of(place))
        with elements(code, lying) as (each, token):
            each.again_if(word(self.told, token))
            seen = choice(self.tokens.face(token), num(self.facts.open_), watched)
            seen = choice(less(self.tokens.kind(token), 0), num(0), seen)
            could = joined(seen, word(self.plan.knows, token))
            each.step(many, negate(bit(could, observer)))
        code.give(many)
