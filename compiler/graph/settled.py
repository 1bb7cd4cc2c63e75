"""What is known of terms before play, so that nobody is told of it.

A function that is always the same under these readings is its value; one that only hands on what
it is given, or only has another name for it, is that; a variable that only ever gets the value it
begins with is that value; what is joined with these by `and`, `or`, `not` or `if` is the rest; and
what holds of the only one of a list holds of that.  The meaning stays.
"""

from functools import lru_cache

from attrs import evolve

from compiler.graph.core import (
    Apply,
    Assign,
    Bound,
    Chance,
    Cond,
    Const,
    Contents,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    Graph,
    Pick,
    Read,
    Roll,
    Term,
    Value,
    Variable,
)
from compiler.graph.exchange import for_name, given, replaced
from compiler.ops.lists import IN, IS, ITEM, LIST, UNION
from compiler.ops.numbers import ADD, NOT
from compiler.ops.row import Lookup
from compiler.types import BOOL, Player, present


@lru_cache(maxsize=16)
def unchanging(graph: Graph) -> frozenset[Variable]:
    """The variables for a ruling that keep the value they begin with under this reading."""
    begun = {one for one in graph.variables if not one.readers and for_rulings(one)}
    for node in graph.nodes:
        match node.step:
            case Assign(Variable() as variable, _, value):
                if not _is_initial(value, variable.initial):
                    begun.discard(variable)
            case Chance(Roll(dice)):
                begun.difference_update(die for die, _, _ in dice)
            case Chance(Pick(variable)):
                begun.discard(variable)
            case _:
                pass
    return frozenset(begun)


def for_rulings(variable: Variable) -> bool:
    """Whether a variable cites rulings and nothing else."""
    cited = [clause.rpartition("-")[2] for clause in variable.clauses]
    return bool(cited) and all(number.startswith("R") for number in cited)


def _is_initial(value: Term, initial: Value) -> bool:
    return isinstance(value, Const) and value.value == initial


def settled(term: Term, known: frozenset[Variable] = frozenset()) -> Term:
    """A term without what is known before play; `known` are variables that never change."""
    match term:
        case Apply(Function() as function, args):
            handed = _handed_on(function, args)
            return term if handed is None else settled(handed, known)
        case Apply(op, (one, of)) if op is IN and (only := _only(of, known)) is not None:
            return Apply(IS, (one, only), type=BOOL)
        case Fold(FoldMode.SOME, bound, domain) if domain.mode is DomainMode.MEMBERS:
            only = _only(domain.members, known)
            return term if only is None else settled(_said_of(term, bound, only), known)
        case Apply(op, (inner,)) if op is NOT:
            said = settled(inner, known)
            if isinstance(said, Const):
                return Const(not said.value, type=BOOL)
            return term if said is inner else evolve(term, args=(said,))
        case Apply(op, (Const(0), part)) | Apply(op, (part, Const(0))) if op is ADD:
            return settled(part, known)
        case Apply(op, (first, second)) if op is ADD:
            parts = (settled(first, known), settled(second, known))
            if Const(0, type=parts[0].type) in parts or Const(0, type=parts[1].type) in parts:
                return settled(evolve(term, args=parts), known)
            return term if parts == (first, second) else evolve(term, args=parts)
        case Apply(op, (part, Const(()))) | Apply(op, (Const(()), part)) if op is UNION:
            return settled(part, known)
        case Cond():
            return _chosen(term, known)
        case Apply(op, (Apply(item, (Const(tuple() as values), place)), Const(wanted))) if (
            op is IS and item is ITEM and seat_of(place) is not None and wanted not in values
        ):
            return Const(False, type=BOOL)
        case Read(Variable() as variable) if variable in known:
            return Const(variable.initial, type=variable.type)
        case _:
            return term


def seat_of(place: Term) -> Term | None:
    """The player whose seat is meant by a place in a list; `None` if no seat is."""
    match place:
        case Apply(op, (seat, Const(1))) if op is ADD and isinstance(present(seat.type), Player):
            return seat
        case _:
            return None


def seats_told(test: Term) -> tuple[Term, tuple[int, ...], range] | None:
    """For a test of what is listed by seats: whose seat, those for which it holds, and all."""
    match test:
        case Apply(op, (Apply(item, (Const(tuple() as values), place)), Const(wanted))) if (
            op is IS and item is ITEM and (seat := seat_of(place)) is not None
        ):
            holding = tuple(number for number, one in enumerate(values) if one == wanted)
            return seat, holding, range(len(values))
        case _:
            return None


def computes(function: Function) -> bool:
    """Whether a function says something of its own, under these readings."""
    return _handed_on(function, function.params) is None


def _handed_on(function: Function, args: tuple[Term, ...]) -> Term | None:
    """What a function is if it has one case that computes nothing."""
    if len(function.cases) != 1 or function.cases[0].when is not None:
        return None
    match function.cases[0].value:
        case Const() as value:
            return value
        case value if _is_plain(value):
            return replaced(value, given(args))
        case _:
            return None


def _is_plain(value: Term) -> bool:
    """Whether a term only names something: a parameter, what is somebody's, one such in a list."""
    match value:
        case Bound():
            return True
        case Apply(op, (only,)) if op is LIST:
            return _is_plain(only)
        case Read(Contents(), (Apply(Lookup(), args),)):
            return all(map(_is_a_name, args))
        case Read(_, args) | Apply(Function(), args):
            return all(map(_is_a_name, args))
        case _:
            return False


def _is_a_name(term: Term) -> bool:
    return isinstance(term, Bound | Const)


def _only(of: Term, known: frozenset[Variable]) -> Term | None:
    """The only member of a list that is written with one; `None` for all others."""
    match settled(of, known) if isinstance(of, Apply) else of:
        case Apply(op, (only,)) if op is LIST:
            return only
        case _:
            return None


def _said_of(term: Fold, bound: Bound, one: Term) -> Term:
    """What a quantifier says of the only one that it goes through."""
    tests = [test for test in (term.where, term.body) if test is not None]
    parts = [replaced(test, for_name(bound.index, one)) for test in tests]
    said = parts.pop()
    for part in reversed(parts):
        said = Cond(part, said, Const(False, type=BOOL), type=BOOL)
    return said


def _chosen(term: Cond, known: frozenset[Variable]) -> Term:
    test = settled(term.test, known)
    if isinstance(test, Const):
        return settled(term.then if test.value else term.otherwise, known)
    then, otherwise = settled(term.then, known), settled(term.otherwise, known)
    if isinstance(then, Const) and isinstance(otherwise, Const):
        if then.value is True and otherwise.value is False:
            return test
        if then.value == otherwise.value:
            return then
    if test is term.test and then is term.then and otherwise is term.otherwise:
        return term
    return evolve(term, test=test, then=then, otherwise=otherwise)
