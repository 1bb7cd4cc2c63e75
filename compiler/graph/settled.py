"""What is known of terms before play, so that nobody is told of it.

A function that is always the same under these readings is its value; one that only hands on what
it is given is that; a variable that only ever gets the value it begins with is that value; and
what is joined with these by `and`, `or`, `not` or `if` is the rest.  The meaning stays.
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
    Function,
    Graph,
    Pick,
    Read,
    Roll,
    Term,
    Value,
    Variable,
)
from compiler.ops.lists import IS, ITEM, UNION
from compiler.ops.numbers import ADD, NOT
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
        case Bound(_, index) if index < len(args):
            return args[index]
        case Apply(Function() as other, given) if all(
            isinstance(one, Bound) and one.index < len(args) for one in given
        ):
            handed = tuple(args[one.index] for one in given if isinstance(one, Bound))
            return Apply(other, handed, type=other.type)
        case _:
            return None


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
