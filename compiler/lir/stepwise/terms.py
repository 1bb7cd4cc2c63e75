"""Terms as expressions: scalars as numbers, lists as addresses; functions of the spec as functions.

A term changes nothing but the lists that are made on the way.  Where it would read the kind of a
card that has none yet, the machine stops: the interpreter then plays that game.
"""

from collections.abc import Sequence
from typing import assert_never

from attrs import define, evolve, field

from compiler.graph.core import (
    AllTokens,
    Apply,
    Bound,
    Case,
    Cond,
    Const,
    Fold,
    Function,
    Read,
    Term,
    Variable,
)
from compiler.lir.build import binary, both, choice, num
from compiler.lir.core import INT, Expr, Local, Number, Op, Set
from compiler.lir.core import Function as Made
from compiler.lir.reps import NONE, UNDEFINED
from compiler.lir.stepwise.asks import Env
from compiler.lir.stepwise.care import UNSEEN, Care
from compiler.lir.stepwise.code import (
    Code,
    call,
    differ,
    function,
    is_,
    less,
    plus,
    put_word,
    times,
)
from compiler.lir.stepwise.folds import Folds
from compiler.lir.stepwise.keeping import Keeping
from compiler.lir.stepwise.levels import Levels, is_written_out, level
from compiler.lir.stepwise.lists import Arena, elements, size
from compiler.lir.stepwise.operators import Operators
from compiler.lir.stepwise.plan import Plan, is_list, may_be_none
from compiler.lir.stepwise.sources import Sources
from compiler.lir.stepwise.sparing import Sparing
from compiler.lir.stepwise.tables import (
    Axis,
    Known,
    Tables,
    free_names,
    is_within,
    known_lists,
    looked_up,
)
from compiler.lir.stepwise.tokens import Tokens
from compiler.ops.row import Op as Operator


@define(eq=False)
class Terms:
    """The terms of one graph."""

    plan: Plan
    tokens: Tokens
    arena: Arena
    doubt: int | None = None  # where it is noted that something unseen was read; else it stops
    prefix: str = "f"
    made: dict[Function, Made] = field(factory=dict, init=False)
    care: Care = field(init=False)
    tables: Tables = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.care = Care(self.doubt)
        self.tables = Tables(self.plan)
        self.care.learn(*self.tokens.functions, *self.arena.functions())

    def of(self, code: Code, env: Env | None = None) -> "Reader":
        """For terms that are read at one place."""
        return Reader(self, code, {} if env is None else env)

    def name(self, wanted: Function) -> str:
        """The name of a function of the spec, which is made when it is first asked for."""
        if wanted not in self.made:
            params = tuple(f"a{at_}" for at_ in range(len(wanted.params)))

            def body(code: Code, *args: Local) -> None:
                env: Env = dict(zip(range(len(args)), args, strict=True))
                code.give(self.of(code, env).cases(wanted.cases))

            name = f"{self.prefix}{len(self.made)}_{wanted.name}"
            # Its place is taken first, so that names are given in the order of the calls.
            self.made[wanted] = Made(name, (), INT, ())
            self.made[wanted] = function(name, params, body, note=wanted.name)
            self.care.learn(self.made[wanted])
        return self.made[wanted].name


@define(eq=False)
class Reader:
    """Reads terms at one place: writes the statements they need, gives their values."""

    terms: Terms
    code: Code
    env: Env
    levels: Levels = field(factory=dict)
    outer: tuple[Code, ...] = ()  # per loop around this place, the block that it is in
    unsure: Local | None = None  # set if something unseen is read: what is read is not relied on
    known: dict[int, Known] = field(factory=dict)  # the lists that names stand for, one of each

    @property
    def depth(self) -> int:
        """How many loops there are around this place."""
        return len(self.outer)

    @property
    def plan(self) -> Plan:
        """Where things are."""
        return self.terms.plan

    @property
    def tokens(self) -> Tokens:
        """What lies on the table."""
        return self.terms.tokens

    @property
    def arena(self) -> Arena:
        """Where lists are made."""
        return self.terms.arena

    @property
    def care(self) -> Care:
        """What code heeds."""
        return self.terms.care

    def unseen(self, code: Code, test: Expr) -> None:
        """Stops the machine, or notes that what is read is not to be relied on."""
        if self.unsure is None and self.terms.doubt is None:
            code.trap_if(test, UNSEEN)
            return
        with code.when(test) as hidden:
            if self.unsure is not None:
                hidden.set(self.unsure, 1)
            elif self.terms.doubt is not None:
                hidden.put(put_word(self.terms.doubt, 1))

    def inside(self, code: Code) -> "Reader":
        """For a block inside, with the names of this one."""
        return evolve(self, code=code, env=dict(self.env))

    def binding(
        self, code: Code, bound: Bound, value: Expr, members: Term | None = None
    ) -> "Reader":
        """For the inside of a loop that is written here, where a name is bound to its member."""
        lists_ = known_lists(self.plan, members)
        return evolve(
            self,
            code=code,
            env={**self.env, bound.index: value},
            levels={**self.levels, bound.index: self.depth + 1},
            outer=(*self.outer, self.code),
            known=self.known if lists_ is None else {**self.known, bound.index: lists_},
        )

    def called(self, args: tuple[Term, ...]) -> "Reader":
        """For the inside of a function that is written out here, called with arguments."""
        values = [self.code.keep(self.term(arg)) for arg in args]
        levels = {index: level(arg, self.levels) for index, arg in enumerate(args)}
        bounds = ((index, arg.index) for index, arg in enumerate(args) if isinstance(arg, Bound))
        known = {index: self.known[given] for index, given in bounds if given in self.known}
        return evolve(self, env=dict(enumerate(values)), levels=levels, known=known)

    def spared(self, fold: Fold) -> Expr | None:
        """The list of those members that may count; `None` where that is all of them."""
        return Sparing(self, self.terms.tables, self.env).of(fold)

    def doubting(self, unsure: Local) -> "Reader":
        """For what is read without stopping at something unseen."""
        return evolve(self, unsure=unsure)

    def further_out(self, code: Code, depth: int) -> "Reader":
        """For what is written here, but does not change in loops deeper than `depth`."""
        return evolve(self, code=code, outer=self.outer[:depth])

    # ---- terms

    def term(self, term: Term) -> Expr:
        """The value of a term."""
        found = None if isinstance(term, Const | Bound | Read) else self._looked_up(term)
        if found is not None:
            return found
        if self.outer and not isinstance(term, Const | Bound):
            kept = Keeping(self).of(term)
            if kept is not None:
                return kept
        return self.plainly(term)

    def _looked_up(self, term: Term) -> Expr | None:
        """The value of a term that depends on little; `None` of another."""
        found = self._looked_up_in(term, lying=False)
        return self._looked_up_in(term, lying=True) if found is None else found

    def _looked_up_in(self, term: Term, lying: bool) -> Expr | None:
        tables = self.terms.tables
        if tables.is_plain(term, lying):
            names = free_names(term)
            axes = [tables.axis(b, self.known.get(index), lying) for index, b in names.items()]
            return self._at(term, axes, [self.env.get(index) for index in names])
        match term:
            case Apply(Function() as called, args) if tables.is_plain(tables.whole(called), lying):
                given = zip(args, called.params, strict=True)
                if all(is_within(arg.type, param.type) for arg, param in given):
                    axes = [tables.axis(param, None, lying) for param in called.params]
                    if None not in axes:
                        return self._at(tables.whole(called), axes, list(map(self.term, args)))
        return None

    def _at(
        self, term: Term, axes: Sequence[Axis | None], values: Sequence[Expr | None]
    ) -> Expr | None:
        """The value of a term where names stand for some values."""
        found = [axis for axis in axes if axis is not None]
        given = [value for value in values if value is not None]
        if len(found) < len(axes) or len(given) < len(axes) or not axes:
            return None
        tables = self.terms.tables
        table = tables.table(term, found) if tables.may_ask(term, found) else None
        if table is None:
            return None
        positions = [self._position(axis, value) for axis, value in zip(found, given, strict=True)]
        return looked_up(table, found, positions)

    def _position(self, axis: Axis, value: Expr) -> Expr:
        """What an axis is asked with: the number of a value, or of a kind and a place."""
        if axis.token_class is None:
            return value
        kind = Sources(self).kind(axis.token_class, value)
        if axis.places is None:
            return kind
        return plus(times(kind, axis.places), self.tokens.place(value))

    def plainly(self, term: Term) -> Expr:
        """The value of a term, found out where it stands."""
        match term:
            case Const(value):
                return num(self.plan.memory.listed(value))
            case Bound(index=index):
                return self.env[index]
            case Read():
                return Sources(self).of(term)
            case Apply(Function() as called, args) if self.outer and is_written_out(called):
                return self.called(args).cases(called.cases)
            case Apply(Function() as called, args):
                values = [self.code.keep(self.term(arg)) for arg in args]
                return self.code.keep(call(self.terms.name(called), *values))
            case Apply(op):
                assert isinstance(op, Operator)
                return Operators(self).of(op, term)
            case Cond(test, then, otherwise):
                return self._cond(self.test(test), then, otherwise)
            case Fold():
                return Folds(self).of(term)
            case _:
                assert_never(term)

    def test(self, term: Term) -> Expr:
        """A condition; `none` does not hold."""
        value = self.term(term)
        if not may_be_none(term.type):
            return value
        kept = self.code.keep(value)
        return both(differ(kept, NONE), differ(kept, 0))

    def listed(self, term: Term) -> Expr:
        """A list; `none` has no elements."""
        value = self.code.keep(self.term(term))
        return self.arena.listed(value) if may_be_none(term.type) else value

    def unsorted(self, term: Term) -> Expr:
        """A list that a variable holds, as it is kept."""
        assert isinstance(term, Read)
        value = self.code.keep(Sources(self).unsorted(term))
        return self.arena.listed(value) if may_be_none(term.type) else value

    def loose(self, term: Term) -> Expr:
        """A list whose order does not matter."""
        match term:
            case Fold():
                return Folds(self).loose(term)
            case Read(AllTokens(token_class, None)):
                handles = self.plan.class_tokens[self.plan.class_index(token_class)]
                return num(self.plan.memory.listed(tuple(handles)))
            case _:
                return self.term(term)

    def number(self, term: Term) -> Expr:
        """A number, which must be one."""
        value = self.term(term)
        if may_be_none(term.type):
            value = self.code.keep(value)
            self.code.trap_if(is_(value, NONE), UNDEFINED)
        return value

    def _cond(self, test: Expr, then: Term, otherwise: Term) -> Expr:
        if isinstance(test, Number):
            return self.term(then if test.value else otherwise)
        yes, no = self.inside(self.code.inner()), self.inside(self.code.inner())
        return self._either(test, (yes, yes.term(then)), (no, no.term(otherwise)))

    def _either(self, test: Expr, yes: "tuple[Reader, Expr]", no: "tuple[Reader, Expr]") -> Expr:
        if not yes[0].code.out and not no[0].code.out:
            return choice(test, yes[1], no[1])
        found = Local(self.code.names.fresh("c"))
        with self.code.either(test) as (then, otherwise):
            then.put(*yes[0].code.out, Set(found, yes[1]))
            otherwise.put(*no[0].code.out, Set(found, no[1]))
        return found

    def cases(self, cases: tuple[Case, ...]) -> Expr:
        """The value of the first case that holds; of the last, if none does."""
        head, rest = cases[0], cases[1:]
        if head.when is None or not rest:
            return self.term(head.value)
        test = self.test(head.when)
        yes, no = self.inside(self.code.inner()), self.inside(self.code.inner())
        return self._either(test, (yes, yes.term(head.value)), (no, no.cases(rest)))

    def bounds(self, low: Term | None, high: Term | None, members: Expr) -> tuple[Expr, Expr]:
        """The least and the greatest size of subsets."""
        least: Expr = num(0)
        if low is not None:
            given = self.code.keep(self.number(low))
            least = choice(less(given, 0), num(0), given)
        most = size(members)
        if high is not None:
            given = self.code.keep(self.number(high))
            most = self.code.keep(choice(less(given, most), given, most))
        return self.code.keep(least), self.code.keep(most)

    def slot(self, variable: Variable, keys: list[Expr]) -> Expr:
        """The address of the slot that keys name; it stops the machine if there is none."""
        return Sources(self).slot(variable, keys)


def seat_mask(reader: Reader, term: Term) -> Expr:
    """A seat, or a list of seats, as a mask."""
    code = reader.code
    found = code.local("mask", 0)
    if not is_list(term.type):
        seat = code.keep(reader.term(term))
        with code.when(differ(seat, NONE)) as there:
            there.set(found, binary(Op.SHL, num(1), seat))
        return found
    pointer = code.keep(reader.listed(term))
    with elements(code, pointer) as (each, seat):
        with each.when(differ(seat, NONE)) as there:
            there.set(found, binary(Op.OR, found, binary(Op.SHL, num(1), seat)))
    return found
