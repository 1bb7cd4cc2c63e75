"""What a step would read of hidden tokens: all of it, whatever the first answer turns out to be.

When a term meets an unresolved token, the terms of the step are read once more with *unknown* as a
value: what depends on an unknown value is unknown, both ways of a condition that is unknown are
read, and no quantifier stops early.  A fold over an unknown domain is read once with an unknown
element; one over subsets or orders once with all members.
"""

from collections.abc import Callable
from enum import Enum
from typing import TypeAlias, assert_never

from attrs import define, field

from compiler.graph.core import (
    AllTokens,
    Apply,
    Assign,
    Bound,
    Branch,
    Chance,
    Choose,
    Cond,
    Const,
    Domain,
    DomainMode,
    Flow,
    Fold,
    FoldMode,
    Function,
    Move,
    Option,
    Pick,
    Read,
    Source,
    Step,
    Term,
    Value,
)
from compiler.graph.walk import terms_of
from compiler.ops.row import Undefined
from ruleengine.closures import Closure
from ruleengine.errors import Fault, Unresolved
from ruleengine.table import UNRESOLVED, Table
from ruleengine.terms import Terms


class Unknown(Enum):
    """The value of what depends on a hidden token."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN
Known: TypeAlias = Value | Unknown
Names: TypeAlias = dict[int, Known]


@define(eq=False)
class Gather:
    """Reads terms of one graph; what it meets is in `found`."""

    terms: Terms
    table: Table
    found: dict[int, None] = field(factory=dict)  # unresolved tokens, in the order met

    def step(self, step: Step, seats: tuple[int, ...]) -> None:
        """Reads all terms of a step; a decision is read for each of these seats."""
        match step:
            case Choose():
                for seat in seats:
                    for option in step.options:
                        names: Names = {} if step.seat is None else {step.seat.index: seat}
                        self._option(option, 0, names)
            case Chance(Pick(_, args, domain, where, bound)):
                self._each(args, {})
                self._picked(domain, where, bound)
            case Assign() | Move() | Branch() | Chance() | Flow():
                self._each(terms_of(step), {})
            case _:
                assert_never(step)

    def term(self, term: Term, names: Names) -> Known:
        """The value of a term, or unknown."""
        match term:
            case Const(value):
                return value
            case Bound(index=index):
                return names[index]
            case Read(source, args):
                return self._read(source, term, [self.term(arg, names) for arg in args])
            case Apply(op, args):
                values = [self.term(arg, names) for arg in args]
                if isinstance(op, Function):
                    return self._function(op, dict(enumerate(values)))
                return self._strict(op.evaluate, values)
            case Cond(test, then, otherwise):
                holds = self.term(test, names)
                if holds is UNKNOWN:
                    self.term(then, names)
                    self.term(otherwise, names)
                    return UNKNOWN
                return self.term(then if holds else otherwise, names)
            case Fold():
                return self._fold(term, names)
            case _:
                assert_never(term)

    def _each(self, terms: tuple[Term, ...], names: Names) -> None:
        for term in terms:
            self.term(term, names)

    def _tests(self, terms: tuple[Term | None, ...], names: Names) -> list[Known]:
        return [self.term(term, names) for term in terms if term is not None]

    def _strict(self, evaluate: Callable[..., Value], values: list[Known]) -> Known:
        """The operator's value; a check that fails is reported when the step is really taken."""
        if UNKNOWN in values:
            return UNKNOWN
        try:
            return evaluate(*values)
        except Undefined:
            return UNKNOWN

    def _function(self, function: Function, names: Names) -> Known:
        certain = True
        for case in function.cases:
            holds = True if case.when is None else self.term(case.when, names)
            if holds is UNKNOWN:
                certain = False
                self.term(case.value, names)
            elif holds:
                value = self.term(case.value, names)
                return value if certain else UNKNOWN
        return UNKNOWN

    # ---- reading

    def _read(self, source: Source, read: Read, values: list[Known]) -> Known:
        if UNKNOWN in values:
            return UNKNOWN
        closure, env = self._reader(read)
        env[:] = [value for value in values if not isinstance(value, Unknown)]
        try:
            return closure(self.table)
        except Unresolved as unresolved:
            if isinstance(source, AllTokens):
                self._whole_class(source)
            else:
                self.found[unresolved.token] = None
        except Fault:
            pass
        return UNKNOWN

    def _reader(self, read: Read) -> tuple[Closure, list[Value]]:
        """A closure that reads a source at given values."""
        scope = self.terms.scope()
        bounds = tuple(
            Bound("", index, type=arg.type, span=None) for index, arg in enumerate(read.args)
        )
        return scope.term(Read(read.source, bounds, type=read.type, span=read.span)), scope.env

    def _whole_class(self, source: AllTokens) -> None:
        statics = self.terms.statics
        for token in statics.class_tokens[statics.class_index[source.token_class]]:
            if self.table.kind[token] == UNRESOLVED:
                self.found[token] = None

    # ---- folds and domains

    def _fold(self, fold: Fold, names: Names) -> Known:
        results: list[tuple[Value, Known, Known]] = []
        unknown = False

        def visit(inner: Names) -> None:
            nonlocal unknown
            element = inner[fold.bound.index]
            passes: Known = True if fold.where is None else self.term(fold.where, inner)
            body: Known = True if fold.mode is not FoldMode.MAP else element
            if fold.body is not None and (passes is UNKNOWN or passes):
                body = self.term(fold.body, inner)
            if isinstance(element, Unknown):
                unknown = True
            else:
                results.append((element, passes, body))

        if not self._over(fold.domain, fold.bound, names, visit):
            unknown = True
        return UNKNOWN if unknown else _folded(fold.mode, results)

    def _over(
        self, domain: Domain, bound: Bound, names: Names, visit: Callable[[Names], None]
    ) -> bool:
        """Visits the elements of a domain; false if they are not known one by one."""
        members = self._domain(domain, names)
        if members is UNKNOWN or domain.mode is not DomainMode.MEMBERS:
            visit({**names, bound.index: members})
            return False
        for element in members if isinstance(members, tuple) else ():
            visit({**names, bound.index: element})
        return True

    def _domain(self, domain: Domain, names: Names) -> Known:
        self._tests((domain.low, domain.high), names)
        return self.term(domain.members, names)

    def _picked(self, domain: Domain, where: Term | None, bound: Bound | None) -> None:
        def visit(names: Names) -> None:
            self._tests((where,), names)

        if bound is None:
            self._domain(domain, {})
        else:
            self._over(domain, bound, {}, visit)

    def _option(self, option: Option, position: int, names: Names) -> None:
        if position == len(option.slots):
            self._tests(tuple(guard.holds for guard in option.guards), names)
            return
        slot = option.slots[position]

        def visit(inner: Names) -> None:
            passes = True if slot.where is None else self.term(slot.where, inner)
            if passes is UNKNOWN or passes:
                self._option(option, position + 1, inner)

        self._over(slot.domain, slot.bound, names, visit)


def _folded(mode: FoldMode, results: list[tuple[Value, Known, Known]]) -> Known:
    """What a fold comes to, given element, `where` and body of each."""
    passing = [
        (element, body) for element, passes, body in results if passes is not UNKNOWN and passes
    ]
    certain = all(passes is not UNKNOWN for _, passes, _ in results)
    match mode:
        case FoldMode.SOME:
            if any(body is not UNKNOWN and body for _, body in passing):
                return True
            doubtful = any(body is UNKNOWN for _, body in passing)
            return False if certain and not doubtful else UNKNOWN
        case FoldMode.EVERY:
            if any(body is not UNKNOWN and not body for _, body in passing):
                return False
            doubtful = any(body is UNKNOWN for _, body in passing)
            return True if certain and not doubtful else UNKNOWN
        case FoldMode.FILTER:
            return tuple(element for element, _ in passing) if certain else UNKNOWN
        case FoldMode.MAP:
            bodies = [body for _, body in passing if not isinstance(body, Unknown)]
            return tuple(bodies) if certain and len(bodies) == len(passing) else UNKNOWN
        case _:
            assert_never(mode)
