"""Cards that nobody has seen: which kinds they may be, who decides it, and shuffling.

Pools know how many of each sort their cards have between them.  Chance draws a sort when a card is
first seen.  What happens too seldom to be worth its statements stops the machine: the interpreter
then plays that game.
"""

from functools import reduce
from typing import Final

from attrs import define

from compiler.graph.core import Shape
from compiler.lir.build import binary, both, choice, negate, num
from compiler.lir.core import Call, Expr, Function, Local, Op
from compiler.lir.random import BELOW, STREAM_BYTES
from compiler.lir.reps import NONE, NOWHERE
from compiler.lir.stepwise.code import (
    WIDTH,
    Code,
    Value,
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
from compiler.lir.stepwise.lists import element, elements, new, push, size
from compiler.lir.stepwise.plan import BOX, NO_POOL, UNRESOLVED, Plan
from compiler.lir.stepwise.tokens import PILE, SET, Tokens

SELDOM: Final = 10
"""Trap: what the interpreter does better."""

_GROUP: Final = 4
"""Sorts whose cards are passed over together when one of them is looked for."""

RUN: Final = 0
"""Where the random streams lie: the state after the seed, chance, then the seats."""


def below(stream: Value, count: Expr) -> Expr:
    """A number below a count from a stream: 0 is that of chance, then the seats."""
    where = plus(times(plus(stream, 1), STREAM_BYTES), RUN)
    return Call(BELOW, (where, count))


@define(eq=False)
class Pools:
    """Functions about hidden cards for one plan."""

    plan: Plan
    tokens: Tokens
    draws: int  # where the draws of chance are counted

    def functions(self) -> tuple[Function, ...]:
        """All that is below, for a program to take in."""
        return (
            function("hidden", ("tokens",), self._hidden),
            function("first_hidden", ("tokens",), self._first_hidden),
            function("sort_of", ("token",), self._sort_of),
            function("give_sort", ("token", "sort"), self._give_sort, gives=None),
            function("take_sort", ("token", "sort"), self._take_sort, gives=None),
            function("settle", ("pool",), self._settle, gives=None),
            function("flag_pool", ("pool", "flag", "on"), self._flag_pool, gives=None),
            function("resolve", ("token",), self._resolve, gives=None),
            function("is_shuffled", ("place",), self._is_shuffled),
            function("unsettled", ("place",), self._unsettled),
            function("shuffle", ("place",), self._shuffle, gives=None),
            function("remove_all", ("tokens",), self._remove_all, gives=None),
            function("remove", ("token",), self._remove, gives=None),
            function("carry", ("tokens", "place", "up", "bottom"), self._carry, gives=None),
        )

    def _by_class(self, token: Expr, values: tuple[int, ...]) -> Expr:
        """Something of a token that its class decides."""
        if len(set(values)) == 1:
            return num(values[0])
        per_token = tuple(values[class_] for class_ in self.plan.token_class)
        return word(self.plan.memory.constant(per_token), token)

    def _sticky(self, token: Expr) -> Expr:
        masks = tuple(sum(1 << b for b in bits) for bits in self.plan.sticky_bits)
        return self._by_class(token, masks)

    # ---- hidden cards

    def _hidden(self, code: Code, tokens: Local) -> None:
        """Whether a token of a list has no kind."""
        with elements(code, tokens) as (inside, token):
            inside.give_if(less(self.tokens.kind(token), 0), 1)
        code.give(0)

    def _first_hidden(self, code: Code, tokens: Local) -> None:
        """The first token without a kind, by place and in its order."""
        first = code.local("first", len(self.plan.graph.places))
        with elements(code, tokens) as (inside, token):
            with inside.when(less(self.tokens.kind(token), 0)) as hidden:
                place = hidden.keep(self.tokens.place(token))
                with hidden.when(less(place, first)) as nearer:
                    nearer.set(first, place)
        is_pile = code.keep(call("order", first))
        lying = code.keep(self.tokens.list_of(first))
        spot = code.local("spot", choice(is_pile, size(lying), num(1)))
        step = code.keep(choice(is_pile, num(-1), num(1)))
        with code.up_to(size(lying)) as (each, _):
            token = each.keep(at(lying, spot))
            each.step(spot, step)
            with each.when(less(self.tokens.kind(token), 0)) as hidden:
                hidden.give_if(call("list_in", token, tokens), token)
        code.give(NONE)

    def _sort_of(self, code: Code, token: Local) -> None:
        """Kind and sticky flags of a token that has them, as one number."""
        kind = self.tokens.kind(token)
        found = code.local("sort", kind)
        for class_index, bits in enumerate(self.plan.sticky_bits):
            if bits:
                with code.when(self._is_of(token, class_index)) as inside:
                    inside.set(found, times(found, 1 << len(bits)))
                    for position, number in enumerate(bits):
                        flag = both(binary(Op.SHR, self.tokens.flags(token), num(number)), num(1))
                        inside.set(found, joined(found, times(flag, 1 << position)))
        code.give(found)

    def _is_of(self, token: Expr, class_index: int) -> Expr:
        handles = self.plan.class_tokens[class_index]
        return both(
            binary(Op.GE, token, num(handles.start)), binary(Op.LT, token, num(handles.stop))
        )

    def _give_sort(self, code: Code, token: Local, sort: Local) -> None:
        for class_index, bits in enumerate(self.plan.sticky_bits):
            with code.when(self._is_of(token, class_index)) as inside:
                shifted = binary(Op.DIV, sort, num(1 << len(bits)))
                inside.put(put_word(self.plan.kind, shifted, token))
                if bits:
                    kept = both(self.tokens.flags(token), num(~sum(1 << b for b in bits)))
                    flags = inside.local("flags", kept)
                    for position, number in enumerate(bits):
                        flag = both(binary(Op.SHR, sort, num(position)), num(1))
                        inside.set(flags, joined(flags, times(flag, 1 << number)))
                    inside.put(put_word(self.plan.flags, flags, token))

    def _take_sort(self, code: Code, token: Local, sort: Local) -> None:
        """Makes a hidden token one of a sort that its pool has."""
        pool = code.keep(self.tokens.pool(token))
        counts = code.keep(self._counts(pool))
        code.put(
            put_at(counts, plus(at(counts, sort), -1), sort),
            put_word(self.plan.pooled, plus(word(self.plan.pooled, pool), -1), pool),
            put_word(self.plan.pool, NO_POOL, token),
        )
        code.do("give_sort", token, sort)
        code.do("keep_look", token)

    def _counts(self, pool: Value) -> Expr:
        return word(self.plan.memory.constant(self.plan.sorts), pool)

    def _sorts_in(self, pool: Expr) -> Expr:
        """How many sorts the class of a pool has."""
        many = tuple(
            0 if class_ is None else self.plan.sort_count(class_)
            for class_ in map(self.plan.class_of, self.plan.graph.places)
        )
        return word(self.plan.memory.constant(many), pool)

    def _flag_pool(self, code: Code, pool: Local, flag: Local, on: Local) -> None:
        """Sets a sticky flag on all tokens of a pool, or takes it off: sorts become one."""
        counts = code.keep(self._counts(pool))
        part = code.local("part", 1)
        for class_index, bits in enumerate(self.plan.sticky_bits):
            for position, number in enumerate(bits):
                mine = both(self._is_class_of(pool, class_index), is_(flag, number))
                with code.when(mine) as found:
                    found.set(part, 1 << position)
        # Sorts come in pairs that differ by the flag: those on one side pass to the other.
        pairs = code.keep(binary(Op.SHR, self._sorts_in(pool), num(1)))
        side = code.keep(choice(on, num(0), part))
        with code.up_to(pairs) as (each, pair):
            low = each.keep(both(pair, plus(part, -1)))
            sort = each.keep(plus(plus(times(pair, 2), times(low, -1)), side))
            many = each.keep(at(counts, sort))
            with each.when(many) as some:
                other = some.keep(binary(Op.XOR, sort, part))
                both_ = plus(at(counts, other), many)
                some.put(put_at(counts, both_, other), put_at(counts, 0, sort))
        code.do("settle", pool)

    def _is_class_of(self, pool: Expr, class_index: int) -> Expr:
        classes = tuple(
            -1 if class_ is None else class_
            for class_ in map(self.plan.class_of, self.plan.graph.places)
        )
        return is_(word(self.plan.memory.constant(classes), pool), class_index)

    def _settle(self, code: Code, pool: Local) -> None:
        """If a pool has one sort left, its tokens outside their pile are of that sort."""
        pooled = code.keep(word(self.plan.pooled, pool))
        code.give_if(is_(pooled, 0))
        code.give_if(self._has_several(pool, pooled))
        counts = code.keep(self._counts(pool))
        left = code.local("left", -1)
        with code.up_to(self._sorts_in(pool)) as (each, sort):
            with each.when(at(counts, sort)) as some:
                some.give_if(binary(Op.GE, left, num(0)))
                some.set(left, sort)
        with code.up_to(self.plan.tokens) as (each, token):
            stray = both(is_(self.tokens.pool(token), pool), differ(self.tokens.place(token), pool))
            with each.when(stray) as outside:
                outside.do("take_sort", token, left)

    def _resolve(self, code: Code, token: Local) -> None:
        """Chance gives a hidden token its kind."""
        pool = code.keep(self.tokens.pool(token))
        counts = code.keep(self._counts(pool))
        total = code.keep(word(self.plan.pooled, pool))
        sort = code.local("sort", 0)
        several = code.local("is_several", self._has_several(pool, total))
        # Of few cards: if the first sort that is left has not all of them, there are others.
        with code.when(negate(several)) as few:
            with few.loop() as first:
                first.leave_if(at(counts, sort))
                first.step(sort)
            few.set(several, differ(at(counts, sort), total))
        with code.when(several) as open_:
            open_.put(put_word(self.draws, plus(word(self.draws), 1)))
            number = open_.local("number", below(0, total))
            # The number is below what the pool has, so that counts behind its own do no harm.
            spot = open_.local("spot", counts)
            with open_.loop() as groups:
                whole = groups.keep(reduce(plus, (at(spot, step) for step in range(_GROUP))))
                groups.leave_if(less(number, whole))
                groups.step(number, times(whole, -1))
                groups.step(spot, _GROUP * WIDTH)
            with open_.loop() as search:
                its = search.keep(at(spot))
                search.leave_if(less(number, its))
                search.step(number, times(its, -1))
                search.step(spot, WIDTH)
            between = plus(spot, times(counts, -1))
            open_.set(sort, binary(Op.DIV, between, num(WIDTH)))
        code.do("take_sort", token, sort)
        code.do("settle", pool)

    def _has_several(self, pool: Expr, pooled: Expr) -> Expr:
        """Whether a pool has more tokens than there are of any one sort; so it has several."""
        classes = self.plan.graph.classes
        most = [max((kind.copies for kind in class_.kinds), default=0) for class_ in classes]
        of_place = (self.plan.class_of(place) for place in self.plan.graph.places)
        many = tuple(0 if class_ is None else most[class_] for class_ in of_place)
        return less(word(self.plan.memory.constant(many), pool), pooled)

    # ---- shuffling

    def _is_shuffled(self, code: Code, place: Local) -> None:
        """Whether nothing is known of the order: all one pool, or no order at all."""
        cells, count = code.keep(self.tokens.cells_of(place)), code.keep(self.tokens.count(place))
        code.give_if(is_(count, 0), 1)
        ordered = tuple(int(p.shape in (Shape.LIST, Shape.PILE)) for p in self.plan.graph.places)
        code.give_if(negate(word(self.plan.memory.constant(ordered), place)), 1)
        first = code.keep(self.tokens.pool(at(cells, 0)))
        with code.up_to(count) as (each, i):
            each.give_if(differ(self.tokens.pool(at(cells, i)), first), 0)
        code.give(differ(first, NO_POOL))

    def _unsettled(self, code: Code, place: Local) -> None:
        """The cards to be settled before a place is shuffled: those that a pool cannot follow."""
        found = new(code, self.plan.tokens)
        code.give_if(call("is_shuffled", place), found)
        with code.up_to(self.plan.tokens) as (each, token):
            pool = each.keep(self.tokens.pool(token))
            each.again_if(is_(pool, NO_POOL))
            inside = each.keep(is_(self.tokens.place(token), place))
            with each.either(is_(pool, place)) as (own, other):
                with own.when(negate(inside)) as stray:
                    push(stray, found, token)
                with other.when(inside) as guest:
                    many = guest.keep(self._inside(guest, pool, place))
                    with guest.when(less(many, word(self.plan.pooled, pool))) as parted:
                        push(parted, found, token)
        code.give(found)

    def _inside(self, code: Code, pool: Expr, place: Expr) -> Expr:
        """How many cards of a pool lie in a place."""
        many = code.local("many", 0)
        with code.up_to(self.plan.tokens) as (each, token):
            here = is_(self.tokens.place(token), place)
            each.step(many, both(is_(self.tokens.pool(token), pool), here))
        return many

    def _shuffle(self, code: Code, place: Local) -> None:
        """Pours an ordered place into its own pool."""
        cells, count = code.keep(self.tokens.cells_of(place)), code.keep(self.tokens.count(place))
        with code.up_to(count) as (each, i):
            self._refuse_different(each, each.keep(at(cells, i)), at(cells, 0))
        code.give_if(call("is_shuffled", place))
        code.trap_if(is_(place, BOX), SELDOM)
        self._pour(code, place, cells, count)

    def _refuse_different(self, code: Code, token: Expr, first: Expr) -> None:
        """Cards to be shuffled must lie alike."""
        first = code.keep(first)
        code.trap_if(differ(self.tokens.face(token), self.tokens.face(first)), SELDOM)
        opened = [
            both(self.tokens.flags(t), num((1 << 30) - 1 & ~self.tokens.sticky))
            for t in (token, first)
        ]
        code.trap_if(differ(*opened), SELDOM)

    def _pour(self, code: Code, place: Expr, cells: Expr, count: Expr) -> None:
        counts = code.keep(self._counts(place))
        with code.up_to(count) as (each, i):
            token = each.keep(at(cells, i))
            pool = each.keep(self.tokens.pool(token))
            with each.when(both(differ(pool, NO_POOL), differ(pool, place))) as guest:
                self._take_over(guest, pool, place)
            with each.when(is_(pool, NO_POOL)) as seen:
                sort = seen.keep(call("sort_of", token))
                seen.put(
                    put_at(counts, plus(at(counts, sort), 1), sort),
                    put_word(self.plan.pooled, plus(word(self.plan.pooled, place), 1), place),
                )
            kept = both(
                self.tokens.flags(token),
                binary(Op.XOR, self._sticky(token), num((1 << 30) - 1)),
            )
            each.put(
                put_word(self.plan.kind, UNRESOLVED, token),
                put_word(self.plan.pool, place, token),
                put_word(self.plan.flags, kept, token),
            )
            each.do("keep_look", token)

    def _take_over(self, code: Code, pool: Expr, place: Expr) -> None:
        """Adds a whole pool to another; the second of its cards finds nothing left to add."""
        counts, theirs = code.keep(self._counts(place)), code.keep(self._counts(pool))
        with code.up_to(self._sorts_in(place)) as (each, sort):
            both_ = plus(at(counts, sort), at(theirs, sort))
            each.put(put_at(counts, both_, sort), put_at(theirs, 0, sort))
        total = plus(word(self.plan.pooled, place), word(self.plan.pooled, pool))
        code.put(put_word(self.plan.pooled, total, place), put_word(self.plan.pooled, 0, pool))

    # ---- moving

    def _remove(self, code: Code, token: Local) -> None:
        """Takes a token out of the cells it lies in."""
        place = code.keep(self.tokens.place(token))
        cells = code.keep(self.tokens.cells_of(place))
        last = code.keep(plus(self.tokens.count(place), -1))
        hole = code.local("hole", last)
        with code.loop() as search:
            search.leave_if(is_(at(cells, hole), token))
            search.step(hole, -1)
        with code.loop() as close:
            close.leave_if(is_(hole, last))
            close.put(put_at(cells, at(cells, plus(hole, 1)), hole))
            close.step(hole)
        code.put(put_at(self.tokens.list_of(place), last))

    def _remove_all(self, code: Code, tokens: Local) -> None:
        """Takes tokens out of the cells they lie in, going through each place once if they can."""
        leaving = self.plan.memory.words(self.plan.tokens)
        with elements(code, tokens) as (each, token):
            each.put(put_word(leaving, 1, token))
        last = code.local("last", -1)
        with elements(code, tokens) as (each, token):
            place = each.keep(self.tokens.place(token))
            each.again_if(is_(place, last))
            each.set(last, place)
            cells = each.keep(self.tokens.cells_of(place))
            kept = each.local("kept", 0)
            with each.up_to(self.tokens.count(place)) as (inside, spot):
                token = inside.keep(at(cells, spot))
                inside.put(put_at(cells, token, kept))
                inside.step(kept, is_(word(leaving, token), 0))
            each.put(put_at(self.tokens.list_of(place), kept))
        with elements(code, tokens) as (each, token):
            each.put(put_word(leaving, 0, token))

    def _carry(self, code: Code, tokens: Local, place: Local, up: Local, bottom: Local) -> None:
        """Moves tokens that may be moved, as one block in their order."""
        code.trap_if(is_(place, NONE), NOWHERE)
        with code.when(is_(size(tokens), 1)) as single:
            self._carry_one(single, single.keep(element(tokens, 0)), place, up, bottom)
            single.give()
        code.do("remove_all", tokens)
        moved = code.local("is_moved", 0)
        with elements(code, tokens) as (each, token):
            self._turn(each, token, place, up)
            each.do("keep_look", token)
            with each.when(less(self.tokens.kind(token), 0)) as hidden:
                hidden.set(moved, 1)
        self._arrive(code, tokens, place, bottom)
        with code.when(moved) as some:
            with elements(some, tokens) as (each, token):
                with each.when(less(self.tokens.kind(token), 0)) as still:
                    still.do("settle", self.tokens.pool(token))

    def _turn(self, code: Code, token: Expr, place: Expr, up: Expr) -> None:
        """Notes where a token lies now, and how; flags that are not sticky stay behind."""
        pools = tuple(int(c.is_card) for c in self.plan.graph.classes)
        face = joined(up, binary(Op.XOR, self._by_class(token, pools), num(1)))
        code.put(put_word(self.plan.face, face, token))
        with code.when(differ(self.tokens.place(token), place)) as elsewhere:
            elsewhere.put(put_word(self.plan.place, place, token))
            kept = both(self.tokens.flags(token), self._sticky(token))
            elsewhere.put(put_word(self.plan.flags, kept, token))

    def _carry_one(self, code: Code, token: Expr, place: Expr, up: Expr, bottom: Expr) -> None:
        """Moves one token; a set that is in order stays so if the token is like no other."""
        code.do("remove", token)
        cells, count = code.keep(self.tokens.cells_of(place)), code.keep(self.tokens.count(place))
        tidy = code.local("tidy", joined(word(self.plan.tidy, place), is_(count, 0)))
        self._turn(code, token, place, up)
        code.do("keep_look", token)
        shape = code.keep(self.tokens.shape(place))
        spot = code.local("spot", count)
        with code.when(both(is_(shape, PILE), bottom)) as under:
            self._make_room(under, cells, count, num(1))
            under.set(spot, 0)
        with code.when(both(is_(shape, SET), tidy)) as sorted_:
            its = sorted_.keep(self.tokens.look(token))
            with sorted_.loop() as back:
                back.leave_if(is_(spot, 0))
                other = back.keep(at(cells, plus(spot, -1)))
                theirs = back.keep(self.tokens.look(other))
                back.leave_if(binary(Op.LE, theirs, its))
                back.put(put_at(cells, other, spot))
                back.step(spot, -1)
            with sorted_.when(spot) as behind:
                before = behind.keep(self.tokens.look(at(cells, plus(spot, -1))))
                behind.set(tidy, differ(before, its))
        code.put(
            put_at(cells, token, spot),
            put_at(self.tokens.list_of(place), plus(count, 1)),
            put_word(self.plan.tidy, both(tidy, is_(shape, SET)), place),
        )
        with code.when(less(self.tokens.kind(token), 0)) as hidden:
            hidden.do("settle", self.tokens.pool(token))

    def _arrive(self, code: Code, tokens: Expr, place: Expr, bottom: Expr) -> None:
        cells = code.keep(self.tokens.cells_of(place))
        count, many = code.keep(self.tokens.count(place)), code.keep(size(tokens))
        is_pile = code.keep(is_(self.tokens.shape(place), PILE))
        with code.when(both(is_pile, bottom)) as under:
            self._make_room(under, cells, count, many)
        first = code.keep(choice(both(is_pile, bottom), num(0), count))
        with code.up_to(many) as (each, i):
            # The top of a pile is its last cell: of a block the first token comes to lie highest.
            turned = plus(plus(many, -1), times(i, -1))
            spot = each.keep(plus(first, choice(is_pile, turned, i)))
            each.put(put_at(cells, element(tokens, i), spot))
        code.put(put_at(self.tokens.list_of(place), plus(count, many)), self.tokens.untidy(place))

    def _make_room(self, code: Code, cells: Expr, count: Expr, many: Expr) -> None:
        """Moves all cells up, from the last one down."""
        spot = code.local("spot", count)
        with code.loop() as each:
            each.leave_if(is_(spot, 0))
            each.step(spot, -1)
            each.put(put_at(cells, at(cells, spot), plus(spot, many)))
