"""The key of a table that goes node by node: what lies where, without the names of tokens.

It merges what the canonical bytes of `compiler.graph.layout` merge.  Tokens are listed by place,
those of a set in canonical order; variables name a token by its position in that list.  What no
rule will read any more is zero.  A key can be laid out as a table again, whose tokens have handles
in the order of the list.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from attrs import define, field, frozen

from compiler.graph.layout import Layout
from compiler.lir.build import binary, both, choice, mask, negate, num
from compiler.lir.core import Expr, Function, Load, Local, Op, Store
from compiler.lir.exploring.form import Entry, Form, KeyForm
from compiler.lir.reps import NONE
from compiler.lir.stepwise.code import (
    WIDTH,
    Code,
    Loops,
    at,
    at_least,
    call,
    differ,
    function,
    is_,
    joined,
    less,
    plus,
    put_word,
    times,
    word,
)
from compiler.lir.stepwise.lists import Arena, element, size
from compiler.lir.stepwise.plan import Plan
from compiler.lir.stepwise.pools import SELDOM
from compiler.lir.stepwise.tokens import PILE, Tokens

_BITS: Final = 30  # slots in one number of a mask of live ones


@define(eq=False)
class Canonical:
    """Writes the key of a table, and lays out the table of a key."""

    plan: Plan
    layout: Layout
    tokens: Tokens
    arena: Arena
    address: int = field(default=0, init=False)  # of the key, once it has a place
    form: KeyForm = field(init=False)
    _position: int = field(init=False)  # per token: where it is in the list
    _token: int = field(init=False)  # the token at each position
    _following: int = field(init=False)  # per class: the handle to be given next
    _live: int = field(init=False)
    _chunks: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        plan, memory = self.plan, self.plan.memory
        self.form = KeyForm(plan, self.layout)
        self._position, self._token = memory.words(plan.tokens), memory.words(plan.tokens)
        self._following = memory.words(len(plan.graph.classes))
        slots = plan.alive.slots
        total = sum(variable.size for variable in slots.variables)
        self._chunks = max(1, -(-total // _BITS))
        self._live = memory.words(3 * self._chunks)

    def place_at(self, address: int) -> None:
        """The key is written there."""
        self.address = address

    # ---- functions

    def functions(self) -> tuple[Function, ...]:
        """To write the key of the table, and the table of the key."""
        return (
            function("live_slots", (), self._find_live, gives=None),
            function("put_key", (), self._put_key, gives=None, exported=True),
            function("lay_key", (), self._lay_key, gives=None, exported=True),
        )

    def _put(self, code: Code, width: int, offset: int, index: Expr | None, value: Expr) -> None:
        scaled = None if index is None else times(index, width)
        code.put(Store(width, self.address + offset, scaled, value))

    def _get(self, width: int, offset: int, index: Expr | None = None) -> Expr:
        scaled = None if index is None else times(index, width)
        return Load(width, self.address + offset, scaled)

    def _put_count(self, code: Code, offset: int, index: Expr, count: Expr) -> None:
        """Writes a count of a pool, of which a byte may have several; they are zero before."""
        where, shift = self._of_count(index)
        before = self._get(1, offset, where)
        self._put(code, 1, offset, where, joined(before, binary(Op.SHL, count, shift)))

    def _count(self, offset: int, index: Expr) -> Expr:
        where, shift = self._of_count(index)
        bits = 8 // self.form.packed
        return both(binary(Op.SHR, self._get(1, offset, where), shift), num((1 << bits) - 1))

    def _of_count(self, index: Expr) -> tuple[Expr, Expr]:
        """The byte of a count, and the first of its bits."""
        packed = self.form.packed
        where = binary(Op.SHR, index, num(packed.bit_length() - 1))
        return where, times(both(index, num(packed - 1)), 8 // packed)

    # ---- what may still be read

    def _find_live(self, code: Code) -> None:
        """Masks of the slots that are live: outside triggers, inside, in one of both."""
        plan, chunks, memory = self.plan, self._chunks, self.plan.memory
        nodes = range(len(plan.graph.nodes))
        at_nodes = memory.constant(tuple(self._words(plan.alive.at[n] for n in nodes)))
        after = memory.constant(tuple(self._words(plan.alive.after.get(n, 0) for n in nodes)))
        out, inside = self._live, self._live + WIDTH * chunks
        row = code.local("row", times(word(plan.node), chunks))
        with code.up_to(chunks) as (each, c):
            each.put(put_word(out, word(at_nodes, plus(row, c)), c), put_word(inside, 0, c))
        depth = code.local("depth", word(plan.depth))
        with code.loop() as down:
            down.leave_if(is_(depth, 0))
            down.step(depth, -1)
            frame = down.keep(word(plan.stack, depth))
            with down.either(less(frame, 0)) as (trigger, caller):
                resumed = trigger.keep(times(plus(times(frame, -1), -1), chunks))
                with trigger.up_to(chunks) as (each, c):
                    each.put(put_word(inside, word(out, c), c))
                    each.put(put_word(out, word(at_nodes, plus(resumed, c)), c))
                behind = caller.keep(times(frame, chunks))
                with caller.up_to(chunks) as (each, c):
                    more = word(after, plus(behind, c))
                    each.put(put_word(out, joined(word(out, c), more), c))
        with code.when(word(plan.in_trigger)) as running:
            any_ = running.local("any", 0)
            with running.up_to(chunks) as (each, c):
                each.set(any_, joined(any_, word(inside, c)))
            with running.when(is_(any_, 0)) as alone, alone.up_to(chunks) as (each, c):
                each.put(put_word(inside, word(out, c), c), put_word(out, 0, c))
        with code.up_to(chunks) as (each, c):
            either = joined(word(out, c), word(inside, c))
            each.put(put_word(inside + WIDTH * chunks, either, c))

    def _words(self, masks: Iterator[int]) -> Iterator[int]:
        for found in masks:
            for chunk in range(self._chunks):
                yield found >> chunk * _BITS & (1 << _BITS) - 1

    # ---- writing a key

    def _put_key(self, code: Code) -> None:
        code.put(self.arena.clear())
        self.tokens.references.fresh(code)
        with code.up_to(self.form.size // 8) as (each, i):
            each.put(Store(8, self.address, times(i, 8), mask(0)))
        self._put_control(code)
        self._put_tokens(code)
        for place, offset in self.form.pools.items():
            some = choice(word(self.plan.pooled, place), num(self._sorts(place)), num(0))
            with code.up_to(some) as (each, i):
                self._put_count(each, offset, i, word(self.plan.sorts[place], i))
        code.do("live_slots")
        for form, width, room, entries in self.form.groups():
            with self._each_entry(code, entries) as (each, entry):
                each.again_if(negate(self._is_live(entry)))
                self._put_slot(each, form, width, room, entry)

    def _put_control(self, code: Code) -> None:
        plan, control = self.plan, self.form.control
        self._put(code, 2, control["node"], None, word(plan.node))
        depth = code.local("depth", word(plan.depth))
        code.trap_if(less(self.form.frames, depth), SELDOM)
        if "stack" in control:
            self._put(code, 1, control["depth"], None, depth)
            with code.up_to(depth) as (each, i):
                frame = both(word(plan.stack, i), num(0xFFFF))
                self._put(each, 2, control["stack"], i, frame)
        if "fired" in control:
            self._put(code, 4, control["fired"], None, word(plan.fired))
            self._put(code, 4, control["held"], None, word(plan.held))
            self._put(code, 1, control["in_trigger"], None, word(plan.in_trigger))

    def _put_tokens(self, code: Code) -> None:
        """Lists the tokens of each section, and notes where each is in the list."""
        memory, tokens = self.plan.memory, self.tokens
        places = memory.constant(tuple(section.place for section in self.form.sections))
        firsts, ends = self._handles()
        spot = code.local("spot", 0)
        with code.up_to(len(self.form.sections)) as (each, n):
            listed = each.keep(call("contents", word(places, n)))
            first, end = each.keep(word(firsts, n)), each.keep(word(ends, n))
            begun = each.local("begun", spot)
            with each.up_to(size(listed)) as (inside, i):
                token = inside.keep(element(listed, i))
                inside.again_if(joined(less(token, first), at_least(token, end)))
                kind = inside.local("kind", tokens.kind(token))
                with inside.when(less(kind, 0)) as hidden:
                    hidden.set(kind, plus(tokens.pool(token), self.form.most_kinds))
                front = plus(times(kind, 2), tokens.face(token))
                code_ = joined(times(front, 1 << self.form.flags), tokens.flags(token))
                self._put(inside, self.form.code_width, self.form.codes, spot, code_)
                inside.put(put_word(self._position, spot, token))
                inside.step(spot)
            self._put(
                each, self.form.count_width, self.form.counts, n, plus(spot, times(begun, -1))
            )

    def _handles(self) -> tuple[int, int]:
        """Tables of the first handle of each section's class, and of the one behind its last."""
        ranges = [self.plan.class_tokens[section.token_class] for section in self.form.sections]
        memory = self.plan.memory
        return (
            memory.constant(tuple(handles.start for handles in ranges)),
            memory.constant(tuple(handles.stop for handles in ranges)),
        )

    def _sorts(self, place: int) -> int:
        class_index = self.plan.class_of(self.plan.graph.places[place])
        assert class_index is not None
        return self.plan.sort_count(class_index)

    # ---- slots

    @contextmanager
    def _each_entry(self, code: Code, entries: tuple[Entry, ...]) -> Iterator[tuple[Loops, "_Row"]]:
        """What is done for each entry, whose numbers are in a table."""
        rows = []
        for entry in entries:
            chunk, bit = divmod(entry.bit, _BITS)
            where = self._live + WIDTH * (entry.bank * self._chunks + chunk)
            rows += [entry.address, where, bit, entry.low, entry.offset]
        table = self.plan.memory.constant(tuple(rows))
        with code.up_to(len(entries)) as (each, i):
            row = each.keep(times(i, 5))
            numbers = [each.keep(word(table, plus(row, n))) for n in range(5)]
            yield each, _Row(*numbers)

    def _is_live(self, entry: "_Row") -> Expr:
        return both(binary(Op.SHR, at(entry.live), entry.bit), num(1))

    def _put_slot(self, code: Code, form: Form, width: int, room: int, entry: "_Row") -> None:
        where = plus(entry.offset, self.address)
        if form in (Form.SCALAR, Form.TOKEN):
            value = code.keep(at(entry.address))
            code.put(Store(width, 0, where, self._spelt(code, form, entry, value)))
            return
        many = code.keep(at(entry.address))
        with code.when(differ(many, NONE)) as there:
            if form is Form.TOKEN_SET:
                self._put_set(there, where, entry, many)
                return
            if form is Form.SET:
                bits = there.local("bits", 1)
                with there.up_to(many) as (each, i):
                    above = plus(at(entry.address, plus(i, 1)), plus(times(entry.low, -1), 1))
                    each.set(bits, joined(bits, binary(Op.SHL, num(1), above)))
                there.put(Store(width, 0, where, bits))
                return
            there.trap_if(less(room, many), SELDOM)
            there.put(Store(width, 0, where, plus(many, 1)))
            with there.up_to(many) as (each, i):
                value = each.keep(at(entry.address, plus(i, 1)))
                cell = plus(where, times(plus(i, 1), width))
                each.put(Store(width, 0, cell, self._spelt(each, form, entry, value)))

    def _put_set(self, code: Code, where: Expr, entry: "_Row", many: Expr) -> None:
        """A bit for each token that is in the set."""
        code.put(Store(1, 0, where, num(1)))
        with code.up_to(many) as (each, i):
            spot = each.keep(word(self._position, at(entry.address, plus(i, 1))))
            byte = each.keep(plus(plus(where, 1), binary(Op.SHR, spot, num(3))))
            bit = binary(Op.SHL, num(1), both(spot, num(7)))
            each.put(Store(1, 0, byte, joined(Load(1, 0, byte), bit)))

    def _lay_set(self, code: Code, where: Expr, entry: "_Row") -> None:
        """The tokens whose bits are set; they come with ascending handles."""
        code.put(Store(WIDTH, 0, entry.address, num(0)))
        with code.up_to(self.plan.tokens) as (each, spot):
            byte = Load(1, 0, plus(plus(where, 1), binary(Op.SHR, spot, num(3))))
            bit = both(binary(Op.SHR, byte, both(spot, num(7))), num(1))
            with each.when(bit) as inside:
                many = inside.keep(plus(at(entry.address), 1))
                address = plus(entry.address, times(many, WIDTH))
                inside.put(Store(WIDTH, 0, address, word(self._token, spot)))
                inside.put(Store(WIDTH, 0, entry.address, many))

    def _spelt(self, code: Code, form: Form, entry: "_Row", value: Expr) -> Expr:
        """A value as a number; 0 is `none`."""
        found = code.local("spelt", 0)
        with code.when(differ(value, NONE)) as there:
            if form in (Form.SCALAR, Form.LIST):
                there.set(found, plus(plus(value, times(entry.low, -1)), 1))
            else:
                there.set(found, plus(word(self._position, value), 1))
        return found

    # ---- laying out a table

    def _lay_key(self, code: Code) -> None:
        plan = self.plan
        self.tokens.references.fresh(code)
        self._lay_control(code)
        with code.up_to(len(plan.graph.places)) as (each, p):
            each.put(put_word(plan.pooled, 0, p))
            each.put(Store(WIDTH, 0, word(self.tokens.lying, p), num(0)))
        self._lay_tokens(code)
        for pool, offset in self.form.pools.items():
            total = code.local("total", 0)
            with code.up_to(self._sorts(pool)) as (each, i):
                count = each.keep(self._count(offset, i))
                each.put(put_word(plan.sorts[pool], count, i))
                each.step(total, count)
            code.put(put_word(plan.pooled, total, pool))
        code.do("live_slots")
        for form, width, room, entries in self.form.groups():
            with self._each_entry(code, entries) as (each, entry):
                each.put(Store(WIDTH, 0, entry.address, num(NONE)))
                each.again_if(negate(self._is_live(entry)))
                self._lay_slot(each, form, width, room, entry)

    def _lay_control(self, code: Code) -> None:
        plan, control = self.plan, self.form.control
        code.put(put_word(plan.node, self._get(2, control["node"])))
        code.put(put_word(plan.depth, 0))
        if "stack" in control:
            depth = code.keep(self._get(1, control["depth"]))
            code.put(put_word(plan.depth, depth))
            with code.up_to(depth) as (each, i):
                frame = each.local("frame", self._get(2, control["stack"], i))
                with each.when(at_least(frame, 1 << 15)) as trigger:
                    trigger.step(frame, -(1 << 16))
                each.put(put_word(plan.stack, frame, i))
        for name, address in (("fired", plan.fired), ("held", plan.held)):
            kept = self._get(4, control[name]) if name in control else num(0)
            code.put(put_word(address, kept))
        running = self._get(1, control["in_trigger"]) if "in_trigger" in control else num(0)
        code.put(put_word(plan.in_trigger, running))

    def _lay_tokens(self, code: Code) -> None:
        plan, memory, tokens = self.plan, self.plan.memory, self.tokens
        places = memory.constant(tuple(section.place for section in self.form.sections))
        classes = memory.constant(tuple(section.token_class for section in self.form.sections))
        for number, handles in enumerate(plan.class_tokens):
            code.put(put_word(self._following, handles.start, number))
        spot = code.local("spot", 0)
        with code.up_to(len(self.form.sections)) as (each, n):
            place, class_index = each.keep(word(places, n)), each.keep(word(classes, n))
            many = each.keep(self._get(self.form.count_width, self.form.counts, n))
            lying = each.keep(tokens.list_of(place))
            before = each.local("before", at(lying))
            is_pile = each.keep(is_(tokens.shape(place), PILE))
            each.put(Store(WIDTH, 0, lying, plus(before, many)))
            with each.up_to(many) as (inside, i):
                token = inside.local("token", word(self._following, class_index))
                inside.put(put_word(self._following, plus(token, 1), class_index))
                self._lay_token(inside, token, place, inside.keep(spot))
                turned = plus(plus(many, -1), times(i, -1))
                cell = plus(before, choice(is_pile, turned, i))
                address = plus(plus(lying, WIDTH), times(cell, WIDTH))
                inside.put(Store(WIDTH, 0, address, token))
                inside.put(put_word(self._token, token, spot))
                inside.step(spot)

    def _lay_token(self, code: Code, token: Local, place: Expr, spot: Expr) -> None:
        plan = self.plan
        spelt = code.keep(self._get(self.form.code_width, self.form.codes, spot))
        front = code.keep(binary(Op.SHR, spelt, num(self.form.flags)))
        kind = code.local("kind", binary(Op.SHR, front, num(1)))
        pool = code.local("pool", -1)
        with code.when(at_least(kind, self.form.most_kinds)) as hidden:
            hidden.set(pool, plus(kind, -self.form.most_kinds))
            hidden.set(kind, -1)
        code.put(
            put_word(plan.kind, kind, token),
            put_word(plan.pool, pool, token),
            put_word(plan.place, place, token),
            put_word(plan.face, both(front, num(1)), token),
            put_word(plan.flags, both(spelt, num((1 << self.form.flags) - 1)), token),
        )
        code.do("keep_look", token)

    def _lay_slot(self, code: Code, form: Form, width: int, room: int, entry: "_Row") -> None:
        where = plus(entry.offset, self.address)
        if form in (Form.SCALAR, Form.TOKEN):
            spelt = code.keep(Load(width, 0, where))
            code.put(Store(WIDTH, 0, entry.address, self._meant(code, form, entry, spelt)))
            return
        if form is Form.SET:
            self._lay_bits(code, width, room, entry)
            return
        many = code.keep(plus(Load(width, 0, where), -1))
        with code.when(at_least(many, 0)) as there:
            if form is Form.TOKEN_SET:
                self._lay_set(there, where, entry)
                return
            there.put(Store(WIDTH, 0, entry.address, many))
            with there.up_to(many) as (each, i):
                next_ = plus(i, 1)
                spelt = each.keep(Load(width, 0, plus(where, times(next_, width))))
                value = self._meant(each, form, entry, spelt)
                each.put(Store(WIDTH, 0, plus(entry.address, times(next_, WIDTH)), value))

    def _lay_bits(self, code: Code, width: int, room: int, entry: "_Row") -> None:
        """A set of scalars in ascending order."""
        bits = code.keep(Load(width, 0, plus(entry.offset, self.address)))
        with code.when(bits) as there:
            many = there.local("many", 0)
            with there.up_to(room) as (each, i):
                each.again_if(negate(both(binary(Op.SHR, bits, plus(i, 1)), num(1))))
                each.step(many)
                cell = plus(entry.address, times(many, WIDTH))
                each.put(Store(WIDTH, 0, cell, plus(entry.low, i)))
            there.put(Store(WIDTH, 0, entry.address, many))

    def _meant(self, code: Code, form: Form, entry: "_Row", spelt: Expr) -> Expr:
        found = code.local("meant", NONE)
        with code.when(spelt) as there:
            if form in (Form.SCALAR, Form.LIST):
                there.set(found, plus(plus(spelt, entry.low), -1))
            else:
                there.set(found, word(self._token, plus(spelt, -1)))
        return found


@frozen
class _Row:
    """The numbers of an entry while the program runs."""

    address: Expr
    live: Expr
    bit: Expr
    low: Expr
    offset: Expr
