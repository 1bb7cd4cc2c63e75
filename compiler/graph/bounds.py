"""How long the lists and sets in variables can get, from what is assigned to them."""

from attrs import define, field

from compiler.graph.codec import universe_size
from compiler.graph.core import (
    Apply,
    Assign,
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
from compiler.graph.occupancy import Where, capacity
from compiler.types import ListOf, Optional, PlaceOf, SetOf, Square, Type


@define
class Bounds:
    """Bounds on lengths; `None` where nothing is known."""

    graph: Graph
    _sources: dict[Variable, list[Term | Domain]] = field(factory=dict, init=False)
    _params: frozenset[Variable] = field(init=False)
    _known: dict[Variable, int | None] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._params = frozenset(p for phase in self.graph.phases for p in phase.params)
        for node in self.graph.nodes:
            match node.step:
                case Assign(Variable() as variable, _, value):
                    self._sources.setdefault(variable, []).append(value)
                case Choose(options=options):
                    for option in options:
                        for slot in option.slots:
                            self._sources.setdefault(slot.local, []).append(slot.domain)
                case Chance(Pick(variable, _, domain)):
                    self._sources.setdefault(variable, []).append(domain)
                case _:
                    pass

    def length(self, variable: Variable) -> int | None:
        """The most elements a local's list or set can have.

        Scenarios may give parameters and the game's variables whatever their types admit.
        """
        if variable.phase is None or variable in self._params:
            return None
        if variable in self._known:
            return self._known[variable]
        self._known[variable] = None  # what a variable takes from itself says nothing
        initial = len(variable.initial) if isinstance(variable.initial, tuple) else 0
        found: int | None = initial
        for source in self._sources.get(variable, []):
            part = self._domain(source) if isinstance(source, Domain) else self._term(source)
            found = None if found is None or part is None else max(found, part)
        self._known[variable] = found
        return found

    def _domain(self, domain: Domain) -> int | None:
        """The most elements of one value of a domain."""
        match domain.mode:
            case DomainMode.SUBSETS if isinstance(domain.high, Const):
                return domain.high.value if isinstance(domain.high.value, int) else None
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
                return self.length(variable)
            case Fold(FoldMode.FILTER | FoldMode.MAP, _, Domain(DomainMode.MEMBERS) as domain):
                return self._term(domain.members)
            case Apply(Function() as function, _):
                return _largest(*(self._term(case.value) for case in function.cases))
            case _:
                return _universe(self.graph, term.type)

    def _contents(self, place: Term) -> int:
        """The most tokens of the place that a term gives, or of all those in a list."""
        mask = Where(self.graph).places(place)
        most = [capacity(self.graph, p) for p in self.graph.places if mask >> p.index & 1]
        return max(most, default=0) if isinstance(place.type, PlaceOf | Square) else sum(most)


def _universe(graph: Graph, type_: Type) -> int | None:
    match type_:
        case SetOf(inner) | ListOf(inner) | Optional(SetOf(inner) | ListOf(inner)):
            return universe_size(graph, inner)
        case _:
            return None


def _largest(*lengths: int | None) -> int | None:
    known = [length for length in lengths if length is not None]
    return max(known, default=0) if len(known) == len(lengths) else None
