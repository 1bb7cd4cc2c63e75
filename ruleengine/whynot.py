"""Why an answer is not legal: the first line that refuses it, and what that line reads.

An answer is asked about by name and values, whether or not it is offered.  The answers here are
about one seat; the tokens meant are those that look like the ones named.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias, assert_never

from attrs import define, evolve, field, frozen

from compiler.graph.core import (
    Apply,
    Bound,
    Case,
    Clauses,
    Cond,
    Const,
    Contents,
    Domain,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    Guard,
    Option,
    Read,
    Term,
    Value,
    Variable,
)
from compiler.ops import lists, numbers
from compiler.source import Span
from compiler.types import PlaceOf, Player, Square, Token, present
from ruleengine.fit import rank
from ruleengine.options import AskedOption, AskedSlot, Asking
from ruleengine.table import Table
from ruleengine.terms import Scope, Terms
from ruleengine.twins import Looks, Twins, key_of

_ENDS: Final = (lists.FIRST, lists.LAST)


@frozen
class Legal:
    """The answer is legal: its rank in the list."""

    index: int


@frozen
class NoSuchOption:
    """The decision has no option of that name; these it has, `decline` if it may be declined."""

    names: tuple[str, ...]


@frozen
class Reading:
    """A term that a refusing line reads, and its value."""

    term: Term
    value: Value


@frozen
class NothingFits:
    """The slots that were named have fitting values, but for this one, behind them, there is none.

    `reading` is the domain that is empty, and what it comes to.
    """

    option: Option
    slot: int
    reading: Reading


@frozen
class WrongCount:
    """The option has another number of slots."""

    option: Option
    slots: int


@frozen
class Decider:
    """The case of a `define` that decided, and the value it gave."""

    function: Function
    case: Case
    value: Value


@frozen
class NotInDomain:
    """The first slot whose domain does not hold its value, or whose `where` refuses it.

    `deciders` are the cases that made the domain, or the `where`, what it is, outer ones first;
    `domain` is the slot's, with players and places by value.
    """

    option: Option
    slot: int
    where: Term | None  # `None`: not in the domain
    readings: tuple[Reading, ...]
    deciders: tuple[Decider, ...] = ()
    domain: Domain | None = field(eq=False, default=None)

    @property
    def clauses(self) -> Clauses:
        """What the option cites, then what the deciding cases cite."""
        return _with_cases(self.option.clauses, self.deciders)


@frozen
class Refused:
    """The first guard that fails, what it reads, and the cases that decided, outer ones first."""

    option: Option
    guard: Guard
    deciders: tuple[Decider, ...]
    readings: tuple[Reading, ...]

    @property
    def clauses(self) -> Clauses:
        """What the guard cites, else its option; then what the deciding cases cite."""
        return _with_cases(self.guard.clauses or self.option.clauses, self.deciders)

    @property
    def span(self) -> Span | None:
        """Where the guard is written."""
        return self.guard.span


@frozen
class NotDeclinable:
    """The decision must be answered."""


Answer: TypeAlias = (
    Legal | NoSuchOption | WrongCount | NotInDomain | NothingFits | Refused | NotDeclinable
)


@define(eq=False)
class WhyNot:
    """Answers for the decisions of one graph."""

    terms: Terms
    twins: Twins

    def ask(
        self, table: Table, asking: Asking, seat: int, name: str, values: tuple[Value, ...]
    ) -> Answer:
        """Whether a seat may answer so, and if not, why."""
        if name == "decline":
            last = len(asking.choices(table, seat)) - 1
            return Legal(last) if asking.step.optional else NotDeclinable()
        found = [asked for asked in asking.options if asked.option.name == name]
        if not found:
            names = [option.name for option in asking.step.options]
            return NoSuchOption((*names, "decline") if asking.step.optional else tuple(names))
        asked = found[0]
        count = WrongCount(asked.option, len(asked.slots))
        if len(values) > len(asked.slots):
            return count
        asking.seat(seat)
        looks = self.twins.to_seat(table, seat, asking.sealed)
        outside = self._outside(table, asking, asked, looks, values)
        if len(values) < len(asked.slots):
            return outside or self._nothing(table, asking.scope, asked, len(values)) or count
        return (
            outside
            or self._refusing(table, asking.scope, asked.option)
            or self._legal(table, asking, seat, asked, looks, values)
        )

    def _legal(
        self,
        table: Table,
        asking: Asking,
        seat: int,
        asked: AskedOption,
        looks: Looks,
        values: tuple[Value, ...],
    ) -> Answer:
        position = asking.options.index(asked)
        wanted = _key(asked, values, looks)
        for choice in asking.choices(table, seat):
            if choice.option == position and _key(asked, choice.values, looks) == wanted:
                return Legal(choice.index)
        return NotInDomain(asked.option, len(values) - 1, None, ())

    def _outside(
        self,
        table: Table,
        asking: Asking,
        asked: AskedOption,
        looks: Looks,
        values: tuple[Value, ...],
    ) -> NotInDomain | None:
        """The first slot that refuses its value; all that are named have values afterwards."""
        env = asking.scope.env
        for at, (slot, value) in enumerate(zip(asked.slots, values, strict=False)):
            offered = _in_domain(table, slot, value, looks)
            members = slot.slot.domain.members
            domain = evolve(slot.slot.domain, members=_named(table, asking.scope, members))
            if offered is None:
                made_by = self.deciders(table, asking.scope, members)
                return NotInDomain(asked.option, at, None, (), made_by, domain)
            env[slot.index] = offered.value
            where = slot.slot.where
            if slot.where is not None and where is not None and not slot.where(table):
                readings = self.readings(table, asking.scope, where)
                deciders = self.deciders(table, asking.scope, where)
                return NotInDomain(asked.option, at, where, readings, deciders, domain)
        return None

    def _nothing(
        self, table: Table, scope: Scope, asked: AskedOption, at: int
    ) -> NothingFits | None:
        """What is to be said if a slot, those before it named, has an empty domain."""
        if at == 0 or asked.slots[at].members(table):
            return None
        members = asked.slots[at].slot.domain.members
        return NothingFits(asked.option, at, Reading(_named(table, scope, members), ()))

    def _refusing(self, table: Table, scope: Scope, option: Option) -> Refused | None:
        for guard in option.guards:
            if not scope.test(guard.holds)(table):
                return Refused(
                    option,
                    guard,
                    self.deciders(table, scope, guard.holds),
                    self.readings(table, scope, guard.holds),
                )
        return None

    # ---- what a line reads

    def deciders(self, table: Table, scope: Scope, term: Term) -> tuple[Decider, ...]:
        """The cases of `define`s that made a condition what it is, outer ones first."""
        match term:
            case Apply(Function() as function, args):
                return self._decided(table, scope, function, args)
            case Apply(op, (inner,)) if op is numbers.NOT:
                return self.deciders(table, scope, inner)
            case Cond(test, then, otherwise):
                holds = bool(scope.term(test)(table))
                taken = then if holds else otherwise
                if isinstance(taken, Const):
                    return self.deciders(table, scope, test)
                return self.deciders(table, scope, taken)
            case Fold(FoldMode.EVERY | FoldMode.SOME, body=body):
                if body is None or not self._settled(table, scope, term):
                    return ()
                return self.deciders(table, scope, body)
            case _:
                return ()

    def _decided(
        self, table: Table, scope: Scope, function: Function, args: tuple[Term, ...]
    ) -> tuple[Decider, ...]:
        case, inner = self._entered(table, scope, function, args)
        values = tuple(inner.env[: len(args)])
        value = inner.term(case.value)(table)
        inner.env[: len(args)] = values
        return Decider(function, case, value), *self.deciders(table, inner, case.value)

    def _entered(
        self, table: Table, scope: Scope, function: Function, args: tuple[Term, ...]
    ) -> tuple[Case, Scope]:
        """The case of a call that holds, and the scope of the function, parameters set."""
        values = [scope.term(arg)(table) for arg in args]
        env, _ = self.terms.function(function)
        inner = Scope(self.terms, env)
        env[: len(values)] = values
        held = next(c for c in function.cases if c.when is None or inner.term(c.when)(table))
        env[: len(values)] = values
        return held, inner

    def _settled(self, table: Table, scope: Scope, fold: Fold) -> bool:
        """Whether one element settled a quantifier; the first that did is bound then."""
        body = scope.test(Const(True) if fold.body is None else fold.body)
        where = None if fold.where is None else scope.test(fold.where)
        index = scope.place_for(fold.bound)
        for element in scope.domain(fold.domain)(table):
            scope.env[index] = element
            if (where is None or where(table)) and body(table) is (fold.mode is FoldMode.SOME):
                return True
        return False

    def readings(self, table: Table, scope: Scope, term: Term) -> tuple[Reading, ...]:
        """The parts of a condition that are not conditions themselves, with their values.

        Of a quantifier that one element settled, that element and what is read of it; of a call,
        its parameters and what the case that decided reads.  Whose variable and which place it is
        is said by its value: not `money[p]` but `money[A]`.
        """
        found: dict[tuple[int, Term], Reading] = {}
        for inside, reading in self._read(table, scope, term):
            found.setdefault((id(inside.env), reading.term), reading)
        return tuple(found.values())

    def _read(self, table: Table, scope: Scope, term: Term) -> Iterator[tuple[Scope, Reading]]:
        """What a condition compares, as far as it was read, each part in its scope."""
        match term:
            case Cond(test, then, otherwise):
                yield from self._read(table, scope, test)
                taken = then if scope.term(test)(table) else otherwise
                yield from self._read(table, scope, taken)
            case Apply(op, (inner,)) if op is numbers.NOT:
                yield from self._read(table, scope, inner)
            case Apply(Function() as function, args):
                yield from self._called(table, scope, function, args)
            case Apply(_, args):
                for arg in args:
                    yield from self._compared(table, scope, arg)
            case Fold(FoldMode.SOME | FoldMode.EVERY, bound, body=body) if self._settled(
                table, scope, term
            ):
                yield scope, Reading(bound, scope.env[bound.index])
                yield from self._read(table, scope, Const(True) if body is None else body)
            case Fold():
                yield from self._compared(table, scope, term.domain.members)
            case Const() | Bound() | Read():
                yield from self._compared(table, scope, term)
            case _:
                assert_never(term)

    def _called(
        self, table: Table, scope: Scope, function: Function, args: tuple[Term, ...]
    ) -> Iterator[tuple[Scope, Reading]]:
        """The arguments of a call, and what the case that decided reads."""
        for arg in args:
            yield from self._compared(table, scope, arg)
        case, inner = self._entered(table, scope, function, args)
        yield from (
            (inner, Reading(parameter, inner.env[parameter.index])) for parameter in function.params
        )
        if not isinstance(case.value, Const):
            yield from self._read(table, inner, case.value)
            return
        for tried in function.cases[: function.cases.index(case) + 1]:
            if tried.when is not None and (tried is case or case.when is None):
                yield from self._read(table, inner, tried.when)

    def _compared(self, table: Table, scope: Scope, term: Term) -> Iterator[tuple[Scope, Reading]]:
        """A term with its value; where it is read of a token, first which token that is.

        Of a place without a token it is said that it is empty, and nothing more.
        """
        if isinstance(term, Const):
            return
        match term:
            case Read(_, (Apply() | Read() as token,)) if isinstance(present(token.type), Token):
                yield from self._compared(table, scope, token)
                if scope.term(token)(table) is None:
                    return
            case Apply(op, (Read(Contents()) as place,)) if op in _ENDS:
                if scope.term(term)(table) is None:
                    yield scope, Reading(_named(table, scope, place), ())
                    return
        yield scope, Reading(_named(table, scope, term), scope.term(term)(table))


def _named(table: Table, scope: Scope, term: Term) -> Term:
    """The term with its players and places by value: `hand[next(p)]` is `hand[B]`."""
    match term:
        case Read(Variable() | Contents(), args) | Apply(Function(), args):
            return evolve(term, args=tuple(_by_value(table, scope, arg) for arg in args))
        case Read(_, args) | Apply(_, args):
            return evolve(term, args=tuple(_named(table, scope, arg) for arg in args))
        case _:
            return term


def _by_value(table: Table, scope: Scope, term: Term) -> Term:
    if isinstance(term.type, Player | PlaceOf | Square):
        return Const(scope.term(term)(table), type=term.type)
    return _named(table, scope, term)


def _with_cases(clauses: Clauses, deciders: tuple[Decider, ...]) -> Clauses:
    """Clauses, then those of the cases that decided, each once."""
    cited = [*clauses]
    for decider in deciders:
        cited += decider.case.clauses
    return tuple(dict.fromkeys(cited))


@frozen
class _Offered:
    """A value as a domain offers it."""

    value: Value


def _in_domain(table: Table, asked: AskedSlot, value: Value, looks: Looks) -> _Offered | None:
    """The value as the slot's domain offers it; `None` if it does not."""
    members = asked.members(table)
    keys = [key_of(member, looks) if asked.has_tokens else member for member in members]
    if asked.slot.domain.mode is DomainMode.MEMBERS:
        key = key_of(value, looks) if asked.has_tokens else value
        return _Offered(members[keys.index(key)]) if key in keys else None
    if not isinstance(value, tuple):
        return None
    taken: list[int] = []
    for part in value:
        key = key_of(part, looks) if asked.has_tokens else part
        free = [at for at, other in enumerate(keys) if other == key and at not in taken]
        if not free:
            return None
        taken.append(free[0])
    if asked.slot.domain.mode is DomainMode.ORDERS:
        complete = len(taken) == len(members)
        return _Offered(tuple(members[at] for at in taken)) if complete else None
    low, high = asked.bounds(table, len(members))
    if not low <= len(taken) <= high:
        return None
    return _Offered(tuple(members[at] for at in sorted(taken)))


def _key(asked: AskedOption, values: tuple[Value, ...], looks: Looks) -> Value:
    """Values with twins made one; sets without their order."""
    found: list[Value] = []
    for slot, value in zip(asked.slots, values, strict=True):
        key = key_of(value, looks) if slot.has_tokens else value
        if slot.slot.domain.mode is DomainMode.SUBSETS and isinstance(key, tuple):
            key = tuple(sorted(key, key=rank))
        found.append(key)
    return tuple(found)
