"""Tokens on the table: what lies in a place and in which order, and which tokens look alike.

Ordered places keep their tokens as they lie, piles with the top last; sets in the order in which
they were last read.  Look-alikes of a set are ordered by the live variables that refer to them.
"""

from typing import Final

from attrs import define, field

from compiler.graph.core import Shape
from compiler.lir.build import binary, both, choice, negate, num
from compiler.lir.core import Expr, Function, Local, Number, Op, Stmt
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
from compiler.lir.stepwise.lists import element, new, push, size
from compiler.lir.stepwise.plan import MOST_KINDS, Plan, TokenSlot
from compiler.types import ListOf, SetOf, present

SET, LIST, PILE, ONE = range(4)
_SHAPES: Final = {Shape.SET: SET, Shape.LIST: LIST, Shape.PILE: PILE, Shape.ONE: ONE}

_CHUNK_BITS: Final = 4
_CHUNK: Final = 1 << _CHUNK_BITS
"""Token slots in one number of a mask of live ones."""

_FLAGS: Final = (1 << 30) - 1

_UNSEEN: Final = 29
"""The bit that tells a back from a front."""

SCALAR, UNORDERED, ORDERED = range(3)


def shifted_left(value: Value, by: int) -> Expr:
    """The bits moved up."""
    return binary(Op.SHL, expr(value), num(by))


def bit(mask: Expr, number: Value) -> Expr:
    """One bit, as a truth."""
    return both(binary(Op.SHR, mask, expr(number)), num(1))


def some(value: Expr) -> Expr:
    """Whether a number is not zero."""
    return differ(value, 0)


@define(eq=False)
class Tokens:
    """Functions about tokens for one plan, and the tables they read."""

    plan: Plan
    shapes: int = field(init=False)
    lying: int = field(init=False)
    slots: int = field(init=False)  # per token slot: address and form
    stamp: int = field(init=False)  # 0 until the live slots are known in this step
    live: int = field(init=False)
    looking: int = field(init=False)  # the live slots that count for who is asked
    referred: int = field(init=False)  # per token: how many live slots refer to it
    masks: int = field(init=False)
    after: int = field(init=False)
    chunks: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        plan, memory = self.plan, self.plan.memory
        places = plan.graph.places
        self.shapes = memory.constant(tuple(_SHAPES[place.shape] for place in places))
        self.lying = memory.constant(plan.lying)
        self.chunks = -(-len(plan.token_slots) // _CHUNK)
        self.stamp = memory.words(1)
        self.live = memory.words(max(1, self.chunks))
        self.looking = memory.words(max(1, self.chunks))
        self.referred = memory.words(plan.tokens)
        rows = [(slot.address, _form(slot)) for slot in plan.token_slots]
        self.slots = memory.constant(tuple(number for row in rows for number in row) or (0,))
        at_nodes = [self._both_banks(mask) for mask in plan.alive.at]
        after = [self._both_banks(plan.alive.after.get(n, 0)) for n in range(len(at_nodes))]
        self.masks = memory.constant(tuple(n for row in at_nodes for n in row) or (0,))
        self.after = memory.constant(tuple(n for row in after for n in row) or (0,))

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

    def _both_banks(self, mask: int) -> tuple[int, ...]:
        """A mask of liveness, as one of the first bank and as one of a running trigger."""
        outside, inside = [0] * self.chunks, [0] * self.chunks
        for number, slot in enumerate(self.plan.token_slots):
            if mask >> slot.bit & 1:
                chunk, bit_ = divmod(number, _CHUNK)
                if not slot.second:
                    outside[chunk] |= 1 << bit_
                if slot.second or not slot.home.shift:
                    inside[chunk] |= 1 << bit_
        return (*outside, *inside)

    # ---- functions

    def functions(self) -> tuple[Function, ...]:
        """All that is below, for a program to take in."""
        return (
            function("keep_look", ("token",), self._keep_look, gives=None),
            function("slot_position", ("slot", "token"), self._position_in_slot),
            function("find_live", (), self._find_live, gives=None),
            function("marks", ("left", "right", "live"), self._marks),
            function("marks_later", ("slot", "token", "live"), self._marks_later),
            function("sort_set", ("place",), self._sort_set, gives=None),
            function("order", ("place",), self._order),
            function("contents", ("place",), self._contents),
            function("contents_of", ("places",), self._contents_of),
            function("first_of", ("place",), self._first_of),
            function("in_order", ("tokens",), self._in_order),
            function("position_of", ("token",), self._position),
            function("sees", ("token", "seat"), self._sees),
            function("same_look", ("left", "right", "seat"), self._same_look),
            function("looks_before", ("left", "right", "seat"), self._looks_before),
            function("same_thing", ("left", "right"), self._same_thing),
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

    # ---- live references

    def fresh(self, code: Code) -> None:
        """Forgets which slots are live: a step begins, or has done something."""
        if self.plan.token_slots:
            code.put(put_word(self.stamp, 0))

    def overlook(self, code: Code, slot: int) -> None:
        """A slot does not tell twins apart for those who are asked."""
        chunk, bit_ = divmod(slot, _CHUNK)
        seen = word(self.looking, chunk)
        code.put(put_word(self.looking, both(seen, num(~(1 << bit_))), chunk))

    def trap_if_live(self, code: Code, slot: int, trap: int) -> None:
        """Stops the machine if a slot may still be read."""
        code.do("find_live")
        code.trap_if(self._is_live(num(slot), self.live), trap)

    def _position_in_slot(self, code: Code, slot: Local, token: Local) -> None:
        """Where a slot refers to a token: 0 in a set, from 1 in a list; -1 if it does not."""
        address = code.keep(word(self.slots, times(slot, 2)))
        form = code.keep(word(self.slots, plus(times(slot, 2), 1)))
        with code.when(is_(form, SCALAR)) as scalar:
            scalar.give(choice(is_(at(address), token), num(0), num(-1)))
        with code.up_to(at(address)) as (inside, i):
            with inside.when(is_(at(address, plus(i, 1)), token)) as found:
                found.give(choice(is_(form, ORDERED), plus(i, 1), num(0)))
        code.give(-1)

    def _find_live(self, code: Code) -> None:
        """Which slots of tokens may still be read, and which tokens they refer to."""
        chunks = self.chunks
        code.give_if(word(self.stamp))
        code.put(put_word(self.stamp, 1))
        node = code.local("node", word(self.plan.node))
        row = code.local("row", times(node, 2 * chunks))
        outside = [code.local("out", word(self.masks, plus(row, c))) for c in range(chunks)]
        inside = [code.local("in", word(self.masks, plus(row, chunks + c))) for c in range(chunks)]
        kept = [code.local("kept", 0) for _ in range(chunks)]
        crossed = code.local("is_crossed", 0)
        depth = code.local("depth", word(self.plan.depth))
        with code.loop() as down:
            down.leave_if(is_(depth, 0))
            down.step(depth, -1)
            frame = down.keep(word(self.plan.stack, depth))
            with down.either(less(frame, 0)) as (trigger, caller):
                resumed = trigger.keep(times(plus(-1, times(frame, -1)), 2 * chunks))
                for c in range(chunks):
                    trigger.set(kept[c], inside[c])
                    trigger.set(outside[c], word(self.masks, plus(resumed, c)))
                    trigger.set(inside[c], word(self.masks, plus(resumed, chunks + c)))
                trigger.set(crossed, 1)
                behind = caller.keep(times(frame, 2 * chunks))
                for c in range(chunks):
                    more = word(self.after, plus(behind, c))
                    caller.set(outside[c], joined(outside[c], more))
                    more = word(self.after, plus(behind, chunks + c))
                    caller.set(inside[c], joined(inside[c], more))
        alone = both(word(self.plan.in_trigger), negate(crossed))
        for c in range(chunks):
            live = choice(alone, inside[c], joined(outside[c], kept[c]))
            code.put(put_word(self.live, live, c), put_word(self.looking, live, c))
        self._refer(code)

    def _refer(self, code: Code) -> None:
        """Counts the live references to each token."""
        with code.up_to(self.plan.tokens) as (inside, token):
            inside.put(put_word(self.referred, 0, token))
        with code.up_to(len(self.plan.token_slots)) as (each, slot):
            each.again_if(negate(self._is_live(slot, self.live)))
            address = each.keep(word(self.slots, times(slot, 2)))
            form = each.keep(word(self.slots, plus(times(slot, 2), 1)))
            with each.either(is_(form, SCALAR)) as (scalar, several):
                self._one_more(scalar, scalar.keep(at(address)))
                with several.up_to(at(address)) as (inner, i):
                    self._one_more(inner, inner.keep(at(address, plus(i, 1))))

    def _one_more(self, code: Code, token: Expr) -> None:
        with code.when(binary(Op.GE, token, num(0))) as there:
            there.put(put_word(self.referred, plus(word(self.referred, token), 1), token))

    def _is_live(self, slot: Expr, live: Value) -> Expr:
        chunk = binary(Op.SHR, slot, num(_CHUNK_BITS))
        return bit(at(live, chunk), both(slot, num(_CHUNK - 1)))

    def _marks(self, code: Code, left: Local, right: Local, live: Local) -> None:
        """Orders two look-alikes by what refers to them: -1, 0 or 1; what nothing means first."""
        if not self.plan.token_slots:
            code.give(0)
            return
        code.do("find_live")
        referred = joined(word(self.referred, left), word(self.referred, right))
        code.give_if(is_(referred, 0), 0)
        with code.up_to(len(self.plan.token_slots)) as (each, slot):
            each.again_if(negate(self._is_live(slot, live)))
            one = each.keep(call("slot_position", slot, left))
            other = each.keep(call("slot_position", slot, right))
            each.again_if(is_(one, other))
            with each.when(less(one, 0)) as missing:
                later = call("marks_later", slot, left, live)
                missing.give(choice(later, num(1), num(-1)))
            with each.when(less(other, 0)) as missing:
                later = call("marks_later", slot, right, live)
                missing.give(choice(later, num(-1), num(1)))
            each.give(choice(less(one, other), num(-1), num(1)))
        code.give(0)

    def _marks_later(self, code: Code, first: Local, token: Local, live: Local) -> None:
        """Whether a live slot behind one refers to a token."""
        with code.up_to(len(self.plan.token_slots), plus(first, 1)) as (each, slot):
            each.again_if(negate(self._is_live(slot, live)))
            each.give_if(binary(Op.GE, call("slot_position", slot, token), num(0)), 1)
        code.give(0)

    # ---- what lies in places

    def _sort_set(self, code: Code, place: Local) -> None:
        """Puts the cells of a set into canonical order; one without look-alikes then keeps it."""
        code.give_if(word(self.plan.tidy, place))
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
                    order = call("marks", token, other, self.live)
                    tie.leave_if(binary(Op.GE, order, num(0)))
                back.put(put_at(cells, other, hole))
                back.step(hole, -1)
            each.put(put_at(cells, token, hole))
        code.put(put_word(self.plan.tidy, tidy, place))

    def _order(self, code: Code, place: Local) -> None:
        """Puts a set into canonical order; tells whether it is a pile, whose last cell is first."""
        shape = code.keep(self.shape(place))
        with code.when(is_(shape, SET)) as loose:
            loose.do("sort_set", place)
        code.give(is_(shape, PILE))

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
        with code.up_to(size(places)) as (inside, i):
            inside.step(total, self.count(element(places, i)))
        made = new(code, total)
        with code.up_to(size(places)) as (each, i):
            place = each.keep(element(places, i))
            lying = each.keep(self.list_of(place))
            with each.when(size(lying)) as some:
                with some.either(call("order", place)) as (pile, other):
                    self._turned(pile, made, lying)
                    with other.up_to(size(lying)) as (inside, j):
                        push(inside, made, element(lying, j))
        code.give(made)

    def _first_of(self, code: Code, place: Local) -> None:
        """The first token of a place; -1 of an empty one."""
        count = code.keep(self.count(place))
        code.give_if(is_(count, 0), -1)
        cells = code.keep(self.cells_of(place))
        shape = code.keep(self.shape(place))
        code.give_if(is_(shape, PILE), at(cells, plus(count, -1)))
        with code.when(both(is_(shape, SET), less(1, count))) as several:
            several.do("sort_set", place)
        code.give(at(cells, 0))

    def _in_order(self, code: Code, tokens: Local) -> None:
        """Tokens wherever they are, by place and within each in its canonical order."""
        code.give_if(less(size(tokens), 2), tokens)
        made = new(code, size(tokens))
        last = code.local("last", -1)
        with code.loop() as each:
            following = each.local("following", len(self.plan.graph.places))
            with each.up_to(size(tokens)) as (inside, i):
                place = inside.keep(self.place(element(tokens, i)))
                with inside.when(both(less(last, place), less(place, following))) as nearer:
                    nearer.set(following, place)
            each.leave_if(is_(following, len(self.plan.graph.places)))
            each.set(last, following)
            listed = each.keep(call("contents", following))
            with each.up_to(size(listed)) as (inside, i):
                token = inside.keep(element(listed, i))
                with inside.when(call("list_in", token, tokens)) as wanted:
                    push(wanted, made, token)
        code.give(made)

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
        code.give(is_(call("marks", left, right, self.looking), 0))

    def _same_thing(self, code: Code, left: Local, right: Local) -> None:
        """Whether two tokens are one and the same to the table itself."""
        code.give_if(is_(left, right), 1)
        place = code.keep(self.place(left))
        code.give_if(differ(place, self.place(right)), 0)
        code.give_if(differ(self.shape(place), SET), 0)
        code.give_if(differ(self.look(left), self.look(right)), 0)
        code.give(is_(call("marks", left, right, self.live), 0))

    def _looks_before(self, code: Code, left: Local, right: Local, seat: Local) -> None:
        """Whether a token is offered before another of its set: what the seat sees comes first."""
        one = code.keep(call("sees", left, seat))
        other = code.keep(call("sees", right, seat))
        code.give_if(other, 0)
        code.give_if(one, 1)
        backs = code.keep(self._back(left)), code.keep(self._back(right))
        code.give_if(less(*backs), 1)
        code.give_if(less(backs[1], backs[0]), 0)
        code.give(is_(call("marks", left, right, self.looking), -1))

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
            back.leave_if(is_(call("marks", other, token, self.looking), 0))

    def _presented(self, code: Code, members: Local, seat: Local) -> None:
        """Tokens as a domain offers them: in each set, what the seat cannot see comes last."""
        hidden = code.local("is_hidden", 0)
        last, known = code.local("last", -1), code.local("is_known", 0)
        with code.up_to(size(members)) as (each, i):
            token = each.keep(element(members, i))
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
        with code.up_to(size(members)) as (inside, i):
            push(inside, made, element(members, i))
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


def _form(slot: TokenSlot) -> int:
    match present(slot.home.variable.type):
        case SetOf():
            return UNORDERED
        case ListOf():
            return ORDERED
        case _:
            return SCALAR
