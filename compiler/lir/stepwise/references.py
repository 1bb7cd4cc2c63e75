"""What refers to tokens: variables that may still be read, by which look-alikes are told apart."""

from typing import Final

from attrs import define, field

from compiler.lir.build import binary, both, choice, negate, num
from compiler.lir.core import Expr, Function, Local, Op
from compiler.lir.stepwise.code import (
    Code,
    Value,
    at,
    call,
    expr,
    function,
    is_,
    joined,
    less,
    plus,
    put_word,
    times,
    word,
)
from compiler.lir.stepwise.plan import Plan, TokenSlot
from compiler.types import ListOf, SetOf, present

_CHUNK_BITS: Final = 4
_CHUNK: Final = 1 << _CHUNK_BITS
"""Token slots in one number of a mask of live ones."""

SCALAR, UNORDERED, ORDERED = range(3)


def bit(mask: Expr, number: Value) -> Expr:
    """One bit, as a truth."""
    return both(binary(Op.SHR, mask, expr(number)), num(1))


@define(eq=False)
class References:
    """The slots of tokens of one plan, and which of them may still be read."""

    plan: Plan
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

    def functions(self) -> tuple[Function, ...]:
        """All that is below, for a program to take in."""
        return (
            function("slot_position", ("slot", "token"), self._position_in_slot),
            function("find_live", (), self._find_live, gives=None),
            function("marks", ("left", "right", "live"), self._marks),
            function("marks_later", ("slot", "token", "live"), self._marks_later),
        )

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


def _form(slot: TokenSlot) -> int:
    match present(slot.home.variable.type):
        case SetOf():
            return UNORDERED
        case ListOf():
            return ORDERED
        case _:
            return SCALAR
