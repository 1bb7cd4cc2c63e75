"""What does not change within a loop is found out once, when it is first asked for.

A term of a lower level than the loops around it keeps its value in a local, which is forgotten
where the loop of its level comes to the next member.  How many members of a list have some value
is counted for all values at once, where one value after the other is asked for.
"""

from contextlib import ExitStack
from typing import Final

from attrs import define, frozen

from compiler.graph.core import Apply, Term
from compiler.lir.build import EMPTY, both, choice, has_bit, num, single, union
from compiler.lir.core import MASK, Expr, If, Local
from compiler.lir.stepwise.asks import Asks, forgetting
from compiler.lir.stepwise.code import (
    Code,
    at_least,
    differ,
    is_,
    less,
    plus,
    put_word,
    word,
)
from compiler.lir.stepwise.levels import Tally, ends, is_heavy, level, tally
from compiler.lir.stepwise.plan import is_list
from compiler.lir.stepwise.streams import Streams
from compiler.ops import lists

_BITS: Final = 64


def _is_count(term: Term) -> bool:
    """Whether a number of members is asked for, not whether there is one."""
    return isinstance(term, Apply) and term.op is lists.COUNT


@define(eq=False)
class Keeping:
    """Keeps values where a reader reads."""

    reader: Asks

    @property
    def code(self) -> Code:
        """Where statements go."""
        return self.reader.code

    def of(self, term: Term) -> Expr | None:
        """The value of a term that need not be found out again; `None` for another."""
        if is_list(term.type):
            return None
        its = level(term, self.reader.levels)
        if its < len(self.reader.outer) and is_heavy(term):
            return self._kept(term, its)
        tallied = tally(term, self.reader.levels)
        return None if tallied is None else self._tallied(term, tallied)

    def _kept(self, term: Term, its: int) -> Expr:
        known = self.reader.outer[its].local("is_known", 0)
        found = Local(self.code.names.fresh("known"))
        with self.code.when(is_(known, 0)) as first:
            inner = self.reader.further_out(first, its)
            with forgetting(inner):
                first.set(found, inner.term(term))
            first.set(known, 1)
        return found

    # ---- how many members have which value

    def _tallied(self, term: Term, its: Tally) -> Expr | None:
        kept: _Counts | _Present
        if _is_count(term) or its.count > _BITS:
            kept = _Counts(self.reader.plan.memory.words(its.count), its.count)
        else:
            kept = _Present(Local(self.code.names.fresh("present"), MASK))
        unsure = Local(self.code.names.fresh("unsure"))
        first = self.code.inner()
        self._count(first, its, kept, unsure)
        if self.reader.care.uncovers(first.out):
            return None
        known = self.reader.outer[its.level].local("_is_counted", 0)
        first.set(known, 1)
        wanted = self.code.keep(self.reader.term(its.wanted))
        self.code.put(If(is_(known, 0), first.block))
        many = kept.told(plus(wanted, -its.low))
        span = ends(its.wanted.type)
        if span is None or span[0] < its.low or its.low + its.count <= span[1]:
            inside = both(at_least(wanted, its.low), less(wanted, its.low + its.count))
            many = choice(inside, many, num(0))
        found = self.code.local("many", many if _is_count(term) else differ(many, 0))
        with self.code.when(unsure) as doubtful:
            plainly = self.reader.inside(doubtful)
            with forgetting(plainly):
                doubtful.set(found, plainly.plainly(term))
        return found

    def _count(self, code: Code, its: Tally, kept: "_Counts | _Present", unsure: Local) -> None:
        """Counts all values anew."""
        code.set(unsure, 0)
        kept.clear(code)
        reader = self.reader.further_out(code, its.level).doubting(unsure)
        with forgetting(reader), Streams(reader).each(its.members) as member:
            inner = reader.binding(member.code, its.bound, member.value)
            with ExitStack() as stack:
                for other in its.others:
                    passing = stack.enter_context(inner.code.when(inner.test(other)))
                    inner = inner.inside(passing)
                kept.meet(inner.code, inner.code.keep(plus(inner.term(its.of), -its.low)))


@frozen(eq=False)
class _Counts:
    """How many members have each value, in memory."""

    address: int
    count: int

    def clear(self, code: Code) -> None:
        """None has been met."""
        with code.up_to(self.count) as (each, i):
            each.put(put_word(self.address, 0, i))

    def meet(self, code: Code, value: Expr) -> None:
        """One more."""
        code.put(put_word(self.address, plus(word(self.address, value), 1), value))

    def told(self, value: Expr) -> Expr:
        """How many have a value."""
        return word(self.address, value)


@frozen(eq=False)
class _Present:
    """Which values members have, as bits."""

    bits: Local

    def clear(self, code: Code) -> None:
        """None has been met."""
        code.set(self.bits, EMPTY)

    def meet(self, code: Code, value: Expr) -> None:
        """One more."""
        code.set(self.bits, union([self.bits, single(value)]))

    def told(self, value: Expr) -> Expr:
        """Whether one has a value."""
        return has_bit(self.bits, value)
