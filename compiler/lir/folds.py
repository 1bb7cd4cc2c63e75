"""Quantifiers, filters and maps, over whatever their list is kept as."""

from typing import assert_never

from attrs import define

from compiler.graph.core import Domain, DomainMode, Fold, FoldMode, Value
from compiler.lir import sequences
from compiler.lir.asks import Asks
from compiler.lir.build import (
    YES,
    all_of,
    any_of,
    binary,
    both,
    choice,
    either,
    mask,
    negate,
    num,
    some_bit,
    without,
)
from compiler.lir.conditions import Conditions
from compiler.lir.core import Expr, Number, Op
from compiler.lir.line_tests import LineTests
from compiler.lir.reps import (
    NONE,
    Bits,
    Group,
    Heap,
    Item,
    Items,
    Known,
    Num,
    OnBoard,
    Rep,
    Spread,
    Token,
    Universe,
    Unsupported,
    exists,
)
from compiler.lir.scalars import as_truth, truth
from compiler.types import element

_MOST_ELEMENTS = 256  # of a list that is written out


@define(eq=False)
class Folds:
    """The folds of one environment."""

    reader: Asks

    @property
    def conditions(self) -> Conditions:
        """Conditions in the same environment."""
        return Conditions(self.reader)

    def of(self, fold: Fold) -> Rep:
        line = LineTests(self.conditions).of(fold)
        if line is not None:
            return line
        listed = self._members(fold.domain)
        match listed:
            case Heap(groups):
                return self._over_heap(fold, groups)
            case Spread():
                return self._over_board(fold, listed)
            case Bits(expr, universe):
                return self._over_mask(fold, expr, universe)
            case Known(tuple() as values) if fold.mode is FoldMode.FILTER and len(values) > 1:
                found = self._filtered(fold, values)
                if found is not None:
                    return found
            case _:
                pass
        return self._over_items(fold, sequences.items(listed).items)

    def _members(self, domain: Domain) -> Rep:
        if domain.mode is not DomainMode.MEMBERS:
            raise Unsupported(f"{domain.mode.value} inside terms")
        return self.reader.term(domain.members)

    def _bound(self, fold: Fold, value: Rep) -> Asks:
        return self.reader.within({**self.reader.env, fold.bound.index: value})

    def _over_items(self, fold: Fold, found: tuple[Item, ...]) -> Rep:
        if len(found) > _MOST_ELEMENTS:
            raise Unsupported(f"a list of {len(found)} elements")
        kept: list[Item] = []
        for item in found:
            if not exists(item.when):
                continue
            inside = self._bound(fold, self.reader.kept(item.value))
            when = item.when if fold.where is None else both(item.when, inside.test(fold.where))
            if not exists(when):
                continue
            match fold.mode:
                case FoldMode.FILTER:
                    kept.append(Item(item.value, when))
                case FoldMode.MAP:
                    body = fold.bound if fold.body is None else fold.body
                    kept.append(Item(inside.term(body), when))
                case FoldMode.SOME | FoldMode.EVERY:
                    holds = YES if fold.body is None else inside.test(fold.body)
                    kept.append(Item(as_truth(holds), when))
                case _:
                    assert_never(fold.mode)
        return gathered(fold.mode, kept)

    def _over_mask(self, fold: Fold, expr: Expr, universe: Universe) -> Rep:
        if fold.mode is FoldMode.MAP:
            return self._over_items(fold, sequences.items(Bits(expr, universe)).items)
        chosen = expr
        if fold.where is not None:
            chosen = both(chosen, self.conditions.where_mask(universe, fold.bound, fold.where))
        match fold.mode:
            case FoldMode.FILTER:
                return Bits(chosen, universe)
            case FoldMode.SOME:
                body = self._body_mask(fold, universe)
                return as_truth(some_bit(both(chosen, body)))
            case FoldMode.EVERY:
                body = self._body_mask(fold, universe)
                return as_truth(negate(some_bit(without(chosen, body))))
            case _:
                raise Unsupported("a fold over a mask")

    def _body_mask(self, fold: Fold, universe: Universe) -> Expr:
        if fold.body is None:
            return mask(universe.full)
        return self.conditions.where_mask(universe, fold.bound, fold.body)

    def _filtered(self, fold: Fold, values: tuple[Value, ...]) -> Rep | None:
        """Those of a known list that pass, as a mask, if one word has room for them."""
        if len(values) > 64 or not all(isinstance(value, int) for value in values):
            return None
        tests = (fold.where,) if fold.where else ()
        type_ = element(fold.domain.members.type) or fold.bound.type
        universe = self.conditions.universe(values, type_, fold.bound, tests)
        found = self._over_mask(fold, mask(universe.full), universe)
        if isinstance(found, Bits) and isinstance(found.expr, Number):
            return Known(tuple(v for v in values if found.expr.value >> _bit(universe, v) & 1))
        return found

    def _over_heap(self, fold: Fold, groups: tuple[Group, ...]) -> Rep:
        kept: list[Group] = []
        tests: list[Item] = []
        for group in groups:
            inside = self._bound(fold, group.token)
            passes = YES if fold.where is None else inside.test(fold.where)
            if not exists(passes):
                continue
            count = choice(passes, group.count, num(0))
            kept.append(Group(group.token, count))
            if fold.mode in (FoldMode.SOME, FoldMode.EVERY):
                holds = YES if fold.body is None else inside.test(fold.body)
                tests.append(Item(as_truth(holds), binary(Op.GT, count, num(0))))
        match fold.mode:
            case FoldMode.FILTER:
                return Heap(tuple(kept))
            case FoldMode.SOME | FoldMode.EVERY:
                return gathered(fold.mode, tests)
            case _:
                raise Unsupported("what is told of each token of a set")

    def _over_board(self, fold: Fold, tokens: Spread) -> Rep:
        """Tokens of a board kind by kind; where they lie makes no difference here."""
        kept: list[Expr] = []
        tests: list[Item] = []
        for kind, squares in enumerate(tokens.squares):
            place = Num(num(NONE), tokens.board.places[0], tokens.board.places[-1], True)
            source = OnBoard(tokens.board, num(NONE))
            token = Token(tokens.board.token_class, Known(kind), place, source)
            inside = self._bound(fold, token)
            passes = YES if fold.where is None else inside.test(fold.where)
            chosen = choice(passes, squares, mask(0))
            kept.append(chosen)
            if fold.mode in (FoldMode.SOME, FoldMode.EVERY) and exists(passes):
                holds = YES if fold.body is None else inside.test(fold.body)
                tests.append(Item(as_truth(holds), some_bit(chosen)))
        match fold.mode:
            case FoldMode.FILTER:
                return Spread(tokens.board, tuple(kept))
            case FoldMode.SOME | FoldMode.EVERY:
                return gathered(fold.mode, tests)
            case _:
                raise Unsupported("what is told of each token of a board")


def gathered(mode: FoldMode, kept: list[Item]) -> Rep:
    """What a fold makes of the elements that pass, with what it found of each."""
    match mode:
        case FoldMode.SOME:
            return as_truth(any_of([both(item.when, truth(item.value)) for item in kept]))
        case FoldMode.EVERY:
            return as_truth(all_of([either(negate(item.when), truth(item.value)) for item in kept]))
        case _:
            if all(item.when == YES and isinstance(item.value, Known) for item in kept):
                return Known(tuple(i.value.value for i in kept if isinstance(i.value, Known)))
            return Items(tuple(kept))


def _bit(universe: Universe, value: Value) -> int:
    bit = universe.bit(value)
    assert bit is not None
    return bit
