"""Giving variables values: whether they fit, and the form they are kept in.

Sets are kept ascending, each element once.  What does not fit stops the machine, and the
interpreter says what is wrong.
"""

from enum import Enum

from attrs import define

from compiler.graph.core import Apply, Term, Variable
from compiler.lir.build import choice, negate, num
from compiler.lir.core import Expr
from compiler.lir.reps import NONE, UNFIT
from compiler.lir.stepwise.care import UNSEEN
from compiler.lir.stepwise.code import Code, call, differ, is_, less, plus, put_at, word
from compiler.lir.stepwise.lists import element, elements, size
from compiler.lir.stepwise.plan import Plan, is_list, is_small, may_be_none
from compiler.lir.stepwise.tokens import Tokens
from compiler.lir.stepwise.unique import is_unique
from compiler.ops import lists
from compiler.types import Int, SetOf, Token, Type, present
from compiler.types import element as element_type


class Form(Enum):
    """What is known of a list that is stored."""

    ANY = 0
    UNIQUE = 1  # no element comes twice
    ASCENDING = 2  # nor is one behind a greater one


def form_of(term: Term) -> Form:
    """What is known of the list that a term gives."""
    match term:
        case Apply(lists.AS_SET):
            inner = element_type(term.type)
            deep = inner is not None and is_list(inner)
            return Form.UNIQUE if deep else Form.ASCENDING
        case _:
            return Form.UNIQUE if is_unique(term) else Form.ANY


@define(eq=False)
class Storing:
    """Stores values of one graph."""

    plan: Plan
    tokens: Tokens

    def store(
        self,
        code: Code,
        variable: Variable,
        address: Expr,
        value: Expr,
        given: Type,
        form: Form = Form.ANY,
    ) -> None:
        """Gives the slot at an address a value of a type; of a list something may be known."""
        value = code.keep(value)
        if not is_list(variable.type):
            self._check(code, variable.type, value, given)
            code.put(put_at(address, value))
            return
        address = code.keep(address)
        if not may_be_none(given):
            self._store_list(code, variable, address, value, given, form)
            return
        with code.either(is_(value, NONE)) as (none, some):
            if may_be_none(variable.type):
                none.put(put_at(address, NONE))
            else:
                none.trap_if(num(1), UNFIT)
            self._store_list(some, variable, address, value, given, form)

    def _check(self, code: Code, type_: Type, value: Expr, given: Type) -> None:
        """That a scalar fits a type, where its own type does not show it."""
        if may_be_none(given) and not may_be_none(type_):
            code.trap_if(is_(value, NONE), UNFIT)
        match present(type_), present(given):
            case Int(low, high), Int(least, most) if low <= least and most <= high:
                return
            case Int(low, high), _:
                with code.when(differ(value, NONE)) as there:
                    there.trap_if(less(value, low), UNFIT)
                    there.trap_if(less(high, value), UNFIT)
            case Token(token_class, kind), Token(_, known) if kind is not None and kind != known:
                self._check_kind(code, token_class, kind, value)
            case _:
                return

    def _check_kind(self, code: Code, token_class: str, kind: str, token: Expr) -> None:
        class_ = self.plan.graph.token_class(token_class)
        named = dict(class_.named_kinds)[kind]
        inside = tuple(int(at_ in named) for at_ in range(len(class_.kinds)))
        with code.when(differ(token, NONE)) as there:
            found = there.keep(self.tokens.kind(token))
            there.trap_if(less(found, 0), UNSEEN)
            there.trap_if(negate(word(self.plan.memory.constant(inside), found)), UNFIT)

    def drop_first(self, code: Code, address: Expr) -> None:
        """Takes the first element off the list in a slot."""
        many = code.keep(size(address))
        with code.up_to(many, 1) as (each, i):
            each.put(put_at(address, element(address, i), i))
        code.put(put_at(address, choice(less(many, 1), num(0), plus(many, -1))))

    def _store_list(
        self,
        code: Code,
        variable: Variable,
        address: Expr,
        value: Expr,
        given: Type,
        form: Form,
    ) -> None:
        inner, theirs = element_type(variable.type), element_type(given)
        assert inner is not None
        if theirs is not None and theirs != inner:
            with elements(code, value) as (each, one):
                self._check(each, inner, each.keep(one), theirs)
        is_set = isinstance(present(variable.type), SetOf)
        if form is Form.ANY:
            end = "_small" if theirs is not None and is_small(theirs) else ""
            distinct = code.keep(call(f"list_distinct{end}", value))
            if not is_set:
                code.trap_if(differ(size(distinct), size(value)), UNFIT)
            value = distinct
        room = self.plan.homes[variable].room
        assert room is not None
        code.trap_if(less(room, size(value)), UNFIT)
        if is_set and form is not Form.ASCENDING:
            value = code.keep(call("list_sorted", value))
        code.do("list_put", address, value)
