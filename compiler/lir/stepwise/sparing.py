"""Members that surely do not count are left out before play.

Who asks which of some members pass, or whether one does, need not meet those that cannot, whatever
the table is like: what is printed on them, or where they are on the board, shows it.  What shows it
may also depend on names that stand for few values; then there is a list for each.
"""

from itertools import product
from math import prod
from typing import Final

from attrs import frozen

from compiler.graph.core import (
    AllTokens,
    Apply,
    Bound,
    Cond,
    Const,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    Read,
    Term,
    TokenClass,
    Value,
)
from compiler.graph.evaluate import Environment, NotConstant, evaluate, members
from compiler.lir.core import Expr
from compiler.lir.stepwise.asks import Asks, Env
from compiler.lir.stepwise.plan import Plan
from compiler.lir.stepwise.sources import Sources
from compiler.lir.stepwise.tables import Axis, Tables, free_names, is_evaluable, looked_up
from compiler.ops import numbers
from compiler.ops.row import Undefined
from compiler.types import Token

_MOST: Final = 1024
"""Members that are looked at before play, for all values of the names together."""

_FEW: Final = 64
"""Lists that are made."""


@frozen(eq=False)
class Sparing:
    """Leaves members out where a reader reads."""

    reader: Asks
    tables: Tables
    env: Env

    @property
    def _plan(self) -> Plan:
        return self.reader.plan

    def of(self, fold: Fold) -> Expr | None:
        """The list of those that may count, in their order; `None` where that is all of them."""
        listed = self._members(fold)
        if listed is None or fold.domain.mode is not DomainMode.MEMBERS:
            return None
        names = {
            index: bound
            for part in (fold.where, fold.body)
            if part is not None
            for index, bound in free_names(part).items()
            if index != fold.bound.index and index in self.env
        }
        axes = [axis for bound in names.values() if (axis := self._axis(bound)) is not None]
        many = prod(len(axis.values) for axis in axes)
        if many > _FEW or many * len(listed) > _MOST:
            return None
        return self._chosen(fold, listed, axes)

    def _chosen(self, fold: Fold, listed: list[tuple[int, Value]], axes: list[Axis]) -> Expr | None:
        classes = {class_.name: class_ for class_ in self._plan.graph.classes}
        lists_ = []
        for values in product(*(axis.values for axis in axes)):
            bound = {axis.bound: value for axis, value in zip(axes, values, strict=True)}
            kept = [
                number
                for number, value in listed
                if not _is_idle(fold, {**bound, fold.bound.index: value}, classes)
            ]
            lists_.append(tuple(kept))
        if all(len(kept) == len(listed) for kept in lists_):
            return None
        memory = self._plan.memory
        addresses = tuple(memory.constant((len(kept), *kept)) for kept in lists_)
        positions = [self._position(axis) for axis in axes]
        return self.reader.code.keep(looked_up(memory.constant(addresses), axes, positions))

    def _members(self, fold: Fold) -> list[tuple[int, Value]] | None:
        """The numbers that stand for the members of a list, and their values; kinds for tokens."""
        plan = self._plan
        match fold.domain.members:
            case Const(tuple() as values):
                return [(plan.memory.listed(value), value) for value in values]
            case Read(AllTokens(token_class, None)):
                class_index = plan.class_index(token_class)
                if plan.may_hide(class_index):
                    return None
                return [(t, plan.first_kind[t]) for t in plan.class_tokens[class_index]]
            case _:
                return None

    def _axis(self, bound: Bound) -> Axis | None:
        if isinstance(bound.type, Token):
            hides = self._plan.may_hide(self._plan.class_index(bound.type.token_class))
            return None if hides else self.tables.axis(bound, None)
        return self.tables.axis(bound, None)

    def _position(self, axis: Axis) -> Expr:
        value = self.env[axis.bound]
        if axis.token_class is None:
            return value
        return Sources(self.reader).kind(axis.token_class, value)


def _is_idle(fold: Fold, bound: Environment, classes: dict[str, TokenClass]) -> bool:
    """Whether a member surely makes no difference to a fold."""
    if fold.where is not None:
        passes = surely(fold.where, bound, classes)
        if passes is not True:
            return passes is False
    if fold.body is None or fold.mode not in (FoldMode.SOME, FoldMode.EVERY):
        return False
    return surely(fold.body, bound, classes) is (fold.mode is FoldMode.EVERY)


def surely(term: Term, bound: Environment, classes: dict[str, TokenClass]) -> bool | None:
    """What a condition surely is; `None` where that is open, or something before it may fail."""
    known = _known(term, bound, classes)
    if known is not _OPEN:
        return bool(known)
    match term:
        case Cond(test, then, otherwise):
            holds = surely(test, bound, classes)
            if holds is None:
                return None
            return surely(then if holds else otherwise, bound, classes)
        case Apply(numbers.NOT, (inner,)):
            holds = surely(inner, bound, classes)
            return None if holds is None else not holds
        case Apply(Function() as called, args):
            return _of_function(called, args, bound, classes)
        case Fold(mode=FoldMode.SOME | FoldMode.EVERY):
            return _of_fold(term, bound, classes)
        case _:
            return None


def _of_function(
    called: Function, args: tuple[Term, ...], bound: Environment, classes: dict[str, TokenClass]
) -> bool | None:
    inner = {}
    for param, arg in zip(called.params, args, strict=True):
        value = bound.get(arg.index, _OPEN) if isinstance(arg, Bound) else _OPEN
        value = _known(arg, bound, classes) if value is _OPEN else value
        if not isinstance(value, _Open):
            inner[param.index] = value
        elif not isinstance(arg, Bound):
            return None  # to find it out may fail
    for case in called.cases:
        holds = True if case.when is None else surely(case.when, inner, classes)
        if holds is None:
            return None
        if holds:
            return surely(case.value, inner, classes)
    return None


def _of_fold(fold: Fold, bound: Environment, classes: dict[str, TokenClass]) -> bool | None:
    if not is_evaluable(fold.domain.members) or fold.body is None:
        return None
    try:
        listed = members(fold.domain, bound, classes)
    except (NotConstant, Undefined):
        return None
    each = [{**bound, fold.bound.index: value} for value in listed]
    if all(_is_idle(fold, inner, classes) for inner in each):
        return fold.mode is FoldMode.EVERY
    return None


class _Open:
    """Stands for what is not known before play."""


_OPEN: Final = _Open()


def _known(term: Term, bound: Environment, classes: dict[str, TokenClass]) -> Value | _Open:
    """The value of a term that asks nothing but what is printed."""
    if not is_evaluable(term):
        return _OPEN
    try:
        return evaluate(term, bound, classes)
    except (NotConstant, Undefined):
        return _OPEN
