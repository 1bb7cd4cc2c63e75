"""The legal answers of a decision, in their order: rows, of which a number below their count picks.

A row is one answer, or all answers of an option that differ in the value of its last slot alone:
the tokens of a list, or the sets that differ in their last member.  Whoever plays at random takes
one answer, so that the others need not be written down.
"""

from typing import Final, Self

from attrs import frozen

from compiler.graph.core import Choose, DomainMode, Option
from compiler.lir.build import (
    EMPTY,
    bit_count,
    choice,
    lowest,
    num,
    single,
    some_bit,
    without,
)
from compiler.lir.core import MASK, Expr, Load, Store
from compiler.lir.stepwise.code import (
    WIDTH,
    Code,
    at,
    differ,
    is_,
    less,
    plus,
    put_at,
    put_word,
    times,
    word,
)
from compiler.lir.stepwise.lists import OVERFLOW, element, size
from compiler.lir.stepwise.plan import Plan
from compiler.types import has_tokens

MOST: Final = 1 << 12
"""Answers that one decision has room for."""

DECLINE: Final = -1
"""The position of the option that none is taken."""

_END, _POSITION, _LAST, _ORDER, _VALUES = 0, 1, 2, 4, 5
"""Numbers of a row: the answers up to its end, the option, a mask, a list, the values of slots."""

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
        code.put(_put_last(row, EMPTY))

    def add_tokens(self, code: Code, position: int, values: tuple[Expr, ...], last: Expr) -> None:
        """One for each token of a list, which is the value of the last slot."""
        with code.when(size(last)) as some:
            self._row(some, position, (*values, last), size(last))

    def add_sets(
        self,
        code: Code,
        position: int,
        values: tuple[Expr, ...],
        made: Expr,
        order: Expr,
        last: Expr,
    ) -> None:
        """One for each set that has a member of `last`, by position in an order, as its last one.

        Without these it is one set that is whole.
        """
        many = choice(some_bit(last), bit_count(last), num(1))
        row = self._row(code, position, (*values, made), code.keep(many))
        code.put(_put_last(row, last), put_at(row, order, _ORDER))

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
        """A set with its last member."""
        last = code.local("last", Load(_EIGHT, WIDTH * _LAST, picked.row, MASK), MASK)
        with code.when(some_bit(last)) as some:
            turn = some.local("turn", picked.number)
            with some.loop() as each:
                each.leave_if(is_(turn, 0))
                each.step(turn, -1)
                each.set(last, without(last, single(lowest(last))))
            order = some.keep(at(picked.row, _ORDER))
            some.put(put_at(made, element(order, lowest(last)), size(made)))
        return made


def _put_last(row: Expr, last: Expr) -> Store:
    return Store(_EIGHT, WIDTH * _LAST, row, last)


def ends_in_tokens(option: Option) -> bool:
    """Whether the last slot of an option is a token, so that a row has a list of them."""
    slot = option.slots[-1]
    return slot.domain.mode is DomainMode.MEMBERS and has_tokens(slot.local.type)


def ends_in_sets(option: Option) -> bool:
    """Whether the last slot of an option is a set, of which a row may have several."""
    return option.slots[-1].domain.mode is DomainMode.SUBSETS
