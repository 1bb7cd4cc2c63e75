"""Tokens on the table: what lies in a place and in which order, and which tokens look alike.

Ordered places keep their tokens as they lie, piles with the top last; sets in the order in which
they were last read.  Look-alikes of a set are ordered by the live variables that refer to them.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Final

from attrs import define, field

from compiler.graph.core import Shape
from compiler.lir.build import binary, both, choice, negate, num
from compiler.lir.core import Expr, Function, Local, Number, Op, Stmt
from compiler.lir.reps import UNDEFINED
from compiler.lir.stepwise.code import (
    WIDTH,
    Code,
    Value,
    at,
    at_least,
    call,
    differ,
    expr,
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
from compiler.lir.stepwise.lists import element, elements, new, push, size
from compiler.lir.stepwise.plan import MOST_KINDS, Plan
from compiler.lir.stepwise.references import References, bit

SET, LIST, PILE, ONE = range(4)
_SHAPES: Final = {Shape.SET: SET, Shape.LIST: LIST, Shape.PILE: PILE, Shape.ONE: ONE}

_FLAGS: Final = (1 << 30) - 1

_UNSEEN: Final = 29
"""The bit that tells a back from a front."""


def shifted_left(value: Value, by: int) -> Expr:
    """The bits moved up."""
    return binary(Op.SHL, expr(value), num(by))


def some(value: Expr) -> Expr:
    """Whether a number is not zero."""
    return differ(value, 0)


@define(eq=False)
class Tokens:
    """Functions about tokens for one plan, and the tables they read."""

    plan: Plan
    shapes: int = field(init=False)
    lying: int = field(init=False)
    references: References = field(init=False)

    def __attrs_post_init__(self) -> None:
        plan, memory = self.plan, self.plan.memory
        places = plan.graph.places
        self.shapes = memory.constant(tuple(_SHAPES[place.shape] for place in places))
        self.lying = memory.constant(plan.lying)
        self.references = References(plan)

    # ---- arrays of the table

    def kind(self, token: Value) -> Expr:
        """The kind of a token."""
        return word(self.plan.kind, token)

    def pool(self, token: Value) -> Expr:
        """The pool of a token."""
        return word(self.plan.pool, token)

    def place(self, token: Value) -> Expr:
        """The place of a token."""
        return word(self.plan.place, token)

    def face(self, token: Value) -> Expr:
        """Whether a token lies face up."""
        return word(self.plan.face, token)

    def flags(self, token: Value) -> Expr:
        """The flags of a token."""
        return word(self.plan.flags, token)

    def count(self, place: Value) -> Expr:
        """How many tokens lie in a place."""
        return at(self.list_of(place))

    def shape(self, place: Value) -> Expr:
        """How a place keeps them."""
        return word(self.shapes, place)

    def list_of(self, place: Value) -> Expr:
        """The tokens of a place as they lie, as a list; it changes when they move."""
        if isinstance(place, Number):
            return num(self.plan.lying[place.value])
        return word(self.lying, place)

    def cells_of(self, place: Value) -> Expr:
        """Where the first of them is noted."""
        return plus(self.list_of(place), WIDTH)

    @property
    def sticky(self) -> int:
        """All sticky flags; a name is sticky for one class or for none that shares its places."""
        return sum(1 << b for bits in self.plan.sticky_bits for b in set(bits))

    # ---- functions

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """All that is below, for a program to take in."""
        return (
            *self.references.functions(),
            function("keep_look", ("token",), self._keep_look, gives=None),
            function("sort_set", ("place",), self._sort_set, gives=None),
            function("order", ("place",), self._order),
            function("contents", ("place",), self._contents),
            function("contents_of", ("places",), self._contents_of),
            function("first_few", ("number", "place"), self._first_few),
            function("first_of", ("place",), self._first_of),
            function("in_order", ("tokens",), self._in_order),
            function("arranged", ("tokens",), self._arranged),
            function("lies_before", ("left", "right"), self._lies_before),
            function("position_of", ("token",), self._position),
            function("sees", ("token", "seat"), self._sees),
            function("same_look", ("left", "right", "seat"), self._same_look),
            function("looks_before", ("left", "right", "seat"), self._looks_before),
            function("same_thing", ("left", "right"), self._same_thing),
            function("is_plain", ("members", "seat"), self._is_plain),
            function("twins_of", ("members", "seat"), self._twins_of),
            function("presented", ("members", "seat"), self._presented),
        )

    def look(self, token: Value) -> Expr:
        """What orders tokens of one set."""
        return word(self.plan.look, token)

    def _keep_look(self, code: Code, token: Local) -> None:
        """Notes what a token looks like after something about it has changed."""
        kind = code.local("kind", self.kind(token))
        with code.when(less(kind, 0)) as hidden:
            hidden.set(kind, plus(self.pool(token), MOST_KINDS))
        down = binary(Op.XOR, self.face(token), num(1))
        front = joined(shifted_left(kind, 1), down)
        found = joined(shifted_left(front, len(self.plan.flag_bits)), self.flags(token))
        code.put(put_word(self.plan.look, found, token), self.untidy(self.place(token)))

    def untidy(self, place: Value) -> Stmt:
        """Its set may not be in order any more."""
        return put_word(self.plan.tidy, 0, place)

    # ---- what lies in places

    def _sort_set(self, code: Code, place: Local) -> None:
        """Puts the cells of a set into canonical order; one without look-alikes then keeps it."""
        cells = code.keep(self.cells_of(place))
        tidy = code.local("tidy", 1)
        with code.up_to(self.count(place), 1) as (each, i):
            token = each.keep(at(cells, i))
            its = each.keep(self.look(token))
            hole = each.local("hole", i)
            with each.loop() as back:
                back.leave_if(is_(hole, 0))
                other = back.keep(at(cells, plus(hole, -1)))
                looks = back.keep(self.look(other))
                back.leave_if(less(looks, its))
                with back.when(is_(looks, its)) as tie:
                    tie.set(tidy, 0)
                    order = call("marks", token, other, self.references.live)
                    tie.leave_if(binary(Op.GE, order, num(0)))
                back.put(put_at(cells, other, hole))
                back.step(hole, -1)
            each.put(put_at(cells, token, hole))
        code.put(put_word(self.plan.tidy, tidy, place))

    def _order(self, code: Code, place: Local) -> None:
        """Puts a set into canonical order; tells whether it is a pile, whose last cell is first."""
        code.give(self.ordered(code, place))

    def ordered(self, code: Code, place: Expr, shape: Shape | None = None) -> Expr:
        """The same, written out; the shape may be known."""
        if shape is not None:
            self.sort(code, place, num(shape is Shape.SET))
            return num(shape is Shape.PILE)
        found = code.keep(self.shape(place))
        self.sort(code, place, is_(found, SET))
        return is_(found, PILE)

    def sort(self, code: Code, place: Value, if_: Expr) -> None:
        """Puts a set into order, if it is one and not in order."""
        untidy = is_(word(self.plan.tidy, place), 0)
        with code.when(both(if_, untidy)) as loose:
            loose.do("sort_set", place)

    def _contents(self, code: Code, place: Local) -> None:
        """The tokens of a place in canonical order, as a list that is there until they move."""
        lying = code.keep(self.list_of(place))
        code.give_if(negate(call("order", place)), lying)
        made = new(code, size(lying))
        self._turned(code, made, lying)
        code.give(made)

    def _turned(self, code: Code, made: Expr, lying: Expr) -> None:
        """Adds the tokens of a pile to a list, from the top."""
        with code.up_to(size(lying)) as (inside, i):
            push(inside, made, element(lying, plus(plus(size(lying), -1), times(i, -1))))

    def _contents_of(self, code: Code, places: Local) -> None:
        """The tokens of each place of a list, one after the other."""
        total = code.local("total", 0)
        with elements(code, places) as (inside, one):
            inside.step(total, self.count(one))
        made = new(code, total)
        with elements(code, places) as (each, place):
            lying = each.keep(self.list_of(place))
            with each.when(size(lying)) as some:
                with some.either(call("order", place)) as (pile, other):
                    self._turned(pile, made, lying)
                    with elements(other, lying) as (inside, one):
                        push(inside, made, one)
        code.give(made)

    def _first_few(self, code: Code, number: Local, place: Local) -> None:
        """The first tokens of a place, as a list."""
        code.trap_if(less(number, 0), UNDEFINED)
        lying = code.keep(self.list_of(place))
        code.give_if(negate(call("order", place)), call("list_take", number, lying))
        many = code.keep(choice(less(number, size(lying)), number, size(lying)))
        made = new(code, many)
        with code.up_to(many) as (each, i):
            push(each, made, at(lying, plus(size(lying), times(i, -1))))
        code.give(made)

    def _first_of(self, code: Code, place: Local) -> None:
        """The first token of a place; -1 of an empty one."""
        count = code.keep(self.count(place))
        code.give_if(is_(count, 0), -1)
        cells = code.keep(self.cells_of(place))
        shape = code.keep(self.shape(place))
        code.give_if(is_(shape, PILE), at(cells, plus(count, -1)))
        self.sort(code, place, both(is_(shape, SET), less(1, count)))
        code.give(at(cells, 0))

    def _in_order(self, code: Code, tokens: Local) -> None:
        """Tokens wherever they are, by place and within each in its canonical order."""
        code.give_if(less(size(tokens), 2), tokens)
        code.give(call("arranged", call("list_copy", tokens)))

    def _arranged(self, code: Code, tokens: Local) -> None:
        """The same list, put into that order."""
        with code.up_to(size(tokens), 1) as (each, i):
            token = each.keep(element(tokens, i))
            place = each.keep(self.place(token))
            hole = each.local("hole", i)
            with each.loop() as back:
                back.leave_if(is_(hole, 0))
                other = back.keep(element(tokens, plus(hole, -1)))
                theirs = back.keep(self.place(other))
                back.leave_if(less(theirs, place))
                with back.when(is_(theirs, place)) as shared:
                    with shared.when(negate(call("lies_before", token, other))) as behind:
                        back.leave_from(behind)
                back.put(put_at(tokens, other, plus(hole, 1)))
                back.step(hole, -1)
            each.put(put_at(tokens, token, plus(hole, 1)))
        code.give(tokens)

    def _lies_before(self, code: Code, left: Local, right: Local) -> None:
        """Whether a token comes before another one of its place."""
        place = code.keep(self.place(left))
        shape = code.keep(self.shape(place))
        with code.when(is_(shape, SET)) as loose:
            looks = loose.keep(self.look(left)), loose.keep(self.look(right))
            loose.give_if(differ(*looks), less(*looks))
            self.sort(loose, place, num(1))
        lying = code.keep(self.list_of(place))
        with elements(code, lying) as (each, token):
            each.give_if(is_(token, left), differ(shape, PILE))
            each.give_if(is_(token, right), is_(shape, PILE))
        code.give(0)

    def _position(self, code: Code, token: Local) -> None:
        """The position in an ordered place, from 1; `NONE` in a set."""
        place = code.keep(self.place(token))
        lying = code.keep(self.list_of(place))
        count = code.keep(size(lying))
        with code.up_to(count) as (inside, i):
            with inside.when(is_(element(lying, i), token)) as found:
                is_pile = is_(self.shape(place), PILE)
                found.give(choice(is_pile, plus(count, times(i, -1)), plus(i, 1)))
        code.give(0)

    # ---- who sees what

    def _sees(self, code: Code, token: Local, seat: Local) -> None:
        """Whether a seat sees a token's face where it lies."""
        code.give_if(self.face(token), 1)
        code.give(bit(call("viewers", self.place(token)), seat))

    def _back(self, token: Value) -> Expr:
        """What shows of a token whose face is hidden."""
        opened = both(self.flags(token), num(_FLAGS & ~self.sticky))
        down = binary(Op.XOR, self.face(token), num(1))
        return joined(shifted_left(down, len(self.plan.flag_bits)), opened)

    def _same_look(self, code: Code, left: Local, right: Local, seat: Local) -> None:
        """Whether two tokens are one and the same to a seat."""
        code.give_if(is_(left, right), 1)
        place = code.keep(self.place(left))
        code.give_if(differ(place, self.place(right)), 0)
        code.give_if(differ(self.shape(place), SET), 0)
        with code.when(differ(self.look(left), self.look(right))) as other:
            # Cards whose faces somebody cannot see look alike to him all the same.
            other.give_if(call("sees", left, seat), 0)
            other.give_if(call("sees", right, seat), 0)
            other.give_if(differ(self._back(left), self._back(right)), 0)
        code.give(is_(call("marks", left, right, self.references.looking), 0))

    def _same_thing(self, code: Code, left: Local, right: Local) -> None:
        """Whether two tokens are one and the same to the table itself."""
        code.give_if(is_(left, right), 1)
        place = code.keep(self.place(left))
        code.give_if(differ(place, self.place(right)), 0)
        code.give_if(differ(self.shape(place), SET), 0)
        code.give_if(differ(self.look(left), self.look(right)), 0)
        code.give(is_(call("marks", left, right, self.references.live), 0))

    def _looks_before(self, code: Code, left: Local, right: Local, seat: Local) -> None:
        """Whether a token is offered before another of its set: what the seat sees comes first."""
        one = code.keep(call("sees", left, seat))
        other = code.keep(call("sees", right, seat))
        code.give_if(other, 0)
        code.give_if(one, 1)
        backs = code.keep(self._back(left)), code.keep(self._back(right))
        code.give_if(less(*backs), 1)
        code.give_if(less(backs[1], backs[0]), 0)
        code.give(is_(call("marks", left, right, self.references.looking), -1))

    @cached_property
    def alone(self) -> int:
        """What `twins_of` gives where no two members are the same."""
        return self.plan.memory.constant((self.plan.tokens, *(-1,) * self.plan.tokens))

    def offered(
        self,
        code: Code,
        members: Expr,
        seat: Expr,
        plain: Callable[[Code], Expr] | None = None,
    ) -> tuple[Expr, Expr]:
        """Members as a seat is offered them, and per member the last earlier one that is the same.

        Of members that are all different to the seat, the latter list may be longer.  `plain` tells
        whether they surely are, and the seat sees them all.
        """
        order, twins = code.local("order", members), code.local("twins", self.alone)
        with code.when(less(1, size(members))) as several:
            doubtful = num(1) if plain is None else negate(plain(several))
            with several.when(doubtful) as doubted:
                with doubted.when(negate(call("is_plain", members, seat))) as mixed:
                    mixed.set(order, call("presented", members, seat))
                    mixed.set(twins, call("twins_of", order, seat))
        return order, twins

    def _twins_of(self, code: Code, members: Local, seat: Local) -> None:
        """Per member the last earlier one that is the same to a seat, or -1.

        What is told apart by its place gets a number that is compared with none.
        """
        looks, found = new(code, size(members)), new(code, size(members))
        last, open_ = code.local("last", -1), code.local("is_open", 0)
        greatest, rising = code.local("greatest", -1), code.local("is_rising", 1)
        with code.up_to(size(members)) as (each, i):
            token = each.keep(element(members, i))
            look = each.local("look", -1)
            with each.when(at_least(token, 0)) as there:
                place = there.keep(self.place(token))
                with there.when(is_(self.shape(place), SET)) as loose:
                    with loose.when(differ(place, last)) as another:
                        another.set(rising, both(rising, less(last, 0)))
                        another.set(last, place)
                        another.set(open_, bit(call("viewers", place), seat))
                    with loose.either(joined(self.face(token), open_)) as (front, back):
                        front.set(look, self.look(token))
                        back.set(look, joined(self._back(token), num(1 << _UNSEEN)))
            push(each, looks, look)
            # In one set, in order, what looks different from the last one is new.
            new_look = each.keep(joined(less(look, 0), both(rising, less(greatest, look))))
            each.set(rising, both(rising, at_least(look, greatest)))
            each.set(greatest, look)
            before = each.local("before", -1)
            with each.when(negate(new_look)) as loose:
                self._find_twin(loose, before, members, looks, i)
            push(each, found, before)
        code.give(found)

    def _is_plain(self, code: Code, members: Local, seat: Local) -> None:
        """Whether a seat sees all members, and none is like another.

        Sets in order without look-alikes have none, and what lies in order is told apart by that.
        """
        code.give_if(less(size(members), 2), 1)
        self._plain_place(code, members, seat)
        last, open_ = code.local("last", -1), code.local("is_open", 0)
        with elements(code, members) as (each, token):
            each.give_if(less(token, 0), 0)
            place = each.keep(self.place(token))
            with each.when(differ(place, last)) as another:
                another.set(last, place)
                another.set(open_, 1)
                with another.when(is_(self.shape(place), SET)) as loose:
                    loose.give_if(negate(word(self.plan.tidy, place)), 0)
                    loose.set(open_, bit(call("viewers", place), seat))
            with each.when(negate(open_)) as closed:
                closed.give_if(negate(self.face(token)), 0)
        code.give(1)

    def _plain_place(self, code: Code, members: Expr, seat: Expr) -> None:
        """Gives the answer for all of a place that the seat sees, as it lies there."""
        first = code.keep(element(members, 0))
        with code.when(at_least(first, 0)) as there:
            place = there.keep(self.place(first))
            with there.when(is_(self.list_of(place), members)) as whole:
                whole.give_if(differ(self.shape(place), SET), 1)
                whole.give_if(negate(word(self.plan.tidy, place)), 0)
                whole.give_if(bit(call("viewers", place), seat), 1)

    def _find_twin(
        self, code: Code, before: Local, members: Expr, looks: Expr, position: Expr
    ) -> None:
        """The last member before a position that is the same as the one there, or -1."""
        token, look = code.keep(element(members, position)), code.keep(element(looks, position))
        code.set(before, position)
        with code.loop() as back:
            back.step(before, -1)
            back.leave_if(less(before, 0))
            back.again_if(differ(element(looks, before), look))
            other = back.keep(element(members, before))
            back.again_if(differ(self.place(other), self.place(token)))
            back.leave_if(is_(call("marks", other, token, self.references.looking), 0))

    def _presented(self, code: Code, members: Local, seat: Local) -> None:
        """Tokens as a domain offers them: in each set, what the seat cannot see comes last.

        `none` among them stays the first.
        """
        code.give_if(less(size(members), 2), members)
        hidden = code.local("is_hidden", 0)
        last, known = code.local("last", -1), code.local("is_known", 0)
        with elements(code, members) as (each, token):
            each.again_if(less(token, 0))
            place = each.keep(self.place(token))
            with each.when(differ(place, last)) as another:
                another.set(last, place)
                open_ = bit(call("viewers", place), seat)
                another.set(known, joined(differ(self.shape(place), SET), open_))
            with each.when(negate(joined(known, self.face(token)))) as unseen:
                unseen.set(hidden, 1)
                unseen.leave()
        code.give_if(is_(hidden, 0), members)
        made = new(code, size(members))
        with elements(code, members) as (inside, one):
            push(inside, made, one)
        with code.up_to(size(made), 1) as (each, i):
            token = each.local("token", element(made, i))
            each.again_if(less(token, 0))
            place = each.keep(self.place(token))
            each.again_if(differ(self.shape(place), SET))
            spot = each.local("spot", i)
            j = each.local("j", i)
            with each.loop() as back:
                back.leave_if(is_(j, 0))
                back.step(j, -1)
                other = back.keep(element(made, j))
                back.again_if(less(other, 0))
                back.again_if(differ(self.place(other), place))
                back.leave_if(negate(call("looks_before", token, other, seat)))
                back.put(put_at(plus(made, 4), other, spot))
                back.set(spot, j)
            each.put(put_at(plus(made, 4), token, spot))
        code.give(made)
