"""The legal answers of a decision, in their order: rows, of which a number below their count picks.

A row is one answer, or all answers of an option that differ in the value of its last slot alone:
the tokens of a list, or the sets that differ in their last member.  Whoever plays at random takes
one answer, so that the others need not be written down.
"""

from typing import Final, Self

from attrs import frozen

from compiler.graph.core import Choose, DomainMode, Option
from compiler.lir.build import (
    binary,
    bit_count,
    choice,
    lowest,
    negate,
    num,
    single,
    union,
    without,
)
from compiler.lir.core import MASK, Expr, Function, Load, Local, Op, Store
from compiler.lir.stepwise.choosing import Together
from compiler.lir.stepwise.code import (
    WIDTH,
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
    times,
    word,
)
from compiler.lir.stepwise.lists import OVERFLOW, element, new, push, size
from compiler.lir.stepwise.plan import Plan
from compiler.types import has_tokens

MOST: Final = 1 << 12
"""Answers that one decision has room for."""

DECLINE: Final = -1
"""The position of the option that none is taken."""

_END, _POSITION, _VALUES = 0, 1, 8
"""Numbers of a row: the answers up to its end, the option, the values of slots."""

_ORDER, _TAKEN, _LAST, _MORE = 2, 4, 6, 3
"""And of sets: the list of members, or 0 for one set; masks, and how many of the last ones."""

_EIGHT: Final = 8


@frozen(eq=False)
class Picked:
    """One answer: its row, and which of the answers of that row."""

    row: Expr
    number: Expr

    @property
    def position(self) -> Expr:
        """The position of its option, or `DECLINE`."""
        return at(self.row, _POSITION)


@frozen(eq=False)
class Answers:
    """Where the answers of a decision are listed."""

    width: int  # numbers of a row
    address: int
    rows: int  # how many rows there are
    count: int  # and how many answers

    @classmethod
    def of(cls, plan: Plan) -> Self:
        """Room for the largest decision of a plan."""
        steps = [node.step for node in plan.graph.nodes]
        slots = [len(o.slots) for step in steps if isinstance(step, Choose) for o in step.options]
        width = _VALUES + max(slots, default=0)
        width += width % 2  # masks lie at multiples of eight bytes
        room = plan.memory.eights(MOST * width // 2)
        return cls(width, room, plan.memory.words(1), plan.memory.words(1))

    def clear(self, code: Code) -> None:
        """None yet."""
        code.put(put_word(self.rows, 0), put_word(self.count, 0))

    def add(self, code: Code, position: int, values: tuple[Expr, ...] = ()) -> None:
        """One more."""
        row = self._row(code, position, values, num(1))
        code.put(put_at(row, 0, _ORDER))

    def add_tokens(self, code: Code, position: int, values: tuple[Expr, ...], last: Expr) -> None:
        """One for each token of a list, which is the value of the last slot."""
        with code.when(size(last)) as some:
            self._row(some, position, (*values, last), size(last))

    def add_sets(
        self, code: Code, position: int, values: tuple[Expr, ...], order: Expr, sets: Together
    ) -> None:
        """One for each of some sets of positions in an order."""
        last = sets.last
        many = code.local("many", bit_count(last))
        with code.when(differ(sets.more, 1)) as several:
            several.set(many, call("ways", many, sets.more))
        row = self._row(code, position, values, many)
        code.put(
            put_at(row, order, _ORDER),
            put_at(row, sets.more, _MORE),
            Store(_EIGHT, WIDTH * _TAKEN, row, sets.taken),
            Store(_EIGHT, WIDTH * _LAST, row, last),
        )

    def _row(self, code: Code, position: int, values: tuple[Expr, ...], many: Expr) -> Expr:
        end = code.keep(plus(word(self.count), many))
        code.trap_if(less(MOST, end), OVERFLOW)
        number = code.keep(word(self.rows))
        row = code.keep(plus(times(number, WIDTH * self.width), self.address))
        code.put(put_at(row, end, _END), put_at(row, position, _POSITION))
        for at_, value in enumerate(values):
            code.put(put_at(row, value, _VALUES + at_))
        code.put(put_word(self.count, end), put_word(self.rows, plus(number, 1)))
        return row

    def pick(self, code: Code, number: Expr) -> Picked:
        """The answer of a number below their count."""
        size_ = WIDTH * self.width
        row = code.local("row", self.address)
        left = code.local("left", 0)
        with code.either(is_(word(self.rows), word(self.count))) as (single_, several):
            single_.set(row, plus(times(number, size_), self.address))
            with several.loop("search") as each:
                each.leave_if(less(number, at(row, _END)))
                each.step(row, size_)
            several.set(left, number)
            with several.when(differ(row, self.address)) as later:
                later.step(left, times(at(plus(row, -size_), _END), -1))
        return Picked(row, left)

    def values(self, code: Code, option: Option, picked: Picked) -> list[Expr]:
        """The values of the slots of an option that is picked."""
        values = [at(picked.row, _VALUES + at_) for at_ in range(len(option.slots))]
        if values and ends_in_tokens(option):
            values[-1] = element(code.keep(values[-1]), picked.number)
        elif values and ends_in_sets(option):
            values[-1] = self._whole(code, code.keep(values[-1]), picked)
        return values

    def _whole(self, code: Code, made: Expr, picked: Picked) -> Expr:
        """A set: one that is there, or one of several, which come in the order of their members."""
        order = code.keep(at(picked.row, _ORDER))
        whole = code.local("whole", made)
        with code.when(order) as one:
            one.set(whole, call("picked_set", picked.row, order, picked.number))
        return whole

    def functions(self) -> tuple[Function, ...]:
        """What is asked of sets."""
        return (
            function("ways", ("many", "wanted"), _ways),
            function("picked_set", ("row", "order", "number"), _picked_set),
        )


def _ways(code: Code, many: Local, wanted: Local) -> None:
    """In how many ways so many can be taken of many, or a number above what there may be."""
    rest = code.keep(plus(many, times(wanted, -1)))
    code.give_if(less(rest, 0), 0)
    fewer = code.keep(choice(less(rest, wanted), rest, wanted))
    found = code.local("found", 1)
    with code.up_to(fewer) as (each, i):
        product = binary(Op.MUL, found, plus(many, times(i, -1)))
        each.set(found, binary(Op.DIV, product, plus(i, 1)))
        each.give_if(less(MOST, found), found)
    code.give(found)


def _picked_set(code: Code, row: Local, order: Local, number: Local) -> None:
    """The set of a number among those of a row.

    Of those that go on alike, the ones with an earlier member come first.
    """
    taken = code.local("taken", Load(_EIGHT, WIDTH * _TAKEN, row, MASK), MASK)
    last = code.local("last", Load(_EIGHT, WIDTH * _LAST, row, MASK), MASK)
    left, more = code.local("left", number), code.local("more", at(row, _MORE))
    with code.loop() as each:
        each.leave_if(is_(more, 0))
        own = each.keep(single(lowest(last)))
        each.set(last, without(last, own))
        with_it = each.local("with_it", 1)
        with each.when(differ(more, 1)) as several:
            several.set(with_it, call("ways", bit_count(last), plus(more, -1)))
        with each.either(less(left, with_it)) as (its, later):
            its.set(taken, union([taken, own]))
            its.step(more, -1)
            later.step(left, times(with_it, -1))
    made = new(code, bit_count(taken))
    with code.loop() as each:
        each.leave_if(negate(taken))
        spot = each.keep(lowest(taken))
        each.set(taken, without(taken, single(spot)))
        push(each, made, element(order, spot))
    code.give(made)


def ends_in_tokens(option: Option) -> bool:
    """Whether the last slot of an option is a token, so that a row has a list of them."""
    slot = option.slots[-1]
    return slot.domain.mode is DomainMode.MEMBERS and has_tokens(slot.local.type)


def ends_in_sets(option: Option) -> bool:
    """Whether the last slot of an option is a set, of which a row may have several."""
    return option.slots[-1].domain.mode is DomainMode.SUBSETS
