"""Whether two terms always come to the same value, although they are not written alike.

Terms are taken apart until what is left over has few values: what is read, counted or called.  All
combinations of these are tried in both.  A combination in which a test that was passed on the way
would have come out otherwise does not occur.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final, TypeAlias

from attrs import define, evolve, field, frozen

from compiler.analysis.pairing import Likeness
from compiler.analysis.sameness.ranges import Ranges, Values
from compiler.graph.core import (
    Apply,
    Assign,
    Attribute,
    Bound,
    Branch,
    Case,
    Choose,
    Cond,
    Const,
    Contents,
    Domain,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    KindOf,
    Option,
    Pick,
    Place,
    Read,
    Slot,
    Term,
    Value,
    Variable,
)
from compiler.graph.evaluate import NotConstant, call
from compiler.graph.occupancy import capacity
from compiler.graph.walk import TERMS, function_terms, whole
from compiler.graph.where import Where
from compiler.ops.lists import COUNT, FIRST, IN, IS, LAST
from compiler.ops.numbers import AT_LEAST, AT_MOST, LESS, MORE
from compiler.ops.row import Op, Undefined
from compiler.types import Square, present

Facts: TypeAlias = tuple[tuple[Term, bool], ...]
"""Tests of the first graph, and how they came out."""

_ROWS: Final = 3_000  # combinations that are tried
_TESTS: Final = (LESS, AT_MOST, MORE, AT_LEAST, IS, IN)
_BROKEN: Final = "undefined"
_Given: TypeAlias = Mapping[Term, Value]
_ONE: Final = Const(1)


@frozen
class _Atom:
    """What is not taken apart further: how each side writes it, and the values it can have."""

    old: Term | None
    new: Term | None
    values: Values


@frozen
class Telling:
    """Two tests differ where a term of the first graph has one of some values."""

    term: Term
    values: tuple[Value, ...]


@define(eq=False)
class Meant(Likeness):
    """Whether parts of two graphs mean the same, where `facts` are known.

    What `forgotten` variables of the first graph begin with makes no difference; of values nothing
    but their types is asked if it is `by_type`.
    """

    facts: Facts = field(default=(), kw_only=True)
    forgotten: frozenset[Variable] = field(default=frozenset(), kw_only=True)
    by_type: bool = field(default=False, kw_only=True)
    _bound: dict[int, Values | None] = field(factory=dict, kw_only=True)
    _ranges: tuple[Ranges, Ranges] = field(init=False)

    def begin(self, facts: Facts) -> None:
        """Goes to other nodes: what is known there, and nothing is bound."""
        self.facts, self._bound = facts, {}

    def __attrs_post_init__(self) -> None:
        self._ranges = Ranges(self.old, self.by_type), Ranges(self.new, self.by_type)

    # ---- alike

    def alike(self, one: object, other: object) -> bool:
        """Whether two values mean the same."""
        match one, other:
            case Fold(), Fold():
                return self._folds(one, other) or self._terms(one, other)
            case Cond(), Cond():
                return self._ways(one, other) or self._terms(one, other)
            case Option(), Option():
                return self._options(one, other)
            case Choose(seat=Bound() as seat), Choose() if seat is not None:
                self._bound[seat.index] = frozenset(range(self.old.seats))
                return super().alike(one, other)
            case Pick(bound=Bound() as bound), Pick():
                self._bind(bound, one.domain)
                return super().alike(one, other)
            case _:
                if super().alike(one, other):
                    return True
        if isinstance(one, TERMS) and isinstance(other, TERMS):
            return self._terms(one, other)
        return False

    def same_beginning(self, one: Variable, other: Variable) -> bool:
        """Whether variables begin alike, or nobody asks what with."""
        return one in self.forgotten or super().same_beginning(one, other)

    def same_function(self, one: Function, other: Function) -> bool:
        """Whether two functions mean the same, whatever they are given."""
        kept, self._bound = self._bound, {}
        facts, self.facts = self.facts, ()
        try:
            return super().same_function(one, other)
        finally:
            self._bound, self.facts = kept, facts

    def _bind(self, bound: Bound, domain: Domain) -> None:
        self._bound[bound.index] = self._ranges[0].members(domain, self._bound)

    def _folds(self, one: Fold, other: Fold) -> bool:
        if one.mode is not other.mode or one.bound.index != other.bound.index:
            return False
        kept = dict(self._bound)
        if self.alike(one.domain, other.domain):
            self._bind(one.bound, one.domain)
        elif not self._longer(one, other):
            return False
        same = self._maybe(one.where, other.where) and self._maybe(one.body, other.body)
        self._bound = kept
        return same

    def _longer(self, one: Fold, other: Fold) -> bool:
        """Whether what only one of them goes through adds nothing; if so binds what both do."""
        first = self._ranges[0].exactly(one.domain, self._bound)
        second = self._ranges[1].exactly(other.domain, self._bound)
        if first is None or second is None:
            return False
        common = [member for member in first if member in second]
        if common != [member for member in second if member in first]:
            return False  # another order
        idle = all(self._adds_nothing(one, member, 0) for member in first if member not in common)
        idle = idle and all(
            self._adds_nothing(other, member, 1) for member in second if member not in common
        )
        if idle:
            self._bound[one.bound.index] = frozenset(common)
        return idle

    def _adds_nothing(self, fold: Fold, member: Value, side: int) -> bool:
        """Whether a member makes no difference to what a fold comes to."""
        alone = evolve(fold, domain=Domain(DomainMode.MEMBERS, Const((member,))))
        nothing: Value = {FoldMode.SOME: False, FoldMode.EVERY: True}.get(fold.mode, ())
        return self._ranges[side].certainly(alone, nothing, self._bound)

    def _ways(self, one: Cond, other: Cond) -> bool:
        """Whether two tests with what follows mean the same; what was tested is known there."""
        if not self.alike(one.test, other.test):
            return False
        kept = self.facts
        self.facts = (*kept, (one.test, True))
        same = self.alike(one.then, other.then)
        self.facts = (*kept, (one.test, False))
        same = same and self.alike(one.otherwise, other.otherwise)
        self.facts = kept
        return same

    def _maybe(self, one: Term | None, other: Term | None) -> bool:
        if one is None or other is None:
            return one is other
        return self.alike(one, other)

    def _options(self, one: Option, other: Option) -> bool:
        if one.name != other.name or len(one.slots) != len(other.slots):
            return False
        kept = dict(self._bound)
        same = all(map(self._slots, one.slots, other.slots))
        same = same and self.alike(_all_of(one), _all_of(other))
        self._bound = kept
        return same

    def _slots(self, one: Slot, other: Slot) -> bool:
        if one.bound.index != other.bound.index or not self.alike(one.domain, other.domain):
            return False
        self._bind(one.bound, one.domain)
        return self.alike(one.local, other.local) and self._maybe(one.where, other.where)

    # ---- tables of values

    def always(self, term: Term, *, new: bool = False) -> bool | None:
        """How a test always comes out; `None` if it may come out either way."""
        found = self._ranges[new].of(term, self._bound)
        if found is not None and all(found):
            return True
        if found is not None and not any(found):
            return False
        for answer in (True, False):
            if self._table(*((Const(answer), term) if new else (term, Const(answer)))):
                return answer
        return None

    def range_of(self, term: Term, *, new: bool) -> Values | None:
        """The values of a term of either graph."""
        return self._ranges[new].of(term, self._bound)

    def written_alike(self, one: Term, other: Term) -> bool:
        """Whether two terms say the same, but for parts that mean the same."""
        return super().alike(one, other)

    def _terms(self, one: Term, other: Term) -> bool:
        """Whether two terms, not written alike, come to the same."""
        if self._is_end_of_one(one, other):
            return True
        return not isinstance(one, Const | Bound) and self._table(one, other)

    def _is_end_of_one(self, one: Term, other: Term) -> bool:
        """Whether they are the first and the last of a list that has one member at most."""
        match one, other:
            case Apply(op, (members,)), Apply(op2, (others,)) if {op, op2} <= {FIRST, LAST}:
                return self.alike(members, others) and self._is_short(members)
            case _:
                return False

    def _is_short(self, members: Term) -> bool:
        """Whether a list never has two members."""
        if isinstance(members, Read) and isinstance(members.source, Contents):
            return all(capacity(self.old, one) <= 1 for one in self._meant_by(members.args[0]))
        single = Apply(IS, (Apply(COUNT, (members,)), _ONE))
        return any(holds and fact == single for fact, holds in self.facts)

    def _meant_by(self, place: Term) -> Iterator[Place]:
        """The places that a term of the first graph can give."""
        mask = Where(self.old).places(place)
        on_board = isinstance(present(place.type), Square)
        for one in self.old.places:
            if mask >> one.index & 1 and (one.square is not None or not on_board):
                yield one

    def _table(self, one: Term, other: Term) -> bool:
        atoms = self._atoms(one, other)
        return atoms is not None and next(self._unlike(one, other, atoms), None) is None

    def _atoms(self, one: Term, other: Term) -> "_Atoms | None":
        """What both are made of; `None` where there are too many combinations."""
        atoms = _Atoms(self)
        if not atoms.add(one, new=False) or not atoms.add(other, new=True):
            return None
        return atoms if prod(len(atom.values) for atom in atoms.found) <= _ROWS else None

    def _unlike(self, one: Term, other: Term, atoms: "_Atoms") -> Iterator[_Given]:
        """The combinations, as the first writes them, that tell them apart."""
        facts = [fact for fact in self.facts if atoms.covers(fact[0])]
        for old, new in atoms.rows():
            if any(bool(self._value(fact, old, 0)) is not holds for fact, holds in facts):
                continue
            if self._value(one, old, 0) != self._value(other, new, 1):
                yield old

    def told_apart(self, one: object, other: object) -> Telling | None:
        """Where the innermost terms in which two steps differ do, if it is one value's doing."""
        while True:
            inside = zip(_parts(one), _parts(other), strict=False)
            unlike = [pair for pair in inside if not self.alike(*pair)]
            if len(_parts(one)) != len(_parts(other)) or len(unlike) != 1:
                break
            one, other = unlike[0]
        if not isinstance(one, TERMS) or not isinstance(other, TERMS):
            return None
        atoms = self._atoms(one, other)
        if atoms is None or len(atoms.found) != 1 or atoms.found[0].old is None:
            return None
        term = atoms.found[0].old
        return Telling(term, tuple(row[term] for row in self._unlike(one, other, atoms)))

    def _value(self, term: Term, given: _Given, side: int) -> Value | str:
        try:
            return _evaluated(term, given, self._ranges[side])
        except Undefined:
            return _BROKEN


def _parts(whole_: object) -> tuple[object, ...]:
    """What two things may differ in: the parts of a step, the cases of a function, arguments."""
    match whole_:
        case Apply(Function() as function, args):
            return (*function.cases, *args)
        case Apply(op, args) if not isinstance(op, Function):
            return () if op in _TESTS else args
        case Option():
            return (*whole_.slots, *(guard.holds for guard in whole_.guards))
        case Branch(test):
            return (test,)
        case Assign(_, args, value):
            return (*args, value)
        case Case(when, value):
            return (value,) if when is None else (when, value)
        case Choose(options=options):
            return options
        case Fold():
            return tuple(one for one in (whole_.domain, whole_.where, whole_.body) if one)
        case Domain(members=members):
            return (members,)
        case Slot():
            return (whole_.domain,) if whole_.where is None else (whole_.domain, whole_.where)
        case Cond(test, then, otherwise):
            return (test, then, otherwise)
        case _:
            return ()


def _all_of(option: Option) -> Term:
    """What must hold for an option, as one test."""
    whole: Term = Const(True)
    for guard in reversed(option.guards):
        whole = Cond(guard.holds, whole, Const(False))
    return whole


@lru_cache(maxsize=256)
def _is_pure(function: Function) -> bool:
    """Whether a function asks nothing of the state."""
    reads = [term for term in whole(*function_terms(function)) if isinstance(term, Read)]
    return all(isinstance(term.source, Attribute | KindOf) for term in reads)


def _evaluated(term: Term, given: _Given, ranges: Ranges) -> Value:
    if term in given:
        return given[term]
    match term:
        case Const(value):
            return value
        case Apply(Function() as function, args):
            return call(function, [_evaluated(arg, given, ranges) for arg in args], ranges.classes)
        case Apply(Op() as op, args):
            return op.evaluate(*(_evaluated(arg, given, ranges) for arg in args))
        case Cond(test, then, otherwise):
            chosen = then if _evaluated(test, given, ranges) else otherwise
            return _evaluated(chosen, given, ranges)
        case _:
            raise NotConstant


@define(eq=False)
class _Atoms:
    """What two terms are made of."""

    meant: Meant
    found: list[_Atom] = field(factory=list, init=False)

    def add(self, term: Term, *, new: bool) -> bool:
        """Takes a term apart; whether all that is left over has few values."""
        match term:
            case Const():
                return True
            case Cond(test, then, otherwise):
                return all(self.add(part, new=new) for part in (test, then, otherwise))
            case Apply(Op(), args) if self._apart(args, new):
                return all(self.add(part, new=new) for part in args)
            case Apply(Function() as function, args) if _is_pure(function) and self._apart(
                args, new
            ):
                return all(self.add(part, new=new) for part in args)
            case _:
                return self._atom(term, new)

    def _apart(self, args: tuple[Term, ...], new: bool) -> bool:
        """Whether arguments can be taken apart: each has few values."""
        return all(self.meant.range_of(arg, new=new) is not None for arg in args)

    def _atom(self, term: Term, new: bool) -> bool:
        values = self.meant.range_of(term, new=new)
        if values is None:
            return False
        for at, atom in enumerate(self.found):
            mine = atom.new if new else atom.old
            if mine is not None and mine == term:
                return True
            old = atom.old if new and atom.new is None else None
            if old is not None and self.meant.written_alike(old, term):
                self.found[at] = _Atom(old, term, atom.values & values)
                return True
        self.found.append(_Atom(None if new else term, term if new else None, values))
        return True

    def covers(self, fact: Term) -> bool:
        """Whether a test is about these and nothing else."""
        if any(atom.old == fact for atom in self.found):
            return True
        match fact:
            case Const():
                return True
            case Apply(Op(), parts):
                return all(map(self.covers, parts))
            case Cond(test, then, otherwise):
                return all(map(self.covers, (test, then, otherwise)))
            case _:
                return False

    def rows(self) -> Iterator[tuple[_Given, _Given]]:
        """All combinations, as each side writes them."""
        for row in product(*(sorted(atom.values, key=repr) for atom in self.found)):
            pairs = tuple(zip(self.found, row, strict=True))
            old = {atom.old: value for atom, value in pairs if atom.old is not None}
            new = {atom.new: value for atom, value in pairs if atom.new is not None}
            yield old, new
