"""Quantifiers, filters and maps as loops."""

from typing import assert_never

from attrs import define

from compiler.graph.core import DomainMode, Fold, FoldMode
from compiler.lir.build import both, negate, num
from compiler.lir.core import Expr, Local
from compiler.lir.reps import Unsupported
from compiler.lir.stepwise.asks import Asks, forgetting
from compiler.lir.stepwise.choosing import subsets
from compiler.lir.stepwise.code import Code
from compiler.lir.stepwise.lists import element, new, push, size
from compiler.lir.stepwise.plan import is_list


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

    def _quantified(self, fold: Fold) -> Expr:
        wanted = fold.mode is FoldMode.SOME
        found = self.code.local("is_found", not wanted)
        if fold.domain.mode is DomainMode.SUBSETS:
            self._quantified_subsets(fold, found)
            return found
        if fold.domain.mode is DomainMode.ORDERS:
            raise Unsupported("a quantifier over orders")
        pointer = self.code.keep(self.reader.listed(fold.domain.members))
        with self.code.up_to(size(pointer)) as (each, i):
            inner = self.reader.binding(each, fold.bound, each.keep(element(pointer, i)))
            decisive = each.local("is_decisive", 0)
            with forgetting(inner):
                passes = num(1) if fold.where is None else each.keep(inner.test(fold.where))
                with each.when(passes) as passing:
                    asked = inner.inside(passing)
                    held = num(1) if fold.body is None else asked.test(fold.body)
                    passing.set(decisive, held if wanted else negate(held))
            with each.when(decisive) as decided:
                decided.set(found, wanted)
                decided.leave()
        return found

    def _quantified_subsets(self, fold: Fold, found: Local) -> None:
        wanted = fold.mode is FoldMode.SOME
        pointer = self.code.keep(self.reader.listed(fold.domain.members))
        low, high = self.reader.bounds(fold.domain.low, fold.domain.high, pointer)
        mark = self.reader.arena.mark(self.code)
        with self.code.loop("subsets") as once:
            with subsets(once, pointer, low, high) as (each, made):
                tested = self.reader.binding(each, fold.bound, made)
                passes = num(1) if fold.where is None else each.keep(tested.test(fold.where))
                held = num(1) if fold.body is None else tested.test(fold.body)
                decisive = both(passes, held if wanted else negate(held))
                with each.when(decisive) as decided:
                    decided.set(found, wanted)
                    once.leave_from(decided)
                each.put(self.reader.arena.release(made))
            once.leave()
        self.code.put(self.reader.arena.release(mark))

    def _collected(self, fold: Fold) -> Expr:
        if fold.domain.mode is not DomainMode.MEMBERS:
            raise Unsupported("a list of subsets or orders")
        pointer = self.code.keep(self.reader.listed(fold.domain.members))
        made = new(self.code, size(pointer))
        with self.code.up_to(size(pointer)) as (each, i):
            one = each.keep(element(pointer, i))
            inner = self.reader.binding(each, fold.bound, one)
            if fold.where is not None:
                with forgetting(inner):
                    passes = each.keep(inner.test(fold.where))
                each.again_if(negate(passes))
            if fold.mode is FoldMode.FILTER or fold.body is None:
                push(each, made, one)
            elif is_list(fold.body.type):
                push(each, made, inner.term(fold.body))
            else:
                with forgetting(inner):
                    value = each.keep(inner.term(fold.body))
                push(each, made, value)
        return made
