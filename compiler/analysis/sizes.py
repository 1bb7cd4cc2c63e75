"""How many members the lists and sets in variables can have, as far as the rules tell.

Told from what is assigned and chosen, over and over until nothing grows; what still grows then has
no bound.  The numbers are bounds for play from the beginning: a situation that is laid out by hand
may have more.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import define, field

from compiler.graph.core import (
    Apply,
    Assign,
    Bound,
    Chance,
    Choose,
    Cond,
    Const,
    Contents,
    Domain,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    Graph,
    Pick,
    Read,
    Roll,
    Shape,
    Step,
    Term,
    Value,
    Variable,
)
from compiler.ops import lists
from compiler.types import Int, ListOf, SetOf, Type, present

_ROUNDS: Final = 12

_KEEPING: Final = frozenset(
    {
        *(lists.MINUS, lists.DISTINCT, lists.UNORDERED, lists.AS_SET, lists.ARRANGE),
        *(lists.MOST, lists.LEAST, lists.AFTER),
    }
)
"""Operators whose list has no more members than their first one."""

_Names = Mapping[int, int | None]


def most_members(graph: Graph) -> dict[Variable, int]:
    """Variables that hold lists or sets, with the most members that one of theirs can have."""
    steps = [node.step for node in graph.nodes]
    found = _Sizes(graph)
    for variable in graph.variables:
        if _is_list(variable.type):
            found.most[variable] = _length(variable.initial)
    for _ in range(_ROUNDS):
        grown = [found.grows(step) for step in steps]
        if not any(grown):
            break
    else:
        for step in steps:
            found.grows(step, without_end=True)
    return {variable: most for variable, most in found.most.items() if most is not None}


def _is_list(type_: Type) -> bool:
    return isinstance(present(type_), SetOf | ListOf)


def _length(value: Value) -> int:
    return len(value) if isinstance(value, tuple) else 0


@define
class _Sizes:
    graph: Graph
    most: dict[Variable, int | None] = field(factory=dict)

    def grows(self, step: Step, *, without_end: bool = False) -> bool:
        """Whether a step can give some variable more members than was known."""
        grown = False
        for variable, many in self._given(step):
            before = self.most.get(variable, _length(variable.initial))
            if before is not None and (many is None or many > before):
                self.most[variable] = None if without_end else many
                grown = True
        return grown

    def _given(self, step: Step) -> Iterator[tuple[Variable, int | None]]:
        """What a step gives to variables that hold lists."""
        match step:
            case Assign(Variable() as variable, _, value) if _is_list(variable.type):
                yield variable, self.of(value)
            case Chance(Pick(variable, _, domain)) if _is_list(variable.type):
                yield variable, self._drawn(domain)
            case Chance(Roll(dice)):
                for die, _, faces in dice:
                    if _is_list(die.type):
                        yield die, max(map(_length, faces))
            case Choose(options=options):
                for slot in (slot for option in options for slot in option.slots):
                    if _is_list(slot.local.type):
                        yield slot.local, self._drawn(slot.domain)

    def _drawn(self, domain: Domain) -> int | None:
        """The members of what is drawn from a domain."""
        if domain.mode is DomainMode.MEMBERS:
            return None
        most = self.of(domain.members)
        limit = domain.high
        if isinstance(limit, Const) and isinstance(limit.value, int):
            high = limit.value
        elif limit is not None and isinstance(limit.type, Int):
            high = limit.type.high
        else:
            return most
        return high if most is None else min(most, high)

    def of(self, term: Term, names: _Names | None = None) -> int | None:
        """The most members of a list; `None` if nothing tells."""
        known: _Names = {} if names is None else names
        match term:
            case Const(value):
                return _length(value)
            case Bound(index=index):
                return known.get(index)
            case Read(Variable() as variable):
                return self.most.get(variable, _length(variable.initial))
            case Read(Contents(), (Const(int() as place),)):
                found = self.graph.places[place]
                return 1 if found.shape is Shape.ONE else found.capacity
            case Cond(_, then, otherwise):
                return _most(self.of(then, known), self.of(otherwise, known))
            case Fold(FoldMode.FILTER | FoldMode.MAP, domain=domain):
                plain = domain.mode is DomainMode.MEMBERS
                return self.of(domain.members, known) if plain else None
            case Apply(Function() as called, args):
                given = zip(called.params, args, strict=True)
                inner = {p.index: self.of(a, known) for p, a in given if _is_list(a.type)}
                return _most(*(self.of(case.value, inner) for case in called.cases))
            case Apply(op, args):
                return self._applied(op, args, known)
            case _:
                return None

    def _applied(self, op: object, args: tuple[Term, ...], names: _Names) -> int | None:
        match op:
            case lists.LIST:
                return len(args)
            case lists.JUST:
                return 1
            case lists.UNION:
                found = [self.of(arg, names) for arg in args]
                known = [many for many in found if many is not None]
                return sum(known) if len(known) == len(found) else None
            case lists.REST:
                many = self.of(args[0], names)
                return None if many is None else max(many - 1, 0)
            case lists.TAKE | lists.TAKE_LAST:
                many, number = self.of(args[1], names), args[0]
                if not isinstance(number, Const) or not isinstance(number.value, int):
                    return many
                return number.value if many is None else min(many, number.value)
            case _ if op in _KEEPING:
                return self.of(args[0], names)
            case _:
                return None


def _most(*many: int | None) -> int | None:
    """The largest of some numbers, if all are known."""
    known = [one for one in many if one is not None]
    return max(known, default=0) if len(known) == len(many) else None
