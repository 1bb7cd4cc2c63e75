"""Quantifiers, filters and maps as loops."""

from contextlib import ExitStack
from typing import assert_never

from attrs import define

from compiler.graph.core import Const, DomainMode, Fold, FoldMode
from compiler.lir.build import both, negate, num
from compiler.lir.core import Expr, Local
from compiler.lir.reps import Unsupported
from compiler.lir.stepwise.asks import Asks, forgetting
from compiler.lir.stepwise.choosing import subsets
from compiler.lir.stepwise.code import WIDTH, Code, is_, plus
from compiler.lir.stepwise.growing import Growing
from compiler.lir.stepwise.lists import elements, size
from compiler.lir.stepwise.plan import is_list
from compiler.lir.stepwise.streams import Member, Streams, most_members


@define(eq=False)
class Folds:
    """Writes folds where a reader reads."""

    reader: Asks

    @property
    def code(self) -> Code:
        """Where statements go."""
        return self.reader.code

    def of(self, fold: Fold) -> Expr:
        """The value of a fold."""
        match fold.mode:
            case FoldMode.SOME | FoldMode.EVERY:
                return self._quantified(fold)
            case FoldMode.FILTER | FoldMode.MAP:
                return self._collected(fold)
            case _:
                assert_never(fold.mode)

    def loose(self, fold: Fold) -> Expr:
        """The value of a fold; a list in any order."""
        room = most_members(self.reader.plan, fold)
        return self.of(fold) if room is None else self._streamed(fold, room, ordered=False)

    def _quantified(self, fold: Fold) -> Expr:
        wanted = fold.mode is FoldMode.SOME
        found = self.code.local("is_found", not wanted)
        if fold.domain.mode is DomainMode.SUBSETS:
            self._quantified_subsets(fold, found)
            return found
        if fold.domain.mode is DomainMode.ORDERS:
            raise Unsupported("a quantifier over orders")
        with Streams(self.reader, once=False).counting(fold) as member:
            leaves = member.may_leave(self.reader.care)
            with ExitStack() as stack:
                code = member.code
                if not leaves:
                    code = stack.enter_context(code.when(is_(found, not wanted)))
                with code.when(self._decides(fold, member.within(code, member.value))) as decided:
                    decided.set(found, wanted)
                    if leaves:
                        member.leave(decided)
        return found

    def _decides(self, fold: Fold, member: Member) -> Expr:
        """Whether a member settles the question."""
        code = member.code
        inner = self.reader.binding(code, fold.bound, member.value, fold.domain.members)
        decisive = code.local("is_decisive", 0)
        with forgetting(inner):
            passes = num(1) if fold.where is None else code.keep(inner.test(fold.where))
            with code.when(passes) as passing:
                asked = inner.inside(passing)
                held = num(1) if fold.body is None else asked.test(fold.body)
                passing.set(decisive, held if fold.mode is FoldMode.SOME else negate(held))
        return decisive

    def _quantified_subsets(self, fold: Fold, found: Local) -> None:
        wanted = fold.mode is FoldMode.SOME
        pointer = self.code.keep(self.reader.listed(fold.domain.members))
        low, high = self.reader.bounds(fold.domain.low, fold.domain.high, pointer)
        mark = self.reader.arena.mark(self.code)
        with self.code.loop("subsets") as once:
            with subsets(once, self.reader.plan.memory, pointer, low, high) as (each, made):
                tested = self.reader.binding(each, fold.bound, made)
                begun = self.reader.arena.mark(each)
                passes = num(1) if fold.where is None else each.keep(tested.test(fold.where))
                held = num(1) if fold.body is None else tested.test(fold.body)
                decisive = both(passes, held if wanted else negate(held))
                with each.when(decisive) as decided:
                    decided.set(found, wanted)
                    once.leave_from(decided)
                each.put(self.reader.arena.release(begun))
            once.leave()
        self.code.put(self.reader.arena.release(mark))

    def _collected(self, fold: Fold) -> Expr:
        if fold.domain.mode is not DomainMode.MEMBERS:
            raise Unsupported("a list of subsets or orders")
        room = most_members(self.reader.plan, fold)
        if room is None:
            return self._gathered(fold)
        return self._streamed(fold, room, ordered=True)

    def _streamed(self, fold: Fold, room: int, *, ordered: bool) -> Expr:
        """A list of numbers; what was made beside it is forgotten with the room that is left."""
        made = Growing.of(self.code, room)
        with Streams(self.reader, ordered).each(fold) as member:
            made.push(member.code, member.value)
        self.code.put(self.reader.arena.release(plus(made.last, WIDTH)))
        return made.done(self.code)

    def _gathered(self, fold: Fold) -> Expr:
        spared = self.reader.spared(fold) if isinstance(fold.domain.members, Const) else None
        pointer = spared or self.code.keep(self.reader.listed(fold.domain.members))
        made = Growing.of(self.code, size(pointer))
        with elements(self.code, pointer) as (each, one):
            inner = self.reader.binding(each, fold.bound, one, fold.domain.members)
            if fold.where is not None:
                with forgetting(inner):
                    passes = each.keep(inner.test(fold.where))
                each.again_if(negate(passes))
            if fold.mode is FoldMode.FILTER or fold.body is None:
                made.push(each, one)
            elif is_list(fold.body.type):
                made.push(each, each.keep(inner.term(fold.body)))
            else:
                with forgetting(inner):
                    value = each.keep(inner.term(fold.body))
                made.push(each, value)
        return made.done(self.code)
