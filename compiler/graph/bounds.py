"""How long the lists and sets in locals can get, and which lists always ascend.

Both are found from what is assigned.  A length is `None` where nothing better is known than that
each element stands there once.
"""

from attrs import define, field

from compiler.graph.codec import universe_size
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
    Term,
    Variable,
)
from compiler.graph.occupancy import capacity
from compiler.graph.where import Where
from compiler.ops.lists import (
    AFTER,
    ARRANGE,
    AS_SET,
    DISTINCT,
    JUST,
    LEAST,
    LIST,
    MINUS,
    MOST,
    RANGE,
    REST,
    TAKE,
    TAKE_LAST,
    UNION,
    UNORDERED,
)
from compiler.ops.row import Op
from compiler.types import Int, ListOf, Optional, PlaceOf, SetOf, Square, Token, Type, present

_NOT_LONGER = (AFTER, ARRANGE, AS_SET, DISTINCT, LEAST, MINUS, MOST, REST, UNORDERED)
"""Operators whose result has at most the elements of their first argument."""

_PATIENCE = 8
"""Rounds after which a length that still grows is given up."""


@define
class Bounds:
    """The most elements that locals can have; all are found together, growing from nothing."""

    graph: Graph
    _where: Where = field(init=False)
    _sources: dict[Variable, list[Term | Domain]] = field(factory=dict, init=False)
    _known: dict[Variable, int | None] = field(factory=dict, init=False)
    _ascending: dict[Variable, bool] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._where = Where(self.graph)
        free = {parameter for phase in self.graph.phases for parameter in phase.params}
        for variable, source in _sources(self.graph):
            # scenarios give parameters, and the game's variables, whatever their types admit
            if variable.phase is not None and variable not in free:
                self._sources.setdefault(variable, []).append(source)
        for phase in self.graph.phases:
            for variable in phase.locals:
                if variable not in free:
                    self._sources.setdefault(variable, [])
        self._known = dict.fromkeys(self._sources, 0)
        self._grow()
        self._ascending = dict.fromkeys(self._sources, True)
        self._doubt()

    def length(self, variable: Variable) -> int | None:
        """The most elements a variable's list or set can have."""
        return self._known.get(variable)

    def ascends(self, variable: Variable) -> bool:
        """Whether a local's list of scalars is ascending whatever happens, each once."""
        return self._ascending.get(variable, False)

    def _doubt(self) -> None:
        """Takes back what does not hold, until the rest supports itself."""
        changed = True
        while changed:
            changed = False
            for variable, sources in self._sources.items():
                if self._ascending[variable] and not all(map(self._rises, sources)):
                    self._ascending[variable] = False
                    changed = True

    def _rises(self, source: Term | Domain) -> bool:
        """Whether what is given is an ascending list of scalars, each once."""
        if isinstance(source, Domain):
            return source.mode is DomainMode.SUBSETS and self._rises(source.members)
        match source:
            case Const(tuple() as value):
                numbers = [number for number in value if isinstance(number, int)]
                return len(numbers) == len(value) and numbers == sorted(set(numbers))
            case Const(value):
                return value is None
            case Cond(_, then, otherwise):
                return self._rises(then) and self._rises(otherwise)
            case Read(Variable() as variable):
                return self.ascends(variable) or _is_set_of_scalars(variable.type)
            case Bound():
                return _is_set_of_scalars(source.type)
            case Fold(FoldMode.FILTER, _, Domain(DomainMode.MEMBERS) as domain):
                return self._rises(domain.members)
            case Apply(Function() as function, _):
                return all(self._rises(case.value) for case in function.cases)
            case Apply(op, args) if op in (REST, MINUS, DISTINCT):
                return self._rises(args[0])
            case Apply(op, args) if op in (TAKE, TAKE_LAST):
                return self._rises(args[1])
            case Apply(op):
                return op in (RANGE, AS_SET)
            case _:
                return False

    def _grow(self) -> None:
        changed = True
        rounds = 0
        while changed:
            changed = False
            rounds += 1
            for variable, sources in self._sources.items():
                now = _largest(len(_tuple(variable)), *(self._source(s) for s in sources))
                if now != self._known[variable]:
                    self._known[variable] = now if rounds < _PATIENCE else None
                    changed = True

    def _source(self, source: Term | Domain) -> int | None:
        return self._domain(source) if isinstance(source, Domain) else self._term(source)

    def _domain(self, domain: Domain) -> int | None:
        """The most elements of one value of a domain."""
        match domain.mode:
            case DomainMode.SUBSETS if isinstance(domain.high, Const):
                return _smallest(_number(domain.high), self._term(domain.members))
            case DomainMode.SUBSETS | DomainMode.ORDERS:
                return self._term(domain.members)
            case DomainMode.MEMBERS:
                return None

    def _term(self, term: Term) -> int | None:
        """The most elements of a list or set that a term gives."""
        match term:
            case Const(value):
                return len(value) if isinstance(value, tuple) else None if value else 0
            case Cond(_, then, otherwise):
                return _largest(self._term(then), self._term(otherwise))
            case Read(Contents(), (place,)):
                return self._contents(place)
            case Read(Variable() as variable):
                return self._known.get(variable, _universe(self.graph, variable.type))
            case Fold(FoldMode.FILTER | FoldMode.MAP, _, Domain(DomainMode.MEMBERS) as domain):
                return self._term(domain.members)
            case Apply(Function() as function, _):
                return _largest(*(self._term(case.value) for case in function.cases))
            case Apply(Op() as op, args):
                return self._applied(op, args, term.type)
            case _:
                return _universe(self.graph, term.type)

    def _applied(self, op: Op, args: tuple[Term, ...], type_: Type) -> int | None:
        if op in _NOT_LONGER:
            return self._term(args[0])
        if op in (TAKE, TAKE_LAST):
            return _smallest(_number(args[0]), self._term(args[1]))
        if op is UNION:
            first, second = self._term(args[0]), self._term(args[1])
            whole = None if first is None or second is None else first + second
            return _smallest(whole, _universe(self.graph, type_))
        if op is JUST:
            return 1
        if op is LIST:
            return len(args)
        return _universe(self.graph, type_)

    def _contents(self, place: Term) -> int:
        """The most tokens of the place that a term gives, or of all those in a list."""
        mask = self._where.places(place)
        most = [capacity(self.graph, p) for p in self.graph.places if mask >> p.index & 1]
        single = isinstance(place.type, PlaceOf | Square | Optional)
        return max(most, default=0) if single else sum(most)


def _sources(graph: Graph) -> list[tuple[Variable, Term | Domain]]:
    """What is assigned to variables, chosen for slots or picked."""
    found: list[tuple[Variable, Term | Domain]] = []
    for node in graph.nodes:
        match node.step:
            case Assign(Variable() as variable, _, value):
                found.append((variable, value))
            case Choose(options=options):
                found += [(slot.local, slot.domain) for o in options for slot in o.slots]
            case Chance(Pick(variable, _, domain)):
                found.append((variable, domain))
            case _:
                pass
    return found


def _is_set_of_scalars(type_: Type) -> bool:
    """Whether values of a type are sets that are kept in ascending order."""
    match present(type_):
        case SetOf(inner):
            return not isinstance(present(inner), Token)
        case _:
            return False


def _tuple(variable: Variable) -> tuple[object, ...]:
    return variable.initial if isinstance(variable.initial, tuple) else ()


def _number(term: Term) -> int | None:
    """The highest a number can be."""
    if isinstance(term, Const) and isinstance(term.value, int):
        return term.value
    type_ = present(term.type)
    return type_.high if isinstance(type_, Int) else None


def _universe(graph: Graph, type_: Type) -> int | None:
    match type_:
        case SetOf(inner) | ListOf(inner) | Optional(SetOf(inner) | ListOf(inner)):
            return universe_size(graph, inner)
        case _:
            return None


def _largest(*lengths: int | None) -> int | None:
    known = [length for length in lengths if length is not None]
    return max(known, default=0) if len(known) == len(lengths) else None


def _smallest(*lengths: int | None) -> int | None:
    return min((length for length in lengths if length is not None), default=None)
